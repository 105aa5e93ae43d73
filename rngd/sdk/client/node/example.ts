// A wheel and a shoe through @talla/client: what a table does in a minute. client.toml is in the
// folder named on the command line.
import { Lapsed, NotBelieved, Table, Withheld } from '@talla/client';
import type { Body, Reply } from '@talla/client/api';

declare const process: { argv: string[]; exitCode?: number };
declare const console: { log(...words: unknown[]): void };

const wheel: Body<'openTable'> = {
  settled_by: 'client',
  range: { kind: 'wheel', pockets: 37 },
};
const cards: Body<'openTable'> = { settled_by: 'client', deck: 'french52x1' };

async function spin(table: Table): Promise<void> {
  const opened = await table.post<Reply<'openTable'>>('/v1/tables', wheel);
  const drawn = await table.draw(opened.table.id);
  if ('draw' in drawn && 'pocket' in drawn.draw.outcome) {
    console.log('pocket', drawn.draw.outcome.pocket);
  }
  await table.post(`/v1/tables/${opened.table.id}/close`);
}

async function deal(table: Table): Promise<void> {
  const opened = await table.post<Reply<'openTable'>>('/v1/tables', cards);
  const sealed = await table.post<Reply<'newShoe'>>(`/v1/tables/${opened.table.id}/shoes`);
  const { id } = sealed.shoe;
  await table.mix(id);
  const open: Body<'deal'> = { expected: 0, until: 1, place: 'table', face: 'open' };
  const dealt = await table.post<Reply<'deal'>>(`/v1/shoes/${id}/deal`, open);
  const hidden: Body<'deal'> = { expected: 1, until: 1, place: 'hand', face: 'covered', seat: 3 };
  await table.post(`/v1/shoes/${id}/deal`, hidden);
  const [seen] = await table.look(id, 1);
  console.log('open', dealt.cards[0]?.card, 'seat 3 sees', seen?.card);
  const turned = await table.post<Reply<'openCard'>>(`/v1/shoes/${id}/open`, { position: 1 });
  console.log('turned', turned.revealed?.[0]?.card);
  await table.post(`/v1/tables/${opened.table.id}/close`);
}

const table = await Table.open(process.argv[2] ?? '.');
try {
  await spin(table);
  await deal(table);
} catch (error) {
  if (error instanceof NotBelieved) console.log('call the inspector:', error.message);
  else if (error instanceof Lapsed || error instanceof Withheld) console.log(error.problem.code);
  else throw error;
  process.exitCode = 3;
}
table.close();
