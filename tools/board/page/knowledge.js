/* Book moves and tablebase results for the shown position. */

import { make } from "/xiangqi.js";
import { moveSpan, percent, scoreText } from "./format.js";
import { say } from "./parts.js";
import { t } from "./words.js";

/** Milliseconds that a position must be shown before the server is asked. */
const REST = 90;
const MOVES = 12;

export class Knowledge {
  constructor(desk, link) {
    this.desk = desk;
    this.link = link;
    this.body = make("div", { class: "knowledge" });
    this.element = make("section", { class: "card" }, say("h2", "book-and-tables"), this.body);
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-mv]");
      const move = row && this.desk.node.info?.legal.find(({ mv }) => mv === row.dataset.mv);
      if (move && this.desk.view.mayMove(this.desk.node)) this.desk.play(move);
    });
  }

  ask() {
    clearTimeout(this.timer);
    const { node } = this.desk;
    if (node.knowledge) return this.render();
    this.timer = setTimeout(async () => {
      if (this.desk.node !== node) return;
      try {
        node.knowledge = await this.link.ask({ type: "knowledge", ...this.desk.game.line(node) });
        if (this.desk.node === node) this.render();
      } catch {
        // Without knowledge the panel stays empty; the connection says itself that it is lost.
      }
    }, REST);
  }

  render() {
    const { knowledge } = this.desk.node;
    if (!knowledge) return;
    const parts = [];
    const { book, tablebase } = knowledge;
    if (tablebase.known) {
      parts.push(make("p", { class: "verdict " + tablebase.result }, t("tablebase-" + tablebase.result), tablebase.plies ? " · " + t("tablebase-plies", { n: tablebase.plies }) : ""));
      parts.push(this.table(["move", "result", "plies"], (tablebase.moves ?? []).slice(0, MOVES).map((move) =>
        [move, t("tablebase-" + move.result), String(move.plies ?? "")])));
    }
    if (book.length) {
      parts.push(this.table(["move", "share", "weight", "value"], book.slice(0, MOVES).map((move) => [move, this.share(move.share), String(move.weight), scoreText(move.score)])));
    }
    if (!parts.length) parts.push(make("p", { class: "note" }, t("not-known")));
    this.body.replaceChildren(...parts);
  }

  share(share) {
    const bar = make("i", { class: "bar" });
    bar.style.width = `${Math.max(2, 60 * (share ?? 0))}%`;
    return make("span", { class: "share-bar" }, bar, percent(share ?? 0));
  }

  table(heads, rows) {
    return make("table", { class: "moves-table" }, make("thead", {}, make("tr", {}, ...heads.map((head) => say("th", "column-" + head)))),
      make("tbody", {}, ...rows.map(([move, ...cells]) => make("tr", { "data-mv": move.mv, class: "choice" }, make("td", {}, moveSpan(move)), ...cells.map((cell) => make("td", {}, cell))))));
  }
}
