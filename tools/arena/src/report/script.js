"use strict";

const SVG = "http://www.w3.org/2000/svg";
const PIECES = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
const FILES = 9, RANKS = 10;
const MATE = 100000, MATES_FROM = 90000;
const RESULTS = ["0-1", "½-½", "1-0", "*"];

/* Elements. Text goes in as text only, so no name can become markup. */

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const byId = (id) => document.getElementById(id);
const number = (text) => make("td", { class: "number" }, String(text));

/* Numbers for people. */

const fixed = (value) => value.toFixed(2).replace("-", "−");

function seconds(ms) {
  return ms < 9950 ? (ms / 1000).toFixed(2) + " s" : (ms / 1000).toFixed(1) + " s";
}

function evalText(value) {
  if (value === null) return "–";
  const sign = value < 0 ? "−" : "+";
  if (Math.abs(value) > MATES_FROM) return sign + "M" + (MATE - Math.abs(value));
  return sign + (Math.abs(value) / 100).toFixed(2);
}

/* Charts: axes in the unit of the data, drawn to the width of their place. */

function steps(low, high, most) {
  const raw = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) ticks.push(Number(tick.toPrecision(12)));
  return ticks;
}

class Chart {
  constructor(host, { x, y, height, xTicks, yTicks, label = String, unit = "" }) {
    this.host = host;
    this.width = Math.max(host.clientWidth, 240);
    this.height = height;
    this.edges = { left: 44, right: 10, top: 8, bottom: 22 };
    this.x = x;
    this.y = y;
    this.svg = draw("svg", { viewBox: `0 0 ${this.width} ${height}`, role: "img" });
    for (const tick of yTicks || steps(y[0], y[1], 5)) {
      const at = this.atY(tick);
      this.add("line", { class: tick === 0 ? "zero" : "tick", x1: this.edges.left, x2: this.width - this.edges.right, y1: at, y2: at });
      this.add("text", { x: this.edges.left - 6, y: at + 4, "text-anchor": "end" }).append(label(tick));
    }
    for (const tick of xTicks || steps(x[0], x[1], Math.min(8, this.width / 60)).filter(Number.isInteger)) {
      this.add("text", { x: this.atX(tick), y: height - 6, "text-anchor": "middle" }).append(String(tick));
    }
    if (unit) this.add("text", { x: this.width - this.edges.right, y: height - 24, "text-anchor": "end" }).append(unit);
    host.replaceChildren(this.svg);
  }

  atX(value) {
    const { left, right } = this.edges;
    return left + ((value - this.x[0]) / (this.x[1] - this.x[0] || 1)) * (this.width - left - right);
  }

  atY(value) {
    const { top, bottom } = this.edges;
    const inside = Math.min(Math.max(value, this.y[0]), this.y[1]);
    return top + ((this.y[1] - inside) / (this.y[1] - this.y[0] || 1)) * (this.height - top - bottom);
  }

  /** What lies under a pointer. */
  valueAtX(clientX) {
    const box = this.svg.getBoundingClientRect();
    const { left, right } = this.edges;
    const share = ((clientX - box.left) * (this.width / box.width) - left) / (this.width - left - right);
    return this.x[0] + share * (this.x[1] - this.x[0]);
  }

  add(tag, attributes) {
    const element = draw(tag, attributes);
    this.svg.append(element);
    return element;
  }

  path(points) {
    return points.map(([x, y], index) => `${index ? "L" : "M"}${this.atX(x).toFixed(1)} ${this.atY(y).toFixed(1)}`).join("");
  }

  line(points, kind) {
    if (points.length === 1) {
      this.add("circle", { class: kind, cx: this.atX(points[0][0]), cy: this.atY(points[0][1]), r: 2 });
    } else if (points.length) {
      this.add("path", { class: kind, d: this.path(points) });
    }
  }

  band(low, high) {
    if (low.length > 1) this.add("path", { class: "band", d: this.path(low) + this.path([...high].reverse()).replace("M", "L") + "Z" });
  }
}

/* The board: squares are numbered from red's left corner, rank by rank, as the engine numbers them. */

function readFen(fen) {
  const [placement, side] = fen.split(" ");
  const squares = new Array(FILES * RANKS).fill("");
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "0" && letter <= "9") file += Number(letter);
      else squares[(RANKS - 1 - index) * FILES + file++] = letter;
    }
  });
  return { squares, side: side === "b" ? "b" : "w" };
}

