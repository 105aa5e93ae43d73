// What the page shows of the past of the curves: the appliance's, carried on by what it sees, with
// every gap; and what it does when that does not come, is damaged or is of another life.
import assert from 'node:assert/strict';

import { History, shape, test } from './page_parts.mjs';

const minute = 60_000;
const begin = 1_795_636_800_000;  // a full hour
const name = 'wheel-37/frequency';
const key = `process:${name}`;

const answer = (stretches, more = {}) => ({ watched: true, step: minute * 1000, left_out: 0,
  refused: 0, more: false, oldest: begin * 1000, curves: [{ name, side: 'process', stretches }],
  ...more });
const stretch = (at, ...values) => ({ from: (begin + at * minute) * 1000, low: [...values],
  high: [...values], last: [...values] });
const told = (history) => history.intervals(key).map((one) => (one.gap ? ['|', one.last]
  : one.last)).flat();
const turn = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/// A history whose questions the test answers: `asked` are their paths.
function asking(...answers) {
  const asked = [];
  const history = new History(async (path) => {
    asked.push(path);
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof Error) throw next;
    return structuredClone(next);
  });
  return { history, asked };
}

test('the past comes from the appliance, and what the page sees goes on behind it', async () => {
  const { history, asked } = asking(answer([stretch(0, 1000, 2000), stretch(5, 3000, 4000)]));
  history.see(begin + 6.5 * minute, 3, { [key]: 4.5 });
  assert.deepEqual(told(history), ['|', 4.5]);
  history.want(name);
  history.want(name);
  await turn();
  assert.deepEqual(asked, [`/v1/monitors/history?step=minute&limit=61&name=${
    encodeURIComponent(name)}`], 'asked once');
  assert.deepEqual(told(history), ['|', 1, 2, '|', 3, 4]);
  history.see(begin + 6.6 * minute, 3, { [key]: 9 });
  history.see(begin + 6.7 * minute, 3, { [key]: -2 });
  const newest = history.intervals(key).at(-1);
  assert.deepEqual([newest.low, newest.high, newest.last], [-2, 9, -2], 'extremes stay');
  history.see(begin + 7.01 * minute, 3, { [key]: 5 });
  assert.deepEqual(told(history), ['|', 1, 2, '|', 3, -2, 5]);
  assert.deepEqual(history.window(), [begin, begin + 7.01 * minute]);
});

test('a span that was chosen is asked for by itself, the month by the hour', async () => {
  const { history, asked } = asking(answer([stretch(0, 1)]));
  history.see(begin, 3, { [key]: 1 });
  for (const span of ['hour', 'day', 'month', 'day']) {
    history.span = span;
    history.want(name);
    await turn();
  }
  assert.deepEqual(asked.map((one) => /step=(\w+)&limit=(\d+)/.exec(one).slice(1).join(' ')),
                   ['minute 61', 'minute 1441', 'hour 745']);
  assert.equal(history.step, minute);
});

test('a short span that comes behind a long one takes nothing of it away', async () => {
  const { history } = asking(answer([stretch(0, ...Array(120).fill(7000))]),
    answer([stretch(60, ...Array(60).fill(7000))]));
  history.see(begin + 119.5 * minute, 3, {});
  history.span = 'day';
  history.want(name);
  history.span = 'hour';
  history.want(name);
  await turn();
  assert.equal(history.intervals(key).length, 61, 'the hour begins within a minute');
  history.span = 'day';
  const all = history.intervals(key);
  assert.equal(all.length, 120);
  assert.deepEqual(all.filter((one) => one.gap), [all[0]]);
});

test('nothing is older than its span, and the span no longer than what there is', async () => {
  const { history } = asking(answer([stretch(0, ...Array(200).fill(7000))]));
  history.span = 'day';
  history.see(begin + 200 * minute, 3, {});
  history.want(name);
  await turn();
  assert.equal(history.intervals(key).length, 200);
  assert.equal(history.window()[0], begin);
  history.span = 'hour';
  assert.equal(history.intervals(key).length, 60);
  assert.equal(history.window()[0], begin + 140 * minute);
});

test('a restart, a silence and a stepped clock are gaps; what was is asked for anew', async () => {
  for (const [time, boot] of [[30_000, 4], [5 * minute, 3], [-minute, 3]]) {
    const { history, asked } = asking(answer([stretch(0, 1000)]));
    history.see(begin, 3, { [key]: 1 });
    history.want(name);
    await turn();
    history.see(begin + time, boot, { [key]: 2 });
    assert.deepEqual(told(history).slice(-2), ['|', 2]);
    history.want(name);
    await turn();
    assert.equal(asked.length, 2, `${time} ${boot}`);
  }
});

