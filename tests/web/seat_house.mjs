// A table with contributors for tests: an appliance and a table's client in one, who keep a signed
// log, collect commitments and openings, mix shoes and draw, and lie as they are told to.
import { createHmac, randomBytes, sign } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Pki, certificate, p256, sha256 } from './pki.mjs';
import { policyOf } from './policy.mjs';
import { canonical, pathOf, rootOf } from './signed_log.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const web = join(root, 'rngd/web');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const D = (name) => Buffer.from(`talla/v2/${name}\0`);
const u32 = (n) => { const out = Buffer.alloc(4); out.writeUInt32BE(n); return out; };
const field = (text) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)]);
// What a settlement names; no rule of it is run in a browser.
const CATALOGUE = '# rules\n';
const STATE = {};
const url64 = (bytes) => Buffer.from(bytes).toString('base64url');
const spkiOf = (keys) => keys.publicKey.export({ type: 'spki', format: 'der' });
const digestOf = (name, value) => sha256(D(name), Buffer.from(canonical(value)));
const stateDigest = digestOf('state', STATE).toString('hex');
const ranks = 'A23456789TJQK';

/// Digits below each bound from the words of talla-tape-v1 (shuffle/MAPPING.md).
export function tapeOf(key, purpose, inputs, bounds) {
  const head = Buffer.from(`talla/v1/${purpose}\0`);
  const tail = Buffer.concat(inputs.flatMap((one) => [u32(one.length), one]));
  const words = [];
  const word = () => {
    const block = createHmac('sha256', key).update(head).update(u32(words.length >> 2))
      .update(tail).digest();
    words.push(block.readBigUInt64BE(8 * (words.length & 3)));
    return words.at(-1);
  };
  const found = [];
  let rejected = 0;
  for (let at = 0; at < bounds.length;) {
    const group = [];
    let product = 1n;
    while (at < bounds.length && (group.length === 0 || product * BigInt(bounds[at]) < 2n ** 56n)) {
      product *= BigInt(bounds[at]);
      group.push(BigInt(bounds[at]));
      at += 1;
    }
    for (;;) {
      let rest = word();
      const digits = [];
      for (const bound of group) {
        digits.push(Number(rest * bound >> 64n));
        rest = rest * bound & (2n ** 64n - 1n);
      }
      if (rest >= 2n ** 64n % product) {
        found.push(...digits);
        break;
      }
      rejected += 1;
    }
  }
  const used = Buffer.alloc(8 * words.length);
  words.forEach((one, i) => used.writeBigUInt64BE(one, 8 * i));
  return { found, words_used: words.length, words_rejected: rejected,
    tape_digest: sha256(used).toString('hex') };
}

export class SeatHouse {
  /// `settled`: a table of roulette that the appliance settles; else a client's. `candidates`:
  /// roots that each shoe is sealed with.
  constructor({ settled = false, seat = 3, candidates = 1 } = {}) {
    this.candidates = candidates;
    this.pki = new Pki();
    this.origin = this.pki.statement.origin;
    this.seat = seat;
    this.keys = p256();
    this.records = [];
    this.texts = [];
    this.time = 1_795_636_800_000_000;
    this.panel = new Map();
    this.turn = 1;
    this.counts = { turns: 0, voids: 0, early_closes: 0 };
    this.open = null;
    this.calls = new Map();
    this.token = url64(randomBytes(16));
    this.lie = {};
    this.asked = [];
    this.posts = [];
    this.down = false;
    this.openTable(settled);
  }

  // ---- The log

  put(kind, body, more = {}) {
    this.time += 100_000;
    const before = this.records.at(-1);
    const seq = this.records.length;
    const link = before === undefined ? '0'.repeat(64)
      : sha256(D('link'), Buffer.from(before.link, 'hex'), this.leaf(before.seq)).toString('hex');
    const record = { v: 2, origin: this.origin, seq, kind, time: this.time,
      time_quality: 'synced', boot: 1, cites: [], body, table: this.table ?? `table-${seq}`, link,
      ...(before === undefined ? {} : { prev: before.seq }), ...more };
    this.records.push(record);
    this.texts.push(canonical(record));
    return record;
  }

  leaf(seq) {
    return sha256([0], this.texts[seq]);
  }

