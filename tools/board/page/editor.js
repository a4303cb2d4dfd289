/* The editor of positions: pieces from a palette, the side to move, FEN. */

import { Board, draw, make, readFen, wholeFen } from "/xiangqi.js";
import { button, field, say, segments } from "./parts.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

const PIECES = ["KABNRCP", "kabnrcp"];
const BARE = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1";

/** Takes over the board while it is open. `use` is called with a FEN and the name of a view. */
export class Editor {
  constructor(desk, link, use, close) {
    this.desk = desk;
    this.link = link;
    this.chosen = null;
    this.palette = make("div", { class: "palette" });
    this.side = segments([["w", "red-moves"], ["b", "black-moves"]], "w", (side) => {
      this.position.side = side;
      this.changed();
    });
    this.fen = make("input", { type: "text", class: "fen", spellcheck: "false", autocomplete: "off", id: "editor-fen" });
    this.fen.addEventListener("input", () => this.typed());
    this.says = make("p", { class: "note", role: "status" });
    this.uses = [button("analyse-it", () => use(this.good, "analyse"), { class: "primary", id: "editor-analyse" }), button("play-it", () => use(this.good, "play"), { id: "editor-play" })];
    this.element = make("section", { class: "card editor", id: "view-editor" }, say("h2", "set-up"), say("p", "set-up-help", { class: "note" }), this.palette, this.side, field("fen", this.fen), this.says,
      make("div", { class: "row" }, button("initial-position", () => this.open(this.link.hello.start)), button("clear", () => this.open(BARE)), button("flip", () => this.flip())),
      make("div", { class: "row" }, ...this.uses, button("cancel", close)));
  }

  open(fen) {
    this.position = { ...readFen(fen), move: null };
    this.side.choose(this.position.side);
    this.drawPalette();
    this.desk.table.editor = this;
    this.desk.table.allow([]);
    this.changed();
  }

  drawPalette() {
    const tool = (piece) => {
      const item = make("button", { type: "button", class: "tool", "data-piece": piece, "aria-pressed": String(this.chosen === piece), title: piece ? t("piece-" + piece) : t("eraser"), "aria-label": piece ? t("piece-" + piece) : t("eraser") });
      if (piece) item.append(draw("svg", { viewBox: "-30 -30 60 62" }, draw("use", { href: `#${settings.pieces}-${piece}` })));
      else item.textContent = "×";
      item.addEventListener("click", () => {
        this.chosen = this.chosen === piece ? null : piece;
        this.drawPalette();
      });
      return item;
    };
    this.palette.replaceChildren(...PIECES.map((row) => make("div", { class: "tools-row" }, ...[...row].map(tool))), make("div", { class: "tools-row" }, tool("")));
  }

  flip() {
    this.desk.table.flipped = !this.desk.table.flipped;
    this.changed();
  }

  /* Hands on the board. */

  take(square, event) {
    if (this.chosen !== null) {
      this.position.squares[square] = this.position.squares[square] === this.chosen ? "" : this.chosen;
      return this.changed();
    }
    if (!this.position.squares[square]) return;
    this.held = { square, element: this.desk.table.bySquare.get(square) };
    this.desk.table.svg.setPointerCapture(event.pointerId);
    this.desk.table.top.append(this.held.element);
  }

  drag(event) {
    if (!this.held) return;
    const [x, y] = this.desk.table.place(event);
    this.held.element.setAttribute("transform", `translate(${x} ${y})scale(1.12)`);
  }

  /** A piece that is dropped beside the board is removed. */
  drop(event) {
    if (!this.held) return;
    const { table } = this.desk, [x, y] = table.place(event), to = table.squareUnder(event);
    const inside = x > 0 && y > 0 && x < 2 * Board.MARGIN + 8 * Board.CELL && y < table.height;
    const { squares } = this.position, { square: from } = this.held, piece = squares[from];
    this.held.element.remove();
    this.held = null;
    if (to !== null || !inside) {
      squares[from] = "";
      if (to !== null) squares[to] = piece;
    }
    this.changed();
  }

  typed() {
    const rows = this.fen.value.trim().split(" ")[0].split("/");
    const files = (row) => [...row].reduce((sum, letter) => sum + (Number(letter) || 1), 0);
    if (rows.length !== 10 || rows.some((row) => !/^[1-9kabnrcp]+$/i.test(row) || files(row) !== 9)) return this.check();
    this.position = { ...readFen(this.fen.value), move: null };
    this.side.choose(this.position.side);
    this.desk.table.show(this.position);
    this.check();
  }

  changed() {
    this.position.quiet = 0;
    this.position.number = 1;
    this.desk.table.show(this.position);
    this.fen.value = wholeFen(this.position);
    this.check();
  }

  /** Asks whether the position can be played. */
  async check() {
    const fen = this.fen.value;
    const allow = (ok) => this.uses.forEach((use) => {
      use.disabled = !ok;
    });
    try {
      const answer = await this.link.ask({ type: "check_fen", fen });
      if (fen !== this.fen.value) return;
      allow(answer.ok);
      this.good = answer.fen;
      this.says.textContent = answer.ok ? t("position-good") : t("position-bad", { why: answer.detail });
      this.says.classList.toggle("bad", !answer.ok);
    } catch {
      allow(false);
    }
  }
}
