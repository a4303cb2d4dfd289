/* The view that watches: matches of the arena by their journals, and engines against each other on this page. */

import { make } from "/xiangqi.js";
import { Curve } from "./curve.js";
import { Duel } from "./duel.js";
import { Game } from "./game.js";
import { expectation, troubleText } from "./format.js";
import { MoveList } from "./moves.js";
import { button, checkbox, field, icon, iconButton, notify, offer, onceAFrame, segments, select, steadily } from "./parts.js";
import { steps } from "./steps.js";
import { t, textOr } from "./words.js";

/** Games in the list; milliseconds between two moves of a replay, between two looks for a first journal, and that the end of a game is shown. */
const ROWS = 300, PACE = 700, LOOK = 2000, REST = 3000;

export class Watch {
  name = "watch";

  constructor(desk, link, store, analyseIt) {
    this.desk = desk;
    this.link = link;
    this.store = store;
    const before = store.part("watch", () => this.state()) ?? {};
    this.game = before.game ? Game.from(before.game) : null;
    /* `source` is `arena` or `duel`; `name` the journal, `number` the game, `live` whether the match is followed, `part` whether the game was under way when it was read. */
    this.choice = { source: "arena", name: "", number: null, live: true, part: false, ...before.choice };
    this.forget();
    /* What the journal says of the game, if it is one of a match, and the game of the other source. */
    this.about = before.about ?? null;
    this.other = before.other ? { game: Game.from(before.other.game), about: before.other.about } : null;
    this.job = null;
    this.list = onceAFrame(() => this.drawGames());
    this.build(analyseIt, before.duel);
    desk.addEventListener("shown", () => this.isOpen && this.shown());
  }

  state() {
    const kept = (one) => one?.game && { game: one.game.toMessage(true), about: one.about };
    return { ...kept(this), other: kept(this.other), choice: this.choice, duel: this.duel.state() };
  }

  get isOpen() {
    return this.desk.view === this;
  }

