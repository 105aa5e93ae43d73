// Goal: every view looks as it did when somebody last looked at it, in both languages, on a desk
//   and on a phone; every text can be read (WCAG AA, 4.5:1, large ones 3:1), light and dark;
//   nothing moves for who wants no motion; nothing is wider than the screen.
// Method: screenshots in Chromium with one family of letters, made small and compared with those
//   in screens/; contrast from the computed colours of every text. usage: node screens_test.mjs
//   [--write] (writes screens/ anew: look at them) [--only=VIEW] [FOLDER for the full size]
//   [--engines=FOLDER of rngd/packaging/settle: without them what needs them is left out]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check, failures, test } from './harness.mjs';
import { Browser, chromium } from './browser.mjs';
import { House } from './house.mjs';
import { difference, read_png, small, write_png } from './image.mjs';
import { SeatHouse } from './seat_house.mjs';
import { watched } from './watched_house.mjs';

if (chromium === undefined) {
  console.log('FAILED  no Chromium here: rngd/packaging/dependencies test installs it');
  process.exit(1);
}
const here = dirname(fileURLToPath(import.meta.url));
const stored = join(here, 'screens');
const frozen = join(here, '..', 'unit', 'verify', 'frozen');
const anew = process.argv.includes('--write');
const only = process.argv.find((one) => one.startsWith('--only='))?.slice(7);
const engines = process.argv.find((one) => one.startsWith('--engines='))?.slice(10) ?? '';
const built = existsSync(join(engines, 'settle.wasm.gz')) && engines !== '';
const full = process.argv.slice(2).find((one) => !one.startsWith('--'));
const shrink = 4;
const step = 40;  // of 255, in the mean of a square
const share_max = 0.02;  // of the squares

const bundle = `/bundles/7-${'ab'.repeat(16)}`;
const ready = `document.querySelector('#sentence')?.classList.contains('good')`;
const has = (selector) => `document.querySelector('${selector}') !== null`;
const last = (house, kind) => house.records.findLast((one) => one.kind === kind).object;

/// The engines as the daemon serves them.
const served = () => Object.fromEntries(['settle.wasm.gz', 'digest.js'].map((name) =>
  [`/web/settle/${name}`, readFileSync(join(engines, name))]));
