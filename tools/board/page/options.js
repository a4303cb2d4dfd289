/* The dialogs of the reader's choices and of the keys. */

import { make } from "/xiangqi.js";
import { dialog, say, segments } from "./parts.js";
import { settings } from "./settings.js";
import { LANGUAGES } from "./words.js";

const KEYS = [["← →", "key-steps"], ["↑ ↓", "key-ends"], ["Shift ← →", "key-siblings"], ["Space", "key-space"], ["u", "key-undo"], ["f", "key-flip"], ["l", "key-load"], ["s", "key-save"], ["1 2 3", "key-views"], ["Tab", "key-board"], ["?", "key-help"]];

const LABELS = {
  notation: ["notation", [["iccs", "notation-iccs"], ["chinese", "notation-chinese"], ["wxf", "notation-wxf"]]],
  pieces: ["pieces", [["character", "pieces-character"], ["letter", "pieces-letter"]]],
  board: ["board", [["wood", "board-wood"], ["paper", "board-paper"]]],
  theme: ["theme", [["auto", "theme-auto"], ["light", "theme-light"], ["dark", "theme-dark"]]],
  sounds: ["sounds", [["off", "off"], ["on", "on"]]],
  arrows: ["arrows", [["on", "on"], ["off", "off"]]],
  motion: ["motion", [["on", "on"], ["off", "off"]]],
};

export function settingsDialog(...more) {
  const language = make("div", { class: "segments", role: "group" });
  for (const [name, own] of LANGUAGES) {
    const item = make("button", { type: "button", lang: name, "data-value": name }, own);
    item.addEventListener("click", () => settings.set("language", name));
    language.append(item);
  }
  const rows = [["language", language]];
  for (const [name, [key, options]] of Object.entries(LABELS)) rows.push([key, segments(options, settings[name], (value) => settings.set(name, value), { "data-setting": name })]);
  const element = dialog("settings", ...rows.map(([key, control]) => make("div", { class: "field" }, say("span", key), control)), ...more);
  element.id = "settings-dialog";
  const press = () => {
    for (const item of language.children) item.setAttribute("aria-pressed", String(item.dataset.value === settings.language));
    for (const name of Object.keys(LABELS)) element.querySelector(`[data-setting=${name}]`).choose(settings[name]);
  };
  settings.addEventListener("change", press);
  press();
  return element;
}

export function keysDialog() {
  const element = dialog("keys", make("dl", { class: "keys" }, ...KEYS.flatMap(([key, text]) => [make("dt", {}, ...key.split(" ").map((one) => make("kbd", {}, one))), say("dd", text)])));
  element.id = "keys-dialog";
  return element;
}
