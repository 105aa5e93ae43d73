// Canonical JSON of the house (FORMAT.md, section 1): RFC 8785 with integers below 2^53, texts,
// booleans and no null. The reader takes the one canonical spelling and nothing else, so a value
// and its bytes stand for each other. Objects have no prototype: a member called `constructor` is a
// member and nothing more.
import { utf8 } from './bytes.js';
import { need } from './refused.js';

const TEXT_BYTES_MAX = 8 * 1024 * 1024;
const DEPTH_MAX = 32;
const SHORT = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"',
  '\\': '\\\\' };
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
/// A whole text in which quotes and backslashes alone are escaped: a record within a bundle. Not
/// with more of them than a record has, so that no text makes the expression run out of memory.
const SIMPLE = /"([^"\\\u0000-\u001f]*(?:\\["\\][^"\\\u0000-\u001f]*){0,8192})"/y;

const escape = (character) =>
  SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const quoted = (text) => `"${text.replace(/["\\\u0000-\u001f]/g, escape)}"`;

/// Keys are in the order of their UTF-16 units, as RFC 8785 has it and as JavaScript compares.
const byUnits = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

export function canonical(value) {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return `{${Object.keys(value).sort(byUnits).map((key) => `${quoted(key)}:${canonical(
    value[key])}`).join(',')}}`;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  need(condition, why) {
    need(condition, `JSON, character ${this.at}: ${why}`);
  }

  take(token) {
    const there = this.text.startsWith(token, this.at);
    if (there) this.at += token.length;
    return there;
  }

  expect(token) {
    this.need(this.take(token), `${token} is expected`);
  }

  value(depth) {
    this.need(depth <= DEPTH_MAX, 'nested too deeply');
    const next = this.text[this.at];
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    if (next === '"') return this.string();
    if (this.take('true')) return true;
    if (this.take('false')) return false;
    return this.integer();
  }

  integer() {
    const match = /(?:0|-?[1-9][0-9]{0,15})(?![0-9.eE])/y;
    match.lastIndex = this.at;
    const digits = match.exec(this.text)?.[0];
    this.need(digits !== undefined, 'no value of this format');
    this.need(Number.isSafeInteger(Number(digits)), 'an integer out of range');
    this.at += digits.length;
    return Number(digits);
  }

  string() {
    SIMPLE.lastIndex = this.at;
    const simple = SIMPLE.exec(this.text);
    if (simple === null) return this.whole(this.escapedString());
    this.at += simple[0].length;
    return this.whole(simple[1].includes('\\') ? simple[1].replace(/\\(.)/g, '$1') : simple[1]);
  }

  whole(text) {
    this.need(!LONE_SURROGATE.test(text), 'half of a character');
    return text;
  }

  escapedString() {
    this.expect('"');
    let out = '';
    while (true) {
      UNESCAPED.lastIndex = this.at;
      const plain = UNESCAPED.exec(this.text)[0];
      out += plain;
      this.at += plain.length;
      if (this.take('"')) break;
      out += this.escaped();
    }
    return out;
  }

  /// One escaped character, in the only spelling that is canonical for it.
  escaped() {
    this.need(this.text[this.at] === '\\', 'a text that does not end, or a control character');
    const long = this.text[this.at + 1] === 'u';
    const token = this.text.slice(this.at, this.at + (long ? 6 : 2));
    const character = long ? String.fromCharCode(parseInt(token.slice(2), 16))
      : Object.keys(SHORT).find((key) => SHORT[key] === token);
    this.need(character !== undefined && /["\\\u0000-\u001f]/.test(character) &&
      escape(character) === token,
      'an escape that is not canonical');
    this.at += token.length;
    return character;
  }

  array(depth) {
    const out = [];
    this.expect('[');
    if (this.take(']')) return out;
    do out.push(this.value(depth + 1)); while (this.take(','));
    this.expect(']');
    return out;
  }

  /// Ascending keys are in canonical order and each there once.
  object(depth) {
    const out = Object.create(null);
    let before = null;
    this.expect('{');
    if (this.take('}')) return out;
    do {
      const key = this.string();
      this.need(before === null || before < key, 'a member twice, or members in another order');
      this.expect(':');
      out[key] = this.value(depth + 1);
      before = key;
    } while (this.take(','));
    this.expect('}');
    return out;
  }
}

export function parse(text) {
  need(typeof text === 'string', 'JSON: a text is expected');
  need(text.length <= TEXT_BYTES_MAX / 3 || utf8(text).length <= TEXT_BYTES_MAX,
    'JSON: longer than 8 MiB');
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.need(reader.at === text.length, 'more behind the value');
  return value;
}
