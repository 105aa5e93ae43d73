// What a player sees on a phone behind the code on the paper, and who watches the floor on a wide
// screen. Started by tests/e2e/three_people_test.py: three_people.mjs KEYS PORT PUBLIC_PORT FACTS.

import { readFileSync } from 'node:fs';

import { Browser } from './browser.mjs';
import { check, failures, test } from './harness.mjs';
import { proxy } from './proxy.mjs';

const [keys, port, publicPort, file] = process.argv.slice(2);
const facts = JSON.parse(readFileSync(file, 'utf8'));
const browser = await Browser.start();

async function visit(id, look, path, work) {
  const { server, base } = await proxy(keys, Number(id === null ? publicPort : port), id);
  const page = await browser.open(look);
  try {
    await page.go(`${base}${path}`);
    await work(page);
    check(page.errors.length === 0, page.errors.join('\n'));
    check(await page.excess() === 0,
      'wider than the screen');
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
const says = (text) =>
  `document.querySelector('#verdict').innerText.includes(${JSON.stringify(text)})`;

for (const [seat, net] of Object.entries(facts.nets)) {
  await test(`the player of seat ${seat} reads number and net amount first, checked there`, () =>
    visit(null, { width: 390, height: 800, language: 'es' },
          `${new URL(facts.link).pathname}${new URL(facts.link).search}&seat=${seat}`,
    async (page) => {
      await page.until(says('Falta una cosa: el certificado raíz del casino'));
      await page.choose('#roots', `${keys}/ca.pem`);
      await page.until(says('Comprobado en este teléfono'));
      const story = await page.value("document.querySelector('#verdict .story').innerText");
      check(story.startsWith('Jugada 1, Sala Goya/Mesa 7, '), story);
      check(story.includes(`salió el ${facts.number}.`), story);
      const told = `${net > 0 ? 'gana' : 'pierde'} .*\\b${Math.abs(net)}\\b`;
      const amount = new RegExp(`Usted ${net === 0 ? 'ni gana ni pierde' : told}`);  // zero: prison
      check(amount.test(story.replace(/[. ]/g, (one) => (one === '.' ? '' : ' '))), story);
    }));
}

await test('the floor on a wide screen says that the house can play, and finds the table by time',
  () => visit('talla:inspector-1', { width: 1280, height: 900, language: 'en' },
    `/web/index.html#/round/${facts.round}`, async (page) => {
      await page.until("document.querySelector('#round-view .pocket') !== null");
      const number = await page.value("document.querySelector('#round-view .pocket').textContent");
      check(number === facts.number, `${number}, not ${facts.number}`);
      check((await page.text('#round-view')).includes('Mesa 7'), 'the place');
      check((await page.text('#sentence')).length > 0, 'the first line');
    }));

await browser.stop();
process.exitCode = failures() === 0 ? 0 : 1;
