// Goal: a player takes part with a phone: key and number are made there and stay there, the number
//   is given where everything holds and kept where not, and the page says in plain words what
//   became of it, after a reload too.
// Method: a real Chromium at 390 px, in Spanish and English, against an appliance that keeps a true
//   log and lies where it is told to (seat_house.mjs). usage: node contribute_test.mjs (Chromium)
import { check, failures, test } from './harness.mjs';
import { Browser, chromium } from './browser.mjs';
import { SeatHouse } from './seat_house.mjs';
import { p256 } from './pki.mjs';

if (chromium === undefined) {
  console.log('FAILED  no Chromium here: rngd/packaging/dependencies test installs it');
  process.exit(1);
}
const { WORDS, say } = await import('../../rngd/web/contribute/words.js');
const browser = await Browser.start();
const phone = (language) => ({ width: 390, height: 800, language });
const shows = (text, where = 'main') =>
  `document.querySelector('${where}').innerText.includes(${JSON.stringify(text)})`;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds, what) {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(20)) if (holds()) return;
  throw new Error(`never: ${what}`);
}

/// `work(page, house, w)` with a phone that has joined, `w` its language's words; `joins` false:
/// the page as it is opened.
async function seat(language, work, { joins = true, before = () => {}, ...options } = {}) {
  const house = await new SeatHouse(options).listen();
  house.batch();
  before(house);
  const page = await browser.open(phone(language));
  const w = (key, values) => say(language, key, values);
  try {
    await page.go(house.link());
    if (joins) {
      await page.until(shows(w('ready')));
      await page.click('#join');
      await page.until(shows(w('waiting')));
    }
    await work(page, house, w);
    check(page.errors.length === 0, `the page threw: ${page.errors.join('\n')}`);
    const said = await page.value("document.querySelector('main').textContent");
    check(!/undefined|null|\{\w+\}|\[object/.test(said), said);
    check(await page.excess() === 0, 'too wide');
  } finally {
    await page.close();
    await house.stop();
  }
}

const answers = (house) => house.posts.filter(({ path }) => path.endsWith('/openings'));

/// `work` in both languages.
async function both(name, work, options) {
  for (const language of ['es', 'en']) {
    await test(`${name} (${language})`, () => seat(language, work, options));
  }
}

await test('every word is there in both languages', () => {
  const [en, es] = [WORDS.en, WORDS.es].map((words) => Object.keys(words).sort().join());
  check(en === es, 'other words');
  for (const [key, text] of Object.entries(WORDS.es)) {
    const fields = (one) => (one.match(/\{\w+\}/g) ?? []).sort().join();
    check(fields(text) === fields(WORDS.en[key]), key);
  }
});

await both('a shoe: the number is in its order, and the page\'s own verifier says so',
  async (page, house, w) => {
    house.shoe();
    house.call('mix');
    await page.until(shows(w('in_mix')));
    await page.until(shows(w('judged', { verdict: `${w('verdict_uncertified')}, ` +
      w('development') })));
    const mine = house.records.at(-1);
    check(mine.kind === 'SHOE_MIX' && mine.body.openings.length === 1, 'what the log says');
    await page.value("document.querySelector('details').open = true");
    await page.until(shows('seat-3 (key ', 'details'));
    await sleep(1500);
    check(await page.value("document.querySelector('details').open"), 'it folds by itself');
  });

await both('draws: each number is given and in its draw, commitments come again', async (page,
  house, w) => {
  for (let turn = 1; turn <= 3; turn += 1) {
    house.call();
    await until(() => house.open === null, 'answered');
    await page.until(`document.querySelectorAll('.end').length === ${turn}`);
  }
  await page.until(shows(w('turn', { turn: 3 })));
  check((await page.text('#ends')).split(w('in_draw')).length === 4, 'each is said');
});

await test('key and seed are made in the browser and cannot be read out of it', () =>
  seat('es', async (page, house) => {
    const kept = await page.value(`new Promise((resolve) => {
      const opened = indexedDB.open('talla.contribute', 1);
      opened.onsuccess = () => {
        const all = opened.result.transaction('seats').objectStore('seats').getAll();
        all.onsuccess = async () => {
          const [{ hands }] = all.result;
          const tries = await Promise.allSettled([crypto.subtle.exportKey('pkcs8', hands.key),
            crypto.subtle.exportKey('raw', hands.seed)]);
          resolve([hands.key.extractable, hands.seed.extractable, hands.key.algorithm.namedCurve,
            hands.seed.algorithm.length, ...tries.map((one) => one.status), hands.spki]);
        };
      };
    })`);
    check(JSON.stringify(kept.slice(0, 6)) ===
      '[false,false,"P-256",256,"rejected","rejected"]', JSON.stringify(kept));
    check(kept[6] === house.panel.get('seat-3').key, 'another key was handed in');
    check(await page.value("!('talla.contribute' in localStorage)"), 'it is elsewhere too');
  }));

await both('a reload between answer and result, and before the answer, loses nothing',
  async (page, house, w) => {
    house.lie.hold = true;
    house.call();
    await until(() => answers(house).length === 1, 'answered');
    await page.until(shows(w('given', { turn: 1 })));
    await page.go(`${house.base}/web/verify.html`);
    await page.go(house.link());
    await until(() => answers(house).length === 2, 'answered again');
    const [one, again] = answers(house).map(({ body }) => JSON.stringify(body));
    check(one === again, 'other bytes');
    await page.go(`${house.base}/web/verify.html`);
    house.lie.hold = false;
    house.complete();
    house.call();
    await page.go(house.link());
    await page.until("document.querySelectorAll('.end').length === 2");
    check((await page.text('#ends')).split(w('in_draw')).length === 3, 'both are said');
    check(house.posts.filter(({ path }) => path.endsWith('/commitments')).length === 1,
      'a new key was made');
  });

await both('a second device with the same link is told, may take over, and the first one is told',
  async (page, house, w) => {
    const other = await browser.open(phone(w('skip') === WORDS.es.skip ? 'es' : 'en'));
    await other.go(house.link());
    await other.until(shows(w('second')));
    const first = house.panel.get('seat-3').key;
    check(answers(house).length === 0 && first === house.panel.get('seat-3').key, 'taken over');
    await other.click('#join');
    await other.until(shows(w('waiting')));
    await page.until(shows(w('replaced')));
    check(house.panel.get('seat-3').key !== first, 'the same key on two devices');
    house.call();
    await other.until(shows(w('in_draw')));
    check(!(await page.text('main')).includes(w('in_draw')), 'the first one says it too');
    await other.close();
  });

await test('a second device cannot take over while the table waits for the first', () =>
  seat('es', async (page, house, w) => {
    house.lie.hold = true;
    house.call();
    const other = await browser.open(phone('es'));
    await other.go(house.link());
    await other.until(shows(w('second')));
    await other.click('#join');
    await other.until(shows(w('busy')));
    await other.close();
  }));

await test('a second window of the same device does not answer beside the first', () =>
  seat('en', async (page, house) => {
    const { targetId } = await browser.pipe.send('Target.createTarget',
      { url: house.link(), browserContextId: page.context });
    const { sessionId } = await browser.pipe.send('Target.attachToTarget',
      { targetId, flatten: true });
    const text = async () => (await browser.pipe.send('Runtime.evaluate',
      { expression: 'document.body.innerText', returnByValue: true }, sessionId)).result.value;
    let said = '';
    for (let i = 0; i < 200 && !said?.includes(WORDS.en.other_tab); i += 1) {
      said = await text();
      await sleep(50);
    }
    check(said.includes(WORDS.en.other_tab), said);
  }));

await both('the phone is gone: the VOID names it, the next turn goes without it, both are said',
  async (page, house, w) => {
    const opens = house.addPanelist('seat-1');
    house.call();
    await until(() => house.open.openings.has('seat-3'), 'answered');
    opens();
    await page.until(shows(w('in_draw')));
    await page.go('about:blank');
    house.call();
    opens();
    house.withhold();
    check(house.records.at(-1).body.missing.join() === 'seat-3', 'named');
    house.call();
    opens();
    check(house.records.at(-1).body.openings.length === 1, 'without it');
    await page.go(house.link());
    await until(() => house.panel.get('seat-3').commits.has(3), 'it hands in anew');
    house.call();
    await until(() => house.open.openings.has('seat-3'), 'it counts on');
    opens();
    await page.until("document.querySelectorAll('.end').length === 3");
    check((await page.text('#ends')).split(w('in_draw')).length === 3, 'in again');
    check((await page.text('#ends')).includes(w('withheld_you')), 'that it was missing');
    await page.until(`[...document.querySelectorAll('details li')].some((one) =>
      /(muestra este fichero|this file shows): 1/.test(one.textContent))`);
  });

await both('a turn that goes without this number is said, and is no alarm', async (page, house,
  w) => {
  house.left = new Set(['seat-3']);
  const opens = house.addPanelist('seat-1');
  house.call();
  await page.until(shows(w('without')));
  check(answers(house).length === 0, 'it answered');
  opens();
});

await both('another seat withheld: it is named, and that it was counted', async (page, house,
  w) => {
  house.addPanelist('seat-1');
  house.addPanelist('partner.example');
  house.call();
  await until(() => answers(house).length === 1, 'answered');
  house.withhold();
  const who = `partner.example${w('and')}${w('who_seat', { number: 1 })}`;
  await page.until(shows(w('withheld', { who })));
  await page.until(shows(w('judged', { verdict: `${w('verdict_uncertified')}, ` +
    w('development') })));
});

const bets = [{ id: 'b1', seat: 3, kind: 'rojo', stake: 20 },
  { id: 'b2', seat: 3, kind: 'pleno', stake: 5, on: ['17'] },
  { id: 'b3', seat: 1, kind: 'negro', stake: 999 }];
await both('its bets stand on the page before the number is given, and no others', async (page,
  house, w) => {
  await page.click('#ask');
  house.round(bets);
  house.call();
  await page.until(shows(w('look', { turn: 1 })));
  const said = await page.text('#bets');
  check(/rojo: 20/.test(said) && /pleno 17: 5/.test(said) && !/999/.test(said), said);
  check(answers(house).length === 0, 'it was given before');
  await page.click('#give');
  await page.until(shows(w('in_draw')));
  house.endRound();
  house.round([{ ...bets[0], kind: 'negro' }]);
  house.call();
  await page.until(shows(w('look', { turn: 2 })));
  await page.click('#keep');
  await page.until(shows(w('kept')));
  house.withhold();
  await sleep(1500);
  check(answers(house).length === 1, 'it was given all the same');
}, { settled: true });

await both('a settled round: what the own bets gave, by evidence of this very settlement',
  async (page, house, w) => {
    house.round(bets);
    house.call();
    await page.until(shows(w('in_draw')));
    house.settle();
    house.endRound();
    await page.until(shows(w('settled_in')));
    await page.until("document.querySelectorAll('.end').length === 2 && " +
      "document.querySelector('.end details') !== null");
    const said = await page.text('.end');
    check(/pleno/.test(said) && !/999/.test(said), said);
    check(said.includes(w('judged', { verdict: `${w('verdict_uncertified')}, ` +
      w('development') })), said);
    // Evidence of another record, valid by itself, is none of the next one.
    const old = house.records.findLast(({ kind }) => kind === 'SETTLEMENT').seq;
    house.lie.bundle = (asked) => (house.records[asked].kind === 'SETTLEMENT' ? old : asked);
    house.round(bets);
    house.call();
    await page.until("document.querySelectorAll('.end').length === 3");
    house.settle();
    house.endRound();
    await page.until("document.querySelectorAll('.end').length === 4");
    await page.until(shows(w('judged_not', { why: '' }).trim().replace(/[.:]+$/, ''), '.end'));
  }, { settled: true });

await test('nobody is asked for longer than the call waits', () => seat('es', async (page, house,
  w) => {
  await page.click('#ask');
  house.round(bets);
  house.call();
  await page.until(shows(w('look', { turn: 1 })));
  house.withhold();
  await page.until(`!${shows(w('look', { turn: 1 }))}`);
  check(answers(house).length === 0, 'it was given');
}, { settled: true }));

await test('a table\'s screen shows the link as a code; half a link and one too long are told',
  async () => {
    const house = await new SeatHouse().listen();
    const page = await browser.open(phone('es'));
    const { qr_modules: qr } = await import('../../rngd/web/app/qr.js');
    await page.go(`${house.base}/web/invite.html#${house.link()}`);
    await page.until("document.querySelector('#code svg') !== null");
    const dark = qr(house.link()).flat().filter(Boolean).length;
    check(await page.value("document.querySelector('#code path').getAttribute('d').split('M')" +
      '.length - 1') === dark, 'another code');
    check((await page.text('#seat')).includes('Puesto 3'), 'the seat');
    check(await page.excess() === 0, 'too wide');
    await page.go('about:blank');
    await page.go(`${house.base}/web/invite.html#${house.link().slice(0, -60)}`);
    await page.until("document.body.innerText.includes('El enlace no está entero')");
    await page.go('about:blank');
    await page.go(`${house.base}/web/invite.html#${house.link()}${'x'.repeat(100)}`);
    await page.until("document.body.innerText.includes('no cabe en un código')");
    check(page.errors.length === 0, page.errors.join());
    await page.close();
    await house.stop();
  });

// ---- What it cannot check it says, and gives nothing

for (const [what, code, lie, settled = false] of [
  ['a digest of bets alone', 'bets_unseen', (house) => {
    house.lie.core = (core) => ({ ...core, bets: '13'.repeat(32) });
  }],
  ['other bets than were closed', 'bets_other', (house) => {
    house.round(bets);
    house.lie.core = (core) => ({ ...core, bets: '13'.repeat(32) });
  }, true],
  ['a call that the table did not sign', 'call_signature', (house) => {
    house.lie.key = p256();
  }],
  ['another key for this seat', 'not_named', (house) => {
    const key = p256().publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    house.lie.core = (core) => ({ ...core, others: core.others.map((one) => ({ ...one, key })) });
  }],
  ['another commitment', 'commit_mismatch', (house) => {
    house.lie.core = (core) => ({ ...core, others: core.others.map((one) => ({ ...one,
      commit: '77'.repeat(32) })) });
  }],
  ['a count that was skipped', 't_gap', (house) => { house.panel.get('seat-3').t = 2; }],
  ['a root that nobody committed to', 'root_unknown', (house) => {
    house.lie.core = (core) => ({ ...core, root: '99'.repeat(32) });
  }],
  ['other rules', 'core_mismatch', (house) => {
    house.lie.core = (core) => ({ ...core, parameters: '99'.repeat(32) });
  }],
]) {
  await both(`${what}: the number is kept, and why is said`, async (page, house, w) => {
    lie(house);
    house.call();
    await page.until(shows(w(`code_${code}`)));
    check(await page.value(shows(w('refused'), '#status')), 'not the first thing');
    check(await page.value("document.querySelector('#status').getBoundingClientRect().bottom <" +
      ' innerHeight'), 'below the phone');
    check(answers(house).length === 0, 'it answered');
  }, { settled });
}

for (const [what, code, lie] of [
  ['another opening of the table', 'other_table', (house) => {
    house.lie.link = { opening: Buffer.alloc(32, 7).toString('base64url') };
  }],
  ['another root', 'other_root', (house) => {
    house.lie.link = { root: Buffer.alloc(32, 7).toString('base64url') };
  }],
  ['another log', 'other_origin', (house) => { house.lie.link = { origin: 'other.example/1' }; }],
  ['half a link', 'link', (house) => { house.lie.link = { origin: '' }; }],
]) {
  await both(`${what}: nothing is made, and why is said`, async (page, house, w) => {
    await page.until(shows(w(`code_${code}`)));
    check(await page.value("document.querySelector('#join').hidden"), 'it can be pressed');
    check(house.posts.length === 0, 'something was sent');
  }, { joins: false, before: lie });
}

await both('a link that has ended says so; a lost connection is tried again', async (page, house,
  w) => {
  house.down = true;
  await page.until(shows(w('offline')));
  house.down = false;
  await page.until(shows(w('waiting')));
  house.call();
  await page.until(shows(w('in_draw')));
  house.token = house.token.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'));
  await page.until(shows(w('over')));
});

await browser.stop();
console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
