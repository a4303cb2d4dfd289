/* The view that plays a game against an engine, with the words of UCCI: draw offers, resignation, hints. */

import { make } from "/xiangqi.js";
import { Clock } from "./clock.js";
import { Conditions, FIRST, levelOf, limitsOf } from "./conditions.js";
import { Game } from "./game.js";
import { explain } from "./loop.js";
import { endText, expectation, moveText, scoreText, sideName, troubleText } from "./format.js";
import { MoveList } from "./moves.js";
import { announce, button, notify } from "./parts.js";
import { sound } from "./sound.js";
import { MoveEntry, steps } from "./steps.js";
import { t } from "./words.js";

const OTHER = { red: "black", black: "red" };
const RESULTS = { red: "1-0", black: "0-1" };
const HINT = 1000;
const sideOf = (node) => (node.position.side === "w" ? "red" : "black");

export class Play {
  name = "play";

  constructor(desk, link, store, analyseIt) {
    this.desk = desk;
    this.link = link;
    this.store = store;
    const before = store.part("play", () => this.state()) ?? {};
    this.game = before.game ? Game.from(before.game) : null;
    this.conditions = { ...FIRST, ...before.conditions };
    /* `phase` is `idle`, `on` or `over`; `human` the side of the reader; `offer` who offers a draw. */
    this.match = { phase: "idle", human: "red", offer: null, end: null, ...before.match };
    this.clock = new Clock((side) => this.fell(side));
    this.clock.set(before.times ?? null);
    this.job = null;
    this.hint = null;
    this.build(analyseIt);
    desk.addEventListener("shown", () => this.isOpen && this.render());
    desk.addEventListener("changed", () => this.isOpen && this.store.soon());
  }

  state() {
    return { game: this.game?.toMessage(true), conditions: this.conditions, match: this.match, times: this.clock.times };
  }

  get isOpen() {
    return this.desk.view === this;
  }

  build(analyseIt) {
    const { desk } = this;
    this.form = new Conditions(this.conditions, () => this.store.soon(), () => this.begin());
    const list = make("div", { id: "play-moves" });
    this.moves = new MoveList(list, desk, this);
    this.says = make("div", { class: "says", role: "status", id: "play-says" });
    this.actions = {
      takeback: button("takeback", () => this.undo(), { id: "takeback" }), hint: button("hint", () => this.askHint(), { id: "hint" }),
      draw: button("offer-draw", () => this.offerDraw(), { id: "offer-draw" }), resign: button("resign", () => this.resign(), { id: "resign" }),
      now: button("move-now", () => this.job?.stop(), { id: "move-now" }), accept: button("accept-draw", () => this.agree(), { id: "accept-draw", class: "primary" }),
      again: button("new-game", () => this.reset(), { id: "new-game", class: "primary" }), analyse: button("analyse-game", () => analyseIt(this.game), { id: "analyse-game" }),
    };
    this.table = make("section", { class: "card moves-card", id: "play-table" }, this.says, list, steps(desk), make("div", { class: "row tools" }, ...Object.values(this.actions)), new MoveEntry(desk).element);
    this.element = make("div", { class: "view", id: "view-play" }, this.form.element, this.table);
  }

  welcome(hello) {
    this.form.welcome(hello);
    this.game ??= new Game(hello.start);
  }

  enter() {
    this.desk.rules = this.match.phase === "idle" ? this.conditions.rules : this.match.rules;
    this.desk.open(this, this.game);
    this.turn();
  }

  leave() {}

  /** Goes on after a lost connection. */
  resume() {
    this.job = null;
    this.turn();
  }

  names() {
    const { human, phase, engine, level } = this.match;
    if (phase === "idle") return { red: t("red"), black: t("black") };
    return { [human]: t("you"), [OTHER[human]]: level ? `${engine} · ${t("elo", { n: level })}` : engine };
  }

  /* The course of the game. */

  begin() {
    const { conditions, desk, link } = this;
    if (!link.isUp) return;
    const colour = conditions.colour === "random" ? ["red", "black"][Math.floor(2 * Math.random())] : conditions.colour;
    const start = conditions.from === "shown" && desk.node.info ? desk.node.info.fen : link.hello.start;
    this.cancel();
    const level = levelOf(conditions, link.hello);
    this.match = { phase: "on", human: colour, engine: conditions.engine, level: level.elo ?? null, rules: conditions.rules, offer: null, end: null };
    const engine = level.elo ? `${conditions.engine} (${level.elo})` : conditions.engine;
    this.game = new Game(start, { tags: { Event: "Chuhe", Date: new Date().toISOString().slice(0, 10).replaceAll("-", "."), [colour === "red" ? "Red" : "Black"]: t("player"), [colour === "red" ? "Black" : "Red"]: engine } });
    const ms = Math.round(conditions.minutes * 60000);
    this.clock.set(conditions.time === "clock" ? { red: ms, black: ms, increment: Math.round(conditions.increment * 1000), runs: null, since: 0 } : null);
    desk.rules = this.match.rules;
    desk.flip(colour === "black");
    desk.open(this, this.game);
    this.turn();
    this.store.soon();
  }

