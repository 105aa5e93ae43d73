// What a log says that its appliance contributes to the calls of other logs (FORMAT.md, section 8).
import { same, unhex } from './bytes.js';
import { commitOf, hasSigned, statementOf } from './contributors.js';
import { digestOf } from './core.js';
import { need } from './refused.js';

/// The one whose ANSWER it is, as its core names it.
const ownOf = ({ core, id }) => core.others.find((one) => one.id === id);

/// By itself: signed, as committed, and for another log.
async function checkAnswer(record) {
  const { body } = record;
  const { id, key, t, commit } = ownOf(body);
  const name = `record ${record.seq}`;
  const value = unhex(body.value);
  const statement = statementOf(await digestOf(body.core), id, t, value);
  need(await hasSigned(key, statement, body.signature), `answer_signature: ${name}: ${id}`);
  need(same(await commitOf(unhex(body.opening), id, t, value), unhex(commit)),
    `commit_mismatch: ${name}: ${id}`);
  need(body.core.origin !== record.origin, `answer_own: ${name}: a call of its own log`);
}

/// Those among the records, in their order: each key answers a turn and a count once.
export async function checkAnswers(records) {
  const last = new Map();
  for (const record of records.filter(({ kind }) => kind === 'ANSWER')) {
    await checkAnswer(record);
    const { core, opening, id } = record.body;
    const { key, t } = ownOf(record.body);
    const series = JSON.stringify([key, opening, core.origin]);
    const before = last.get(series);
    const name = `record ${record.seq}`;
    last.set(series, { turn: core.turn, t, id });
    if (before === undefined) continue;
    need(core.turn !== before.turn && t !== before.t, `answer_twice: ${name}: turn ${core.turn}`);
    need(core.turn > before.turn && t > before.t, `answer_back: ${name}: turn ${core.turn}`);
    need(id === before.id, `answer_back: ${name}: its key answered as ${before.id}`);
  }
}
