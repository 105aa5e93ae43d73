// What to do next when a file or a root is not what is needed: a sentence for people, from the
// first bytes of a file or from the verifier's refusal.

const STARTS = [
  ['photo', [0xff, 0xd8, 0xff]], ['photo', [0x89, 0x50, 0x4e, 0x47]], ['photo', [0x47, 0x49, 0x46]],
  ['paper', [0x25, 0x50, 0x44, 0x46]], ['packed', [0x50, 0x4b, 0x03, 0x04]],
  ['packed', [0x1f, 0x8b]],
];
const CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const SECRET = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const begins = (bytes, start) => start.every((one, i) => bytes[i] === one);
/// HEIC and WebP have their name some bytes in.
const isPicture = (text) => /^.{4}ftyp(heic|heix|mif1|avif)/s.test(text) ||
  /^RIFF.{4}WEBP/s.test(text);

/// What a file is by its first bytes: bundle, roots, openings, photo, paper, packed, page, secret,
/// empty or unknown.
export function kindOf(bytes) {
  const found = STARTS.find(([, start]) => begins(bytes, start));
  if (found) return found[0];
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  if (text.trim() === '') return 'empty';
  if (isPicture(text)) return 'photo';
  if (SECRET.test(text)) return 'secret';
  if (text.includes(CERTIFICATE)) return 'roots';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'page';
  if (text.startsWith('{"close":')) return 'openings';
  return text.startsWith('{') ? 'bundle' : 'unknown';
}

/// The word of the sentence that helps where a slot got something else; '' where it fits.
export function helpFor(slot, kind) {
  if (kind === slot) return '';
  if (kind === 'secret') return 'help_secret';
  if (slot === 'openings') return kind === 'bundle' ? '' : 'help_openings';
  if (slot === 'roots') return kind === 'bundle' ? 'help_root_is_bundle' : 'help_root';
  return { photo: 'help_photo', paper: 'help_paper', packed: 'help_packed', page: 'help_page',
    roots: 'help_bundle_is_root', empty: 'help_empty' }[kind] ?? 'help_bundle';
}

/// The same of a refusal of the verifier; '' where only its own words help.
export function helpOf(why) {
  if (/no valid chain to a trusted root/.test(why)) {
    return /not valid at the recorded time/.test(why) ? 'help_root_time' : 'help_root_other';
  }
  if (/^trusted roots/.test(why)) return 'help_root';
  if (/names another log/.test(why)) return 'help_other_log';
  if (/^settled again: /.test(why)) return 'help_paid';
  return 'help_damaged';
}
