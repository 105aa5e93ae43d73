// What an answer must be before the page believes it: a member of another type is damage, and
// damage is no answer. Lists are cut to what a screen can hold.

import { damaged } from './api.js';

const tables_max = 1000;
const curves_max = 1000;
const intervals_max = 2000;  // of a curve
const sides = ['process', 'detector', 'short', 'long'];
const is_object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const is_count = (value) => Number.isSafeInteger(value) && value >= 0;

function need(condition, what) {
  if (!condition) damaged(what);
}

/// Of GET /v1/status: what the page says "can play" by.
export function status_of(value) {
  need(is_object(value), 'status');
  for (const name of ['time', 'size', 'boot']) need(is_count(value[name]), `status.${name}`);
  need(typeof value.ready === 'boolean', 'status.ready');
  need(Array.isArray(value.reasons) && value.reasons.every((one) => typeof one === 'string'),
       'status.reasons');
  need(is_object(value.generator) && Array.isArray(value.generator.sources), 'status.generator');
  need(typeof value.generator.uncertified === 'boolean', 'status.generator.uncertified');
  need(is_object(value.software), 'status.software');
  // Ready, and yet something stands against it: one of the two is untrue.
  need(!value.ready || value.reasons.length === 0, 'status.ready, status.reasons');
  return value;
}

/// Of GET /v1/tables.
export function tables_of(value) {
  need(is_object(value) && Array.isArray(value.tables), 'tables');
  for (const one of value.tables) {
    need(is_object(one) && typeof one.id === 'string', 'tables.id');
    need(typeof one.state === 'string' && typeof one.game === 'string', `${one.id}.state`);
    need(is_count(one.rounds), `${one.id}.rounds`);
  }
  return value.tables.slice(0, tables_max);
}

/// Of GET /v1/events as JSON: records with the table each belongs to ('': the machine's).
export function page_of_events(value) {
  need(is_object(value) && Array.isArray(value.events), 'events');
  need(Number.isSafeInteger(value.next) && typeof value.more === 'boolean', 'events.next');
  return {
    next: value.next, more: value.more,
    records: value.events.map((event) => record_of(event.record)),
  };
}

/// A record from its text.
export function record_of(text) {
  let record;
  try {
    record = JSON.parse(text);
  } catch {
    damaged('record');
  }
  need(is_object(record) && is_count(record.seq) && typeof record.kind === 'string', 'record');
  need(is_count(record.time) && is_object(record.body), `record ${record.seq}`);
  return record;
}

/// Of GET /v1/tables/{table}/rounds.
export function rounds_of(value) {
  need(is_object(value) && Array.isArray(value.rounds) && typeof value.more === 'boolean',
       'rounds');
  for (const one of value.rounds) {
    need(is_object(one) && typeof one.id === 'string' && is_count(one.number) &&
         is_count(one.opened), 'rounds');
  }
  return value;
}

/// Of GET /v1/return.
export function returns_of(value) {
  need(is_object(value) && Array.isArray(value.bets) && Array.isArray(value.not_watched) &&
       typeof value.watched === 'boolean', 'return');
  for (const one of value.bets) {
    need(is_object(one) && is_count(one.rounds) && typeof one.within === 'boolean', 'return.bets');
    for (const name of ['place', 'game', 'bet', 'theory', 'practice', 'low', 'high', 'staked',
      'paid']) need(typeof one[name] === 'string', `return.bets.${name}`);
  }
  return value;
}

/// Of GET /v1/monitors/history: every interval has its least, its greatest and its last value.
export function curves_of(value) {
  need(is_object(value) && Array.isArray(value.curves) && value.curves.length <= curves_max,
       'history');
  for (const name of ['left_out', 'refused']) need(is_count(value[name]), `history.${name}`);
  need(value.oldest === undefined || is_count(value.oldest), 'history.oldest');
  for (const one of value.curves) {
    need(is_object(one) && typeof one.name === 'string' && sides.includes(one.side) &&
         Array.isArray(one.stretches), 'history.curves');
    let intervals = 0;
    for (const stretch of one.stretches) {
      need(is_object(stretch), `history ${one.name}`);
      const { from, low, high, last } = stretch;
      need(is_count(from) && [low, high, last].every((all) => Array.isArray(all) &&
        all.length === last.length && all.every(Number.isSafeInteger)), `history ${one.name}`);
      need(last.every((it, i) => low[i] <= it && it <= high[i]), `history ${one.name}`);
      intervals += last.length;
    }
    need(intervals <= intervals_max, `history ${one.name}`);
  }
  return value;
}

/// Of GET /v1/month.
export function month_report_of(value) {
  need(is_object(value) && is_object(value.tables) && is_object(value.log), 'month');
  for (const name of ['alarms', 'faults', 'latches']) need(Array.isArray(value[name]), name);
  for (const name of ['power', 'selftests', 'latch_resets'])
    need(is_object(value[name]) && Object.values(value[name]).every(is_count), `month.${name}`);
  for (const one of [value.reseeds, value.accesses_refused, value.log.records_of_month,
    value.log.below]) need(is_count(one), 'month');
  for (const one of Object.values(value.tables)) {
    need(is_object(one) && Array.isArray(one.draws), 'month.tables');
    for (const name of ['rounds', 'staked', 'returned', 'misdeals'])
      need(is_count(one[name]), `month.tables.${name}`);
    for (const name of ['place', 'game', 'currency', 'unit'])
      need(typeof one[name] === 'string', `month.tables.${name}`);
    for (const counts of [one.voids, one.withheld, ...one.draws.map((draw) => draw.results)])
      need(is_object(counts) && Object.values(counts).every(is_count), 'month.tables');
    need(one.draws.every((draw) => is_count(draw.draws) && is_object(draw.specification)),
         'month.tables.draws');
  }
  for (const one of [...value.alarms, ...value.latches])
    need(is_object(one) && is_count(one.seq) && is_count(one.time_us), 'month');
  return value;
}

/// Of GET /v1/acts.
export function acts_of(value) {
  need(is_object(value) && Array.isArray(value.acts), 'acts');
  for (const one of value.acts) {
    need(is_object(one) && typeof one.id === 'string' && typeof one.act === 'string' &&
         typeof one.state === 'string', 'acts');
  }
  return value.acts;
}