/// A ticket's evidence, its root given.
async function give_root(page) {
  await page.until(`document.querySelector('#bundle-name').innerText !== ''`);
  await page.choose('#roots', join(frozen, 'roots.pem'));
  await page.until(`document.querySelector('#verdict .story') !== null`);
  // The day on which the root was chosen is not the page's.
  await page.value(`document.querySelector('#root-words').textContent = ''`);
}
const choose = (page, id, value) => page.value(`(() => {
  const field = document.getElementById('${id}');
  field.value = '${value}';
  field.dispatchEvent(new Event('change'));
})()`);
const link = (house) => house.link().replace(/^.*\/web\//, '');
const joins = (house) => {
  house.batch();
  house.shoe();
};
/// Views of a player's phone: their house is another one.
const seats = ['contribute', 'contributed', 'invite'];
/// Views that need the engines.
const with_engines = ['play', 'settled', 'values'];

/// Each view: address, and what is there when it is whole.
const views = {
  floor: [() => 'index.html', `${ready} && document.querySelectorAll('.tile').length === 4 &&
    !/punto\\b(?! y| b)/.test(document.querySelector('.board').innerText.split('\\n')[4]) &&
    document.querySelectorAll('.pocket.red').length > 0`],
  table: [() => 'index.html#/table/table-0', `${ready} && ${has('#table-rounds .pocket.red')} &&
    document.querySelectorAll('#table-rounds tbody tr').length === 25`],
  round: [(house) => `index.html#/round/${last(house, 'ROUND_OPEN')}`,
    `${ready} && ${has('.ticket svg')}`],
  numbers: [() => 'index.html#/numbers/table-0', `${ready} && ${has('.bars .bar.red')}`],
  log: [() => 'index.html#/log', `${ready} &&
    document.querySelectorAll('#log-list li').length > 100 &&
    ['En vivo', 'Live'].includes(document.querySelector('#log-state').innerText)`],
  acts: [() => 'index.html#/acts', `${ready} && ${has('.act button')}`],
  appliance: [() => 'index.html#/appliance', `${ready} && ${has('#state-view dl')}`],
  returns: [() => 'index.html#/appliance', `${ready} && ${has('#state-view dl')}`, undefined,
    async (page) => {
      await page.until(`!document.querySelector('#returns-box')?.hidden`);
      await page.value(`document.querySelector('#returns-box').open = true`);
      await page.until(has('#returns-view table'));
    }],
  month: [() => 'index.html#/appliance', `${ready} && ${has('#state-view dl')}`, undefined,
    async (page) => {
      await page.until(`!document.querySelector('#month-box')?.hidden`);
      await page.value(`document.querySelector('#month-box').open = true`);
      await page.until(has('#month-view table'));
    }],
  curves: [() => 'index.html#/appliance', has('#laboratory svg[role=img] .line.first'), watched,
    async (page) => {
      await page.until(has('#state-view dl'));
      await page.value(`document.querySelector('#laboratory').open = true;
        for (const id of ['state-view', 'returns-box', 'month-box'])
          document.getElementById(id).style.display = 'none'`);
      await page.until(has('#curves-span'));
      await choose(page, 'curves-span', 'day');
      await page.until(`[...document.querySelectorAll(
        '#laboratory svg[role=img] .line.first')].every((one) =>
        one.getAttribute('d').length > 1200)`);
    }],
  catalogues: [() => 'index.html#/catalogues', `${ready} && ${has('#catalogues-view .choices')}`],
  stopped: [() => 'index.html#/appliance',
    `document.querySelector('#sentence').classList.contains('bad')`,
    (house) => house.order('/v1/generator/latch', { reason: 'humo en la sala' }, {})],
  verify: [() => `verify.html?bundle=${bundle}&seat=2`,
    `document.querySelector('#verdict .story') !== null`,
    (house) => { house.files = { [bundle]: readFileSync(join(frozen, 'spin.talla')) }; },
    give_root],
  settled: [() => `verify.html?bundle=${bundle}&seat=1`,
    `/nuevo en este|again on this|again in this/.test(
      document.querySelector('#verdict').innerText)`,
    (house) => {
      house.files = { ...served(), [bundle]: readFileSync(join(frozen, 'spin.talla')) };
    },
    async (page) => {
      await give_root(page);
      // Which engines they are changes with every rule.
      await page.value(`document.querySelector('#engines-digest').textContent = '00'.repeat(32)`);
    }],
  play: [() => 'play.html#es-1977/french-roulette',
    `${has('#settled .settlement')} && ${has('#odds td')}`,
    (house) => { house.files = served(); },
    async (page) => {
      await page.until(has('#game option'));
      await choose(page, 'bet-kind', 'rojo');
      await choose(page, 'bet-amount', '20');
      await page.click('#place');
      await page.click('#close');
      await choose(page, 'due-1', '3');
      await page.click('#give');
    }],
  values: [() => 'play.html#es-euskadi-2010/punto-banco', has('#odds td'),
    (house) => { house.files = served(); },
    async (page) => {
      await page.until(has('#parameters input[type=range]'));
      await page.value(`document.querySelector('#parameters-box').open = true`);
      await choose(page, 'set-commission', '10');
      await page.until(has('#set-back'));
    }],
  contribute: [link, `document.querySelector('#join:not([hidden])') !== null`, joins],
  contributed: [link, `document.querySelector('#ends .good, #ends .warn') !== null &&
      /Comprobado|Verified/.test(document.querySelector('#ends').innerText)`, joins,
    async (page, house) => {
      await page.until(`document.querySelector('#join:not([hidden])') !== null`);
      await page.click('#join');
      await page.until(`document.querySelector('#join').hidden`);
      for (let i = 0; i < 400 && ![...house.panel.values()].some(({ key }) => key); ++i) {
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
      house.call('mix');
    }],
  invite: [(house) => `invite.html#${house.link()}`, has('#code'), joins,
    async (page) => {
      await page.until(has('#code svg'));
      // The token of a seat, and so its code, is another one each time.
      await page.value(`document.querySelector('#code path').remove()`);
    }],
};

/// Every text whose contrast with what is behind it is too low.
const pale = `(() => {
  const parse = (colour) => {
    const [r, g, b, a = 1] = (colour.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return { r, g, b, a };
  };
  const over = (top, under) => ({ a: 1, r: top.r * top.a + under.r * (1 - top.a),
    g: top.g * top.a + under.g * (1 - top.a), b: top.b * top.a + under.b * (1 - top.a) });
  const behind = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) {
      layers.push(parse(getComputedStyle(one).backgroundColor));
      if (layers.at(-1).a === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255 });
  };
  const light = ({ r, g, b }) => [r, g, b].map((one) => one / 255).map((one) =>
    (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (text.data.trim() === '' || !node.checkVisibility() || node.closest('option')) continue;
    const look = getComputedStyle(node);
    const ground = behind(node);
    const ink = over(parse(node.closest('svg') ? look.fill : look.color), ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(look.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(look.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(ratio.toFixed(2) + ' ' + node.className + ' ' +
      text.data.trim().slice(0, 40));
  }
  return found;
})()`;

const browser = await Browser.start();

async function look_at(name, look, work) {
  const [address, whole, prepare, act] = views[name];
  const house = seats.includes(name) ? await new SeatHouse().listen() : new House().evening();
  if (house instanceof House) {
    house.crawling = true;
    house.acts.push({ id: 'act-9', act: 'latch-reset', state: 'asked', asked: house.time,
      asked_by: 'talla:officer-1', expires: house.time + 6e8 });
  }
  prepare?.(house);
  const base = house instanceof House ? await house.listen() : house.base;
  const page = await browser.open(look);
  try {
    await page.go(`${base}/web/${address(house)}`);
    if (act) await act(page, house);
    await page.until(whole, `${name} is whole`);
    await work(page);
  } finally {
    await page.close();
    await house.stop();
  }
}

async function compare(name, page) {
  const bytes = await page.picture();
  if (full) writeFileSync(join(full, `${name}.png`), bytes);
  const now = small(read_png(bytes), shrink);
  const path = join(stored, `${name}.png`);
  if (anew) {
    mkdirSync(stored, { recursive: true });
    writeFileSync(path, write_png(now));
    return 'written';
  }
  check(existsSync(path), `no picture is stored: look at it, then --write`);
  const share = difference(now, read_png(readFileSync(path)), step);
  check(share <= share_max, `${(share * 100).toFixed(1)} % differ from ${path}`);
  return `${(share * 100).toFixed(2)} % differ`;
}

if (full) mkdirSync(full, { recursive: true });
for (const name of Object.keys(views).filter((one) => only === undefined || one === only)) {
  if (with_engines.includes(name) && !built) {
    console.log(`LEFT OUT ${name}: the engines of the page were not built (TALLA_SETTLE)`);
    continue;
  }
  for (const language of ['es', 'en']) for (const width of [1280, 390]) {
    await test(`${name}, ${language}, ${width}`, () =>
      look_at(name, { width, height: 800, language }, async (page) => {
        const said = await compare(`${name}-${language}-${width}`, page);
        const wide = await page.excess();
        check(wide === 0, `${wide} pixels wider than the screen`);
        return said;
      }));
  }
  for (const dark of [false, true]) {
    await test(`${name} can be read, ${dark ? 'dark' : 'light'}, and rests`, () =>
      look_at(name, { width: 390, height: 800, language: 'es', dark }, async (page) => {
        const found = await page.value(pale);
        check(found.length === 0, found.join('\n'));
        const moving = await page.value(`document.getAnimations().length +
          [...document.querySelectorAll('*')].filter((one) => {
            const look = getComputedStyle(one);
            return look.transitionDuration !== '0s' || look.scrollBehavior !== 'auto';
          }).length`);
        check(moving === 0, `${moving} things move`);
        if (full) {
          writeFileSync(join(full, `${name}-${dark ? 'dark' : 'light'}.png`),
                        await page.picture());
        }
      }));
  }
}
await browser.stop();
console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
