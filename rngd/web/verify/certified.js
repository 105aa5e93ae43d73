// Certifications: who signed them, and whether they cover what a commitment rested on (FORMAT.md,
// section 14).
import { domain, hex, same, utf8 } from './bytes.js';
import { TEXTS, parseText } from './certification_text.js';
import { checkSigner, parseRoots } from './chain.js';
import { H } from './hashes.js';
import { parse } from './json.js';
import { Refused, need, within } from './refused.js';
import { sourceObjection } from './certified_source.js';

const COMMITMENTS = ['SHOE_COMMIT', 'SHOE_RECOMMIT', 'BATCH_COMMIT'];
/// In the order in which it is asked: of several pairs of texts the one that comes furthest is
/// named.
export const CODES = [
  'missing', 'untrusted', 'name', 'usage', 'signature', 'nothing', 'origin', 'key', 'type',
  'record', 'development', 'unnamed', 'late', 'clock', 'time', 'withdrawn', 'serial_twice',
  'manifest', 'settings', 'format', 'catalogue', 'uncertified', 'source', 'assessment', 'serial',
  'independent', 'policy', 'table',
];
const AS_STATED = 'source, software and settings are as the appliance states them';

class Uncovered extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const furthest = (codes) => codes.reduce((a, b) => (CODES.indexOf(b) > CODES.indexOf(a) ? b : a));
const holds = ({ said }, time) => said.from <= time && time < said.until;

/// One file whose signer holds; else `Uncovered` with the first check that it does not pass.
async function judged(file, roots) {
  const { kind, said } = parseText(file.statement);
  const trusted = roots[kind === 'withdrawal' ? said.of : kind];
  if (trusted === undefined) throw new Uncovered('untrusted');
  const uri = kind === 'withdrawal' ? `talla:certification-withdrawal:${said.issuer}`
    : `talla:certification:${kind}:${said.issuer}`;
  const signer = await checkSigner(
    file, trusted, said.made, uri,
    new Uint8Array([...domain('certification'), ...utf8(file.statement)]),
    (code) => { throw new Uncovered(code); });
  return {
    kind, said, digest: hex(await H(domain('certification-text'), utf8(file.statement))),
    signer: signer.spki, development: signer.anyDevelopment,
  };
}

class Certifications {
  constructor() {
    this.good = { type: [], installation: [] };
    this.faults = [];
    this.withdrawals = [];
  }

  async take(file, roots) {
    try {
      const one = await judged(file, roots);
      this.good[one.kind].push(one);
    } catch (error) {
      if (!(error instanceof Uncovered)) throw error;
      this.faults.push({ kind: parseText(file.statement).kind, code: error.code });
    }
  }

  async takeWithdrawal(file, roots) {
    try {
      const one = await judged(file, roots);
      need(one.kind === 'withdrawal', 'a certification where a withdrawal is expected');
      this.withdrawals.push(one.said);
    } catch (error) {
      if (!(error instanceof Uncovered)) throw error;
      throw new Refused(`certification_${error.code}: a withdrawal that does not hold`);
    }
  }

  withdrawn({ kind, said, digest, signer }, time) {
    return this.withdrawals.some((one) => {
      if (one.of !== kind || one.issuer !== said.issuer) return false;
      if (one.reason === 'stolen') return one.key === signer && !one.counts.includes(digest);
      return one.certification === digest && (one.reason === 'false' || time >= one.from);
    });
  }

  serialTwice(own, time) {
    return this.good.installation.some((other) => other.said.origin !== own.said.origin &&
      holds(other, time) && !this.withdrawn(other, time) &&
      other.said.serials.some((serial) => own.said.serials.includes(serial)));
  }

  /// The two texts that cover it; else `Uncovered`.
  async covers(asked) {
    for (const kind of Object.keys(this.good)) {
      if (this.good[kind].length > 0) continue;
      const codes = this.faults.filter((fault) => fault.kind === kind).map(({ code }) => code);
      throw new Uncovered(furthest(['missing', ...codes]));
    }
    const codes = ['missing'];
    for (const installation of this.good.installation) {
      for (const type of this.good.type) {
        const code = await this.objection(type, installation, asked);
        if (code === null) return { type, installation };
        codes.push(code);
      }
    }
    throw new Uncovered(furthest(codes));
  }

