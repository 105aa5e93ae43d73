// A daemon for tests of the page: a log of its own making in the API's shapes, its clock under the
// test's hand, and every way to lie or to fall silent that the page must survive.

import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { numbers } from './harness.mjs';
import { policyOf } from './policy.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const web = join(root, 'rngd/web');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const catalogue_digest = 'ca'.repeat(32);
const wheel = ['0', '32', '15', '19', '4', '21', '2', '25', '17', '34', '6', '27', '13', '36',
  '11', '30', '8', '23', '10', '5', '24', '16', '33', '1', '20', '14', '31', '9', '22', '18', '29',
  '7', '28', '12', '35', '3', '26'];
const red = ['1', '3', '5', '7', '9', '12', '14', '16', '18', '19', '21', '23', '25', '27', '30',
  '32', '34', '36'];
const words = {
  es: { roulette: 'Ruleta francesa', blackjack: 'Black jack', craps: 'Dados',
    punto: 'Punto y banca', pleno: 'Pleno', rojo: 'Rojo', negro: 'Negro', simple: 'Juego simple',
    pass: 'Línea' },
  en: { roulette: 'French roulette', blackjack: 'Black jack', craps: 'Craps',
    punto: 'Punto banco', pleno: 'Straight up', rojo: 'Red', negro: 'Black', simple: 'Simple game',
    pass: 'Line' },
};

const games = (language) => {
  const say = words[language];
  const black = wheel.filter((one) => one !== '0' && !red.includes(one));
  return {
    roulette: { id: 'roulette', number: '01', text: say.roulette, family: 'wheel', playable: true,
      equipment: [{ kind: 'wheel', cite: 'II', pockets: wheel }],
      bets: [{ id: 'pleno', text: say.pleno, covers: wheel.map((one) => [Number(one)]) },
        { id: 'rojo', text: say.rojo, covers: red.map(Number) },
        { id: 'negro', text: say.negro, covers: black.map(Number) }] },
    blackjack: { id: 'blackjack', number: '03', text: say.blackjack, family: 'blackjack',
      playable: true, bets: [{ id: 'juego-simple', text: say.simple }],
      equipment: [{ deck: 'french52x6', cards_count: 312, need: 'shoe', cite: 'II',
        stop_depth: 52 }] },
    craps: { id: 'craps', number: '06', text: say.craps, family: 'dice', playable: true,
      equipment: [{ kind: 'dice', count: 2, faces: 6, cite: 'II' }],
      bets: [{ id: 'pass', text: say.pass }] },
    punto: { id: 'punto', number: '07', text: say.punto, family: 'baccarat', playable: true,
      bets: [{ id: 'punto', text: 'Punto' }, { id: 'banca', text: 'Banca' }],
      equipment: [{ deck: 'french52x8', cards_count: 416, need: 'shoe', cite: 'II',
        stop_depth: 7 }] },
  };
};

const full = { cite: 'I', actions: [], errors: [], parameters: [], limits: [], minimums: [] };
const context = (game) => ({ catalogue: catalogue_digest, game });
/// 2026-11-25, 21:00 in Madrid, microseconds.
const start_us = 1_795_636_800_000_000;

const side = (alarm = false) => ({ epoch: 1, log_e_milli: alarm ? 700_000 : -120,
  alarm_at_milli: 12_100, alarm, alarms: alarm ? 1 : 0 });
const returned = (place, game, bet, rounds, staked, paid, figures, more = {}) => {
  const [theory, practice, low, high] = figures.map((one) => `${one} %`);
  return { place, client: 'talla:table-1', catalogue: 'es-test', game, bet, currency: 'EUR',
    unit: '1/2', rounds, staked, paid, expected: '0.0000', deviation: '0.0000', theory, practice,
    low, high, within: true, monitor: `${place}/${game}/${bet}-0-3/payments`, process: side(),
    detector: side(), ...more };
};
/// Of GET /v1/return: a roulette as it should be but for one bet, punto y banca with an alarm.
const evening_returns = {
  watched: true, unwatched: 3,
  bets: [
    returned('Mesa 1', 'roulette', 'pleno', 8120, '412300.0000', '398160.0000',
             ['97.2973', '96.5704', '84.1377', '110.4569'], { on: '0', places: 37 }),
    returned('Mesa 1', 'roulette', 'rojo', 7904, '1206400.0000', '1189210.5000',
             ['98.6486', '98.5751', '96.0122', '101.2851']),
    returned('Mesa 1', 'roulette', 'negro', 7710, '998250.0000', '1041980.0000',
             ['98.6486', '104.3807', '95.9001', '101.3971'], { within: false }),
    returned('Mesa 4', 'punto', 'banca', 1466, '733000.0000', '739512.0000',
             ['98.9421', '100.8884', '91.8313', '106.0529'],
             { process: side(true), within: true }),
  ],
  not_watched: [{ place: 'Mesa 3', client: 'talla:table-1', game: 'craps' }],
  together: [{ monitor: '*/roulette/pleno-0-2/payments', rounds: 8120, process: side(),
    detector: side() }],
};

