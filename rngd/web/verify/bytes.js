// Bytes and their spellings: hex, base64, base64url, numbers, fields and domains (FORMAT.md,
// section 1). Each value has exactly one spelling; every other one is refused.
import { need } from './refused.js';

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);

/// Text of bytes that must be UTF-8. A byte order mark stays, so that whoever reads on refuses it.
export function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return need(false, 'the bytes are not UTF-8');
  }
}

export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export const same = (one, other) => one.length === other.length &&
  one.every((byte, i) => byte === other[i]);

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/// `size` null: any length.
export function unhex(text, size = 32) {
  need(typeof text === 'string' && /^([0-9a-f]{2})*$/.test(text), 'malformed hex');
  need(size === null || text.length === 2 * size, 'hex of another length');
  return Uint8Array.from({ length: text.length / 2 },
                         (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

function binary(bytes) {
  let out = '';
  for (let at = 0; at < bytes.length; at += 8192) out += String.fromCharCode(
    ...bytes.subarray(at, at + 8192));
  return out;
}

export const base64 = (bytes) => btoa(binary(bytes));

export function unbase64(text) {
  need(typeof text === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0,
                                      'malformed base64');
  let data;
  try {
    data = atob(text);
  } catch {
    need(false, 'malformed base64');
  }
  need(btoa(data) === text, 'base64 in another spelling');
  return Uint8Array.from(data, (character) => character.charCodeAt(0));
}

export function unbase64url(text) {
  need(typeof text === 'string' && /^[A-Za-z0-9_-]*$/.test(text), 'malformed base64url');
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return unbase64(standard + '='.repeat((4 - (standard.length % 4)) % 4));
}

export function u32(value) {
  need(Number.isInteger(value) && value >= 0 && value < 2 ** 32, 'a number outside 32 bits');
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, value);
  return out;
}

/// Length, then the bytes of a text or of bytes.
export function field(value) {
  const bytes = typeof value === 'string' ? utf8(value) : value;
  return concat(u32(bytes.length), bytes);
}

/// What every hash of the house begins with.
export const domain = (name) => utf8(`talla/v2/${name}\0`);