function writeFen({ squares, side }) {
  const rows = [];
  for (let rank = RANKS - 1; rank >= 0; rank--) {
    const row = squares.slice(rank * FILES, rank * FILES + FILES).map((piece) => piece || " ").join("");
    rows.push(row.replace(/ +/g, (gap) => gap.length));
  }
  return rows.join("/") + " " + side;
}

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
    positions.push({ squares, side: last.side === "w" ? "b" : "w", move });
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
    for (const [column, text] of [[2, "楚河"], [6, "漢界"]]) {
      group.append(draw("text", { class: "river", x: at(column) + 6, y: at(4.5), "text-anchor": "middle", dy: ".35em" }, text));
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
        draw("circle", { r: 27 }), draw("circle", { class: "ring", r: 22.5 }),
        draw("text", { "text-anchor": "middle", dy: ".35em" }, PIECES[piece])));
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

/* The replay of one game. */

class Viewer {
  constructor(data) {
    this.data = data;
    this.board = new Board(byId("board"));
    this.game = null;
    this.ply = 0;
    this.timer = null;
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.go(button.dataset.go));
    byId("curve").addEventListener("click", (event) => this.game && this.show(Math.round(this.chart.valueAtX(event.clientX))));
    byId("moves").addEventListener("click", (event) => {
      const item = event.target.closest("li[data-ply]");
      if (item) this.show(Number(item.dataset.ply));
    });
  }

  get last() {
    return this.positions.length - 1;
  }

  open(game, ply) {
    this.stop();
    this.game = game;
    const { engines, starts, endings } = this.data;
    const [fen, opening] = starts[game.start];
    this.positions = replay(fen, game.moves);
    const about = [`game ${game.number}`, `round ${game.round}`, opening, game.clock, game.text || endings[game.ending].label];
    byId("players").replaceChildren(
      make("b", { class: "red" }, "帥 " + engines[game.red].name), make("b", {}, RESULTS[game.result]),
      make("b", { class: "black" }, "將 " + engines[game.black].name), make("small", {}, about.filter(Boolean).join(" · ")));
    this.listMoves(fen);
    this.drawCurve();
    this.show(ply);
  }

  /** 0 for a move of red. */
  moverOf(ply) {
    return this.positions[ply - 1].side === "w" ? 0 : 1;
  }

  /** What the mover said before the move that led to `ply`, as red sees it. */
  evalAt(ply) {
    const value = ply > 0 ? this.game.evals[ply - 1] : null;
    return value === null || value === undefined ? null : this.moverOf(ply) ? -value : value;
  }

  listMoves(fen) {
    const items = [];
    let count = Number(fen.split(" ")[5]) || 1;
    for (let ply = 1; ply <= this.last; ply++) {
      const isRed = this.moverOf(ply) === 0;
      if (isRed || ply === 1) items.push(make("li", { class: "no" }, count + "."));
      if (!isRed && ply === 1) items.push(make("li", { class: "no" }, "…"));
      if (!isRed) count++;
      const move = this.positions[ply].move;
      items.push(make("li", { "data-ply": ply }, make("span", { class: isRed ? "red" : "black" }, PIECES[move.piece] || "?"), " " + move.text + " ",
        make("small", {}, evalText(this.evalAt(ply)))));
    }
    byId("moves").replaceChildren(...items);
  }

  drawCurve() {
    // The curve bends so that what decides a game and what is lost anyway both fit.
    const bend = (value) => 2 / (1 + Math.exp(-value / 300)) - 1;
    const ticks = [-800, -300, 0, 300, 800];
    const labels = new Map(ticks.map((tick) => [bend(tick), evalText(tick).replace(/\.00$/, "")]));
    this.chart = new Chart(byId("curve"), { x: [0, Math.max(this.last, 1)], y: [-1, 1], height: 170, yTicks: [...labels.keys()], label: (tick) => tick === 0 ? "0" : labels.get(tick) });
    for (const [side, kind] of [[0, "s1"], [1, "s0"]]) {
      const points = [];
      for (let ply = 1; ply <= this.last; ply++) {
        const value = this.evalAt(ply);
        if (this.moverOf(ply) === side && value !== null) points.push([ply, bend(value)]);
      }
      this.chart.line(points, kind);
    }
    this.cursor = this.chart.add("line", { class: "cursor", y1: 4, y2: 150 });
  }

  show(ply) {
    this.ply = Math.min(Math.max(Number.isFinite(ply) ? ply : 0, 0), this.last);
    const position = this.positions[this.ply];
    this.board.show(position);
    const viewer = byId("viewer");
    viewer.dataset.game = this.game.number;
    viewer.dataset.ply = this.ply;
    viewer.dataset.fen = writeFen(position);
    const x = this.chart.atX(this.ply);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.describe(position);
    const moves = byId("moves");
    moves.querySelector(".chosen")?.classList.remove("chosen");
    const item = moves.querySelector(`[data-ply="${this.ply}"]`);
    item?.classList.add("chosen");
    // Not scrollIntoView, which would move the page too.
    if (item) moves.scrollTop = item.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    else moves.scrollTop = 0;
    history.replaceState(null, "", `#game=${this.game.number}&ply=${this.ply}`);
    if (this.ply === this.last) this.stop();
  }

  describe(position) {
    const now = byId("now");
    if (!position.move) {
      now.replaceChildren(make("b", {}, "Start"), this.data.starts[this.game.start][1] ? " · " + this.data.starts[this.game.start][1] : "");
      return;
    }
    const index = this.ply - 1;
    const details = [
      evalText(this.evalAt(this.ply)) + " for red", this.game.depths[index] ? "depth " + this.game.depths[index] : "", seconds(this.game.times[index]),
      position.move.takes ? "takes " + PIECES[position.move.takes] : "", `ply ${this.ply} of ${this.last}`,
    ];
    const isRed = this.moverOf(this.ply) === 0;
    now.replaceChildren(make("b", { class: isRed ? "red" : "black" }, `${PIECES[position.move.piece] || "?"} ${position.move.text}`), " · " + details.filter(Boolean).join(" · "));
  }

  go(where) {
    if (!this.game) return;
    switch (where) {
      case "first": return this.show(0);
      case "back": return this.show(this.ply - 1);
      case "on": return this.show(this.ply + 1);
      case "last": return this.show(this.last);
      case "play": return this.timer ? this.stop() : this.play();
      case "flip":
        this.board.flipped = !this.board.flipped;
        return this.board.show(this.positions[this.ply]);
    }
  }

  play() {
    if (this.ply === this.last) this.show(0);
    this.timer = setInterval(() => this.show(this.ply + 1), 600);
    document.querySelector("[data-go=play]").textContent = "Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    document.querySelector("[data-go=play]").textContent = "Play";
  }
}

