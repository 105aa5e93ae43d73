// The page that verifies evidence: files are chosen, dropped or fetched from this server, and
// judged in the browser. A file is never sent anywhere, and the root certificate is never taken
// from the server: the reader brings it once, and this browser keeps it.
import { DIGEST, settleHere } from './settle/here.js';
import { Refused, verifyBundle } from './verify/verify.js';
import { helpFor, helpOf, kindOf } from './verify_help.js';
import { showLanguage, startLanguage } from './verify_language.js';
import { fingerprintOf, forgetRoot, rememberedRoot, rememberRoot } from './verify_root.js';
import { seatOf } from './verify_story.js';
import { detailsView, element, refusedView, verdictView } from './verify_view.js';
import { WORDS, say } from './verify_words.js';

const BYTES_MAX = 64 * 1024 * 1024;
const SLOTS = ['bundle', 'roots', 'openings', 'type-root', 'installation-root', 'withdrawal'];
const byId = (id) => document.getElementById(id);

/// What was chosen so far: `files[slot]` has `name` and `bytes`; `shown` draws the result again in
/// another language.
const page = { language: 'en', files: {}, shown: null, run: 0, seat: null, kept: null };
const words = (key, values) => say(page.language, key, values);

function chooseLanguage(language) {
  page.language = language;
  showLanguage(language, `${words('title')} - Talla`, words);
  nameFiles();
  nameRoot();
  page.shown?.();
}

/// The root that this browser keeps, with what to know it by.
async function nameRoot() {
  const { kept } = page;
  byId('root-kept').hidden = kept === null;
  if (kept === null) return;
  const since = new Intl.DateTimeFormat(page.language === 'es' ? 'es-ES' : 'en-GB')
    .format(new Date(kept.since));
  byId('root-words').textContent = words('root_kept', { name: kept.name, since });
  byId('root-fingerprint').textContent = words('root_fingerprint', {
    fingerprint: await fingerprintOf(kept.pem) ?? '–' });
}

function forget() {
  forgetRoot();
  page.kept = null;
  delete page.files.roots;
  byId('roots').value = '';
  page.run += 1;
  nameFiles();
  nameRoot();
  showWords('nothing_yet');
}

function nameFiles() {
  for (const slot of SLOTS) {
    const file = page.files[slot];
    const name = file === undefined ? '' : file.fetched ? words('from_server', { name: file.name })
      : file.name;
    byId(`${slot}-name`).textContent = name;
  }
}

/// `draw` gives the verdict's elements and those of its details.
function show(draw) {
  page.shown = () => {
    const [verdict, details = []] = draw();
    byId('verdict').replaceChildren(...verdict);
    byId('details').replaceChildren(...details);
  };
  page.shown();
}

const showWords = (key, values) => show(() => [[element('p', {}, words(key, values))]]);

async function keep(slot, file) {
  if (file.size > BYTES_MAX) return showWords('too_large', { name: file.name });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const help = helpFor(slot, kindOf(bytes));
  page.run += 1;
  if (help !== '') {
    delete page.files[slot];
    nameFiles();
    return showHelp(help);
  }
  page.files[slot] = { name: file.name, bytes };
  nameFiles();
  return page.files.bundle && page.files.roots ? verify() : showNext();
}

/// What is missing, in words.
function showNext() {
  return showWords(page.files.bundle === undefined ? 'nothing_yet' : 'root_needed');
}

const showHelp = (key) => show(() =>
  [[element('div', { class: 'banner warn story' }, words(key))]]);

/// Which of the three a dropped file is, by how it begins.
async function slotOf(file) {
  const kind = kindOf(new Uint8Array(await file.slice(0, 4096).arrayBuffer()));
  return ['roots', 'openings'].includes(kind) ? kind : 'bundle';
}

async function drop(event) {
  event.preventDefault();
  for (const file of event.dataTransfer.files) await keep(await slotOf(file), file);
}

async function verify(event) {
  event?.preventDefault();
  const { bundle, roots, openings } = page.files;
  if (bundle === undefined) return showWords('need_bundle');
  if (roots === undefined) return showNext();
  const run = ++page.run;
  showWords('working');
  const [draw, good] = await judge(bundle.bytes, {
    roots: roots.bytes, openings: openings?.bytes ?? null, certification: certification(),
    settle: settleHere,
  });
  // Another file was chosen meanwhile: this verdict is not about it.
  if (run !== page.run) return undefined;
  if (good && !roots.kept) await keepRoot(roots);
  return show(draw);
}

/// A root that good evidence stands on is there for the next ticket.
async function keepRoot({ name, bytes }) {
  rememberRoot(name, new TextDecoder().decode(bytes));
  page.kept = rememberedRoot();
  await nameRoot();
}

const here = () => (matchMedia('(pointer: coarse)').matches || innerWidth < 600 ? 'phone'
  : 'browser');

/// Whom the reader trusts to certify, as far as he named them.
function certification() {
  const roots = {};
  for (const kind of ['type', 'installation']) {
    const file = page.files[`${kind}-root`];
    if (file !== undefined) roots[kind] = file.bytes;
  }
  const withdrawal = page.files.withdrawal;
  return { roots, withdrawals: withdrawal === undefined ? [] : [withdrawal.bytes] };
}

/// [what draws the verdict, whether it holds].
async function judge(bundle, options) {
  try {
    const result = await verifyBundle(bundle, options);
    return [() => [verdictView(page.language, result, page.seat, here()),
                   detailsView(page.language, result)], true];
  } catch (error) {
    const why = error instanceof Refused ? error.message : `the page failed: ${error}`;
    return [() => [refusedView(page.language, why, helpOf(why), here())], false];
  }
}

/// Only a path of this server: a link must not make the page ask elsewhere.
function addressOf(path) {
  if (!/^\/(?![/\\])/.test(path)) return null;
  const address = new URL(path, location.origin);
  return address.origin === location.origin ? address : null;
}

async function fetchBundle(path) {
  const address = addressOf(path);
  if (address === null) return showWords('foreign_address');
  // Whoever chose a file meanwhile wants that one.
  const wanted = () => page.files.bundle === undefined;
  try {
    const reply = await fetch(address, { redirect: 'error', cache: 'no-store' });
    if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    if (bytes.length > BYTES_MAX) return showWords('too_large', { name: path });
    if (!wanted()) return undefined;
    page.files.bundle = { name: path, bytes, fetched: true };
    nameFiles();
    return page.files.roots ? verify() : showNext();
  } catch (error) {
    return wanted() ? show(() => [[element('div', { class: 'banner warn story' },
      words('help_fetch'), element('p', {}, words('fetch_failed',
                                                  { name: path, why: error.message })))]])
      : undefined;
  }
}

function start() {
  for (const slot of SLOTS) {
    byId(slot).addEventListener('change', ({ target }) => target.files.length > 0 &&
                                keep(slot, target.files[0]));
  }
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', drop);
  byId('form').addEventListener('submit', verify);
  page.kept = rememberedRoot();
  if (page.kept !== null) {
    page.files.roots = { name: page.kept.name, kept: true,
      bytes: new TextEncoder().encode(page.kept.pem) };
  }
  byId('root-forget').addEventListener('click', forget);
  byId('engines').hidden = DIGEST === null;
  byId('engines-digest').textContent = DIGEST ?? '';
  const query = new URLSearchParams(location.search);
  page.seat = seatOf(query.get('seat'));
  showWords('nothing_yet');
  startLanguage(Object.keys(WORDS), chooseLanguage);
  const path = query.get('bundle');
  if (path !== null) fetchBundle(path);
}

start();
