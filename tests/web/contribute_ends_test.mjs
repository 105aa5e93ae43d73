// Goal: no end of a call is believed that did not follow from it: who takes part says what is wrong
//   with it, at the end itself or in its evidence.
// Method: an appliance that lies about the end of a call alone (seat_house.mjs), to the page's own
//   modules and to Python: with the log's key, in a log of lies, in the receipt of the end and in
//   the bundle alone; and without it. usage: node contribute_ends_test.mjs (Node 18 or later,
//   python3, openssl)
import { ByBrowser, ByPython, each } from './contributors.mjs';
import { SeatHouse } from './seat_house.mjs';
import { canonical } from './signed_log.mjs';
import { check, failures, test } from './harness.mjs';

const other = (hex) => (hex.startsWith('00') ? 'ff' : '00') + hex.slice(2);
const stranger = Buffer.alloc(64, 1).toString('base64');

/// What is wrong with the last end by who is asked for it; '' where it is believed.
async function why(who) {
  const refused = await who.step();
  if (refused !== '' || who instanceof ByPython) return refused;
  const end = who.session.history.at(-1);
  const verdict = who.session.shown.verdicts.get(end?.seq);
  check(verdict !== undefined, 'the end was not judged');
  return verdict.code === 1 ? verdict.why : '';
}

/// A call of this seat, which has opened, and of an honest one: what opens its number, then or for
/// a later call.
async function called(house, who, use) {
  house.panelist = house.addPanelist('seat-1');
  if (use === 'mix') house.shoe();
  house.call(use);
  const said = await who.step();
  check(said === '', `the call is refused: ${said}`);
  return house.panelist;
}

/// Its time is up.
function late(record) {
  record.time += 10_000_000;
}

/// The same house with another record in that place.
function elsewhere(house, seq, lie) {
  const record = structuredClone(house.records[seq]);
  lie(record, record.body, house);
  const texts = [...house.texts];
  texts[seq] = canonical(record);
  const records = [...house.records];
  records[seq] = record;
  return Object.assign(Object.create(Object.getPrototypeOf(house)), house,
    { texts, records, lie: {} });
}

// ---- With the log's key

/// How a lie is told: before the end is recorded, or behind a true one.
const WAYS = {
  log: { before(house, lie) {
    const put = house.put.bind(house);
    house.put = (kind, body, more) => {
      house.put = put;
      const { seq } = put(kind, body, more);
      const { records, texts } = elsewhere(house, seq, lie);
      Object.assign(house, { records, texts });
      return { seq, kind };
    };
  } },
  receipt: { behind(house, seq, lie) {
    const liar = elsewhere(house, seq, lie);
    house.lie.receipt = (at, receipt) => (at === seq ? liar.receipt(seq) : receipt);
  } },
  bundle: { behind(house, seq, lie) {
    const liar = elsewhere(house, seq, lie);
    house.bundle = (asked) => liar.bundle(asked);
  } },
};

/// `codes`: what the page says where the whole log lies, the receipt alone, the bundle alone.
/// Python, which judges no bundle, says it where the end is of no such call (`seen`); `given`: that
/// the number of this seat is in the record which is told.
async function forged(what, codes, lie, { use = 'draw', seen = false, given = true } = {}) {
  for (const [i, [way, { before, behind }]] of Object.entries(WAYS).entries()) {
    await test(`${what}, in the ${way}: ${codes[i]}`, () => each({}, async (house, who) => {
      const open = await called(house, who, use);
      before?.(house, lie);
      open();
      behind?.(house, house.records.length - 1, lie);
      const said = await why(who);
      const looks = who instanceof ByBrowser || (seen && way !== 'bundle');
      check(looks ? said.includes(codes[i]) : said === '', `said "${said}"`);
      const end = (await who.ends()).at(-1);
      check(end === undefined || end.given === (given || way === 'bundle'), JSON.stringify(end));
    }));
  }
}

const voidOf = ({ call, path, secret }, more) => ({ call, cause: 'withheld', missing: ['seat-1'],
  outcome: 'unknown', path, secret, ...more });
const NONE = 'end_other';

await forged('another outcome', ['wrong_mapping', NONE, 'wrong_mapping'], (record, body) => {
  body.outcome.pocket = (body.outcome.pocket + 1) % 37;
});
await forged('another secret', ['secret_wrong', NONE, 'secret_wrong'], (record, body) => {
  body.secret = other(body.secret);
});
await forged('another number of a contributor', ['commit_mismatch', NONE, 'commit_mismatch'],
  (record, body) => { body.openings[0].value = other(body.openings[0].value); });
await forged('another number of this seat', ['commit_mismatch', NONE, 'commit_mismatch'],
  (record, body) => { body.openings[1].value = other(body.openings[1].value); }, { given: false });
await forged('a number that no contributor signed', ['opening_signature', NONE,
  'opening_signature'], (record, body) => { body.openings[0].signature = stranger; });
await forged('a number that this seat did not sign', ['opening_signature', NONE,
  'opening_signature'], (record, body) => { body.openings[1].signature = stranger; },
{ given: false });
await forged('no numbers', ['openings_count', NONE, 'openings_count'],
  (record, body) => { body.openings = []; }, { given: false });
await forged('no number of this seat', ['openings_count', NONE, 'openings_count'],
  (record, body) => { body.openings.pop(); }, { given: false });
