// What the bets of a game are worth: exact fractions, and their percentages for people; of
// blackjack, how it is played.

import { chart_view } from './chart.js';
import { element, table } from './dom.js';
import { percent_text } from '../play/odds_text.js';

/// The first positions, and how many more.
export function positions_text(on) {
  if (on === undefined) return '';
  const shown = on.slice(0, 2).map((one) => one.join('-')).join(', ');
  return on.length > 2 ? `${shown}, +${on.length - 2}` : shown;
}

/// `texts`: the words of each bet, by its code.
export function odds_view(odds, texts, t) {
  const name = (bet) => element('span', {}, texts.get(bet) ?? bet, ' ',
                                element('span', { class: 'code quiet' }, bet));
  // Beside what, and how it is played.
  const manner = (one) => [
    ...(one.with ?? []).map((bet) => texts.get(bet) ?? bet),
    ...(one.play ?? []).map((play) => odds.plays?.[play]?.[t.language] ?? play),
  ].map((words) => element('span', { class: 'quiet' }, ' + ', words));
  // Of a stake that becomes several hands only what is expected is known.
  const figure = (fraction) => fraction === undefined ? ''
    : element('span', { title: fraction }, percent_text(fraction, t));
  return [
    table(t('odds.title'), [[t('game.bet')], [t('odds.on')], [t('odds.win'), true],
                            [t('odds.lose'), true],
      [t('odds.other'), true], [t('odds.returned'), true], [t('odds.edge'), true],
      [t('odds.exact'), true]],
    odds.bets.map((one) => [element('span', {}, name(one.bet), ...manner(one)),
                            positions_text(one.on), figure(one.win), figure(one.lose),
                            figure(one.other),
      figure(one.returned), figure(one.house_edge), element('span', { class: 'code' },
                                                            one.house_edge)])),
    odds.bets.some((one) => one.house_share) ? table(t('odds.house'),
      [[t('game.bet')], [t('odds.house'), true], [t('odds.exact'), true]],
      odds.bets.filter((one) => one.house_share).map((one) => [
        element('span', {}, name(one.bet), ...manner(one)), figure(one.house_share),
        element('span', { class: 'code' }, one.house_share)])) : null,
    odds.bets.some((one) => one.jackpot) ? table(t('odds.jackpot'),
      [[t('game.bet')], [t('odds.hit'), true], [t('odds.growth'), true],
       [t('odds.break_even'), true], [t('odds.mean'), true]],
      odds.bets.filter((one) => one.jackpot).map((one) => [
        element('span', {}, name(one.bet), ...manner(one)), one.jackpot.hit, one.jackpot.growth,
        one.jackpot.break_even ?? '', one.jackpot.mean ?? ''])) : null,
    odds.others.length === 0 ? null : element('p', { class: 'quiet' },
      t('odds.others', { bets: odds.others.map((one) => texts.get(one.bet) ?? one.bet)
          .join(', ') })),
    element('p', { class: 'quiet' }, t('odds.meaning')),
    ...(odds.chart ? chart_view(odds.chart, t) : []),
  ].filter(Boolean);
}