  head(seq) {
    return sha256(D('link'), Buffer.from(this.records[seq].link, 'hex'), this.leaf(seq))
      .toString('hex');
  }

  leaves() {
    return this.texts.map((_, seq) => this.leaf(seq));
  }

  receipt(seq) {
    const leaves = this.leaves();
    const path = pathOf(seq, leaves).map((one) => one.toString('base64'));
    const receipt = { record: this.texts[seq], proof: ['c2sp.org/tlog-proof@v1', `index ${seq}`,
      ...path, '', this.pki.checkpoint(leaves.length, rootOf(leaves))].join('\n') };
    return this.lie.receipt ? this.lie.receipt(seq, receipt) : receipt;
  }

  bundle(asked) {
    const claim = this.lie.bundle?.(asked) ?? asked;
    const leaves = this.leaves();
    const more = this.records[claim].kind === 'SETTLEMENT'
      ? { catalogue: CATALOGUE, state_before: STATE } : {};
    return canonical({ v: 2, type: 'talla-bundle', claim, ...more, log_key: this.pki.logKey(),
      checkpoint: this.pki.checkpoint(leaves.length, rootOf(leaves)),
      records: this.texts.slice(0, claim + 1).map((record, seq) => ({ record,
        path: pathOf(seq, leaves).map((one) => one.toString('base64')) })) });
  }

  // ---- The table

  openTable(settled) {
    const { publicKey } = this.keys;
    const der = certificate({ name: 'a table', development: true,
      notBefore: new Date('2025-12-31T00:00:00Z'), notAfter: new Date('2027-01-01T00:00:00Z') },
      this.keys, this.pki.root);
    this.spki = spkiOf({ publicKey });
    this.client = { id: 'talla:table-1', spki: sha256(this.spki).toString('hex') };
    const parameters = settled ? { chances: 'simple' }
      : { range: { kind: 'wheel', pockets: 37 } };
    this.rules = { game: settled ? 'french-roulette' : '', variant: '',
      catalogue: settled ? sha256(Buffer.from(CATALOGUE)).toString('hex') : '00'.repeat(32) };
    this.parameters = digestOf('parameters', parameters).toString('hex');
    this.table = 'table-0';
    this.put('TABLE_OPEN', { place: 'Mesa 7', opened: 1, ...this.counts,
      key: this.spki.toString('base64'), chain: [der.toString('base64')],
      policy: { required: [], mix: 'shoe', candidates: this.candidates, max_voids: 4,
        open_within: 1 },
      ...this.rules, parameters, currency: 'EUR', unit: '1', chip: 1, rounding: 'down', min: 0,
      max: 0, settled_by: settled ? 'appliance' : 'client' }, { object: this.table,
      client: this.client });
    this.context = { ...this.rules, parameters: this.parameters, mapping: 'talla-map-v1',
      construction: 'system', uncertified: true, sources: [], reseeds: 1, generates: 1,
      software: '21'.repeat(32), config: '22'.repeat(32), rollback_protection: 'local',
      anchor_lag: 0, sealing: 'file' };
  }

  batch(count = 8) {
    const id = `batch-${this.records.length}`;
    const secrets = Array.from({ length: count }, () => randomBytes(32));
    const leaves = secrets.map((one, i) => sha256([0], D('batch-leaf'), field(id), u32(i), one));
    this.batches = { id, secrets, leaves, root: rootOf(leaves).toString('hex'), next: 0 };
    this.put('BATCH_COMMIT', { table: this.table, count, root: this.batches.root,
      expires: this.time + 3_600_000_000, context: this.context },
      { object: id, client: this.client });
  }

  shoe(count = this.candidates) {
    const id = `shoe-${this.records.length}`;
    this.shoes = (this.shoes ?? 0) + 1;
    const codes = [...'CDHS'].flatMap((suit) => [...ranks].map((rank) => rank + suit));
    const roots = Array.from({ length: count }, () => rootOf(codes.map((_, i) => sha256([0],
      D('shoe-leaf'), field(id), u32(52), u32(i), [i], randomBytes(32)))));
    const candidates = roots.map((root) => ({ root: root.toString('hex'),
      tape_mac: '33'.repeat(32) }));
    this.live = count === 1 ? { id, root: candidates[0].root, candidates: null }
      : { id, root: sha256(D('shoe-roots'), ...roots).toString('hex'), candidates };
    const sealed = count === 1 ? candidates[0] : { root: this.live.root, candidates };
    const told = this.lie.sealed ? this.lie.sealed(sealed) : sealed;
    this.put('SHOE_COMMIT', { table: this.table, number: this.shoes, cards: 52, deck: 'french52x1',
      ...told, stop_depth: 0, burn: '', disclosure: 'covered', context: this.context },
      { object: id, client: this.client });
  }

