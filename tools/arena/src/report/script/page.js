/* What the match says. */

/** A span of time such as `2026-11-27 23:50 – 23:58 UTC`. */
function dates([first, last]) {
  const [from, to] = [first, last].map((ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " "));
  if (from === to) return from + " UTC";
  return `${from} – ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} UTC`;
}

function showHead(data) {
  byId("title").textContent = data.title;
  const date = data.played ? [["Date", dates(data.played)]] : [];
  byId("conditions").append(...[...date, ...data.conditions].map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

function showRepeat({ repeat }) {
  if (!repeat.length) return byId("repeat-card").remove();
  byId("repeat").append(...repeat.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
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

/** A number with its thousands apart, or a dash. */
const grouped = (value) => (value === null || value === undefined ? "–" : String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f"));

function showEngines(data) {
  const faults = data.engines.map(() => [0, 0]);
  for (const game of data.games) {
    for (const [index, weight] of game.mistakes) {
      const isRed = (index % 2 === 0) === (data.starts[game.start][0].split(" ")[1] !== "b");
      faults[isRed ? game.red : game.black][weight - 1]++;
    }
  }
  const head = [["Engine"], ["Nodes/s", 1], ["Nodes/move", 1], ["Depth", 1], ["Time/move", 1], ["Mistakes", 1], ["Blunders", 1]];
  const row = ({ name, version, details, speed }, index) => make("tr", {},
    make("td", { class: "about" }, make("b", {}, name), make("small", {}, [version === name ? "" : version, details].filter(Boolean).join(" · "))),
    ...[grouped(speed.nodes_per_second), grouped(speed.nodes_per_move), speed.depth === null ? "–" : speed.depth.toFixed(1), speed.time_ms === null ? "–" : seconds(speed.time_ms), ...faults[index]]
      .map((value, column) => make("td", { class: "number", "data-label": head[column + 1][0] }, String(value))));
  byId("engines").append(make("table", {}, make("thead", {}, make("tr", {}, ...head.map(([text, isNumber]) => make("th", isNumber ? { class: "number" } : {}, text)))), make("tbody", {}, ...data.engines.map(row))));
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
  showRatio(data, points.filter(([, , , , ratio]) => ratio !== null).map(([games, , , , ratio]) => [games, ratio]));
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

/** The log-likelihood ratio on its way between the bounds of the test. */
function showRatio({ sprt }, points) {
  byId("llr").hidden = !sprt || !points.length;
  if (byId("llr").hidden) return;
  const { lower, upper } = sprt;
  const chart = new Chart(byId("llr"), { x: [0, points[points.length - 1][0]], y: [1.15 * lower, 1.15 * upper], height: 110, yTicks: [lower, 0, upper], label: (tick) => (tick ? fixed(tick) : "LLR 0") });
  chart.line(points, "s0");
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
    const line = make("tr", { class: "choice" }, make("td", { class: ending.is_failure ? "fail" : "" }, ending.label), number(ending.games), number(ending.red || ""), number(ending.draws || ""), number(ending.black || ""));
    line.addEventListener("click", () => {
      byId("filter-ending").value = index;
      byId("filter-ending").dispatchEvent(new Event("change"));
      byId("games").scrollIntoView({ behavior: "smooth", block: "center" });
    });
    return line;
  };
  const total = (of) => number(data.endings.reduce((all, ending) => all + ending[of], 0));
  const sum = make("tr", {}, make("td", {}, "all"), ...["games", "red", "draws", "black"].map(total));
  byId("endings").append(make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, ""), ...["Games", "Red wins", "Drawn", "Black wins"].map((text) => make("th", { class: "number" }, text)))), make("tbody", {}, ...data.endings.map(row)), make("tfoot", {}, sum)));
}

/* All together. */

function show(data) {
  showHead(data);
  showVerdict(data);
  showEngines(data);
  showCrosstable(data);
  showEndings(data);
  showRepeat(data);
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

  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play", f: "flip", l: "letters" };
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
