/* The form of a game against an engine: opponent, level, time, colour, rules. */

import { make } from "/xiangqi.js";
import { button, field, numberField, offer, say, segments, select } from "./parts.js";
import { t } from "./words.js";

export const FIRST = { engine: "", elo: 1400, strength: "level", time: "movetime", seconds: 1, minutes: 10, increment: 5, depth: 8, nodes: 100000, colour: "red", rules: "asian", from: "start" };

/** Limits of a request, where no clock runs. */
export function limitsOf(conditions) {
  if (conditions.time === "depth") return { depth: conditions.depth };
  if (conditions.time === "nodes") return { nodes: conditions.nodes };
  return { movetime: Math.round(conditions.seconds * 1000) };
}

/** The level of a request: other engines than our own play at full strength. */
export function levelOf(conditions, hello) {
  const isOurs = hello.engines.find(({ name }) => name === conditions.engine)?.builtin;
  return isOurs && conditions.strength === "level" ? { elo: conditions.elo } : {};
}

/** Fields for the time of a game or a move, shared by the forms. */
export function timeFields(conditions, kinds, changed) {
  const number = (name, limits) => numberField(conditions[name], { "data-name": name, ...limits }, (value) => {
    conditions[name] = value;
    changed();
  });
  const parts = {
    movetime: [field("seconds-a-move", number("seconds", { min: 0.1, max: 600, step: 0.1 }))],
    clock: [field("minutes-a-game", number("minutes", { min: 0.1, max: 180, step: 0.1 })), field("increment", number("increment", { min: 0, max: 60, step: 0.1 }))],
    depth: [field("depth", number("depth", { min: 1, max: 60 }))],
    nodes: [field("nodes", number("nodes", { min: 1, max: 1e12, step: 1000 }))],
  };
  const show = () => {
    for (const [kind, fields] of Object.entries(parts)) for (const one of fields) one.hidden = kind !== conditions.time;
  };
  const choice = select(kinds.map((kind) => [kind, "time-" + kind]), conditions.time, (kind) => {
    conditions.time = kind;
    show();
    changed();
  }, { "data-name": "time" });
  show();
  return [field("time", choice), ...Object.values(parts).flat()];
}

export class Conditions {
  /** `begin` is called when the reader wants to play. */
  constructor(conditions, changed, begin) {
    this.conditions = conditions;
    this.changed = changed;
    this.engine = select([], "", (name) => this.set("engine", name), { plain: true, id: "play-engine" });
    this.level = make("input", { type: "range", step: 50, id: "play-level" });
    this.level.addEventListener("input", () => this.set("elo", Number(this.level.value)));
    this.number = make("output", {});
    this.strength = segments([["level", "at-a-level"], ["full", "full-strength"]], conditions.strength, (value) => this.set("strength", value));
    this.levelRow = make("div", { class: "level" }, this.level, this.number);
    this.ours = make("div", { class: "stack" }, this.strength, this.levelRow);
    this.rules = select([], "", (rules) => this.set("rules", rules), { id: "play-rules" });
    this.element = make("form", { class: "card conditions", id: "conditions", novalidate: "" }, say("h2", "new-game"), field("opponent", this.engine), this.ours, ...timeFields(conditions, ["movetime", "clock", "depth", "nodes"], changed),
      make("div", { class: "field" }, say("span", "your-colour"), segments([["red", "red"], ["black", "black"], ["random", "random"]], conditions.colour, (value) => this.set("colour", value), { id: "play-colour" })),
      field("rules", this.rules),
      make("div", { class: "field" }, say("span", "from"), segments([["start", "initial-position"], ["shown", "shown-position"]], conditions.from, (value) => this.set("from", value))),
      button("begin", () => {}, { type: "submit", class: "primary large", id: "play-begin" }));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      begin();
    });
  }

  set(name, value) {
    this.conditions[name] = value;
    this.render();
    this.changed();
  }

  welcome(hello) {
    this.hello = hello;
    const names = hello.engines.map(({ name }) => name);
    if (!names.includes(this.conditions.engine)) this.conditions.engine = names[0];
    offer(this.engine, names.map((name) => [name, name]), this.conditions.engine, true);
    Object.assign(this.level, { min: hello.elo.min, max: hello.elo.max, value: this.conditions.elo });
    offer(this.rules, hello.rules.map((name) => [name, "rules-" + name]), this.conditions.rules);
    this.render();
  }

  render() {
    if (!this.hello) return;
    const isOurs = this.hello.engines.find(({ name }) => name === this.conditions.engine)?.builtin;
    this.ours.hidden = !isOurs;
    this.levelRow.hidden = this.conditions.strength !== "level";
    this.number.textContent = t("elo", { n: this.conditions.elo });
  }
}
