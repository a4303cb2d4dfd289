/* The list of moves: the main line in two columns, variations between them, marks and comments. */

import { make } from "/xiangqi.js";
import { Game } from "./game.js";
import { moveSpan, scoreText } from "./format.js";
import { steadily } from "./parts.js";
import { t } from "./words.js";

/** Marks of PGN for good and bad moves. */
const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const KINDS = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };

export class MoveList {
  /** The list of a view: it is drawn while the view is open. */
  constructor(host, desk, view) {
    this.host = host;
    this.desk = desk;
    this.view = view;
    host.classList.add("move-list");
    host.addEventListener("click", (event) => {
      const item = event.target.closest("[data-node]");
      if (item) desk.go(desk.game.nodes.get(Number(item.dataset.node)));
    });
    const render = steadily(host, () => this.render());
    desk.addEventListener("changed", render);
    desk.addEventListener("shown", () => this.choose());
    desk.addEventListener("known", () => this.rename());
  }

  render() {
    if (this.desk.view !== this.view) return;
    const { game } = this.desk;
    this.items = new Map();
    const rows = [];
    if (game.root.comment) rows.push(make("div", { class: "aside" }, make("span", { class: "remark" }, game.root.comment)));
    let row = null;
    for (let node = game.root.children[0]; node; node = node.children[0]) {
      const isRed = node.parent.position.side === "w";
      if (isRed || !row) {
        row = make("div", { class: "pair" }, make("span", { class: "number" }, `${node.parent.position.number}.`));
        if (!isRed) row.append(make("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      row.append(this.item(node, true));
      const aside = this.aside(node);
      if (aside) {
        rows.push(aside);
        row = null;
      } else if (!isRed) row = null;
    }
    if (game.result !== "*") rows.push(make("div", { class: "outcome" }, game.result));
    if (!rows.length) rows.push(make("p", { class: "note" }, t("no-moves")));
    this.host.replaceChildren(...rows);
    this.choose();
  }

  /** The comment of a move of the main line and the variations that replace it. */
  aside(node) {
    const others = node.parent.children.slice(1), isMain = node.parent.children[0] === node;
    const comment = Game.plainComment(node);
    if (!comment && !(isMain && others.length)) return null;
    const box = make("div", { class: "aside" });
    if (comment) box.append(make("span", { class: "remark" }, comment));
    if (isMain) for (const other of others) box.append(make("div", { class: "variation" }, ...this.flow(other, true)));
    return box;
  }

  /** A variation as running text. */
  flow(first, withNumber) {
    const parts = [];
    for (let node = first, numbered = withNumber; node; node = node.children[0]) {
      const { side, number } = node.parent.position;
      if (side === "w" || numbered) parts.push(make("span", { class: "number" }, `${number}${side === "w" ? "." : "…"}`));
      parts.push(this.item(node, false));
      const comment = Game.plainComment(node);
      if (comment) parts.push(make("span", { class: "remark" }, comment));
      numbered = Boolean(comment);
      if (node !== first) {
        for (const other of node.parent.children.slice(1)) {
          parts.push(make("span", { class: "inner" }, "(", ...this.flow(other, true), ")"));
          numbered = true;
        }
      }
    }
    return parts;
  }

  item(node, withValue) {
    const item = make("button", { type: "button", class: "move", "data-node": node.id, tabindex: -1 }, moveSpan(node));
    const nag = node.nags.find((number) => number in MARKS);
    if (nag) item.append(make("b", { class: "nag " + (KINDS[nag] ?? "good"), title: KINDS[nag] ? t(KINDS[nag]) : "" }, MARKS[nag]));
    if (withValue && node.value?.score) item.append(make("small", {}, scoreText(node.value.score)));
    this.items.set(node.id, item);
    return item;
  }

  /** Writes moves whose names have become known. */
  rename() {
    if (this.desk.view !== this.view) return;
    const { game, node } = this.desk;
    for (const at of game.path(node)) {
      const span = this.items?.get(at.id)?.firstChild;
      if (span) span.replaceWith(moveSpan(at));
    }
  }

  choose() {
    if (this.desk.view !== this.view) return;
    this.host.querySelector(".chosen")?.classList.remove("chosen");
    const item = this.items?.get(this.desk.node.id);
    if (!item) {
      this.host.scrollTop = 0;
      return;
    }
    item.classList.add("chosen");
    // Not scrollIntoView, which would move the page too.
    const box = this.host.getBoundingClientRect(), place = item.getBoundingClientRect();
    if (place.top < box.top + 30 || place.bottom > box.bottom - 30) this.host.scrollTop += place.top - box.top - box.height / 2;
  }
}
