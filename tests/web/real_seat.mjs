// A seat's phone at a real appliance, in a real Chromium: takes part by a link until its input
// ends, and tells what the page says, one JSON object a line. A line `again` opens the page anew,
// one with an id presses what has it. Started by tests/e2e/invited_test.py: real_seat.mjs FOLDER
// PUBLIC_PORT LINK LANGUAGE.
import { Browser } from './browser.mjs';
import { proxy } from './proxy.mjs';

const [folder, port, link, language] = process.argv.slice(2);
const { server, base } = await proxy(folder, Number(port), null);
const browser = await Browser.start();
const page = await browser.open({ width: 390, height: 800, language });
const say = (what) => console.log(JSON.stringify(what));
let over = false;
const orders = [];
process.stdin.on('data', (text) => orders.push(...`${text}`.trim().split('\n')));
process.stdin.on('end', () => { over = true; });

await page.go(link.replace(/^https:\/\/[^/]+/, base));
await page.until("!document.querySelector('#join').hidden");
await page.click('#join');
for (let before = ''; !over;) {
  const order = orders.shift();  // of each line
  if (order === 'again') {
    await page.go('about:blank');
    await page.go(link.replace(/^https:\/\/[^/]+/, base));
  } else if (order !== undefined) {
    await page.click(`#${order}`);
  }
  const now = await page.value(`({ status: document.querySelector('#status').innerText,
    bets: document.querySelector('#bets').innerText,
    ends: [...document.querySelectorAll('.end')].map((one) => one.innerText) })`);
  now.wide = await page.excess() > 0;
  if (JSON.stringify(now) !== before) say({ ...now, errors: page.errors });
  before = JSON.stringify(now);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await page.close();
await browser.stop();
server.closeAllConnections();
server.close();
