/* Buttons that walk through a game, and a field for a move in any notation. */

import { make } from "/xiangqi.js";
import { iconButton, notify } from "./parts.js";
import { troubleText } from "./format.js";
import { t } from "./words.js";

export function steps(desk, ...more) {
  const walk = (name) => iconButton(name, "go-" + name, () => desk.step(name), { "data-step": name });
  return make("div", { class: "steps" }, ...["first", "back", "on", "last"].map(walk), iconButton("flip", "flip", () => desk.flip()), ...more);
}

/** A field that plays what is typed into it. */
export class MoveEntry {
  constructor(desk) {
    this.input = make("input", { type: "text", size: 9, class: "move-entry", maxlength: 40, autocomplete: "off", spellcheck: "false", placeholder: t("move-hint"), "data-t-hint": "move-hint", "aria-label": t("type-a-move"), "data-t-title": "type-a-move" });
    this.element = make("form", { class: "move-form" }, this.input);
    this.element.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) return;
      try {
        if (await desk.typed(text)) this.input.value = "";
      } catch (trouble) {
        notify(troubleText(trouble), true);
      }
    });
  }
}