/// Of GET /v1/month: a wheel, a hand that was withheld, a latch and its reset.
const evening_month = (month) => ({
  month, format: 1, kind: 'talla-lab month', faults: [],
  log: { below: 90210, held_against: 'the ledger', origin: 'casino.example/talla-1',
    records_of_month: 41873, root: 'ab'.repeat(32) },
  tables: {
    'table-4': { place: 'Mesa 1', game: 'roulette', catalogue: catalogue_digest, currency: 'EUR',
      unit: '1', rounds: 8120, staked: 2616950,
      returned: 2629370, settlements: 8117, misdeals: 0, shoes: {}, voids: { withheld: 3 },
      withheld: { 'seat-2': 2, 'partner-1': 1 },
      draws: [{ specification: { kind: 'wheel', pockets: 37 }, draws: 8117, p: '0.412907',
        results: { 0: 219, 7: 226, 36: 214 } }] },
    'table-9': { place: 'Mesa 4', game: 'punto', catalogue: catalogue_digest, currency: 'EUR',
      unit: '1', rounds: 1466, staked: 733000,
      returned: 739512, settlements: 1466, misdeals: 2, shoes: { sealed: 21, closed: 20 },
      voids: {}, withheld: {}, draws: [] },
  },
  alarms: [{ dropped: 8192, level: 1, seq: 51204, source: 'chaoskey', test: 'repetition_count',
    time_us: start_us }],
  latches: [{ seq: 60117, time_us: start_us, what: 'generator-latch' }],
  latch_resets: { 'latch-reset.asked': 1, 'latch-reset.done': 1 },
  power: { start: 2, stop: 2 }, selftests: { pass: 61 }, reseeds: 744, accesses_refused: 3,
});

export class House {
  constructor() {
    Object.assign(this, { records: [], tables: [], acts: [], lie: '', orders: [], time: start_us,
      roles: ['operator'], streams: new Set(), more: {}, seed: numbers(7), deaf: false,
      returns: evening_returns });
    this.status = {
      origin: 'casino.example/talla-1', boot: 3, ready: true, reasons: [], profile: 'production',
      version: '1.0', sealing: 'tpm', rollback_protection: 'tpm', anchor_lag: 0,
      time_quality: 'synced',
      generator: { state: 'operational', construction: 'rbg3-xor', uncertified: false,
        reseeds: 41, generates: 9128, sources: [{ model: 'chaoskey', serial: 'CK-0117',
          class: 'raw_physical', credited: true, verdict: 'good', lost: false, required: true,
          independent: true, millibits: 7250, bits: 8, nominal_rate: 512000, samples: 88126464,
          credited_bits: 10485760, alarms: 0, assessment: 'unit' }] },
      software: { state: 'signed', version: '1.0', build: 'a1', files: 41, signers: ['casino'] },
    };
  }

  // ---- The log

  put(table, kind, body, object, more = {}) {
    this.time += 100_000;
    const record = { v: 2, kind, body, object, seq: this.records.length, time: this.time,
      boot: 3, cites: [], origin: this.status.origin, ...(table ? { table: table.id } : {}),
      ...more };
    this.records.push(record);
    for (const stream of this.streams) this.stream(stream, record);
    return record;
  }

  open(game, place, more = {}) {
    const table = { id: `table-${this.records.length}`, place, opened: 1, game, state: 'open',
      catalogue: catalogue_digest, currency: 'EUR', min: 5, max: 500, parameters: {}, batches: [],
      rounds: 0, shoes: 0, settled_by: 'appliance', ...more };
    this.tables.push(table);
    this.put(table, 'TABLE_OPEN', { game, place, catalogue: catalogue_digest, currency: 'EUR',
      unit: '1/2', min: 5, max: 500, settled_by: 'appliance', opened: 1 }, table.id);
    return table;
  }

