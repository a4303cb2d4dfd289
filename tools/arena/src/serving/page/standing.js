/* The standing: score, Elo and test of two engines, or the table of several. */

import { make } from "./xiangqi.js";
import { t } from "./words.js";

const fixed = (number, digits = 1) => (number === null ? "–" : number.toFixed(digits).replace("-", "−"));
const margin = (value, error, digits = 1) => (value === null ? "–" : `${value > 0 ? "+" : ""}${fixed(value, digits)}${error === null ? "" : ` ± ${fixed(error, digits)}`}`);

function fact(label, value, name) {
  return make("div", { class: "fact" }, make("small", {}, label), make("b", { "data-fact": name }, value));
}

/** A bar of shares by class. */
function bar(parts) {
  return make("div", { class: "bar" }, ...parts.filter(([, share]) => share > 0).map(([kind, share]) => {
    const part = make("div", { class: kind });
    part.style.flexGrow = share;
    return part;
  }));
}

function progress({ games, planned }) {
  return make("div", { class: "fact wide" }, make("small", {}, t("games")), make("b", { "data-fact": "games" }, `${games} ${t("of", { n: planned })}`),
    bar([["done", games], ["rest", Math.max(planned - games, 0)]]));
}

/** The LLR between its bounds. */
function test({ test: name, llr, lower, upper, decision }) {
  const at = 100 * Math.min(Math.max((llr - lower) / (upper - lower), 0), 1), mark = make("i");
  mark.style.left = at + "%";
  return make("div", { class: "fact wide", title: name }, make("small", {}, `${t("test")} · ${t(decision)}`),
    make("b", { "data-fact": "llr" }, `${t("llr")} ${fixed(llr, 2)}`, make("small", {}, ` (${fixed(lower, 2)}, ${fixed(upper, 2)})`)), make("div", { class: "gauge" }, mark));
}

function duel(standing, engines) {
  const results = standing.encounters[0];
  if (!results) return [];
  const { wins, draws, losses } = results;
  return [
    make("div", { class: "duel" }, make("b", {}, engines[0]), make("span", { "data-fact": "score" }, `${wins} – ${draws} – ${losses}`), make("b", {}, engines[1])),
    bar([["won", wins], ["drawn", draws], ["lost", losses]]),
    make("div", { class: "facts" },
      fact(t("score"), results.score === null ? "–" : `${fixed(100 * results.score)} %`, "share"),
      fact(t("elo"), margin(results.elo, results.elo_error), "elo"),
      fact(t("los"), results.los === null ? "–" : `${fixed(100 * results.los)} %`, "los"),
      fact(t("pairs"), results.pentanomial.join(" · "), "pairs"))];
}

function table(standing) {
  const number = (text) => make("td", { class: "number" }, String(text));
  const failures = (engine) => Object.values(engine.failures).reduce((sum, count) => sum + count, 0);
  const head = ["engine", "points", "games", "wins", "draws", "losses", "elo", "failures"].map((name, index) => make("th", index ? { class: "number" } : {}, t(name)));
  const rows = standing.engines.map((engine) => make("tr", {}, make("td", {}, engine.name), number(engine.points), number(engine.games), number(engine.wins),
    number(engine.draws), number(engine.losses), number(margin(engine.elo, engine.elo_error, 0)), number(failures(engine))));
  return make("div", { class: "scroll" }, make("table", { id: "table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
}

/** The elements of the standing. */
export function standingOf(standing, engines) {
  const main = engines.length === 2 ? duel(standing, engines) : [table(standing)];
  const wide = make("div", { class: "facts" }, progress(standing), ...(standing.sprt ? [test(standing.sprt)] : []));
  const notes = standing.notes.map((note) => make("p", { class: "note warning" }, note));
  return make("section", { class: "card standing" }, ...main, wide, ...notes);
}
