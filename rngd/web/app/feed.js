// The log as it grows: what stands near its end is read first, then every new record as it comes.
// Who listens gets them in the order of the log, each once.

import { get, Refusal } from './api.js';
import { page_of_events, record_of } from './shape.js';
import { kinds } from './records.js';

const first_look = 3000;  // records before the end
const page_size = 1000;
const patience_ms = 10_000;

export class Feed {
  /// take(records); tell(state, problem) with a word of `draws.`; restart() when another log stands
  /// behind the page.
  constructor(take, tell, restart) {
    Object.assign(this, { take, tell, restart, next: undefined, size: 0, begun: false });
  }

  /// The log's size from each status; the first one starts it. A log that got shorter is another.
  hear_size(size) {
    if (size < this.size) {
      this.close();
      this.next = undefined;
      this.restart();
    }
    this.size = size;
    if (!this.stream && !this.timer && !this.reading) this.begin();
  }

  close() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stream?.close();
    this.stream = undefined;
    this.turn = (this.turn ?? 0) + 1;
  }

  async begin() {
    this.close();
    const { turn } = this;
    this.reading = true;
    try {
      this.next ??= Math.max(0, this.size - first_look);
      await this.catch_up(turn);
      if (turn === this.turn) this.follow();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (turn === this.turn) this.later(error.problem);
    } finally {
      this.reading = false;
    }
  }

  async catch_up(turn) {
    for (let more = true; more;) {
      const page = page_of_events(
        await get(`/v1/events?after=${this.next - 1}&limit=${page_size}`));
      if (turn !== this.turn) return;
      more = page.more && page.next + 1 > this.next;
      this.next = Math.max(this.next, page.next + 1);
      this.take(page.records);
    }
  }

  later(problem) {
    this.tell('draws.interrupted', problem);
    this.timer = setTimeout(() => this.begin(), patience_ms);
  }

  follow() {
    const stream = new EventSource(`/v1/events?after=${this.next - 1}`);
    this.stream = stream;
    stream.addEventListener('open', () => this.tell('draws.live', null));
    // Each event has the name of its kind.
    for (const kind of kinds) stream.addEventListener(kind, (event) => this.hear(event));
    stream.addEventListener('error', () => this.interrupted(stream));
  }

  hear(event) {
    let record;
    try {
      record = record_of(event.data);
    } catch {
      return this.tell('draws.interrupted', { kind: 'damaged', detail: 'record' });
    }
    if (record.seq < this.next) return undefined;
    this.next = record.seq + 1;
    return this.take([record]);
  }

  /// The browser tries again by itself while the network is down; a refusal ends the stream, and
  /// the same question without a stream says why.
  interrupted(stream) {
    if (stream !== this.stream) return;
    if (stream.readyState !== EventSource.CLOSED) {
      this.tell('draws.interrupted', null);
      return;
    }
    this.stream = undefined;
    this.later(null);
  }
}