  closeShoe(reason = 'closed') {
    this.counts.early_closes += 1;
    this.put('SHOE_CLOSE', { dealt: 0, reason }, { object: this.live.id, client: this.client });
  }

  round(bets) {
    const { seq } = this.put('ROUND_OPEN', { table: this.table, state_before: stateDigest,
      number: this.rounds = (this.rounds ?? 0) + 1 },
      { object: `round-${this.records.length}`, client: this.client,
        cites: [0, ...(this.ended ?? [])] });
    this.playing = { id: `round-${seq}`, bets: null };
    if (bets !== null) this.closeBets(bets);
  }

  closeBets(bets) {
    this.playing.bets = digestOf('bets', bets).toString('hex');
    this.put('BETS_CLOSED', { bets, digest: this.playing.bets, withdrawn: [] },
      { object: this.playing.id, client: this.client });
  }

  /// Of the round's bets: all lose.
  settle() {
    const own = this.records.filter(({ seq, kind, object, body }) =>
      object === this.playing.id ? kind === 'BETS_CLOSED'
        : kind === 'DRAW' && this.records[body.call].body.core.round === this.playing.id);
    const results = this.lie.results ?? own[0].body.bets.map(({ id, seat, kind, stake }) =>
      ({ bet: id, seat, kind, stake, result: 'lose', returned: 0, rule: '05 VI' }));
    this.put('SETTLEMENT', { results, state_before: stateDigest, state_after: stateDigest },
      { object: this.playing.id, client: this.client, cites: own.map(({ seq }) => seq) });
  }

  endRound() {
    const { seq } = this.put('ROUND_END', { state_after: stateDigest, dealt: 0, ...this.counts },
      { object: this.playing.id, client: this.client });
    this.ended = [seq];
    this.playing = null;
  }

  // ---- Calls

  /// Of the next core, of all who have commitments left.
  others() {
    const out = [];
    for (const id of [...this.panel.keys()].sort()) {
      const one = this.panel.get(id);
      const commit = one.commits.get(one.t);
      if (commit === undefined || this.left?.has(id)) continue;
      out.push({ id, key: one.key, t: one.t, commit });
    }
    return out;
  }

  core(use) {
    const none = digestOf('bets', []).toString('hex');
    const mix = use === 'mix';
    const at = mix ? 0 : this.batches.next;
    const core = { v: 2, type: 'talla-call', origin: this.origin, table: this.table,
      turn: this.turn, head: this.head(this.records.length - 1), use,
      object: mix ? this.live.id : this.batches.id, root: mix ? this.live.root : this.batches.root,
      at, round: this.playing?.id ?? '0', bets: this.playing?.bets ?? none,
      specification: mix ? { candidates: this.live.candidates?.length ?? 1, places: 52 }
        : { kind: 'wheel', pockets: 37 },
      ...this.rules, parameters: this.parameters, value: randomBytes(32).toString('hex'),
      others: this.others() };
    return this.lie.core ? this.lie.core(core) : core;
  }

  /// CALL; with nobody beside the table its result at once.
  call(use = 'draw') {
    const core = this.core(use);
    for (const { id } of core.others) if (this.panel.has(id)) this.panel.get(id).t += 1;
    const text = Buffer.concat([D('call'), Buffer.from(canonical(core))]);
    const how = { key: (this.lie.key ?? this.keys).privateKey, dsaEncoding: 'ieee-p1363' };
    const { seq } = this.put('CALL', { core, signature: sign('sha256', text, how)
      .toString('base64') }, { object: core.object, client: this.client, key: `k${this.turn}`,
      request: '66'.repeat(32), cites: [this.lie.cites ?? this.records.length - 1] });
    this.turn += 1;
    this.counts.turns += 1;
    if (use === 'draw') this.batches.next += 1;
    this.open = { seq, core, openings: new Map(), ended: null };
    this.calls.set(seq, this.open);
    if (core.others.length === 0) this.complete();
    return seq;
  }