await forged('an end of another call', [NONE, NONE, 'call_none'], (record, body) => {
  record.cites = [0];
  body.call = 0;
}, { seen: true });
await forged('an end that does not follow', ['link_gap', NONE, 'link_gap'], (record) => {
  record.link = other(record.link);
});
await forged('an end that is none', [NONE, NONE, 'turn_open'], (record) => {
  record.kind = 'BATCH_CLOSE';
  record.body = { reason: 'closed', first: 16, secrets: [], left: ['11'.repeat(32)] };
}, { seen: true });
await forged('a void that opens another secret', ['secret_wrong', NONE, 'not_mine'],
  (record, body) => {
    late(record);
    Object.assign(record, { kind: 'VOID', body: voidOf(body, { secret: other(body.secret) }) });
  }, { given: false });
await forged('a void that misses a stranger', ['missing_wrong', NONE, 'missing_wrong'],
  (record, body) => {
    late(record);
    Object.assign(record, { kind: 'VOID', body: voidOf(body, { missing: ['seat-9'] }) });
  }, { given: false });
await forged('a void before anybody is late', ['withheld_early', NONE, 'withheld_early'],
  (record, body) => Object.assign(record, { kind: 'VOID', body: voidOf(body) }), { given: false });
await forged('a void that keeps its secret', ['not_in_log', 'not_in_log', 'another class'],
  (record, body) => {
    const { path, secret, ...rest } = voidOf(body);
    Object.assign(record, { kind: 'VOID', body: rest });
  }, { given: false });
await forged('a mix of another root', ['mix_root', NONE, 'mix_root'], (record, body) => {
  body.root = other(body.root);
}, { use: 'mix' });
await forged('a mix with another number of a contributor', ['commit_mismatch', NONE,
  'commit_mismatch'], (record, body) => {
  body.openings[0].value = other(body.openings[0].value);
}, { use: 'mix' });

// ---- Without it: behind a call that ended, another one and what is told of its end

/// `lie(house, { before, end })`: the numbers of the two ends.
function told(what, code, lie) {
  return test(`${what}: ${code}`, () => each({}, async (house, who) => {
    const open = await called(house, who);
    open();
    const before = house.records.length - 1;
    check(await why(who) === '', 'a true end is refused');
    house.call();
    await who.step();
    house.panelist();
    lie(house, { before, end: house.records.length - 1 });
    const said = await why(who);
    check(said.startsWith(`${code}: `), `said "${said}"`);
    check((await who.ends()).length === 1, 'it is an end');
  }));
}

await told('the end of the call before', NONE, (house, { before }) => {
  house.calls.get(house.records.at(-1).body.call).ended = { kind: 'draw', seq: before };
});
await told('the receipt of the end before', 'not_in_log', (house, { before, end }) => {
  house.lie.receipt = (at, receipt) => {
    if (at !== end) return receipt;
    delete house.lie.receipt;
    return house.receipt(before);
  };
});
await told('the proof of the end before', 'not_in_log', (house, { before, end }) => {
  const { proof } = house.receipt(before);
  house.lie.receipt = (at, receipt) => (at === end ? { ...receipt, proof } : receipt);
});
await told('another record under the same proof', 'not_in_log', (house, { end }) => {
  house.lie.receipt = (at, receipt) => (at !== end ? receipt
    : { ...receipt, record: receipt.record.replace('"boot":', '"boot":1') });
});
await told('no receipt', 'not_in_log', (house, { end }) => {
  house.lie.receipt = (at, receipt) => (at === end ? {} : receipt);
});

await test('the bundle of the end before, which holds: end_other', () => each({},
  async (house, who) => {
    (await called(house, who))();
    const before = house.records.length - 1;
    await who.step();
    house.call();
    await who.step();
    house.panelist();
    house.lie.bundle = () => before;
    const said = await why(who);
    check(who instanceof ByPython ? said === '' : said.startsWith('end_other: '), `"${said}"`);
  }));

// ---- What was settled behind it

const bets = [{ id: 'b1', seat: 3, kind: 'rojo', stake: 20 }];

/// The page's own: `lie(house, seq)` behind a SETTLEMENT of that number and a ROUND_END.
async function settled(lie) {
  const house = await new SeatHouse({ settled: true }).listen();
  try {
    house.batch();
    const who = new ByBrowser(house.link());
    await who.step(true);
    house.round(bets);
    house.call();
    check(await who.step() === '', 'the call is refused');
    house.settle();
    house.endRound();
    lie(house, house.records.length - 2);
    const said = await why(who);
    return { said, end: (await who.ends()).at(-1) };
  } finally {
    await house.stop();
  }
}

await test('a settlement that holds is shown', async () => {
  const { said, end } = await settled(() => {});
  check(said === '' && end.results[0].returned === 0, `${said}: ${JSON.stringify(end)}`);
});
await test('a settlement with other results than its evidence has is not believed', async () => {
  for (const alone of [true, false]) {
    const { said } = await settled((house, seq) => {
      const liar = elsewhere(house, seq, (record, { results }) => { results[0].returned = 40; });
      // The record behind it goes on from the lie, or from the truth.
      const next = elsewhere(liar, seq + 1, (record) => { record.link = liar.head(seq); });
      house.lie.receipt = (at, receipt) => (at === seq || (at > seq && !alone)
        ? next.receipt(at) : receipt);
    });
    check(said.startsWith(alone ? 'link_gap: ' : 'end_other: '), `said "${said}"`);
  }
});

console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
