/* The page of a running match: parts of its state come as server-sent events, and each is drawn when it has changed. */

import { byId, keep, kept, make } from "./xiangqi.js";
import { ending, isChinese, switchLanguage, t } from "./words.js";
import { standingOf } from "./standing.js";
import { Tile } from "./tile.js";

const SEAT = "seat ";

class Match {
  constructor() {
    this.parts = {};
    this.tiles = new Map();
    this.pieceStyle = kept("pieces") === "letter" ? "letter" : "character";
    // The server's clock may differ from this one.
    this.ahead = 0;
    this.isConnected = false;
    byId("language").addEventListener("click", () => {
      switchLanguage();
      this.label();
    });
    byId("pieces").addEventListener("click", () => {
      this.pieceStyle = this.pieceStyle === "letter" ? "character" : "letter";
      keep("pieces", this.pieceStyle);
      this.label();
    });
    this.label();
    this.listen();
    setInterval(() => this.tick(), 100);
  }

  listen() {
    const events = new EventSource("events");
    events.addEventListener("open", () => this.connected(true));
    // The browser connects again by itself, and gets everything anew.
    events.addEventListener("error", () => this.connected(false));
    events.addEventListener("message", ({ data }) => this.take(JSON.parse(data)));
  }

  connected(isConnected) {
    this.isConnected = isConnected;
    this.showPhase();
  }

  take({ now, ...parts }) {
    this.ahead = now - Date.now();
    Object.assign(this.parts, parts);
    if (parts.match) this.showMatch();
    if (parts.standing || parts.match) this.showStanding();
    if (parts.recent) this.showRecent();
    if (parts.phase) this.showPhase();
    for (const [name, seat] of Object.entries(parts)) if (name.startsWith(SEAT)) this.showSeat(Number(name.slice(SEAT.length)), seat);
    this.showEmptiness();
    this.tick();
    document.body.dataset.ready = "true";
  }

  /** Everything again, in the language and with the pieces of the moment. */
  label() {
    document.documentElement.lang = isChinese() ? "zh-Hans" : "en";
    byId("language").textContent = t("language");
    byId("pieces").textContent = t(this.pieceStyle === "letter" ? "characters" : "letters");
    for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
    if (!this.parts.match) return;
    this.showMatch();
    this.showStanding();
    this.showRecent();
    this.showPhase();
    for (const tile of this.tiles.values()) {
      tile.board.pieceStyle = this.pieceStyle;
      tile.show(tile.seat);
    }
    this.showEmptiness();
    this.tick();
  }

  showMatch() {
    const { engines, event, journal, times } = this.parts.match;
    const title = event || engines.join(" – ");
    byId("title").textContent = title;
    document.title = title;
    byId("about").textContent = [...new Set(times), journal].join(" · ");
  }

  showStanding() {
    byId("summary").replaceChildren(standingOf(this.parts.standing, this.parts.match.engines));
  }

  showRecent() {
    const row = ({ number, red, black, result, ending: kind, plies }) => make("tr", { "data-number": number }, make("td", { class: "number" }, String(number)), make("td", {}, red),
      make("td", { class: "tight" }, result.replaceAll("1/2", "½")), make("td", {}, black), make("td", {}, ending(kind)), make("td", { class: "number" }, t("plies", { n: plies })));
    const rows = this.parts.recent.map(row);
    byId("recent").tBodies[0].replaceChildren(...(rows.length ? rows : [make("tr", {}, make("td", { class: "note" }, t("none")))]));
  }

  showPhase() {
    const phase = this.isConnected ? this.parts.phase : "lost";
    if (!phase) return;
    const pill = byId("phase");
    pill.textContent = t(phase);
    pill.dataset.phase = phase;
  }

  showSeat(number, seat) {
    let tile = this.tiles.get(number);
    if (!seat) {
      tile?.element.remove();
      this.tiles.delete(number);
      return;
    }
    if (!tile) {
      tile = new Tile(byId("boards"), this.pieceStyle);
      tile.element.style.order = number;
      this.tiles.set(number, tile);
    }
    tile.show(seat);
  }

  showEmptiness() {
    byId("empty")?.remove();
    if (!this.tiles.size) byId("boards").append(make("p", { id: "empty", class: "note" }, t("empty")));
    byId("boards").dataset.count = Math.min(this.tiles.size, 3);
  }

  tick() {
    const isRunning = this.isConnected && this.parts.phase === "running";
    for (const tile of this.tiles.values()) tile.tick(Date.now() + this.ahead, isRunning);
  }
}

// A token in the address belongs in no history and in no link; the cookie has it.
if (location.search) history.replaceState(null, "", location.pathname);
window.match = new Match();
