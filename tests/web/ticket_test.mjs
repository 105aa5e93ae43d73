// Goal: who opens the link of a ticket on a phone reads first, in one sentence of one language,
//   what happened and whether it is so; a wrong file or root gets a sentence that helps.
// Method: frozen bundles served to a real Chromium as the public listener serves them; the same
//   files, changed ones, photos and foreign roots chosen as a person does. usage: node
//   ticket_test.mjs (Chromium)
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check, failures, test } from './harness.mjs';
import { Browser, chromium } from './browser.mjs';
import { House } from './house.mjs';
import { Pki } from './pki.mjs';

if (chromium === undefined) {
  console.log('FAILED  no Chromium here: rngd/packaging/dependencies test installs it');
  process.exit(1);
}
const frozen = join(dirname(fileURLToPath(import.meta.url)), '..', 'unit', 'verify', 'frozen');
const read = (name) => readFileSync(join(frozen, name));
const folder = mkdtempSync(join(tmpdir(), 'ticket-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const roots = join(frozen, 'roots.pem');
const path = `/bundles/7-${'ab'.repeat(16)}`;
const phone = { width: 390, height: 800, language: 'es' };

const browser = await Browser.start();
async function visit(look, bundle, query, work) {
  const house = new House();
  house.files = bundle === null ? {} : { [path]: bundle };
  const base = await house.listen();
  const page = await browser.open(look);
  try {
    await page.go(`${base}/web/verify.html${query}`);
    await work(page, base, house);
    check(page.errors.length === 0, `the page threw: ${page.errors.join('\n')}`);
  } finally {
    await page.close();
    await house.stop();
  }
}
const shows = (text) =>
  `document.querySelector('#verdict').innerText.includes(${JSON.stringify(text)})`;
const link = (seat = '') => `?bundle=${path}${seat}`;

await test('a spin: round, table, the number on its pocket, what the seat lost, checked here', () =>
  visit(phone, read('spin.talla'), link('&seat=2'), async (page) => {
    await page.until(shows('Falta una cosa: el certificado raíz del casino'));
    await page.choose('#roots', roots);
    await page.until(shows('Comprobado en este teléfono'));
    const bundle = JSON.parse(read('spin.talla'));
    const records = bundle.records.map((one) => JSON.parse(one.record));
    const { pocket } = records.find((one) => one.kind === 'DRAW').body.outcome;
    const order = /id = "french-roulette"[^]*?pockets = \[([^\]]*)\]/.exec(bundle.catalogue)[1]
      .match(/\d+/g);
    const nets = records.find((one) => one.kind === 'SETTLEMENT').body.results
      .filter((one) => one.seat === 2).reduce((sum, one) => sum + one.returned - one.stake, 0);
    const amount = `${new Intl.NumberFormat('es').format(Math.abs(nets))}\u00a0pta`;
    const said = await page.text('#verdict .story');
    check(said.startsWith('Jugada 1, '), said);
    check(said.includes(`salió el ${order[pocket]}.`), `${order[pocket]}: ${said}`);
    check(said.includes(nets > 0 ? `Usted gana ${amount} netos.` : `Usted pierde ${amount}.`),
      said);
    check(!/[a-z] is |round|wheel|You /i.test(said), `not one language: ${said}`);
    check(await page.value(`document.querySelector('#verdict .story').getBoundingClientRect()
      .bottom < innerHeight`), 'it is not the first thing on the phone');
  }));

await test('the root is kept for the next ticket, known by its fingerprint, and can be forgotten',
  () => visit(phone, read('coup.talla'), link(), async (page, base) => {
    await page.until(shows('Falta una cosa'));
    check(await page.value("document.querySelector('#root-kept').hidden"), 'none is kept yet');
    await page.choose('#roots', roots);
    await page.until(shows('Comprobado en este'));
    await page.go(`${base}/web/verify.html${link()}`);
    await page.until(shows('Comprobado en este'));
    const { createHash, X509Certificate } = await import('node:crypto');
    const first = new X509Certificate(readFileSync(roots));
    const digest = createHash('sha256').update(first.raw).digest('hex').toUpperCase();
    check((await page.text('#root-fingerprint')).replace(/[^0-9A-F]/g, '').endsWith(digest),
      await page.text('#root-fingerprint'));
    await page.click('#root-forget');
    await page.go(`${base}/web/verify.html${link()}`);
    await page.until(shows('Falta una cosa'));
  }));

await test('without a seat each seat is told; a seat without a bet is told so', () =>
  visit({ ...phone, language: 'en' }, read('spin.talla'), link(), async (page, base) => {
    await page.until(shows('One thing is missing'));
    await page.choose('#roots', roots);
    await page.until(shows('Checked on this phone'));
    const said = await page.text('#verdict .story');
    check(/Seat 1 (wins|loses|neither) .*Seat 2 (wins|loses|neither) /s.test(said), said);
    await page.go(`${base}/web/verify.html${link('&seat=9')}`);
    await page.until(shows('Seat 9 had no bet in this round.'));
    await page.go(`${base}/web/verify.html${link('&seat=<b>1')}`);
    await page.until(shows('Seat 1 '));
  }));

await test('every frozen bundle is told in both languages, and no pocket is called a number by ' +
  'its place', async () => {
  for (const name of ['batch', 'card', 'coup', 'covered-again', 'draw', 'public-again', 'shoe',
    'spin', 'void', 'places']) {
    for (const language of ['es', 'en']) {
      await visit({ ...phone, language }, read(`${name}.talla`), link(), async (page) => {
        await page.until(shows(language === 'es' ? 'Falta una cosa' : 'One thing is missing'));
        await page.choose('#roots', roots);
        await page.until(shows(language === 'es' ? 'Comprobado en este' : 'Checked on this'));
        const said = await page.text('main');
        check(!/undefined|null|\{\w+\}|\[object/.test(said), `${name}: ${said}`);
        check(await page.excess() === 0,
          `${name} is wider than the phone`);
      });
    }
  }
});

for (const [what, slot, content, words] of [
  ['a photo', 'bundle', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'Eso es una foto'],
  ['a photo of a phone', 'bundle', Buffer.from('\0\0\0\x24ftypheic'), 'Eso es una foto'],
  ['a PDF', 'bundle', Buffer.from('%PDF-1.7'), 'Eso es un PDF'],
  ['an archive', 'bundle', Buffer.from('PK\x03\x04'), 'comprimido'],
  ['a saved page', 'bundle', Buffer.from('<!DOCTYPE html><html>'), 'una página guardada'],
  ['nothing', 'bundle', Buffer.from('  \n'), 'está vacío'],
  ['a root', 'bundle', readFileSync(roots), 'Va en el campo de la raíz'],
  ['a text', 'bundle', Buffer.from('hola'), 'no es un fichero de prueba'],
  ['evidence', 'roots', read('spin.talla'), 'La raíz es otro fichero'],
  ['a photo', 'roots', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'no es un certificado raíz'],
  ['a private key', 'roots', Buffer.from('-----BEGIN EC PRIVATE KEY-----'), 'clave privada'],
]) {
  await test(`${what} as ${slot} gets a sentence that helps`, () =>
    visit(phone, null, '', async (page) => {
      await page.choose(`#${slot}`, file('given', content));
      await page.until(shows(words));
      check(await page.text(`#${slot}-name`) === '', 'it is not taken');
    }));
}

await test('a root of another house is said to be that, and is not kept', () =>
  visit(phone, read('spin.talla'), link(), async (page) => {
    await page.until(shows('Falta una cosa'));
    await page.choose('#roots', file('other.pem', new Pki().rootsPem));
    await page.until(shows('no es de la casa de su certificado raíz'));
    check(await page.value("document.querySelector('#root-kept').hidden"), 'it was kept');
    await page.choose('#roots', roots);
    await page.until(shows('Comprobado en este'));
  }));

await test('a changed number, result or signature is no evidence, in one sentence', async () => {
  const text = String(read('spin.talla'));
  for (const [from, to] of [['\\"pocket\\":', '\\"pocket\\":1'],
    ['\\"returned\\":0', '\\"returned\\":9'], ['"checkpoint":"', '"checkpoint":"x']]) {
    check(text.includes(from), from);
    await visit(phone, text.replace(from, to), link(), async (page) => {
      await page.until(shows('Falta una cosa'));
      await page.choose('#roots', roots);
      await page.until(shows('NO VÁLIDA'));
      check(await page.value("document.querySelector('#details').innerText === ''"),
        'it shows what a lie says');
      check(/llame al inspector|otro registro/.test(await page.text('#verdict')), 'what to do');
    });
  }
});

await test('a link to another server, and one that leads nowhere, are told', async () => {
  await visit(phone, null, '?bundle=//else.example/x', (page) =>
    page.until(shows('no es de este servidor')));
  await visit(phone, null, link(), (page) => page.until(shows('No se pudo traer la prueba')));
});

await browser.stop();
console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
