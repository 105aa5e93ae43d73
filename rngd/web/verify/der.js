// A reader of DER, as far as certificates and ECDSA signatures need it (FORMAT.md, section 5).
// Only definite, shortest lengths and tags of one byte; whoever opens an element must read it to
// its end.
import { hex } from './bytes.js';
import { need } from './refused.js';

export const TAG = {
  boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31,
  utcTime: 0x17, generalizedTime: 0x18,
};

export class Der {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get empty() {
    return this.at === this.bytes.length;
  }

  /// Tag of the next element, undefined at the end.
  get tag() {
    return this.bytes[this.at];
  }

  /// The next element: tag, content, and `whole` with tag and length.
  element(tag = this.tag) {
    const begin = this.at;
    need(!this.empty && this.tag === tag && (tag & 0x1f) !== 0x1f, 'DER: another element is ' +
        'expected');
    this.at += 1;
    const length = this.length();
    need(length <= this.bytes.length - this.at, 'DER: cut short');
    this.at += length;
    return { tag, content: this.bytes.subarray(this.at - length, this.at),
            whole: this.bytes.subarray(begin, this.at) };
  }

  length() {
    const first = this.bytes[this.at++];
    need(first !== undefined && first !== 0x80 && first <= 0x83, 'DER: no length of this format');
    if (first < 0x80) return first;
    let length = 0;
    for (let i = 0; i < first - 0x80; ++i) {
      need(!this.empty, 'DER: cut short');
      length = length * 256 + this.bytes[this.at++];
    }
    need(length >= 0x80 && length >= 256 ** (first - 0x81), 'DER: a length that is not the ' +
                                                            'shortest');
    return length;
  }

  content(tag) {
    return this.element(tag).content;
  }

  open(tag) {
    return new Der(this.content(tag));
  }

  optional(tag) {
    return this.tag === tag ? this.element(tag) : null;
  }

  end() {
    need(this.empty, 'DER: more than is known here');
  }

  /// Content of an INTEGER in its shortest form.
  integer() {
    const content = this.content(TAG.integer);
    const [first, second = null] = content;
    const padded = second !== null && ((first === 0 && second < 0x80) ||
                                       (first === 0xff && second >= 0x80));
    need(content.length > 0 && !padded, 'DER: an integer that is not the shortest');
    return content;
  }

  /// A small INTEGER that is not negative.
  number() {
    const content = this.integer();
    need(content[0] < 0x80 && content.length <= 4, 'DER: a number out of range');
    return content.reduce((sum, byte) => sum * 256 + byte, 0);
  }

  boolean() {
    const content = this.content(TAG.boolean);
    need(content.length === 1 && (content[0] === 0 || content[0] === 0xff), 'DER: no boolean');
    return content[0] === 0xff;
  }

  /// BIT STRING of whole bytes.
  bits() {
    const content = this.content(TAG.bits);
    need(content.length > 0 && content[0] === 0, 'DER: bits that are not whole bytes');
    return content.subarray(1);
  }

  /// OBJECT IDENTIFIER, as hex of its content: identifiers are only ever compared.
  oid() {
    const content = this.content(TAG.oid);
    need(content.length > 0, 'DER: an empty identifier');
    return hex(content);
  }
}

/// Exactly one element of this tag, and its inside.
export function single(bytes, tag) {
  const der = new Der(bytes);
  const inside = der.open(tag);
  der.end();
  return inside;
}