  mayMove(node) {
    return this.match.phase === "on" && sideOf(node) === this.match.human && !node.children.length && node === this.game.tip;
  }

  /** A move by hand. */
  played() {
    this.clock.stop();
    this.hint = null;
    if (this.match.offer === "engine") this.match.offer = null;
    this.turn();
  }

  known(node) {
    if (node === this.game.tip && this.match.phase === "on" && node.info.end) return this.finish(node.info.end);
    this.render();
  }

  /** Whose turn it is: starts its clock, or the engine. */
  turn() {
    this.render();
    if (this.match.phase !== "on") return;
    const { tip } = this.game, side = sideOf(tip);
    if (tip.info?.end) return this.finish(tip.info.end);
    if (this.clock.times && this.clock.times.runs !== side) this.clock.start(side);
    if (side !== this.match.human) this.think(tip);
  }

  async think(tip) {
    if (this.job || !this.link.isUp) return;
    const { match, game } = this;
    const limits = this.clock.times ? this.clock.limits() : limitsOf(this.conditions);
    const asked = { type: "play", engine: match.engine, ...game.line(tip), rules: match.rules, limits, draw_offered: match.offer === "human" };
    if (match.level) asked.elo = match.level;
    const job = this.link.begin(asked, (message) => message.type === "lines" && this.heard(message));
    this.job = job;
    this.render();
    try {
      const answer = await job.answer;
      if (this.job === job) this.answered(tip, answer);
    } catch (trouble) {
      if (this.job === job) this.failed(trouble, tip);
    } finally {
      job.close();
    }
  }

  heard(message) {
    const best = message.lines[0];
    this.thinks = best ? t("thinks", { depth: message.depth }) : "";
    this.render();
  }

  answered(tip, answer) {
    this.job = null;
    this.thinks = "";
    this.clock.stop();
    const { match } = this, side = OTHER[match.human];
    if (answer.offer === "resign") return this.finish({ winner: match.human, reason: "resignation" });
    const isShown = this.isOpen && this.desk.node === tip;
    const node = this.game.add(tip, answer);
    // A level is reached by values that are wrong on purpose.
    if (answer.score && !match.level) node.value = { score: answer.score, expectation: expectation(answer.score), depth: answer.depth };
    this.match.book = answer.book;
    if (isShown) this.desk.go(node, true);
    else if (!this.isOpen) this.game.current = node;
    if (this.isOpen) this.desk.dispatchEvent(new Event("changed"));
    if (answer.offer === "draw" && match.offer === "human") return this.finish({ winner: null, reason: "agreement" });
    if (match.offer === "human") notify(t("draw-declined", { engine: match.engine }));
    match.offer = answer.offer === "draw" ? "engine" : null;
    if (match.offer) announce(t("engine-offers-draw", { engine: match.engine }));
    if (this.clock.times && this.clock.left(side) <= 0) return this.fell(side);
    this.turn();
    this.store.soon();
  }

  failed(trouble, tip) {
    this.job = null;
    if (["connection_lost", "cancelled"].includes(trouble.code)) return;
    notify(troubleText(trouble), true);
    // A position that is over has its own answer; any other failure of an engine loses the game for it.
    if (trouble.code === "bad_position" && !tip.info) return;
    this.finish({ winner: this.match.human, reason: "engine_failed" });
  }

  fell(side) {
    if (this.match.phase !== "on") return;
    this.finish({ winner: OTHER[side], reason: "time" });
  }

  finish(end) {
    const { match } = this;
    if (match.phase !== "on") return;
    this.cancel();
    this.clock.stop(false);
    match.phase = "over";
    match.end = end;
    match.offer = null;
    this.game.result = end.winner ? RESULTS[end.winner] : "1/2-1/2";
    sound("end");
    announce(endText(end));
    if (this.isOpen) {
      this.desk.redraw();
      this.desk.dispatchEvent(new Event("changed"));
    }
    this.store.soon();
  }

  cancel() {
    this.job?.cancel();
    this.job?.close();
    this.job = null;
    this.thinks = "";
  }

