// What the curves of monitors and sources were. The appliance keeps them: they are asked for figure
// by figure while somebody looks, and carried on by what this page sees since. A gap stays a gap,
// and the extremes of an interval stay to be seen.

import { get, Refusal } from './api.js';
import { curves_of } from './shape.js';

const minute = 60_000;
const hour = 60 * minute;
/// What a reader may choose: the step that it is shown in, and how far back, in milliseconds.
export const spans = {
  hour: { step: 'minute', length: hour },
  day: { step: 'minute', length: 24 * hour },
  month: { step: 'hour', length: 31 * 24 * hour },
};
const steps = { minute, hour };
const silence_ms = 20_000;
const patience_ms = 60_000;  // after a refusal
const intervals_max = 2000;  // of a curve

/// Intervals of one curve: {from, low, high, last, gap}; gap: nothing joins it to the one before.
function intervals_of(curve, step) {
  return curve.stretches.flatMap((one) => one.last.map((last, i) => ({
    from: one.from / 1000 + i * step, low: one.low[i], high: one.high[i], last, gap: i === 0,
  })));
}

/// All curves at one step.
class Track {
  constructor(step) {
    this.step = step;
    this.curves = new Map();  // `side:name` to its intervals, in the order in which they were seen
    this.oldest = undefined;  // what the appliance keeps reaches back to here
  }

  see(key, time, value, broken) {
    if (!this.curves.has(key)) this.curves.set(key, []);
    const all = this.curves.get(key);
    const from = Math.floor(time / this.step) * this.step;
    const newest = all.at(-1);
    if (newest?.from === from && !broken) {
      Object.assign(newest, { low: Math.min(newest.low, value), last: value,
        high: Math.max(newest.high, value) });
      return;
    }
    const gap = broken || newest === undefined || newest.from + this.step !== from;
    all.push({ from, low: value, high: value, last: value, gap });
    if (all.length > intervals_max) all.shift();
  }

  /// What the appliance says of a curve; before it stays what it said of a longer span, behind it
  /// what was seen since.
  take(key, told) {
    const own = this.curves.get(key) ?? [];
    const since = told.at(-1)?.from ?? -1;
    const seen = own.filter((one) => one.from > since);
    const at = own.findIndex((one) => one.from === told[0]?.from);
    if (at > 0) told[0].gap = own[at].gap;
    if (told.length > 0 && seen.length > 0 && seen[0].from === since + this.step)
      seen[0].gap = false;
    this.curves.set(key, [...own.slice(0, Math.max(at, 0)), ...told, ...seen]);
  }

  /// The appliance has looked more often than this page: its extremes count.
  correct(key, told) {
    for (const one of told) {
      const own = this.curves.get(key)?.findLast((seen) => seen.from === one.from);
      if (own) Object.assign(own, { low: Math.min(own.low, one.low),
        high: Math.max(own.high, one.high) });
    }
  }
}

export class History {
  /// `ask`: a path to its answer. `changed` is called when something came.
  constructor(ask = get) {
    this.ask = ask;
    this.span = 'hour';
    this.changed = () => {};
    this.clear();
  }

  /// Another log, or nothing is known any more.
  clear() {
    this.tracks = { minute: new Track(minute), hour: new Track(hour) };
    this.last = undefined;
    this.boot = undefined;
    this.problem = null;
    this.lost = { left_out: 0, refused: 0 };
    this.forget();
  }

  /// What was asked for is asked for anew.
  forget() {
    this.known = new Set();
    this.waiting = new Map();
    this.retry_at = 0;
    this.corrected = undefined;
    this.round = (this.round ?? 0) + 1;  // answers of before are not of now
  }

