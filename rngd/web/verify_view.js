// The verdict as elements of the page. Text only ever becomes text nodes: nothing of a file is read
// as markup.
import { lineIn } from './verify_lines.js';
import { moneyText } from './verify_money.js';
import { cardPiece, diePiece, handsOf, netOf, pocketPiece } from './verify_pieces.js';
import { RULES } from './verify_rules.js';
import { cardText, drawnText, handName, netsOf, storyOf } from './verify_story.js';
import { say } from './verify_words.js';

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
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

/// Microseconds since 1970 in words that sort; the records have no time zone but UTC.
function timeText(microseconds) {
  const date = new Date(Math.floor(microseconds / 1000));
  return Number.isNaN(date.getTime()) ? String(microseconds) : date.toISOString().replace('T', ' ')
      .replace('Z', '');
}

/// The same as this device's clock shows it, with its zone; nothing where that is UTC.
function timeHere(language, microseconds) {
  const date = new Date(Math.floor(microseconds / 1000));
  if (Number.isNaN(date.getTime()) || date.getTimezoneOffset() === 0) return [];
  const words = new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', {
    dateStyle: 'short', timeStyle: 'long' }).format(date);
  return [[say(language, 'claim_time_here'), words]];
}

function banner(tone, title, ...lines) {
  return element('div', { class: `banner ${tone}` }, title,
                 ...lines.map((line) => element('p', {}, line)));
}

/// The verdict in sentences of one language, then what lay on the table. `seat`: null for all.
export function verdictView(language, result, seat, here) {
  // A settlement that was not computed again never gets the plain good colour.
  const open = result.claim.kind === 'SETTLEMENT' && !result.settled?.alike;
  const tone = result.code === 0 && !result.development && !open ? 'good' : 'warn';
  const [story, ...more] = storyOf(language, result, seat, here);
  const limits = [
    result.claim.laboratory === undefined ? `meaning_${result.code}` : 'meaning_laboratory',
    ...(result.development ? ['development'] : []),
    ...(open ? [result.settled?.stopped === undefined ? 'settled_unchecked' : 'settled_stopped']
      : []),
  ];
  return [
    element('div', { class: `banner story ${tone}` },
            ...[story, ...more].map((line) => element('p', {}, line))),
    ...summaryView(language, result),
    ...piecesView(language, result.claim),
    element('p', {}, element('strong', {}, say(language, `verdict_${result.code}`)), ' ',
            limits.map((key) => say(language, key)).join(' ')),
  ];
}

/// What is proven, in words, and then what is not.
export function summaryView(language, { proven, notProven }) {
  return [['proven', proven], ['not_proven', notProven]].map(([key, words]) =>
    element('p', { class: key }, element('strong', {}, say(language, key)), ' ',
            `${words[language]}.`));
}

/// Cards by hand, numbers and dice, as they lay there.
function piecesView(language, { cards, drawn, setting, kind }) {
  if (kind.startsWith('SHOE_') || kind.startsWith('BATCH_')) return [];
  const pieces = drawn.filter((one) => one.outcome !== null && !one.voided).map((one) => {
    const words = drawnText(language, one, setting.pockets);
    if (one.outcome.dice) {
      return element('span', { class: 'dice' }, ...one.outcome.dice.map((face) =>
        diePiece(face)));
    }
    const name = setting.pockets?.[one.outcome.pocket];
    return pocketPiece(name ?? words, name === undefined ? 'unnamed' : '', words);
  });
  const hands = handsOf(cards).map(({ name, cards: list }) => element('div', {},
    element('dt', {}, handName(language, name)),
    element('dd', {}, element('span', { class: 'hand' }, ...list.map((one) =>
      cardPiece(one.card, one.card === null ? say(language, `closed_${one.face}`)
        : cardText(language, one.card), one.claimed && kind !== 'SETTLEMENT'))))));
  return [
    ...(pieces.length > 0 ? [element('div', { class: 'strip large' }, ...pieces)] : []),
    ...(hands.length > 0 ? [element('dl', { class: 'hands' }, ...hands)] : []),
  ];
}

