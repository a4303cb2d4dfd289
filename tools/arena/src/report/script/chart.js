const MATE = 100000, MATES_FROM = 90000;
const RESULTS = ["0-1", "½-½", "1-0", "*"];

const number = (text) => make("td", { class: "number" }, String(text));

/* Numbers for people. */

const fixed = (value) => value.toFixed(2).replace("-", "−");

function seconds(ms) {
  if (ms < 100) return ms + " ms";
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
