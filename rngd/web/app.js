// The page of the appliance: state, statistics, draws, catalogues. It asks the API it was served
// beside, every few seconds, and keeps nothing but the last hour in its own memory. Each part fails
// by itself; the others go on.

import { get, Refusal } from './app/api.js';
import { Catalogues } from './app/catalogue.js';
import { element, say } from './app/dom.js';
import { Draws } from './app/draws.js';
import { date_time } from './app/format.js';
import { figures_of, History } from './app/history.js';
import { first_language, remember_language, remembered_language,
        words_of } from './app/language.js';
import { problem_text } from './app/problem.js';
import { show_state } from './app/state.js';
import { Statistics } from './app/statistics.js';

const poll_ms = 5000;
const node = (id) => document.getElementById(id);

const history = new History();
const statistics = new Statistics(node('statistics-alarms'), node('statistics-view'), history);
const draws = new Draws({
  list: node('draws-list'), state: node('draws-state'), problem: node('draws-problem'),
  pause: node('draws-pause'), outcomes: node('draws-outcomes'),
});
const catalogues = new Catalogues(node('catalogues-problem'), node('catalogues-view'));

let t;
let status;  // the last one that came
let refusal = null;  // why the newest one did not

function show_status() {
  say(node('state-problem'), refusal === null ? []
      : [element('div', { class: 'banner bad' }, problem_text(refusal, t),
    status ? element('p', {}, t('state.stale', { time: date_time(status.time, t) })) : null)]);
  if (!status) return;
  // What it said last says nothing about now: the facts stay to be read, "ready" does not.
  node('state-ready').hidden = refusal !== null;
  show_state(status, t, node('state-ready'), node('state-view'));
  statistics.show(status, t);
}

async function poll() {
  try {
    status = await get('/v1/status');
    refusal = null;
    history.add(status.time / 1000, status.boot, figures_of(status));
    draws.hear_size(status.size);
    if (!catalogues.known) catalogues.show(t);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.problem;
  } finally {
    setTimeout(poll, poll_ms);
  }
  show_status();
}

function speak(language) {
  t = words_of(language);
  document.documentElement.lang = language;
  document.title = t('page.title');
  node('menu').setAttribute('aria-label', t('page.menu'));
  for (const one of document.querySelectorAll('[data-word]')) one.textContent = t(one.dataset.word);
  for (const one of document.querySelectorAll('[data-language]')) {
    one.setAttribute('aria-pressed', String(one.dataset.language === language));
  }
  statistics.forget();
  show_status();
  draws.show(t);
  catalogues.show(t);
}

for (const button of document.querySelectorAll('[data-language]')) {
  button.addEventListener('click', () => {
    remember_language(button.dataset.language);
    speak(button.dataset.language);
  });
}
speak(first_language(remembered_language(), globalThis.navigator.languages ??
                     [globalThis.navigator.language]));
poll();
