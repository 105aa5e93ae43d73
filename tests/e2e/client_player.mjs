// A table that plays through the node client: draws of a wheel, and rounds of punto y banca up to
// settlement, in turn.
//
// usage: client_player.mjs FOLDER JOURNAL BOOKS DRAWS ROUNDS [roulette]. FOLDER holds client.toml.
// BOOKS gets every believed reply, one JSON a line. `roulette`: a round of French roulette before
// all else. Killed and started again with the same files, it goes on
// where it was. usage: client_player.mjs FOLDER events LAST: prints the numbers of the records of
// the event stream up to that one. exit: 0 done, 3 a reply was not believed, 4 refused, 5 no
// answer.
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import {
  NotBelieved, Refused, Table, Unanswered, Withheld,
} from '../../rngd/sdk/client/node/index.js';

const WHEEL = { settled_by: 'client', range: { kind: 'wheel', pockets: 37 } };
const PUNTO = { catalogue: 'es-1977', game: 'punto-banco', mix: 'round',
  table: { currency: 'ESP', unit: 1, min: 25, params: {} } };
const ROULETTE = { ...PUNTO, game: 'french-roulette', mix: 'shoe' };
const RED = [{ id: 'r', seat: 1, kind: 'rojo', stake: 100 }];
const BETS = [{ id: 'p', seat: 1, kind: 'punto', stake: 100 },
  { id: 'b', seat: 2, kind: 'banca', stake: 100 }];

class Player {
  constructor(books, joined) {
    Object.assign(this, { books, joined, done: new Map() });
    if (!existsSync(books)) return;
    const text = readFileSync(books);
    // a line that a kill cut short was never believed
    const whole = text.lastIndexOf('\n') + 1;
    for (const line of text.subarray(0, whole).toString().split('\n').slice(0, -1)) {
      this.count((JSON.parse(line).receipts ?? []).map(({ record }) => JSON.parse(record)));
    }
    truncateSync(books, whole);
  }

  async open(folder, journal) {
    this.table = await Table.open(folder, { journal, timeout: 1,
      onReply: (reply, records) => this.write(reply, records) });
    await this.free(this.table.resume());
  }

  count(records) {
    for (const { kind, seq } of records) {
      if (!this.done.has(kind)) this.done.set(kind, new Set());
      this.done.get(kind).add(seq);
    }
  }

  write(reply, records) {
    appendFileSync(this.books, `${JSON.stringify(reply)}\n`);
    this.count(records);
  }

  number(kind) {
    return this.done.get(kind)?.size ?? 0;
  }

  /// Others who did not open are gone without: the next call is free.
  async free(asked) {
    try {
      return await asked;
    } catch (error) {
      if (this.joined && error instanceof Withheld) return null;
      throw error;
    }
  }

  /// The open table of that game, which a life before this one may have opened.
  async ownTable(game, body) {
    const { tables } = await this.table.get('/v1/tables');
    for (const view of tables) {
      if (view.state !== 'open' || view.game !== game) continue;
      if (!(view.id in this.table.journal.calls)) {  // its seed is lost: it is opened again
        try {
          await this.table.post(`/v1/tables/${view.id}/close`);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;  // in the middle of a round
        }
        continue;
      }
      return view.id;
    }
    // Who contributes is late as often as the machine is busy.
    const more = this.joined ? { open_within: 1, max_voids: 16 } : {};
    return (await this.table.post('/v1/tables', { ...body, ...more })).table.id;
  }

  /// Calls name contributors from here on; the first one is waited for ten seconds at most.
  async join(table) {
    await this.table.nameContributors(table);
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await this.table.picture(table)).contributors !== undefined) return;
      await new Promise((done) => { setTimeout(done, 100); });
    }
  }

  /// The one thing that is due at the punto y banca table.
  async step(table) {
    const now = await this.table.picture(table);
    const needs = (now.needs ?? []).map(({ need }) => need);
    const post = (path, body) => this.table.post(path, body);
    if (now.shoe === undefined) return post(`/v1/tables/${table}/shoes`);
    // of the shoe, or behind the bets of this round
    if (now.mix_due) return this.free(this.table.mix(now.shoe));
    if (needs.includes('shoe')) return post(`/v1/shoes/${now.shoe}/close`);  // stop card is out
    if (needs.includes('deal')) {
      return post(`/v1/shoes/${now.shoe}/deal`, { expected: now.position, until: 'needs' });
    }
    if (now.round === undefined) return post(`/v1/tables/${table}/rounds`);
    const { round } = await this.table.get(`/v1/rounds/${now.round}`);
    const how = round.bets.length === 0 ? 'bets' : 'close-bets';
    return post(`/v1/rounds/${now.round}/${how}`, { bets: BETS });
  }

  /// One settled round of a wheel, at a table of its own.
  async spin() {
    const table = (await this.table.post('/v1/tables', ROULETTE)).table.id;
    const round = (await this.table.post(`/v1/tables/${table}/rounds`)).round.id;
    await this.table.post(`/v1/rounds/${round}/close-bets`, { bets: RED });
    const drawn = await this.table.draw(table, { round });
    console.log(`drawn: ${drawn.round.outcome.join(' ')}`);
    await this.table.post(`/v1/tables/${table}/close`);
  }

  async play(draws, rounds) {
    const wheel = await this.ownTable('', WHEEL);
    const punto = await this.ownTable('punto-banco', PUNTO);
    if (this.joined) await this.join(wheel);
    if (this.joined) await this.join(punto);
    while (this.number('DRAW') < draws || this.number('SETTLEMENT') < rounds) {
      if (this.number('DRAW') < draws) await this.free(this.table.draw(wheel));
      if (this.number('SETTLEMENT') < rounds) await this.step(punto);
    }
    for (const table of [wheel, punto]) await this.table.post(`/v1/tables/${table}/close`);
  }
}

async function printEvents(folder, last) {
  const table = await Table.open(folder);
  for await (const { seq, record } of table.events()) {
    if (record.seq !== seq) throw new Error(`event ${seq}: record ${record.seq}`);
    console.log(seq);
    if (seq >= last) break;
  }
  table.close();
}

const EXITS = [[NotBelieved, 3, 'not believed'], [Refused, 4, 'refused'],
  [Unanswered, 5, 'unanswered']];

async function main([folder, journal, books, draws, rounds, joined]) {
  if (journal === 'events') return printEvents(folder, Number(books));
  try {
    const player = new Player(books, joined === 'contributors');
    await player.open(folder, journal);
    if (joined === 'roulette') await player.spin();
    if (player.number('TABLE_CLOSE') < 2) await player.play(Number(draws), Number(rounds));
    player.table.close();
  } catch (error) {
    const [, code, words] = EXITS.find(([kind]) => error instanceof kind) ?? [null, 1, 'failed'];
    console.log(`${words}: ${code === 1 ? error.stack : error.message}`);
    process.exitCode = code;
  }
  return undefined;
}

await main(process.argv.slice(2));