/* The list of games. */

class GameList {
  constructor(data, choose) {
    this.data = data;
    this.choose = choose;
    this.shown = data.games;
    const engines = data.engines.map((engine, index) => [index, engine.name]);
    const options = [["", "all results"], ...engines.flatMap(([index, name]) => [[`${index} 2`, name + " wins"], [`${index} 0`, name + " loses"]]), ["- 1", "draws"]];
    fill(byId("filter-engine"), {}, options.map(([value, text]) => make("option", { value }, text)));
    fill(byId("filter-ending"), {}, [make("option", { value: "" }, "all endings"), ...data.endings.map((ending, index) => make("option", { value: index }, ending.label))]);
    for (const id of ["filter-engine", "filter-ending"]) byId(id).addEventListener("change", () => this.filter());
    this.body = byId("games").tBodies[0];
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) this.choose(this.byNumber(Number(row.dataset.number)));
    });
    this.rows = new Map(data.games.map((game) => [game.number, this.row(game)]));
    this.filter();
  }

  byNumber(wanted) {
    return this.data.games.find((game) => game.number === wanted);
  }

  row(game) {
    const { engines, endings } = this.data;
    const ending = endings[game.ending];
    const name = (index, won) => make("td", { class: won ? "win" : "" }, engines[index].name);
    return make("tr", { class: "choice", "data-number": game.number, title: game.text },
      make("td", {}, String(game.number)), name(game.red, game.result === 2), name(game.black, game.result === 0),
      make("td", { class: "tight" }, RESULTS[game.result]), make("td", { class: ending.is_failure ? "fail" : "" }, ending.label), number(Math.ceil(game.moves.length / 8)));
  }

  filter() {
    const [engine, half] = byId("filter-engine").value.split(" ");
    const ending = byId("filter-ending").value;
    this.shown = this.data.games.filter((game) => {
      const asRed = game.red === Number(engine) ? game.result : game.black === Number(engine) && game.result < 3 ? 2 - game.result : null;
      const fitsResult = !engine || (engine === "-" ? game.result === 1 : asRed === Number(half));
      return fitsResult && (ending === "" || game.ending === Number(ending));
    });
    this.body.replaceChildren(...this.shown.map((game) => this.rows.get(game.number)));
    byId("count").textContent = `${this.shown.length} of ${this.data.games.length} games`;
  }

  mark(game) {
    this.body.querySelector(".chosen")?.classList.remove("chosen");
    const row = this.rows.get(game.number);
    row.classList.add("chosen");
    const box = this.body.closest(".rows");
    if (row.offsetTop < box.scrollTop + 40 || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }

  neighbour(game, step) {
    return this.shown[this.shown.indexOf(game) + step];
  }
}

