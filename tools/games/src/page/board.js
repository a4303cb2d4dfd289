/* The board: squares are numbered from red's left corner, rank by rank, as the engine numbers them. Lines and pieces come from
   the template `empty-board`; this places them. */

const KINDS = { k: ["K", "king"], a: ["A", "advisor"], b: ["E", "elephant"], n: ["H", "horse"], r: ["R", "rook"], c: ["C", "cannon"], p: ["P", "pawn"] };

/** The letter of the World Xiangqi Federation for a piece of a FEN. */
const letterOf = (piece) => (KINDS[piece.toLowerCase()] || ["?"])[0];
const nameOf = (piece) => (piece === piece.toUpperCase() ? "red " : "black ") + (KINDS[piece.toLowerCase()] || ["", "piece"])[1];

function readFen(fen) {
  const [placement, side, , , quiet, number] = fen.split(" ");
  const squares = new Array(FILES * RANKS).fill("");
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "0" && letter <= "9") file += Number(letter);
      else squares[(RANKS - 1 - index) * FILES + file++] = letter;
    }
  });
  return { squares, side: side === "b" ? "b" : "w", quiet: Number(quiet) || 0, number: Number(number) || 1 };
}

/** Who stands where, and whose turn it is. */
function writeFen({ squares, side }) {
  const rows = [];
  for (let rank = RANKS - 1; rank >= 0; rank--) {
    const row = squares.slice(rank * FILES, rank * FILES + FILES).map((piece) => piece || " ").join("");
    rows.push(row.replace(/ +/g, (gap) => gap.length));
  }
  return rows.join("/") + " " + side;
}

/** All six fields. */
const wholeFen = (position) => `${writeFen(position)} - - ${position.quiet} ${position.number}`;

function squareAt(text, at) {
  return Number(text[at + 1]) * FILES + text.charCodeAt(at) - 97;
}

/** Every position of a game, the start first, and what moved to reach it. */
function replay(start, moves) {
  const positions = [{ ...readFen(start), move: null }];
  for (let at = 0; at < moves.length; at += 4) {
    const last = positions[positions.length - 1];
    const move = { from: squareAt(moves, at), to: squareAt(moves, at + 2), text: moves.slice(at, at + 2) + "-" + moves.slice(at + 2, at + 4) };
    const squares = last.squares.slice();
    move.piece = squares[move.from];
    move.takes = squares[move.to];
    squares[move.to] = move.piece;
    squares[move.from] = "";
    const isRed = last.side === "w";
    positions.push({ squares, side: isRed ? "b" : "w", quiet: move.takes ? 0 : last.quiet + 1, number: last.number + (isRed ? 0 : 1), move });
  }
  return positions;
}

class Board {
  static CELL = 60;
  static MARGIN = 46;

  constructor(host) {
    this.flipped = false;
    this.pieceStyle = "character";
    this.coordinates = "iccs";
    this.svg = document.importNode(byId("empty-board").content.querySelector("svg"), true);
    [this.edges, this.pieces, this.marks, this.arrows] = ["edges", "pieces", "marks", "arrows"].map((name) => draw("g", { class: name }));
    this.svg.append(this.edges, this.pieces, this.marks, this.arrows);
    host.replaceChildren(this.svg);
  }

  get height() {
    return 2 * Board.MARGIN + (RANKS - 1) * Board.CELL;
  }

  point(square) {
    const file = square % FILES, rank = Math.floor(square / FILES);
    const column = this.flipped ? FILES - 1 - file : file, row = this.flipped ? rank : RANKS - 1 - rank;
    return [Board.MARGIN + column * Board.CELL, Board.MARGIN + row * Board.CELL];
  }

