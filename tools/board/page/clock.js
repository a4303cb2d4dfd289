/* Clocks of a game: they count in wall time, so that a reload does not stop them. */

import { make } from "/xiangqi.js";
import { clockText } from "./format.js";
import { sound } from "./sound.js";

/** Milliseconds under which a clock warns. */
const LOW = 20000;

export class Clock {
  /** `fell` is called with the side whose time is up. */
  constructor(fell) {
    this.fell = fell;
    this.faces = { red: make("span", { class: "clock", hidden: "" }), black: make("span", { class: "clock", hidden: "" }) };
    this.set(null);
    setInterval(() => this.tick(), 100);
  }

  /** `times` has the milliseconds of both sides, the increment, the side whose clock runs and since when; null: no clock. */
  set(times) {
    this.times = times;
    this.warned = false;
    for (const face of Object.values(this.faces)) face.hidden = !times;
    this.tick();
  }

  left(side) {
    const { times } = this;
    return times[side] - (times.runs === side ? Date.now() - times.since : 0);
  }

  start(side) {
    if (!this.times) return;
    this.times.runs = side;
    this.times.since = Date.now();
    this.tick();
  }

  /** Stops the running clock; the side that has moved gets its increment. */
  stop(withIncrement = true) {
    const { times } = this;
    if (!times?.runs) return;
    times[times.runs] = this.left(times.runs) + (withIncrement ? times.increment : 0);
    times.runs = null;
    this.tick();
  }

  tick() {
    const { times } = this;
    if (!times) return;
    for (const [side, face] of Object.entries(this.faces)) {
      const left = this.left(side);
      face.textContent = clockText(left);
      face.classList.toggle("runs", times.runs === side);
      face.classList.toggle("low", left < LOW);
    }
    if (!times.runs) return;
    const left = this.left(times.runs);
    if (left < LOW && !this.warned) {
      this.warned = true;
      sound("low");
    }
    if (left <= 0) this.fell(times.runs);
  }

  /** The clock as the limits of a request. */
  limits() {
    const { increment } = this.times, whole = (side) => Math.max(1, Math.round(this.left(side)));
    return { clock: { red: whole("red"), black: whole("black"), red_inc: increment, black_inc: increment } };
  }
}
