/* The desk: the board with the game that is open on it, and what the server knows about the position that is shown. */

import { announce, onceAFrame } from "./parts.js";
import { moveText, sideName, troubleText } from "./format.js";
import { settings } from "./settings.js";
import { squareOf, Table } from "./table.js";
import { sound } from "./sound.js";
import { t } from "./words.js";

/** Events: `shown` after each position, `known` once the server has said what is legal there, `changed` when moves or comments have. */
export class Desk extends EventTarget {
  constructor(host, link) {
    super();
    this.link = link;
    this.table = new Table(host, (mv, dragged) => this.hand(mv, dragged));
    this.view = null;
    this.game = null;
    this.rules = "asian";
    this.drawArrows = onceAFrame(() => this.arrowsNow());
  }

  get node() {
    return this.game.current;
  }

  /** Opens the game of a view. The view says which side a hand may move (`mayMove`), and hears of moves (`played`). */
  open(view, game) {
    this.view = view;
    this.game = game;
    this.table.editor = null;
    this.redraw();
    this.dispatchEvent(new Event("changed"));
  }

  /** Shows a node; a `sliding` one with the movement of its piece. */
  go(node, sliding = false) {
    if (!node) return;
    const forward = node.parent === this.game.current;
    this.game.current = node;
    this.draw(sliding && forward);
    if (forward) this.tell(node);
    this.dispatchEvent(new Event("shown"));
    this.inform();
  }

  redraw() {
    this.draw(false);
    this.dispatchEvent(new Event("shown"));
    this.inform();
  }

  draw(sliding) {
    const { node } = this;
    this.table.show(node.position, sliding);
    this.markCheck(node);
    this.allow();
    this.arrowsNow();
  }

  /** Asks once for what is legal at the shown node. */
  async inform() {
    const { game, node, rules } = this;
    if (node.info?.rules === rules) return this.learnt(node);
    if (!this.link.isUp || node.asked === rules) return;
    node.asked = rules;
    try {
      const info = await this.link.ask({ type: "position", ...game.line(node), rules });
      info.rules = rules;
      node.info = info;
      info.played.forEach((move, index) => Object.assign(game.path(node)[index] ?? {}, { iccs: move.iccs, wxf: move.wxf, zh: move.zh }));
      if (this.game === game && this.node === node) this.learnt(node);
    } catch (trouble) {
      if (trouble.code !== "connection_lost") this.dispatchEvent(new CustomEvent("trouble", { detail: troubleText(trouble) }));
    } finally {
      node.asked = null;
    }
  }

  learnt(node) {
    this.allow();
    this.markCheck(node);
    this.dispatchEvent(new Event("known"));
    this.view?.known?.(node);
  }

  allow() {
    const { node } = this;
    const may = node.info?.rules === this.rules && this.view?.mayMove(node);
    this.table.allow(may ? node.info.legal : [], may ? node.info.losing : []);
  }

  markCheck(node) {
    if (!node.info?.check) return;
    const king = node.position.squares.indexOf(node.position.side === "w" ? "K" : "k");
    const [x, y] = this.table.point(king);
    this.table.marks.querySelector(".check")?.remove();
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ class: "check", cx: x, cy: y, r: 30 })) ring.setAttribute(name, value);
    this.table.marks.prepend(ring);
  }

  /** A move by hand. It is drawn at once; the server is asked afterwards. */
  hand(mv, dragged) {
    const move = this.node.info?.legal.find((legal) => legal.mv === mv);
    if (move) this.play(move, !dragged);
  }

  /** Plays a move of the shown position. */
  play(move, sliding = true) {
    const parent = this.node, node = this.game.add(parent, move);
    this.go(node, sliding);
    this.dispatchEvent(new Event("changed"));
    this.view?.played?.(node);
    return node;
  }

  /** Plays a move that was typed in any notation. */
  async typed(text) {
    const known = this.node.info?.legal.find((legal) => [legal.mv, legal.iccs, legal.wxf, legal.zh].some((name) => name.toLowerCase() === text.toLowerCase()));
    if (known) return this.view.mayMove(this.node) && this.play(known);
    const { node, game } = this;
    const { moves } = await this.link.ask({ type: "read_move", ...game.line(node), text });
    return this.node === node && this.view.mayMove(node) && this.play(moves[0]);
  }

  /** Says a move aloud, and to screen readers. */
  tell(node) {
    sound(node.position.move.takes ? "take" : "move");
    const side = node.parent.position.side;
    announce(t("spoken-move", { side: sideName(side), move: moveText(node), piece: t("piece-" + node.position.move.piece), square: node.mv.slice(2), takes: node.position.move.takes ? t("spoken-takes", { piece: t("piece-" + node.position.move.takes) }) : "" }));
  }

  step(where) {
    const { game, node } = this;
    if (where === "first") this.go(game.root);
    else if (where === "back") this.go(node.parent);
    else if (where === "on") this.go(node.children[0]);
    else if (where === "last") {
      let at = node;
      while (at.children.length) at = at.children[0];
      this.go(at);
    }
  }

  /** The other variation beside the shown move. */
  sidestep(by) {
    const siblings = this.node.parent?.children ?? [];
    const next = siblings[(siblings.indexOf(this.node) + by + siblings.length) % Math.max(siblings.length, 1)];
    if (next && next !== this.node) this.go(next);
  }

  flip(flipped = !this.table.flipped) {
    this.table.flipped = flipped;
    document.documentElement.dataset.flipped = flipped;
    this.redraw();
    this.dispatchEvent(new Event("flipped"));
  }

  arrowsNow() {
    const { table } = this;
    table.arrows.replaceChildren();
    if (settings.arrows === "off" || !this.game || table.editor) return;
    for (const { mv, width, kind } of [...(this.view?.arrows?.(this.node) ?? [])].reverse()) {
      table.arrow(squareOf(mv.slice(0, 2)), squareOf(mv.slice(2)), width, kind ? " " + kind : "");
    }
  }
}
