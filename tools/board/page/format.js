/* Numbers and moves as text. */

import { make } from "/xiangqi.js";
import { settings } from "./settings.js";
import { t, textOr } from "./words.js";

/** Centipawns at which Red expects about 0.73 points, as in the reports of the arena. */
const SCALE = 300;

/** Characters of the server's own words that are shown. */
const LONGEST_DETAIL = 240;

/** A score as text; all scores are Red's. */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined) {
    if (score.mate === 0) return "#";
    return (score.mate > 0 ? "#" : "#−") + Math.abs(score.mate);
  }
  const pawns = Math.abs(score.cp / 100).toFixed(2);
  return (score.cp > 0 ? "+" : score.cp < 0 ? "−" : "") + pawns;
}

/** Points that Red expects, from 0 to 1. */
export function expectation(score, wdl) {
  if (wdl) return (wdl[0] + wdl[1] / 2) / 1000;
  if (!score) return 0.5;
  if (score.mate !== undefined) return score.mate > 0 || score.winner === "red" ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / SCALE));
}

/** A move in the chosen notation, as plain text. */
export function moveText(move) {
  if (settings.notation === "chinese" && move.zh) return move.zh;
  if (settings.notation === "wxf" && move.wxf) return move.wxf;
  return move.mv.slice(0, 2) + "-" + move.mv.slice(2, 4);
}

/** A move as an element with the language of its characters. */
export const moveSpan = (move) => make("span", settings.notation === "chinese" ? { lang: "zh-Hans" } : {}, moveText(move));

/** Moves in a row with their numbers, from a side and a number on. */
export function numbered(moves, side, number) {
  const parts = [];
  moves.forEach((move, index) => {
    const isRed = (side === "w") === (index % 2 === 0);
    if (isRed) parts.push(`${number + Math.floor((index + (side === "w" ? 0 : 1)) / 2)}.`);
    else if (index === 0) parts.push(`${number}…`);
    parts.push(move);
  });
  return parts;
}

export function count(number) {
  if (number >= 1e9) return (number / 1e9).toFixed(1) + " G";
  if (number >= 1e6) return (number / 1e6).toFixed(1) + " M";
  if (number >= 1e3) return (number / 1e3).toFixed(number >= 1e5 ? 0 : 1) + " k";
  return String(number);
}

/** Milliseconds as a clock shows them: tenths in the last ten seconds. */
export function clockText(ms) {
  if (ms <= 0) return "0:00.0";
  if (ms < 10000) return "0:0" + (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000), minutes = Math.floor(seconds / 60);
  const two = (number) => String(number).padStart(2, "0");
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Milliseconds to go, in words. */
export function timeToGo(ms) {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? t("seconds", { n: seconds }) : t("minutes", { n: Math.ceil(seconds / 60) });
}

export const percent = (share) => (100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0) + " %";

export const sideName = (side) => t(side === "w" || side === "red" ? "red" : "black");

/** Text for an error of the server, with the server's own words behind it. */
export function troubleText(trouble) {
  if (!trouble?.code) return String(trouble?.message ?? trouble);
  const text = textOr("error-" + trouble.code, trouble.code);
  const about = [trouble.engine, trouble.detail].filter(Boolean).join(": ");
  if (!about) return text;
  return `${text} (${about.length > LONGEST_DETAIL ? about.slice(0, LONGEST_DETAIL) + "…" : about})`;
}

/** Text for how a game ended. */
export function endText(end) {
  const reason = textOr("reason-" + end.reason, end.reason);
  if (!end.winner) return t("ended-drawn", { reason });
  return t(end.winner === "red" ? "ended-red" : "ended-black", { reason });
}