  begin(table) {
    table.rounds += 1;
    table.round = `round-${this.records.length}`;
    this.put(table, 'ROUND_OPEN', { number: table.rounds, table: table.id }, table.round);
    return table.round;
  }

  bets(table, bets) {
    this.put(table, 'BETS_CLOSED', { bets, withdrawn: [] }, table.round);
  }

  end(table, results) {
    this.put(table, 'SETTLEMENT', { results }, table.round);
    this.put(table, 'ROUND_END', {}, table.round);
    delete table.round;
  }

  draw(table, specification, outcome) {
    const batch = `batch-${this.records.length}`;
    this.put(table, 'BATCH_COMMIT', { count: 1, table: table.id }, batch);
    const { seq } = this.put(table, 'CALL', { core: { specification, round: table.round,
      use: 'draw', turn: 1, ...context(table.game) } }, batch);
    this.put(table, 'DRAW', { outcome, call: seq }, batch);
  }

  spin(table, index) {
    this.begin(table);
    this.time += 55_000_000;
    const bet = { id: 'b1', seat: 1, kind: 'rojo', stake: 20 };
    const straight = { id: 'b2', seat: 2, kind: 'pleno', stake: 10, on: ['17'] };
    this.bets(table, [bet, straight]);
    this.draw(table, { kind: 'wheel', pockets: 37 }, { pocket: index });
    const won = red.includes(wheel[index]);
    const hit = wheel[index] === '17';
    this.end(table, [
      { bet: 'b1', kind: 'rojo', seat: 1, stake: 20, returned: won ? 40 : 0,
        result: won ? 'win' : 'lose', rule: '01 IV.1.B.a' },
      { bet: 'b2', kind: 'pleno', seat: 2, stake: 10, returned: hit ? 360 : 0,
        result: hit ? 'win' : 'lose', rule: '01 IV.1.A.a' }]);
  }

  roll(table, dice) {
    this.begin(table);
    this.time += 40_000_000;
    this.bets(table, [{ id: 'b1', seat: 1, kind: 'pass', stake: 10 }]);
    this.draw(table, { kind: 'dice', count: 2, faces: 6 }, { dice });
    this.end(table, [{ bet: 'b1', kind: 'pass', seat: 1, stake: 10, returned: 0, result: 'lose',
      rule: '06 IV' }]);
  }

  shoe(table, deck, cards, stop_depth) {
    table.shoe = `shoe-${this.records.length}`;
    table.position = 0;
    this.put(table, 'SHOE_COMMIT', { cards, deck, stop_depth, disclosure: 'public', number: 1,
      table: table.id }, table.shoe);
    this.put(table, 'SHOE_MIX', { call: 7 }, table.shoe);
  }

  deal(table, place, card, face = card === undefined ? 'unseen' : 'open') {
    const { position } = table;
    table.position += 1;
    this.put(table, 'CARD_DEAL', { place, position, face, ...(card ? { card } : {}),
      round: table.round }, table.shoe);
  }

  // ---- The evening that most tests look at

  evening() {
    const roulette = this.open('roulette', 'Ruleta 1');
    const black = this.open('blackjack', 'Mesa 7');
    const dice = this.open('craps', 'Dados 1');
    const punto = this.open('punto', 'Mesa 3');
    this.shoe(black, 'french52x6', 312, 52);
    this.shoe(punto, 'french52x8', 416, 7);
    const draw = this.seed;
    for (let i = 0; i < 60; i += 1) {
      this.spin(roulette, draw(37));
      if (i % 2 === 0) this.roll(dice, [1 + draw(6), 1 + draw(6)]);
    }
    const any = () => 'A23456789TJQK'[draw(13)] + 'CDHS'[draw(4)];
    for (let i = 0; i < 6; i += 1) {
      this.begin(punto);
      this.bets(punto, [{ id: 'b1', seat: 3, kind: 'banca', stake: 50 }]);
      for (const place of ['punto-1', 'banca-1', 'punto-2', 'banca-2']) {
        this.deal(punto, place, any());
      }
      this.end(punto, [{ bet: 'b1', kind: 'banca', seat: 3, stake: 50, returned: i % 2 ? 97 : 0,
        result: i % 2 ? 'win' : 'lose', rule: '07 V' }]);
    }
    this.begin(black);
    this.bets(black, [{ id: 'b1', seat: 3, box: 1, kind: 'juego-simple', stake: 20 }]);
    this.deal(black, 'burn');
    for (const [place, card] of [['box-1-1', 'TH'], ['dealer-1', 'KD'], ['box-1-2', '8C']]) {
      this.deal(black, place, card);
    }
    this.put(black, 'ACTION', { seat: 3, do: 'stand', cause: 'decision' }, black.round);
    for (const [place, card] of [['dealer-2', '6S'], ['dealer', 'JD']]) {
      this.deal(black, place, card);
    }
    this.end(black, [{ bet: 'b1', kind: 'juego-simple', seat: 3, stake: 20, returned: 40,
      result: 'win', rule: '03 V.1.a' }]);
    this.tables_by_name = { roulette, black, dice, punto };
    return this;
  }

