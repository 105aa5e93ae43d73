// How the hands of a blackjack table are played best: a cell for each hand against each first card
// of the dealer, coloured by what is done, with its letters.

import { element, table } from './dom.js';
import { percent_text } from '../play/odds_text.js';

const PARTS = ['hard', 'soft', 'pairs'];

/// `chart`: as the odds of a game have it; its letters and their meaning come with it.
export function chart_view(chart, t) {
  const cell = (one) => element('span', { class: `play ${one.action}` }, one[t.language]);
  const others = chart.exceptions.map((one) => `${one.hand} / ${one.dealer}: ${one[t.language]}`);
  return [
    ...PARTS.map((part) => table(t(`chart.${part}`),
      [[t('chart.hand')], ...chart.dealer.map((card) => [card])],
      chart[part].map((row) => [row.hand, ...row.against.map(cell)]))),
    element('ul', { class: 'quiet' }, chart.legend[t.language].map((one) =>
      element('li', {}, element('span', { class: 'code' }, one.letters), ` ${one.words}`))),
    others.length === 0 ? null : element('p', {}, t('chart.exceptions', {
      hands: others.join(', ') })),
    element('p', {}, t('chart.edge', { chart: percent_text(chart.chart_edge, t),
                                       best: percent_text(chart.best_edge, t) })),
  ].filter(Boolean);
}
