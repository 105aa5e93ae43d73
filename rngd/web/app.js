// The page of the appliance: the floor, its tables and rounds, the log, statistics, acts of two
// persons, the machine itself, catalogues. It asks the API it was served beside every few seconds
// and follows the log. What is not now is said to be so, and then nothing looks good.

import { get, Refusal } from './app/api.js';
import { Acts } from './app/acts.js';
import { Catalogues } from './app/catalogue.js';
import { element, say } from './app/dom.js';
import { Feed } from './app/feed.js';
import { Floor } from './app/floor.js';
import { date_time } from './app/format.js';
import { Freshness } from './app/freshness.js';
import { forget_games, learn_game } from './app/games.js';
import { figures_of, History } from './app/history.js';
import { House } from './app/house.js';
import { languages, words_of } from './app/language.js';
import { LogView } from './app/log_view.js';
import { Numbers } from './app/numbers.js';
import { problem_text } from './app/problem.js';
import { menu_of, route_of } from './app/router.js';
import { sentence, table_name } from './app/sentence.js';
import { status_of, tables_of } from './app/shape.js';
import { show_state } from './app/state.js';
import { Month } from './app/month.js';
import { Returns } from './app/returns.js';
import { Statistics } from './app/statistics.js';
import { RoundView, TableView } from './app/table_view.js';
import { show_ticket } from './app/ticket.js';
import { showLanguage, startLanguage } from './verify_language.js';

const poll_ms = 4000;
const node = (id) => document.getElementById(id);
const nodes = (prefix, names) => Object.fromEntries(names.map((one) =>
  [one, node(`${prefix}-${one}`)]));

const page = { t: undefined, status: undefined, tables: undefined, route: route_of('') };
const fresh = new Freshness();
const house = new House();
const history = new History();
const name_of = (id) => table_name(page.tables?.find((one) => one.id === id) ??
  { id, place: house.books.get(id)?.place }, page.t);

const floor = new Floor(nodes('floor', ['list', 'search', 'only', 'count']), house);
const table_view = new TableView(nodes('table',
  ['head', 'problem', 'rounds', 'search', 'time']), house);
const round_view = new RoundView(nodes('round', ['view', 'problem', 'ticket']), house, show_ticket);
const log = new LogView(nodes('log', ['list', 'state', 'problem', 'pause', 'outcomes', 'table',
  'kind', 'time', 'go', 'live', 'older', 'newer']), name_of);
const numbers = new Numbers(nodes('numbers', ['choice', 'tables', 'progress', 'problem', 'view']));
const statistics = new Statistics(node('statistics-alarms'), node('statistics-view'), history);
const month = new Month(nodes('month', ['box', 'of', 'problem', 'view']));
const returns = new Returns(nodes('returns', ['box', 'problem', 'view']));
const acts = new Acts(nodes('acts', ['list', 'problem', 'form', 'act', 'fields', 'latch',
  'reason']));
const catalogues = new Catalogues(node('catalogues-problem'), node('catalogues-view'));
const feed = new Feed(take, (state, problem) => log.tell(state, problem), restart);

function take(records) {
  const taken = records.filter((one) => house.take(one));
  if (taken.length === 0) return;
  log.take(taken);
  page.soon ??= setTimeout(() => {
    page.soon = undefined;
    show_tables();
  }, 100);
}

/// Another log stands behind the page: nothing of the old one is left.
function restart() {
  house.clear();
  history.clear();
  forget_games();
  log.restart();
}

// ---- The first line

function stale_sentence(why) {
  const { t } = page;
  const time = fresh.time === undefined ? null : date_time(fresh.time, t);
  return [
    element('span', {}, why === 'refused' ? problem_text(fresh.refusal, t)
      : t(`stale.${why}`)),
    time === null ? '' : element('span', { class: 'more' }, t('stale.since', { time })),
  ];
}

