/* Engine against engine on the page: each is asked in turn. */

import { make } from "/xiangqi.js";
import { timeFields, limitsOf } from "./conditions.js";
import { Game } from "./game.js";
import { endText, expectation, scoreText, troubleText } from "./format.js";
import { button, field, notify, offer, select } from "./parts.js";
import { sound } from "./sound.js";
import { t } from "./words.js";

/** Moves after which a game is given up as drawn. */
const LONGEST = 400;

export class Duel {
  constructor(watch, before) {
    this.watch = watch;
    this.conditions = { red: "", black: "", time: "movetime", seconds: 0.5, depth: 8, nodes: 50000, rules: "asian", running: false, ...before };
    this.job = null;
    /* Its own game: the view may show one of a match meanwhile. */
    this.game = (watch.choice.source === "duel" ? watch.game : watch.other?.game) ?? null;
    const changed = () => watch.store.soon();
    const choose = (side) => select([], "", (name) => {
      this.conditions[side] = name;
      changed();
    }, { plain: true, id: "duel-" + side });
    this.engines = { red: choose("red"), black: choose("black") };
    this.rules = select([], "", (rules) => {
      this.conditions.rules = rules;
      changed();
    });
    this.begins = button("begin", () => this.begin(), { class: "primary", id: "duel-begin" });
    this.stops = button("stop", () => this.stop(), { id: "duel-stop" });
    this.says = make("p", { class: "says", role: "status", id: "duel-says" });
    this.element = make("section", { class: "card conditions" }, field("red", this.engines.red), field("black", this.engines.black), ...timeFields(this.conditions, ["movetime", "depth", "nodes"], changed), field("rules", this.rules),
      make("div", { class: "row" }, this.begins, this.stops), this.says);
    this.render();
  }

  state() {
    return this.conditions;
  }

  /** Whether its game is on the board. */
  get isShown() {
    return this.watch.isOpen && this.watch.game === this.game;
  }

  welcome(hello) {
    const names = hello.engines.map(({ name }) => name);
    for (const [index, side] of ["red", "black"].entries()) {
      if (!names.includes(this.conditions[side])) this.conditions[side] = names[index] ?? names[0];
      offer(this.engines[side], names.map((name) => [name, name]), this.conditions[side], true);
    }
    offer(this.rules, hello.rules.map((name) => [name, "rules-" + name]), this.conditions.rules);
  }

  begin() {
    const { watch, conditions } = this;
    this.stop();
    conditions.running = true;
    const tags = { Event: "Chuhe", Date: new Date().toISOString().slice(0, 10).replaceAll("-", "."), Red: conditions.red, Black: conditions.black };
    this.game = new Game(watch.link.hello.start, { tags });
    watch.show(this.game);
    this.says.textContent = "";
    this.next();
  }

  /** Goes on with a game that a reload or a lost connection has interrupted. */
  resume() {
    if (this.conditions.running) this.next();
  }

  async next() {
    this.render();
    const { watch, conditions } = this, { game } = this, { link } = watch;
    if (!conditions.running || !game || this.job || !link.isUp) return;
    const { tip } = game, side = tip.position.side === "w" ? "red" : "black";
    try {
      const info = await link.ask({ type: "position", ...game.line(tip), rules: conditions.rules });
      if (!conditions.running || this.job || this.game !== game || game.tip !== tip) return;
      if (info.end) return this.over(info.end);
      if (game.ply(tip) >= LONGEST) return this.over({ winner: null, reason: "move_limit" });
      const job = link.begin({ type: "play", engine: conditions[side], ...game.line(tip), rules: conditions.rules, limits: limitsOf(conditions), draw_offered: false });
      this.job = job;
      const answer = await job.answer;
      if (this.job !== job) return;
      this.job = null;
      if (answer.offer === "resign") return this.over({ winner: side === "red" ? "black" : "red", reason: "resignation" });
      this.moved(tip, answer);
    } catch (trouble) {
      this.job = null;
      if (["connection_lost", "cancelled"].includes(trouble.code)) return;
      notify(troubleText(trouble), true);
      this.stop();
    }
  }

  moved(tip, answer) {
    const { game } = this, { desk } = this.watch, isShown = this.isShown;
    const node = game.add(tip, answer);
    if (answer.score) node.value = { score: answer.score, expectation: expectation(answer.score), depth: answer.depth };
    this.says.textContent = answer.score ? `${scoreText(answer.score)} · ${t("depth")} ${answer.depth}` : "";
    if (isShown && desk.node === tip) desk.go(node, true);
    else if (!isShown) game.current = node;
    if (isShown) desk.dispatchEvent(new Event("changed"));
    this.watch.store.soon();
    this.next();
  }

  over(end) {
    const { game } = this, { desk } = this.watch;
    this.conditions.running = false;
    game.result = end.winner ? (end.winner === "red" ? "1-0" : "0-1") : "1/2-1/2";
    this.says.textContent = endText(end);
    sound("end");
    if (this.isShown) desk.dispatchEvent(new Event("changed"));
    this.watch.store.soon();
    this.render();
  }

  stop() {
    this.conditions.running = false;
    this.job?.cancel();
    this.job?.close();
    this.job = null;
    this.render();
  }

  render() {
    this.begins.hidden = this.conditions.running;
    this.stops.hidden = !this.conditions.running;
  }
}
