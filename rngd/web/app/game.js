// One game of a catalogue: equipment, bets with their payouts, limits, parameters, decisions,
// errors, each with the section of the official text it stands in. Nothing is worked out here: it
// is the catalogue's own data.

import { element, facts, table } from './dom.js';
import { number } from './format.js';

/// "35" pays 35 to 1, "3/2" pays 3 to 2.
export function pays_text(pays, t) {
  const [top, bottom] = String(pays).split('/');
  return t('game.pays', { top, bottom: bottom ?? '1' });
}

const value_text = (value, t) => (typeof value === 'boolean' ? t(value ? 'word.yes' : 'word.no')
                                  : String(value));
const when_text = (entry, t) => t('game.when', { parameter: entry.parameter,
                                                value: value_text(entry.value, t) });

/// Section, the ambiguity it decides, the catalogue that lends it.
export function cite_text(entry, t) {
  return [
    entry.cite ?? '',
    entry.reading ? t('game.reading', { id: entry.reading }) : '',
    entry.inherited ? t('game.inherited', { catalogue: entry.inherited }) : '',
    entry.provisional ? t('game.provisional') : '',
  ].filter(Boolean).join(', ');
}

function commission_text(payout, t) {
  if (payout.commission) return t('game.commission', { share: payout.commission });
  return payout.commission_parameter ? t('game.commission', { share: payout.commission_parameter })
    : '';
}

/// A line for each payout, then those that hold under a parameter.
export function payout_lines(bet, t) {
  const line = (payout, condition) => [
    payout.when === 'win' || payout.when === undefined ? '' : `${payout.when}:`,
    payout.pays === undefined ? '' : pays_text(payout.pays, t),
    commission_text(payout, t),
    condition,
  ].filter(Boolean).join(' ');
  return [
    ...(bet.payouts ?? []).map((one) => line(one, '')),
    ...(bet.payouts_when ?? []).map((one) => line(one, `(${when_text(one, t)})`)),
    ...(bet.members ?? []).map((one) =>
      t('game.member', { chips: one.chips, bet: one.bet, on: (one.on ?? []).join('/') })),
    ...(bet.neighbours ? [t('game.neighbours', { bet: bet.neighbours.bet,
                                                count: bet.neighbours.each_side })] : []),
  ];
}

const list_text = (items) => items.map((one) => (Array.isArray(one) ? one.join('/') : String(one)))
    .join(', ');

/// What a bet covers: the catalogue's own sentence where it has one, else its positions; long lists
/// are counted and their first ones shown.
export function covers_text(bet, t) {
  if (bet.covers_text !== undefined) return bet.covers_text;
  const covers = bet.covers;
  if (covers === undefined) return '';
  if (Array.isArray(covers)) {
    const shown = covers.slice(0, 6);
    const rest = covers.length > shown.length
      ? `, … (${t('game.positions', { count: covers.length })})` : '';
    return list_text(shown) + rest;
  }
  if (typeof covers !== 'object') return String(covers);
  return Object.entries(covers).map(([name, value]) =>
    `${name} ${Array.isArray(value) ? list_text(value) : value_text(value, t)}`).join('; ');
}

function bets_table(game, t) {
  return table(t('game.bets'), [[t('game.bet')], [t('game.covers')], [t('game.payout')],
                                [t('game.cite')]],
    game.bets.map((bet) => [
      element('span', {}, bet.text ?? bet.id, ' ', element('span', { class: 'code quiet' }, bet.id),
        bet.offered_if ? element('div', { class: 'quiet' }, when_text(bet.offered_if, t)) : null),
      covers_text(bet, t),
      element('span', {}, payout_lines(bet, t).map((line) => element('div', {}, line))),
      cite_text(bet, t),
    ]));
}

export function limit_text(limit, t) {
  const figure = limit.max ?? limit.max_parameter ?? limit.min ?? limit.min_parameter ?? '';
  const more = (limit.max_when ?? []).map((one) => `${one.max} (${when_text(one, t)})`);
  const of = limit.of ? ` × ${limit.of}` : '';
  const when = limit.of_when ? ` (${when_text(limit.of_when, t)})` : '';
  return [`${figure}${of}${when}`, ...more].filter(Boolean).join('; ');
}

