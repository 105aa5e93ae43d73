// QR codes (ISO/IEC 18004) of short texts: byte mode, error correction M, versions 1 to 10. Pure:
// `qr_modules(text)` gives rows of booleans, true is dark.

// For each version: check bytes a block, and the blocks as [count, data bytes].
const versions = [
  null, [10, [[1, 16]]], [16, [[1, 28]]], [26, [[1, 44]]], [18, [[2, 32]]], [24, [[2, 43]]],
  [16, [[4, 27]]], [18, [[4, 31]]], [22, [[2, 38], [2, 39]]], [22, [[3, 36], [2, 37]]],
  [26, [[4, 43], [1, 44]]],
];
const alignments = [null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38],
  [6, 24, 42], [6, 26, 46], [6, 28, 50]];

// ---- The field of 256 elements, x^8 + x^4 + x^3 + x^2 + 1

const exponents = [];
const logarithms = [];
for (let i = 0, value = 1; i < 255; i += 1) {
  exponents[i] = value;
  logarithms[value] = i;
  value = value * 2 ^ (value > 127 ? 0x11d : 0);
}
const times = (a, b) => (a === 0 || b === 0 ? 0
  : exponents[(logarithms[a] + logarithms[b]) % 255]);

function check_bytes(data, count) {
  let generator = [1];
  for (let i = 0; i < count; i += 1) {
    const next = [...generator, 0];
    generator.forEach((one, k) => { next[k + 1] ^= times(one, exponents[i]); });
    generator = next;
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let i = 0; i < data.length; i += 1) {
    const factor = rest[i];
    generator.forEach((one, k) => { rest[i + k] ^= times(one, factor); });
  }
  return rest.slice(data.length);
}

// ---- Bytes

const capacity = (version) => versions[version][1].reduce((sum, [count, size]) =>
  sum + count * size, 0);

function data_bytes(bytes, version) {
  const bits = [];
  const put = (value, length) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push(value >> i & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const one of bytes) put(one, 8);
  const all = capacity(version) * 8;
  put(0, Math.min(4, all - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const out = [];
  for (let i = 0; i < bits.length; i += 8) {
    out.push(bits.slice(i, i + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  }
  for (let pad = 0; out.length < all / 8; pad ^= 1) out.push(pad === 0 ? 0xec : 0x11);
  return out;
}

function interleaved(data, version) {
  const [check_count, groups] = versions[version];
  const blocks = [];
  let at = 0;
  for (const [count, size] of groups) {
    for (let i = 0; i < count; i += 1) {
      blocks.push(data.slice(at, at + size));
      at += size;
    }
  }
  const checks = blocks.map((one) => check_bytes(one, check_count));
  const longest = Math.max(...blocks.map((one) => one.length));
  const out = [];
  for (let i = 0; i < longest; i += 1) for (const one of blocks) if (i < one.length) out.push(
    one[i]);
  for (let i = 0; i < check_count; i += 1) for (const one of checks) out.push(one[i]);
  return out;
}

// ---- Modules

function frame(version) {
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (x, y, value) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    dark[y][x] = value;
    fixed[y][x] = true;
  };
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let dy = -4; dy <= 4; dy += 1) for (let dx = -4; dx <= 4; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
    }
  }
  for (let i = 8; i < size - 8; i += 1) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  const centres = alignments[version];
  for (const cy of centres) for (const cx of centres) {
    const last = centres.at(-1);
    if ((cx === 6 && cy === 6) || (cx === 6 && cy === last) || (cx === last && cy === 6)) continue;
    for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) {
      set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  return { size, dark, fixed, set };
}

function remainder(value, polynomial, length) {
  let rest = value << length;
  for (let bit = 31; bit >= length; bit -= 1) {
    if (rest >>> bit & 1) rest ^= polynomial << (bit - length);
  }
  return rest;
}

function put_format({ size, set }, version, mask) {
  const word = (mask << 10 | remainder(mask, 0x537, 10)) ^ 0x5412;  // M has the bits 00
  for (let i = 0; i < 15; i += 1) {
    const value = (word >> i & 1) === 1;
    if (i < 6) set(8, i, value);
    else if (i < 8) set(8, i + 1, value);
    else if (i === 8) set(7, 8, value);
    else set(14 - i, 8, value);
    if (i < 8) set(size - 1 - i, 8, value);
    else set(8, size - 15 + i, value);
  }
  set(8, size - 8, true);
  if (version < 7) return;
  const name = version << 12 | remainder(version, 0x1f25, 12);
  for (let i = 0; i < 18; i += 1) {
    const value = (name >> i & 1) === 1;
    set(Math.floor(i / 3), size - 11 + i % 3, value);
    set(size - 11 + i % 3, Math.floor(i / 3), value);
  }
}

function put_data({ size, dark, fixed }, bytes) {
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const up = (right + 1 & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y][x]) continue;
        dark[y][x] = at < bytes.length * 8 && (bytes[at >> 3] >> (7 - (at & 7)) & 1) === 1;
        at += 1;
      }
    }
  }
}

const masks = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2,
];

function penalty(dark) {
  const size = dark.length;
  const lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x]))];
  let sum = 0;
  for (const line of lines) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0+|1+/g)) if (run.length >= 5) sum += run.length - 2;
    for (let i = 0; i + 11 <= size; i += 1) {
      if (/^(10111010000|00001011101)$/.test(text.slice(i, i + 11))) sum += 40;
    }
  }
  for (let y = 1; y < size; y += 1) for (let x = 1; x < size; x += 1) {
    if (dark[y][x] === dark[y - 1][x] && dark[y][x] === dark[y][x - 1] &&
        dark[y][x] === dark[y - 1][x - 1]) sum += 3;
  }
  const count = dark.flat().filter(Boolean).length;
  return sum + 10 * Math.floor(Math.abs(count * 20 - size * size * 10) / (size * size));
}

/// Null: the text is longer than version 10 holds (213 bytes).
export function qr_modules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = versions.findIndex((one, i) => one !== null &&
    bytes.length + (i < 10 ? 2 : 3) <= capacity(i));
  if (version < 0) return null;
  const all = interleaved(data_bytes(bytes, version), version);
  let best = null;
  masks.forEach((mask, number) => {
    const one = frame(version);
    put_format(one, version, number);
    put_data(one, all);
    one.dark.forEach((row, y) => row.forEach((_, x) => {
      if (!one.fixed[y][x] && mask(x, y) === 0) row[x] = !row[x];
    }));
    const cost = penalty(one.dark);
    if (best === null || cost < best.cost) best = { cost, dark: one.dark };
  });
  return best.dark;
}
