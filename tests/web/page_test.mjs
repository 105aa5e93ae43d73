// Goal: the appliance's page (rngd/web) says the right words and draws the right lines, without a
//   browser.
// Method: its modules run in node as they are: pure functions by value, views in a document of a
//   few lines, words against the API's description and the evidence format, all files against the
//   rules of their Content-Security-Policy.
//
//   node tests/web/page_test.mjs        one line a case; 0: all passed, 1: not

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { numbers } from './harness.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const web = join(root, 'rngd/web');

const load = (name) => import(pathToFileURL(join(web, 'app', name)).href);

let failed = 0;
const running = [];
const test = (name, body) => running.push(run(name, body));
async function run(name, body) {
  try {
    await body();
    console.log(`passed  ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n        ${String(error.message).replaceAll('\n', '\n        ')}`);
  }
}

// A document of elements that only remember what they were given.
class Node {
  constructor(name, space) {
    Object.assign(this,
      { name, space, attributes: {}, children: [], dataset: {}, clientWidth: 600, listeners: {} });
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  closest() { return null; }
  get textContent() { return this.children.map((one) => one.textContent ?? String(one)).join(''); }
  set textContent(text) { this.children = [text]; }
  get value() { return this.chosen; }
  set value(value) {
    this.chosen = value;
    this.selectedIndex = this.children.findIndex((one) => one.attributes.value === value);
  }
  all(name) {
    return this.children.filter((one) => one instanceof Node)
      .flatMap((one) => [...(one.name === name ? [one] : []), ...one.all(name)]);
  }
}
globalThis.document = {
  createElement: (name) => new Node(name),
  createElementNS: (space, name) => new Node(name, space),
};

const { words } = await load('words.js');
const language = await load('language.js');
const scale = await load('scale.js');
const format = await load('format.js');
const { problem_text } = await load('problem.js');
const records = await load('records.js');
const { History, figures_of } = await load('history.js');
const { draw_plot } = await load('plot.js');
const state = await load('state.js');
const statistics = await load('statistics.js');
const game = await load('game.js');
const [chance, counts, house, money, qr, router, search] = await Promise.all(['chance', 'counts',
  'house', 'money', 'qr', 'router', 'log_search'].map((one) => load(`${one}.js`)));
const pieces = await import(pathToFileURL(join(web, 'verify_pieces.js')).href);
const [en, es] = ['en', 'es'].map(language.words_of);

const openapi = JSON.parse(readFileSync(join(root, 'rngd/openapi.json'), 'utf8'));
const schemas = openapi.components.schemas;
const format_page = readFileSync(join(root, 'certs/FORMAT.md'), 'utf8');

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

test('a long series is thinned, its extremes and gaps stay', () => {
  const points = Array.from({ length: 1000 },
    (_, x) => ({ x, y: x === 617 ? 99 : x === 333 ? NaN : Math.sin(x) }));
  const kept = scale.thin(points, 100);
  assert.ok(kept.length <= 160);
  assert.ok(kept.some((one) => one.y === 99) && kept.some((one) => Number.isNaN(one.y)));
  assert.ok(kept.every((one, i) => i === 0 || kept[i - 1].x < one.x));
  assert.equal(scale.thin(points, 1000), points);
});

test('the last hour is kept, with a gap for silence and restarts, and a clock that steps back ' +
  'begins anew', () => {
  const history = new History(3600_000, 20_000);
  history.add(0, 1, { a: 1 });
  history.add(5_000, 1, { a: 2 });
  history.add(60_000, 1, { a: 3 });
  assert.deepEqual(history.series('a').map((one) => one.y), [1, 2, NaN, 3]);
  history.add(65_000, 2, { a: 4 });
  assert.equal(history.series('a').filter((one) => Number.isNaN(one.y)).length, 2);
  history.add(3_662_000, 2, { a: 5 });
  assert.ok(history.series('a').every((one) => one.x >= 62_000));
  assert.deepEqual(history.window(), [history.series('a')[0].x, 3_662_000]);
  history.add(1_000, 2, { a: 6 });
  assert.deepEqual(history.series('a'), [{ x: 1_000, y: 6 }]);
  assert.deepEqual(history.series('b'), []);
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
  const history = new History();
  history.add(0, 3, figures_of(status));
  history.add(5000, 3, figures_of(status));
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

test('a plot has a title, a description, both axes in words and its lines inside', () => {
  const holder = new Node('div');
  draw_plot(holder, {
    title: 'T', description: 'D', y_words: 'Y', x_words: 'X', window: [0, 60_000],
    limits: [9.2, undefined],
    lines: [[{ x: 0, y: 1 }, { x: 60_000, y: 2 }], []],
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
  assert.deepEqual(places.map(([x]) => x), [62, 588]);
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

// ---- Money, routes, places

test('money is exact, in the currency, or it stays in units', () => {
  const worth = (unit, currency = 'EUR') => ({ unit, currency });
  assert.equal(money.money(40, worth('1/2'), es), '20\u00a0€');
  assert.equal(money.money(41, worth('1/2'), es), '20,50\u00a0€');
  assert.equal(money.money(-1234567, worth('0.25'), en), '\u2212308,641.75\u00a0€');
  assert.equal(money.money(3, worth('1/3'), en), '1\u00a0€');
  assert.equal(money.money(1, worth('1/3'), en), '1 units');
  assert.equal(money.money(Number.MAX_SAFE_INTEGER, worth('1', 'ESP'), en),
    '9,007,199,254,740,991\u00a0pta');
  for (const odd of ['', '0x1', '1/0', '-1', '1e9', null]) {
    assert.equal(money.money(5, worth(odd), en), '5 units', String(odd));
  }
  assert.equal(money.money(2 ** 60, worth('1'), en), '–');
});

test('an address that means nothing leads to the floor', () => {
  for (const one of ['', '#/', '#/table/table-x', '#/round/round-1/2', '#/table/<b>', '#/nothing',
    '#/log/99999999999999999999']) {
    assert.deepEqual(router.route_of(one), { view: 'floor' }, one);
  }
  assert.deepEqual(router.route_of('#/log/table/table-7'),
    { view: 'log', value: 'table-7', kind: 'table' });
});

test('cards belong to the hand of their place', () => {
  assert.deepEqual(['punto-2', 'box-3-1', 'box-3', 'dealer', 'dealer-2', 'seat-4-card-2', 'burn',
    'pano2-1'].map(pieces.handOf),
    ['punto', 'box-3', 'box-3', 'dealer', 'dealer', 'seat-4', 'burn', 'pano2']);
});

test('rounds an hour are those of the last hour, said to be rough where less was seen', () => {
  const minute = 60e6;
  const book = (minutes, every) => {
    const one = new house.House();
    let seq = 0;
    for (let at = 0; at < minutes; at += every) {
      for (const kind of ['ROUND_OPEN', 'ROUND_END']) {
        one.take({ seq: seq += 1, kind, table: 'table-1', object: 'round-1', time: at * minute,
          body: { number: 1 } });
      }
    }
    return one.book('table-1').pace((minutes - every) * minute);
  };
  assert.deepEqual(book(120, 2), { count: 30, rough: false });
  assert.deepEqual(book(22, 2), { count: 33, rough: true });
  assert.equal(book(4, 2), null);
});

test('the place of a time in the log is found by halving', async () => {
  const times = Array.from({ length: 1000 }, (_, i) => 10 * i);
  let asked = 0;
  const read = (seq) => {
    asked += 1;
    return Promise.resolve(times[seq] === undefined ? undefined : { seq, time: times[seq] });
  };
  assert.deepEqual(await Promise.all([0, 5, 5000, 9990, 9991].map((time) =>
    search.seq_at(time, 1000, read))), [0, 1, 500, 999, 1000]);
  assert.ok(asked <= 5 * 11, String(asked));
  assert.equal(search.time_of_field('tomorrow'), undefined);
});

test('a code of a QR holds its text: three finders, and every version up to ten', () => {
  for (const length of [1, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213]) {
    const rows = qr.qr_modules('x'.repeat(length));
    assert.equal(rows.length, rows[0].length);
    assert.ok(rows.length <= 57);
    for (const [x, y] of [[0, 0], [rows.length - 7, 0], [0, rows.length - 7]]) {
      assert.equal(rows.slice(y, y + 7).map((row) => row.slice(x, x + 7)
        .map(Number).join('')).join(' '),
      '1111111 1000001 1011101 1011101 1011101 1000001 1111111');
    }
  }
  assert.equal(qr.qr_modules('x'.repeat(214)), null);
});

// ---- Words

test('both languages have the same words, with the same places to fill in', () => {
  assert.deepEqual(Object.keys(words).sort(), ['en', 'es']);
  assert.deepEqual(Object.keys(words.en).sort(), Object.keys(words.es).sort());
  const filled = (text) => [...text.matchAll(/\{\w+\}/g)].map(([one]) => one).sort();
  for (const key of Object.keys(words.en)) {
    assert.ok(words.en[key].trim() !== '' && words.es[key].trim() !== '', key);
    assert.deepEqual(filled(words.en[key]), filled(words.es[key]), key);
  }
});

test('every word that the page asks for is there, and none is left over', () => {
  const sources = walk(web).filter((path) => !is_verify(path) && /\.(js|html)$/.test(path) &&
    !/words/.test(path))
    .map((path) => readFileSync(path, 'utf8')).join('\n');
  const asked = new Set([...sources.matchAll(/'([a-z_]+\.[A-Za-z_.-]+)'/g)].map(([, key]) => key)
    .concat([...sources.matchAll(/data-word="([^"]+)"/g)].map(([, key]) => key)));
  const groups = [...sources.matchAll(/`([a-z_]+\.[a-z_]*)\$\{/g)].map(([, start]) => start)
    .concat([...sources.matchAll(/t\.code\('([a-z_.]+)'/g)].map(([, group]) => `${group}.`));
  const calls = [...sources.matchAll(/\bt\('([^']+)'/g)].map(([, key]) => key);
  for (const key of [...calls, ...[...asked].filter((one) => one.startsWith('page.'))]) assert.ok(
    en.has(key), key);
  for (const key of Object.keys(words.en)) {
    assert.ok(asked.has(key) || groups.some((start) => key.startsWith(start)),
      `${key} is not used`);
  }
});

test('codes of the API and kinds of the log have words', () => {
  const expected = {
    generator: schemas.Generator.properties.state.enum,
    verdict: schemas.NoiseSource.properties.verdict.enum,
    software_state: schemas.Software.properties.state.enum,
    monitor: schemas.Monitors.properties.watching.items.properties.class.enum,
    result: schemas.Result.properties.result.enum,
    report: schemas.ShuffleReport.properties.result.enum,
    kind: records.kinds,
    clock: ['synced', 'holdover', 'unset'],
    sealing: ['file', 'credential', 'tpm', 'hsm', 'passphrase'],
    rollback: ['local', 'tpm', 'hsm', 'witness'],
    class: ['raw_physical', 'conditioned_physical', 'system', 'rdseed', 'lab'],
    construction: ['rbg3-xor', 'system'],
    latched: [...readFileSync(join(root, 'entropy/src/names.cpp'), 'utf8')
      .split('latch_reason_name')[1].split('\n}\n')[0].matchAll(/return "(\w+)"/g)]
      .map(([, code]) => code).filter((code) => code !== 'none'),
    act: schemas.Act.properties.act.enum,
    act_state: schemas.Act.properties.state.enum,
    role: ['table', 'auditor', 'operator', 'seat', 'security-officer', 'inspector', 'shuffler',
      'lab'],
    profile: ['development', 'production'],
  };
  for (const [group, codes] of Object.entries(expected)) {
    for (const code of codes) assert.ok(en.has(`${group}.${code}`), `${group}.${code}`);
  }
  const kinds = format_page.split('## 6. Kinds')[1].split('## 7.')[0].match(/^#### [A-Z_]{3,}$/gm)
    .map((row) => row.replaceAll(/[# ]/g, ''));
  assert.deepEqual([...records.kinds].sort(), [...new Set(kinds)].sort());
  // What stands against new commitments: what the core says itself, and what its duties object.
  const folder = join(root, 'rngd/appliance/core/src');
  const reasons = readdirSync(folder).filter((name) => name.endsWith('.cpp')).flatMap((name) => {
    const bodies = readFileSync(join(folder, name), 'utf8')
      .matchAll(/(?:Core::ready|::objection)\(\) const \{\n([^]*?)\n\}/g);
    return [...bodies].flatMap(([, body]) => [...body.matchAll(/Errc::(\w+)/g)]);
  });
  assert.ok(reasons.length >= 8, reasons.join());
  for (const [, reason] of reasons) assert.ok(en.has(`problem.${reason}`), `problem.${reason}`);
});

test('the language is the one chosen before, else the browser\'s, else English; storage may be ' +
  'forbidden', () => {
  assert.equal(language.first_language('es', ['en-GB']), 'es');
  assert.equal(language.first_language(null, ['fr', 'es-MX', 'en']), 'es');
  assert.equal(language.first_language('xx', ['de', undefined]), 'en');
  globalThis.localStorage = undefined;
  Object.defineProperty(globalThis, 'localStorage',
    { configurable: true, get() { throw new Error('forbidden'); } });
  assert.equal(language.remembered_language(), null);
  language.remember_language('es');
});

test('a code without words is shown as it is, and values stand where they belong', () => {
  assert.equal(en.code('generator', 'something_new'), 'something_new');
  assert.equal(en('source.assessed_value', { bits: '7.250', width: 8 }),
    '7.250 bits a sample of 8');
  assert.equal(en('draws.evidence_of', {}), 'Evidence of record {seq}');
});

// ---- Numbers and times

test('numbers and times are written as each language writes them', () => {
  assert.equal(format.number(1234567, en), '1,234,567');
  assert.equal(format.number(1234567, es), '1.234.567');
  assert.equal(format.number(-0.5, en, 1), '\u22120.5');
  assert.equal(format.number(undefined, en), '–');
  assert.equal(format.thousandths(9197, es, 2), '9,20');
  assert.equal(format.ppm_as_percent(3906, en), '0.3906 %');
  const at = 1_795_417_240_520_614;
  assert.equal(format.time_of_day(at, en, 'UTC'), '07:00:40');
  for (const t of [en, es]) assert.equal(format.date_time(at, t, 'UTC'), '23/11/2026, 07:00:40');
  assert.equal(format.date_time(undefined, es), '–');
  assert.equal(format.short_digest('0123456789abcdef01'), '0123456789abcdef…');
});

// ---- Problems

test('a refusal is said in words: network, role, busy, unknown', () => {
  assert.equal(problem_text({ kind: 'network' }, es), 'El equipo no responde.');
  const refused = { kind: 'problem', status: 403, code: 'forbidden', title: 'T', detail: 'no role',
    retry: 'never' };
  assert.equal(problem_text(refused, en),
    'The role of your certificate does not allow this. (no role)');
  const latched = { kind: 'problem', status: 503, code: 'entropy_latched', retry: 'after' };
  assert.ok(problem_text(latched, es).endsWith(es('problem.later')));
  const odd = { kind: 'problem', status: 422, code: 'of_tomorrow', title: 'Something else',
    retry: 'never' };
  assert.equal(problem_text(odd, en), 'The appliance refused (status 422). Something else.');
  assert.equal(problem_text({ kind: 'problem', status: 500 }, en),
    'The appliance refused (status 500).');
  assert.equal(problem_text({ kind: 'problem', status: 502 }, en), en('problem.network'));
  assert.equal(problem_text({ kind: 'problem', status: 503 }, en), en('problem.unavailable'));
});

// ---- Records

test('cards of all decks are named', () => {
  const french = ['8S', 'TH', 'KD', 'AC'].map((code) => records.card_text(code, en));
  assert.deepEqual(french, ['8♠', '10♥', 'K♦', 'A♣']);
  assert.equal(records.card_text('7o', es), '7 de oros');
  assert.equal(records.card_text('Re', en), 'king of swords');
  assert.equal(records.card_text('1b', es), 'as de bastos');
  assert.equal(records.card_text('B17', es), 'bola 17');
  assert.equal(records.card_text('Jk', en), 'joker');
  assert.equal(records.card_text('??', en), '??');
});

test('every kind of record is told', () => {
  const call = (specification, use = 'draw') => ({ core: { turn: 3, use, specification } });
  const deal = { position: 4, place: 'punto-1' };
  const cases = [
    ['POWER', { event: 'start', clean: false }, 'start (the stop before was not in order)'],
    ['POWER', { event: 'stop' }, 'stop'],
    ['SOFTWARE', { version: '0.1.0', digest: 'aa' }, 'version 0.1.0'],
    ['CONFIG', { digest: 'aa', profile: 'production' }, 'profile: production'],
    ['KEY', { purpose: 'log', log_key: {} }, 'key of the log'],
    ['KEY', { purpose: 'client', action: 'enrol', id: 'talla:t', roles: ['table', 'seat'] },
      'talla:t enrolled: table, seat'],
    ['KEY', { purpose: 'client', action: 'revoke', id: 'talla:t', roles: [] }, 'talla:t revoked'],
    ['KEY', { purpose: 'predecessor', origin: 'old/one' }, 'secret of the log before, old/one'],
    ['SELFTEST', { test: 'startup:x', result: 'pass', count: 1 }, 'startup:x: passed'],
    ['SELFTEST', { test: 'disk-reserve', result: 'fail', count: 1 }, 'disk-reserve: FAILED'],
    ['HEALTH', { source: 'x', test: 'lag', level: 2 }, 'x, lag, level 2'],
    ['RESEED', { counter: 1234, assessed_millibits: 512_000 }, 'number 1,234, 512 assessed bits'],
    ['ACCESS', { what: 'latch-reset.asked', result: 'allowed' }, 'latch-reset.asked, allowed'],
    ['TABLE_OPEN', { game: 'boule', currency: 'EUR', unit: '1/2', settled_by: 'appliance' },
      'boule, unit 1/2 EUR, settled by the appliance'],
    ['TABLE_OPEN', { game: '', currency: '', unit: '1', settled_by: 'client' },
      'no game of a catalogue, settled by the client'],
    ['ROUND_OPEN', { table: 'table-3', number: 2 }, 'number 2 at table-3'],
    ['BETS_CLOSED', { bets: [{ seat: 1, kind: 'pleno', stake: 5000, on: ['17'] }], withdrawn: [] },
      'seat 1: pleno 17, 5,000'],
    ['BETS_CLOSED', { bets: [], withdrawn: [], part: 2, parts: 2 }, 'no bets (part 2 of 2)'],
    ['ACTION', { seat: 2, do: 'hit', cause: 'decision', amount: 10 }, 'seat 2: hit 10'],
    ['ACTION', { seat: 2, do: '', cause: 'time_out' }, 'seat 2: time is up'],
    ['MISDEAL', { code: 'shoe-empty', effect: 'void-round' }, 'shoe-empty, void-round'],
    ['HAND_CONFIRMED', { state_before: 'aa' }, ''],
    ['SETTLEMENT', { results: [{ seat: 1, kind: 'punto', result: 'lose', returned: 0 }] },
      'seat 1: punto loses, 0 returned'],
    ['SETTLEMENT', { results: [] }, 'nothing to pay'],
    ['ROUND_END', { state_after: 'aa' }, ''],
    ['TABLE_CLOSE', { rounds: 3, reason: 'voided' }, 'voided, rounds: 3'],
    ['METER', { meter: 'carrusel', before: 1, contribution: 2, award: 0, after: 3 },
      'carrusel: 1 to 3, award 0'],
    ['METER_OPEN', { meter: 'carrusel', value: 7 }, 'carrusel: 7'],
    ['METER_CLOSE', { value: 7 }, 'left in it: 7'],
    ['SHOE_COMMIT', { cards: 416, deck: 'french52x8', disclosure: 'public' },
      '416 cards, french52x8, all open at its close'],
    ['SHOE_RECOMMIT', { cards: 300, deck: 'french52x8', disclosure: 'covered' },
      '300 cards, french52x8, covered cards stay private'],
    ['SHOE_MIX', { call: 17 }, 'by the call of record 17'],
    ['CARD_DEAL', { ...deal, face: 'open', card: '8S' }, '8♠, place punto-1, position 4'],
    ['CARD_DEAL', { ...deal, face: 'covered', copies: [] }, 'face down, place punto-1, position 4'],
    ['CARD_DEAL', { ...deal, face: 'unseen' }, 'burned unseen, place punto-1, position 4'],
    ['CARD_OPEN', { ...deal, card: 'So' }, 'knave of coins, place punto-1, position 4'],
    ['SHOE_RELEASE', { machine: 'talla:shuffler-1' }, 'talla:shuffler-1'],
    ['SHUFFLE_REPORT', { recognised: 415, result: 'jam' }, 'jammed, cards recognised: 415'],
    ['SHOE_CLOSE', { dealt: 13, reason: 'stop_card' }, 'stop card, cards dealt: 13'],
    ['BATCH_COMMIT', { count: 8 }, 'secrets: 8'],
    ['CALL', call({ kind: 'wheel', pockets: 37 }), 'turn 3, wheel of 37'],
    ['CALL', call({ kind: 'dice', count: 2, faces: 6 }), 'turn 3, dice: 2, of 6 faces'],
    ['CALL', call({ kind: 'lots', bounds: [49, 10] }), 'turn 3, lots below 49, 10'],
    ['CALL', call({ candidates: 1, places: 416 }, 'mix'), 'turn 3, a mix of 416 cards'],
    ['DRAW', { outcome: { pocket: 1 } }, 'pocket at index 1'],
    ['DRAW', { outcome: { dice: [3, 5] } }, 'dice 3 + 5'],
    ['DRAW', { outcome: { lots: [0, 7] } }, 'lots 0, 7'],
    ['VOID', { cause: 'order', outcome: { dice: [1] } }, 'it would have been dice 1'],
    ['VOID', { cause: 'unrecoverable', outcome: 'unknown' }, 'its secret cannot be recovered'],
    ['VOID', { cause: 'lapsed', outcome: 'unknown' },
      'a call that did not stand any more, nothing was opened'],
    ['VOID', { cause: 'lapsed', outcome: { pocket: 1 } }, 'it would have been pocket at index 1'],
    ['BATCH_CLOSE', { reason: 'used', first: 8, secrets: [] },
      'used up, drawn: 8, opened unused: 0'],
  ];
  for (const [kind, body, expected] of cases) {
    assert.equal(records.record_text({ kind, body }, en), expected, kind);
    assert.doesNotMatch(records.record_text({ kind, body }, es), /\{|undefined/,
      `${kind} in Spanish`);
  }
  assert.deepEqual(records.kinds.filter((kind) => !cases.some(([one]) => one === kind)), []);
});

test('a wheel\'s index becomes the number of its pocket where the catalogue is known', () => {
  const draw = { kind: 'DRAW', body: { outcome: { pocket: 1 } } };
  assert.equal(records.record_text(draw, es, ['0', '32', '15']), 'número 32');
  assert.equal(records.record_text(draw, es, ['0']), 'casilla de índice 1');
});

test('a record of tomorrow or with a body that makes no sense stops nothing', () => {
  assert.equal(records.record_text({ kind: 'TOMORROW', body: {} }, en), en('record.unknown'));
  assert.equal(records.record_text({ kind: 'BETS_CLOSED', body: {} }, en), en('record.unknown'));
});

test('evidence is offered for the kinds that a bundle can claim', () => {
  const claims =
    format_page.match(
      /`claim` \| `seq` of the record the bundle proves: a ([^|]*?) or any opening/)[1]
    .match(/[A-Z_]{3,}/g).concat(['TABLE_OPEN', 'ROUND_OPEN', 'SHOE_COMMIT', 'BATCH_COMMIT']);
  const offered = records.kinds.filter((kind) => records.has_evidence({ kind, body: {} }));
  assert.deepEqual(offered.sort(), claims.sort());
  assert.equal(records.has_evidence({ kind: 'SETTLEMENT', body: { part: 1, parts: 2 } }), false);
  assert.equal(records.has_evidence({ kind: 'SETTLEMENT', body: { part: 2, parts: 2 } }), true);
  assert.equal(records.is_alert({ kind: 'SELFTEST', body: { result: 'fail' } }), true);
  assert.equal(records.is_alert({ kind: 'SELFTEST', body: { result: 'pass' } }), false);
});

// ---- Catalogues

test('payouts, positions, limits and citations of a game are told', () => {
  assert.equal(game.pays_text('35', en), '35 to 1');
  assert.equal(game.pays_text('3/2', es), '3 a 2');
  const bet = {
    covers: [[1, 2], [4, 5]],
    payouts: [{ when: 'win', pays: '1', commission: '1/20' }, { when: 'tie', pays: '8' }],
    payouts_when: [{ when: 'win', pays: '2', parameter: 'double', value: true }],
  };
  assert.deepEqual(game.payout_lines(bet, en),
    ['1 to 1 less commission 1/20', 'tie: 8 to 1', '2 to 1 (if double = yes)']);
  assert.equal(game.covers_text(bet, en), '1/2, 4/5');
  assert.equal(game.covers_text({ covers: [1, 2, 3, 4, 5, 6, 7] }, en),
    '1, 2, 3, 4, 5, 6, … (7 in all)');
  assert.equal(game.covers_text({ covers: 'punto' }, en), 'punto');
  assert.equal(game.covers_text({ covers: { form: 'throw' }, covers_text: 'next throw' }, en),
               'next throw');
  assert.equal(game.limit_text({ max_parameter: 'max_simple', of: 'share' }, en),
    'max_simple × share');
  assert.equal(game.limit_text({ max: '60' }, en), '60');
  assert.equal(
    game.cite_text({ cite: 'IV.1', reading: 'A7', inherited: 'es-1977', provisional: true }, en),
    'IV.1, reading A7, lent by es-1977, provisional');
  assert.equal(game.equipment_text({ deck: 'french52x6', cards_count: 312, stop_depth: 52 }, en),
    'shoe french52x6, 312 cards, stop card 52 from the end');
});

test('a whole game becomes tables', () => {
  const parts = game.game_view({
    number: '01', text: 'French roulette', family: 'wheel', cite: 'I', follows: 'boule',
    base: { decree: 'Decreto 159/2002', catalogue: 'es-1977' },
    equipment: [{ kind: 'wheel', cite: 'II', pockets: ['0', '32'] },
      { kind: 'dice', count: 2, faces: 6, cite: 'II' }],
    bets: [{ id: 'pleno', text: 'Straight up', covers: [[0]],
      payouts: [{ pays: '35', when: 'win' }], cite: 'IV' }],
    minimums: [{ bets: ['pleno'], min: '1', multiples: true, cite: 'V' }],
    limits: [{ bets: ['pleno'], max: '30', scope: 'bet', cite: 'IV.2' }],
    parameters: [{ id: 'cloths', text: 'Cloths', default: 1, allowed: [1, 2], set_by: 'casino',
      cite: 'II' },
      { id: 'open', type: 'bool', set_by: 'reading', cite: 'II' }],
    actions: [{ id: 'half', text: 'Take half back', cite: 'IV' }],
    errors: [{ code: 'shoe-empty', effect: 'void-round', cite: 'VIII' }],
  }, en);
  const view = new Node('div');
  view.replaceChildren(...parts);
  assert.equal(view.all('table').length, 5);
  for (const text of ['Straight up', '35 to 1', 'in multiples of it', 'one bet of a player', '1, 2',
    'yes, no',
    'the table must say', 'void-round', 'wheel of 2 pockets: 0 32', 'Decreto 159/2002']) {
    assert.ok(view.textContent.includes(text), text);
  }
});

// ---- The files themselves

function walk(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return walk(path);
    return ['.html', '.css', '.js'].includes(extname(path)) ? [path] : [];
  });
}
function is_verify(path) {
  return relative(web, path).startsWith('verify');
}
const files = walk(web)
  .map((path) => ({ path, name: relative(root, path), text: readFileSync(path, 'utf8') }));

test('no file needs what its Content-Security-Policy forbids', () => {
  for (const { name, text } of files) {
    assert.doesNotMatch(text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)[^>]*>/i, `${name}: a script without src`);
    assert.doesNotMatch(text, /<script[^>]*>[^<\s]/i, `${name}: a script with a body`);
    assert.doesNotMatch(text, /<style|\bstyle\s*=\s*["'`]|['"]style['"]/i, `${name}: inline style`);
    assert.doesNotMatch(text, /\son[a-z]+\s*=\s*["']/i, `${name}: inline handler`);
    for (const [url] of text.matchAll(/\b(?:https?:)?\/\/[a-z][\w.-]*\.[a-z]{2,}[^\s"'`]*/gi)) {
      assert.match(url, /^http:\/\/www\.w3\.org\//, `${name}: ${url}`);
    }
  }
});

test('every file that another one names is there', () => {
  for (const { path, name, text } of files) {
    const named = [
      ...text.matchAll(/\b(?:import|from)\s*\(?\s*['"](\.[^'"]+)['"]/g),
      ...(path.endsWith('.html') ? text.matchAll(/\b(?:src|href)="(?!data:|#|\/)([^"?#]+)/g) : []),
      ...(path.endsWith('.js') ? text.matchAll(/href: [`'](?!#|\/)([^`'?#$]+)/g) : []),
      ...(path.endsWith('.css') ? text.matchAll(/url\(["']?(?!data:)([^"')]+)/g) : []),
    ].map(([, target]) => target);
    for (const target of named) {
      // A link made by a module is relative to the page, which lies in the folder itself.
      const base = path.endsWith('.js') && !target.startsWith('.') ? web : dirname(path);
      const full = resolve(base, target);
      if (is_verify(full)) continue;
      const file = target.endsWith('/') ? join(full, 'index.html') : full;
      assert.ok(statSync(file, { throwIfNoEntry: false })?.isFile(), `${name} names ${target}`);
    }
  }
});

test('modules are small, lines short, and each begins with what it is for', () => {
  for (const { path, name, text } of files.filter((one) => !is_verify(one.path))) {
    const lines = text.split('\n');
    assert.ok(lines.length <= 251, `${name}: ${lines.length} lines`);
    lines.forEach((line, i) => assert.ok([...line].length <= 120, `${name}:${i + 1} is too long`));
    if (!path.endsWith('.html')) assert.match(text, /^(\/\/ |\/\* )/, `${name}: no head comment`);
  }
});

await Promise.all(running);
console.log(failed === 0 ? 'all passed' : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
