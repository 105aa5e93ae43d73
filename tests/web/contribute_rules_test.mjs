// Goal: who takes part in a table's calls gives its number for a call that holds in every respect,
//   once and in the same bytes, and for no lie; browser and Python say why in the same code.
// Method: an appliance that keeps a true log and lies in one place (seat_house.mjs), to both of
//   contributors.mjs. usage: node contribute_rules_test.mjs (Node 18 or later, python3, openssl)
import { createHash, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ByBrowser, ByPython, each, onceRight, posted, refuses, rewritten, told } from
  './contributors.mjs';
import { Pki, p256 } from './pki.mjs';
import { SeatHouse } from './seat_house.mjs';
import { canonical } from './signed_log.mjs';
import { check, failures, test } from './harness.mjs';
import { ordered, voided } from './voided.mjs';

globalThis.crypto ??= webcrypto;
const web = '../../rngd/web';
const { Contributor } = await import(`${web}/contribute/contributor.js`);
const { commitOf, statementOf } = await import(`${web}/verify/contributors.js`);
const { hex, unhex } = await import(`${web}/verify/bytes.js`);
const { digestOf } = await import(`${web}/verify/core.js`);
const { hmacKey } = await import(`${web}/verify/hashes.js`);

const here = dirname(fileURLToPath(import.meta.url));
const vectors = join(here, '../vectors/contributor.json');

await test('statement, commitment and value are those of the vectors', async () => {
  const { cases } = JSON.parse(readFileSync(vectors));
  for (const one of cases) {
    const mac = await hmacKey(unhex(one.seed));
    const maker = new Contributor({ mac }, null, { opening: one.opening, id: one.id }, null);
    check(hex(await maker.value(one.t)) === one.value, `value of ${one.id}`);
    check(hex(await maker.commit(one.t)) === one.commit, `commitment of ${one.id}`);
    check(hex(await commitOf(unhex(one.opening), one.id, one.t, unhex(one.value))) === one.commit,
      'commitment');
    check(hex(await digestOf(one.core)) === one.call, 'C');
    check(hex(statementOf(unhex(one.call), one.id, one.t, unhex(one.value))) === one.statement,
      'statement');
  }
});

await test('calls that hold are answered: draws, a mix, in and between rounds, one after another',
  () => each({ settled: true }, async (house, who) => {
    await onceRight(house, who);
    house.shoe();
    await onceRight(house, who, 'mix');
    house.round([{ id: 'b1', seat: 3, kind: 'rojo', stake: 20 },
      { id: 'b2', seat: 1, kind: 'negro', stake: 10 }]);
    await onceRight(house, who);
    house.endRound();
    for (let i = 0; i < 3; i += 1) await onceRight(house, who);
    await who.step();
    const ends = await who.ends();
    check(ends.length === 6 && ends.every((one) => one.given), JSON.stringify(ends));
    check(ends[1].kind === 'SHOE_MIX' && ends[0].kind === 'DRAW', 'what they are');
  }));

await test('more than sixteen calls: commitments are handed in again in time', () =>
  each({}, async (house, who) => {
    house.batch(40);
    for (let i = 0; i < 20; i += 1) await onceRight(house, who);
    check(posted(house, 'commitments').length >= 2, 'never again');
    check(house.panel.get('seat-3').t === 21, 'not every call had its number');
  }));

await test('who missed a call and a lapsed core counts on behind the VOID that says so', () =>
  each({}, async (house, who) => {
    await onceRight(house, who);
    const seq = house.call();
    house.withhold();
    check(house.records.at(-1).body.missing[0] === 'seat-3', 'named');
    await who.step();
    check(house.panel.get('seat-3').commits.has(3), 'handed in anew behind what is spent');
    await onceRight(house, who);
    const entry = house.records.find((one) => one.kind === 'CALL' && one.seq > seq);
    check(entry.body.core.others[0].t === 3, 'the missed one is spent');
    await who.step();
    const ends = await who.ends();
    check(ends.map(({ given }) => given).join() === 'true,false,true' &&
      ends[1].missing.join() === 'seat-3', JSON.stringify(ends));
  }));

await test('the same call is answered by the same bytes, also by a program that was started anew',
  () => each({}, async (house, who) => {
    house.lie.hold = true;
    const seq = house.call();
    await who.step();
    await who.step();
    const given = posted(house, 'openings');
    check(given.length === 2, `${given.length} answers`);
    check(canonical(given[0].body) === canonical(given[1].body), 'other bytes');
    check(given[0].path.includes(String(seq)), 'another call');
  }));

