// The page that verifies evidence: files are chosen, dropped or fetched from this server, and
// judged in the browser. A file is never sent anywhere, and the root certificate is never taken
// from the server: the reader brings it.
import { Refused, verifyBundle } from './verify/verify.js';
import { detailsView, element, refusedView, verdictView } from './verify_view.js';
import { WORDS, say } from './verify_words.js';

const BYTES_MAX = 64 * 1024 * 1024;
const LANGUAGE_NAME = 'talla.language';
const SLOTS = ['bundle', 'roots', 'openings', 'type-root', 'installation-root', 'withdrawal'];
const byId = (id) => document.getElementById(id);

/// What was chosen so far: `files[slot]` has `name` and `bytes`; `shown` draws the result again in
/// another language.
const page = { language: 'en', files: {}, shown: null, run: 0 };
const words = (key, values) => say(page.language, key, values);

function rememberedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_NAME);
  } catch {
    return null;  // a reader may forbid storage
  }
}

function chooseLanguage(language) {
  page.language = language;
  document.documentElement.lang = language;
  document.title = `${words('title')} - Talla`;
  for (const node of document.querySelectorAll('[data-word]')) node.textContent =
    words(node.dataset.word);
  for (const button of document.querySelectorAll('[data-language]')) {
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
  }
  nameFiles();
  page.shown?.();
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
  page.files[slot] = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  page.run += 1;
  nameFiles();
  return showWords('nothing_yet');
}

/// Which of the three a dropped file is, by how it begins.
async function slotOf(file) {
  const text = await file.slice(0, 4096).text();
  if (text.includes('-----BEGIN CERTIFICATE-----') ||
      /\.(pem|crt|cer)$/i.test(file.name)) return 'roots';
  return text.startsWith('{"close":') ? 'openings' : 'bundle';
}

async function drop(event) {
  event.preventDefault();
  for (const file of event.dataTransfer.files) await keep(await slotOf(file), file);
}

async function verify(event) {
  event.preventDefault();
  const { bundle, roots, openings } = page.files;
  if (bundle === undefined) return showWords('need_bundle');
  if (roots === undefined) return showWords('need_roots');
  const run = ++page.run;
  showWords('working');
  const draw = await judge(bundle.bytes, {
    roots: roots.bytes, openings: openings?.bytes ?? null, certification: certification(),
  });
  // Another file was chosen meanwhile: this verdict is not about it.
  return run === page.run ? show(draw) : undefined;
}

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

async function judge(bundle, options) {
  try {
    const result = await verifyBundle(bundle, options);
    return () => [[verdictView(page.language, result)], detailsView(page.language, result)];
  } catch (error) {
    const why = error instanceof Refused ? error.message : `the page failed: ${error}`;
    return () => [[refusedView(page.language, why)]];
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
    if (wanted()) page.files.bundle = { name: path, bytes, fetched: true };
    return nameFiles();
  } catch (error) {
    return wanted() ? showWords('fetch_failed', { name: path, why: error.message }) : undefined;
  }
}

function start() {
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      chooseLanguage(button.dataset.language);
      try {
        localStorage.setItem(LANGUAGE_NAME, page.language);
      } catch {
        // Nothing is lost but the memory of the choice.
      }
    });
  }
  for (const slot of SLOTS) {
    byId(slot).addEventListener('change', ({ target }) => target.files.length > 0 &&
                                keep(slot, target.files[0]));
  }
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', drop);
  byId('form').addEventListener('submit', verify);
  const spoken = [rememberedLanguage(), ...navigator.languages.map((tag) => tag.split('-')[0]),
                  'en'];
  showWords('nothing_yet');
  chooseLanguage(spoken.find((language) => language !== null && Object.hasOwn(WORDS, language)));
  const path = new URLSearchParams(location.search).get('bundle');
  if (path !== null) fetchBundle(path);
}

start();