  opened(seq, { id, value, signature }) {
    const call = this.calls.get(seq);
    call.openings.set(id, { value, signature });
    if (call === this.open && !this.lie.hold &&
      call.core.others.every((one) => call.openings.has(one.id))) this.complete();
  }

  complete() {
    const { seq, core, openings } = this.open;
    const list = core.others.map(({ id }) => openings.get(id));
    const values = list.map(({ value }) => Buffer.from(value, 'hex'));
    const call = digestOf('core', core);
    const same = { object: core.object, client: this.client, cites: [seq],
      key: this.records[seq].key, request: '66'.repeat(32) };
    let result;
    if (core.use === 'mix') {
      const { found, ...tape } = tapeOf(call, 'mix', values, Array.from({ length: 51 }, (_, i) =>
        i + 2));
      // What the others open is no contributor's to check: they have given their numbers.
      const { candidates } = this.live;
      const secrets = { key: '34'.repeat(32), tape: 'AAAA', words_used: 1, words_rejected: 0,
        tape_digest: '35'.repeat(32) };
      const picked = candidates === null ? {}
        : { picked: 1, opened: candidates.slice(1).map(() => secrets) };
      if (candidates !== null) Object.assign(this.live, { root: candidates[1].root,
        candidates: null });
      result = this.put('SHOE_MIX', { call: seq, openings: list, root: this.live.root, ...picked,
        ...tape }, same);
    } else {
      const { secrets, leaves } = this.batches;
      const secret = secrets[core.at];
      const { found, ...tape } = tapeOf(secret, 'draw', [call, ...values], [37]);
      result = this.put('DRAW', { call: seq, openings: list, index: core.at,
        secret: secret.toString('hex'), outcome: { pocket: found[0] }, ...tape,
        path: pathOf(core.at, leaves).map((one) => one.toString('hex')) }, same);
    }
    this.end(result);
  }

  end({ seq, kind }) {
    this.open.ended = { kind: { SHOE_MIX: 'shoe_mix', DRAW: 'draw', VOID: 'void' }[kind], seq };
    this.open = null;
  }

  missing(call) {
    return call.core.others.map(({ id }) => id).filter((id) => !call.openings.has(id));
  }

  /// Time is up.
  withhold() {
    const { seq, core } = this.open;
    this.time += 2_000_000;
    this.counts.voids += 1;
    const opens = core.use === 'draw' ? { secret: this.batches.secrets[core.at].toString('hex'),
      path: pathOf(core.at, this.batches.leaves).map((one) => one.toString('hex')) } : {};
    const missing = this.missing(this.open);
    // What they had handed in goes: calls go on without them until they hand in again.
    for (const id of missing) this.panel.get(id).commits.clear();
    this.end(this.put('VOID', { call: seq, cause: 'withheld', outcome: 'unknown', missing,
      ...opens }, { object: core.object, cites: [seq] }));
  }

  // ---- What it answers

