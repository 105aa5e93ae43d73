// Goal: a ticket's round is settled again on the phone that opens it, and the verdict says so;
//   other payments are refused there; without engines, or with others, it says that nobody computed
//   it.
// Method: frozen bundles and lies, served with the engines to a real Chromium of 390 pixels as the
//   public listener serves them. Times are printed, never judged.
//   usage: settle_page_test.mjs FOLDER (of rngd/packaging/settle; Chromium)
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check, failures, test } from './harness.mjs';
import { Browser, chromium } from './browser.mjs';
import { House } from './house.mjs';
import { Pki } from './pki.mjs';
import { recordsOf, relinked, signedBundle } from './signed_log.mjs';

const [folder] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
if (!existsSync(join(folder, 'settle.wasm.gz'))) {
  console.log('LEFT OUT: the engines of the page were not built (TALLA_SETTLE)');
  process.exit(77);
}
if (chromium === undefined) {
  console.log('FAILED  no Chromium here: rngd/packaging/dependencies test installs it');
  process.exit(1);
}
const frozen = join(dirname(fileURLToPath(import.meta.url)), '..', 'unit', 'verify', 'frozen');
const read = (name) => readFileSync(join(frozen, name));
const roots = join(frozen, 'roots.pem');
const packed = readFileSync(join(folder, 'settle.wasm.gz'));
const digestScript = readFileSync(join(folder, 'digest.js'));
const DIGEST = /digest: '([0-9a-f]{64})'/.exec(digestScript)[1];
const path = `/bundles/7-${'ab'.repeat(16)}`;
const [MODULE, PINNED] = ['/web/settle/settle.wasm.gz', '/web/settle/digest.js'];
const phone = { width: 390, height: 800, language: 'es' };
const scratch = mkdtempSync(join(tmpdir(), 'settle-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const browser = await Browser.start();
/// Opens the ticket's link and gives the root. `files`: what is served besides, or otherwise; null:
/// not there.
async function visit({ look = phone, bundle, trusted = roots, files = {}, before = '' }, work) {
  const house = new House();
  const served = { [path]: bundle, [MODULE]: packed, [PINNED]: digestScript, ...files };
  house.files = Object.fromEntries(Object.entries(served).filter(([, one]) => one !== null));
  const asked = [];
  const serve = house.serve.bind(house);
  house.serve = (request, ...more) => {
    asked.push(request.url.split('?')[0]);
    return serve(request, ...more);
  };
  const base = await house.listen();
  const page = await browser.open(look);
  try {
    if (before !== '') await page.send('Page.addScriptToEvaluateOnNewDocument', { source: before });
    await page.go(`${base}/web/verify.html?bundle=${path}&seat=1`);
    await page.until("document.querySelector('#bundle-name').innerText !== ''");
    check(!asked.includes(MODULE), 'loaded before there is a root to believe');
    const begin = performance.now();
    await page.choose('#roots', trusted);
    await page.until("document.querySelector('#verdict .story, #verdict .bad') !== null");
    const time = performance.now() - begin;
    const said = await page.text('#verdict');
    check(!/undefined|null|\{\w+\}|\[object/.test(said), said);
    check(await page.excess() === 0, 'too wide');
    await work({ page, said, time, count: asked.filter((one) => one === MODULE).length });
    check(page.errors.length === 0, `the page threw: ${page.errors.join('\n')}`);
  } finally {
    await page.close();
    await house.stop();
  }
}
const AGAIN = { es: 'La liquidación se ha calculado de nuevo en este teléfono, con las reglas ' +
  'del juego: coincide.',
en: 'The settlement was computed again on this phone, by the rules of the game: alike.' };
const OPEN = 'No se calculó si estos resultados son los que dan las reglas del juego';
const STOPPED = 'Las reglas de los juegos no han funcionado en este navegador';

for (const name of ['coup', 'rounds', 'spin', 'with-confirmation', 'with-meter']) {
  for (const language of ['es', 'en']) {
    await test(`${name} is settled again on a phone, in ${language}`, async () => {
      let spent = 0;
      await visit({ look: { ...phone, language }, bundle: read(`${name}.talla`) },
        async ({ page, said, time, count }) => {
          spent = time;
          check(said.includes(AGAIN[language]), said);
          check(!said.includes('talla verify'), said);
          check(count === 1, `the engines were loaded ${count} times`);
          const details = await page.text('#details');
          check(details.includes(language === 'es' ? 'calculados aquí de nuevo: coinciden'
            : 'computed again here: alike'), details);
          await page.click('#details details summary');
          const all = await page.value("document.querySelector('#details').textContent");
          check(all.includes(language === 'es' ? 'las reglas del catálogo dan exactamente estas'
            : 'the rules of the catalogue give exactly these'), all);
          check(!/not computed again|no se calcularon de nuevo/.test(all), all);
          check(await page.text('#engines-digest') === DIGEST, 'the digest is not shown');
        });
      return `from root to verdict ${Math.round(spent)} ms`;
    });
  }
}

await test('a second look needs no second load', () =>
  visit({ bundle: read('spin.talla') }, async ({ page, said }) => {
    check(said.includes(AGAIN.es), said);
    const loads = () => page.value(
      `performance.getEntriesByType('resource').filter(({ name }) => /wasm/.test(name)).length`);
    check(await loads() === 1, 'loads');
    const begin = performance.now();
    await page.click('#form button[type=submit]');
    await page.until("document.querySelector('#verdict .story') !== null");
    check((await page.text('#verdict')).includes(AGAIN.es) && await loads() === 1, 'loaded again');
    return `${Math.round(performance.now() - begin)} ms`;
  }));

await test('what claims no settlement loads no engines', async () => {
  for (const name of ['draw', 'card', 'shoe', 'void', 'batch']) {
    await visit({ bundle: read(`${name}.talla`) }, async ({ said, count }) => {
      check(count === 0 && !said.includes('calculado de nuevo') && !said.includes(OPEN), said);
    });
  }
});

const pki = new Pki();
const otherRoots = join(scratch, 'roots.pem');
writeFileSync(otherRoots, pki.rootsPem);
/// A bundle of a liar with every key, who changes the settlement.
function told(name, change) {
  const bundle = JSON.parse(read(name));
  const records = recordsOf(bundle);
  change(records.find(({ seq }) => seq === bundle.claim).body);
  return signedBundle(bundle, relinked(records), pki);
}

await test('other payments are refused on the phone, with the record, the rule and what to do',
  async () => {
    for (const [name, change] of [
      ['coup.talla', ({ results: [one] }) => { one.returned += 5; }],
      ['spin.talla', ({ results: [one] }) => { one.returned += 1; }],
      ['spin.talla', ({ results }) => { results.pop(); }],
      ['rounds.talla', (body) => { body.state_after = `${'ab'.repeat(32)}`; }]]) {
      const bundle = told(name, change);
      await visit({ bundle, trusted: otherRoots }, async ({ page, said, count }) => {
        const { claim } = JSON.parse(bundle);
        check(said.includes(`con las reglas del juego: se rechaza en el asiento ${claim}.`), said);
        check(said.includes('NO VÁLIDA') && said.includes('enséñeselos al inspector'), said);
        check(count === 1 && await page.text('#details') === '', 'it shows what a lie says');
      });
      await visit({ bundle, trusted: otherRoots, files: { [MODULE]: null, [PINNED]: null } },
        async ({ said }) => check(said.includes(OPEN), `seen without engines: ${said}`));
    }
    await visit({ bundle: told('coup.talla', () => {}), trusted: otherRoots },
      async ({ said }) => check(said.includes(AGAIN.es), said));
  });

await test('without engines, or with others, it says that nobody computed it', async () => {
  const changed = Buffer.from(packed);
  changed[changed.length - 100] ^= 1;
  const bundle = read('coup.talla');
  for (const [what, terms, words] of [
    ['not built in', { files: { [MODULE]: null, [PINNED]: null } }, OPEN],
    ['a browser without WebAssembly', { before: 'delete globalThis.WebAssembly;' }, OPEN],
    ['another module', { files: { [MODULE]: changed } }, STOPPED],
    ['a longer one', { files: { [MODULE]: Buffer.concat([packed, Buffer.from('x')]) } }, STOPPED],
    ['a module that does not come', { files: { [MODULE]: null } }, STOPPED]]) {
    await visit({ bundle, ...terms }, async ({ page, said }) => {
      check(said.includes(words) && !said.includes(AGAIN.es), `${what}: ${said}`);
      check(await page.value("document.querySelector('#verdict .good') === null"), what);
      check((await page.text('#details')).includes('aquí no se vuelven a calcular'), what);
    });
  }
});

await browser.stop();
console.log(failures() === 0 ? 'all passed' : `${failures()} failed`);
process.exitCode = failures() === 0 ? 0 : 1;
