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
    this.choices = new Choices(byId("choices"), "wxf", () => this.redraw());
    this.choices.applyTo(this.board);
    this.line = [];
    byId("title").textContent = data.title;
    byId("about").textContent = `${data.moves} moves in the book; ${data.positions.length} positions on this page${data.is_cut ? ", those nearest to its start" : ""}.`;
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.go(button.dataset.go));
    for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => this.board.save("book" + this.line.map((mv) => "-" + mv).join(""), button.dataset.save));
    const keys = { ArrowLeft: "back", ArrowRight: "main", Home: "start", f: "flip", l: "letters" };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("select") || !keys[event.key]) return;
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
      case "letters":
        return this.choices.choose("pieces", this.choices.pieces === "letter" ? "character" : "letter");
    }
  }

  /** Draws the same line by other choices, with a new tree. */
  redraw() {
    this.choices.applyTo(this.board);
    byId("tree").replaceChildren(...this.branches([]));
    this.show(this.line);
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
    for (const move of [...this.moves].reverse()) {
      if (move.forbidden) continue;
      this.board.arrow(squareAt(move.mv, 0), squareAt(move.mv, 2), 4 + 8 * shareOf(move, this.moves), move.weight === null ? " other" : "");
    }
  }

  showMoves() {
    const row = (move) => {
      const share = shareOf(move, this.moves), bar = make("i", {});
      bar.style.width = 100 * share + "%";
      const line = make("tr", { "data-move": move.mv },
        make("td", { class: move.forbidden ? "forbidden" : "" }, make("b", {}, this.choices.moveText(move.mv, move.names))),
        make("td", { class: move.weight === null ? "number absent" : "number" }, move.weight === null ? "not in the book" : move.forbidden ? "forbidden" : String(move.weight)),
        make("td", { class: "share" }, make("span", { class: "bar" }, bar), percent(share)),
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
      const mv = this.line[ply - 1];
      const name = ply ? this.choices.moveText(mv, this.book.after(before).find((move) => move.mv === mv)?.names) : "start";
      const number = ply && (before.side === "w" || ply === 1) ? before.number + (before.side === "w" ? ". " : "... ") : "";
      const button = make("button", { type: "button" }, number, name);
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
      const name = make("button", { type: "button", class: "name" }, this.choices.moveText(move.mv, move.names));
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
