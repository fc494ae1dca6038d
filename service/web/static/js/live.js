/** The live feed of a table: WebSocket, else server-sent events; resumes after the last message it saw. */
import { API, pause } from "./api.js";

const SILENCE_S = 45; // three heartbeats: then the line is dead though nobody said so
const LONGEST_WAIT_S = 5;

export class Feed {
  /** `heard(message)` gets each message once, in order; `line(up)` hears of the connection. */
  constructor(table, heard, line = () => {}, token = null) {
    Object.assign(this, {
      table,
      heard,
      line,
      token,
      seq: null,
      failures: 0,
      closed: false,
      plain: false,
      up: null,
    });
    this.close = () => {};
  }

  /** Connects and stays connected; never returns. */
  async run() {
    document.addEventListener("visibilitychange", () => !document.hidden && this.overdue() && this.close());
    addEventListener("online", () => this.close());
    setInterval(() => this.overdue() && this.close(), 5000);
    for (;;) {
      const opened = await (this.plain ? this.#events() : this.#socket());
      this.#say(false);
      this.failures = opened ? 0 : this.failures + 1;
      // A proxy that passes no WebSocket is told from a server that is away by trying the other way in turn.
      if (!opened) this.plain = !this.plain;
      await pause(opened ? 0.2 : Math.min(0.3 * 2 ** this.failures, LONGEST_WAIT_S));
    }
  }

  overdue() {
    return this.up && performance.now() - this.lastSign > SILENCE_S * 1000;
  }

  #address() {
    const query = new URLSearchParams();
    if (this.seq !== null) query.set("since", this.seq);
    if (this.token) query.set("token", this.token);
    const words = query.toString();
    return `${API}/tables/${encodeURIComponent(this.table)}/live${words ? `?${words}` : ""}`;
  }

  #socket() {
    return new Promise((ended) => {
      const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${this.#address()}`);
      let opened = false;
      this.close = () => (socket.close(), ended(opened));
      socket.onopen = () => ((opened = true), this.#say(true));
      socket.onmessage = (event) => this.#take(event.data);
      socket.onclose = () => ended(opened);
    });
  }

  #events() {
    return new Promise((ended) => {
      const source = new EventSource(this.#address());
      let opened = false;
      this.close = () => (source.close(), ended(opened));
      source.onopen = () => ((opened = true), this.#say(true));
      source.onmessage = (event) => this.#take(event.data);
      source.onerror = () => this.close();
    });
  }

  #say(up) {
    this.lastSign = performance.now();
    if (up !== this.up) this.line((this.up = up));
  }

  #take(text) {
    this.lastSign = performance.now();
    const message = JSON.parse(text);
    if (message.type === "heartbeat") return;
    if (
      message.type !== "snapshot" &&
      (message.seq === undefined || (this.seq !== null && message.seq <= this.seq))
    )
      return;
    this.seq = message.seq;
    this.heard(message);
  }
}