/* What the match says. */

function showHead(data) {
  byId("title").textContent = data.title;
  const engines = data.engines.filter((engine) => engine.details).map((engine) => [engine.name, engine.details]);
  byId("conditions").append(...[...data.conditions, ...engines].map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

const RECORD = ({ wins, draws, losses }) => `+${wins} =${draws} −${losses}`;

function showVerdict(data) {
  const host = byId("verdict");
  if (data.engines.length !== 2 || !data.pairings.length) return host.remove();
  const { total, red_score: redScore } = data.pairings[0];
  const games = total.wins + total.draws + total.losses;
  const names = data.engines.map((engine) => engine.name);
  host.append(make("div", { class: "duel" }, make("span", {}, names[0]), make("span", {}, `${total.points} – ${games - total.points}`), make("span", {}, names[1])));
  const shares = [["won", total.wins], ["drawn", total.draws], ["lost", total.losses]].filter(([, count]) => count);
  host.append(make("div", { class: "share" }, ...shares.map(([kind, count]) => {
    const share = make("div", { class: kind, title: `${count} ${kind}` }, String(count));
    share.style.flex = `${count} 0 0`;
    return share;
  })));
  const figures = [["Score", total.score], ["Elo", total.elo], ["Normalised Elo", total.normalised_elo], ["Likely stronger", total.superiority],
    ["Draws", total.draw_ratio], ["Pairs ratio", total.pairs_ratio], ["Red scores", redScore]];
  host.append(make("dl", { class: "figures" }, ...figures.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value ?? "–")))));
  if (data.sprt) host.append(gauge(data.sprt));
}

function gauge({ test, ratio, lower, upper, decision }) {
  const share = Math.min(Math.max((ratio - lower) / (upper - lower), 0), 1);
  const needle = make("div", { class: "needle" });
  needle.style.left = 100 * share + "%";
  return make("div", { class: "gauge" },
    make("div", { class: "ends" }, make("span", {}, `SPRT ${test}`), make("b", {}, `LLR ${fixed(ratio)} · ${decision}`)),
    make("div", { class: "track" }, needle),
    make("div", { class: "ends" }, make("span", {}, fixed(lower) + " H0"), make("span", {}, "H1 " + fixed(upper))));
}

function showCrosstable(data) {
  const host = byId("crosstable");
  if (!data.pairings.length) return byId("crosstable-card").remove();
  const cells = new Map();
  for (const { engines: [first, second], total } of data.pairings) {
    cells.set(`${first} ${second}`, total);
    cells.set(`${second} ${first}`, { wins: total.losses, draws: total.draws, losses: total.wins, points: total.losses + total.draws / 2 });
  }
  const games = ({ wins, draws, losses }) => wins + draws + losses;
  const rate = ({ total }) => (games(total) ? total.points / games(total) : 0);
  const order = data.engines.map((engine, index) => ({ ...engine, index })).sort((a, b) => rate(b) - rate(a));
  const head = ["", "Engine", "Points", "Elo", ...order.map((_, rank) => rank + 1)];
  const row = (engine, rank) => make("tr", {}, make("td", {}, String(rank + 1)), make("td", {}, engine.name),
    make("td", { class: "number" }, `${engine.total.points} / ${games(engine.total)}`, make("small", {}, RECORD(engine.total))), number(engine.total.elo ?? "–"),
    ...order.map((other) => {
      const cell = cells.get(`${engine.index} ${other.index}`);
      return make("td", { class: "centre" }, ...(cell ? [String(cell.points), make("small", {}, RECORD(cell))] : ["·"]));
    }));
  host.append(make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text, index) => make("th", { class: index > 3 ? "centre" : index > 1 ? "number" : "" }, String(text))))), make("tbody", {}, ...order.map(row))));
}