  /* What the reader may say. */

  /** Takes the last move of the reader back, and the answer to it. */
  undo() {
    const { match, game } = this;
    if (match.phase === "idle") return this.desk.step("back");
    this.cancel();
    if (this.clock.times?.runs) this.clock.stop(false);
    const own = game.mainLine().findLast((node) => sideOf(node.parent) === match.human);
    if (!own) return this.turn();
    game.remove(own);
    game.current = own.parent;
    game.result = "*";
    Object.assign(match, { phase: "on", end: null, offer: null });
    this.hint = null;
    this.desk.redraw();
    this.desk.dispatchEvent(new Event("changed"));
    this.turn();
  }

  async askHint() {
    const { node, game } = this.desk;
    if (!this.mayMove(node)) return;
    this.actions.hint.disabled = true;
    try {
      const hint = await this.link.ask({ type: "hint", engine: this.link.hello.engines[0].name, ...game.line(node), rules: this.match.rules, limits: { movetime: HINT }, draw_offered: false });
      if (this.desk.node !== node || !hint.mv) return;
      this.hint = { node, move: hint, text: t("hint-says", { move: moveText(hint), score: scoreText(hint.score) }) };
      announce(this.hint.text);
      this.desk.drawArrows();
    } catch (trouble) {
      if (trouble.code !== "connection_lost") notify(troubleText(trouble), true);
    } finally {
      this.actions.hint.disabled = false;
      this.render();
    }
  }

  /** An offer goes with the next move, as UCCI wants it. */
  offerDraw() {
    this.match.offer = this.match.offer === "human" ? null : "human";
    this.render();
  }

  agree() {
    this.finish({ winner: null, reason: "agreement" });
  }

  resign() {
    this.finish({ winner: OTHER[this.match.human], reason: "resignation" });
  }

  reset() {
    this.cancel();
    this.match.phase = "idle";
    this.clock.set(null);
    this.game = new Game(this.link.hello.start);
    this.desk.flip(false);
    this.enter();
    this.store.soon();
  }

  space() {
    if (this.job) this.job.stop();
    else this.askHint();
  }

  load(game) {
    this.reset();
    this.game = game;
    if (this.isOpen) this.desk.open(this, game);
  }

  arrows(node) {
    return this.hint?.node === node ? [{ mv: this.hint.move.mv, width: 9, kind: "" }] : [];
  }

  relabel() {
    this.form.render();
    this.moves.render();
    this.render();
  }

  /* What is shown. */

  render() {
    const { match, actions, desk } = this, { phase } = match;
    this.form.element.hidden = phase !== "idle";
    this.table.hidden = phase === "idle";
    if (phase === "idle") return;
    const isTurn = this.isOpen && this.mayMove(desk.node);
    for (const name of ["hint", "draw", "resign"]) actions[name].hidden = phase !== "on";
    for (const name of ["again", "analyse"]) actions[name].hidden = phase === "on";
    actions.hint.disabled = !isTurn;
    actions.now.hidden = phase !== "on" || !this.job;
    actions.accept.hidden = match.offer !== "engine";
    actions.draw.setAttribute("aria-pressed", String(match.offer === "human"));
    actions.takeback.disabled = !this.game.mainLine().some((node) => sideOf(node.parent) === match.human);
    this.says.replaceChildren(...this.sayings());
    desk.dispatchEvent(new Event("players"));
  }

  sayings() {
    const { match, desk } = this, lines = [];
    const add = (text, kind = "") => lines.push(make("p", { class: kind }, text));
    if (match.phase === "over") {
      add(endText(match.end), "outcome");
      if (match.end.loop) lines.push(explain(match.end.loop, match.rules));
      return lines;
    }
    if (desk.node !== this.game.tip) add(t("browsing"));
    else if (this.job || sideOf(this.game.tip) !== match.human) add(this.link.isUp ? this.thinks || t("engine-thinks", { engine: match.engine }) : t("waiting-for-connection"));
    else add(t("your-move", { side: sideName(match.human) }) + (desk.node.info?.check ? " " + t("in-check") : ""));
    if (match.offer === "human") add(t("draw-will-be-offered"), "note");
    if (match.offer === "engine") add(t("engine-offers-draw", { engine: match.engine }), "offer");
    if (this.hint?.node === desk.node) add(this.hint.text, "offer");
    if (desk.node.info?.losing.length && this.mayMove(desk.node)) add(t("loses-by-repetition", { rules: t("rules-" + match.rules) }), "warning");
    add(t("rules-in-force", { rules: t("rules-" + match.rules) }), "note");
    return lines;
  }
}
