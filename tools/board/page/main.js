/* The page: header, board and views, keys, the connection. */

import { make } from "/xiangqi.js";
import { Analyse } from "./analyse.js";
import { Desk } from "./desk.js";
import { Editor } from "./editor.js";
import { Engines } from "./engines.js";
import { Exchange } from "./exchange.js";
import { Game, readFragment } from "./game.js";
import { Link } from "./link.js";
import { keysDialog, settingsDialog } from "./options.js";
import { button, iconButton, notify } from "./parts.js";
import { Play } from "./play.js";
import { settings } from "./settings.js";
import { Store } from "./store.js";
import { Watch } from "./watch.js";
import { LANGUAGES, setLanguage, t, untranslated } from "./words.js";

const byId = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.link = new Link();
    this.store = new Store();
    const before = this.store.part("page", () => ({ view: this.view?.name, flipped: this.desk.table.flipped }));
    this.desk = new Desk(byId("board"), this.link);
    const analyseIt = (game) => this.analyseCopy(game);
    this.play = new Play(this.desk, this.link, this.store, analyseIt);
    this.analyse = new Analyse(this.desk, this.link, this.store);
    this.watch = new Watch(this.desk, this.link, this.store, analyseIt);
    this.views = { play: this.play, analyse: this.analyse, watch: this.watch };
    this.first = before?.view ?? "play";
    this.desk.table.flipped = Boolean(before?.flipped);
    this.editor = new Editor(this.desk, this.link, (fen, view) => this.usePosition(fen, view), () => this.closeEditor());
    this.exchange = new Exchange(this.desk, this.link, (game) => this.useGame(game), (fragment) => this.openFragment(fragment));
    this.engines = new Engines(this.link);
    this.settings = settingsDialog(make("div", { class: "row" }, button("engines", () => this.engines.open(), { id: "open-engines" }), button("keys", () => this.keys.showModal())));
    this.keys = keysDialog();
    this.build();
    this.listen();
    setLanguage(settings.language);
    this.link.connect();
  }

  build() {
    const tab = (name) => button("view-" + name, () => this.open(name), { class: "tab", "data-view": name });
    byId("tabs").append(...Object.keys(this.views).map(tab));
    const language = make("button", { type: "button", class: "language", id: "language" });
    language.addEventListener("click", () => settings.set("language", settings.language === "zh" ? "en" : "zh"));
    this.language = language;
    byId("actions").append(iconButton("board", "set-up", () => this.openEditor(), { id: "open-editor" }), iconButton("plus", "load", () => this.exchange.openLoad(), { id: "open-load" }), iconButton("share", "save", () => this.exchange.openSave(), { id: "open-save" }),
      iconButton("help", "keys", () => this.keys.showModal(), { id: "open-keys" }), iconButton("gear", "settings", () => this.settings.showModal(), { id: "open-settings" }), language);
    byId("side").append(...Object.values(this.views).map((view) => view.element), this.editor.element);
    byId("below").append(this.analyse.below, this.watch.below);
    this.editor.element.hidden = true;
    for (const view of Object.values(this.views)) this.showPart(view, false);
    this.renderLanguage();
  }

  showPart(view, shown) {
    view.element.hidden = !shown;
    view.below?.classList.toggle("closed", !shown);
  }

  listen() {
    const { link, desk } = this;
    link.addEventListener("up", () => this.welcome());
    link.addEventListener("down", () => this.showConnection());
    link.addEventListener("engines", () => this.welcomeViews());
    desk.addEventListener("players", () => this.renderPlayers());
    desk.addEventListener("changed", () => this.renderPlayers());
    desk.addEventListener("flipped", () => this.renderPlayers());
    desk.addEventListener("shown", () => this.store.soon());
    desk.addEventListener("value", ({ detail }) => this.showValue(detail));
    desk.addEventListener("trouble", ({ detail }) => notify(detail, true));
    settings.addEventListener("change", () => this.resettle());
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.openFragment(location.hash));
    addEventListener("focus", () => link.hurry());
    addEventListener("online", () => link.hurry());
  }

  /* Views. */

  /** The server is there, for the first time or again. */
  welcome() {
    if (location.search) history.replaceState(null, "", location.pathname + location.hash);
    this.welcomeViews();
    this.showConnection();
    if (this.view) {
      this.desk.inform();
      this.view.resume();
    } else {
      this.open(this.first);
      this.openFragment();
    }
    document.body.dataset.ready = "true";
  }

  welcomeViews() {
    for (const view of Object.values(this.views)) view.welcome(this.link.hello);
  }

  open(name) {
    if (!this.link.hello) return;
    this.closeEditor(false);
    if (this.view !== this.views[name]) this.view?.leave();
    this.view = this.views[name];
    document.body.dataset.view = name;
    for (const view of Object.values(this.views)) this.showPart(view, view === this.view);
    for (const tab of byId("tabs").children) tab.setAttribute("aria-pressed", String(tab.dataset.view === name));
    byId("value").hidden = name === "play";
    if (name !== "play") this.desk.rules = this.play.conditions.rules;
    this.view.enter();
    this.store.soon();
  }

  /** Opens the game that the address or a pasted link holds. */
  openFragment(fragment = location.hash) {
    const found = this.link.hello && readFragment(fragment);
    if (!found) return false;
    history.replaceState(null, "", location.pathname);
    this.exchange.readLine(found);
    return true;
  }

  analyseCopy(game) {
    this.analyse.load(Game.from(game.toMessage(true)));
    this.open("analyse");
  }

  /** A game that was loaded: it is analysed, wherever it was dropped. */
  useGame(game) {
    this.analyse.load(game);
    this.open("analyse");
  }

  openEditor() {
    if (!this.view) return;
    this.editor.element.hidden = false;
    this.view.element.hidden = true;
    document.body.classList.add("editing");
    this.editor.open(this.desk.node.info?.fen ?? this.link.hello.start);
  }

  closeEditor(redraws = true) {
    if (this.editor.element.hidden) return;
    this.editor.element.hidden = true;
    this.desk.table.editor = null;
    document.body.classList.remove("editing");
    this.view.element.hidden = false;
    if (redraws) this.desk.redraw();
  }

  usePosition(fen, name) {
    this.closeEditor(false);
    const game = new Game(fen);
    if (name === "play") {
      this.play.conditions.from = "shown";
      this.play.form.element.querySelectorAll(".segments").forEach((row) => row.querySelector("[data-value=shown]") && row.choose("shown"));
      this.play.load(game);
    } else this.analyse.load(game);
    this.open(name);
  }

  /* What is shown around the board. */

  renderPlayers() {
    if (!this.view) return;
    const names = this.view.names?.() ?? { red: this.view.game.tags.Red || this.view.game.tags.White || t("red"), black: this.view.game.tags.Black || t("black") };
    const turn = this.desk.node.position.side === "w" ? "red" : "black";
    const strip = (side) => [make("i", { class: "disc " + side }), make("b", { class: turn === side ? "turn" : "" }, names[side]), ...(this.view === this.play ? [this.play.clock.faces[side]] : [])];
    const [top, bottom] = this.desk.table.flipped ? ["red", "black"] : ["black", "red"];
    byId("top-player").replaceChildren(...strip(top));
    byId("bottom-player").replaceChildren(...strip(bottom));
  }

  /** The bar beside the board: the points that Red expects. */
  showValue(share) {
    byId("share").style.height = `${(100 * share).toFixed(1)}%`;
    byId("value").title = t("value-bar", { share: `${(100 * share).toFixed(0)} %` });
  }

  showConnection() {
    const { link } = this;
    byId("connection").hidden = link.isUp;
    byId("connection").textContent = t(link.why ?? "connection-lost-wait");
    document.body.classList.toggle("offline", !link.isUp);
  }

  renderLanguage() {
    this.language.textContent = LANGUAGES.find(([name]) => name !== settings.language)[1];
    this.language.title = t("language");
    document.title = "Chuhe";
  }

  /** Another language, notation or drawing. */
  resettle() {
    this.renderLanguage();
    if (!this.view) return;
    for (const view of Object.values(this.views)) view.relabel();
    if (this.editor.element.hidden) this.desk.redraw();
    else {
      this.editor.drawPalette();
      this.editor.changed();
    }
    this.renderPlayers();
    this.showConnection();
  }

  /* Keys. */

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || !this.view) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    const step = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "first", ArrowDown: "last", Home: "first", End: "last" }[event.key];
    if (step && event.shiftKey && step !== "first" && step !== "last") this.desk.sidestep(step === "back" ? -1 : 1);
    else if (step) this.desk.step(step);
    else if (event.key === " " && event.target.closest("button, summary")) return;
    else if (!this.act(event.key)) return;
    event.preventDefault();
  }

  act(key) {
    switch (key) {
      case " ": return this.view.space(), true;
      case "u": return this.view.undo(), true;
      case "f": return this.desk.flip(), true;
      case "l": return this.exchange.openLoad(), true;
      case "s": return this.exchange.openSave(), true;
      case "?": return this.keys.showModal(), true;
      case "1": case "2": case "3": return this.open(Object.keys(this.views)[key - 1]), true;
      case "Escape": return this.closeEditor(), true;
      default: return false;
    }
  }
}

const page = new Page();
/* For the tests of the page. */
window.chuhe = { page, settings, untranslated };
