// Goal: the playground plays every game of the catalogues as `talla settle` does, by what is chosen
//   and by chance, says the rule of each settlement, works out the odds that `talla odds` gives
//   without an appliance, and is used by a person on a phone in both languages.
// Method: in node a round of every game with bets that its rules take, the rest by chance, each
//   round given to `talla settle`; odds of a game of each kind (TALLA_LONG=1: of all) against
//   `talla odds`; in a real Chromium of 390 pixels a spin and a blackjack by hand, every game
//   opened, odds while another game is chosen, and no engines. Times are printed, never judged.
//   usage: play_test.mjs FOLDER TALLA (FOLDER: of rngd/packaging/settle; Chromium)
import { spawnSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { check, failures, test } from './harness.mjs';
import { Browser, chromium } from './browser.mjs';
import { House } from './house.mjs';

globalThis.crypto ??= webcrypto;
const [folder, talla] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
if (!existsSync(join(folder, 'settle.wasm.gz'))) {
  console.log('LEFT OUT: the engines of the page were not built (TALLA_SETTLE)');
  process.exit(77);
}
if (chromium === undefined) {
  console.log('FAILED  no Chromium here: rngd/packaging/dependencies test installs it');
  process.exit(1);
}
const { MODULE } = await import(pathToFileURL(join(folder, 'digest.js')));
const { enginesOf } = await import('../../rngd/web/settle/settle.js');
const { Round, below, placesOf, ruleWords } = await import('../../rngd/web/play/round.js');
const { WORDS } = await import('../../rngd/web/play/words.js');
const { fractionAt, settable, stepOf } = await import('../../rngd/web/play/parameters.js');

const GAMES_LEAST = 69;
const MIN = 5;
const DECISIONS_MAX = 25;
const packed = readFileSync(join(folder, 'settle.wasm.gz'));
const engines = await enginesOf(packed, MODULE);

const games = engines.listGames('', 'en').catalogues
  .flatMap((id) => engines.listGames(id, 'en').games.filter((one) => one.served));

/// A bet that the rules take, of those that the game has; false where they take none now.
function staked(round, { game }, seat) {
  return game.bets.some((bet) => [1, 2, 4, 20].some((times) => {
    const on = placesOf(bet)[0] ??
      (bet.on === 'numbers' ? Array.from({ length: 15 }, (_, i) => i + 1) : null);
    return round.stake({ kind: bet.id, on, seat, amount: MIN * times }) === null;
  }));
}

/// One choice of those that are open, by chance; false where the rules take none of them.
function decided(round) {
  const open = round.needs.filter(({ need }) => need === 'decide');
  for (const { seat, choices } of open) {
    const from = below(choices.length);
    for (let i = 0; i < choices.length; ++i) {
      const { do: action, bet, min = 0, max = 0, places = [], cards_min: least = 0 } =
        choices[(from + i) % choices.length];
      const act = { seat, do: action, ...(bet === undefined ? {} : { bet }),
        ...(max > 0 ? { amount: min } : {}),
        ...(places.length > 0 ? { cards: places.slice(0, least) } : {}) };
      if (round.take({ act }) === null) return true;
    }
    if (round.take({ timeout: { seat } }) === null) return true;
  }
  return false;
}

/// Plays until something is settled, or nothing that this knows goes on.
function played(round, described) {
  for (let i = 0; i < DECISIONS_MAX && round.outcome.settlements.length === 0; ++i) {
    const refusal = round.giveAll();
    // A card may come that a bet of monte has named as not lying there: another one comes.
    check(refusal === null || refusal.code === 'bet_not_offered',
      `by chance: ${JSON.stringify(refusal)}`);
    if (round.outcome.settlements.length > 0) break;
    if (round.needs.some(({ need }) => need === 'confirm')) {
      check(round.take({ confirm: true }) === null, 'not confirmed');
    } else if (round.needs.some(({ need, required }) => need === 'decide' && required)) {
      if (!decided(round)) break;
    } else {
      const any = [1, 2, 3].map((seat) => staked(round, described, seat)).includes(true);
      if (round.take({ close: true }) !== null && !any && !decided(round)) break;
    }
  }
}

const sorted = (value) => JSON.stringify(value, (_, one) =>
  (one !== null && typeof one === 'object' && !Array.isArray(one)
    ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));

await test('every game opens, is played, and settles as talla settle does', async () => {
  check(games.length >= GAMES_LEAST, `${games.length} games`);
  const rounds = [];
  const open = [];
  for (const { catalogue, game } of games) {
    for (const language of [rounds.length % 2 === 0 ? 'en' : 'es']) {
      const described = engines.describeGame(catalogue, game, language);
      const round = new Round(engines,
        { catalogue, game, currency: described.currency, base: described.base, min: MIN },
        language);
      check(round.refusal === null, `${game} of ${catalogue}: ${JSON.stringify(round.refusal)}`);
      played(round, described);
      check(round.refusal === null, `${game}: ${JSON.stringify(round.refusal)}`);
      if (round.outcome.settlements.length === 0) open.push(`${catalogue} ${game}`);
      for (const one of round.outcome.settlements) {
        check(one.rule !== '' && ruleWords(described.rules, one) !== '',
          `${game}: no words for ${one.rule} of ${one.kind}`);
      }
      rounds.push(round);
    }
  }
  const text = rounds.map((round) => JSON.stringify(round.scenario)).join('\n');
  const { stdout } = spawnSync(talla, ['--json', 'settle', '-'],
    { input: text, encoding: 'utf8', maxBuffer: 1 << 28 });
  const theirs = [];
  let settlements = [];
  for (const line of stdout.trim().split('\n').map((one) => JSON.parse(one))) {
    if (line.file === undefined) settlements.push(line);
    else {
      theirs.push(settlements);
      settlements = [];
    }
  }
  check(theirs.length === rounds.length, `${theirs.length} of ${rounds.length}`);
  rounds.forEach((round, i) => check(sorted(round.outcome.settlements) === sorted(theirs[i]),
    `${JSON.stringify(round.scenario)}: ${sorted(theirs[i])}`));
  const settled = rounds.length - open.length;
  check(settled * 10 >= rounds.length * 6, `not settled: ${open}`);
  return `${games.length} games, ${settled} of ${rounds.length} rounds came to a settlement`;
});

await test('chance favours nothing, and a card comes as often as the shoe has it', async () => {
  const counts = Array(6).fill(0);
  for (let i = 0; i < 60_000; ++i) counts[below(6)] += 1;
  // Six standard deviations of a binomial count.
  const far = 6 * Math.sqrt(60_000 * (1 / 6) * (5 / 6));
  check(counts.every((one) => Math.abs(one - 10_000) < far), `${counts}`);
  const round = new Round(engines, { catalogue: 'es-euskadi-2010', game: 'trijoker',
    currency: 'EUR', base: '', min: MIN }, 'en');
  check(round.deck.length === 52, `${round.deck.length} cards`);
  round.acts = round.deck.slice(1).map((card) => ({ card }));
  check(round.left.length === 1 && round.left[0] === round.deck[0], `${round.left}`);
});

await test('what the rules refuse changes nothing', async () => {
  const round = new Round(engines, { catalogue: 'es-1977', game: 'french-roulette',
    currency: 'ESP', base: '', min: MIN }, 'en');
  for (const terms of [{ kind: 'rojo', on: null, seat: 1, amount: 1 },
    { kind: 'no-such-bet', on: null, seat: 1, amount: MIN },
    { kind: 'pleno', on: [37], seat: 1, amount: MIN }]) {
    const refusal = round.stake(terms);
    check(refusal !== null && refusal.detail !== '', JSON.stringify(terms));
    check(round.acts.length === 0 && round.refusal === null, 'it stays');
  }
});

await test('both languages have the same words, with the same places to fill in', async () => {
  const filled = (text) => [...text.matchAll(/\{\w+\}/g)].map(([one]) => one).sort().join();
  check(Object.keys(WORDS.en).join() === Object.keys(WORDS.es).join(), 'other words');
  for (const key of Object.keys(WORDS.en)) {
    check(filled(WORDS.en[key]) === filled(WORDS.es[key]), key);
  }
});

/// One of each kind that is worked out otherwise, and one that has none.
const oddsOf = process.env.TALLA_LONG === '1' ? games : games.filter(({ catalogue, game }) =>
  ['es-1977/french-roulette', 'es-1977/craps', 'es-1977/blackjack', 'es-1977/punto-banco',
    'es-1977/chemin-de-fer', 'es-1977/trente-et-quarante', 'es-valencia-2003/monte',
    'es-euskadi-2010/trijoker', 'es-euskadi-2010/texas-holdem-house',
    'es-aragon-2010/american-roulette-double-zero', 'es-euskadi-2010/circle-omaha']
    .includes(`${catalogue}/${game}`));

/// A value of a parameter that is not its default.
const otherValue = (rule) => rule.allowed?.find((one) => String(one) !== String(rule.default)) ??
  (rule.type === 'bool' ? !rule.default
    : rule.max === undefined || String(rule.max) === String(rule.default) ? rule.min : rule.max);

await test('at other values the odds are those of talla odds with the same ones', () => {
  let asked = 0;
  let moved = 0;
  for (const [catalogue, game] of [['es-1977', 'french-roulette'], ['es-valencia-2003', 'craps'],
    ['es-euskadi-2010', 'punto-banco']]) {
    const own = sorted(engines.gameOdds(catalogue, game));
    for (const rule of settable(engines.describeGame(catalogue, game, 'en').game)) {
      const value = otherValue(rule);
      const integer = rule.type === 'integer' ? Number(value) : value;
      const ours = engines.gameOdds(catalogue, game, { [rule.id]: integer });
      const { stdout } = spawnSync(talla, ['--json', 'odds', catalogue, game, '--param',
        `${rule.id}=${value}`], { encoding: 'utf8' });
      const lines = stdout.trim().split('\n').map((line) => JSON.parse(line));
      asked += 1;
      if (ours.refused !== undefined) {
        check(lines[0].error === ours.refused.code, `${rule.id}=${value}: ${stdout}`);
        continue;
      }
      check(sorted([...ours.bets, ...ours.others]) === sorted(lines), `${rule.id}: ${stdout}`);
      moved += sorted(ours) === own ? 0 : 1;
    }
  }
  check(asked >= 25 && moved >= 6, `${asked} asked, ${moved} change the odds`);
  check(engines.gameOdds('es-1977', 'craps', { nonsense: 1 }).refused.code === 'parameter_unknown',
    'a parameter that there is not');
  return `${asked} values, ${moved} change the odds`;
});

await test('a slider between two fractions stands on exact ones, its ends among them', () => {
  for (const [min, max] of [['1', '3'], ['1/20', '1/5'], ['0', '1/2'], ['-1', '1']]) {
    const all = Array.from({ length: 21 }, (_, step) => fractionAt(min, max, step));
    check(all[0] === min && all[20] === max, all.join(' '));
    check(all.every((one, step) => stepOf(min, max, one) === step), all.join(' '));
  }
  check(fractionAt('1', '3', 1) === '11/10' && fractionAt('1/20', '1/5', 10) === '1/8', 'between');
  check(stepOf('0', '1/20', '5%') === 20 && fractionAt('0', '1/20', 10) === '1/40', 'per cent');
  check(stepOf('1', '3', '1001/1000') === 0 && stepOf('1', '1', '1') === 0, 'the nearest');
});

await test('the odds are those of talla odds, worked out without an appliance', () => {
  const times = [];
  check(oddsOf.length >= 11, `${oddsOf.length} games`);
  for (const { catalogue, game } of oddsOf) {
    const begin = performance.now();
    const ours = engines.gameOdds(catalogue, game);
    times.push([performance.now() - begin, `${catalogue} ${game}`]);
    const { base } = engines.describeGame(catalogue, game);
    const { stdout } = spawnSync(talla, ['--json', 'odds', catalogue, game,
      ...(base === '' ? [] : ['--param', `base=${base}`])], { encoding: 'utf8' });
    const lines = stdout.trim().split('\n').map((line) => JSON.parse(line));
    if (ours.refused !== undefined) {
      check(lines.length === 1 && lines[0].error === ours.refused.code,
        `${game}: ${JSON.stringify(ours)}, ${stdout}`);
      continue;
    }
    check(sorted([...ours.bets, ...ours.others]) === sorted(lines), `${game}: ${stdout}`);
    const plays = ours.bets.flatMap((one) => one.play ?? []);
    check(plays.every((one) => ours.plays[one].en !== '' && ours.plays[one].es !== ''), game);
  }
  for (const text of [['es-1977', 'no-such-game'], ['no-such-one', 'craps'], ['', '']]) {
    check(engines.gameOdds(...text).refused !== undefined, text.join());
  }
  const [[most, name]] = times.sort(([a], [b]) => b - a);
  return `${times.length} games, the longest ${Math.round(most)} ms (${name})`;
});

const browser = await Browser.start();
async function visit(look, files, work, link = '') {
  const house = new House();
  house.files = files;
  const base = await house.listen();
  const page = await browser.open({ width: 390, height: 800, ...look });
  try {
    await page.go(`${base}/web/play.html${link}`);
    await work(page);
    check(await page.excess() === 0, 'too wide');
    check(!/undefined|null|\{\w+\}|\[object/.test(await page.text('main')),
      await page.text('main'));
    check(page.errors.length === 0, `the page threw: ${page.errors.join('\n')}`);
  } finally {
    await page.close();
    await house.stop();
  }
}
const served = { '/web/settle/settle.wasm.gz': packed,
  '/web/settle/digest.js': readFileSync(join(folder, 'digest.js')) };
const choose = (page, id, value) => page.value(`(() => {
  const field = document.getElementById(${JSON.stringify(id)});
  field.value = ${JSON.stringify(value)};
  field.dispatchEvent(new Event('change'));
  return field.value;
})()`);
const loaded = "document.querySelector('#game option') !== null";
const settled = "document.querySelector('#settled .settlement') !== null";

for (const [language, words] of [
  ['es', ['Color rojo: gana, puesta 20, devuelto 40 ESP', 'paga 1 por 1', 'Rojo', '1,3514 %']],
  ['en', [': wins, staked 20, returned 40 ESP', 'pays 1 to 1', 'Red', '1.3514 %']]]) {
  await test(`a spin by hand on a phone, in ${language}`, () =>
    visit({ language }, served, async (page) => {
      await page.until(loaded);
      await choose(page, 'bet-kind', 'rojo');
      await choose(page, 'bet-amount', '20');
      await page.click('#place');
      await page.click('#close');
      await choose(page, 'due-1', '3');
      await page.click('#give');
      await page.until(settled);
      const said = await page.text('#settled');
      check(said.includes(words[0].split(': ')[1]) && said.includes('01 IV.1.B.a'), said);
      check(said.includes(words[1]), said);
      await page.until(`document.querySelector('#odds').innerText.includes('${words[3]}')`);
      await page.click('#undo');
      check(await page.value(`!(${settled})`), 'a step back leaves the settlement');
      await page.click('#chance');
      await page.until(settled);
      await page.click('#again');
      check(await page.value("document.querySelector('#table').innerText === ''"), 'a new table');
    }));
}

await test('a blackjack by hand and by chance, decided by the player; language in the middle', () =>
  visit({ language: 'es' }, served, async (page) => {
    await page.until(loaded);
    await choose(page, 'game', 'blackjack');
    await page.click('#place');
    await page.click('#close');
    for (let i = 0; i < 5; ++i) await page.click('#chance');  // burned
    for (const card of ['TH', '9D', '8S']) {
      await choose(page, 'due-1', card);
      await page.click('#give');
    }
    await page.until("document.querySelector('[data-action=stand]') !== null");
    await page.click('[data-language=en]');
    await page.until("document.querySelector('#controls').innerText.includes('decides')");
    await page.click('[data-action=stand]');
    await page.click('#all');
    await page.until(settled);
    check(/staked 5, returned \d+ ESP/.test(await page.text('#settled')),
      await page.text('#settled'));
    const scenario = JSON.parse(await page.value(
      "document.querySelector('#scenario').textContent"));
    check(scenario.game === 'blackjack' && scenario.steps[0].cards.length >= 9, 'scenario');
  }));

const chosen = (page) => page.value(
  "['catalogue', 'game'].map((id) => document.getElementById(id).value).join('/')");

await test('a link opens its game; one that means nothing opens the first', async () => {
  const opened = async (link) => {
    let said = '';
    await visit({ language: 'es' }, served, async (page) => {
      await page.until(loaded);
      said = await chosen(page);
    }, link);
    return said;
  };
  check(await opened('#es-euskadi-2010/trijoker') === 'es-euskadi-2010/trijoker', 'trijoker');
  const [first] = games;
  for (const link of ['', '#', '#x/y', `#${first.catalogue}/<b>`, '#%', '#/trijoker']) {
    check(await opened(link) === `${first.catalogue}/${first.game}`, link);
  }
  await visit({ language: 'en' }, served, async (page) => {
    await page.until(loaded);
    await choose(page, 'game', 'boule');
    await page.value("location.hash = '#es-valencia-2003/craps'");
    await page.until("document.getElementById('game').value === 'craps'");
    check(await chosen(page) === 'es-valencia-2003/craps', await chosen(page));
    await choose(page, 'game', 'boule');
    check(await page.value('location.hash') === '#es-valencia-2003/boule', 'the address');
  });
});

await test('a bet that the rules refuse is told with the reason', () =>
  visit({ language: 'es' }, served, async (page) => {
    await page.until(loaded);
    await choose(page, 'bet-amount', '1');
    await page.click('#place');
    check((await page.text('#refusal')).startsWith('Las reglas lo rechazan: '),
      await page.text('#refusal'));
    check(await page.value("document.querySelector('#table').innerText === ''"), 'it lies there');
  }));

const odds = (text) => `document.querySelector('#odds').innerText.includes('${text}')`;

await test('odds are worked out beside the page; of the game that is chosen, whatever went before',
  () => visit({ language: 'en' }, served, async (page) => {
    await page.until(loaded);
    await page.until(odds('1.3514 %'));  // of rojo
    for (const link of ['es-valencia-2003/monte', 'es-1977/blackjack', 'es-1977/craps']) {
      await page.value(`location.hash = '#${link}'`);
      await page.until(`document.getElementById('game').value === '${link.split('/')[1]}'`);
    }
    check(!(await page.value(odds('1.3514 %'))), 'odds of another game');
    await page.until(odds('1.4141 %'));  // 7/495, of the line at craps
    check(!/monte|Blackjack|Black jack/i.test(await page.text('#odds')), await page.text('#odds'));
    await page.value("location.hash = '#es-euskadi-2010/circle-omaha'");
    await page.until(odds('This game has none'));
    await page.value("location.hash = '#es-1977/craps'");
    await page.until(odds('1.4141 %'));
  }));

await test('what a table may choose is said in the reader\'s words, not in codes', async () => {
  for (const [language, words, own] of [
    ['en', 'half is taken back', '(the catalogue: it stays in prison)'],
    ['es', 'retira la mitad', '(el catálogo: se queda en prisión)']]) {
    await visit({ language }, served, async (page) => {
      await page.until(loaded);
      await choose(page, 'catalogue', 'es-1977');
      await choose(page, 'game', 'french-roulette');
      await page.value("document.querySelector('#parameters-box').open = true");
      await page.until("document.querySelector('#set-zero_silent_choice') !== null");
      const offered = await page.value(`[...document.querySelectorAll('#parameters option')]
        .map((one) => one.textContent)`);
      check(offered.length > 10 && offered.includes(words), offered.join('; '));
      const codes = offered.filter((one) => /^[a-z]+([_-][a-z]+)+$/.test(one));
      check(codes.length === 0, codes.join('; '));
      const place = await page.value(`[...document.querySelectorAll(
        '#set-zero_silent_choice option')]
        .find((one) => one.textContent === ${JSON.stringify(words)}).value`);
      await choose(page, 'set-zero_silent_choice', place);
      await page.until(`document.querySelector('#parameters').innerText.includes(
        ${JSON.stringify(own)})`);
    });
  }
});

await test('another value is another table with other odds, by mouse or keyboard', () =>
  visit({ language: 'en' }, served, async (page) => {
    await page.until(loaded);
    await choose(page, 'catalogue', 'es-euskadi-2010');
    await choose(page, 'game', 'punto-banco');
    await page.until(odds('1.0558 %'));  // banca, less five per cent
    await page.value("document.querySelector('#parameters-box').open = true");
    await choose(page, 'set-no_commission', '0');
    await page.until(`!(${odds('1.0558 %')}) && ${odds('1.4548 %')}`);
    check((await page.text('#parameters')).includes('(the catalogue: no)'),
      await page.text('#parameters'));
    const scenario = "JSON.parse(document.querySelector('#scenario').textContent)";
    check(await page.value(`${scenario}.table.params.no_commission`) === true, 'the table');
    check(await page.value("document.querySelector('#odds .bad') === null"), 'a warning');
    await page.click('#set-back');
    await page.until(odds('1.0558 %'));
    await choose(page, 'set-commission', '10');
    await page.until(odds('the house loses: Banca'));
    await page.click('#set-back');
    await page.until(`!(${odds('the house loses')}) && ${odds('1.0558 %')}`);
    check(await page.value(`${scenario}.table.params === undefined`), 'as in the catalogue');
    // A slider is moved by a key, says where it stands, and keeps the focus on the new table.
    const slider = "document.querySelector('#parameters input[type=range]')";
    const before = await page.value(`${slider}.value`);
    await page.value(`${slider}.focus()`);
    await page.value(`${slider}.stepUp()`);
    await page.value(`['input', 'change'].forEach((one) =>
      ${slider}.dispatchEvent(new Event(one)))`);
    await page.until(`Object.keys(${scenario}.table.params ?? {}).length === 1`);
    check(await page.value(`${slider}.value`) !== before, 'it went back');
    check(await page.value(`document.activeElement === ${slider}`), 'the focus');
    await page.click('[data-language=es]');
    await page.until("document.querySelector('#parameters').innerText.includes('el catálogo')");
  }));

await test('a browser that works no odds out says so, and the game goes on', () =>
  visit({ language: 'es' }, { ...served, '/web/play/odds_worker.js': 'import "./none.js";' },
    async (page) => {
      await page.until(loaded);
      await page.until(odds('no ha podido calcularlas'));
      await page.click('#place');
      check((await page.text('#table')).includes('Puesto 1') ||
        (await page.text('#table')).includes('puesto 1'), await page.text('#table'));
    }));

await test('every game opens on a phone', () =>
  visit({ language: 'es' }, served, async (page) => {
    await page.until(loaded);
    for (const { catalogue, game } of games) {
      if (await page.value("document.querySelector('#catalogue').value") !== catalogue) {
        await choose(page, 'catalogue', catalogue);
      }
      check(await choose(page, 'game', game) === game, `${game} is not there`);
      check(await page.value(`document.querySelector('#refusal').hidden &&
        document.querySelector('#controls').children.length > 0 &&
        document.querySelector('#rules li') !== null`) && await page.excess() === 0,
      `${catalogue}, ${game}`);
    }
    return `${games.length} games`;
  }));

await test('without engines, or with others, the page says so', async () => {
  await visit({ language: 'es' }, {}, (page) =>
    page.until("document.querySelector('#state').innerText.includes('no lleva las reglas')"));
  const changed = Buffer.from(packed);
  changed[1000] ^= 1;
  await visit({ language: 'en' }, { ...served, '/web/settle/settle.wasm.gz': changed }, (page) =>
    page.until("document.querySelector('#state').innerText.includes('did not come')"));
});

await browser.stop();
console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
