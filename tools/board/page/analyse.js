/* The view that analyses: engines, tree, comments, book and tables, the whole game. */

import { make } from "/xiangqi.js";
import { Curve } from "./curve.js";
import { EnginePanel } from "./engine-panel.js";
import { Game } from "./game.js";
import { expectation } from "./format.js";
import { Knowledge } from "./knowledge.js";
import { MoveList } from "./moves.js";
import { button, field, iconButton, numberField } from "./parts.js";
import { MoveEntry, steps } from "./steps.js";
import { Review } from "./review.js";
import { t } from "./words.js";

const SLOTS = ["a", "b", "c", "d"];

export class Analyse {
  name = "analyse";

  constructor(desk, link, store) {
    this.desk = desk;
    this.link = link;
    this.store = store;
    const before = store.part("analyse", () => this.state()) ?? {};
    this.game = before.game ? Game.from(before.game) : null;
    this.options = { multipv: 3, threads: 1, hash: 64, ...before.options };
    this.panels = [];
    this.build(before);
    for (const [slot, state] of before.panels ?? [["a", { on: true }]]) this.addPanel(slot, state);
    desk.addEventListener("changed", () => this.isOpen && this.store.soon());
    desk.addEventListener("shown", () => this.isOpen && this.shown());
  }

  state() {
    return { game: this.game?.toMessage(true), options: this.options, panels: this.panels.map(({ slot, state }) => [slot, state]), review: this.review.state };
  }

  get isOpen() {
    return this.desk.view === this;
  }

  build(before) {
    const { desk, link } = this;
    this.engines = make("div", { class: "engines" });
    const list = make("div", { id: "analyse-moves" });
    this.moves = new MoveList(list, desk, this);
    this.curve = new Curve(make("div", { class: "curve", "data-t-title": "curve" }), desk, this);
    this.knowledge = new Knowledge(desk, link);
    this.review = new Review(desk, link, before.review);
    this.comment = make("textarea", { rows: 2, "data-t-hint": "comment-hint", "data-t-title": "comment", placeholder: t("comment-hint"), "aria-label": t("comment"), id: "comment" });
    this.comment.addEventListener("input", () => this.writeComment());
    this.addsEngine = iconButton("plus", "add-engine", () => this.addPanel());
    const change = (name) => (value) => {
      this.options[name] = value;
      this.setOptions();
    };
    this.controls = ["multipv", "threads", "hash"].map((name) => numberField(this.options[name], { min: 1, max: 1024, "data-option": name }, change(name)));
    this.element = make("div", { class: "view", id: "view-analyse" },
      make("div", { class: "row engine-options" }, ...["lines", "threads", "hash"].map((key, index) => field(key, this.controls[index])), this.addsEngine),
      this.engines,
      make("section", { class: "card moves-card" }, list, steps(desk),
        make("div", { class: "row tools" }, button("promote", () => this.promote(), { id: "promote" }), button("delete-from-here", () => this.prune(), { id: "prune" }), new MoveEntry(desk).element), this.comment),
      this.review.element, this.knowledge.element);
    this.below = this.curve.host;
  }

  /** The limits that the server has said. */
  welcome(hello) {
    const largest = { multipv: hello.multipv, threads: hello.threads, hash: hello.hash };
    for (const control of this.controls) control.max = largest[control.dataset.option];
    for (const panel of this.panels) panel.offerEngines();
    this.game ??= new Game(hello.start);
  }

  setOptions() {
    for (const panel of this.panels) {
      panel.options = { ...this.options };
      if (this.isOpen) panel.restart();
    }
    this.store.soon();
  }

  addPanel(slot = SLOTS.find((name) => !this.panels.some((panel) => panel.slot === name)), state = { on: true }) {
    const panel = new EnginePanel(this.desk, this.link, slot, state);
    panel.options = { ...this.options };
    panel.addEventListener("lines", () => this.linesCame(panel));
    panel.addEventListener("state", () => this.store.soon());
    panel.addEventListener("follow", ({ detail }) => this.follow(detail));
    panel.addEventListener("gone", () => this.removePanel(panel));
    this.panels.push(panel);
    this.engines.append(panel.element);
    this.addsEngine.disabled = this.panels.length >= SLOTS.length;
    if (this.isOpen) panel.restart();
    return panel;
  }

  removePanel(panel) {
    panel.halt();
    panel.element.remove();
    this.panels = this.panels.filter((one) => one !== panel);
    this.addsEngine.disabled = false;
    this.desk.drawArrows();
    this.store.soon();
  }

  linesCame(panel) {
    this.desk.drawArrows();
    const best = panel.slot === "a" && panel.best;
    if (best) this.desk.dispatchEvent(new CustomEvent("value", { detail: expectation(best.score, best.wdl) }));
  }

  follow({ node, moves }) {
    let at = node;
    for (const move of moves) at = this.game.add(at, move);
    this.desk.go(at, moves.length === 1);
    this.desk.dispatchEvent(new Event("changed"));
  }

  /* What the desk asks of a view. */

  enter() {
    this.desk.open(this, this.game);
    this.review.resume(this.game);
  }

  leave() {
    for (const panel of this.panels) {
      clearTimeout(panel.timer);
      panel.job?.stop();
      panel.forget();
    }
  }

  mayMove() {
    return true;
  }

  arrows(node) {
    return this.panels.flatMap((panel) => panel.arrows(node));
  }

  known() {
    for (const panel of this.panels) if (this.desk.node.info?.end) panel.draw();
  }

  shown() {
    const { node } = this.desk;
    for (const panel of this.panels) if (panel.node !== node || !panel.job) panel.restart();
    this.knowledge.ask();
    if (document.activeElement !== this.comment) this.comment.value = Game.plainComment(node);
    if (node.value) this.desk.dispatchEvent(new CustomEvent("value", { detail: node.value.expectation ?? expectation(node.value.score) }));
    this.store.soon();
  }

  /** Goes on after a lost connection. */
  resume() {
    for (const panel of this.panels) panel.restart();
    this.review.resume(this.game);
  }

  /** Opens another game. */
  load(game) {
    this.review.forget();
    this.game = game;
    if (this.isOpen) this.desk.open(this, game);
  }

  /* Changes of the tree. */

  promote() {
    this.game.promote(this.desk.node);
    this.desk.dispatchEvent(new Event("changed"));
  }

  prune() {
    const { node } = this.desk;
    this.game.remove(node);
    this.desk.redraw();
    this.desk.dispatchEvent(new Event("changed"));
  }

  writeComment() {
    Game.writeComment(this.desk.node, this.comment.value);
    this.moves.render();
    this.store.soon();
  }

  space() {
    this.panels[0]?.turn(!this.panels[0].state.on);
  }

  undo() {
    const { node } = this.desk;
    if (node.parent && !node.children.length) this.prune();
    else this.desk.step("back");
  }

  relabel() {
    for (const panel of this.panels) panel.render();
    this.knowledge.render();
    this.review.render();
    this.moves.render();
  }
}
