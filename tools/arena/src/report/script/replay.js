/* The replay of one game. */

const PGN_RESULTS = ["0-1", "1/2-1/2", "1-0", "*"];

/** Puts a text where it can be taken from, and onto the clipboard where the browser lets us. */
function copy(text) {
  const place = byId("copied");
  place.hidden = false;
  place.textContent = text;
  place.value = text;
  place.select();
  document.execCommand("copy");
}

class Viewer {
  constructor(data) {
    this.data = data;
    this.board = new Board(byId("board"));
    this.choices = new Choices(byId("choices"), "iccs", () => this.redraw());
    this.choices.applyTo(this.board);
    this.game = null;
    this.ply = 0;
    this.timer = null;
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => this.go(button.dataset.go));
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => this.game && copy(button.dataset.copy === "fen" ? wholeFen(this.positions[this.ply]) : this.pgn()));
    for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => this.game && this.board.save(`game-${this.game.number}-ply-${this.ply}`, button.dataset.save));
    byId("curve").addEventListener("click", (event) => this.game && this.show(Number(event.target.closest("[data-ply]")?.dataset.ply || Math.round(this.chart.valueAtX(event.clientX)))));
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
    this.mistakes = new Map(game.mistakes.map(([index, weight]) => [index + 1, weight]));
    this.variations = new Map((game.variations || []).map((variation) => [variation.index + 1, variation]));
    byId("mistakes-legend").hidden = !this.mistakes.size;
    const about = [`game ${game.number}`, `round ${game.round}`, opening, game.clock, game.text || endings[game.ending].label];
    byId("players").replaceChildren(
      make("b", { class: "red" }, make("i", { class: "disc" }), engines[game.red].name), make("b", {}, RESULTS[game.result]),
      make("b", { class: "black" }, make("i", { class: "disc" }), engines[game.black].name), make("small", {}, about.filter(Boolean).join(" · ")));
    this.listMoves(fen);
    this.drawCurve();
    this.show(ply);
  }

  /** Draws the same position by other choices. */
  redraw() {
    this.choices.applyTo(this.board);
    if (!this.game) return;
    this.listMoves(this.data.starts[this.game.start][0]);
    this.show(this.ply);
  }

  /** The move that led to a ply, in the chosen notation, with the mark of a mistake. */
  moveText(ply) {
    const text = this.choices.moveText(this.game.moves.slice(4 * ply - 4, 4 * ply), this.data.names[this.game.names[ply - 1]]);
    const mark = ["", "?", "??"][this.mistakes.get(ply) || 0];
    if (mark) text.append(make("b", { class: "mistake" }, mark));
    text.classList.add("move", this.moverOf(ply) === 0 ? "red" : "black");
    return text;
  }

  /** The game as PGN, its moves in ICCS. */
  pgn() {
    const { game, data } = this;
    const [fen, opening] = data.starts[game.start];
    const tags = [["Game", "Chinese Chess"], ["Event", data.title], ["Round", game.round], ["Red", data.engines[game.red].name], ["Black", data.engines[game.black].name],
      ["Result", PGN_RESULTS[game.result]], ...(opening ? [["Opening", opening]] : []), ["FEN", fen], ["Format", "ICCS"], ["Ending", game.text]];
    let moves = "";
    for (let ply = 1; ply <= this.last; ply++) {
      const isRed = this.moverOf(ply) === 0;
      if (isRed || ply === 1) moves += `${this.positions[ply - 1].number}.${isRed ? "" : ".."} `;
      moves += this.positions[ply].move.text.toUpperCase() + (isRed ? " " : "\n");
    }
    return tags.map(([name, value]) => `[${name} "${String(value).replace(/\\/g, "\\\\").replace(/"/g, "'")}"]\n`).join("") + `\n${moves}${PGN_RESULTS[game.result]}\n`;
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
      items.push(make("li", { "data-ply": ply }, this.moveText(ply), make("small", {}, evalText(this.evalAt(ply)))));
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
    for (const [ply, weight] of this.mistakes) {
      const value = bend(this.evalAt(ply)), isRed = this.moverOf(ply) === 0;
      const mark = this.chart.add("circle", { class: `mistake ${isRed ? "s1" : "s0"}`, "data-ply": ply, cx: this.chart.atX(ply), cy: this.chart.atY(value), r: 2 + 2 * weight });
      mark.append(draw("title", {}, `${weight > 1 ? "blunder" : "mistake"} of ${isRed ? "red" : "black"}`));
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

  /** The variation of the engine that has just moved; a click shows the position after a move of it. */
  showVariation() {
    const variation = this.variations.get(this.ply), host = byId("variation");
    host.hidden = !this.variations.size;
    host.replaceChildren();
    if (!variation) return;
    const before = this.positions[this.ply - 1];
    const after = replay(`${writeFen(before)} - - ${before.quiet} ${before.number}`, variation.moves);
    variation.names.forEach((place, index) => {
      const side = after[index].side, number = side === "w" || index === 0 ? `${after[index].number}.${side === "w" ? "" : ".."} ` : "";
      const step = make("button", { type: "button", class: side === "w" ? "red" : "black" }, number, this.choices.moveText(variation.moves.slice(4 * index, 4 * index + 4), this.data.names[place]));
      step.addEventListener("click", () => {
        this.stop();
        this.board.show(after[index + 1]);
        byId("viewer").dataset.fen = writeFen(after[index + 1]);
        host.querySelector(".chosen")?.classList.remove("chosen");
        step.classList.add("chosen");
      });
      host.append(step);
    });
  }

  describe(position) {
    this.showVariation();
    const now = byId("now");
    if (!position.move) {
      now.replaceChildren(make("b", {}, "Start"), this.data.starts[this.game.start][1] ? " · " + this.data.starts[this.game.start][1] : "");
      return;
    }
    const index = this.ply - 1;
    const details = [
      this.evalAt(this.ply) === null ? "" : evalText(this.evalAt(this.ply)) + " for red", this.game.depths[index] ? "depth " + this.game.depths[index] : "", seconds(this.game.times[index]),
      position.move.takes ? "takes the " + nameOf(position.move.takes) : "", `ply ${this.ply} of ${this.last}`,
    ];
    now.replaceChildren(make("b", {}, this.moveText(this.ply)), " · " + details.filter(Boolean).join(" · "));
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
      case "letters":
        return this.choices.choose("pieces", this.choices.pieces === "letter" ? "character" : "letter");
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
    const options = [["", "all results"], ...engines.flatMap(([index, name]) => [[`${index} *`, "games of " + name], [`${index} 2`, name + " wins"], [`${index} 0`, name + " loses"]]), ["- 1", "draws"]];
    fill(byId("filter-engine"), {}, options.map(([value, text]) => make("option", { value }, text)));
    fill(byId("filter-ending"), {}, [make("option", { value: "" }, "all endings"), ...data.endings.map((ending, index) => make("option", { value: index }, `${ending.label} (${ending.games})`))]);
    fill(byId("filter-opening"), {}, [make("option", { value: "" }, "all openings"), ...data.starts.map(([, name], index) => make("option", { value: index }, `${index + 1}. ${name || "without a name"}`))]);
    byId("filter-opening").hidden = data.starts.length < 2;
    for (const id of ["filter-engine", "filter-opening", "filter-ending"]) byId(id).addEventListener("change", () => this.filter());
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
    const ending = byId("filter-ending").value, opening = byId("filter-opening").value;
    this.shown = this.data.games.filter((game) => {
      const asRed = game.red === Number(engine) ? game.result : game.black === Number(engine) && game.result < 3 ? 2 - game.result : null;
      const plays = game.red === Number(engine) || game.black === Number(engine);
      const fitsResult = !engine || (engine === "-" ? game.result === 1 : half === "*" ? plays : asRed === Number(half));
      return fitsResult && (opening === "" || game.start === Number(opening)) && (ending === "" || game.ending === Number(ending));
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
