/* Games in and out: pasted and dropped files, PGN, FEN, pictures, and links. */

import { make } from "/xiangqi.js";
import { Game } from "./game.js";
import { troubleText } from "./format.js";
import { button, dialog, notify, say, select } from "./parts.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

/** Bytes of the largest file that the server takes. */
const LARGEST = 4 << 20;
/** Characters of the longest text that is sent as a message. */
const LONGEST_TEXT = 200000;

export class Exchange {
  /** `use` is called with a game that has been read, `open` with the part of a link that holds one. */
  constructor(desk, link, use, open) {
    this.open = open;
    this.desk = desk;
    this.link = link;
    this.use = use;
    this.buildLoad();
    this.buildSave();
    this.catchDrops();
  }

  /* In. */

  buildLoad() {
    this.text = make("textarea", { rows: 8, "data-t-hint": "paste-hint", placeholder: t("paste-hint"), spellcheck: "false", id: "paste" });
    this.file = make("input", { type: "file", id: "file", hidden: "" });
    this.file.addEventListener("change", () => this.file.files[0] && this.readFile(this.file.files[0]).then(() => {
      this.file.value = "";
    }));
    this.found = make("div", { class: "found" });
    this.load = dialog("load", say("p", "load-help", { class: "note" }), this.text, make("div", { class: "row" }, button("read-it", () => this.readText(this.text.value), { class: "primary", id: "read-it" }), button("choose-file", () => this.file.click()), this.file), this.found);
    this.load.id = "load-dialog";
  }

  openLoad() {
    this.found.replaceChildren();
    this.text.value = "";
    this.load.showModal();
    this.text.focus();
  }

  async readText(text) {
    if (!text.trim()) return;
    if (text.length > LONGEST_TEXT) return this.readFile(new File([text], "pasted"));
    const link = /^\s*(?:https?:\/\/\S*)?(#(?:start|moves)=\S+)\s*$/.exec(text);
    if (link && this.open(link[1])) return this.load.close();
    await this.take(() => this.link.ask({ type: "read", text }));
  }

  /** Opens the game of a link at its last position. */
  async readLine({ start, moves }) {
    const text = [start ? "fen " + start : "startpos", ...(moves.length ? ["moves", ...moves] : [])].join(" ");
    await this.take(() => this.link.ask({ type: "read", text }), true);
  }

  async readFile(file) {
    if (file.size > LARGEST) return notify(t("error-too_large"), true);
    await this.take(async () => {
      const response = await fetch("/upload?name=" + encodeURIComponent(file.name), { method: "POST", body: file });
      const answer = await response.json().catch(() => ({ type: "error", code: response.status === 413 ? "too_large" : "unreadable" }));
      if (answer.type === "error") throw answer;
      return answer;
    });
  }

  /** Opens the game of an answer, or shows its games to choose from. */
  async take(ask, atEnd = false) {
    try {
      const answer = await ask();
      if (!answer.games.length) return notify(t("error-unreadable"), true);
      if (answer.faults?.length) notify(answer.faults.slice(0, 3).join("; "), true);
      if (answer.games.length === 1) return this.choose(answer.games[0], atEnd);
      this.list(answer);
    } catch (trouble) {
      notify(troubleText(trouble), true);
    }
  }

  /** Games of a file to choose from. */
  list(answer) {
    const row = (game, index) => {
      const { Red = "?", Black = "?", Event = "" } = game.tags ?? {};
      const item = button("choose", () => this.choose(game), { class: "game-row", "data-game": index });
      item.replaceChildren(make("b", {}, `${index + 1}. ${Red} – ${Black}`), ` ${game.result ?? ""} `, make("small", {}, [Event, t("plies", { n: game.nodes.length })].filter(Boolean).join(" · ")));
      return item;
    };
    this.found.replaceChildren(make("p", { class: "note" }, t("games-found", { n: answer.games.length + (answer.more ?? 0) })), ...answer.games.map(row));
    if (!this.load.open) this.load.showModal();
  }

  choose(game, atEnd = false) {
    this.load.close();
    const read = Game.from(game);
    if (atEnd) read.current = read.tip;
    this.use(read);
    notify(t("loaded", { n: read.mainLine().length }));
  }

  /** Files and texts that are dropped on the page, or pasted outside a field. */
  catchDrops() {
    const over = (on) => document.body.classList.toggle("dropping", on);
    addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    addEventListener("dragleave", (event) => !event.relatedTarget && over(false));
    addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      const [file] = event.dataTransfer.files;
      if (file) this.readFile(file);
      else this.readText(event.dataTransfer.getData("text/plain"));
    });
    addEventListener("paste", (event) => {
      if (event.target.closest?.("input, textarea")) return;
      const [file] = event.clipboardData.files;
      if (file) this.readFile(file);
      else this.readText(event.clipboardData.getData("text/plain"));
    });
  }

  /* Out. */

  buildSave() {
    this.notation = select([["iccs", "notation-iccs"], ["wxf", "notation-wxf"], ["chinese", "notation-chinese"]], "iccs", () => {}, { id: "save-notation", "data-t-title": "notation" });
    const line = (key, ...controls) => make("div", { class: "save-line" }, say("span", key), ...controls);
    this.save = dialog("save", line("game-as-pgn", this.notation, button("download", () => this.savePgn(true), { id: "save-pgn" }), button("copy", () => this.savePgn(false), { id: "copy-pgn" })),
      line("position-as-fen", button("download", () => this.download("position.fen", this.fen() + "\n", "text/plain"), { id: "save-fen" }), button("copy", () => this.copy(this.fen()), { id: "copy-fen" })),
      line("picture", button("svg", () => this.picture("svg"), { id: "save-svg" }), button("png", () => this.picture("png"), { id: "save-png" })),
      line("link", button("copy", () => this.copyLink(), { id: "copy-link" })));
    this.shown = make("textarea", { rows: 5, readonly: "", hidden: "", class: "shown-text", id: "saved-text" });
    this.save.append(this.shown);
    this.save.id = "save-dialog";
  }

  openSave() {
    this.shown.hidden = true;
    this.save.showModal();
  }

  fen() {
    const { node } = this.desk;
    return node.info?.fen ?? this.desk.game.start;
  }

  async savePgn(asFile) {
    try {
      const file = await this.link.ask({ type: "export", format: "pgn", notation: this.notation.value, game: this.desk.game.toMessage() });
      if (asFile) this.download(file.name, file.text, file.mime);
      else this.copy(file.text);
    } catch (trouble) {
      notify(troubleText(trouble), true);
    }
  }

  copyLink() {
    const fragment = this.desk.game.toFragment();
    history.replaceState(null, "", location.pathname + fragment);
    this.copy(location.origin + location.pathname + fragment);
  }

  picture(kind) {
    this.desk.table.pieceStyle = settings.pieces;
    this.desk.table.save("board", kind);
  }

  download(name, text, type) {
    const link = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    notify(t("saved", { name }));
  }

  /** Copies a text, and shows it, for browsers that refuse to copy. */
  async copy(text) {
    this.shown.hidden = false;
    this.shown.value = text;
    this.shown.select();
    try {
      await navigator.clipboard.writeText(text);
      notify(t("copied"));
    } catch {
      notify(t("copy-yourself"));
    }
  }
}
