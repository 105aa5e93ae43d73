// The bundle as a whole: what it claims, and what is checked of it, step by step (FORMAT.md,
// section 9).
import { domain, hex, same, unbase64, utf8 } from './bytes.js';
import { checkAnswers } from './answers.js';
import { checkSteps } from './signed_steps.js';
import { Batch } from './batch.js';
import { Calls } from './calls.js';
import { TEXTS } from './certification_text.js';
import { CATALOGUES } from './catalogues.js';
import { checkCertified } from './certified.js';
import { H } from './hashes.js';
import { canonical, parse } from './json.js';
import { checkLaboratory } from './laboratory.js';
import { KINDS } from './kinds.js';
import { checkKeys } from './log_key.js';
import { checkCheckpoint } from './note.js';
import { chainsOf, checkMeters, checkParts, checkTables, tableOpenOf } from './object_chains.js';
import { need, within } from './refused.js';
import { parseRecord } from './records.js';
import { checkSettlement, settleAgain } from './settlement.js';
import { each, isBase64, isFilled, isInteger, isObject, isText, oneOf, shape, shaped,
  some } from './shapes.js';
import { Shoe } from './shoe.js';
import { concludeShoe } from './shoe_words.js';
import { parseOpenings, runAtClose, runByOpenings } from './shuffles.js';
import { TableChain } from './table_chain.js';
import { leafHash, rootFromPath } from './tree.js';

const CLAIMS = [
  'CARD_DEAL', 'CARD_OPEN', 'SHOE_MIX', 'SHOE_CLOSE', 'DRAW', 'VOID', 'BATCH_CLOSE', 'SETTLEMENT',
  'TABLE_OPEN',
  'ROUND_OPEN', 'SHOE_COMMIT', 'BATCH_COMMIT',
];
const CHANGES_MAX = 256;
const RECORDS_MAX = 20000;
const ENTRY = shaped({ record: isFilled, path: each(isBase64) });
const BUNDLE = {
  v: oneOf(2), type: oneOf('talla-bundle', 'talla-laboratory'), claim: isInteger,
  checkpoint: isText, log_key: isObject,
  records: (v) => some(ENTRY)(v) && v.length <= RECORDS_MAX,
};
const CHANGES = { key_changes: (v) => some(isObject)(v) && v.length <= CHANGES_MAX };
const BUNDLE_OPTIONAL = {
  catalogue: isText, state_before: isObject, certifications: TEXTS.carried, ...CHANGES,
};
const LABORATORY_OPTIONAL = { outcomes: isText, ...CHANGES };

export class Evidence {
  /// `roots`: certificates (chain.js); `openings`: text of the auditor's file, or null.
  /// `trust`: whom the reader trusts to certify (certified.js), or null.
  constructor(text, roots, openings, trust) {
    this.text = text;
    this.settled = null;
    this.roots = roots;
    this.trust = trust;
    this.certification = '';
    this.certified = false;
    this.joined = null;
    this.unopened = false;
    this.shownFrom = null;
    this.openings = openings === null ? null : parseOpenings(openings);
    this.checked = [];
    this.notChecked = [];
    this.contexts = [];
    this.shoes = new Map();
    this.bundle = parse(text);
    this.isLaboratory = this.bundle?.type === 'talla-laboratory';
    this.ordered = null;
    shape(this.bundle, BUNDLE, this.isLaboratory ? LABORATORY_OPTIONAL : BUNDLE_OPTIONAL);
    this.records = this.bundle.records.map((entry, i) =>
      parseRecord(entry.record, `entry ${i + 1} of records`));
    this.bySeq = new Map(this.records.map((record) => [record.seq, record]));
    this.claim = this.bySeq.get(this.bundle.claim);
    need(this.claim !== undefined, 'gap: the claim is not there');
    need((this.isLaboratory ? ['ACCESS'] : CLAIMS).includes(this.claim.kind),
      'unsupported_claim: it cannot be proven');
  }

  /// `settle`: runs the rules of the games (settlement.js), or null. `settled` then has what came
  /// of it.
  async verify(mine = null, settle = null) {
    await this.checkLog(await this.checkSigner());
    if (this.isLaboratory) {
      await this.checkLaboratory(mine);
      return;
    }
    for (const { seq, kind } of this.records) {
      need(Object.hasOwn(KINDS, kind), `unknown_kind: record ${seq}: of a kind that is not known`);
    }
    await checkAnswers(this.records);
    this.chainOf = chainsOf(this.records, this.claim);
    this.tableRecord = tableOpenOf(this.chainOf, this.claim);
    this.table = this.tableRecord.body;
    await new TableChain(this).run();
    const calls = new Calls(this);
    await calls.run();
    this.joined = calls.contributors.joined;
    if (mine !== null) await calls.checkMine(mine);
    checkTables(this.chainOf, this.tableRecord);
    this.parameters = hex(await H(domain('parameters'), utf8(canonical(this.table.parameters))));
    await this.checkObjects();
    if (this.claim.kind === 'SETTLEMENT') await checkSettlement(this);
    await this.checkSteps();
    this.certified = await checkCertified(this, this.trust, this.logKeys);
    this.nameCatalogue();
    this.sayLimits();
    if (settle !== null && this.claim.kind === 'SETTLEMENT') await settleAgain(this, settle);
  }

