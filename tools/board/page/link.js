/* The connection to the server: requests with answers, jobs with messages, and reconnection. */

/** An answer of the server that says what went wrong. */
export class Trouble extends Error {
  constructor(code, detail = "", engine = "") {
    super(detail || code);
    this.code = code;
    this.detail = detail;
    this.engine = engine;
  }
}

const FIRST_WAIT = 250, LONGEST_WAIT = 4000;
/** Bytes of the longest message that the server takes. */
const LONGEST_MESSAGE = 1 << 20;
/** Milliseconds between two signs of life, and until one that is missing ends the connection. */
const PING = 15000, PATIENCE = 10000;

/** Events: `up` with the server's hello, `down`, and `engines`. */
export class Link extends EventTarget {
  constructor() {
    super();
    this.number = 0;
    this.asked = new Map();
    this.jobs = new Map();
    this.hello = null;
    this.isUp = false;
    this.wait = FIRST_WAIT;
    this.failures = 0;
    setInterval(() => this.ping(), PING);
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lost());
  }

  lost() {
    const wasUp = this.isUp;
    this.isUp = false;
    this.failures++;
    if (!wasUp) this.learnWhy();
    this.why = "connection-lost-wait";
    const pending = [...this.asked.values()];
    this.asked.clear();
    this.jobs.clear();
    for (const { reject } of pending) reject(new Trouble("connection_lost"));
    if (wasUp || this.failures === 1) this.dispatchEvent(new Event("down"));
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Asks why the websocket was refused: a browser does not tell. */
  async learnWhy() {
    const status = await fetch("/seat").then((response) => response.status, () => 0);
    const why = { 403: "other-start", 503: "too-many-pages" }[status];
    if (!why || this.isUp) return;
    this.why = why;
    this.dispatchEvent(new Event("down"));
  }

  /** Tries again at once, such as when the page is looked at again. */
  hurry() {
    if (!this.isUp && this.socket?.readyState === WebSocket.CLOSED) this.connect();
  }

  hear(message) {
    if (message.type === "hello") {
      this.hello = message;
      this.isUp = true;
      this.failures = 0;
      this.wait = FIRST_WAIT;
      this.dispatchEvent(new Event("up"));
    } else if (message.re !== undefined) {
      const waiting = this.asked.get(message.re);
      this.asked.delete(message.re);
      if (message.type === "error") {
        this.jobs.delete(message.re);
        waiting?.reject(new Trouble(message.code, message.detail, message.engine));
      } else waiting?.resolve(message);
    } else if (message.job !== undefined) this.jobs.get(message.job)?.(message);
    else if (message.type === "engines") {
      this.hello.engines = message.engines;
      this.dispatchEvent(new Event("engines"));
    }
  }

  /** Sends a message with a number of its own; one that is too long would end the connection. */
  send(message) {
    const id = ++this.number, text = JSON.stringify({ id, ...message });
    if (text.length > LONGEST_MESSAGE / 3 && new Blob([text]).size > LONGEST_MESSAGE) throw new Trouble("too_large");
    if (this.isUp) this.socket.send(text);
    return id;
  }

  /** Sends a request; its answer, or a `Trouble`. */
  ask(message) {
    return this.begin(message).answer;
  }

  /** Begins a job: `heard` gets its messages until `close`. */
  begin(message, heard = null) {
    let id = 0, refusal = this.isUp ? null : new Trouble("connection_lost");
    try {
      id = this.send(message);
    } catch (trouble) {
      refusal = trouble;
    }
    const answer = new Promise((resolve, reject) => {
      if (refusal) return reject(refusal);
      this.asked.set(id, { resolve, reject });
    });
    if (heard) this.jobs.set(id, heard);
    return {
      id, answer,
      stop: () => this.tell({ type: "stop", job: id }),
      cancel: () => this.tell({ type: "cancel", job: id }),
      close: () => this.jobs.delete(id),
    };
  }

  /** Sends a request whose answer does not matter. */
  tell(message) {
    this.ask(message).catch(() => {});
  }

  ping() {
    if (!this.isUp) return;
    const socket = this.socket;
    const timer = setTimeout(() => socket.close(), PATIENCE);
    this.ask({ type: "ping" }).finally(() => clearTimeout(timer)).catch(() => {});
  }
}