  /// The first check that does not hold, or null.
  async objection(type, installation, asked) {
    const [kind, here] = [type.said, installation.said];
    const { start, context, time } = asked;
    const both = (check) => check(type) && check(installation);
    const checks = [
      ['origin', () => here.origin === asked.origin],
      ['key', () => asked.logKeys.includes(here.log_key)],
      ['type', () => here.types.includes(type.digest)],
      ['record', () => start !== null],
      ['development', () => !asked.development && start.config.profile === 'production' &&
        both((one) => !one.development)],
      ['unnamed', () => both((one) => start.config.certifications?.includes(one.digest) ?? false)],
      ['late', () => both((one) => one.said.made <= start.time)],
      ['clock', () => asked.timeQuality !== 'unset'],
      ['time', () => both((one) => holds(one, time))],
      ['withdrawn', () => both((one) => !this.withdrawn(one, time))],
      ['serial_twice', () => !this.serialTwice(installation, time)],
      ['manifest', () => both((one) => one.said.manifests.includes(start.manifest))],
      ['settings', () => here.settings.includes(start.config.settings)],
      ['format', () => kind.formats.includes(2) && kind.mappings.includes(context.mapping)],
      ['catalogue', () => kind.catalogues.includes(context.catalogue)],
    ];
    const failed = checks.find(([, check]) => !check());
    if (failed !== undefined) return failed[0];
    const source = await sourceObjection(kind, here, context);
    if (source !== null) return source;
    const floor = kind.rollback.includes(context.rollback_protection) &&
      kind.sealing.includes(context.sealing);
    if (!floor) return 'policy';
    return asked.shoe === null || reaches(kind.policy, asked.shoe) ? null : 'table';
  }
}

/// Whether a shoe's table asks at least this of its mixes.
function reaches(floor, { policy, covered }) {
  if (policy === null || (floor.mix === 'round' && policy.mix !== 'round')) return false;
  return !covered || policy.candidates >= floor.candidates;
}

/// What the floor of a type is held against; null for a batch of draws.
function shoeOf(evidence, { kind, table, body }) {
  if (kind === 'BATCH_COMMIT') return null;
  const own = table === evidence.tableRecord.object;
  return { policy: own ? evidence.table.policy : null, covered: body.disclosure === 'covered' };
}

/// CONFIG and SOFTWARE of the same start, of the digests that the context names; or null.
function startOf({ bySeq }, { cites, boot, body }) {
  const cited = (kind, digest) => {
    const found = cites.map((seq) => bySeq.get(seq)).filter((one) => one?.kind === kind);
    const fits = found.length === 1 && found[0].boot === boot && found[0].body.digest === digest;
    return fits ? found[0] : null;
  };
  const config = cited('CONFIG', body.context.config);
  const software = cited('SOFTWARE', body.context.software);
  if (config === null || software === null) return null;
  return { config: config.body, time: config.time, manifest: software.body.manifest };
}

function parseFile(text) {
  const file = parse(text);
  TEXTS.file(file);
  return file;
}

async function certificationsOf(evidence, { roots, more = [], withdrawals = [] }) {
  const trusted = {};
  for (const [kind, pem] of Object.entries(roots)) {
    need(kind === 'type' || kind === 'installation', 'a root of another kind');
    trusted[kind] = await within(`certification root, ${kind}`, () => parseRoots(pem));
    need(!trusted[kind].some((one) => evidence.roots.some((own) => same(one.bytes, own.bytes))),
      'a root of the log\'s own keys certifies nothing');
  }
  const all = new Certifications();
  const files = [...(evidence.bundle.certifications ?? []), ...more.map(parseFile)];
  for (const file of files) {
    need(parseText(file.statement).kind !== 'withdrawal', 'a withdrawal certifies nothing');
    await all.take(file, trusted);
  }
  for (const text of withdrawals) await all.takeWithdrawal(parseFile(text), trusted);
  return all;
}

async function coverAll(evidence, all, logKeys) {
  let by = null;
  for (const record of evidence.records.filter(({ kind }) => COMMITMENTS.includes(kind))) {
    try {
      by = await all.covers({
        origin: evidence.claim.origin, logKeys, development: evidence.development,
        context: record.body.context, start: startOf(evidence, record), time: record.time,
        timeQuality: record.time_quality, shoe: shoeOf(evidence, record),
      });
    } catch (error) {
      if (error instanceof Uncovered) error.where = record;
      throw error;
    }
  }
  if (by === null) throw new Uncovered('nothing');
  return by;
}

/// Whether each commitment is covered; what was checked and what was not goes to `evidence`.
/// `trust`: `roots` (PEM by kind), `more` and `withdrawals` (texts of files), or null.
export async function checkCertified(evidence, trust, logKeys) {
  const { checked, notChecked, claim } = evidence;
  if (trust === null) {
    notChecked.push('certification: no root of a laboratory or a regulator was given', AS_STATED);
    return false;
  }
  const all = await certificationsOf(evidence, trust);
  try {
    const { type, installation } = await coverAll(evidence, all, logKeys);
    checked.push(`certified: type certification ${type.said.number} of ${type.said.issuer} and ` +
      `installation certification ${installation.said.number} of ${installation.said.issuer} ` +
      'cover software, settings, rules and source of each commitment');
  } catch (error) {
    if (!(error instanceof Uncovered)) throw error;
    const { seq, kind } = error.where ?? claim;
    evidence.certification = `certification_${error.code}`;
    notChecked.push(`not certified: ${evidence.certification}, at record ${seq} (${kind})`,
      AS_STATED);
    return false;
  }
  if ((trust.withdrawals ?? []).length === 0) {
    notChecked.push('withdrawal of certifications: no file was given');
  }
  notChecked.push('that program, settings and times are those stated, and that no device was ' +
    'exchanged behind the same serial number');
  return true;
}
