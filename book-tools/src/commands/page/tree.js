/* A book as a tree: a line from the start, its moves, and what follows. */

/** Everything that follows from a line is looked up by the position that it leads to. */
class Book {
  constructor(data) {
    this.data = data;
    this.moves = new Map(data.positions.map(({ fen, moves }) => [fen, moves]));
  }

  /** The start and what moves make of it. */
  line(moves) {
    return replay(this.data.start, moves.join(""));
  }

  after(position) {
    return this.moves.get(writeFen(position)) || [];
  }
}

/** The part of a position's weight that a move has, 0 to 1; nothing for a move that has no weight. */
function shareOf(move, moves) {
  const total = moves.reduce((sum, { weight, forbidden }) => sum + (forbidden ? 0 : weight || 0), 0);
  return total && !move.forbidden && move.weight ? move.weight / total : 0;
}

const percent = (share) => (share ? `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %` : "");

/** The heaviest move; none where the book has only answers to others. */
const heaviest = (moves) => moves.find(({ weight, forbidden }) => weight !== null && !forbidden);

class Page {
  constructor(data) {
    this.book = new Book(data);
    this.board = new Board(byId("board"));
    this.arrows = draw("g", {});
    this.board.marks.after(this.arrows);
    this.line = [];
    byId("title").textContent = data.title;
    byId("about").textContent = `${data.moves} moves in the book; ${data.positions.length} positions on this page${data.is_cut ? ", those nearest to its start" : ""}.`;
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.go(button.dataset.go));
    const keys = { ArrowLeft: "back", ArrowRight: "main", Home: "start", f: "flip" };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
      event.preventDefault();
      this.go(keys[event.key]);
    });
    byId("tree").append(...this.branches([]));
    window.addEventListener("hashchange", () => this.fromAddress());
    this.fromAddress();
  }

  /** `#h2e2h9g7`: the moves from the start, as far as the book follows. */
  fromAddress() {
    const line = [];
    for (const mv of location.hash.slice(1).match(/.{4}/g) || []) {
      const positions = this.book.line(line);
      if (!this.book.after(positions[positions.length - 1]).some((move) => move.mv === mv)) break;
      line.push(mv);
    }
    this.show(line);
  }

  go(where) {
    const move = heaviest(this.moves);
    switch (where) {
      case "start": return this.show([]);
      case "back": return this.show(this.line.slice(0, -1));
      case "main": return move ? this.show([...this.line, move.mv]) : undefined;
      case "flip":
        this.board.flipped = !this.board.flipped;
        return this.show(this.line);
    }
  }

  show(line) {
    this.line = line;
    this.positions = this.book.line(line);
    const position = this.positions[line.length];
    this.moves = this.book.after(position);
    this.board.show(position);
    this.showArrows();
    this.showMoves();
    this.showPath();
    this.showInTree();
    byId("fen").textContent = wholeFen(position);
    document.body.dataset.line = line.join(" ");
    history.replaceState(null, "", "#" + line.join(""));
  }

  showArrows() {
    this.arrows.replaceChildren();
    for (const move of [...this.moves].reverse()) {
      if (move.forbidden) continue;
      const [x1, y1] = this.board.point(squareAt(move.mv, 0)), [x2, y2] = this.board.point(squareAt(move.mv, 2));
      const length = Math.hypot(x2 - x1, y2 - y1), [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const kind = move.weight === null ? " other" : "", width = 4 + 10 * shareOf(move, this.moves), head = 12 + width / 2;
      const [ex, ey] = [x2 - dx * head, y2 - dy * head];
      this.arrows.append(
        draw("path", { class: "arrow" + kind, "stroke-width": width, d: `M${x1 + dx * 24} ${y1 + dy * 24}L${ex} ${ey}` }),
        draw("path", { class: "tip" + kind, d: `M${x2} ${y2}L${ex - dy * head * 0.7} ${ey + dx * head * 0.7}L${ex + dy * head * 0.7} ${ey - dx * head * 0.7}Z` }));
    }
  }

  showMoves() {
    const row = (move) => {
      const share = shareOf(move, this.moves), bar = make("i", {});
      bar.style.width = 100 * share + "%";
      const line = make("tr", { "data-move": move.mv },
        make("td", { class: move.forbidden ? "forbidden" : "" }, make("b", {}, move.name), " ", make("small", {}, move.mv)),
        make("td", { class: "number" }, move.weight === null ? "not in the book" : move.forbidden ? "forbidden" : String(move.weight)),
        make("td", {}, make("span", { class: "bar" }, bar), percent(share)),
        make("td", { class: "number" }, move.score ? move.score[1] : ""), make("td", { class: "number" }, move.depth === null ? "" : String(move.depth)));
      line.addEventListener("click", () => this.show([...this.line, move.mv]));
      return line;
    };
    byId("moves").tBodies[0].replaceChildren(...this.moves.map(row));
    byId("moves").hidden = !this.moves.length;
    byId("none").hidden = this.moves.length > 0;
  }

  showPath() {
    const step = (ply) => {
      const before = this.positions[ply - 1];
      const name = ply ? (this.book.after(before).find((move) => move.mv === this.line[ply - 1]) || { name: this.line[ply - 1] }).name : "start";
      const number = ply && (before.side === "w" || ply === 1) ? before.number + (before.side === "w" ? ". " : "... ") : "";
      const button = make("button", { type: "button" }, number + name);
      button.addEventListener("click", () => this.show(this.line.slice(0, ply)));
      return button;
    };
    byId("path").replaceChildren(...this.positions.map((_, ply) => step(ply)));
  }

  /** The branches behind a line, made when somebody opens them: a whole book would be too much. */
  branches(line) {
    const positions = this.book.line(line);
    const moves = this.book.after(positions[line.length]);
    return moves.map((move) => {
      const behind = [...line, move.mv], leads = this.book.line(behind);
      const item = make("li", { "data-line": behind.join(" ") });
      const twist = make("button", { type: "button", class: "twist", "aria-label": "Open or close" }, this.book.after(leads[behind.length]).length ? "+" : "");
      const name = make("button", { type: "button", class: "name" }, move.name);
      name.addEventListener("click", () => this.show(behind));
      twist.addEventListener("click", () => this.turn(item, behind));
      item.append(twist, name, make("small", {}, ` ${[move.weight === null ? "not in the book" : move.weight, percent(shareOf(move, moves)), move.score ? move.score[1] : ""].filter((part) => part !== "").join(" · ")}`));
      return item;
    });
  }

  /** Opens a branch of the tree, or closes it. */
  turn(item, line) {
    const twist = item.querySelector(".twist"), below = item.querySelector("ul");
    if (!twist.textContent) return;
    if (below) below.remove();
    else item.append(make("ul", {}, ...this.branches(line)));
    twist.textContent = below ? "+" : "−";
  }

  /** Opens what leads to the line that is shown, and marks it. */
  showInTree() {
    byId("tree").querySelector(".chosen")?.classList.remove("chosen");
    let item = null;
    this.line.forEach((_, index) => {
      const line = this.line.slice(0, index + 1);
      if (item && !item.querySelector("ul")) this.turn(item, this.line.slice(0, index));
      item = byId("tree").querySelector(`[data-line="${line.join(" ")}"]`);
    });
    item?.classList.add("chosen");
  }
}

function show(data) {
  return new Page(data);
}
