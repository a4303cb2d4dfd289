/* The board: squares are numbered from red's left corner, rank by rank, as the engine numbers them. Pieces are drawn as discs
   with the letters of the World Xiangqi Federation, which every font has. */

const KINDS = { k: ["K", "king"], a: ["A", "advisor"], b: ["E", "elephant"], n: ["H", "horse"], r: ["R", "rook"], c: ["C", "cannon"], p: ["P", "pawn"] };

/** The letter of a piece as a FEN has it. */
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
  static MARGIN = 44;

  constructor(host) {
    this.flipped = false;
    const width = 2 * Board.MARGIN + (FILES - 1) * Board.CELL, height = 2 * Board.MARGIN + (RANKS - 1) * Board.CELL;
    this.edges = draw("g", {});
    this.marks = draw("g", {});
    this.pieces = draw("g", {});
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Board" });
    svg.append(draw("rect", { class: "wood", width, height }), this.lines(), this.edges, this.pieces, this.marks);
    host.replaceChildren(svg);
  }

  point(square) {
    const file = square % FILES, rank = Math.floor(square / FILES);
    const column = this.flipped ? FILES - 1 - file : file, row = this.flipped ? rank : RANKS - 1 - rank;
    return [Board.MARGIN + column * Board.CELL, Board.MARGIN + row * Board.CELL];
  }

  lines() {
    const at = (step) => Board.MARGIN + step * Board.CELL;
    const line = (column1, row1, column2, row2) => `M${at(column1)} ${at(row1)}L${at(column2)} ${at(row2)}`;
    let path = "";
    for (let row = 0; row < RANKS; row++) path += line(0, row, 8, row);
    for (let column = 1; column < FILES - 1; column++) path += line(column, 0, column, 4) + line(column, 5, column, 9);
    for (const top of [0, 7]) path += line(3, top, 5, top + 2) + line(5, top, 3, top + 2);
    for (const [column, row] of [[1, 2], [7, 2], [1, 7], [7, 7], ...[0, 2, 4, 6, 8].flatMap((column) => [[column, 3], [column, 6]])]) {
      for (const [x, y] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
        if (column + x < 0 || column + x > 8) continue;
        path += `M${at(column) + 5 * x} ${at(row) + 14 * y}v${-9 * y}h${9 * x}`;
      }
    }
    const group = draw("g", {});
    group.append(draw("path", { class: "grid-line", d: path }));
    group.append(draw("rect", { class: "frame", x: at(0), y: at(0), width: 8 * Board.CELL, height: 9 * Board.CELL }));
    // The river is water: names in Chinese would need a font for them.
    for (const [row, column] of [[4.34, 0.35], [4.5, 0.6], [4.66, 0.35]]) {
      group.append(draw("path", { class: "river", d: `M${at(column)} ${at(row)}q20 -11 40 0` + "t40 0".repeat(10) }));
    }
    return group;
  }

  show(position) {
    this.pieces.replaceChildren();
    position.squares.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = this.point(square);
      const side = piece === piece.toUpperCase() ? "r" : "b";
      this.pieces.append(draw("g", { class: "piece " + side, transform: `translate(${x} ${y})` },
        draw("title", {}, nameOf(piece)), draw("circle", { r: 27 }), draw("circle", { class: "ring", r: 22.5 }),
        draw("text", { "text-anchor": "middle", dy: ".35em" }, letterOf(piece))));
    });
    this.showEdges();
    this.marks.replaceChildren();
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

  showEdges() {
    this.edges.replaceChildren();
    for (let file = 0; file < FILES; file++) {
      const [x] = this.point(file);
      this.edges.append(draw("text", { class: "edge", x, y: 2 * Board.MARGIN + 9 * Board.CELL - 4, "text-anchor": "middle" }, "abcdefghi"[file]));
    }
    for (let rank = 0; rank < RANKS; rank++) {
      const [, y] = this.point(rank * FILES);
      this.edges.append(draw("text", { class: "edge", x: 4, y, dy: ".35em" }, String(rank)));
    }
  }
}
