// Goal: the appliance's page in a real Chromium shows a house as it is, lets people act in it, and
//   says nothing good when the daemon lies or is silent.
// Method: a daemon of the test (house.mjs) with a log of its own, served with the real policy;
//   every case is a page of its own. usage: node floor_test.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { check, failures, test } from './harness.mjs';
import { Browser, chromium } from './browser.mjs';
import { House } from './house.mjs';

if (chromium === undefined) {
  console.log('FAILED  no Chromium here: rngd/packaging/dependencies test installs it');
  process.exit(1);
}
const browser = await Browser.start();
const folder = mkdtempSync(join(tmpdir(), 'floor-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/// One house and one page on it, closed afterwards; nothing may be thrown or refused by the policy.
async function visit(look, hash, work, prepare = () => {}) {
  const house = new House().evening();
  house.ticking = true;
  prepare(house);
  const base = await house.listen();
  const page = await browser.open(look);
  try {
    await page.go(`${base}/web/index.html${hash}`);
    await work(page, house, base);
    check(page.errors.length === 0, `the page threw: ${page.errors.join('\n')}`);
  } finally {
    await page.close();
    await house.stop();
  }
}

const sentence = (text) => `document.querySelector('#sentence').innerText.includes(${
  JSON.stringify(text)})`;
const shows = (selector, text) => `(document.querySelector(${JSON.stringify(selector)})?.innerText
  ?? '').includes(${JSON.stringify(text)})`;
const ready = sentence('The house can play.');
const tiles = (count) => `document.querySelectorAll('.tile').length === ${count}`;
const tile = (name) => `[...document.querySelectorAll('.tile')].find((one) =>
  one.querySelector('.sign').textContent === ${JSON.stringify(name)})`;

/// Every element whose own text or edge has the colours of "good".
const greens = `[...document.querySelectorAll('body *')].filter((one) => {
  if (!one.checkVisibility()) return false;
  const look = getComputedStyle(one);
  const green = (colour) => {
    const [r, g, b, a = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
    return a > 0 && g > r + 12 && g > b + 12;
  };
  const filtered = one.closest('main') && getComputedStyle(document.querySelector('main'))
    .filter.includes('grayscale');
  return !filtered && (green(look.color) || green(look.backgroundColor));
}).map((one) => one.outerHTML.slice(0, 120))`;

await test('the board shows each table with what a pit boss looks for', () =>
  visit({}, '', async (page) => {
    await page.until(`${ready} && ${tiles(4)}`);
    await page.until(shows('.board', 'French roulette'));
    await page.until(shows('.board', 'Punto banco'));
    const board = await page.text('.board');
    for (const part of ['Ruleta 1', 'Mesa 7', 'Dados 1', 'Mesa 3', 'Black jack', 'Craps',
      'between rounds', 'rounds: 60', 'rounds/h', 'shoe: 24 of 416 cards; 385 to the stop card',
      'shoe: 6 of 312 cards; 254 to the stop card']) {
      check(board.includes(part), `${part} in ${board}`);
    }
    check((await page.text('#me')).includes('talla:operator-1: operator'), 'who is logged in');
  }));

await test('a wheel shows the number on its pocket, never the place of the pocket', () =>
  visit({}, '', async (page, house) => {
    await page.until(`${tiles(4)} && ${tile('Ruleta 1')}.querySelectorAll('.pocket').length > 5`);
    const drawn = house.records.filter((one) => one.kind === 'DRAW' &&
      one.body.outcome.pocket !== undefined).map((one) => one.body.outcome.pocket).reverse();
    const order = [0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24,
      16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26];
    await page.until(`${tile('Ruleta 1')}.querySelector('.pocket.red') !== null`);
    const shown = await page.value(`[...${tile('Ruleta 1')}.querySelectorAll('.pocket')]
      .map((one) => one.textContent + ' ' + one.className)`);
    const reds = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
    shown.forEach((text, i) => {
      const number = order[drawn[i]];
      const colour = number === 0 ? 'zero' : reds.has(number) ? 'red' : 'black';
      check(text === `${number} pocket ${colour}`, `${text}, not ${number} ${colour}`);
    });
  }));

await test('what happens at a table is on the board without anybody asking', () =>
  visit({}, '', async (page, house) => {
    await page.until(`${ready} && ${tiles(4)}`);
    const { roulette, black } = house.tables_by_name;
    house.begin(black);
    await page.until(`${tile('Mesa 7')}.innerText.includes('round 2')`);
    house.spin(roulette, 8);  // the pocket of 17
    await page.until(`${tile('Ruleta 1')}.querySelector('.pocket').textContent === '17'`);
    house.open('roulette', 'Ruleta 2');
    await page.until(tiles(5));
    black.state = 'suspended';
    await page.until(sentence('Mesa 7 is stopped and waits for two persons.'));
    check(await page.value(`document.querySelector('.tile .sign').textContent`) === 'Mesa 7',
      'who waits for a person comes first');
    check(!(await page.value(`document.querySelector('#sentence').className`)).includes('good'),
      'a stopped table is not all good');
  }));

await test('the first line says in words whether the house can play, and why not', () =>
  visit({ language: 'es' }, '', async (page, house) => {
    await page.until(sentence('Se puede jugar. 4 mesas abiertas.'));
    Object.assign(house.status, { ready: false, reasons: ['disk_reserve', 'clock_stepped'] });
    await page.until(sentence('No se puede jugar. El espacio en disco está por debajo'));
    check(await page.value(sentence('El reloj ha dado un salto')), 'the second reason');
    Object.assign(house.status, { ready: true, reasons: [] });
    house.status.generator.uncertified = true;
    await page.until(sentence('solo para pruebas'));
    check((await page.value(`document.querySelector('#sentence').className`)) ===
      'sentence warn', 'a trial is not good');
  }));

for (const [what, begin, words] of [
  ['silent', (page, house) => {
    house.deaf = true;
    return page.value('{ const now = performance.now.bind(performance); ' +
      'performance.now = () => now() + 60000; }');
  }, 'has stopped answering'],
  ['damaged', (_, house) => { house.lie = 'damaged'; }, 'makes no sense'],
  ['refusing', (_, house) => {
    house.forbidden = () => ({ status_code: 403, status: 403, code: 'certificate_expired' });
  }, 'is past its last day'],
  ['with a clock that stands still', (_, house) => { house.ticking = false; },
    'its clock stands still'],
  ['ready with a reason against it', (_, house) => {
    house.more = { reasons: ['anchor_lost'] };
  }, 'makes no sense'],
  ['of a size beyond all numbers', (_, house) => { house.more = { size: 2 ** 60 }; },
    'makes no sense'],
  ['whose ready is a text', (_, house) => { house.more = { ready: 'true' }; }, 'makes no sense'],
]) {
  for (const hash of ['', '#/appliance']) {
    await test(`a daemon that is ${what} leaves nothing green${hash && ' of the appliance'}`, () =>
      visit({}, hash, async (page, house) => {
        await page.until(ready);
        check((await page.value(greens)).length > 0, 'it was green before');
        await begin(page, house);
        await page.until(sentence(words));
        check(await page.value(sentence('What stands below is of')), 'since when');
        const left = await page.value(greens);
        check(left.length === 0, `still green: ${left.join('\n')}`);
        Object.assign(house, { deaf: false, lie: '', more: {}, forbidden: undefined,
          ticking: true });
        await page.until(ready, 'it is good again when the daemon is');
      }));
  }
}

await test('labels with markup, endless ones and huge numbers are text', () =>
  visit({ width: 390, height: 800 }, '', async (page, house) => {
    await page.until('window.hit = 0, true');
    await page.until(tiles(7));
    const board = await page.text('.board');
    check(board.includes('<img src=x onerror="window.hit=1">'), board);
    check(board.includes('9,007,199,254,740,991'), board);
    check(await page.value(`document.querySelectorAll('img, b, script:not([src])').length`) === 0,
      'markup was read');
    check(await page.value('window.hit') === 0, 'a label ran');
    check(await page.excess() === 0,
      'the page is wider than the phone');
  }, (house) => {
    house.open('roulette', '<img src=x onerror="window.hit=1">');
    house.open('nothing-known', 'W'.repeat(64), { rounds: Number.MAX_SAFE_INTEGER });
    house.open('<b>x</b>', "';--");
  }));

await test('from the tile to the table, the round, its records and its evidence', () =>
  visit({}, '', async (page, house) => {
    await page.until(`${ready} && ${tile('Mesa 7')} !== undefined`);
    await page.value(`${tile('Mesa 7')}.click()`);
    await page.until(shows('#table-head', 'Mesa 7'));
    await page.until(shows('#table-head', '2.50'));
    await page.until(shows('#table-rounds', 'Rounds'));
    await page.click('#table-rounds a[href^="#/round/"]');
    await page.until(shows('#round-view', 'Round 1, Mesa 7, Black jack'));
    const round = await page.text('#round-view');
    for (const part of ['box 1', 'dealer', 'Simple game', 'wins', '20\u00a0€', '+10\u00a0€',
      '03 V.1.a']) check(round.includes(part), `${part} in ${round}`);
    const cards = await page.value(`[...document.querySelectorAll('#round-view .playing')]
      .map((one) => one.getAttribute('aria-label'))`);
    check(cards.join() === 'card face down,10♥,8♣,K♦,6♠,J♦', cards.join());
    const settled = house.records.findLast((one) => one.kind === 'SETTLEMENT').seq;
    check(await page.value(`document.querySelector('#round-view a.button').getAttribute('href')`)
      === `verify.html?bundle=/v1/bundles/${settled}`, 'the evidence');
    await page.click('#round-view .links a:not(.button)');
    await page.until(shows('#log-list', 'Round opened'));
  }));

await test('a round in play is read as it goes, and an unknown one is said to be none', () =>
  visit({}, '', async (page, house) => {
    await page.until(ready);
    const { black } = house.tables_by_name;
    const id = house.begin(black);
    house.bets(black, [{ id: 'b1', seat: 2, kind: 'juego-simple', stake: 30 }]);
    house.deal(black, 'box-1-1', 'AS');
    await page.value(`location.hash = '#/round/${id}'`);
    await page.until(shows('#round-view', '15'));
    check((await page.text('#round-view')).includes('There is evidence once it is settled'),
      'no evidence yet');
    await page.value("location.hash = '#/round/round-99999'");
    await page.until(shows('#round-problem', 'No such thing is here'));
  }));

await test('a round is found by the time of day, and the newest are a click away', () =>
  visit({}, '#/table/table-0', async (page, house) => {
    const first_row = `document.querySelector('#table-rounds tbody tr')?.innerText ?? ''`;
    const rows = `document.querySelectorAll('#table-rounds tbody tr').length`;
    await page.until(`${rows} === 25`);
    const newest = await page.value(first_row);
    const all = house.rounds_of('table-0', new URLSearchParams('limit=100')).rounds;
    const wanted = all[10];
    // The field has minutes in the reader's zone: the newest round of that minute comes first.
    const minute = Math.floor(wanted.opened / 60_000_000);
    const expected = all.find((one) => Math.floor(one.opened / 60_000_000) <= minute);
    await page.value(`{ const at = new Date(${Math.floor(wanted.opened / 1000)});
      const two = (n) => String(n).padStart(2, '0');
      document.querySelector('#table-time').value = at.getFullYear() + '-' +
        two(at.getMonth() + 1) + '-' + two(at.getDate()) + 'T' + two(at.getHours()) + ':' +
        two(at.getMinutes());
      document.querySelector('#table-search').requestSubmit(); }`);
    await page.until(`(${first_row}).startsWith('${expected.number}')`);
    check(expected.number < all[0].number, 'an older one');
    await page.click('#table-search button[type=reset]');
    await page.until(`${first_row} === ${JSON.stringify(newest)}`);
    check(await page.value(`${rows} === 25`), 'the newest again');
  }));

await test('older rounds come by pages, and tables are found by a word', () =>
  visit({}, '#/table/table-0', async (page) => {
    const rows = (count) => `document.querySelectorAll('#table-rounds tbody tr').length === ${
      count}`;
    await page.until(rows(25));
    await page.click('#table-rounds button');
    await page.until(rows(50));
    await page.click('#table-rounds button');
    await page.until(rows(60));
    check(await page.value(`document.querySelector('#table-rounds button') === null`), 'no more');
    await page.value("location.hash = '#/floor'");
    await page.until(tiles(4));
    await page.value(`{ const field = document.querySelector('#floor-search');
      field.value = 'mesa black'; field.dispatchEvent(new Event('input')); }`);
    await page.until(tiles(1));
    check((await page.text('.board')).includes('Mesa 7'), 'found');
    check((await page.text('#floor-count')).includes('1 of 4'), 'counted');
  }));

await test('the log is found by time, by table and by kind, and goes on live', () =>
  visit({ zone: 'Europe/Madrid' }, '#/log', async (page, house) => {
    await page.until(shows('#log-state', 'Live'));
    await page.value(`{ document.querySelector('#log-time').value = '2026-11-25T21:40';
      document.querySelector('#log-go').click(); }`);
    const limit = Date.UTC(2026, 10, 25, 20, 40) * 1000;
    const first = house.records.find((one) => one.time >= limit).seq;
    await page.until(`document.querySelector('#log-list li')?.dataset.seq === '${first}'`);
    await page.value(`{ const kind = document.querySelector('#log-kind'); kind.value = 'DRAW';
      kind.dispatchEvent(new Event('change')); }`);
    await page.until(`[...document.querySelectorAll('#log-list .kind')].length > 0 &&
      [...document.querySelectorAll('#log-list .kind')].every((one) =>
        one.textContent === 'Draw')`);
    check(/number \d+/.test(await page.text('#log-list')), 'the number of the pocket');
    await page.value(`{ const table = document.querySelector('#log-table');
      table.value = 'table-0'; table.dispatchEvent(new Event('change')); }`);
    await page.until(`document.querySelectorAll('#log-list li').length > 0 &&
      [...document.querySelectorAll('#log-list li')].every((one) =>
        one.innerText.includes('Ruleta 1'))`);
    await page.click('#log-live');
    await page.until(shows('#log-state', 'Live'));
    house.begin(house.tables_by_name.dice);
    const newest = house.records.length - 1;
    await page.until(`document.querySelector('#log-list li')?.dataset.seq === '${newest}'`);
  }));

await test('a log that got shorter is another one: nothing of the old is left', () =>
  visit({}, '', async (page, house) => {
    await page.until(`${ready} && ${tile('Mesa 7')} !== undefined`);
    Object.assign(house, { records: [], tables: [] });
    for (const one of house.streams) one.end();
    house.open('craps', 'Dados nuevos');
    await page.until(`${tiles(1)} && ${tile('Dados nuevos')} !== undefined`);
    check((await page.text('.board')).includes('No rounds yet'), 'no rounds of the old log');
  }));

// ---- People

await test('who may acts: asks, confirms what another asked, withdraws; each order has a key', () =>
  visit({}, '#/acts', async (page, house) => {
    await page.until(shows('#acts-list', 'Reset the generator'));
    await page.click('#acts-list button.strong');
    await page.until(shows('#acts-list', 'done'));
    await page.value(`{ const act = document.querySelector('#acts-act'); act.value = 'table-finish';
      act.dispatchEvent(new Event('change')); document.querySelector('#acts-form button').click();
      }`);
    await page.until(shows('#acts-problem', 'Say what it is about'));
    check(house.orders.length === 1, 'nothing was sent');
    await page.value(`{ document.querySelector('#acts-fields input').value = 'table-1';
      document.querySelector('#acts-form button').click(); }`);
    await page.until(shows('#acts-list', 'You asked for it: another person confirms it'));
    await page.value(`[...document.querySelectorAll('#acts-list button')].at(-1).click()`);
    await page.until(shows('#acts-list', 'withdrawn'));
    const [confirmed, asked] = house.orders;
    check(confirmed.path === '/v1/acts/act-9/confirm' && confirmed.body.digest === undefined,
      JSON.stringify(confirmed));
    check(JSON.stringify(asked.body) === '{"act":"table-finish","object":"table-1"}',
      JSON.stringify(asked.body));
    check(house.orders.every(({ key }) => /^[0-9a-f]{32}$/.test(key)) &&
      new Set(house.orders.map(({ key }) => key)).size === house.orders.length, 'keys');
  }, (house) => {
    house.acts.push({ id: 'act-9', act: 'latch-reset', state: 'asked', asked: house.time,
      asked_by: 'talla:officer-1', expires: house.time + 6e8 });
  }));

await test('an order whose answer is lost is the same order when it is sent again', () =>
  visit({}, '#/acts', async (page, house) => {
    await page.until(shows('#acts-list', 'Nothing is asked for'));
    house.lie = 'damaged';
    await page.click('#acts-form button');
    await page.until(shows('#acts-problem', 'makes no sense'));
    house.lie = '';
    await page.click('#acts-form button');
    await page.until(shows('#acts-list', 'Reset the generator'));
    const keys = house.orders.map(({ key }) => key);
    check(keys.length === 2 && keys[0] === keys[1], keys.join());
  }));

await test('one person stops it with a reason; the page says who, why and what ends it', () =>
  visit({}, '#/acts', async (page, house) => {
    await page.until(ready);
    await page.click('#acts-latch button');
    await page.until(shows('#acts-problem', 'Write why'));
    check(house.orders.length === 0, 'not without a reason');
    await page.value(`{ document.querySelector('#acts-reason').value = 'smoke <b>in</b> the hall';
      document.querySelector('#acts-latch button').click(); }`);
    await page.until(sentence('The house cannot play.'));
    await page.value("location.hash = '#/appliance'");
    await page.until(shows('#state-ready', 'smoke <b>in</b> the hall'));
    check(/security officer.*inspector/s.test(await page.text('#state-ready')), 'who ends it');
  }));

await test('who only looks has no buttons, and who sees no tables is told so', () =>
  visit({}, '#/acts', async (page, house) => {
    await page.until(shows('#me', 'auditor'));
    check(await page.value(`['#acts-form', '#acts-latch'].every((one) =>
      document.querySelector(one).hidden)`), 'no forms');
    house.roles = ['lab'];
    house.forbidden = (path) => (path === '/v1/tables'
      ? { status_code: 403, status: 403, code: 'forbidden' } : undefined);
    await page.value("location.hash = '#/floor'");
    await page.until(shows('.board', 'does not show tables'));
    check(await page.value(ready), 'the house can play all the same');
  }, (house) => { house.roles = ['auditor']; }));

await test('the ticket has the link of the evidence in a QR code', () =>
  visit({}, '', async (page, house) => {
    const round = house.records.findLast((one) => one.kind === 'ROUND_OPEN');
    const settled = house.records.findLast((one) => one.kind === 'SETTLEMENT');
    await page.until(ready);
    await page.value(`location.hash = '#/round/${round.object}'`);
    await page.until(`document.querySelector('.ticket svg.qr path') !== null`);
    await page.value(`{ const base = document.querySelector('#ticket-base');
      base.value = 'https://casino.example:8445/else'; base.dispatchEvent(new Event('change'));
      const seat = document.querySelector('#ticket-seat'); seat.value = '3';
      seat.dispatchEvent(new Event('change')); }`);
    const link = await page.text('.ticket a');
    check(link === `https://casino.example:8445/web/verify.html?bundle=/bundles/${settled.seq}-` +
      `${'ab'.repeat(16)}&seat=3`, link);
    const seen = join(folder, 'ticket.png');
    writeFileSync(seen, await page.picture());
    const read = execFileSync('zbarimg', ['-q', '--raw', seen], { stdio: 'pipe' });
    check(String(read).trim() === link, `a reader of codes sees ${read}`);
    await page.value(`{ const base = document.querySelector('#ticket-base');
      base.value = 'javascript:alert(1)'; base.dispatchEvent(new Event('change')); }`);
    await page.until(shows('#round-ticket', 'Write the whole address'));
    check(await page.value(`document.querySelector('.ticket a') === null`), 'no link');
  }));

// ---- What came out

await test('a fair wheel is as expected, a crooked one says look and at what', () =>
  visit({}, '#/numbers/table-0', async (page, house) => {
    await page.until(shows('#numbers-view', 'as expected'));
    check((await page.text('#numbers-view')).includes('60 results'), 'counted');
    for (let i = 0; i < 25; i += 1) house.spin(house.tables_by_name.roulette, 8);
    await page.until(`document.querySelector('#numbers-choice').value = 'all'`);
    await page.value(`document.querySelector('#numbers-choice').dispatchEvent(
      new Event('change'))`);
    await page.until(shows('#numbers-view .pill.warn', 'look'));
    check(/^17 came \d+ times: many/m.test(await page.text('#numbers-view')), 'at what');
    check(await page.value(`document.querySelectorAll('.bars .sign').length`) === 1, 'a sign');
  }));

await test('dice are counted by their sums, a shoe by the ranks that were seen', () =>
  visit({ language: 'es' }, '', async (page, house) => {
    await page.until(sentence('Se puede jugar.'));
    const { dice, punto } = house.tables_by_name;
    await page.value(`location.hash = '#/numbers/${dice.id}'`);
    await page.until(shows('#numbers-view', 'Sumas de los dados'));
    check((await page.text('#numbers-view')).includes('como cabe esperar'), 'in words');
    check(await page.value(`document.querySelectorAll('.bars .bar').length`) === 11, '2 to 12');
    await page.value(`location.hash = '#/numbers/${punto.id}'`);
    await page.until(shows('#numbers-view', 'Se han visto 24 de 416 cartas'));
    check((await page.text('#numbers-view')).includes('aún son pocos'), 'too few to say');
  }));

// ---- Everybody

await test('by keyboard alone: past the menu, to a table, and back', () =>
  visit({}, '', async (page) => {
    await page.until(`${ready} && ${tiles(4)}`);
    await page.key('Tab');
    check(await page.value(`document.activeElement.className`) === 'skip', 'the first stop');
    const reached = [];
    for (let i = 0; i < 20; i += 1) {
      await page.key('Tab');
      reached.push(await page.value(`document.activeElement.className || document.activeElement.id
        || document.activeElement.getAttribute('href')`));
      const outlined = await page.value(`getComputedStyle(document.activeElement).outlineStyle`);
      check(outlined !== 'none', `${reached.at(-1)} is not outlined`);
      if (reached.at(-1) === 'tile') break;
    }
    check(reached.includes('#/log') && reached.includes('floor-search') &&
      reached.at(-1) === 'tile', reached.join());
    await page.key('Enter');
    await page.until("location.hash.startsWith('#/table/')");
    await page.until("document.activeElement.id === 'content'");
  }));

await test('the head stays where it is while one scrolls', () =>
  visit({ height: 400 }, '#/table/table-0', async (page) => {
    await page.until(`document.querySelectorAll('#table-rounds tbody tr').length > 10`);
    await page.value('scrollTo(0, 600)');
    await page.until('scrollY > 300');
    check(await page.value(`document.querySelector('#sentence').getBoundingClientRect().top >= 0`),
      'the first line is not seen');
  }));

await browser.stop();
console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
