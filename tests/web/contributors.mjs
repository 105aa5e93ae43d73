// Who takes part in a table's calls, for tests: the page's own modules in node and
// rngd/sdk/client/python/talla_contribute.py, each started anew for each step, so that what it
// knows is what it kept; and what they are to do at a house that lies (seat_house.mjs).
import { execFile } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { SeatHouse } from './seat_house.mjs';
import { canonical } from './signed_log.mjs';
import { check, interpreter, test } from './harness.mjs';

globalThis.crypto ??= webcrypto;
const web = '../../rngd/web';
const { Api } = await import(`${web}/contribute/api.js`);
const { parseLink } = await import(`${web}/contribute/link.js`);
const { Session } = await import(`${web}/contribute/session.js`);
const { Hands } = await import(`${web}/contribute/store.js`);

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../../rngd/sdk/client/python/talla_contribute.py');
const folder = mkdtempSync(join(tmpdir(), 'contribute-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/// The page's session without its page; what it keeps outlives it, as in a browser.
export class ByBrowser {
  constructor(link, expected) {
    this.kept = null;
    this.expected = expected;
    this.link = link;
  }

  /// The page is opened anew.
  begin() {
    const link = parseLink(this.link.split('#')[1]);
    const base = this.link.split('/web/')[0];
    this.session = new Session({ link,
      api: new Api(link.token, (...asked) => fetch(...asked), base),
      store: { read: async () => this.kept, write: async (kept) => {
        this.kept = { ...kept, memory: structuredClone(kept.memory) };
      } },
      freshHands: () => Hands.fresh(),
      rootPem: async (api, choose) => choose(await (await fetch(`${base}/v1/roots`)).text()),
      look: async (bets) => {
        if (this.expected && canonical(bets) !== canonical(this.expected)) {
          throw new Error('bets_other: not the bets of this seat');
        }
      },
      changed: () => {} });
  }

  /// What it was refused with, or ''.
  async step(join = false) {
    try {
      this.begin();
      if (join) await this.session.join();
      else await this.session.step();
      return this.session.shown.refusal ?? '';
    } catch (error) {
      return error.message;
    }
  }

  async ends() {
    return this.session.history;
  }
}

export class ByPython {
  constructor(link, expected) {
    this.link = link;
    this.state = join(folder, `state-${files++}`);
    this.more = expected ? ['--bets', canonical(expected)] : [];
  }

  step() {
    return new Promise((resolve, reject) => {
      execFile(interpreter, [program, this.link, '--state', this.state, '--once', ...this.more],
        (error, out, err) => {
          if (error && ![0, 4].includes(error.code)) reject(new Error(err));
          this.said = out.trim().split('\n').filter(Boolean).map((one) => JSON.parse(one));
          resolve(this.said.find((one) => one.refused)?.refused ?? '');
        });
    });
  }

  async ends() {
    return JSON.parse(readFileSync(this.state)).ends;
  }
}

export const posted = (house, what) => house.posts.filter(({ path }) => path.endsWith(what));

/// `work(house, who)` with each contributor: in its own house, joined and with a batch.
export async function each(options, work) {
  for (const Kind of [ByBrowser, ByPython]) {
    const house = await new SeatHouse(options).listen();
    house.batch();
    const who = new Kind(house.link(), options.expected);
    try {
      const why = await who.step(true);
      check(why === '', `${Kind.name} did not join: ${why}`);
      check(house.panel.get('seat-3')?.commits.size === 16, `${Kind.name}: no commitments`);
      await work(house, who, Kind.name);
    } catch (error) {
      throw new Error(`${Kind.name}: ${error.stack}`);
    } finally {
      await house.stop();
    }
  }
}

/// Codes of the lies that are told.
export const told = new Set();

/// A lie that is refused with `code` and gets no number. `prepare(house, who)` makes the call that
/// is asked about.
export function refuses(what, code, prepare, options = {}) {
  told.add(code);
  return test(`${what} gets no number: ${code}`, () => each(options, async (house, who) => {
    const given = await prepare(house, who) ?? 0;
    const why = await who.step();
    check(why.startsWith(`${code}: `), `refused with "${why}"`);
    check(posted(house, 'openings').length === given, 'it gave its number');
  }));
}

export async function onceRight(house, who, use = 'draw') {
  const seq = house.call(use);
  const why = await who.step();
  check(why === '', `a true call is refused: ${why}`);
  check(house.calls.get(seq).ended !== null, 'a true call was not answered');
  return seq;
}

/// Other bytes from record `seq` on, well signed: a second history of the same log.
export function rewritten(house, seq, work) {
  house.records.length = seq;
  house.texts.length = seq;
  work();
}
