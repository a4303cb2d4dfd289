/* The words of the page in two languages. */

import { kept, keep } from "./xiangqi.js";

const WORDS = {
  en: {
    language: "中文", characters: "Characters", letters: "Letters",
    running: "running", over: "match over", stopped: "not running", lost: "connection lost",
    recent: "Last games", none: "no game has ended yet", empty: "No game is under way.",
    games: "Games", of: "of {n}", score: "Score", elo: "Elo", los: "LOS", pairs: "Pairs 0–2", won: "won", drawn: "drawn", lostGames: "lost",
    test: "SPRT", llr: "LLR", open: "undecided", H0: "H0 accepted", H1: "H1 accepted",
    engine: "Engine", wins: "Wins", draws: "Draws", losses: "Losses", points: "Points", failures: "Failures",
    game: "game {n}", round: "round {n}", depth: "depth {n}", move: "ply {n}", start: "start", plies: "{n} plies", mate: "Red mates in {n}", mated: "Black mates in {n}",
    board: "game {n}: {red} with Red against {black}", values: "values for Red", won1: "Red won", won0: "Black won", draw: "draw",
  },
  zh: {
    language: "English", characters: "汉字", letters: "字母",
    running: "进行中", over: "比赛结束", stopped: "未在进行", lost: "连接中断",
    recent: "最近的对局", none: "还没有下完的对局", empty: "没有正在进行的对局。",
    games: "局数", of: "/ {n}", score: "得分率", elo: "等级分差", los: "优势概率", pairs: "成对得分 0–2", won: "胜", drawn: "和", lostGames: "负",
    test: "SPRT", llr: "LLR", open: "未定", H0: "接受 H0", H1: "接受 H1",
    engine: "引擎", wins: "胜", draws: "和", losses: "负", points: "得分", failures: "故障",
    game: "第 {n} 局", round: "第 {n} 轮", depth: "深度 {n}", move: "第 {n} 步", start: "开始", plies: "{n} 步", mate: "红方 {n} 步杀", mated: "黑方 {n} 步杀",
    board: "第 {n} 局：{red} 执红对 {black}", values: "红方的分值", won1: "红胜", won0: "黑胜", draw: "和棋",
  },
};

const ENDINGS = {
  Mate: ["mate", "将死"], Stalemate: ["no legal move", "困毙"], Repetition: ["repetition", "循环"], MoveLimit: ["no capture for too long", "自然限着"],
  NoAttackers: ["nothing left to attack with", "双方均无进攻子力"], Resignation: ["resignation", "认输"], Agreement: ["agreed draw", "协议和棋"],
  DrawAdjudication: ["adjudicated draw", "裁定和棋"], WinAdjudication: ["adjudicated win", "裁定胜负"], MaxMoves: ["limit of moves", "步数上限"],
  TablebaseDraw: ["draw by tablebase", "残局库判和"], TablebaseWin: ["win by tablebase", "残局库判胜"], TimeLoss: ["time", "超时"], Crash: ["crash", "崩溃"],
  Killed: ["killed", "被中止"], Hang: ["no answer", "无响应"], IllegalMove: ["illegal move", "不合法着法"], BannedMove: ["banned move", "禁止的着法"],
  NoHandshake: ["no handshake", "握手失败"], ProtocolViolation: ["protocol violation", "违反协议"], Interrupted: ["interrupted", "中断"],
};

const before = kept("language");
let language = before in WORDS ? before : navigator.language.startsWith("zh") ? "zh" : "en";

export const isChinese = () => language === "zh";

/** The other language from now on. */
export function switchLanguage() {
  language = isChinese() ? "en" : "zh";
  keep("language", language);
}

/** A text with its placeholders filled in. */
export function t(name, values = {}) {
  return WORDS[language][name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

export const ending = (name) => (ENDINGS[name] || [name, name])[isChinese() ? 1 : 0];

/** A value for Red: pawns, or moves to mate. */
export function valueText(thought) {
  if (!thought) return "";
  if (thought.mate !== null) return t(thought.mate > 0 ? "mate" : "mated", { n: Math.abs(thought.mate) });
  return thought.cp === null ? "" : pawns(thought.cp);
}

export const pawns = (cp) => (cp > 0 ? "+" : cp < 0 ? "−" : "") + (Math.abs(cp) / 100).toFixed(2);

/** A time such as 1:05:09, 2:03 or 9.4. */
export function clockText(ms) {
  const left = Math.max(ms, 0);
  if (left < 20000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000), two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