/// The rule whose code stands in a refusal.
function ruleOf(why) {
  const codes = [...why.matchAll(/(?:^|: )([a-z_]+): /g)].map(([, code]) => code);
  return RULES[codes.find((code) => Object.hasOwn(RULES, code))];
}

/// The record at which the rules refuse a settlement; null where something else refuses.
function refusedAt(why) {
  return /^settled again: .*?\brecord (\d+)/.exec(why)?.[1] ?? null;
}

/// `why` is the verifier's own sentence, in English; `help` the word of one that helps, or ''.
export function refusedView(language, why, help, here) {
  const rule = ruleOf(why);
  const record = refusedAt(why);
  return [
    banner('bad story', say(language, 'refused'),
           ...(record === null ? [] : [say(language, 'settled_refused',
             { record, here: say(language, `here_${here}`) })]),
           ...(rule === undefined ? [] : [`${rule[language]}.`]),
           say(language, help === '' ? 'refused_meaning' : help)),
    element('details', {}, element('summary', {}, say(language, 'refused_why')),
            element('p', { lang: 'en' }, why)),
  ];
}

function claimView(language, claim) {
  return [
    element('h3', {}, say(language, 'claim')),
    facts([
      [say(language, 'claim_record'), `${claim.seq}, ${claim.kind}`],
      [say(language, 'claim_object'), claim.object],
      [say(language, 'claim_log'), claim.origin],
      [say(language, 'claim_time'), timeText(claim.time)],
      ...timeHere(language, claim.time),
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

function drawsView(language, drawn, pockets) {
  if (drawn.length === 0) return [];
  const titles = ['batch', 'index', 'number'].map((key) => say(language, key));
  const rows = drawn.map((one) => [one.batch, one.index, drawnText(language, one, pockets)]);
  return [table(say(language, 'drawn'), titles, rows)];
}

function ordersView(language, orders) {
  return orders.map((order, shuffle) => element('details', {},
    element('summary', {}, say(language, orders.length > 1 ? 'order_of' : 'order',
                               { shuffle, count: order.length })),
    element('p', {}, order.map((card) => cardText(language, card)).join(', '))));
}

/// Amounts in money where that is exact, else in units.
function resultsView(language, { results, setting }, again) {
  if (results.length === 0) return [];
  const titles = ['bet', 'seat', 'kind', 'stake', 'settled', 'returned', 'net']
      .map((key) => say(language, key));
  const amount = (units, signed) => moneyText(units, setting, language, signed) ?? units;
  const rows = results.map(({ bet, seat, kind, stake, result, returned }) =>
    [bet, seat, kind, amount(stake), say(language, `result_${result}`) ?? result,
     amount(returned), amount(netOf({ result, stake, returned }), true)]);
  const nets = netsOf(results).map(([seat, net]) => [seat, amount(net, true)]);
  return [
    ...(nets.length > 1 ? [table(say(language, 'nets'), [say(language, 'seat'),
                                                         say(language, 'net')], nets)] : []),
    table(say(language, again ? 'results_again' : 'results'), titles, rows),
  ];
}

function outcomeView(language, claim, again) {
  const { cards, drawn, orders, setting } = claim;
  const parts = [
    ...cardsView(language, cards), ...drawsView(language, drawn, setting.pockets),
    ...ordersView(language, orders), ...resultsView(language, claim, again),
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

export function detailsView(language, { claim, checked, notChecked, settled }) {
  return [
    ...outcomeView(language, claim, settled?.alike === true),
    element('details', {}, element('summary', {}, say(language, 'how_checked')),
      ...claimView(language, claim),
      ...listView(language, say(language, 'checked'), checked),
      ...listView(language, say(language, 'not_checked'), notChecked)),
  ];
}
