/* An engine that looks at the shown position: its lines, live. */

import { make } from "/xiangqi.js";
import { count, expectation, moveSpan, numbered, percent, scoreText, endText, troubleText } from "./format.js";
import { iconButton, notify, offer, onceAFrame, select, steadily } from "./parts.js";
import { t } from "./words.js";

/** Moves of a line that are shown, and milliseconds that a position must be shown before engines begin. */
const SHOWN = 16, REST = 60;

/** Events: `lines` with each new set of lines, `gone` when the reader closes the panel. */
export class EnginePanel extends EventTarget {
  constructor(desk, link, slot, state) {
    super();
    this.desk = desk;
    this.link = link;
    this.slot = slot;
    this.state = { engine: "", on: false, ...state };
    this.options = { multipv: 3, threads: 1, hash: 64 };
    this.lines = [];
    this.job = null;
    this.draw = onceAFrame(() => this.render());
    this.build();
  }

  build() {
    const toggle = make("input", { type: "checkbox", role: "switch", class: "switch", "data-t-title": "engine-on", "aria-label": t("engine-on"), id: "engine-on-" + this.slot });
    toggle.checked = this.state.on;
    toggle.addEventListener("change", () => this.turn(toggle.checked));
    this.toggle = toggle;
    this.engine = select([], "", (name) => {
      this.state.engine = name;
      this.dispatchEvent(new Event("state"));
      this.restart();
    }, { plain: true, "data-t-title": "engine", "aria-label": t("engine") });
    this.score = make("output", { class: "big-score" });
    this.facts = make("div", { class: "facts" });
    this.chances = make("div", { class: "chances", hidden: "" }, ...["win", "draw", "loss"].map((name) => make("div", { class: name })));
    this.list = make("ol", { class: "lines" });
    this.list.addEventListener("click", (event) => this.follow(event));
    this.drawLines = steadily(this.list, () => this.linesNow());
    const close = iconButton("close", "remove-engine", () => this.dispatchEvent(new Event("gone")), { class: "icon-button small" });
    close.hidden = this.slot === "a";
    this.element = make("section", { class: "card engine-panel", "data-slot": this.slot },
      make("div", { class: "engine-head" }, toggle, this.score, this.engine, close), this.facts, this.chances, this.list);
    this.offerEngines();
  }

  offerEngines() {
    const names = (this.link.hello?.engines ?? []).map(({ name }) => name);
    if (!names.length) return;
    if (!names.includes(this.state.engine)) this.state.engine = names[0];
    offer(this.engine, names.map((name) => [name, name]), this.state.engine, true);
  }

  turn(on) {
    this.state.on = this.toggle.checked = on;
    this.dispatchEvent(new Event("state"));
    if (on) this.restart();
    else this.halt();
  }

  halt() {
    clearTimeout(this.timer);
    this.job?.stop();
    this.forget();
    this.lines = [];
    this.render();
  }

  forget() {
    this.job?.close();
    this.job = null;
  }

  /** Begins anew, if it is on, once the reader has rested on a position. */
  restart() {
    clearTimeout(this.timer);
    this.lines = [];
    this.node = this.desk.node;
    this.draw();
    if (!this.state.on) return;
    this.timer = setTimeout(() => this.begin(), REST);
  }

  begin() {
    const { desk, link } = this;
    if (!this.state.on || !link.isUp) return;
    const node = (this.node = desk.node);
    if (node.info?.end && !node.info.legal.length) {
      this.job?.stop();
      return this.forget();
    }
    this.forget();
    const job = link.begin({ type: "analyse", slot: this.slot, engine: this.state.engine, ...desk.game.line(node), rules: desk.rules, limits: {}, ...this.options }, (message) => this.hear(job, node, message));
    this.job = job;
    job.answer.catch((trouble) => this.failed(job, trouble));
  }