  /// A further contributor of the test's own, honest.
  addPanelist(id) {
    const keys = p256();
    const seed = randomBytes(32);
    const opening = this.leaf(0);
    const valueOf = (t) => createHmac('sha256', seed)
      .update(Buffer.concat([D('contribution'), opening, u32(t)])).digest();
    const commits = new Map(Array.from({ length: 16 }, (_, i) => [i + 1,
      sha256(D('contribution-commit'), opening, field(id), u32(i + 1), valueOf(i + 1))
        .toString('hex')]));
    this.panel.set(id, { key: spkiOf(keys).toString('base64'), t: 1, commits });
    return () => {
      const { seq, core } = this.open;
      const { t } = core.others.find((one) => one.id === id);
      const said = Buffer.concat([D('opening'), digestOf('core', core), field(id), u32(t),
        valueOf(t)]);
      this.opened(seq, { id, value: valueOf(t).toString('hex'), signature: sign('sha256', said,
        { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64') });
    };
  }

  view() {
    const contributors = [...this.panel].map(([id, { key, t, commits }]) => ({ id, key, t,
      commit: commits.get(t) ?? '', ahead: [...commits.keys()].filter((one) => one >= t).length }));
    const view = { id: this.table, state: 'open', last: this.records.length - 1,
      turn: this.turn, contributors, ...(this.open ? { call: this.open.seq } : {}) };
    return { table: { ...view, ...this.lie.view } };
  }

  callView(seq) {
    const call = this.calls.get(seq);
    return { call: { seq, core: call.core }, missing: this.missing(call), ended: call.ended,
      contributors: call.core.others.map(({ id }) => ({ id, opened: call.openings.has(id) })) };
  }

  take(id, { key, from, commits }) {
    let one = this.panel.get(id);
    if (this.lie.bound === key) return [409, { code: 'duplicate' }];
    if (one?.key !== key) {
      if (this.open?.core.others.some((other) => other.id === id)) return [409, 'busy'];
      one = { key, t: 1, commits: new Map() };
      this.panel.set(id, one);
    }
    const ahead = [...one.commits.keys()].filter((t) => t >= one.t).length;
    if (from > one.t + ahead || (ahead === 0 && from !== one.t)) {
      return [409, { code: 't_gap', next: one.t + ahead }];
    }
    commits.forEach((commit, i) => one.commits.set(from + i, commit));
    return [200, { id, next: from + commits.length, ahead: one.commits.size }];
  }

  /// [status, body].
  answer(method, path, body) {
    const found = /^\/v1\/(\w[\w-]*)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path);
    const [, what, which, part] = found ?? [];
    if (what === 'log-keys') {
      const leaves = this.leaves();
      return [200, { v: 2, type: 'talla-log-keys', log_key: this.pki.logKey(),
        checkpoint: this.pki.checkpoint(leaves.length, rootOf(leaves)) }];
    }
    if (what === 'tables' && method === 'GET') return [200, this.view()];
    if (what === 'receipts' && this.texts[which]) return [200, this.receipt(Number(which))];
    if (what === 'bundles' && this.texts[which]) return [200, this.bundle(Number(which))];
    if (what === 'calls' && this.calls.has(Number(which))) {
      if (part === 'openings') this.opened(Number(which), body);
      return [200, this.callView(Number(which))];
    }
    if (part === 'commitments') return this.take(`seat-${this.seat}`, body);
    return [404, 'not_found'];
  }

  link(base = this.base) {
    const pem = this.pki.rootsPem.replace(/-----[^-]*-----|\s/g, '');
    const digest = sha256(Buffer.from(pem, 'base64'));
    const { opening = url64(this.leaf(0)), root: named = url64(digest),
      origin = this.origin } = this.lie.link ?? {};
    return `${base}/web/contribute.html#${this.token}.0.${this.seat}.${opening}.${named}.${origin}`;
  }

  // ---- Serving

  serve(request, reply, text) {
    const path = request.url.split('?')[0];
    const say = (status, type, body) => reply.writeHead(status, { 'Content-Type': type,
      'Content-Security-Policy': policyOf(path) }).end(body);
    if (path.startsWith('/web/')) {
      const file = normalize(join(web, path.slice(5)));
      if (!file.startsWith(web) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
        return say(404, 'text/plain', '');
      }
      return say(200, types[extname(file)], readFileSync(file));
    }
    if (this.down) return request.socket.destroy();
    if (path === '/v1/roots') return say(200, 'application/x-pem-file', this.pki.rootsPem);
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      return say(401, 'application/problem+json', canonical({ code: 'token_unknown',
        detail: 'no' }));
    }
    const body = text === '' ? null : JSON.parse(text);
    if (request.method === 'POST') this.posts.push({ path, body });
    const [status, answer] = this.answer(request.method, path, body);
    if (status !== 200) {
      return say(status, 'application/problem+json', canonical(typeof answer === 'string'
        ? { code: answer } : answer));
    }
    return say(200, 'application/json', typeof answer === 'string' ? answer
      : JSON.stringify(answer));
  }

  listen() {
    this.server = createServer((request, reply) => {
      let text = '';
      request.on('data', (part) => { text += part; });
      request.on('end', () => this.serve(request, reply, text));
    });
    return new Promise((done) => this.server.listen(0, '127.0.0.1', () => {
      this.base = `http://localhost:${this.server.address().port}`;
      done(this);
    }));
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
