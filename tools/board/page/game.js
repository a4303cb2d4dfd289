/* A game as a tree of moves with comments. The first child of a move continues the main line. */

import { readFen, replay, wholeFen } from "/xiangqi.js";
import { inAllLanguages, t } from "./words.js";

/** The form of a comment of the server's analysis: `[%eval +0.35/14] [%best h2e2] mark`; a mate is `+M3`, or `#3` of other programs. */
const EVAL = /\[%eval ([^\]/\s]+)[^\]]*\]\s*/, BEST = /\[%best [^\]]*\]\s*/i;
/** The mark of a move in a word of any language, which the page shows as a sign, behind the analysis. */
const MARKS = new Map(["inaccuracy", "mistake", "blunder"].flatMap((key) => inAllLanguages(key).map((word) => [word, key])));
const MARKED = new RegExp(`^((?:\\[%\\w+ [^\\]]*\\]\\s*)+)(${[...MARKS.keys()].join("|")})?\\s*`);

/** Reads the value of a comment on the move to a position: `+0.35`, `-M3`, `#-3`, or `#` for a mate on the board. */
function readEval(text, position) {
  if (text === "#") return { mate: 0, winner: position.side === "w" ? "black" : "red" };
  const found = /^([+-]?)([#M]?)([+-]?\d+(?:\.\d+)?)$/.exec(text);
  if (!found) return null;
  const number = Number(found[3]) * (found[1] === "-" ? -1 : 1);
  return found[2] ? { mate: number } : { cp: Math.round(100 * number) };
}

export class Game {
  constructor(start, { tags = {}, result = "*", comment = "" } = {}) {
    this.start = start;
    this.tags = tags;
    this.result = result;
    this.next = 1;
    this.root = { id: 0, parent: null, children: [], comment, nags: [], position: { ...readFen(start), move: null } };
    this.nodes = new Map([[0, this.root]]);
    this.current = this.root;
  }

  /** A game as the server sends it, or as `toMessage` gives it. */
  static from(message) {
    const game = new Game(message.start, message);
    const made = (message.nodes ?? []).map(() => null);
    (message.nodes ?? []).forEach((sent, index) => {
      const parent = sent.parent < 0 ? game.root : made[sent.parent];
      if (!parent) return;
      const node = game.add(parent, sent);
      made[index] = node;
      if (sent.comment) game.takeComment(node, sent.comment);
      if (sent.nags) node.nags = sent.nags;
      if (sent.value) node.value = sent.value;
    });
    if (message.value) game.root.value = message.value;
    game.current = message.current >= 0 && made[message.current] ? made[message.current] : game.root;
    return game;
  }

  /** Keeps a comment, and the analysis that is written in it. */
  takeComment(node, comment) {
    node.comment = comment;
    const found = EVAL.exec(comment), score = found && readEval(found[1], node.position);
    if (score && !node.value) node.value = { score };
  }

  /** The child of a node with this move, which is made where there is none. */
  add(parent, { mv, iccs, wxf, zh }) {
    const before = parent.children.find((child) => child.mv === mv);
    if (before) return before;
    const node = { id: this.next++, parent, children: [], mv, iccs, wxf, zh, comment: "", nags: [] };
    node.position = replay(wholeFen(parent.position), mv)[1];
    parent.children.push(node);
    this.nodes.set(node.id, node);
    return node;
  }

  /** Removes a node and what follows it. */
  remove(node) {
    if (!node.parent) return;
    if (this.path(this.current).includes(node)) this.current = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    const all = [node];
    for (const one of all) {
      this.nodes.delete(one.id);
      all.push(...one.children);
    }
  }

  /** Makes the line to a node the main line, one branch at a time. */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      if (siblings[0] === at) continue;
      at.parent.children = [at, ...siblings.filter((child) => child !== at)];
      return;
    }
  }

  /** Nodes from the first move to this one. */
  path(node) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.push(at);
    return nodes.reverse();
  }

  mainLine() {
    const nodes = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) nodes.push(at);
    return nodes;
  }

  get tip() {
    return this.mainLine().at(-1) ?? this.root;
  }

  isMain(node) {
    for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }

  ply(node) {
    return this.path(node).length;
  }

  /** Start and moves, as the server wants them. */
  line(node = this.current) {
    return { start: this.start, moves: this.path(node).map(({ mv }) => mv) };
  }

  /** The comment without the marks of the analysis. */
  static plainComment(node) {
    return node.comment.replace(MARKED, "").replace(EVAL, "").replace(BEST, "").trim();
  }

  /** Changes the reader's part of a comment, and keeps the analysis in front of it. */
  static writeComment(node, text) {
    node.comment = `${(MARKED.exec(node.comment)?.[0] ?? "").trim()} ${text}`.trim();
  }

  /** The comment as a file holds it: its mark in the language of the page. */
  static savedComment(node) {
    return node.comment.replace(MARKED, (all, analysis, mark) => (mark ? `${analysis}${t(MARKS.get(mark))} ` : all)).trim();
  }

  /** The whole game as a message; with everything that this page knows about it if it is `kept`. */
  toMessage(kept = false) {
    const nodes = [], places = new Map([[this.root, -1]]), stack = [...this.root.children].reverse();
    while (stack.length) {
      const node = stack.pop();
      places.set(node, nodes.length);
      const { mv, iccs, wxf, zh } = node;
      const sent = { parent: places.get(node.parent), mv, comment: (kept ? node.comment : Game.savedComment(node)) || undefined, nags: node.nags.length ? node.nags : undefined };
      nodes.push(kept ? { ...sent, iccs, wxf, zh, value: node.value } : sent);
      stack.push(...[...node.children].reverse());
    }
    const message = { start: this.start, tags: this.tags, result: this.result, comment: this.root.comment || undefined, nodes };
    return kept ? { ...message, value: this.root.value, current: places.get(this.current) ?? -1 } : message;
  }

  /** The part of the address that holds the main line. */
  toFragment() {
    const moves = this.mainLine().map(({ mv }) => mv).join("");
    return "#start=" + encodeURIComponent(this.start) + (moves ? "&moves=" + moves : "");
  }
}

/** The start and the moves of an address, or null. */
export function readFragment(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const start = values.get("start"), moves = values.get("moves") ?? "";
  if ((!start && !moves) || !/^([a-i]\d[a-i]\d)*$/.test(moves)) return null;
  return { start, moves: moves.match(/.{4}/g) ?? [] };
}
