// Goal: the engines in the browser settle as `talla settle` does, take what is settled right and
//   refuse what is not, and no input ends them for good.
// Method: every scenario of tests/scenarios by both; the frozen bundles as they are, and signed
//   anew with other payments, which the page takes without its engines; nonsense, and a good bundle
//   behind each piece of it. Times are printed, never judged.
//   usage: settle_test.mjs FOLDER TALLA (FOLDER: what rngd/packaging/settle made)
import { execFileSync, spawnSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { check, failures, numbers, test } from './harness.mjs';
import { Pki } from './pki.mjs';
import { canonical, recordsOf, relinked, signedBundle } from './signed_log.mjs';

globalThis.crypto ??= webcrypto;
const [folder, talla] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
if (!existsSync(join(folder, 'settle.wasm.gz'))) {
  console.log('LEFT OUT: the engines of the page were not built (TALLA_SETTLE)');
  process.exit(77);
}
const { MODULE } = await import(pathToFileURL(join(folder, 'digest.js')));
const { Engines, digestOf, enginesOf } = await import('../../rngd/web/settle/settle.js');
const { Refused, verifyBundle } = await import('../../rngd/web/verify/verify.js');

const SIZE_MAX = 1_000_000;
const here = dirname(fileURLToPath(import.meta.url));
const frozen = join(here, '..', 'unit', 'verify', 'frozen');
const scenarios = join(here, '..', 'scenarios');
const read = (name) => readFileSync(join(frozen, name));
const packed = readFileSync(join(folder, 'settle.wasm.gz'));
const bundles = readdirSync(frozen).filter((name) => name.endsWith('.talla')).sort();
const settled = bundles.filter((name) => {
  const bundle = JSON.parse(read(name));
  return recordsOf(bundle).find(({ seq }) => seq === bundle.claim).kind === 'SETTLEMENT';
});
const timed = (work) => {
  const begin = performance.now();
  const out = work();
  return [out, performance.now() - begin];
};
const ms = (time) => `${time.toFixed(1)} ms`;

check(settled.length >= 5, `settlements: ${settled}`);
let engines;
await test('the module is the pinned one, small, and asks a system for nothing it could use',
  async () => {
    check(packed.length === MODULE.size && packed.length <= SIZE_MAX, `${packed.length} bytes`);
    check(await digestOf(packed) === MODULE.digest, 'another digest');
    const begin = performance.now();
    engines = await enginesOf(packed, MODULE);
    const compiled = performance.now() - begin;
    const asked = WebAssembly.Module.imports(await moduleOf(packed)).map(({ name }) => name);
    const known = ['fd_close', 'fd_seek', 'fd_write', 'proc_exit', 'environ_get',
      'environ_sizes_get', 'fd_fdstat_get', 'fd_read'];
    check(asked.every((name) => known.includes(name)), `asks for ${asked}`);
    return `${packed.length} bytes, checked and compiled in ${ms(compiled)}`;
  });

async function moduleOf(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

await test('another module is not run', async () => {
  const wrong = async (bytes, pinned) => {
    try {
      await enginesOf(bytes, pinned);
    } catch (error) {
      return error.message;
    }
    throw new Error('it is run');
  };
  const changed = Buffer.from(packed);
  changed[changed.length >> 1] ^= 1;
  for (const [bytes, pinned] of [[changed, MODULE], [packed.subarray(1), MODULE],
    [Buffer.alloc(0), MODULE], [packed, { ...MODULE, digest: '0'.repeat(64) }],
    [packed, { ...MODULE, size: MODULE.size - 1 }]]) {
    check(/not those/.test(await wrong(bytes, pinned)), 'run, or for another reason');
  }
});

/// What `talla settle` says of each scenario of the files, as the module says it.
function byTalla(files) {
  const out = execFileSync(talla, ['--json', 'settle', ...files],
    { maxBuffer: 1 << 30, encoding: 'utf8' });
  const all = [];
  let settlements = [];
  for (const line of out.split('\n').filter((one) => one !== '')) {
    const { file, line: at, name, source, ...rest } = JSON.parse(line);
    if (file === undefined) {
      settlements.push(rest);
      continue;
    }
    all.push(canonical({ ...rest, settlements }));
    settlements = [];
  }
  return all;
}

for (const catalogue of readdirSync(scenarios, { withFileTypes: true })) {
  if (!catalogue.isDirectory()) continue;
  await test(`the scenarios of ${catalogue.name} give what talla settle gives`, async () => {
    const files = readdirSync(join(scenarios, catalogue.name)).filter((name) =>
      name.endsWith('.jsonl')).sort().map((name) => join(scenarios, catalogue.name, name));
    const theirs = byTalla(files);
    engines = await enginesOf(packed, MODULE);  // the first one reads the catalogue
    let [count, whole, first] = [0, 0, 0];
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      if (count === 0) {
        [, first] = timed(() => engines.runScenarios(text.split('\n')[0]));
      }
      const [mine, time] = timed(() => engines.runScenarios(text));
      whole += time;
      check(Array.isArray(mine), `${file}: ${JSON.stringify(mine)}`);
      for (const [i, one] of mine.entries()) {
        check(canonical(one) === theirs[count + i], `${file}, scenario ${i + 1}: ` +
          `${canonical(one)}, talla ${theirs[count + i]}`);
        check(one.passed === true, `${file}, scenario ${i + 1}: not passed`);
      }
      count += mine.length;
    }
    check(count === theirs.length && count > 0, `${count} of ${theirs.length}`);
    return `${count} scenarios, ${ms(whole / count)} each, the first with its catalogue ` +
      ms(first);
  });
}

const settle = async (text) => engines.settleBundle(text);
const roots = read('roots.pem');

/// The verdict with or without engines, or the refusal.
async function judge(text, trusted, running = settle) {
  try {
    return await verifyBundle(text, { roots: trusted, settle: running });
  } catch (error) {
    check(error instanceof Refused, `not refused but thrown: ${error.stack}`);
    check(!error.message.startsWith('the verifier failed'), error.message);
    return { code: 1, why: error.message };
  }
}

function firstLineOfTalla(name) {
  const { stdout } = spawnSync(talla, ['verify', '--root', join(frozen, 'roots.pem'),
    join(frozen, name)], { encoding: 'utf8' });
  return stdout.split('\n')[0];
}

const OPEN = 'settlement: results and state after not computed again (rules of the games)';
for (const name of settled) {
  await test(`${name} is settled again, alike`, async () => {
    const without = await judge(read(name), roots, null);
    check(without.code === 3 && without.settled === null && without.notChecked.includes(OPEN),
      `without engines: ${without.code}, ${without.notChecked}`);
    engines = await enginesOf(packed, MODULE);
    const [, first] = timed(() => engines.settleBundle(read(name).toString()));
    const [, again] = timed(() => engines.settleBundle(read(name).toString()));
    const { code, settled: answer, checked, notChecked, proven } = await judge(read(name), roots);
    check(code === 3 && answer.alike === true, JSON.stringify(answer));
    check(!notChecked.includes(OPEN), 'said to be open');
    check(checked.some((line) => /^the rules of the catalogue give exactly these \d+/.test(line)),
      `${checked}`);
    check(firstLineOfTalla(name).includes(`Proven: ${proven.en}`),
      `proven: ${proven.en}; talla: ${firstLineOfTalla(name)}`);
    return `${ms(first)}, with its catalogue read ${ms(again)}`;
  });
}

await test('what is no settlement, or does not hold, never reaches the engines', async () => {
  const never = () => {
    throw new Error('the engines are asked');
  };
  for (const name of bundles.filter((one) => !settled.includes(one))) {
    const { code, settled: answer } = await judge(read(name), roots, never);
    check(code === 3 && answer === null, name);
  }
  const changed = read('coup.talla').toString().replace('"returned\\":', '"returned\\":1');
  const { code, why } = await judge(changed, roots, never);
  check(code === 1 && !why.includes('engines'), why);
});

await test('engines that stop leave the settlement open', async () => {
  for (const answer of [null, { stopped: 'out of memory' }]) {
    const { code, notChecked, proven } = await judge(read('coup.talla'), roots, async () => answer);
    check(code === 3 && notChecked.includes(OPEN) && !/by its rules/.test(proven.en),
      JSON.stringify(answer));
  }
});

const copy = (value) => JSON.parse(JSON.stringify(value));
const otherHex = (text) => (text[0] === '0' ? '1' : '0') + text.slice(1);
const PAYMENTS = {
  returned: (value) => value + 1, result: (value) => (value === 'win' ? 'push' : 'win'),
  rule: (value) => `${value}9`, stake: (value) => value + 1, kind: (value) => `${value}x`,
  seat: (value) => value + 1, bet: (value) => `${value}x`,
};

/// [what, results and state after]: what a SETTLEMENT could say instead.
function* otherPayments(body) {
  for (const [i, one] of body.results.entries()) {
    for (const [member, change] of Object.entries(PAYMENTS)) {
      const results = copy(body.results);
      results[i][member] = change(one[member]);
      yield [`result ${i + 1}: another ${member}`, { results }];
    }
    yield [`result ${i + 1} left out`, { results: body.results.filter((_, at) => at !== i) }];
    yield [`result ${i + 1} told twice`, { results: [...body.results, copy(one)] }];
    yield [`result ${i + 1}: nothing returned`,
      { results: body.results.map((other, at) => (at === i
        ? { ...other, returned: other.returned === 0 ? 7 : 0 } : other)) }];
  }
  yield ['another state after', { state_after: otherHex(body.state_after) }];
}

const pki = new Pki();
for (const name of settled) {
  await test(`${name}: other payments, well signed, are refused by the rules alone`, async () => {
    engines = await enginesOf(packed, MODULE);
    const bundle = JSON.parse(read(name));
    const records = recordsOf(bundle);
    const at = records.findIndex(({ seq }) => seq === bundle.claim);
    let [told, byRules] = [0, 0];
    for (const [what, change] of otherPayments(records[at].body)) {
      const lie = copy(records);
      Object.assign(lie[at].body, change);
      const text = signedBundle(bundle, relinked(lie), pki);
      const [plain, running] = [await judge(text, pki.rootsPem, null),
        await judge(text, pki.rootsPem)];
      told += 1;
      check(running.code === 1, `${what} is taken`);
      if (plain.code === 1) continue;  // the page alone sees it
      byRules += 1;
      check(/^settled again: [a-z_]+: record \d+ \(SETTLEMENT\): /.test(running.why), running.why);
    }
    check(byRules * 2 > told, `${byRules} of ${told} by the rules`);
    const honest = await judge(signedBundle(bundle, relinked(copy(records)), pki), pki.rootsPem);
    check(honest.code === 3 && honest.settled.alike, `signed anew: ${honest.why}`);
    return `${told} payments, ${byRules} of them seen by the rules alone`;
  });
}

/// A module whose calls stop themselves: `talla_settle_bundle` traps, `talla_run_scenarios` ends
/// the program.
function stoppingModule() {
  const name = (text) => [text.length, ...Buffer.from(text)];
  const section = (id, ...parts) => {
    const bytes = [parts.length, ...parts.flat()];
    return [id, bytes.length, ...bytes];
  };
  const body = (...code) => [code.length + 2, 0, ...code, 0x0b];
  const [nothing, toNumber, number] = [[0x60, 0, 0], [0x60, 1, 0x7f, 1, 0x7f], [0x60, 0, 1, 0x7f]];
  const exported = (text, index) => [...name(text), 0, index];
  return new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, nothing, toNumber, number, [0x60, 1, 0x7f, 0]),
    ...section(2, [...name('wasi_snapshot_preview1'), ...name('proc_exit'), 0, 3]),
    ...section(3, [0], [1], [2], [2], [1]),
    ...section(5, [0, 1]),
    ...section(7, [...name('memory'), 2, 0], exported('_initialize', 1), exported('talla_input', 2),
      exported('talla_output', 3), exported('talla_settle_bundle', 4),
      exported('talla_run_scenarios', 5)),
    ...section(10, body(), body(0x41, 0), body(0x41, 0), body(0x00),
      body(0x41, 7, 0x10, 0, 0x41, 0)),
  ]));
}

