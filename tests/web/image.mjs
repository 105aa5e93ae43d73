// Pictures as Chromium makes them (PNG, 8 bits, not interlaced): read, made small, compared,
// written.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function predict(kind, left, above, corner) {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(guess - one));
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/// {width, height, pixels}: three bytes a pixel.
export function read_png(bytes) {
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('no PNG');
  let at = 8;
  let head;
  const parts = [];
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (name === 'IHDR') head = data;
    if (name === 'IDAT') parts.push(data);
    at += size + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const channels = { 2: 3, 6: 4 }[head[9]];
  if (head[8] !== 8 || channels === undefined || head[12] !== 0) throw new Error('another PNG');
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const rows = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const kind = raw[y * (line + 1)];
    for (let x = 0; x < line; x += 1) {
      const here = y * line + x;
      const left = x >= channels ? rows[here - channels] : 0;
      const above = y > 0 ? rows[here - line] : 0;
      const corner = x >= channels && y > 0 ? rows[here - line - channels] : 0;
      rows[here] = raw[y * (line + 1) + 1 + x] + predict(kind, left, above, corner);
    }
  }
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    rows.copy(pixels, i * 3, i * channels, i * channels + 3);
  }
  return { width, height, pixels };
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

export function write_png({ width, height, pixels }) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    pixels.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3);
  }
  return Buffer.concat([signature, chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

/// The mean of each square of `by` pixels, in steps of 8: what is too small to see costs no room.
export function small({ width, height, pixels }, by) {
  const [w, h] = [Math.floor(width / by), Math.floor(height / by)];
  const out = Buffer.alloc(w * h * 3);
  for (let y = 0; y < h; y += 1) for (let x = 0; x < w; x += 1) for (let c = 0; c < 3; c += 1) {
    let sum = 0;
    for (let dy = 0; dy < by; dy += 1) for (let dx = 0; dx < by; dx += 1) {
      sum += pixels[((y * by + dy) * width + x * by + dx) * 3 + c];
    }
    out[(y * w + x) * 3 + c] = Math.min(255, Math.round(sum / by / by / 8) * 8);
  }
  return { width: w, height: h, pixels: out };
}

/// The share of pixels that differ by more than `step` in a colour; 1: another size.
export function difference(a, b, step) {
  if (a.width !== b.width || Math.abs(a.height - b.height) > 4) return 1;
  const count = a.width * Math.min(a.height, b.height);
  let differ = 0;
  for (let i = 0; i < count; i += 1) {
    for (let c = 0; c < 3; c += 1) {
      if (Math.abs(a.pixels[i * 3 + c] - b.pixels[i * 3 + c]) > step) {
        differ += 1;
        break;
      }
    }
  }
  return differ / count;
}
