/* Choices of the reader: kept in the browser, applied to the document. */

import { keep, kept } from "/xiangqi.js";
import { languageOfBrowser, setLanguage } from "./words.js";

/** Names with their values, the first where nothing is kept. */
export const CHOICES = {
  language: ["en", "zh"],
  notation: ["iccs", "chinese", "wxf"],
  pieces: ["character", "letter"],
  board: ["wood", "paper"],
  theme: ["auto", "light", "dark"],
  sounds: ["off", "on"],
  arrows: ["on", "off"],
  motion: ["on", "off"],
};

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Events: `change` after each change. */
class Settings extends EventTarget {
  constructor() {
    super();
    for (const [name, values] of Object.entries(CHOICES)) {
      const before = kept(name);
      this[name] = values.includes(before) ? before : values[0];
    }
    if (!kept("language")) this.language = languageOfBrowser();
    this.suitNotation();
    dark.addEventListener("change", () => this.apply());
    this.apply();
  }

  set(name, value) {
    if (this[name] === value) return;
    this[name] = value;
    keep(name, value);
    this.suitNotation();
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  /** A reader who has not chosen a notation reads that of the language. */
  suitNotation() {
    if (!kept("notation")) this.notation = this.language === "zh" ? "chinese" : "iccs";
  }

  apply() {
    const root = document.documentElement;
    root.dataset.theme = this.theme === "auto" ? (dark.matches ? "dark" : "light") : this.theme;
    root.dataset.board = this.board;
    setLanguage(this.language);
  }
}

export const settings = new Settings();