  // ---- Answers

  status_now() {
    return { ...this.status, size: this.records.length, tables: this.tables.length,
      time: this.time, client: { id: 'talla:operator-1', roles: this.roles }, ...this.more };
  }

  rounds_of(table, query) {
    const rows = [];
    for (const one of this.records) {
      if (one.table !== table) continue;
      if (one.kind === 'ROUND_OPEN') rows.unshift({ id: one.object, number: one.body.number,
        opened: one.time, state: 'betting', table });
      if (one.kind === 'SETTLEMENT') rows[0].settlement = one.seq;
      if (one.kind === 'ROUND_END') Object.assign(rows[0], { ended: one.time, state: 'ended' });
    }
    const before = query.get('before');
    const from = before === null ? 0 : rows.findIndex((one) => one.id === before) + 1;
    const limit = Number(query.get('limit') ?? 10);
    const to = Number(query.get('to') ?? Infinity);
    const found = rows.slice(from).filter((one) => one.opened < to);
    return found.length > limit
      ? { rounds: found.slice(0, limit), more: true, next: found[limit - 1].id }
      : { rounds: found, more: false };
  }

  round(id) {
    const chain = this.records.filter((one) => one.object === id);
    if (chain.length === 0) return null;
    if (chain.at(-1).kind !== 'ROUND_END') {
      return { id, number: chain[0].body.number, state: 'playing', table: chain[0].table, bets: [],
        cards: [], results: [], withdrawn: [] };
    }
    const settled = chain.find((one) => one.kind === 'SETTLEMENT');
    return { id, state: 'ended', opening: chain[0].body, closing: chain.at(-1).body,
      records: chain.map(({ seq, kind }) => ({ seq, kind })), results: settled?.body.results,
      settlement: settled?.seq };
  }

  events(query) {
    const after = Number(query.get('after') ?? -1);
    const found = [];
    let seq = after + 1;
    const limit = Number(query.get('limit') ?? 100);
    for (; seq < this.records.length && seq <= after + 5000 && found.length < limit; seq += 1) {
      const one = this.records[seq];
      if (query.get('table') && one.table !== query.get('table')) continue;
      if (query.get('kind') && one.kind !== query.get('kind')) continue;
      found.push({ kind: one.kind, object: one.object, seq, table: one.table ?? '',
        record: JSON.stringify(one) });
    }
    return { events: found, more: seq < this.records.length, next: seq - 1 };
  }

  answer(method, path, query, body, headers) {
    const object = /^\/v1\/(\w+)\/([^/]+)$/.exec(path);
    const language = query.get('language') ?? 'en';
    if (method === 'POST') return this.order(path, body, headers);
    if (path === '/v1/status') return this.status_now();
    if (path === '/v1/tables') return { tables: this.tables };
    if (path === '/v1/return') return this.returns;
    if (path === '/v1/monitors/history') return this.curves?.(query) ?? null;
    if (path === '/v1/month') return evening_month(query.get('month'));
    if (path === '/v1/acts') return { acts: this.acts, approvals: [] };
    if (path === '/v1/events') return this.events(query);
    if (path === '/v1/catalogues') {
      return { catalogues: [{ id: 'es-test', digest: catalogue_digest, currency: 'EUR',
        territory: 'ES', published: '2026-01-01', source: 'BOE', language: 'es',
        legal_name: 'Catálogo de prueba', games: Object.values(games(language)) }] };
    }
    const game = /^\/v1\/catalogues\/es-test\/(\w+)$/.exec(path);
    if (game) return { ...full, ...games(language)[game[1]] };
    const rounds = /^\/v1\/tables\/(table-\d+)\/rounds$/.exec(path);
    if (rounds) return this.rounds_of(rounds[1], query);
    if (object?.[1] === 'tables') {
      const table = this.tables.find((one) => one.id === object[2]);
      return table && { table };
    }
    if (object?.[1] === 'rounds') {
      const round = this.round(object[2]);
      return round && { round };
    }
    if (object?.[1] === 'bundles') return { type: 'talla-bundle', claim: Number(object[2]) };
    return null;
  }

