// The newest committed records, live: server-sent events whose id is the log's sequence number. A
// pause closes the stream; going on begins where it stopped, or near the end of the log when too
// much has happened since.

import { get, Refusal } from './api.js';
import { element, say } from './dom.js';
import { time_of_day } from './format.js';
import { problem_text } from './problem.js';
import { has_evidence, is_alert, is_outcome, kinds, record_text } from './records.js';
import { learn_pockets, pockets_of } from './wheels.js';

const rows_max = 200;
const rows_before = 50;
const patience_ms = 10_000;

export class Draws {
  /// nodes: list, state, problem, pause (button), outcomes (checkbox).
  constructor(nodes) {
    this.nodes = nodes;
    this.records = [];  // the newest first
    this.next = undefined;  // sequence number that comes next
    this.size = 0;
    this.paused = false;
    this.state = 'draws.waiting';
    this.refusal = null;
    nodes.pause.addEventListener('click', () => this.toggle());
    nodes.outcomes.addEventListener('change', () => this.show());
  }

  /// The log's size from each status; the first one starts the stream. A log that got shorter is
  /// another log.
  hear_size(size) {
    if (size < this.size) this.restart();
    this.size = size;
    if (!this.stream && !this.paused && !this.timer) this.open();
  }

  restart() {
    this.close();
    this.records = [];
    this.next = undefined;
  }

  toggle() {
    this.paused = !this.paused;
    if (this.paused) this.close();
    this.state = this.paused ? 'draws.paused' : 'draws.waiting';
    if (!this.paused) this.open();
    this.show();
  }

  close() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stream?.close();
    this.stream = undefined;
  }

  open() {
    this.close();
    this.next = Math.max(this.next ?? 0, this.size - rows_before);
    const stream = new EventSource(`/v1/events?after=${this.next - 1}`);
    this.stream = stream;
    stream.addEventListener('open', () => this.tell('draws.live', null));
    // Each event has the name of its kind.
    for (const kind of kinds) stream.addEventListener(kind, (event) => this.take(event));
    stream.addEventListener('error', () => this.interrupted(stream));
  }

  /// The browser tries again by itself while the network is down; a refusal ends the stream, and
  /// the same question without a stream says why.
  async interrupted(stream) {
    if (stream !== this.stream) return;
    if (stream.readyState !== EventSource.CLOSED) return this.tell(
      'draws.interrupted', this.refusal);
    this.stream = undefined;
    this.timer = setTimeout(() => this.open(), patience_ms);
    try {
      await get(`/v1/events?after=${this.next - 1}&limit=1`);
      this.tell('draws.interrupted', null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.tell('draws.interrupted', error.problem);
    }
  }

  tell(state, refusal) {
    if (this.paused) return;
    this.state = state;
    this.refusal = refusal;
    this.show_state();
  }

  take(event) {
    let record;
    try {
      record = JSON.parse(event.data);
    } catch {
      return;
    }
    if (record.seq < this.next) return;
    this.next = record.seq + 1;
    this.records.unshift(record);
    this.records.length = Math.min(this.records.length, rows_max);
    learn_pockets(record).then((learnt) => learnt && this.show());
    if (this.t && this.wanted(record)) {
      this.nodes.list.prepend(this.row(record));
      while (this.nodes.list.children.length > rows_max) this.nodes.list.lastElementChild.remove();
    }
    this.show_state();
  }

  wanted(record) {
    return !this.nodes.outcomes.checked || is_outcome(record);
  }

  row(record) {
    const t = this.t;
    const look = is_alert(record) ? 'alert' : is_outcome(record) ? 'drawn' : undefined;
    const link = has_evidence(record)
      ? element('a', { href: `verify.html?bundle=/v1/bundles/${record.seq}`,
        'aria-label': t('draws.evidence_of', { seq: record.seq }) }, t('draws.evidence'))
      : '';
    return element('li', { class: look },
      element('span', { class: 'told' }, String(record.seq)),
      element('span', { class: 'told' }, time_of_day(record.time, t)),
      element('span', { class: 'what' },
        element('span', { class: 'kind' }, t.code('kind', record.kind)), ' ',
        record_text(record, t, pockets_of(record)), ' ',
        element('span', { class: 'quiet' }, record.object ?? '')),
      element('span', {}, link));
  }

  show_state() {
    if (!this.t) return;
    const empty = this.state === 'draws.live' && this.records.length === 0;
    this.nodes.state.textContent = this.t(empty ? 'draws.empty' : this.state);
    say(this.nodes.problem, this.refusal
      ? [element('p', { class: 'banner bad' }, problem_text(this.refusal, this.t))] : []);
  }

  show(t = this.t) {
    this.t = t;
    if (!t) return;
    this.nodes.pause.textContent = t(this.paused ? 'draws.continue' : 'draws.pause');
    this.nodes.list.replaceChildren(...this.records.filter((one) => this.wanted(one))
        .map((one) => this.row(one)));
    this.show_state();
  }
}
