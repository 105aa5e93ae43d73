// The page on a real appliance, in a real Chromium, by several people: what it shows is what the
// records say. Started by tests/e2e/floor_test.py: real_page.mjs FOLDER PORT, facts as JSON in
// FOLDER/facts.json.

import { readFileSync } from 'node:fs';

import { Browser } from './browser.mjs';
import { check, failures, test } from './harness.mjs';
import { proxy } from './proxy.mjs';

const [folder, port] = process.argv.slice(2);
const facts = JSON.parse(readFileSync(`${folder}/facts.json`, 'utf8'));
const browser = await Browser.start();
const shows = (selector, text) => `(document.querySelector(${JSON.stringify(selector)})?.innerText
  ?? '').includes(${JSON.stringify(text)})`;
const tile = (name) => `[...document.querySelectorAll('.tile')].find((one) =>
  one.querySelector('.sign').textContent === ${JSON.stringify(name)})`;

async function as(id, hash, work, look = { language: 'es' }) {
  const { server, base } = await proxy(folder, Number(port), id);
  const page = await browser.open(look);
  try {
    await page.go(`${base}/web/index.html${hash}`);
    await work(page, base);
    check(page.errors.length === 0, page.errors.join('\n'));
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

await test('the board shows the tables, and the numbers that the rounds had', () =>
  as('talla:auditor-1', '', async (page) => {
    await page.until(`${tile('Ruleta 1')} !== undefined && ${tile('Mesa 7')} !== undefined`);
    await page.until(shows('#me', 'talla:auditor-1: auditor'));
    await page.until(`${tile('Ruleta 1')}.querySelectorAll('.pocket:not(.unnamed)').length >= ${
      facts.numbers.length}`);
    const shown = await page.value(`[...${tile('Ruleta 1')}.querySelectorAll('.pocket')]
      .map((one) => one.textContent)`);
    check(shown.join() === facts.numbers.join(), `${shown}, not ${facts.numbers}`);
    check((await page.text('#sentence')).includes('solo para pruebas'), 'development is no play');
  }));

await test('a round shows its cards and money as recorded; its evidence verifies on a phone', () =>
  as('talla:inspector-1', `#/round/${facts.round}`, async (page) => {
    await page.until("document.querySelector('.ticket svg') !== null");
    const cards = await page.value(`[...document.querySelectorAll('#round-view .playing')]
      .map((one) => one.getAttribute('aria-label')).filter((one) => !one.includes('tapada'))`);
    check(cards.length === facts.cards, `${cards.length} cards, not ${facts.cards}`);
    const rows = await page.value(
      `document.querySelectorAll('#round-view tbody tr').length`);
    check(rows === facts.results, `${rows} results, not ${facts.results}`);
    await page.click('#round-view a.button');
    await page.until("(document.querySelector('#bundle-name')?.innerText ?? '') !== ''");
    await page.choose('#roots', `${folder}/ca.pem`);
    await page.until(shows('#verdict', 'Comprobado en este teléfono'));
    check((await page.text('#verdict')).includes('Mesa 7, Veintiuno o black jack: banca'),
      await page.text('#verdict'));
  }, { language: 'es', width: 390, height: 800 }));

await test('one person stops it on the page, two let it go on', async () => {
  await as('talla:operator-1', '#/acts', async (page) => {
    await page.until("!document.querySelector('#acts-latch').hidden");
    await page.value(`{ document.querySelector('#acts-reason').value = 'humo en la sala';
      document.querySelector('#acts-latch button').click(); }`);
    await page.until(shows('#sentence', 'No se puede jugar'));
    await page.value("location.hash = '#/appliance'");
    await page.until(shows('#state-ready', 'humo en la sala'));
  });
  await as('talla:officer-1', '#/acts', async (page) => {
    await page.until("!document.querySelector('#acts-form').hidden");
    await page.click('#acts-form button.strong');
    await page.until(shows('#acts-list', 'Lo pidió usted'));
  });
  await as('talla:inspector-1', '#/acts', async (page) => {
    await page.until("document.querySelector('#acts-list button.strong') !== null");
    await page.click('#acts-list button.strong');
    await page.until(shows('#acts-list', 'hecho'));
    await page.until(shows('#sentence', 'solo para pruebas'));
  });
});

await browser.stop();
process.exitCode = failures() === 0 ? 0 : 1;