  async checkSteps() {
    this.notChecked.push(
      ...await checkSteps(this.records, this.bundle.records.map(({ record }) => record)));
  }

  /// Outcomes of a table at which nobody plays.
  async checkLaboratory(mine) {
    need(mine === null, 'not_mine: it shows no result of play');
    need(this.openings === null, 'openings_other: of no covered shoe of this file');
    this.unknownCatalogue = '';
    await this.checkSteps();
    this.ordered = await checkLaboratory(this);
    this.sayLimits();
  }

  async checkSigner() {
    const { bundle, claim, roots } = this;
    const changes = bundle.key_changes ?? [];
    const keys = await checkKeys(changes, bundle.log_key, bundle.checkpoint, roots, claim.time);
    this.development = keys.some((key) => key.development);
    this.logKeys = keys.map(({ statement }) => statement.public);
    this.checked.push(
      'the log\'s key is bound to a trusted root by certificates valid at the recorded time');
    if (changes.length > 0) {
      this.checked.push(
        `each of the ${keys.length} keys of the log was announced in it by the one before`);
    }
    const { statement, publicKey } = keys.at(-1);
    const checkpoint = await checkCheckpoint(bundle.checkpoint, statement, publicKey);
    const others = checkpoint.signatures.length - 1;
    if (others > 0) {
      this.notChecked.push(`${others} signatures of others on the checkpoint: no policy was given`);
    }
    return checkpoint;
  }

  async checkLog({ origin, size, root }) {
    let before = null;
    for (const [i, record] of this.records.entries()) {
      const { seq, time, boot } = record;
      const entry = this.bundle.records[i];
      need(record.origin === origin, `wrong_origin: record ${seq}: of another log`);
      const leaf = await leafHash(utf8(entry.record));
      const found = await within(`record ${seq}`,
        () => rootFromPath(seq, size, leaf, entry.path.map(unbase64)));
      need(same(found, root), `not_included: record ${seq}: not in the log`);
      need(before === null || before.seq < seq,
        `seq_order: record ${seq}: the records do not ascend`);
      need(before === null || before.time <= time, `time_back: record ${seq}: time goes back`);
      need(before === null || before.boot <= boot,
        `boot_back: record ${seq}: the boot counter goes back`);
      before = record;
    }
    this.checked.push(`each of ${this.records.length} records is in the signed log of ${size}`);
  }

  /// The context of a commitment counts for the verdict, and is under the rules of the table.
  async context(value) {
    this.contexts.push(value);
    need(['catalogue', 'game', 'variant'].every((name) => value[name] === this.table[name])
      && value.parameters === this.parameters,
      'context_other: a commitment under other rules than the table\'s');
  }

  async checkObjects() {
    let used = this.openings === null;
    for (const [name, chain] of this.chainOf) {
      const { kind, body } = chain[0];
      if (kind === 'SHOE_COMMIT') {
        const openings = body.disclosure === 'covered' && this.openings?.shoe === name
          ? this.openings : null;
        await this.checkShoe(name, chain, openings);
        used ||= openings !== null;
      }
      if (kind === 'BATCH_COMMIT') {
        const batch = new Batch(this, name);
        await this.walk(batch, chain);
        batch.conclude();
      }
      checkMeters(chain, this.notChecked);
      await checkParts(chain);
    }
    need(used, 'openings_other: the openings are of no covered shoe of this bundle');
  }

  async walk(steps, chain) {
    for (const record of chain) {
      await within(`record ${record.seq}, ${record.kind} of ${record.object}`,
        () => steps.step(record));
    }
  }

  async checkShoe(name, chain, openings) {
    const shoe = new Shoe(this, name);
    this.shoes.set(name, shoe);
    await this.walk(shoe, chain);
    if (shoe.close?.key !== undefined) await within(name, () => runAtClose(shoe));
    if (openings !== null) await within(`openings of ${name}`, () => runByOpenings(shoe, openings));
    concludeShoe(shoe);
  }

  /// The digest of the table's catalogue where nobody here knows it, else an empty text.
  nameCatalogue() {
    const digest = this.table.catalogue;
    const known = /^0+$/.test(digest) || this.certified || CATALOGUES.includes(digest);
    this.unknownCatalogue = known ? '' : digest;
    if (known) return;
    this.notChecked.unshift(`the rules: the catalogue ${digest} is none that is known here`);
  }

  sayLimits() {
    const { settled_by: by, catalogue, continues } = this.table ?? { settled_by: 'nobody' };
    if (by === 'client' && !/^0+$/.test(catalogue)) {
      this.notChecked.push('whether deck or range are those of the catalogue\'s game');
    }
    if (continues !== undefined) {
      this.notChecked.push(`whether what the table took over is what ${continues} left`);
    }
    this.notChecked.push(
      'unwitnessed: does not exclude a second history', 'revocation not checked',
      'witnesses: no policy is read here',
      'end of logs: no statement of a root about it is read here, ' +
        'and no file of consistency proofs');
  }

  code() {
    if (this.isLaboratory) return 4;
    if (this.contexts.some((one) => one.sources.some((source) => source.class === 'lab'))) return 4;
    return this.certified ? 0 : 3;
  }
}
