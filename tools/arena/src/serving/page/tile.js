/* A seat of the match: the board of its game, both engines with their clocks and values, and the curve of the values. */

import { Board, SVG, draw, make, readFen, squareAt } from "./xiangqi.js";
import { clockText, ending, isChinese, t, valueText } from "./words.js";

/** Values beyond some pawns differ little in the curve. */
const bend = (value) => 2 / (1 + Math.exp(-value / 300)) - 1;

const RESULTS = { "1-0": "won1", "0-1": "won0", "1/2-1/2": "draw" };

export class Tile {
  constructor(host, pieceStyle) {
    this.seat = null;
    this.head = make("p", { class: "tile-head" });
    this.sides = [1, 0].map((side) => {
      const parts = { name: make("b"), value: make("span", { class: "value" }), clock: make("span", { class: "clock" }) };
      parts.row = make("p", { class: "side " + (side ? "black" : "red") }, make("i", { class: "disc" }), parts.name, parts.value, parts.clock);
      return parts;
    }).reverse();
    const square = make("div", { class: "board" });
    this.curve = document.createElementNS(SVG, "svg");
    this.curve.setAttribute("class", "values");
    this.curve.setAttribute("viewBox", "0 0 100 24");
    this.curve.setAttribute("preserveAspectRatio", "none");
    this.curve.setAttribute("role", "img");
    this.last = make("p", { class: "tile-last" });
    this.element = make("article", { class: "card tile" }, this.head, this.sides[1].row, square, this.sides[0].row, this.curve, this.last);
    host.append(this.element);
    this.board = new Board(square);
    this.board.pieceStyle = pieceStyle;
  }

  /** Shows a state of the seat. */
  show(seat) {
    this.seat = seat;
    const position = { ...readFen(seat.fen), move: null };
    if (seat.last) position.move = { from: squareAt(seat.last[0], 0), to: squareAt(seat.last[0], 2) };
    this.toMove = position.side === "w" ? 0 : 1;
    this.board.coordinates = isChinese() ? "chinese" : "iccs";
    this.board.show(position);
    this.element.dataset.game = seat.number;
    this.element.dataset.plies = seat.plies;
    this.element.classList.toggle("ended", Boolean(seat.result));
    this.element.setAttribute("aria-label", t("board", { n: seat.number, red: seat.red, black: seat.black }));
    this.head.replaceChildren(make("b", {}, t("game", { n: seat.number })), [t("round", { n: seat.round }), seat.opening].filter(Boolean).map((part) => " · " + part).join(""));
    [seat.red, seat.black].forEach((name, side) => this.showSide(side, name, seat.thoughts[side]));
    this.last.replaceChildren(...this.lastLine());
    this.drawCurve();
  }

  showSide(side, name, thought) {
    const { name: label, value, row } = this.sides[side];
    label.textContent = name;
    label.title = name;
    value.textContent = [valueText(thought), thought?.depth ? t("depth", { n: thought.depth }) : ""].filter(Boolean).join(" · ");
    row.classList.toggle("to-move", side === this.toMove && !this.seat.result);
  }

  lastLine() {
    const { last, plies, result } = this.seat;
    const move = last ? (isChinese() ? last[1][1] : `${last[0].slice(0, 2)}-${last[0].slice(2)}`) : t("start");
    const parts = [make("span", {}, `${t("move", { n: plies })} · ${move}`)];
    if (result) parts.push(make("b", { class: "result" }, `${t(RESULTS[result.result] || "draw")} · ${ending(result.ending)}`));
    return parts;
  }

  drawCurve() {
    const known = this.seat.values.map((value, index) => [index, value]).filter(([, value]) => value !== null);
    const width = Math.max(this.seat.values.length - 1, 20);
    const points = known.map(([index, value]) => `${(100 * index / width).toFixed(2)},${(12 - 11 * bend(value)).toFixed(2)}`);
    this.curve.setAttribute("aria-label", t("values"));
    this.curve.replaceChildren(draw("line", { class: "zero", x1: 0, x2: 100, y1: 12, y2: 12 }), draw("polyline", { points: points.join(" ") }));
  }

  /** Lets the clock of the side to move run. `now` is the time of the server. */
  tick(now, isRunning) {
    if (!this.seat) return;
    this.sides.forEach(({ clock }, side) => {
      const left = this.seat.clocks[side], thinks = side === this.toMove && isRunning && !this.seat.result;
      const spent = thinks ? Math.max(now - this.seat.moved_at, 0) : 0;
      const ms = left === null ? (thinks ? spent : this.seat.thoughts[side]?.ms ?? null) : left - spent;
      const text = ms === null ? "" : clockText(ms);
      if (clock.textContent !== text) clock.textContent = text;
    });
  }
}
