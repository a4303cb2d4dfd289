/* The session: everything that a reload must not lose, kept by the browser for this tab. */

const KEY = "chuhe-session";
const DELAY = 150;

export class Store {
  constructor() {
    this.parts = new Map();
    this.before = {};
    try {
      this.before = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
    } catch {
      // A browser may refuse to keep anything; a session of an older page may be unreadable.
    }
    addEventListener("pagehide", () => this.save());
  }

  /** The state of a part before the reload, if there was one. `state` gives it from now on. */
  part(name, state) {
    this.parts.set(name, state);
    return this.before[name];
  }

  soon() {
    this.timer ??= setTimeout(() => this.save(), DELAY);
  }

  save() {
    clearTimeout(this.timer);
    this.timer = null;
    const whole = Object.fromEntries([...this.parts].map(([name, state]) => [name, state()]));
    try {
      sessionStorage.setItem(KEY, JSON.stringify(whole));
    } catch {
      // Full or refused: the page works on without it.
    }
  }
}