await test('a call that ended without this number is said, with who withheld', () =>
  each({}, async (house, who) => {
    house.addPanelist('seat-1');
    house.call();
    await who.step();
    house.withhold();
    await who.step();
    const [end] = await who.ends();
    check(end.kind === 'VOID' && !end.given && end.missing.join() === 'seat-1',
      JSON.stringify(end));
  }));

await test('a key that the table can use no more gives way to a new one', () =>
  each({}, async (house, who) => {
    await onceRight(house, who);
    const { key } = house.panel.get('seat-3');
    house.lie.bound = key;
    house.panel.get('seat-3').commits.clear();
    await who.step();
    check(house.panel.get('seat-3').key !== key, 'the same key');
    await onceRight(house, who);
  }));

// ---- Lies

await refuses('another core for the same call', 'core_other', async (house, who) => {
  house.lie.hold = true;
  const seq = house.call();
  await who.step();
  house.panel.get('seat-3').t = 1;
  house.turn = 1;
  rewritten(house, seq, () => house.call());
  return 1;
});
await refuses('another core for the same turn', 'turn_gap', async (house, who) => {
  const seq = await onceRight(house, who);
  house.turn = house.calls.get(seq).core.turn;
  house.call();
  return 1;
});
await refuses('another history behind the last answer', 'link_gap', async (house, who) => {
  const seq = await onceRight(house, who);
  house.panel.get('seat-3').t = 1;
  house.turn = 1;
  house.batches.next = 0;
  rewritten(house, seq, () => {
    house.call();
    const { value, signature } = posted(house, 'openings')[0].body;
    house.open.openings.set('seat-3', { value, signature });
    house.complete();
    house.call();
  });
  return 1;
});
await refuses('a core with another key for this seat', 'not_named', (house) => {
  const key = p256().publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  house.lie.core = (core) => ({ ...core, others: core.others.map((one) => ({ ...one, key })) });
  house.call();
});
await refuses('a core with another commitment', 'commit_mismatch', (house) => {
  house.lie.core = (core) => ({ ...core, others: core.others.map((one) =>
    ({ ...one, commit: '77'.repeat(32) })) });
  house.call();
});
await refuses('a t that was skipped', 't_gap', (house) => {
  house.panel.get('seat-3').t = 2;
  house.call();
});
await refuses('the t of an answer before', 't_gap', async (house, who) => {
  await onceRight(house, who);
  house.panel.get('seat-3').t = 1;
  house.call();
  return 1;
});
await refuses('this key under two ids', 'duplicate', (house) => {
  house.lie.core = (core) => ({ ...core, others: [{ ...core.others[0], id: 'seat-1' },
    ...core.others] });
  house.call();
});
await refuses('a CALL that is not in the log', 'not_in_log', (house) => {
  const seq = house.call();
  house.lie.receipt = (at, receipt) => (at !== seq ? receipt : { ...receipt,
    record: receipt.record.replace('"turn":1', '"turn":9') });
});
await refuses('another record than was asked for', 'not_in_log', (house) => {
  const seq = house.call();
  house.lie.receipt = (at, receipt) => {
    if (at !== seq - 1) return receipt;
    delete house.lie.receipt;
    return house.receipt(0);
  };
});
await refuses('a chain with a hole', 'link_gap', (house) => {
  house.shoe();
  const put = house.put.bind(house);
  house.put = (kind, body, more) => put(kind, body, { ...more, prev: house.records.at(-2).seq });
  house.call();
});
await refuses('a link that is not that of the record before', 'link_gap', (house) => {
  const put = house.put.bind(house);
  house.put = (kind, body, more) => put(kind, body, { ...more, link: '88'.repeat(32) });
  house.call();
});
await refuses('a root that nobody committed to', 'root_unknown', (house) => {
  house.lie.core = (core) => ({ ...core, root: '99'.repeat(32) });
  house.call();
});
await refuses('a root of another object', 'root_unknown', (house) => {
  const { root } = house.batches;
  house.batch();
  house.lie.core = (core) => ({ ...core, root });
  house.call();
});
await refuses('another number of roots than the table asks for', 'candidate_wrong', (house) => {
  house.shoe(2);
  house.call('mix');
}, { candidates: 4 });
await refuses('one root where the table asks for several', 'candidate_wrong', (house) => {
  house.shoe(1);
  house.call('mix');
}, { candidates: 4 });
await refuses('a call for fewer roots than were sealed', 'candidate_wrong', (house) => {
  house.shoe();
  house.lie.core = (core) => ({ ...core, specification: { candidates: 3, places: 52 } });
  house.call('mix');
}, { candidates: 4 });
await refuses('one root twice', 'candidate_wrong', (house) => {
  house.lie.sealed = ({ root, candidates }) => ({ root,
    candidates: [candidates[0], candidates[0], ...candidates.slice(2)] });
  house.shoe();
  house.call('mix');
}, { candidates: 4 });
await refuses('the digest of other roots', 'candidate_wrong', (house) => {
  house.lie.sealed = ({ root, candidates }) => ({ root, candidates: candidates.toReversed?.() ??
    [...candidates].reverse() });
  house.shoe();
  house.call('mix');
}, { candidates: 4 });
await refuses('a shoe whose call before ended without a pick', 'candidate_wrong',
  async (house, who) => {
    house.addPanelist('seat-5');  // who opens nothing
    house.shoe();
    house.call('mix');
    check(await who.step() === '', 'the first call holds');
    house.withhold();
    house.call('mix');
    return 1;
  }, { candidates: 4 });