  order(path, body, headers) {
    this.orders.push({ path, body, key: headers['idempotency-key'] });
    if (path === '/v1/generator/latch') {
      Object.assign(this.status, { ready: false, reasons: ['entropy_latched'], latch: {
        reason: 'operator_request', by: 'talla:operator-1', note: body.reason,
        record: this.records.length, since: this.time,
        ended_by: { act: 'latch-reset', roles: [['security-officer'], ['inspector']] } } });
      this.status.generator.state = 'latched';
      return { generator: { state: 'latched' }, receipts: [] };
    }
    const act = /^\/v1\/acts(?:\/(act-\d+)\/(confirm|withdraw))?$/.exec(path);
    if (!act) return null;
    if (act[1]) {
      const one = this.acts.find(({ id }) => id === act[1]);
      Object.assign(one, act[2] === 'confirm'
        ? { state: 'done', confirmed_by: 'talla:operator-1' } : { state: 'withdrawn' });
      return { act: one, receipts: [] };
    }
    this.acts.push({ ...body, id: `act-${this.records.length + this.acts.length}`, state: 'asked',
      asked: this.time, asked_by: 'talla:operator-1', expires: this.time + 600e6 });
    return { act: this.acts.at(-1), receipts: [] };
  }

  stream(reply, record) {
    if (reply.writableEnded) return;
    reply.write(`id: ${record.seq}\nevent: ${record.kind}\ndata: ` +
      `${this.lie === 'damaged' ? '{"seq":' : JSON.stringify(record)}\n\n`);
  }

  serve(request, reply, text) {
    const { pathname: path, searchParams: query } = new URL(request.url, 'http://x');
    if (this.deaf && path.startsWith('/v1/')) return;  // nothing ever comes
    if (path === '/v1/events' && /event-stream/.test(request.headers.accept)) {
      reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const after = Number(query.get('after') ?? -1);
      for (const record of this.records.slice(after + 1)) this.stream(reply, record);
      this.streams.add(reply);
      reply.on('close', () => this.streams.delete(reply));
      reply.write('\n');
      return;
    }
    if (this.files?.[path] === undefined && path.startsWith('/v1/')) {
      const body = text === '' ? {} : JSON.parse(text);
      const value = this.forbidden?.(path, request.method)
        ?? this.answer(request.method, path, query, body, request.headers);
      const status = value === null || value === undefined ? 404 : value.status_code ?? 200;
      reply.writeHead(status, { 'Content-Type': 'application/json',
        ...(path.startsWith('/v1/bundles/')
          ? { Link: `</bundles/${path.split('/').at(-1)}-${'ab'.repeat(16)}>; rel="alternate"` }
          : {}) });
      const said = JSON.stringify(value ?? { code: 'not_found', status: 404 });
      reply.end(this.lie === 'damaged' ? said.slice(0, said.length / 2) : said);
      return;
    }
    this.serve_file(path, reply);
  }

  serve_file(path, reply) {
    const file = normalize(join(web, path.replace(/^\/web\//, '')));
    const extra = this.files?.[path];
    if (extra === undefined && (!file.startsWith(web) || !path.startsWith('/web/') ||
        !statSync(file, { throwIfNoEntry: false })?.isFile())) {
      reply.writeHead(404);
      reply.end();
      return;
    }
    reply.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': policyOf(path), 'X-Content-Type-Options': 'nosniff' });
    reply.end(extra ?? readFileSync(file));
  }

  /// Listens on this machine alone; the address.
  listen() {
    this.server = createServer((request, reply) => {
      let text = '';
      request.on('data', (part) => { text += part; });
      request.on('end', () => {
        if (this.ticking) this.time += 1_000_000;
        if (this.crawling) this.time += 1;
        this.serve(request, reply, text);
      });
    });
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve(`http://localhost:${this.server.address().port}`);
      });
    });
  }

  stop() {
    for (const one of this.streams) one.destroy();
    this.server.closeAllConnections();
    return new Promise((resolve) => { this.server.close(resolve); });
  }
}