function showPairing(data, pairing) {
  const names = pairing.engines.map((index) => data.engines[index].name);
  const points = pairing.elo_by_games;
  if (points.length) {
    const settled = points.slice(Math.floor(points.length / 8));
    const reach = Math.min(Math.max(30, ...settled.map(([, , low, high]) => Math.max(Math.abs(low), Math.abs(high)))), 600);
    const chart = new Chart(byId("elo"), { x: [0, points[points.length - 1][0]], y: [-reach, reach], height: 210, unit: "games" });
    chart.band(points.map(([games, , low]) => [games, low]), points.map(([games, , , high]) => [games, high]));
    chart.line(points.map(([games, elo]) => [games, elo]), "s0");
  }
  const { total } = pairing;
  byId("elo-note").textContent = `${names[0]} against ${names[1]}: ${total.elo ?? "–"} with 95 % confidence.`;
  const most = Math.max(1, ...total.pairs);
  const colours = ["#a8443b", "#c98a80", "var(--draw)", "#86b79c", "#2f7d55"];
  byId("pairs").replaceChildren(...total.pairs.map((count, index) => {
    const bar = make("div", { class: "bar" });
    bar.style.height = `${(75 * count) / most}%`;
    bar.style.background = colours[index];
    return make("div", {}, make("b", {}, String(count)), bar, make("small", {}, ["0", "½", "1", "1½", "2"][index]));
  }));
  byId("pairs-note").textContent = `Points of ${names[0]} in the two games of an opening.`;
}

function showTimes(data) {
  const engines = data.engines.slice(0, 6);
  const points = engines.flatMap((engine) => engine.time);
  if (!points.length) return;
  const most = Math.max(...points.map(([, , slow]) => slow)) / 1000;
  const chart = new Chart(byId("time"), { x: [1, Math.max(...points.map(([move]) => move))], y: [0, most || 0.001], height: 210, unit: "move" });
  engines.forEach((engine, index) => {
    chart.line(engine.time.map(([move, median]) => [move, median / 1000]), "s" + index);
    chart.line(engine.time.map(([move, , slow]) => [move, slow / 1000]), `s${index} dashed`);
  });
  byId("time-legend").replaceChildren(...engines.map((engine, index) => make("li", { class: "s" + index }, engine.name)));
}

function showEndings(data) {
  const row = (ending, index) => {
    const line = make("tr", { class: "choice" }, make("td", { class: ending.is_failure ? "fail" : "" }, ending.label), number(ending.red || ""), number(ending.draws || ""), number(ending.black || ""));
    line.addEventListener("click", () => {
      byId("filter-ending").value = index;
      byId("filter-ending").dispatchEvent(new Event("change"));
      byId("games").scrollIntoView({ behavior: "smooth", block: "center" });
    });
    return line;
  };
  byId("endings").append(make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, ""), ...["Red wins", "Drawn", "Black wins"].map((text) => make("th", { class: "number" }, text)))), make("tbody", {}, ...data.endings.map(row))));
}

/* All together. */

function report(data) {
  showHead(data);
  showVerdict(data);
  showCrosstable(data);
  showEndings(data);
  const select = byId("pairing");
  fill(select, {}, data.pairings.map(({ engines: [a, b] }, index) => make("option", { value: index }, `${data.engines[a].name} – ${data.engines[b].name}`)));
  select.hidden = data.pairings.length < 2;
  const charts = () => {
    const pairing = data.pairings[Number(select.value)];
    if (pairing) showPairing(data, pairing);
    showTimes(data);
  };
  select.addEventListener("change", charts);
  charts();

  const viewer = new Viewer(data);
  const open = (game, ply) => {
    if (!game) return;
    viewer.open(game, ply);
    list.mark(game);
  };
  const list = new GameList(data, (game) => {
    open(game, 0);
    if (window.matchMedia("(max-width: 760px)").matches) byId("viewer").scrollIntoView({ behavior: "smooth" });
  });

  const fromAddress = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    open(list.byNumber(Number(wanted.get("game"))) || data.games[0], Number(wanted.get("ply") || 0));
  };
  window.addEventListener("hashchange", fromAddress);
  fromAddress();

  let width = innerWidth;
  window.addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    charts();
    if (viewer.game) {
      viewer.drawCurve();
      viewer.show(viewer.ply);
    }
  });

  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play", f: "flip" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("select, input, textarea")) return;
    if (event.key === " " && event.target.closest?.("button")) return;
    if (event.key === "[" || event.key === "]") {
      if (viewer.game) open(list.neighbour(viewer.game, event.key === "[" ? -1 : 1), 0);
    } else if (keys[event.key]) {
      event.preventDefault();
      viewer.go(keys[event.key]);
    }
  });
}
