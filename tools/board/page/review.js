/* The analysis of a whole game: values for every move, mistakes, accuracy. Its result is kept in the game as comments. */

import { make } from "/xiangqi.js";
import { Game } from "./game.js";
import { timeToGo, troubleText } from "./format.js";
import { button, field, notify, say, select } from "./parts.js";
import { t } from "./words.js";

const NAGS = { inaccuracy: 6, mistake: 2, blunder: 4 };
const OURS = [2, 4, 6];
/** Moves of the better line that becomes a variation. */
const BETTER = 6;

export class Review {
  constructor(desk, link, state) {
    this.desk = desk;
    this.link = link;
    /* `line` and `known` are the moves of the running analysis and the values found so far: a reload goes on with them. */
    this.state = { ms: 500, running: false, summary: null, line: [], known: [], ...state };
    this.job = null;
    link.addEventListener("down", () => this.release());
    this.time = select([[100, "review-100"], [500, "review-500"], [2000, "review-2000"], [10000, "review-10000"]], this.state.ms, (ms) => {
      this.state.ms = Number(ms);
    });
    this.begins = button("review-begin", () => this.begin(), { class: "primary", id: "review-begin" });
    this.stops = button("stop", () => this.stop());
    this.progress = make("progress", { max: 1, value: 0 });
    this.says = make("p", { class: "note", role: "status" });
    this.summary = make("div", { class: "summary", id: "review-summary" });
    this.element = make("section", { class: "card" }, say("h2", "review"), make("div", { class: "row" }, field("review-time", this.time), this.begins, this.stops), this.progress, this.says, this.summary);
    this.render();
  }

  /** Goes on after a reload or a lost connection, as far as the moves are the same. */
  resume(game) {
    if (!this.state.running || this.job || !this.link.isUp) return;
    const { line, known } = this.state, moves = game.mainLine().map(({ mv }) => mv);
    const same = [...moves, ""].findIndex((mv, index) => mv !== line[index]);
    // A page that was busy has not heard of every position.
    const gap = [...known, null].findIndex((value) => !value);
    this.begin(game, known.slice(0, Math.min(same + 1, gap)));
  }

  begin(game = this.desk.game, known = []) {
    if (this.job || !this.link.isUp) return;
    const main = game.mainLine();
    if (!main.length) return this.over({ message: t("no-moves") });
    this.game = game;
    const line = game.line(main.at(-1)), nodes = [game.root, ...main];
    Object.assign(this.state, { running: true, summary: null, line: line.moves, known });
    this.progress.value = known.length / nodes.length;
    this.says.textContent = t(known.length ? "review-goes-on" : "review-starts", { done: known.length, total: nodes.length });
    const hello = this.link.hello;
    const job = this.link.begin({ type: "annotate", engine: hello.engines[0].name, ...line, rules: this.desk.rules, limits: { movetime: this.state.ms }, threads: Math.max(1, Math.floor(hello.threads / 2)), hash: 64, known }, (message) => this.hear(job, nodes, message));
    this.job = job;
    job.answer.catch((trouble) => this.over(trouble));
    this.render();
  }

  hear(job, nodes, message) {
    if (job !== this.job) return;
    if (message.type === "annotate_progress") {
      const node = nodes[message.ply];
      if (node) node.value = { score: message.score, expectation: message.expectation };
      const { score, depth, expectation, pv } = message;
      this.state.known[message.ply] = { score, depth, expectation, pv };
      this.progress.value = message.done / message.total;
      this.says.textContent = t("review-progress", { done: message.done, total: message.total, time: timeToGo(message.eta_ms) });
      this.desk.dispatchEvent(new Event("changed"));
    } else if (message.type === "annotated") {
      this.keep(nodes, message);
      this.over(null);
    } else if (message.type === "error") this.over(message);
  }

  /** Writes the result into the game. */
  keep(nodes, message) {
    for (const ply of message.plies) {
      const node = nodes[ply.ply];
      if (!node || node.mv !== ply.mv) continue;
      node.value = { score: ply.after, expectation: ply.expectation };
      node.comment = `${ply.comment} ${Game.plainComment(node)}`.trim();
      node.nags = [...(ply.mark ? [NAGS[ply.mark]] : []), ...node.nags.filter((nag) => !OURS.includes(nag))];
      if (ply.mark && ply.pv?.length && ply.pv[0].mv !== ply.mv) this.better(node.parent, ply.pv);
    }
    this.state.summary = { accuracy: message.accuracy, counts: message.counts };
  }

  better(parent, pv) {
    let at = parent;
    for (const move of pv.slice(0, BETTER)) at = this.game.add(at, move);
  }

  stop() {
    this.job?.stop();
  }

  release() {
    this.job?.close();
    this.job = null;
  }

  over(trouble) {
    this.release();
    if (trouble?.code === "connection_lost") return;
    Object.assign(this.state, { running: false, line: [], known: [] });
    if (trouble) notify(troubleText(trouble), true);
    this.says.textContent = "";
    this.render();
    this.desk.dispatchEvent(new Event("changed"));
  }

  forget() {
    if (this.state.running) this.stop();
    this.over(null);
    this.state.summary = null;
    this.render();
  }

  render() {
    const { running, summary } = this.state;
    this.begins.hidden = running;
    this.stops.hidden = this.progress.hidden = this.says.hidden = !running;
    this.summary.replaceChildren();
    if (!summary) return;
    const head = make("tr", {}, make("th", {}), ...["column-accuracy", "inaccuracies", "mistakes", "blunders"].map((key) => say("th", key)));
    const rows = ["red", "black"].map((side) => make("tr", {}, make("td", {}, make("i", { class: "disc " + side }), " ", say("span", side)), make("td", {}, make("b", {}, Number.isFinite(summary.accuracy[side]) ? `${summary.accuracy[side].toFixed(1)} %` : "–")),
      ...["inaccuracy", "mistake", "blunder"].map((kind) => make("td", { class: kind }, String(summary.counts[side]?.[kind] ?? 0)))));
    this.summary.append(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  }
}
