// The playground: a catalogue, a game, bets, cards or numbers, what the rules make of them, and
// what the bets are worth. It needs these files alone: no appliance is asked.
import { enginesHere } from '../settle/here.js';
import { showLanguage, startLanguage } from '../verify_language.js';
import { element } from '../verify_view.js';
import { controlsView } from './controls.js';
import { OddsDesk } from './odds_desk.js';
import { parametersView } from './parameters.js';
import { Round } from './round.js';
import { betsView, cameView, oddsView, rulesView, settledView } from './view.js';
import { WORDS, say } from './words.js';

const MIN = 5;  // every game of the catalogues opens at it
const byId = (id) => document.getElementById(id);
const page = { language: 'en', engines: null, described: null, round: null, refusal: null,
  shown: 'loading', odds: null, params: {} };
const desk = new OddsDesk();
const words = (key, values) => say(page.language, key, values);

function drawWords() {
  showLanguage(page.language, `${words('title')} - Talla`, (key) =>
    words(key, { currency: page.described?.currency ?? '' }));
  byId('state').textContent = page.shown === '' ? '' : words(page.shown);
  byId('state').hidden = page.shown === '';
  byId('play').hidden = page.shown !== '';
}

function draw() {
  drawWords();
  if (page.round === null) return;
  const { language, round, described } = page;
  const refusal = page.refusal ?? round.refusal;
  byId('refusal').textContent = refusal === null ? ''
    : words('refused', { why: refusal.detail === '' ? refusal.code : refusal.detail });
  byId('refusal').hidden = refusal === null;
  byId('controls').replaceChildren(...controlsView(language, round, described, act));
  byId('table').replaceChildren(...betsView(language, round, described.game),
    ...cameView(language, round));
  byId('settled').replaceChildren(...settledView(language, round, described));
  byId('parameters').replaceChildren(...parametersView(language, described.game, page.params, set));
  byId('rules').replaceChildren(...rulesView(described.rules));
  byId('scenario').textContent = JSON.stringify(round.scenario);
  drawOdds();
}

function drawOdds() {
  const own = Object.keys(page.params).length > 0;
  byId('odds').replaceChildren(...oddsView(page.language, page.odds, page.described.game, own));
}

function act(work) {
  page.refusal = work();
  draw();
}

/// A new table of the game that is chosen; in another language the round goes on.
function open(acts = []) {
  const [catalogue, game] = [byId('catalogue').value, byId('game').value];
  page.described = page.engines.describeGame(catalogue, game, page.language);
  const { currency, base } = page.described;
  page.refusal = null;
  page.round = new Round(page.engines,
    { catalogue, game, currency, base, min: Number(byId('min').value), params: page.params },
    page.language);
  for (const one of acts) page.round.take(one);
  draw();
}

function askOdds() {
  page.odds = null;
  drawOdds();
  const { catalogue, game } = page.round.head;
  desk.ask({ catalogue, game, params: page.params }, (odds) => {
    page.odds = odds;
    drawOdds();
  });
}

/// Another table, at other values; the one that was moved last keeps the focus.
function set(params) {
  const { id } = document.activeElement ?? {};
  page.params = params;
  open();
  askOdds();
  if (id) byId(id)?.focus();
}

function listGames() {
  const { games } = page.engines.listGames(byId('catalogue').value, page.language);
  const chosen = byId('game').value;
  const served = games.filter((one) => one.served);
  byId('game').replaceChildren(...served.map((one) => element('option', { value: one.game },
    one.text)));
  if (served.some((one) => one.game === chosen)) byId('game').value = chosen;
}

/// What `select` takes: a link may say anything.
function choose(select, value) {
  if ([...select.options].some((one) => one.value === value)) select.value = value;
}

/// A link to a game: play.html#CATALOGUE/GAME.
function chooseByLink() {
  const [catalogue, game] = location.hash.slice(1).split('/');
  choose(byId('catalogue'), catalogue);
  listGames();
  choose(byId('game'), game);
}

/// The game that is chosen, on a new table; a reload, or the link in the address, opens it again.
function show() {
  history.replaceState(null, '', `#${byId('catalogue').value}/${byId('game').value}`);
  page.params = {};
  open();
  askOdds();
}

function chooseLanguage(language) {
  page.language = language;
  if (page.engines === null) return drawWords();
  const acts = page.round?.acts ?? [];
  listGames();
  return open(acts);
}

async function load() {
  try {
    page.engines = await enginesHere();
    page.shown = page.engines === null ? 'no_engines' : '';
  } catch {
    page.shown = 'stopped';
  }
  if (page.engines === null) {
    drawWords();
    return;
  }
  const { catalogues } = page.engines.listGames('', page.language);
  byId('catalogue').replaceChildren(...catalogues.map((id) =>
    element('option', { value: id }, id)));
  byId('min').value = String(MIN);
  chooseByLink();
  show();
  addEventListener('hashchange', () => {
    chooseByLink();
    show();
  });
}

function start() {
  byId('catalogue').addEventListener('change', () => {
    listGames();
    show();
  });
  byId('game').addEventListener('change', show);
  byId('min').addEventListener('change', () => open());
  byId('again').addEventListener('click', () => open());
  startLanguage(Object.keys(WORDS), chooseLanguage);
  load();
}

start();