await test('a shoe of several roots is mixed, and what was picked is known from then on', () =>
  each({ candidates: 4 }, async (house, who) => {
    house.shoe();
    await onceRight(house, who, 'mix');
    await onceRight(house, who, 'mix');
    await onceRight(house, who);
    house.closeShoe();
    house.shoe();
    await onceRight(house, who, 'mix');
  }));
await refuses('a call that another key signed', 'call_signature', (house) => {
  house.lie.key = p256();
  house.call();
});
await refuses('a head of another record', 'head_wrong', (house) => {
  house.lie.core = (core) => ({ ...core, head: house.head(0) });
  house.call();
});
await refuses('a record between head and CALL', 'head_wrong', (house) => {
  house.lie.core = (core) => ({ ...core, head: house.head(house.records.length - 2) });
  house.round([]);
  house.lie.cites = house.records.length - 2;
  house.call();
}, { settled: true });
await refuses('a call behind more voids than the table allows', 'void_limit', (house) => {
  voided(house, 5);
  house.call();
});
await refuses('a call without one who was not missing', 'contributor_dropped', (house) => {
  voided(house, 1);
  house.panel.delete('seat-9');
  house.call();
});
for (const [what, how] of [
  ['an order of one person', () => ({ ids: ['urn:a', 'urn:a'] })],
  ['an order of one key', (house, one = p256()) => ({ keys: [one, one] })],
  ['an order of the table itself', (house) => ({ keys: [p256(), house.keys] })],
  ['an order for another round', () => ({ object: 'round-9' })],
  ['an order at another state of the table', (house) => ({ head: house.head(1) })],
]) {
  await refuses(what, 'order_wrong', (house) => {
    voided(house, 5);
    ordered(house, how(house));
    house.call();
  });
}
await test('a call that two persons ordered gets its number, whoever is left out', () => each({},
  async (house, who) => {
    voided(house, 5);
    house.panel.delete('seat-9');
    ordered(house);
    await onceRight(house, who);
  }));
await refuses('a last call that never ended', 'turn_open', async (house, who) => {
  house.lie.hold = true;
  house.call();
  await who.step();
  house.call();
  return 1;
});
for (const member of ['origin', 'game', 'variant', 'catalogue', 'parameters']) {
  await refuses(`another ${member} in the core`, 'core_mismatch', (house) => {
    const other = { catalogue: '12'.repeat(32), parameters: '12'.repeat(32) }[member] ?? 'other';
    house.lie.core = (core) => ({ ...core, [member]: other });
    house.call();
  });
}
await refuses('a round that is over', 'core_mismatch', (house) => {
  house.round([]);
  const { id, bets } = house.playing;
  house.endRound();
  house.lie.core = (core) => ({ ...core, round: id, bets });
  house.call();
}, { settled: true });
const bets = [{ id: 'b1', seat: 3, kind: 'rojo', stake: 20 }];
await refuses('a call that rests on other bets', 'bets_other', (house) => {
  house.round(bets);
  house.lie.core = (core) => ({ ...core, bets: createHash('sha256').update('talla/v2/bets\0' +
    canonical([{ ...bets[0], stake: 2 }])).digest('hex') });
  house.call();
}, { settled: true });
await refuses('bets of this seat that are not its bets', 'bets_other', (house) => {
  house.round([{ ...bets[0], kind: 'negro' }]);
  house.call();
}, { settled: true, expected: bets });
await refuses('bets that were not closed', 'bets_other', (house) => {
  house.round(null);
  house.lie.core = (core) => ({ ...core, bets: '13'.repeat(32) });
  house.call();
}, { settled: true });
await refuses('a digest of bets alone', 'bets_unseen', (house) => {
  house.lie.core = (core) => ({ ...core, bets: '13'.repeat(32) });
  house.call();
});
await refuses('an old call again', 'turn_gap', async (house, who) => {
  const seq = await onceRight(house, who);
  await onceRight(house, who);
  house.lie.view = { call: seq };
  return 2;
});
await refuses('an end that does not end the call', 'end_other', async (house, who) => {
  const seq = await onceRight(house, who);
  house.calls.get(seq).ended = { kind: 'draw', seq: 0 };
  return 1;
});

