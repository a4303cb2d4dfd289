/* The board with hands: drag, tap and keys move pieces; dots show where they may go. */

import { Board, FILES, RANKS, draw } from "/xiangqi.js";
import { settings } from "./settings.js";
import { announce } from "./parts.js";
import { t } from "./words.js";

const SLIDE = 140;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export const squareName = (square) => "abcdefghi"[square % FILES] + Math.floor(square / FILES);

export class Table extends Board {
  /** `host` gets the board; `act` is called with the text of a move that a hand has made. */
  constructor(host, act) {
    super(host);
    this.host = host;
    this.act = act;
    this.legal = new Map();
    this.losing = new Set();
    this.selected = null;
    this.cursor = null;
    this.editor = null;
    this.hints = draw("g", { class: "hints" });
    this.top = draw("g", { class: "top" });
    this.svg.insertBefore(this.hints, this.arrows);
    this.svg.append(this.top);
    host.tabIndex = 0;
    this.svg.addEventListener("pointerdown", (event) => this.take(event));
    this.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.svg.addEventListener("pointerup", (event) => this.drop(event));
    this.svg.addEventListener("pointercancel", () => this.putBack());
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("blur", () => this.moveCursor(null));
  }

  /** Draws a position. A `sliding` one shows the way of the last move. */
  show(position, sliding = false) {
    this.pieceStyle = settings.pieces;
    this.coordinates = settings.notation;
    this.position = position;
    this.putBack();
    super.show(position);
    this.svg.setAttribute("aria-label", t("board"));
    this.bySquare = new Map();
    let at = 0;
    position.squares.forEach((piece, square) => {
      if (!piece) return;
      const element = this.pieces.children[at++];
      element.querySelector("title")?.remove();
      element.setAttribute("aria-label", t("piece-" + piece));
      this.bySquare.set(square, element);
    });
    if (sliding && position.move) this.slide(position.move);
    this.select(null);
  }

  slide({ from, to }) {
    if (settings.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const element = this.bySquare.get(to), [x1, y1] = this.point(from), [x2, y2] = this.point(to);
    this.pieces.append(element);
    element.animate?.([{ transform: `translate(${x1}px, ${y1}px)` }, { transform: `translate(${x2}px, ${y2}px)` }], { duration: SLIDE, easing: "ease-out" });
  }

  /** Allows the moves of this list, and marks those that lose by the rules of repetition. */
  allow(moves, losing = []) {
    this.legal = new Map();
    this.losing = new Set(losing);
    for (const { mv } of moves) {
      const [from, to] = [squareOf(mv.slice(0, 2)), squareOf(mv.slice(2))];
      if (!this.legal.has(from)) this.legal.set(from, new Map());
      this.legal.get(from).set(to, mv);
    }
    this.svg.classList.toggle("movable", moves.length > 0);
    // A piece that was taken up before the moves were known.
    if (this.selected !== null) this.select(this.legal.has(this.selected) ? this.selected : null);
  }

  select(square) {
    this.selected = square;
    this.hints.replaceChildren();
    if (square === null) return;
    const [x, y] = this.point(square);
    this.hints.append(draw("circle", { class: "chosen-piece", cx: x, cy: y, r: 29 }));
    for (const [to, mv] of this.legal.get(square) ?? []) {
      const [x, y] = this.point(to), takes = this.position.squares[to];
      const losing = this.losing.has(mv) ? " losing" : "";
      this.hints.append(takes ? draw("circle", { class: "target takes" + losing, cx: x, cy: y, r: 29 }) : draw("circle", { class: "target" + losing, cx: x, cy: y, r: 9 }));
    }
  }

  /** The square under a pointer, or null outside the board. */
  squareUnder(event) {
    const [x, y] = this.place(event);
    const column = Math.round((x - Board.MARGIN) / Board.CELL), row = Math.round((y - Board.MARGIN) / Board.CELL);
    if (column < 0 || column >= FILES || row < 0 || row >= RANKS) return null;
    return (this.flipped ? row : RANKS - 1 - row) * FILES + (this.flipped ? FILES - 1 - column : column);
  }

  /** Where a pointer is, in units of the board. */
  place(event) {
    const box = this.svg.getBoundingClientRect(), scale = this.svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  take(event) {
    if (event.button !== 0) return;
    const square = this.squareUnder(event);
    if (square === null) return;
    if (this.editor) return this.editor.take(square, event);
    if (this.legal.size === 0) return;
    event.preventDefault();
    if (this.selected !== null && this.legal.get(this.selected)?.has(square)) return this.play(this.selected, square);
    const again = square === this.selected;
    this.select(this.legal.has(square) ? square : null);
    if (this.selected === null) return;
    this.held = { square, again, element: this.bySquare.get(square), moved: false, start: [event.clientX, event.clientY] };
    this.svg.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const { held } = this;
    if (this.editor) return this.editor.drag?.(event);
    if (!held) return;
    if (!held.moved && Math.hypot(event.clientX - held.start[0], event.clientY - held.start[1]) < 5) return;
    if (!held.moved) this.top.append(held.element);
    held.moved = true;
    const [x, y] = this.place(event);
    held.element.setAttribute("transform", `translate(${x} ${y})scale(1.12)`);
  }

  drop(event) {
    const { held } = this;
    if (this.editor) return this.editor.drop?.(event);
    if (!held) return;
    const square = this.squareUnder(event);
    this.putBack();
    if (held.moved && this.legal.get(held.square)?.has(square)) this.play(held.square, square, true);
    else if (!held.moved && held.again) this.select(null);
  }

  putBack() {
    const { held } = this;
    this.held = null;
    if (!held?.moved) return;
    const [x, y] = this.point(held.square);
    held.element.setAttribute("transform", `translate(${x} ${y})`);
    this.pieces.append(held.element);
  }

  play(from, to, dragged = false) {
    const mv = this.legal.get(from).get(to);
    this.select(null);
    this.act(mv, dragged);
  }

  /* Keys, while the board has the focus: a cursor walks over the squares. */

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in KEYS) {
      const [right, up] = KEYS[event.key], turn = this.flipped ? -1 : 1;
      const at = this.cursor ?? (this.position.move?.to ?? 4);
      const file = at % FILES + right * turn, rank = Math.floor(at / FILES) + up * turn;
      if (file >= 0 && file < FILES && rank >= 0 && rank < RANKS) this.moveCursor(this.cursor === null ? at : rank * FILES + file);
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) this.choose(this.cursor);
    else if (event.key === "Escape") this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  choose(square) {
    if (this.selected !== null && this.legal.get(this.selected)?.has(square)) return this.play(this.selected, square);
    this.select(this.legal.has(square) && square !== this.selected ? square : null);
    if (this.selected !== null) announce(t("taken-up", { piece: this.nameAt(square), squares: [...this.legal.get(square).keys()].map(squareName).join(" ") }));
  }

  moveCursor(square) {
    this.cursor = square;
    this.top.querySelector(".cursor")?.remove();
    if (square === null) return;
    const [x, y] = this.point(square);
    this.top.append(draw("rect", { class: "cursor", x: x - 29, y: y - 29, width: 58, height: 58, rx: 8 }));
    announce(`${squareName(square)} ${this.nameAt(square)}`);
  }

  nameAt(square) {
    const piece = this.position.squares[square];
    return piece ? t("piece-" + piece) : t("empty");
  }
}

export function squareOf(text) {
  return Number(text[1]) * FILES + text.charCodeAt(0) - 97;
}
