/* The curve of a game: what Red can expect after each move, with mistakes to click on. */

import { draw } from "/xiangqi.js";
import { expectation, scoreText } from "./format.js";
import { t } from "./words.js";

const WIDTH = 600, HEIGHT = 120;
const KINDS = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };

export class Curve {
  constructor(host, desk, view) {
    this.host = host;
    this.desk = desk;
    this.view = view;
    host.addEventListener("click", (event) => {
      const box = host.getBoundingClientRect();
      this.desk.go(this.nodes?.[Math.round(((event.clientX - box.left) / box.width) * (this.nodes.length - 1))]);
    });
    desk.addEventListener("changed", () => this.render());
    desk.addEventListener("shown", () => this.moveCursor());
  }

  /** Where a value of a ply is drawn. */
  point(ply, share) {
    return [(ply / Math.max(this.nodes.length - 1, 1)) * WIDTH, (1 - share) * HEIGHT];
  }

  render() {
    if (this.desk.view !== this.view) return;
    const { game } = this.desk;
    this.nodes = [game.root, ...game.mainLine()];
    const points = [];
    this.nodes.forEach((node, ply) => {
      if (node.value) points.push([...this.point(ply, node.value.expectation ?? expectation(node.value.score)), node]);
    });
    this.host.hidden = points.length < 2;
    if (this.host.hidden) return this.host.replaceChildren();
    const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const [first, last] = [points[0][0].toFixed(1), points.at(-1)[0].toFixed(1)];
    const area = (to) => `M${first} ${to}L${line}L${last} ${to}Z`;
    this.cursor = draw("line", { class: "cursor", y1: 0, y2: HEIGHT });
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("curve") },
      draw("rect", { class: "ground", width: WIDTH, height: HEIGHT }), draw("path", { class: "area", d: area(HEIGHT) }),
      draw("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }), draw("path", { class: "line", d: "M" + line }), this.cursor);
    for (const [x, y, node] of points) {
      const nag = node.nags.find((number) => number in KINDS);
      if (!nag) continue;
      // A line of no length with round ends is a dot that keeps its form when the curve is stretched.
      svg.append(draw("path", { class: "dot " + KINDS[nag], d: `M${x} ${y}h.01` }, draw("title", {}, `${t(KINDS[nag])} ${scoreText(node.value.score)}`)));
    }
    this.host.replaceChildren(svg);
    this.moveCursor();
  }

  moveCursor() {
    const ply = this.nodes?.indexOf(this.desk.node) ?? -1;
    if (!this.cursor || this.desk.view !== this.view) return;
    this.cursor.style.display = ply < 0 ? "none" : "";
    const [x] = this.point(Math.max(ply, 0), 0);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }
}