/// What does not even let anybody join.
function joinsNot(what, code, lie) {
  told.add(code);
  return test(`${what}: nobody joins: ${code}`, async () => {
    for (const Kind of [ByBrowser, ByPython]) {
      const house = await new SeatHouse().listen();
      try {
        house.batch();
        lie(house);
        const why = await new Kind(house.link()).step(true);
        check(why.startsWith(`${code}: `), `${Kind.name}: "${why}"`);
        check(house.posts.length === 0, `${Kind.name} handed something in`);
      } finally {
        await house.stop();
      }
    }
  });
}
const other = Buffer.alloc(32, 7).toString('base64url');
await joinsNot('the link is for another opening of the table', 'other_table', (house) => {
  house.lie.link = { opening: other };
});
await joinsNot('the root is not that of the link', 'other_root', (house) => {
  house.lie.link = { root: other };
});
await joinsNot('the log is another than that of the link', 'other_origin', (house) => {
  house.lie.link = { origin: 'casino.example/talla-2' };
});
await joinsNot('a key under another root signs the log', 'log_key', (house) => {
  const { rootsPem } = house.pki;
  house.pki = Object.assign(new Pki(), { rootsPem });
});
await joinsNot('a link that is not whole', 'link', (house) => {
  house.token = house.token.slice(1);
});

// Each breaks one more check than the one behind it, the first of which is named.
const broken = [
  ['call_signature', (house) => { house.lie.key = p256(); }],
  ['core_mismatch', (house) => { house.lies.push((core) => ({ ...core, game: 'other' })); }],
  ['head_wrong', (house) => { house.lies.push((core) => ({ ...core, head: house.head(0) })); }],
  ['t_gap', (house) => { house.panel.get('seat-3').t = 2; }],
  ['root_unknown', (house) => { house.lies.push((core) => ({ ...core, root: '99'.repeat(32) })); }],
  ['bets_unseen', (house) => { house.lies.push((core) => ({ ...core, bets: '13'.repeat(32) })); }],
  ['commit_mismatch', (house) => {
    house.lies.push((core) => ({ ...core, others: core.others.map((one) => ({ ...one,
      commit: '77'.repeat(32) })) }));
  }],
];
for (const [i, [code]] of broken.entries()) {
  await refuses(`everything from ${code} on being wrong`, code, (house) => {
    house.lies = [];
    for (const [, lie] of broken.slice(i)) lie(house);
    house.lie.core = (core) => house.lies.reduce((told, lie) => lie(told), core);
    house.call();
  });
}

await test('the page for programs lists every code, in the order of the checks; each has its lie',
  () => {
    const text = readFileSync(join(here, '../../rngd/docs/contribute.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
    const sources = ['../../rngd/web/contribute/link.js', '../../rngd/web/contribute/log.js',
      '../../rngd/web/contribute/open.js', '../../rngd/web/contribute/contributor.js',
      '../../rngd/web/contribute/session.js', '../../rngd/sdk/client/python/talla_contributor.py',
      '../../rngd/sdk/client/python/talla_contribute.py'];
    for (const source of sources) {
      const used = [...readFileSync(join(here, source), 'utf8').matchAll(/[`'"]([a-z_]+): /g)];
      for (const [, code] of used) check(listed.includes(code), `${source}: ${code}`);
    }
    check([...told].sort().join() === [...listed].sort().join(), 'a code without a lie');
    check(new Set(listed).size === listed.length, 'a code twice');
    const order = broken.map(([code]) => listed.indexOf(code));
    check(order.every((at, i) => i === 0 || order[i - 1] < at), 'another order');
  });

await test('a link fits a QR code of the house', async () => {
  const { qr_modules: qr } = await import(`${web}/app/qr.js`);
  const rows = qr(new SeatHouse().link('https://talla.casino-of-example.es:8443'));
  check(rows.length > 21 && rows.every((row) => row.length === rows.length), 'no square');
});

console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
