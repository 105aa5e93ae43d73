// The page by which a player takes part in a table's draws and shoes: opened by the link of a seat,
// it makes key and number in this browser and gives the number where everything holds.
import { Refused } from '../verify/refused.js';
import { showLanguage, startLanguage } from '../verify_language.js';
import { rememberedRoot } from '../verify_root.js';
import { Api, Problem } from './api.js';
import { parseLink } from './link.js';
import { Session } from './session.js';
import { Hands, Store } from './store.js';
import { betsView, endsView, statusView } from './view.js';
import { WORDS, say } from './words.js';

const PAUSE_MS = 1000;
const byId = (id) => document.getElementById(id);

/// `state`: a key of the words; `bets`: of the newest call that was looked at, undefined: none yet;
/// `decide`: what the two buttons do.
const page = { language: 'en', state: 'connecting', turn: 0, refusal: null, place: null,
  bets: undefined, rules: null, decide: null, session: null, joining: false, ends: '' };
const words = (key, values) => say(page.language, key, values);

function draw() {
  const { language, session, state } = page;
  byId('status').replaceChildren(...statusView(language, page));
  byId('place').textContent = page.link === undefined ? ''
    : words('place', { seat: page.link.seat, place: page.place ?? page.link.table });
  const joins = ['ready', 'second', 'replaced', 'busy'].includes(state) && page.refusal === null;
  byId('join').hidden = !joins;
  byId('join').disabled = page.joining;
  byId('join').textContent = words(state === 'ready' ? 'join' : 'join_again');
  byId('give').hidden = byId('keep').hidden = page.decide === null;
  byId('ask-line').hidden = !session?.shown.joined;
  byId('bets-panel').hidden = page.bets === undefined;
  if (page.bets !== undefined) {
    byId('bets').replaceChildren(...betsView(language, page.bets, page.rules));
  }
  drawEnds(language, session?.history ?? [], session?.shown.verdicts ?? new Map());
}

/// Only what has changed: what a reader has folded out stays so.
function drawEnds(language, history, verdicts) {
  const what = JSON.stringify([language, history, [...verdicts.keys()]]);
  if (what === page.ends) return;
  page.ends = what;
  byId('ends-panel').hidden = history.length === 0;
  byId('ends').replaceChildren(...endsView(language, history, verdicts, page.link?.id,
    page.session?.opening?.record.body));
}

function show(state, more = {}) {
  Object.assign(page, { state }, more);
  draw();
}

function chooseLanguage(language) {
  page.language = language;
  showLanguage(language, `${words('title')} - Talla`, words);
  draw();
}

/// The root of the link: the one that this browser knows from evidence, or one of those that this
/// server gives; the digest in the link decides.
async function rootPem(api, choose) {
  const known = rememberedRoot();
  if (known !== null) {
    try {
      const found = await choose(known.pem);
      if (found !== null) return found;
    } catch {
      // What is remembered may be anything.
    }
  }
  return choose(await api.ask('/v1/roots', { open: true }));
}

const painted = () => new Promise((resolve) => {
  setTimeout(resolve, document.hidden ? 0 : 50);
});

/// This seat's bets stand on the page before its number leaves; the person may keep the number.
async function look(bets, rules, seq) {
  Object.assign(page, { bets, rules });
  if (!byId('ask').checked) {
    draw();
    await painted();
    return;
  }
  const gives = await new Promise((resolve) => {
    show('look', { decide: resolve, turn: page.session.shown.call.turn });
    watchEnd(seq).then(() => resolve(false));
  });
  page.decide = null;
  if (gives) return;
  throw new Refused('kept: the person keeps the number');
}

/// Nobody is asked about a call that has ended.
async function watchEnd(seq) {
  while (page.decide !== null) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      const { ended } = await page.session.api.get(`/v1/calls/${seq}`);
      if (ended) return;
    } catch {
      // Asked again.
    }
  }
}

/// How it stands, from what the session shows.
function stateOf({ joined, other, closed, call, refusal }) {
  if (closed) return ['closed', null];
  if (!joined) return [other ? 'second' : 'ready', null];
  if (other) return ['replaced', null];
  if (refusal?.startsWith('kept: ')) return ['kept', null];
  if (refusal === 'not_named: the call does not name this seat') return ['without', null];
  const { last } = page.session.contributor?.memory ?? { last: null };
  const open = last !== null && !page.session.history.some((one) => one.call === last.seq);
  if (open && page.session.sent === last.seq) return ['given', refusal, last.turn];
  if (call !== null && page.session.answering) return ['checking', refusal, call.turn];
  return ['waiting', refusal];
}

function refresh() {
  if (page.decide !== null) return;
  const [state, refusal, turn = page.turn] = stateOf(page.session.shown);
  show(state, { refusal, turn, place: page.session.opening?.record.body.place ?? null });
}

function failed(error) {
  if (error instanceof Refused) return show('waiting', { refusal: error.message });
  if (error instanceof Problem && error.status === 401) return show('over', { refusal: null });
  return show('offline', { refusal: null });
}

/// Steps one after another, for as long as the page is open.
async function run() {
  for (;;) {
    if (!page.joining) {
      try {
        await page.session.step();
        refresh();
      } catch (error) {
        failed(error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function join() {
  page.joining = true;
  draw();
  try {
    await page.session.join();
    refresh();
  } catch (error) {
    if (error instanceof Problem && error.status === 409) show('busy', { refusal: null });
    else failed(error);
  } finally {
    page.joining = false;
    draw();
  }
}

async function begin() {
  const able = globalThis.crypto?.subtle && globalThis.indexedDB && navigator.locks;
  if (!able) return show('unable');
  let link;
  try {
    link = parseLink(location.hash.slice(1));
  } catch (error) {
    return show('connecting', { refusal: error.message });
  }
  page.link = link;
  draw();
  const store = await Store.open(link);
  page.session = new Session({ link, api: new Api(link.token), store,
    freshHands: () => Hands.fresh(), rootPem, look, changed: refresh });
  // One window of a device: two would answer one beside the other.
  return navigator.locks.request(`talla.contribute ${store.name}`, { ifAvailable: true },
    (lock) => (lock === null ? show('other_tab') : run()));
}

function start() {
  byId('join').addEventListener('click', join);
  byId('give').addEventListener('click', () => page.decide?.(true));
  byId('keep').addEventListener('click', () => page.decide?.(false));
  addEventListener('hashchange', () => location.reload());
  startLanguage(Object.keys(WORDS), chooseLanguage);
  begin();
}

start();