  build(analyseIt, before) {
    const { desk, link } = this;
    this.duel = new Duel(this, before);
    this.sources = segments([["arena", "matches-of-the-arena"], ["duel", "engine-against-engine"]], this.choice.source, (source) => this.setSource(source), { id: "watch-source" });
    this.journal = select([], "", (name) => this.watch(name), { plain: true, id: "journal", "data-t-title": "journal" });
    this.empty = make("p", { class: "note" });
    this.standing = make("div", { class: "standing", id: "standing" });
    this.body = make("tbody", {});
    this.drawGames = steadily(this.body, () => this.renderGames());
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-number]");
      if (!row) return;
      this.setLive(false);
      this.openGame(Number(row.dataset.number));
    });
    this.live = checkbox("follow-live", this.choice.live, (live) => this.setLive(live), { id: "follow-live" });
    this.arena = make("section", { class: "card" }, make("div", { class: "row" }, field("journal", this.journal), iconButton("refresh", "refresh", () => this.refresh())), this.empty, this.standing, this.live,
      make("div", { class: "game-rows", id: "journal-games" }, make("table", {}, this.body)));
    const list = make("div", { id: "watch-moves" });
    this.moves = new MoveList(list, desk, this);
    this.curve = new Curve(make("div", { class: "curve", "data-t-title": "curve" }), desk, this);
    this.below = this.curve.host;
    this.player = iconButton("play", "replay", () => this.replay(), { "data-step": "replay" });
    this.says = make("p", { class: "says", id: "watch-says" });
    this.element = make("div", { class: "view", id: "view-watch" }, this.sources, this.arena, this.duel.element,
      make("section", { class: "card moves-card" }, this.says, list, steps(desk, this.player), make("div", { class: "row tools" }, button("analyse-game", () => analyseIt(this.game)))));
    this.renderSource();
    this.say();
  }

  welcome(hello) {
    this.game ??= new Game(hello.start);
    this.duel.welcome(hello);
  }

  enter() {
    this.desk.open(this, this.game);
    this.refresh();
    clearInterval(this.looking);
    this.looking = setInterval(() => !this.choice.name && this.refresh(), LOOK);
    this.duel.resume();
  }

  leave() {
    this.pause();
    clearInterval(this.looking);
    this.job?.stop();
    this.job?.close();
    this.job = null;
  }

  resume() {
    this.job = null;
    this.refresh();
    this.duel.resume();
  }

  mayMove() {
    return false;
  }

  names() {
    const { tags } = this.game;
    return { red: tags.Red || t("red"), black: tags.Black || t("black") };
  }

  /** Changes between the matches and the engines of the page; each keeps its game. */
  setSource(source) {
    if (source === this.choice.source) return;
    this.choice.source = source;
    this.renderSource();
    const { game, about } = this.other ?? { game: new Game(this.link.hello.start), about: null };
    this.other = { game: this.game, about: this.about };
    this.show(game, about);
    this.follow();
  }

  renderSource() {
    this.arena.hidden = this.choice.source !== "arena";
    this.duel.element.hidden = this.choice.source !== "duel";
  }

  setLive(live) {
    this.choice.live = live;
    this.live.querySelector("input").checked = live;
    this.rests = 0;
    this.follow();
    this.store.soon();
  }

  /* Journals. */

  async refresh() {
    if (!this.link.isUp) return;
    try {
      const { journals } = await this.link.ask({ type: "journals" });
      const names = journals.map(({ name }) => name);
      this.empty.textContent = names.length ? "" : t(this.link.hello.journals ? "no-journals-yet" : "no-journals");
      this.journal.disabled = !names.length;
      if (!names.includes(this.choice.name)) {
        this.choice.name = [...journals].sort((a, b) => b.modified_ms - a.modified_ms)[0]?.name ?? "";
      }
      offer(this.journal, names.map((name) => [name, name]), this.choice.name, true);
      if (this.choice.name && !this.job) this.watch(this.choice.name);
    } catch (trouble) {
      if (trouble.code !== "connection_lost") this.empty.textContent = troubleText(trouble);
    }
  }

  watch(name) {
    if (name !== this.choice.name) Object.assign(this.choice, { number: null, part: false });
    this.choice.name = name;
    this.job?.stop();
    this.job?.close();
    this.forget();
    const job = this.link.begin({ type: "watch", name }, (message) => job === this.job && this.heard(message));
    this.job = job;
    job.answer.catch((trouble) => {
      if (trouble.code !== "connection_lost") notify(troubleText(trouble), true);
      if (this.job === job) this.job = null;
    });
    this.store.soon();
  }

  /** Forgets the match: games that have ended, games under way, the standing. */
  forget() {
    this.games = [];
    this.playing = [];
    this.match = { standing: [], played: 0, total: null };
    this.rests = 0;
  }

  heard(message) {
    if (message.type === "error") return notify(troubleText(message), true);
    if (message.type !== "journal") return;
    this.games = message.restart ? message.games : [...this.games, ...message.games];
    this.playing = message.playing;
    this.match = message;
    this.list();
    this.follow(!message.restart);
  }

  /** Opens the game that is to be seen now; one that ended with this message (`isNew`) is played from its beginning. */
  follow(isNew = false) {
    const { choice, playing, games } = this, newest = games.at(-1);
    if (choice.source !== "arena" || !this.job) return;
    const isOpen = ({ number }) => number === choice.number;
    const own = playing.find(isOpen);
    if (own) return (!choice.part || own.plies !== this.game.mainLine().length) && this.openGame(own.number);
    if (choice.part && games.some(isOpen)) return this.end();
    if (!choice.live) return choice.number === null && newest && this.openGame(newest.number);
    if (Date.now() < this.rests) return;
    const next = playing.at(-1) ?? newest;
    if (next && !isOpen(next)) this.openGame(next.number, isNew);
  }

  /** Shows the end of the game that was under way, and goes on with the match a little later. */
  end() {
    this.rests = Date.now() + REST;
    setTimeout(() => this.follow(), REST + 50);
    this.openGame(this.choice.number);
  }

  async openGame(number, plays = false) {
    const { choice } = this, { name } = choice;
    const before = choice.part && choice.number === number ? this.game : null;
    const playing = this.playing.some((game) => game.number === number);
    choice.number = number;
    this.list();
    try {
      const answer = await this.link.ask({ type: "journal_game", name, number, playing });
      if (choice.number !== number || choice.name !== name || choice.source !== "arena") return;
      choice.part = !answer.ending;
      const game = Game.from({ ...answer.game, tags: { ...answer.game.tags, Red: answer.red, Black: answer.black }, result: answer.result });
      const nodes = [game.root, ...game.mainLine()], opening = answer.plies - answer.evals.length;
      for (const { ply, score, depth } of answer.evals) if (nodes[ply] && score) nodes[ply].value = { score, expectation: expectation(score), depth };
      if (choice.part && before && this.grow(before, game)) return;
      // A reader who looks at an earlier move of it stays there.
      const place = before && before.current !== before.tip ? nodes[opening + before.ply(before.current)] : null;
      if (choice.part || !plays) game.current = place ?? game.tip;
      this.show(game, { number, result: answer.result, ending: answer.ending, text: answer.text });
      if (plays && !choice.part) this.replay(true);
    } catch (trouble) {
      // A game whose file is just being written comes with the next message.
      if (trouble.code !== "connection_lost" && !(playing && trouble.code === "not_found")) notify(troubleText(trouble), true);
    }
  }

  /** Adds the new moves of a game under way; false if it is another game by now. */
  grow(game, newer) {
    const line = newer.mainLine(), old = game.mainLine();
    if (game.start !== newer.start || old.length > line.length || old.some(({ mv }, index) => mv !== line[index].mv)) return false;
    const follows = game.current === game.tip;
    for (const move of line.slice(old.length)) game.add(game.tip, move).value = move.value;
    if (follows && this.isOpen) this.desk.go(game.tip, true);
    else if (follows) game.current = game.tip;
    if (this.isOpen) this.desk.dispatchEvent(new Event("changed"));
    this.store.soon();
    return true;
  }

  /** Opens a game. */
  show(game, about = null) {
    this.pause();
    this.game = game;
    this.about = about;
    this.say();
    if (this.isOpen) this.desk.open(this, game);
    this.store.soon();
  }

  /** Writes the line about the game. */
  say() {
    const { about } = this;
    const how = about?.ending ? [about.result, textOr("ending-" + about.ending, about.text)].filter(Boolean).join(" · ") : t("under-way");
    this.says.textContent = about ? t("game-says", { n: about.number, how }) : "";
  }

  renderGames() {
    const row = (game, ...cells) => make("tr", { class: game.number === this.choice.number ? "choice chosen" : "choice", "data-number": game.number }, make("td", { class: "number" }, String(game.number)), ...cells);
    const playing = this.playing.map((game) => row(game, make("td", {}, game.red), make("td", { class: "result" }, "…"), make("td", {}, game.black), make("td", { class: "note under-way" }, t("plies", { n: game.plies }))));
    const ended = this.games.slice(-ROWS).map((game) => row(game, make("td", { class: game.result === "1-0" ? "win" : "" }, game.red), make("td", { class: "result" }, game.result.replace("1/2-1/2", "½–½")), make("td", { class: game.result === "0-1" ? "win" : "" }, game.black),
      make("td", { class: "note", title: game.text }, textOr("ending-" + game.ending, game.text))));
    this.body.replaceChildren(...[...ended, ...playing].reverse());
    this.renderStanding();
  }

  renderStanding() {
    const { standing, played, total } = this.match;
    this.standing.replaceChildren();
    if (!standing.length) return;
    const share = ({ won, drawn, lost }) => (won + drawn + lost ? `${(100 * (won + drawn / 2) / (won + drawn + lost)).toFixed(1)} %` : "");
    const score = ({ won, drawn, lost }) => `${won} – ${drawn} – ${lost}`;
    const games = t("games-played", { n: played, total: total ? " / " + total : "" });
    if (standing.length > 2) {
      const points = ({ won, drawn }) => 2 * won + drawn;
      const rows = [...standing].sort((a, b) => points(b) - points(a)).map((one) => make("tr", {}, make("td", {}, one.name), make("td", { class: "result" }, score(one)), make("td", { class: "share" }, share(one))));
      return this.standing.append(make("table", {}, make("tbody", {}, ...rows)), make("p", { class: "note" }, games));
    }
    const [first, second] = standing;
    const bar = make("div", { class: "chances" }, ...[["won", "win"], ["drawn", "draw"], ["lost", "loss"]].map(([name, kind]) => {
      const part = make("div", { class: kind }, first[name] ? String(first[name]) : "");
      part.style.flexGrow = first[name];
      return part;
    }));
    this.standing.append(make("div", { class: "duel-names" }, make("b", {}, first.name), make("span", {}, score(first)), make("b", {}, second?.name ?? "")), ...(played ? [bar] : []),
      make("p", { class: "note" }, played ? `${games} · ${share(first)}` : games));
  }

  /* The replay. */

  replay(on = !this.timer) {
    this.pause();
    if (!on) return;
    if (!this.desk.node.children.length) this.desk.step("first");
    this.timer = setInterval(() => {
      if (this.desk.node.children.length) this.desk.go(this.desk.node.children[0], true);
      else this.pause();
    }, PACE);
    this.player.replaceChildren(icon("pause"));
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.player?.replaceChildren(icon("play"));
  }

  space() {
    this.replay();
  }

  undo() {
    this.desk.step("back");
  }

  shown() {
    const { node } = this.desk;
    if (node.value) this.desk.dispatchEvent(new CustomEvent("value", { detail: node.value.expectation }));
  }

  relabel() {
    this.say();
    this.moves.render();
    this.renderGames();
    this.duel.render();
  }
}