await test('engines that trap or end say so, each time anew', async () => {
  const stopping = new Engines(stoppingModule());
  for (let i = 0; i < 3; ++i) {
    check(/unreachable/.test(stopping.settleBundle('{}').stopped), 'no trap');
    check(/stopped with 7/.test(stopping.runScenarios('{}').stopped), 'no end');
  }
  check(stopping.settleBundle('x'.repeat(100_000)).stopped !== undefined, 'beyond its memory');
  const { settled: answer, notChecked } = await judge(read('coup.talla'), roots,
    async (text) => stopping.settleBundle(text));
  check(answer.stopped !== undefined && notChecked.includes(OPEN), 'taken for settled');
});

const deep = (open, close) => open.repeat(40_000) + close.repeat(40_000);
const NONSENSE = ['', ' ', '{}', '[]', 'null', '{"v":2}', deep('[', ']'), deep('{"a":', '}'),
  '\0'.repeat(1000), '\u{1F0A1}'.repeat(1000), 'x'.repeat(20_000_000), '\ud800'];

await test('nonsense ends no engines for good', async () => {
  const next = numbers(20261128);
  const good = read('coup.talla').toString();
  const stands = () => check(engines.settleBundle(good).alike === true, 'a good one is refused');
  let [refused, stopped] = [0, 0];
  const count = (answer, what) => {
    if (answer.stopped !== undefined) stopped += 1;
    else if (answer.alike !== true) refused += 1;
    check(answer.alike === undefined || typeof answer.alike === 'boolean', what);
  };
  for (const text of NONSENSE) {
    count(engines.settleBundle(text), 'nonsense');
    const ran = engines.runScenarios(text);
    check(Array.isArray(ran) || ran.stopped !== undefined, 'scenarios');
    stands();
  }
  for (const name of settled) {
    const bytes = read(name);
    for (let i = 0; i < 300; ++i) {
      const changed = Buffer.from(bytes);
      for (let many = 1 + next(3); many > 0; --many) {
        changed[next(changed.length)] = 32 + next(95);
      }
      const text = (i % 3 === 0 ? changed.subarray(0, next(changed.length)) : changed).toString();
      count(engines.settleBundle(text), `${name}, change ${i}`);
      count(engines.settleBundle(moved(JSON.parse(bytes), next)), `${name}, moved ${i}`);
    }
    stands();
  }
  const [file] = readdirSync(join(scenarios, 'es-1977'));
  const lines = readFileSync(join(scenarios, 'es-1977', file), 'utf8');
  for (let i = 0; i < 300; ++i) {
    const at = next(lines.length);
    const ran = engines.runScenarios(lines.slice(0, at) + '0"{]'[next(4)] + lines.slice(at + 1));
    check(Array.isArray(ran) || ran.stopped !== undefined, 'scenarios');
  }
  stands();
  return `${refused} refused, ${stopped} stopped`;
});

/// A bundle whose records are in their places but say anything: numbers, names and lists of bodies
/// exchanged at random.
function moved(bundle, next) {
  const records = bundle.records.map((entry) => JSON.parse(entry.record));
  const { body } = records[next(records.length)];
  const keys = Object.keys(body);
  const key = keys[next(keys.length)];
  const donor = records[next(records.length)].body;
  body[key] = donor[key] ?? [0, -1, 2 ** 40, '', 'x', [], {}, true, null][next(9)];
  return JSON.stringify({ ...bundle, records: bundle.records.map((entry, i) =>
    ({ ...entry, record: canonicalOrNot(records[i]) })) });
}

function canonicalOrNot(value) {
  return JSON.stringify(sorted(value));
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

console.log(failures() === 0 ? 'all hold' : `${failures()} failures`);
process.exit(failures() === 0 ? 0 : 1);
