// The further contributors of a table's calls: who is named, and what each opened (FORMAT.md,
// section 8).
import { concat, domain, field, hex, same, u32, unbase64, unhex } from './bytes.js';
import { H } from './hashes.js';
import { Refused, need } from './refused.js';
import { TableKey } from './table_key.js';

/// What goes into a tape, in their order.
export const valuesOf = (openings) => openings.map(({ value }) => unhex(value));

/// What was handed in before; `opening`: leaf hash of TABLE_OPEN.
export const commitOf = (opening, id, t, value) =>
  H(domain('contribution-commit'), opening, field(id), u32(t), value);

/// What the key of a contributor signs; `call`: C.
export const statementOf = (call, id, t, value) =>
  concat(domain('opening'), call, field(id), u32(t), value);

/// Whether that key, in base64, is one and has signed the statement.
export async function hasSigned(spki, statement, signature) {
  try {
    const key = await TableKey.of(unbase64(spki));
    return await key.signed(statement, unbase64(signature));
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

const digestOf = async (key) => hex(await H(unbase64(key)));

/// "seat-1 (key HEX), ...", sorted; `named`: ids by key.
async function namesOf(named) {
  const texts = await Promise.all([...named].map(async ([key, id]) =>
    `${id} (key ${await digestOf(key)})`));
  return texts.sort().join(', ');
}

/// Of one TABLE_OPEN.
export class Contributors {
  constructor(table, opening) {
    this.table = table;
    this.opening = opening;
    this.counted = new Map();
    this.whole = true;
    this.joined = null;
    this.met = new Map();
    this.called = new Map();
  }

  /// Behind a gap how far each had counted is not known.
  forget() {
    this.counted.clear();
    this.whole = false;
  }

  counts({ id, key, t }) {
    const known = this.counted.get(key);
    if (known === undefined) return t === 1 || !this.whole;
    return known.id === id && known.t + 1 === t;
  }

  /// The core of a CALL.
  named({ others }, name) {
    const ids = others.map(({ id }) => id);
    need(new Set(ids).size === ids.length, `duplicate: ${name}: one is named twice`);
    const keys = [this.table.key, ...others.map(({ key }) => key)];
    need(new Set(keys).size === keys.length, `duplicate: ${name}: a key has two parts`);
    need(ids.every((id, i) => i === 0 || ids[i - 1] < id),
      `others_order: ${name}: they do not ascend`);
    for (const one of others) {
      const known = this.counted.get(one.key);
      need(known === undefined || known.id === one.id,
        `duplicate: ${name}: a key of another id`);
      need(this.counts(one), `t_gap: ${name}: ${one.id} does not count on`);
      this.counted.set(one.key, one);
      if (!this.called.has(one.key)) this.called.set(one.key, one.id);
    }
    need(this.table.policy.required.every((key) => keys.indexOf(key) > 0),
      `required_missing: ${name}: leaves out a key that is required`);
  }

  meet({ others }) {
    for (const { key, id } of others) if (!this.met.has(key)) this.met.set(key, id);
  }

  /// Whatever it says wrongly: who counts on in it has spent that count.
  lapsed(core) {
    this.meet(core);
    for (const one of core.others) {
      const known = this.whole || this.counted.has(one.key);
      if (known && this.counts(one)) this.counted.set(one.key, one);
    }
  }

  /// `call`: C. `rests`: the claim rests on this result.
  async opened(core, call, openings, rests, name) {
    const { others } = core;
    need(openings.length === others.length, `openings_count: ${name}`);
    for (const [i, one] of others.entries()) await this.number(one, call, openings[i], name);
    if (!rests) return;
    this.meet(core);
    const here = new Map(others.map(({ key, id }) => [key, id]));
    this.joined = new Map([...this.joined ?? here].filter(([key]) => here.has(key)));
  }

  /// It is what was committed to before the call, signed by the key for it.
  async number({ id, key, t, commit }, call, given, name) {
    const value = unhex(given.value);
    need(same(await commitOf(this.opening, id, t, value), unhex(commit)),
      `commit_mismatch: ${name}: ${id}`);
    need(await hasSigned(key, statementOf(call, id, t, value), given.signature),
      `opening_signature: ${name}: ${id}`);
  }

  /// Without result; who is said to be missing was to open, and so was who had.
  async ended(core, call, { missing = [], openings = [] }, name) {
    for (const given of openings) {
      const one = core.others.find(({ id }) => id === given.id);
      need(one !== undefined, `openings_count: ${name}: ${given.id} was not to open`);
      await this.number(one, call, given, name);
    }
    need(missing.every((id) => core.others.some((one) => one.id === id)),
      `missing_wrong: ${name}: names one who was not to open`);
    this.meet(core);
  }

  /// Who is in all results that the claim rests on, and whom a call named who is not; where there
  /// is no result, whom one named that ended without.
  async conclude() {
    const joined = this.joined ?? new Map();
    const met = this.joined === null ? this.met : new Map([...this.called, ...this.met]);
    const dropped = [...met].filter(([key]) => !joined.has(key));
    return { joined: await namesOf(joined), dropped: await namesOf(dropped),
      keys: await Promise.all([...joined.keys()].map(digestOf)) };
  }
}
