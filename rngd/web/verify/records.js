// One record: the members around its body, and its place in the chain of its object (FORMAT.md,
// section 2).
import { textOf, unbase64url, utf8 } from './bytes.js';
import { PARTED, checkBody } from './forms.js';
import { parse } from './json.js';
import { KINDS } from './kinds.js';
import { Refused, need } from './refused.js';
import {
  each, idOf, isDigest, isFilled, isInteger, isObject, isPositive, matches, oneOf, rising, shape,
  shaped,
} from './shapes.js';

const BYTES_MAX = 60000;
const isOrigin = matches(/^[!-*,-~]{1,200}$/);

/// base64url of UTF-8 words of a person.
const isNote = (v) => isFilled(v) && textOf(unbase64url(v)) !== '';

function isAscii(value) {
  if (typeof value === 'string') return /^[ -~]*$/.test(value);
  if (Array.isArray(value)) return value.every(isAscii);
  return !isObject(value) || Object.keys(value).every((name) => isAscii(name) &&
                                                      isAscii(value[name]));
}

/// A VOID of a core that became no CALL.
export const isLapsed = ({ kind, body }) => kind === 'VOID' && Object.hasOwn(body, 'core');

/// Of a VOID that opens no secret. Only one of a shoe has none to open.
function classOfUnopened(body) {
  if (Object.hasOwn(body, 'core')) return 'table';
  return (body.cause ?? 'unrecoverable') === 'unrecoverable' ? 'batch' : 'shoe';
}

/// Of its object: table, round, shoe, batch or meter; undefined: a machine's, or not known. A CALL
/// is of the shoe or batch that it is for, as is its VOID; one that has no CALL and opens nothing
/// is of the table.
export function classOf({ kind, body }) {
  if (!Object.hasOwn(KINDS, kind)) return undefined;
  if (kind === 'VOID' && !Object.hasOwn(body, 'secret')) return classOfUnopened(body);
  return kind === 'CALL' && body.core?.use === 'mix' ? 'shoe' : KINDS[kind].object ?? undefined;
}

function checkPlace(record) {
  const { cites, seq, prev, meter_prev: meterPrev } = record;
  need(rising(cites) && cites.every((one) => one < seq), 'cites that do not ascend, or are not ' +
                                                         'older');
  need((prev ?? -1) < seq && (meterPrev ?? -1) < seq, 'prev is not older');
  // A kind of a later version is in the log; a bundle that holds one is refused (evidence.js).
  if (!Object.hasOwn(KINDS, record.kind)) return;
  const kind = KINDS[record.kind];
  const wanted = record.kind === 'METER' && Object.hasOwn(record.body, 'round') ? 'meter'
    : classOf(record) ?? null;
  if (wanted === null) {
    need(record.object === undefined, 'a record of the machine has no object');
  } else {
    need(record.object !== undefined && idOf(wanted)(record.object),
      `an object of another class than ${wanted}`);
  }
  const opened = wanted === null ? 0 : Number(record.object.slice(wanted.length + 1));
  if (kind.opens) need(opened === seq, 'an opening record names itself');
  const moves = wanted === 'meter' && !kind.opens;
  need((meterPrev !== undefined) === moves && (meterPrev ?? opened) >= opened,
    'meter_prev is missing, out of place or before the opening');
  checkChain(record, kind, wanted, opened);
}

/// Its place in the chain of its table; others have none.
function checkChain(record, kind, wanted, opened) {
  const { table, link, prev, body } = record;
  const chained = kind.object !== null && kind.object !== 'meter';
  need((table !== undefined) === chained && (link !== undefined) === chained,
    'table and link stand in records of a table');
  if (!chained) {
    need(prev === undefined, 'prev without a table');
    return;
  }
  need(idOf('table')(table), 'table is no table');
  need(wanted !== 'table' || table === record.object, 'table is not the object');
  need(!Object.hasOwn(body, 'table') || body.table === table, 'table is not that of the body');
  if (record.kind === 'TABLE_OPEN') {
    need(prev === undefined, 'the first record of a table has no prev');
    return;
  }
  const begun = Number(table.slice('table-'.length));
  const least = kind.opens || wanted === 'meter' ? begun : Math.max(begun, opened);
  need((prev ?? -1) >= least, 'prev is missing, or before the opening');
}

function read(text) {
  need(utf8(text).length <= BYTES_MAX, 'above 60,000 bytes');
  const record = parse(text);
  need(isObject(record) && isAscii(record), 'no record of printable ASCII');
  shape(record, {
    v: oneOf(2), origin: isOrigin, seq: isInteger, kind: isFilled, time: isInteger,
    time_quality: oneOf('synced', 'holdover', 'unset'), boot: isPositive, cites: each(isInteger),
    body: isObject,
  }, {
    client: shaped({ id: isFilled, spki: isDigest }), key: matches(/^[A-Za-z0-9._-]{1,64}$/),
    request: isDigest, object: isFilled, table: isFilled, prev: isInteger, link: isDigest,
    meter_prev: isInteger, note: isNote,
  });
  checkPlace(record);
  if (Object.hasOwn(KINDS, record.kind)) checkBody(record.kind, record.body);
  return record;
}

/// `name`: how a refusal calls this record.
export function parseRecord(text, name) {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${name}: ${error.message}`);
    throw error;
  }
}

/// Whether a record is no numbered part, or the last one: from it on its content counts.
export const endsContent = (record) => record.body.part === record.body.parts;

export const isParted = (record) => Object.hasOwn(PARTED, record.kind);