function show_sentence() {
  const { t, status } = page;
  const why = fresh.why_stale(performance.now());
  const line = node('sentence');
  document.body.classList.toggle('stale', why !== '');
  if (why !== '') {
    line.className = why === 'never' ? 'sentence quiet' : 'sentence bad';
    say(line, stale_sentence(why));
    return;
  }
  const { tone, text, more } = sentence(status, page.tables, t);
  line.className = `sentence ${tone}`;
  say(line, [element('span', {}, text),
    ...more.map((one) => element('span', { class: 'more' }, one))]);
}

function show_me() {
  const { t, status } = page;
  const me = status?.client;
  if (!me) return;
  say(node('me'), [t('me.who', { id: me.id,
    roles: (me.roles ?? []).map((one) => t.code('role', one)).join(', ') })]);
}

// ---- Views

function show_tables() {
  const { t, status, tables } = page;
  if (!status) return;
  for (const one of tables ?? []) {
    learn_game(one.catalogue, one.game, t.language).then((learnt) => learnt && show_tables());
  }
  const { view, value } = page.route;
  if (view === 'floor') floor.show(tables, status.time, t);
  if (view === 'table') table_view.update(tables?.find((one) => one.id === value), status.time);
}

function show_status() {
  const { t, status } = page;
  show_sentence();
  show_me();
  if (!status) return;
  const me = status.client ?? { id: '', roles: [] };
  acts.show(t, me);
  show_tables();
  numbers.show(t, page.tables, status.time, status.size);
  log.size = status.size;
  if (page.route.view === 'appliance') {
    show_state(status, t, node('state-ready'), node('state-view'));
    statistics.show(status, t);
    returns.show(t, me);
    month.show(t, me, status.time);
  }
}

/// The entry of the menu on whose view the page stands: a phone shows a part of the menu.
function show_entry(menu, entry) {
  menu.scrollLeft = entry.offsetLeft - menu.offsetLeft -
    (menu.clientWidth - entry.offsetWidth) / 2;
}

function open_route() {
  page.route = route_of(location.hash);
  const { view, value, kind } = page.route;
  for (const one of document.querySelectorAll('main > section')) {
    one.hidden = one.id !== `view-${view}`;
  }
  for (const one of node('menu').querySelectorAll('a')) {
    const current = one.dataset.view === menu_of(view);
    one.toggleAttribute('aria-current', current);
    if (current) show_entry(node('menu'), one);
  }
  show_status();
  if (view === 'table') table_view.open(value, page.t);
  if (view === 'round') round_view.open(value, page.t);
  if (view === 'numbers') numbers.open(value, page.t);
  if (view === 'log') {
    log.show(page.t, page.tables);
    log.open(kind, value);
  }
  if (view === 'acts') acts.refresh();
  if (view === 'catalogues') catalogues.show(page.t);
}

// ---- Questions

async function poll() {
  try {
    const status = status_of(await get('/v1/status'));
    let tables;
    try {
      tables = tables_of(await get('/v1/tables'));
    } catch (error) {
      if (!(error instanceof Refusal) || error.problem.status !== 403) throw error;
    }
    const begun = page.status === undefined;
    Object.assign(page, { status, tables });
    fresh.answered(status.time, performance.now());
    history.see(status.time / 1000, status.boot, figures_of(status));
    feed.hear_size(status.size);
    show_status();
    if (begun && ['numbers', 'log'].includes(page.route.view)) open_route();
    if (page.route.view === 'acts') await acts.refresh();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    fresh.refused(error.problem);
  } finally {
    setTimeout(poll, poll_ms);
    show_status();
  }
}

function speak(language) {
  page.t = words_of(language);
  const { t } = page;
  showLanguage(language, t('page.title'), t);
  node('menu').setAttribute('aria-label', t('page.menu'));
  statistics.forget();
  log.show(t, page.tables);
  open_route();
}

addEventListener('hashchange', () => {
  open_route();
  scrollTo(0, 0);
  node('content').focus({ preventScroll: true });
});
startLanguage(languages, speak);
poll();
setInterval(show_sentence, 1000);