test('an answer of before a restart is not taken for one of now', async () => {
  let give;
  const history = new History(() => new Promise((resolve) => { give = resolve; }));
  history.see(begin, 3, {});
  history.want(name);
  history.see(begin + 1000, 4, {});
  give(answer([stretch(0, 666_000)]));
  await turn();
  assert.deepEqual(history.intervals(key), []);
});

test('a refusal is said, the page goes on with what it sees, and asks again later', async () => {
  const { history, asked } = asking(Object.assign(new shape.Refusal({ kind: 'network' })));
  let changes = 0;
  history.changed = () => { changes += 1; };
  history.see(begin, 3, { [key]: 1 });
  history.want(name);
  await turn();
  assert.deepEqual(history.problem, { kind: 'network' });
  assert.ok(changes > 0);
  history.want(name);
  await turn();
  assert.equal(asked.length, 1, 'not every four seconds');
  assert.deepEqual(told(history), ['|', 1]);
  history.retry_at = 0;
  history.want(name);
  await turn();
  assert.equal(asked.length, 2);
});

test('a lie about the past is damage, and damage is no answer', async () => {
  const good = answer([stretch(0, 1, 2)]);
  const lie = (change) => {
    const all = structuredClone(good);
    change(all);
    return all;
  };
  const of_curve = (change) => lie((all) => change(all.curves[0], all.curves[0].stretches[0]));
  for (const [what, bad] of Object.entries({
    'no list': lie((all) => { all.curves = {}; }),
    'no curve': lie((all) => { all.curves = [null]; }),
    'no stretch': of_curve((one) => { one.stretches = [null]; }),
    'an unknown side': of_curve((one) => { one.side = 'both'; }),
    'a name of another kind': of_curve((one) => { one.name = 7; }),
    'too few values': of_curve((one, it) => { it.low.pop(); }),
    'a text for a number': of_curve((one, it) => { it.last[0] = '1'; }),
    'a last one above the greatest': of_curve((one, it) => { it.last[0] = 3; }),
    'a time before 1970': of_curve((one, it) => { it.from = -1; }),
    'more than a curve holds': of_curve((one, it) => {
      for (const member of ['low', 'high', 'last']) it[member] = Array(2001).fill(1);
    }),
    'more curves than there are': lie((all) => { all.curves = Array(1001).fill(all.curves[0]); }),
    'no count': lie((all) => { all.refused = 'two'; }),
  })) {
    assert.throws(() => shape.curves_of(bad), (error) => error.problem?.kind === 'damaged', what);
    const { history } = asking(bad);
    history.see(begin, 3, { [key]: 1 });
    history.want(name);
    await turn();
    assert.equal(history.problem.kind, 'damaged', what);
    assert.deepEqual(told(history), ['|', 1], what);
  }
  shape.curves_of(good);
});

test('once a minute the appliance corrects the extremes that this page did not see', async () => {
  const correction = answer([{ ...stretch(1, 2000, 3000), low: [-9000, 1000],
    high: [8000, 3000] }]);
  const { history, asked } = asking(answer([stretch(0, 1000)]), correction);
  history.see(begin + minute / 2, 3, { [key]: 1 });
  history.want(name);
  await turn();
  history.want_corrections();
  history.see(begin + 0.8 * minute, 3, { [key]: 1 });
  history.see(begin + 1.1 * minute, 3, { [key]: 2 });
  history.want_corrections();
  history.want_corrections();
  await turn();
  assert.deepEqual(asked.slice(1), ['/v1/monitors/history?step=minute&limit=2']);
  const corrected = history.intervals(key).at(-1);
  assert.deepEqual([corrected.low, corrected.high, corrected.last], [-9, 8, 2]);
});

test('another log leaves nothing of the old one', async () => {
  const { history } = asking(answer([stretch(0, 1000)], { refused: 2, left_out: 1 }));
  history.see(begin, 3, { [key]: 1 });
  history.want(name);
  await turn();
  assert.deepEqual(history.lost, { refused: 2, left_out: 1 });
  history.clear();
  assert.deepEqual([history.intervals(key), history.lost, history.track.oldest],
                   [[], { refused: 0, left_out: 0 }, undefined]);
});

test('a curve that is seen for weeks takes no more memory than its bound', () => {
  const history = new History(() => new Promise(() => {}));
  for (let i = 0; i < 5000; i += 1) history.see(begin + i * minute, 3, { [key]: i });
  assert.ok(history.tracks.minute.curves.get(key).length <= 2000);
});
