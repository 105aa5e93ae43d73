// Goal: odds are shown as the fractions they are, rounded right, in both languages.
// Method: fractions whose percentages are known, big ones too; the page's table in a document that
//   only remembers.
//
//   node tests/web/odds_test.mjs        one line a case; 0: all hold, 1: not

import assert from 'node:assert/strict';

import { failures, test } from './harness.mjs';

/// What `dom.js` asks of a document.
class Node {
  constructor(name) { Object.assign(this, { name, children: [], attributes: {} }); }
  append(...children) { this.children.push(...children); }
  setAttribute(name, value) { this.attributes[name] = value; }
  get textContent() { return this.children.map((one) => one.textContent ?? String(one)).join('|'); }
}
globalThis.document = { createElement: (name) => new Node(name) };

const { odds_view, positions_text } = await import('../../rngd/web/app/odds.js');
const { percent_text } = await import('../../rngd/web/play/odds_text.js');
const { words_of } = await import('../../rngd/web/app/language.js');
const [en, es] = ['en', 'es'].map(words_of);

await test('a fraction is its percentage with four places', () => {
  const shown = ['1/37', '0', '1', '7/495', '-19/27', '1/3', '2/3', '1/2000000',
                 '241149546272/19524993263685']
    .map((one) => percent_text(one, en));
  assert.deepEqual(shown, ['2.7027 %', '0.0000 %', '100.0000 %', '1.4141 %', '−70.3704 %',
                           '33.3333 %', '66.6667 %',
    '0.0001 %', '1.2351 %']);
  assert.equal(percent_text('73/74', es), '98,6486 %');
});

await test('of many positions the first two are named', () => {
  assert.equal(positions_text(undefined), '');
  assert.equal(positions_text([['1', '2', '3']]), '1-2-3');
  assert.equal(positions_text([['4'], ['10']]), '4, 10');
  assert.equal(positions_text([['1', '2'], ['1', '4'], ['2', '3'], ['2', '5']]), '1-2, 1-4, +2');
});

await test('the table has the bets\' own words, and names those that have no odds', () => {
  const odds = {
    bets: [{ bet: 'rojo', win: '18/37', lose: '18/37', other: '1/37', returned: '73/74',
            house_edge: '1/74' }],
    others: [{ bet: 'come', without_odds: 'only behind a point' }],
  };
  const texts = new Map([['rojo', 'Rojo'], ['come', 'Come']]);
  for (const t of [en, es]) {
    const parts = odds_view(odds, texts, t);
    assert.equal(parts.length, 3);
    assert.match(parts[0].textContent,
      /Rojo.*rojo.*48[.,]6486 %.*48[.,]6486 %.*2[.,]7027 %.*98[.,]6486 %.*1[.,]3514 %.*1\/74/);
    assert.match(parts[1].textContent, /Come/);
    assert.equal(odds_view({ bets: odds.bets, others: [] }, texts, t).length, 2);
  }
});

await test('what is laid down beside a bet, how it is played and what the house takes are shown',
  () => {
    const odds = {
      bets: [{ bet: 'punto', with: ['seguro'], play: ['five-draws', 'unknown'], win: '1/2',
              lose: '1/2', other: '0', returned: '1', house_edge: '0', house_share: '1/40' }],
      others: [],
      plays: { 'five-draws': { en: 'with 5 draws', es: 'con 5 se pide' } },
    };
    const texts = new Map([['punto', 'Punto'], ['seguro', 'Seguro']]);
    const [table, share] = odds_view(odds, texts, es);
    assert.match(table.textContent, /Punto.*punto.*Seguro.*con 5 se pide.*unknown/);
    assert.match(share.textContent, /Punto.*2,5000 %.*1\/40/);
    assert.match(odds_view(odds, texts, en)[0].textContent, /with 5 draws/);
  });

await test('figures that are not known stay empty', () => {
  const odds = { bets: [{ bet: 'juego-simple', returned: '99/100', house_edge: '1/100' }],
                 others: [] };
  const [table] = odds_view(odds, new Map([['juego-simple', 'Juego simple']]), en);
  assert.match(table.textContent, /Juego simple.*99.0000 %.*1.0000 %.*1\/100/);
  assert.doesNotMatch(table.textContent, /undefined|NaN/);
});

await test('a chart has every cell with its letters and colour, its legend and its edges', () => {
  const cell = (action, en_letters, es_letters) => ({ action, en: en_letters, es: es_letters });
  const chart = {
    dealer: ['2', 'A'],
    hard: [{ hand: '16', against: [cell('stand', 'S', 'P'), cell('surrender', 'Rh', 'Rc')] }],
    soft: [{ hand: 'A-7', against: [cell('double', 'Ds', 'Dp'), cell('hit', 'H', 'C')] }],
    pairs: [{ hand: '8-8', against: [cell('split', 'P', 'S'), cell('split', 'P', 'S')] }],
    exceptions: [{ hand: '2-10', dealer: '4', ...cell('hit', 'H', 'C') }],
    legend: { en: [{ letters: 'H', words: 'hit' }], es: [{ letters: 'C', words: 'pedir carta' }] },
    best_edge: '1/200', chart_edge: '1/198',
  };
  const odds = { bets: [], others: [], chart };
  for (const [t, letters, legend] of [[en, 'S|Rh', 'hit'], [es, 'P|Rc', 'pedir carta']]) {
    const parts = odds_view(odds, new Map(), t);
    const text = parts.map((one) => one.textContent).join('\n');
    assert.ok(text.includes(`16|${letters}`), text);
    assert.ok(text.includes(legend));
    assert.match(text, /2-10 \/ 4: [HC]/);
    assert.match(text, /0[.,]5051 %.*0[.,]5000 %/);
    const classes = [];
    const walk = (node) => {
      if (node.attributes?.class?.startsWith('play ')) classes.push(node.attributes.class);
      (node.children ?? []).forEach(walk);
    };
    parts.forEach(walk);
    assert.deepEqual(classes, ['play stand', 'play surrender', 'play double', 'play hit',
                               'play split', 'play split']);
  }
  assert.equal(odds_view({ bets: [], others: [] }, new Map(), en).length, 2);
});

process.exitCode = failures() === 0 ? 0 : 1;
