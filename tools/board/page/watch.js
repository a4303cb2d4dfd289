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

/** Games in the list, and milliseconds between two moves of a replay and between two looks for a first journal. */
const ROWS = 300, PACE = 700, LOOK = 2000;

export class Watch {
  name = "watch";

  constructor(desk, link, store, analyseIt) {
    this.desk = desk;
    this.link = link;
    this.store = store;
    const before = store.part("watch", () => this.state()) ?? {};
    this.game = before.game ? Game.from(before.game) : null;
    /* `source` is `arena` or `duel`; `name` the journal, `number` the game, `live` whether the newest game is opened. */
    this.choice = { source: "arena", name: "", number: null, live: true, ...before.choice };
    this.games = [];
    this.engines = [];
    this.job = null;
    this.list = onceAFrame(() => this.drawGames());
    this.build(analyseIt, before.duel);
    desk.addEventListener("shown", () => this.isOpen && this.shown());
  }

  state() {
    return { game: this.game?.toMessage(true), choice: this.choice, duel: this.duel.state() };
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
    this.arena = make("section", { class: "card" }, make("div", { class: "row" }, field("journal", this.journal), iconButton("undo", "refresh", () => this.refresh())), this.empty, this.standing, this.live,
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
    if (this.choice.source === "duel") this.duel.resume();
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

  setSource(source) {
    this.choice.source = source;
    this.renderSource();
    this.store.soon();
  }

  renderSource() {
    this.arena.hidden = this.choice.source !== "arena";
    this.duel.element.hidden = this.choice.source !== "duel";
  }

  setLive(live) {
    this.choice.live = live;
    this.live.querySelector("input").checked = live;
    const newest = this.games.at(-1);
    if (live && newest) this.openGame(newest.number);
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
    if (name !== this.choice.name) this.choice.number = null;
    this.choice.name = name;
    this.job?.stop();
    this.job?.close();
    this.games = [];
    const job = this.link.begin({ type: "watch", name }, (message) => job === this.job && this.heard(message));
    this.job = job;
    job.answer.catch((trouble) => {
      if (trouble.code !== "connection_lost") notify(troubleText(trouble), true);
      if (this.job === job) this.job = null;
    });
    this.store.soon();
  }

  heard(message) {
    if (message.type === "error") return notify(troubleText(message), true);
    if (message.type !== "journal") return;
    this.games = message.restart ? message.games : [...this.games, ...message.games];
    this.engines = message.engines;
    this.total = message.total;
    this.list();
    const newest = this.games.at(-1);
    if (!newest || this.choice.source !== "arena") return;
    if (this.choice.live && newest.number !== this.choice.number) this.openGame(newest.number, !message.restart);
    else if (this.choice.number === null) this.openGame(newest.number);
  }

  async openGame(number, plays = false) {
    const { name } = this.choice;
    this.choice.number = number;
    this.list();
    try {
      const answer = await this.link.ask({ type: "journal_game", name, number });
      if (this.choice.number !== number || this.choice.source !== "arena") return;
      const game = Game.from({ ...answer.game, tags: { ...answer.game.tags, Red: answer.red, Black: answer.black }, result: answer.result });
      const nodes = [game.root, ...game.mainLine()];
      for (const { ply, score, depth } of answer.evals) if (nodes[ply] && score) nodes[ply].value = { score, expectation: expectation(score), depth };
      if (!plays) game.current = game.tip;
      this.show(game, [`${t("game-number", { n: number })}: ${answer.result}`, textOr("ending-" + answer.ending, answer.text)].filter(Boolean).join(" · "));
      if (plays) this.replay(true);
    } catch (trouble) {
      if (trouble.code !== "connection_lost") notify(troubleText(trouble), true);
    }
  }

  /** Opens a game, with a line about it. */
  show(game, about) {
    this.pause();
    this.game = game;
    this.says.textContent = about;
    if (this.isOpen) this.desk.open(this, game);
    this.store.soon();
  }

  renderGames() {
    const rows = this.games.slice(-ROWS).reverse().map((game) => make("tr", { class: game.number === this.choice.number ? "choice chosen" : "choice", "data-number": game.number },
      make("td", { class: "number" }, String(game.number)), make("td", { class: game.result === "1-0" ? "win" : "" }, game.red), make("td", { class: "result" }, game.result.replace("1/2-1/2", "½–½")), make("td", { class: game.result === "0-1" ? "win" : "" }, game.black),
      make("td", { class: "note", title: game.text }, textOr("ending-" + game.ending, game.text))));
    this.body.replaceChildren(...rows);
    this.standing.replaceChildren();
    if (!this.games.length) return;
    const [first] = this.engines;
    const points = { won: 0, drawn: 0, lost: 0 };
    for (const { red, result } of this.games) {
      if (result === "1/2-1/2") points.drawn++;
      else if (result === "1-0" || result === "0-1") points[(result === "1-0") === (red === first) ? "won" : "lost"]++;
    }
    const played = points.won + points.drawn + points.lost || 1;
    const bar = make("div", { class: "chances" }, ...[["won", "win"], ["drawn", "draw"], ["lost", "loss"]].map(([name, kind]) => {
      const part = make("div", { class: kind }, points[name] ? String(points[name]) : "");
      part.style.flexGrow = points[name];
      return part;
    }));
    this.standing.append(make("div", { class: "duel-names" }, make("b", {}, first ?? ""), make("span", {}, `${points.won} – ${points.drawn} – ${points.lost}`), make("b", {}, this.engines[1] ?? "")), bar,
      make("p", { class: "note" }, t("games-played", { n: this.games.length, total: this.total ? " / " + this.total : "" }), ` · ${(100 * (points.won + points.drawn / 2) / played).toFixed(1)} %`));
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
    this.moves.render();
    this.renderGames();
    this.duel.render();
  }
}