  /// What a status says, by the appliance's clock. Where this page did not look, or another life
  /// began, it does not know what was: the appliance does.
  see(time, boot, values) {
    const broken = this.last !== undefined && (Math.abs(time - this.last) > silence_ms ||
      time < this.last || boot !== this.boot);
    if (broken) this.forget();
    this.last = time;
    this.boot = boot;
    for (const [key, value] of Object.entries(values)) {
      if (!Number.isFinite(value)) continue;
      for (const track of Object.values(this.tracks)) track.see(key, time, value, broken);
    }
  }

  /// Somebody looks at the curves of that name.
  want(name) {
    const { step, length } = spans[this.span];
    const id = `${this.span} ${name}`;
    if (this.last === undefined || this.known.has(id)) return;
    const limit = Math.round(length / steps[step]) + 1;
    this.waiting.set(id, { step, path: `?step=${step}&limit=${limit}&name=` +
      encodeURIComponent(name) });
    this.work();
  }

  /// Once a minute, while somebody looks.
  want_corrections() {
    const now = Math.floor((this.last ?? 0) / minute);
    if (this.corrected === now || this.known.size === 0) return;
    if (this.corrected !== undefined)
      this.waiting.set('', { step: 'minute', path: '?step=minute&limit=2' });
    this.corrected = now;
    this.work();
  }

  async work() {
    if (this.busy || performance.now() < this.retry_at) return;
    this.busy = true;
    try {
      while (this.waiting.size > 0) await this.ask_next();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.problem = error.problem;
      this.waiting.clear();
      this.retry_at = performance.now() + patience_ms;
    } finally {
      this.busy = false;
      this.changed();
    }
  }

  async ask_next() {
    const [[id, { step, path }]] = this.waiting;
    const { round } = this;
    const told = curves_of(await this.ask(`/v1/monitors/history${path}`));
    if (round !== this.round) return;  // what it says was of another life
    this.waiting.delete(id);
    const track = this.tracks[step];
    track.oldest = told.oldest === undefined ? undefined : told.oldest / 1000;
    for (const curve of told.curves) {
      const intervals = intervals_of(curve, track.step).map((one) => scaled(one, curve.side));
      track[id === '' ? 'correct' : 'take'](`${curve.side}:${curve.name}`, intervals);
    }
    this.lost = { left_out: told.left_out, refused: told.refused };
    this.problem = null;
    if (id !== '') this.known.add(id);
    this.changed();
  }

  /// What is known of a curve in the chosen span: {from, to, low, high, last, gap}.
  intervals(key) {
    const [from, to] = this.window();
    const { step } = this;
    return (this.track.curves.get(key) ?? [])
      .filter((one) => one.from + step > from && one.from <= to)
      .map((one) => ({ ...one, to: Math.min(one.from + step, to) }));
  }

  get track() {
    return this.tracks[spans[this.span].step];
  }

  get step() {
    return this.track.step;
  }

  /// The span that was chosen, or as far as there is something; five steps at least, so that the
  /// first points are not torn apart.
  window() {
    const to = this.last ?? 0;
    const firsts = [...this.track.curves.values()].filter((all) => all.length > 0)
      .map((all) => Math.min(...all.map((one) => one.from)));
    const first = Math.min(to - 5 * this.step, ...firsts);
    return [Math.max(to - spans[this.span].length, first), to];
  }
}

/// Logarithms come in thousandths.
const scaled = (one, side) => (side === 'process' || side === 'detector'
  ? { ...one, low: one.low / 1000, high: one.high / 1000, last: one.last / 1000 } : one);

/// What of a status is a point of a curve: logarithms of the monitors, shares of the sources.
export function figures_of(status) {
  const values = {};
  for (const watch of status.monitors?.watching ?? []) {
    values[`process:${watch.name}`] = watch.process.log_e_milli / 1000;
    values[`detector:${watch.name}`] = watch.detector.log_e_milli / 1000;
  }
  for (const source of status.monitors?.quality ?? []) {
    for (const measure of source.measures) {
      values[`short:${source.source}/${measure.name}`] = measure.short_ppm;
      values[`long:${source.source}/${measure.name}`] = measure.long_ppm;
    }
  }
  return values;
}
