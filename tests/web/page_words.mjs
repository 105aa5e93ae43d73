// The page's words: both languages, numbers, refusals, every record, a game's tables.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, web, walk, is_verify, words, language, spoken_language, format, problem_text,
  records, game, en, es, schemas, format_page, Node, test } from './page_parts.mjs';

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
      'contributor', 'lab'],
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
  const first = (remembered, spoken) =>
    spoken_language.firstLanguage(language.languages, remembered, spoken);
  assert.equal(first('es', ['en-GB']), 'es');
  assert.equal(first(null, ['fr', 'es-MX', 'en']), 'es');
  assert.equal(first('xx', ['de', undefined]), 'en');
  globalThis.localStorage = undefined;
  Object.defineProperty(globalThis, 'localStorage',
    { configurable: true, get() { throw new Error('forbidden'); } });
  assert.equal(spoken_language.rememberedLanguage(), null);
  spoken_language.rememberLanguage('es');
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
  for (const t of [en, es]) {
    assert.equal(format.date_time(at, t, 'UTC'), '23/11/2026, 07:00:40 UTC');
    assert.equal(format.both_times(at, t, 'UTC'), '23/11/2026, 07:00:40 UTC');
    const there = format.both_times(at, t, 'Asia/Kolkata');
    assert.match(there, /^23\/11\/2026, 12:30:40\u00a0\S+ \(0?7:00:40\u00a0UTC\)$/);
    const day_before = format.both_times(at, t, 'America/Los_Angeles');
    assert.match(day_before,
                 /^22\/11\/2026, 23:00:40\u00a0\S+ \(23\/11\/2026, 0?7:00:40\u00a0UTC\)$/);
    assert.equal(format.both_times(Number.NaN, t), '–');
  }
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
    ['ACCESS', { what: 'latch-reset.asked', result: 'allowed' },
      'latch-reset.asked, allowed, over the connection alone'],
    ['ACCESS', { what: 'latch-reset.confirmed', result: 'allowed', order: {} },
      'latch-reset.confirmed, allowed, signed'],
    ['ACCESS', { what: 'latch-reset.done', result: 'allowed' }, 'latch-reset.done, allowed'],
    ['ANSWER', { id: 'talla:p', core: { turn: 3, table: 'table-4', origin: 'house/1' } },
      'as talla:p: turn 3 of table-4 at house/1'],
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