  hear(job, node, message) {
    if (job !== this.job) return;
    if (message.type === "lines") {
      this.lines = message.lines;
      this.about = message;
      this.keep(node);
      this.draw();
      this.dispatchEvent(new Event("lines"));
    } else if (message.type === "analysed") {
      this.forget();
      if (message.reason === "failed") this.failed(null, message);
      if (message.reason === "idle") {
        notify(t("analysis-idle"));
        this.turn(false);
      }
    } else if (message.type === "error") this.failed(job, message);
  }

  failed(job, trouble) {
    if ((job && job !== this.job) || trouble.code === "connection_lost") return;
    this.forget();
    if (trouble.code === "bad_position") return;
    this.trouble = troubleText(trouble);
    notify(this.trouble, true);
    this.turn(false);
  }

  /** Keeps the best value that is known of a position, for the curve and the list of moves. */
  keep(node) {
    const best = this.lines.find(({ rank }) => rank === 1);
    if (!best || best.bound || this.slot !== "a" || (node.value?.depth ?? 0) > best.depth) return;
    node.value = { score: best.score, expectation: expectation(best.score, best.wdl), depth: best.depth };
  }

  get best() {
    return this.lines.find(({ rank }) => rank === 1) ?? null;
  }

  render() {
    const { best, about, node } = this;
    const end = node?.info?.end;
    this.element.classList.toggle("off", !this.state.on);
    this.score.textContent = best ? scoreText(best.score) : this.state.on && !end ? "…" : "";
    this.facts.textContent = best ? t("engine-facts", { depth: about.depth, seldepth: about.seldepth ? "/" + about.seldepth : "", nodes: count(about.nodes ?? 0), nps: count(about.nps ?? 0), time: ((about.ms ?? 0) / 1000).toFixed(1) })
      : end && this.state.on ? endText(end) : "";
    this.chances.hidden = !best?.wdl;
    if (best?.wdl) {
      best.wdl.forEach((share, index) => {
        const part = this.chances.children[index];
        part.style.flexGrow = share;
        part.textContent = share >= 120 ? percent(share / 1000) : "";
        part.title = t(["wdl-win", "wdl-draw", "wdl-loss"][index], { share: percent(share / 1000) });
      });
    }
    this.drawLines();
    this.list.style.minHeight = this.state.on && !end ? `${2.05 * this.options.multipv}em` : "";
  }

  /** Draws the lines; a click means those that are drawn. */
  linesNow() {
    this.drawn = { node: this.node, lines: this.lines };
    this.list.replaceChildren(...this.lines.map((line) => this.row(line)));
  }

  row(line) {
    const { side, number } = this.node.position;
    let index = 0;
    const moves = numbered(line.pv.slice(0, SHOWN), side, number).map((part) =>
      typeof part === "string" ? make("span", { class: "number" }, part) : make("span", { class: "pv-move", "data-rank": line.rank, "data-index": index++ }, moveSpan(part)));
    const score = make("b", { class: expectation(line.score, line.wdl) >= 0.5 ? "score for-red" : "score for-black" }, (line.bound === "lower" ? "≥" : line.bound === "upper" ? "≤" : "") + scoreText(line.score));
    return make("li", {}, score, make("span", { class: "pv" }, ...moves));
  }

  /** Plays a line up to the move that was clicked. */
  follow(event) {
    const item = event.target.closest(".pv-move");
    const { node, lines } = this.drawn, line = item && lines.find(({ rank }) => rank === Number(item.dataset.rank));
    if (line) this.dispatchEvent(new CustomEvent("follow", { detail: { node, moves: line.pv.slice(0, Number(item.dataset.index) + 1) } }));
  }

  /** Arrows of the first moves of all lines, the best the widest. */
  arrows(node) {
    if (node !== this.node) return [];
    const [best] = this.lines;
    const near = (line) => Math.abs(expectation(line.score, line.wdl) - expectation(best.score, best.wdl)) < 0.2;
    return this.lines.filter((line) => line.pv.length && near(line)).slice(0, 4).map((line, index) => ({ mv: line.pv[0].mv, width: [10, 7, 5, 4][index], kind: this.slot === "a" ? (index ? "second" : "") : "other" }));
  }
}
