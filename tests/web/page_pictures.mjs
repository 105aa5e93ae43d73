// The page's lines and states: axes, series, what a status says loudly, bands of chance.
import assert from 'node:assert/strict';

import { numbers } from './harness.mjs';
import { scale, History, figures_of, draw_plot, state, statistics, returns, month, format, chance,
  counts, en, es, Node, test } from './page_parts.mjs';

/// What is asked for never comes.
const never = () => new Promise(() => {});

// ---- Plot geometry

test('an axis has steps of 1, 2 or 5 times a power of ten', () => {
  assert.deepEqual([[10, 5], [9.2, 5], [0.07, 5], [1000, 4],
    [0, 5]].map(([span, n]) => scale.nice_step(span, n)),
    [2, 2, 0.02, 500, 1]);
  assert.deepEqual(scale.ticks(-0.3, 1, 5), [0, 0.5, 1]);
  assert.deepEqual(scale.ticks(0.1, 0.5, 4), [0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual([2, 0.5, 0.02, 500].map(scale.decimals_of), [0, 1, 2, 0]);
});

test('the axis of time has full seconds, minutes, quarters', () => {
  assert.deepEqual(scale.time_ticks(61_000, 121_000, 4), [75_000, 90_000, 105_000, 120_000]);
  assert.deepEqual(scale.time_ticks(0, 3600_000, 4), [0, 900_000, 1800_000, 2700_000, 3600_000]);
});

test('a scale maps its ends exactly, and a flat series has room around it', () => {
  const y = scale.linear([0, 10], [100, 0]);
  assert.deepEqual([y(0), y(10), y(2.5)], [100, 0, 75]);
  assert.equal(scale.linear([3, 3], [5, 9])(3), 5);
  assert.deepEqual(scale.extent([NaN, 2, 2]), [1.5, 2.5]);
  assert.deepEqual(scale.extent([NaN]), [0, 1]);
  const [low, high] = scale.extent([-1, undefined, 9]);
  assert.ok(low < -1 && high > 9);
});

test('a path is broken where a value is missing, and a lone point is a short dash', () => {
  const same = (value) => value;
  const points = [[0, 1], [1, 2.26], [2, NaN], [3, 4], [4, undefined], [5, 5]]
    .map(([x, y]) => ({ x, y }));
  assert.equal(scale.path_text(points, same, same), 'M0 1L1 2.3M3 4h2M5 5h2');
  assert.equal(scale.path_text([], same, same), '');
});

test('neighbours are joined, their extremes and every gap stay', () => {
  const intervals = Array.from({ length: 1000 }, (_, i) => ({ from: i, to: i + 1, low: -i % 7,
    high: i === 617 ? 99 : 1, last: 0, gap: i === 0 || i === 333 }));
  const kept = scale.joined(intervals, 100);
  assert.ok(kept.length <= 105);
  assert.equal(Math.max(...kept.map((one) => one.high)), 99);
  assert.ok(kept.some((one) => one.gap && one.from === 333), 'nothing joins over a gap');
  assert.ok(kept.every((one, i) => i === 0 || kept[i - 1].to === one.from));
  assert.deepEqual([kept[0].low, kept[0].last], [-6, 0]);
  assert.deepEqual(scale.joined(intervals, 1000), intervals);
  assert.deepEqual(scale.joined([], 100), []);
});

test('a line ends where its interval ends and a band holds its extremes; both break', () => {
  const same = (value) => value;
  const all = [{ from: 0, to: 1, low: 1, high: 9, last: 2, gap: true },
    { from: 1, to: 2, low: 2, high: 3, last: 3, gap: false },
    { from: 5, to: 6, low: 4, high: 6, last: 5, gap: true }];
  assert.equal(scale.path_text(scale.points_of(all), same, same), 'M1 2L2 3M6 5h2');
  assert.equal(scale.band_text(all, same, same),
    'M0 9L1 9L1 3L2 3L2 2L1 2L1 1L0 1ZM5 6L6 6L6 4L5 4Z');
  assert.equal(scale.band_text([], same, same), '');
});

// ---- A status with everything in it

const side = (log, alarm = false) => ({
  epoch: 2, log_e_milli: log, alarm_at_milli: 9197, alarm, alarms: Number(alarm),
});
const measure = (name, more) => ({
  name, alarms: 0, short_past_known: true, short_alarm: 'none', long_past_known: false,
  long_alarm: 'none', ...more,
});
const status = {
  origin: 'casino.example/one', boot: 3, size: 1234, ready: false,
  reasons: ['entropy_latched', 'a_new_reason'],
  profile: 'production', version: '0.1.0', sealing: 'tpm', rollback_protection: 'witness',
  anchor_lag: 4, tables: 2,
  time: 1_795_417_240_520_614, time_quality: 'synced',
  generator: {
    state: 'latched', construction: 'rbg3-xor', uncertified: true, reseeds: 5, generates: 6,
    sources: [{
      model: 'chaoskey', serial: '<b>7</b>', class: 'raw_physical', credited: true,
      verdict: 'failed', lost: true,
      required: true, independent: false, millibits: 7250, bits: 8, nominal_rate: 1000, samples: 10,
      credited_bits: 20,
      alarms: 1, assessment: 'assumed',
      device: { stalls_cleared: 1, silences: 2, blocks_dropped: 3, supply_millivolts: 5010 },
    }],
  },
  software: { state: 'mismatch', findings: [{ path: '/usr/sbin/rngd', what: 'changed' }] },
  monitors: {
    alpha: '0.001', run_length: 1_000_000_000, alarms_standing: 2, states_refused: 1,
    watching: [{
      class: 'noise', name: 'chaoskey/prediction', unit: 'samples', seen: 7,
      process: side(9300, true),
      detector: side(-500),
    }],
    quality: [{ source: 'chaoskey', samples: 9, alarms_standing: 1, alarms: 1, measures: [
      measure('lag 8', { short_ppm: 3906, short_alarm: 'claim' }),
      measure('most common value', { short_ppm: 4000 })] }],
  },
};

test('of a status the logarithms and shares are kept', () => {
  assert.deepEqual(figures_of(status), {
    'process:chaoskey/prediction': 9.3, 'detector:chaoskey/prediction': -0.5,
    'short:chaoskey/lag 8': 3906, 'long:chaoskey/lag 8': undefined,
    'short:chaoskey/most common value': 4000, 'long:chaoskey/most common value': undefined,
  });
  assert.deepEqual(figures_of({}), {});
});

test('the state says loudly what is wrong, in both languages, and reads no markup', () => {
  for (const t of [en, es]) {
    const [ready, view] = [new Node('div'), new Node('div')];
    state.show_state(status, t, ready, view);
    const said = ready.textContent;
    for (const key of ['state.not_ready', 'problem.entropy_latched', 'state.uncertified',
      'state.software_mismatch']) {
      assert.ok(said.includes(t(key)), `${t.language}: ${key}`);
    }
    assert.ok(said.includes('a_new_reason'), 'a reason without words is shown as it is');
    const text = view.textContent;
    for (const part of ['chaoskey (<b>7</b>)', t('verdict.failed'), t('source.lost'),
      t('class.raw_physical'),
      t('generator.latched'), t('sealing.tpm'), t('rollback.witness'), t('clock.synced'),
      '/usr/sbin/rngd']) {
      assert.ok(text.includes(part), `${t.language}: ${part}`);
    }
    assert.equal(view.all('b').length, 0);
  }
});

test('a latch says who, why, since when and who ends it; a person\'s words are no markup', () => {
  const latch = {
    reason: 'operator_request', by: 'talla:operator-1', note: '<b>humo</b>', record: 417,
    since: 1_700_000_000_000_000,
    ended_by: { act: 'latch-reset', roles: [['security-officer'], ['inspector']] },
  };
  for (const t of [en, es]) {
    const [ready, view] = [new Node('div'), new Node('div')];
    state.show_state({ ...status, latch }, t, ready, view);
    for (const part of ['talla:operator-1', t('latched.operator_request'), '<b>humo</b>', '417',
      t('act.latch-reset'), '2023', t.code('role', 'inspector'),
      t.code('role', 'security-officer')])
      assert.ok(ready.textContent.includes(part), `${t.language}: ${part}: ${ready.textContent}`);
    assert.equal(ready.all('b').length, 0);
    const by_itself = { ...latch, by: undefined, note: undefined };
    state.show_state({ ...status, latch: by_itself }, t, ready, view);
    assert.ok(ready.textContent.includes(t('state.latch_itself')), ready.textContent);
  }
});

test('alarms that stand are said in words, and the plots hold their levels', () => {
  const history = new History(never);
  history.see(0, 3, figures_of(status));
  history.see(5000, 3, figures_of(status));
  const [alarms, view] = [new Node('div'), new Node('div')];
  const page = new statistics.Statistics(alarms, view, history);
  page.show(status, en);
  assert.ok(alarms.textContent.includes(
    'chaoskey/prediction: evidence against the claim (e-process)'));
  assert.ok(alarms.textContent.includes(
    'chaoskey, lag 8, short window: more hits than the claimed entropy allows'));
  assert.ok(alarms.textContent.includes(en('statistics.refused', { count: 1 })));
  const plots = view.all('svg').filter((one) => one.attributes.role === 'img');
  assert.equal(plots.length, 2);
  assert.ok(plots[0].all('title')[0].textContent.includes('chaoskey/prediction'));
  assert.equal(plots[0].all('path').filter((one) =>
    one.attributes.class.startsWith('limit')).length, 2);
  assert.ok(view.textContent.includes('alarm at 9.20') && view.textContent.includes('0.4000'));
  page.show({ ...status, monitors: undefined }, es);
  assert.equal(alarms.textContent, es('statistics.off'));
  assert.equal(statistics.measure_text('ones of bit 3', es), 'unos del bit 3');
});

test('what bets were paid stands beside what they are worth, with every alarm in words', () => {
  const one = { place: 'Mesa <b>7</b>', client: '', catalogue: 'es-1977', game: 'french-roulette',
    bet: 'docena', on: '1', places: 3, currency: 'EUR', unit: '1', rounds: 1204, staked: '400.0000',
    paid: '300.5000', expected: '389.1891', deviation: '1.0000', theory: '97.2973 %',
    practice: '75.1250 %', low: '0.0000 %', high: '306.8473 %', within: true, monitor: 'm' };
  const found = {
    watched: true, unwatched: 2, not_watched: [{ place: 'Mesa 3', client: '', game: 'craps' }],
    bets: [one, { ...one, bet: 'rojo', on: undefined, places: undefined, within: false },
      { ...one, bet: 'pleno', process: side(9300, true), detector: side(0) }],
    together: [{ monitor: '*/r/pleno-1-2/payments', rounds: 1, process: side(9300, true),
      detector: side(0) }],
  };
  for (const t of [en, es]) {
    const nodes = { box: new Node('details'), problem: new Node('div'), view: new Node('div') };
    const page = new returns.Returns(nodes);
    page.t = t;
    page.draw(found);
    const said = nodes.view.textContent;
    for (const part of ['Mesa <b>7</b>', t('returns.within'), t('returns.outside'),
      t('returns.alarm', { bet: `pleno (${t('returns.places', { on: '1', count: '3' })})`,
        of: 'Mesa <b>7</b>: french-roulette' }),
      t('returns.together', { name: '*/r/pleno-1-2/payments' }),
      t('returns.unwatched', { count: '2' }), 'craps (Mesa 3)',
      t('returns.places', { on: '1', count: '3' })])
      assert.ok(said.includes(part), `${t.language}: ${part}: ${said}`);
    assert.ok(said.includes(t.language === 'es' ? '97,30\u00a0%' : '97.30\u00a0%'), said);
    assert.equal(nodes.view.all('b').length, 0);
    assert.equal(nodes.view.all('tr').length, 4);
    page.draw({ watched: false, bets: [], not_watched: [] });
    assert.equal(nodes.view.textContent, t('statistics.off'));
    page.draw({ watched: true, bets: [], not_watched: [] });
    assert.equal(nodes.view.textContent, t('returns.none'));
  }
});

test('alarms of payments are counted where the status says no more of them', () => {
  const [alarms, view] = [new Node('div'), new Node('div')];
  const page = new statistics.Statistics(alarms, view, new History(never));
  page.show({ ...status, monitors: { ...status.monitors, alarms_standing: 5 } }, es);
  assert.ok(alarms.textContent.includes(es('statistics.alarm_payments', { count: '3' })));
});

test('a plot has a title, a description, both axes in words and its lines inside', () => {
  const holder = new Node('div');
  draw_plot(holder, {
    title: 'T', description: 'D', y_words: 'Y', x_words: 'X', window: [0, 60_000],
    limits: [9.2, undefined],
    lines: [[{ from: 0, to: 30_000, low: 1, high: 1, last: 1, gap: true },
      { from: 30_000, to: 60_000, low: 1, high: 9, last: 2, gap: false }], []],
  }, en);
  const [svg] = holder.children;
  assert.equal(svg.space, 'http://www.w3.org/2000/svg');
  const ids = svg.attributes['aria-labelledby'].split(' ');
  assert.deepEqual([svg.all('title')[0].attributes.id, svg.all('desc')[0].attributes.id], ids);
  const texts = svg.all('text').map((one) => one.textContent);
  assert.ok(texts.includes('Y') && texts.includes('X') && texts.includes('8'));
  const line = svg.all('path').find((one) => one.attributes.class === 'line first').attributes.d;
  const places = [...line.matchAll(/[ML]([\d.]+) ([\d.]+)/g)]
    .map(([, x, y]) => [Number(x), Number(y)]);
  assert.deepEqual(places.map(([x]) => x), [325, 588]);
  const bands = svg.all('path').filter((one) => one.attributes.class.startsWith('band'));
  assert.equal(bands.length, 2);
  assert.ok(bands[0].attributes.d.startsWith('M62') && bands[1].attributes.d === '');
  assert.ok(places.every(([, y]) => y > 22 && y < 170));
});

// ---- Chance

/// The same band by adding up exact integers: slow, and right.
function binomial_by_hand(n, top, below, risk) {
  const choose = [1n];
  for (let k = 0; k < n; k += 1) choose.push(choose[k] * BigInt(n - k) / BigInt(k + 1));
  const weights = choose.map((one, k) => one * BigInt(top) ** BigInt(k) *
    BigInt(below - top) ** BigInt(n - k));
  return band_by_hand(weights, BigInt(below) ** BigInt(n), risk);
}
function band_by_hand(weights, total, risk) {
  const half = risk / 2;
  const share = (sum) => Number(sum * 10n ** 15n / total) / 1e15;
  let [low, left] = [0, 0n];
  while (share(left + weights[low]) <= half) left += weights[low++];
  let [high, right] = [weights.length - 1, 0n];
  while (share(right + weights[high]) <= half) right += weights[high--];
  return [low, high];
}

test('bands of chance are those of exact arithmetic', () => {
  for (const [n, top, below] of [[1, 1, 2], [37, 1, 37], [200, 1, 37], [400, 1, 6], [90, 5, 6],
    [60, 1, 36]]) {
    for (const risk of [0.01, 0.01 / 37, 1e-6]) {
      assert.deepEqual(chance.binomial_band(n, top / below, risk),
        binomial_by_hand(n, top, below, risk), `${n} ${top}/${below} ${risk}`);
    }
  }
  const choose = (n, k) => {
    let value = 1n;
    for (let i = 0; i < k; i += 1) value = value * BigInt(n - i) / BigInt(i + 1);
    return k > n ? 0n : value;
  };
  for (const [n, kind, all] of [[24, 32, 416], [300, 24, 312], [312, 24, 312], [0, 24, 312],
    [5, 4, 52]]) {
    const weights = Array.from({ length: Math.min(n, kind) + 1 }, (_, k) =>
      choose(kind, k) * (n - k > all - kind ? 0n : choose(all - kind, n - k)));
    const [low, high] = chance.hypergeometric_band(n, kind, all, 0.001);
    const [by_low, by_high] = band_by_hand(weights, choose(all, n), 0.001);
    assert.deepEqual([low, high], [by_low, by_high], `${n} of ${kind} in ${all}`);
  }
  assert.deepEqual(chance.dice_sums(2, 6)[1].map((one) => Math.round(one * 36)),
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
  assert.deepEqual(chance.binomial_band(0, 0.5, 0.01), [0, 0]);
});

test('"look" comes once in a hundred pictures of a fair wheel at most, and always of a stuck one',
  () => {
    const draw = numbers(11);
    let looks = 0;
    const pictures = 600;
    const picture_of = (values) => counts.picture({ specification: { kind: 'wheel', pockets: 37 },
      values: values.map((pocket) => ({ outcome: { pocket } })) });
    for (let i = 0; i < pictures; i += 1) {
      looks += picture_of(Array.from({ length: 200 }, () => draw(37))).look ? 1 : 0;
    }
    // 6 expected at most; 20 would come once in a hundred thousand such tests.
    assert.ok(looks < 20, `${looks} of ${pictures}`);
    assert.equal(picture_of(Array.from({ length: 200 }, (_, i) => i % 5)).look, true);
    assert.equal(picture_of([7, 7, 7]).enough, false);
  });

test('a shoe is counted by ranks, and other decks are not', () => {
  const shoe = { deck: 'french52x1', cards: 52, seen: ['AS', 'AH', 'AD', 'AC', 'AS'], dealt: 5 };
  assert.equal(counts.shoe_picture(shoe).rows[0].out, 'many');
  assert.equal(counts.shoe_picture({ ...shoe, deck: 'spanish40' }), null);
  assert.equal(counts.shoe_picture({ ...shoe, again: true }), null);
});

test('a month is counted on until all of it is, and told with names as they are', async () => {
  const time_us = Date.UTC(2027, 0, 31) * 1000;
  assert.deepEqual(month.months_before(time_us, 3), ['2027-01', '2026-12', '2026-11']);
  const report = { month: '2027-01', format: 1, kind: 'talla-lab month', faults: [],
    log: { below: 9000, held_against: 'x', origin: 'o', records_of_month: 70 },
    tables: { 'table-4': { place: 'Mesa <b>7</b>', game: 'roulette', currency: 'EUR', unit: '1/2',
      rounds: 12, staked: 340, returned: 310, settlements: 12, misdeals: 1, shoes: {},
      voids: { withheld: 2 }, withheld: { 'seat-2': 2 },
      draws: [{ specification: { kind: 'wheel', pockets: 37 }, draws: 12,
        results: { 17: 4 } }] } },
    alarms: [{ dropped: 1, level: 2, seq: 5, source: 'chaoskey', test: 'lag', time_us }],
    latches: [{ seq: 6, time_us, what: 'generator-latch' }], latch_resets: {}, power: { start: 1 },
    selftests: {}, reseeds: 3, accesses_refused: 4 };
  for (const t of [en, es]) {
    const node = () => new Node('div');
    const nodes = { box: node(), of: node(), problem: node(), view: node() };
    const page = new month.Month(nodes);
    page.show(t, { roles: ['table'] }, time_us);
    assert.ok(nodes.box.hidden, 'a table sees no month');
    page.show(t, { roles: ['auditor'] }, time_us);
    assert.ok(!nodes.box.hidden);
    assert.equal(nodes.of.all('option').length, 24);
    page.draw(report);
    const said = nodes.view.textContent;
    for (const part of ['Mesa <b>7</b>: roulette', '17: 4',
      '170\u00a0€155\u00a0€', t('specification.wheel', { pockets: 37 }), 'withheld: 2', 'seat-2: 2',
      '5: chaoskey lag, 2', '6: generator-latch', 'start: 1', t('month.none')])
      assert.ok(said.includes(part), `${t.language}: ${part}: ${said}`);
    assert.equal(nodes.view.all('b').length, 0);
    assert.ok(!said.includes(t('month.unfinished', { count: '9' }).slice(0, 10)));
    page.draw({ ...report, tables: {}, faults: [{ what: 'unfinished', words: 'x' }] });
    assert.ok(nodes.view.textContent.includes(t('month.no_tables')));
    assert.ok(nodes.view.textContent.includes(
      t('month.unfinished', { count: format.number(9000, t) })));

    // Asked again while it is unfinished; damage and refusals are said.
    const answers = [{ ...report, faults: [{ what: 'unfinished', words: 'x' }] }, report];
    let asked = 0;
    const before = globalThis.fetch;
    globalThis.fetch = async () => {
      asked += 1;
      return { ok: true, text: async () => JSON.stringify(answers.shift() ?? { tables: {} }) };
    };
    try {
      Object.assign(nodes.box, { open: true });
      nodes.of.value = '2027-01';
      await page.ask();
      assert.equal(asked, 2);
      assert.equal(nodes.problem.textContent, '');
      await page.ask();
      assert.notEqual(nodes.problem.textContent, '', 'an answer without its members is damage');
    } finally {
      globalThis.fetch = before;
    }
  }
});
