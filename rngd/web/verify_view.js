// The verdict as elements of the page. Text only ever becomes text nodes: nothing of a file is read
// as markup.
import { lineIn } from './verify_lines.js';
import { say } from './verify_words.js';

const SUITS = { C: '\u2663', D: '\u2666', H: '\u2665', S: '\u2660' };

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/// A card's code as people read it.
export function cardText(language, card) {
  if (card === 'Jk') return say(language, 'joker');
  if (/^B\d/.test(card)) return say(language, 'ball', { value: card.slice(1) });
  const rank = card[0] === 'T' ? '10' : card[0];
  const suit = card[1];
  return suit in SUITS ? rank + SUITS[suit] : `${rank} de ${say(language, 'suits')[suit]}`;
}

function outcomeText(language, { voided, outcome }) {
  if (outcome === null) return say(language, 'unrecoverable');
  const [[kind, value]] = Object.entries(outcome);
  const text = say(language, kind, { value: Array.isArray(value) ? value.join(' ') : value });
  return voided ? say(language, 'voided', { value: text }) : text;
}

function table(caption, titles, rows) {
  const head = element('tr', {}, ...titles.map((title) => element('th', { scope: 'col' }, title)));
  const body = rows.map((row) => element('tr', {},
                                         ...row.map((cell) => element('td', {}, String(cell)))));
  return element('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': caption },
    element('table', {}, element('caption', {}, caption), element('thead', {}, head),
            element('tbody', {}, ...body)));
}

function facts(rows) {
  return element('dl', { class: 'facts' }, ...rows.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

/// Microseconds since 1970 in words that sort; the records have no time zone but this one.
function timeText(microseconds) {
  const date = new Date(Math.floor(microseconds / 1000));
  return Number.isNaN(date.getTime()) ? String(microseconds) : date.toISOString().replace('T', ' ')
      .replace('Z', '');
}

function banner(tone, title, ...lines) {
  return element('div', { class: `banner ${tone}` }, title,
                 ...lines.map((line) => element('p', {}, line)));
}

export function verdictView(language, result) {
  // What the rules of a game give is not computed here: a settlement never gets the plain good
  // colour.
  const settled = result.claim.kind === 'SETTLEMENT';
  const tone = result.code === 0 && !result.development && !settled ? 'good' : 'warn';
  const lines = [
    `meaning_${result.code}`, ...(result.development ? ['development'] : []),
    ...(settled ? ['settled_unchecked'] : []),
  ];
  return banner(tone, say(language, `verdict_${result.code}`),
                ...lines.map((key) => say(language, key)));
}

/// `why` is the verifier's own sentence, in English.
export function refusedView(language, why) {
  return banner('bad', say(language, 'refused'), say(language, 'refused_meaning'),
    element('span', { lang: 'en' }, why));
}

function claimView(language, claim) {
  return [
    element('h3', {}, say(language, 'claim')),
    facts([
      [say(language, 'claim_record'), `${claim.seq}, ${claim.kind}`],
      [say(language, 'claim_object'), claim.object],
      [say(language, 'claim_log'), claim.origin], [say(language, 'claim_time'),
                                                   timeText(claim.time)],
    ]),
  ];
}

function cardsView(language, cards) {
  if (cards.length === 0) return [];
  const titles = ['shoe', 'shuffle', 'position', 'place', 'card'].map((key) => say(language, key));
  const rows = cards.map(({ shoe, shuffle, position, place, card, face, claimed }) => {
    const text = card === null ? say(language, `closed_${face}`) : cardText(language, card);
    return [shoe, shuffle, position, place, claimed ? `${text} (${say(language, 'claimed')})`
            : text];
  });
  return [table(say(language, 'cards'), titles, rows)];
}

function drawsView(language, drawn) {
  if (drawn.length === 0) return [];
  const titles = ['batch', 'index', 'number'].map((key) => say(language, key));
  const rows = drawn.map((one) => [one.batch, one.index, outcomeText(language, one)]);
  return [table(say(language, 'drawn'), titles, rows)];
}

function ordersView(language, orders) {
  return orders.map((order, shuffle) => element('details', {},
    element('summary', {}, say(language, orders.length > 1 ? 'order_of' : 'order',
                               { shuffle, count: order.length })),
    element('p', {}, order.map((card) => cardText(language, card)).join(', '))));
}

function resultsView(language, results) {
  if (results.length === 0) return [];
  const titles = ['bet', 'seat', 'kind', 'stake', 'settled', 'returned']
      .map((key) => say(language, key));
  const rows = results.map(({ bet, seat, kind, stake, result, returned }) =>
    [bet, seat, kind, stake, result, returned]);
  return [table(say(language, 'results'), titles, rows)];
}

function outcomeView(language, { cards, drawn, orders, results }) {
  const parts = [
    ...cardsView(language, cards), ...drawsView(language, drawn), ...ordersView(language, orders),
    ...resultsView(language, results),
  ];
  const nothing = element('p', { class: 'quiet' }, say(language, 'no_outcome'));
  return [element('h3', {}, say(language, 'outcome')), ...(parts.length > 0 ? parts : [nothing])];
}

function listView(language, title, lines) {
  const items = lines.map((line) => {
    const { text, language: spoken } = lineIn(language, line);
    return element('li', { lang: spoken }, text);
  });
  return [element('h3', {}, title), element('ul', {}, ...items)];
}

export function detailsView(language, { claim, checked, notChecked }) {
  return [
    ...claimView(language, claim), ...outcomeView(language, claim),
    ...listView(language, say(language, 'checked'), checked),
    ...listView(language, say(language, 'not_checked'), notChecked),
  ];
}