  show(position) {
    this.svg.setAttribute("class", `xiangqi ${this.pieceStyle}s`);
    this.pieces.replaceChildren();
    position.squares.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = this.point(square);
      const side = piece === piece.toUpperCase() ? "r" : "b";
      this.pieces.append(draw("g", { class: "piece " + side, transform: `translate(${x} ${y})` }, draw("title", {}, nameOf(piece)), draw("use", { href: `#${this.pieceStyle}-${piece}` })));
    });
    this.showEdges();
    this.marks.replaceChildren();
    this.arrows.replaceChildren();
    if (position.move) {
      this.mark(position.move.from, 14);
      this.mark(position.move.to, 29);
    }
  }

  /** Four corners around a square. */
  mark(square, size) {
    const [x, y] = this.point(square);
    const arm = size / 2.2;
    const corner = (right, down) => `M${x + right * size} ${y + down * (size - arm)}V${y + down * size}H${x + right * (size - arm)}`;
    this.marks.append(draw("path", { class: "mark", d: corner(1, 1) + corner(1, -1) + corner(-1, 1) + corner(-1, -1) }));
  }

  /** An arrow that ends before the centre of its square, so that arrows from two sides do not touch. */
  arrow(from, to, width, kind = "") {
    const [x1, y1] = this.point(from), [x2, y2] = this.point(to);
    const length = Math.hypot(x2 - x1, y2 - y1), [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const head = 12 + width / 2, [tx, ty] = [x2 - dx * 8, y2 - dy * 8], [ex, ey] = [tx - dx * head, ty - dy * head];
    this.arrows.append(
      draw("path", { class: "arrow" + kind, "stroke-width": width, d: `M${x1 + dx * 24} ${y1 + dy * 24}L${ex} ${ey}` }),
      draw("path", { class: "tip" + kind, d: `M${tx} ${ty}L${ex - dy * head * 0.7} ${ey + dx * head * 0.7}L${ex + dy * head * 0.7} ${ey - dx * head * 0.7}Z` }));
  }

  /** Labels that fit the notation: letters and ranks, or the files as each side counts them. */
  showEdges() {
    this.edges.replaceChildren();
    const text = (x, y, label) => this.edges.append(draw("text", { class: "edge", x, y }, String(label)));
    const numeral = (x, y, number) => this.edges.append(draw("g", { class: "edge", transform: `translate(${x} ${y - 5})` }, draw("use", { href: `#numeral-${number}` })));
    const [redY, blackY] = this.flipped ? [14, this.height - 5] : [this.height - 5, 14];
    for (let file = 0; file < FILES; file++) {
      const [x] = this.point(file);
      if (this.coordinates === "iccs") text(x, this.height - 5, "abcdefghi"[file]);
      else {
        (this.coordinates === "chinese" ? numeral : text)(x, redY, FILES - file);
        text(x, blackY, file + 1);
      }
    }
    for (let rank = 0; rank < RANKS && this.coordinates === "iccs"; rank++) text(9, this.point(rank * FILES)[1] + 5, rank);
  }

  /** The board as an SVG file: with the colours of this page, and only with the drawings in use. */
  file() {
    const svg = this.svg.cloneNode(true), colours = getComputedStyle(document.documentElement);
    const used = new Set([...svg.querySelectorAll("use")].map((use) => use.getAttribute("href").slice(1)));
    for (const drawing of svg.querySelectorAll("defs > *")) if (!used.has(drawing.id)) drawing.remove();
    const style = svg.querySelector("style");
    style.textContent = style.textContent.replace(/var\((--[\w-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
    svg.setAttribute("width", 2 * Board.MARGIN + (FILES - 1) * Board.CELL);
    svg.setAttribute("height", this.height);
    return new XMLSerializer().serializeToString(svg);
  }

  /** Saves the board as `NAME.svg` or `NAME.png`. */
  async save(name, kind) {
    const vector = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(this.file());
    const link = byId("saved-board") || document.body.appendChild(make("a", { id: "saved-board", hidden: "" }));
    link.download = `${name}.${kind}`;
    link.href = kind === "png" ? await this.pixels(vector) : vector;
    link.click();
  }

  /** The picture as PNG, twice as large as it is drawn. */
  async pixels(vector) {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = vector;
    });
    const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  }
}
