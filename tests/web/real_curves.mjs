// The curves of a real appliance in a real Chromium: a browser that was never there before shows
// what the appliance saw before its restart, with the gap; a second one shows the same. Started by
// tests/e2e/curves_test.py: real_curves.mjs FOLDER PORT NAME INTERVALS STRETCHES, of the monitor of
// that name as GET /v1/monitors/history tells it.

import { Browser } from './browser.mjs';
import { check, failures, test } from './harness.mjs';
import { proxy } from './proxy.mjs';

const [folder, port, name, intervals, stretches] = process.argv.slice(2);
const browser = await Browser.start();
const figure = `[...document.querySelectorAll('#laboratory figure')].find((one) =>
  one.querySelector('figcaption').textContent === ${JSON.stringify(name)})`;
const path = (kind) => `${figure}?.querySelector('svg[role=img] .${kind}.first')
  ?.getAttribute('d') ?? ''`;

/// What a browser of its own shows of the monitor's e-process: points of the line, pieces of it.
async function shown(id, language) {
  const { server, base } = await proxy(folder, Number(port), id);
  const page = await browser.open({ language });
  try {
    await page.go(`${base}/web/index.html#/appliance`);
    await page.until("document.querySelector('#state-view dl') !== null");
    await page.value("document.querySelector('#laboratory').open = true");
    await page.until(`((${path('line')}).match(/[ML]/g) ?? []).length >= ${intervals}`,
                     `${intervals} points`);
    const line = await page.value(path('line'));
    check(page.errors.length === 0, page.errors.join('\n'));
    return { line, kept: await page.text('#statistics-view [role=status]'),
      pieces: line.match(/M/g).length };
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

await test('a browser that comes new shows what was before the restart, with the gap', async () => {
  const { pieces, kept } = await shown('talla:auditor-1', 'en');
  check(pieces >= Number(stretches), `${pieces} pieces of a line, not ${stretches}`);
  check(kept.includes('The appliance keeps these curves'), kept);
});

await test('another one, whose reader reads Spanish, shows it too', async () => {
  const { pieces, kept } = await shown('talla:operator-1', 'es');
  check(pieces >= Number(stretches), `${pieces} pieces of a line, not ${stretches}`);
  check(kept.includes('Estas curvas las guarda el equipo'), kept);
});

await browser.stop();
process.exitCode = failures() === 0 ? 0 : 1;