function limits_table(game, t) {
  const scope = (limit) => (limit.scope ? t.code('scope', limit.scope) : limit.scope_parameter ??
                            '');
  const multiples = (one) => (one.multiples || one.multiples_parameter
    ? t('game.multiples') + (one.multiples_parameter ? ` (${one.multiples_parameter})` : '') : '');
  const rows = [
    ...(game.minimums ?? []).map((one) => [t('game.minimum'), one.bets.join(', '),
                                           limit_text(one, t), multiples(one),
      cite_text(one, t)]),
    ...(game.limits ?? []).map((one) => [t('game.maximum'), one.bets.join(', '), limit_text(one, t),
                                         scope(one),
      cite_text(one, t)]),
  ];
  return rows.length === 0 ? null : table(t('game.limits'), [[t('game.limit')], [t('game.bets')],
    [t('game.multiple_of')], [t('game.scope')], [t('game.cite')]], rows);
}

/// A value in the words that the rules bring, with its code; or as it is written.
function chosen_text(parameter, value, t) {
  const written = value_text(value, t);
  const words = parameter.allowed_text?.[parameter.allowed?.indexOf(value)];
  return words === undefined || words === written ? written : `${words} (${written})`;
}

function allowed_text(parameter, t) {
  if (parameter.allowed)
    return parameter.allowed.map((one) => chosen_text(parameter, one, t)).join(', ');
  if (parameter.type === 'bool') return `${t('word.yes')}, ${t('word.no')}`;
  if (parameter.min !== undefined || parameter.max !== undefined) {
    return t('game.range', { min: parameter.min ?? '–', max: parameter.max ?? '–' });
  }
  return '';
}

function parameters_table(game, t) {
  if ((game.parameters ?? []).length === 0) return null;
  return table(t('game.parameters'), [[t('game.parameter')], [t('game.default')],
                                      [t('game.allowed')],
    [t('game.set_by')], [t('game.cite')]],
  game.parameters.map((one) => [
    element('span', {}, one.text ?? one.id, ' ', element('span', { class: 'code quiet' }, one.id)),
    one.default === undefined ? t('game.no_default')
      : chosen_text(one, one.default, t) + (one.currency ? ` ${one.currency}` : ''),
    allowed_text(one, t),
    t.code('set_by', one.set_by),
    cite_text(one, t),
  ]));
}

/// Actions, errors: code, words, what follows, section.
function plain_table(title, entries, id_of, last, t) {
  if ((entries ?? []).length === 0) return null;
  return table(title, [[t('game.name')], ...(last ? [[last]] : []), [t('game.cite')]],
               entries.map((one) => [
    element('span', {}, one.text ?? id_of(one), ' ',
            element('span', { class: 'code quiet' }, id_of(one))),
    ...(last ? [one.effect] : []),
    cite_text(one, t),
  ]));
}

export function equipment_text(one, t) {
  if (one.kind === 'wheel') return t('game.wheel', { count: one.pockets.length,
                                                    pockets: one.pockets.join(' ') });
  if (one.kind === 'dice') return t('game.dice', { count: one.count, faces: one.faces });
  if (one.deck) {
    return [t('game.shoe', { deck: one.deck, count: number(one.cards_count, t) }),
      one.stop_depth > 0 ? t('game.stop_card', { depth: one.stop_depth }) : '',
      one.disclosure ? t.code('disclosure', one.disclosure) : ''].filter(Boolean).join(', ');
  }
  return [one.need, one.kind].filter(Boolean).join(' ');
}

/// All parts of the view, in reading order.
export function game_view(game, t) {
  return [
    element('h3', {}, `${game.number} ${game.text}`),
    facts([
      [t('game.family'), game.family],
      [t('game.cite'), cite_text(game, t)],
      game.seats_max === undefined ? null : [t('game.seats'), String(game.seats_max)],
      game.boxes_max === undefined ? null : [t('game.boxes'), String(game.boxes_max)],
      game.follows === undefined ? null : [t('game.follows'), String(game.follows)],
      game.base === undefined ? null : [t('game.base'),
                                        `${game.base.decree} (${game.base.catalogue})`, 'warn'],
      ...game.equipment.map((one) => [t('game.equipment'),
                                      `${equipment_text(one, t)} (${cite_text(one, t)})`]),
    ]),
    game.bets.length > 0 ? bets_table(game, t) : null,
    limits_table(game, t),
    parameters_table(game, t),
    plain_table(t('game.actions'), game.actions, (one) => one.id, null, t),
    plain_table(t('game.errors'), game.errors, (one) => one.code, t('game.effect'), t),
    element('p', { class: 'quiet' }, t('game.meaning')),
  ].filter(Boolean);
}
