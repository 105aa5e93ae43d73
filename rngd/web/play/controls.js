// What a person may do at the playground's table now, as buttons and fields: exactly what the
// engines say is open.
import { cardText } from '../verify_story.js';
import { element } from '../verify_view.js';
import { placesOf } from './round.js';
import { named } from './view.js';
import { say } from './words.js';

function button(words, work, look = {}) {
  const made = element('button', { type: 'button', ...look }, words);
  made.addEventListener('click', work);
  return made;
}

const option = (value, words) => element('option', { value: String(value) }, words);

function field(words, id, input) {
  input.setAttribute('id', id);
  return element('p', {}, element('label', { for: id }, words), element('br'), input);
}

const numberField = (value, min, max) => element('input', { type: 'number', inputmode: 'numeric',
  value: String(value), min: String(min), ...(max === undefined ? {} : { max: String(max) }) });

const listOf = (text) => text.split(/[\s,;-]+/).filter(Boolean)
  .map((one) => (/^\d+$/.test(one) ? Number(one) : one));

/// `act(work)`: does it, draws all anew, and tells what is refused.
function betControls(language, round, { game }, act) {
  const kinds = element('select', {},
    ...game.bets.map((bet) => option(bet.id, bet.text ?? bet.id)));
  const where = element('div');
  let on = () => null;
  const choose = () => {
    const bet = game.bets.find(({ id }) => id === kinds.value);
    const places = placesOf(bet);
    if (places.length > 0) {
      const select = element('select', {}, ...places.map((one, i) => option(i, one.join('-'))));
      on = () => places[Number(select.value)];
      where.replaceChildren(field(say(language, 'on'), 'bet-on', select));
    } else if (bet.on === undefined || bet.on === 'none') {
      on = () => null;
      where.replaceChildren();
    } else {
      const text = element('input', { type: 'text' });
      on = () => listOf(text.value);
      where.replaceChildren(field(say(language, 'on'), 'bet-on', text));
    }
  };
  kinds.addEventListener('change', choose);
  choose();
  const seat = numberField(1, 1);
  const amount = numberField(round.head.table.min, 1);
  const place = () => act(() => round.stake({ kind: kinds.value, on: on(),
    seat: Number(seat.value), amount: Number(amount.value) }));
  return [field(say(language, 'stake'), 'bet-kind', kinds), where,
    element('div', { class: 'controls' }, field(say(language, 'seat'), 'bet-seat', seat),
      field(say(language, 'amount'), 'bet-amount', amount)),
    element('p', {}, button(say(language, 'place'), place, { id: 'place' }))];
}

/// One of what may come, or several where dice or lots are due.
function dueControls(language, round, { game }, act) {
  const { due } = round;
  const values = due.what === 'card' ? [...new Set(round.left)]
    : due.what === 'wheel' ? due.pockets : Array.from({ length: due.faces }, (_, i) => i + 1);
  const words = (one) => (due.what === 'card' ? cardText(language, one) : String(one));
  const selects = Array.from({ length: due.count ?? 1 }, (_, i) => element('select',
    { id: `due-${i + 1}`, 'aria-label': String(i + 1) },
    ...values.map((one) => option(one, words(one)))));
  const chosen = () => (['card', 'wheel'].includes(due.what) ? selects[0].value
    : selects.map(({ value }) => Number(value)));
  const title = due.what === 'card' ? say(language, 'card_due',
    { place: named(game.places, due.place) })
    : say(language, due.what === 'dice' ? 'dice_due' : 'draw_due');
  return [element('p', {}, element('strong', {}, title)),
    element('div', { class: 'controls' }, ...selects,
      button(say(language, 'chosen'), () => act(() => round.give(chosen())), { id: 'give' }),
      button(say(language, 'by_chance'), () => act(() => round.give(round.chance())),
        { id: 'chance' }),
      button(say(language, 'all_by_chance'), () => act(() => round.giveAll()), { id: 'all' }))];
}

function choiceControls(language, round, { game }, seat, choice, act) {
  const { do: action, bet, min = 0, max = 0, places = [] } = choice;
  const amount = max > 0 ? numberField(min, min, max) : null;
  amount?.setAttribute('aria-label', say(language, 'amount'));
  const ticks = places.map((place) => element('input', { type: 'checkbox', value: place }));
  const decide = () => act(() => round.take({ act: { seat, do: action,
    ...(bet === undefined ? {} : { bet }),
    ...(amount === null ? {} : { amount: Number(amount.value) }),
    ...(places.length === 0 ? {} : { cards: ticks.filter(({ checked }) => checked)
      .map(({ value }) => value) }) } }));
  return element('div', { class: 'controls' },
    button(named(game.actions, action), decide, { 'data-action': action }),
    ...(amount === null ? [] : [amount]),
    ...ticks.map((tick, i) => element('label', {}, tick, named(game.places, places[i]))));
}

export function controlsView(language, round, described, act) {
  const { needs } = round;
  const has = (name) => needs.find(({ need }) => need === name);
  const parts = [];
  if (has('settled')) parts.push(element('p', {}, say(language, 'over')));
  if (round.due !== null) {
    parts.push(...dueControls(language, round, described, act));
  } else {
    for (const { seat, choices } of needs.filter(({ need }) => need === 'decide')) {
      parts.push(element('p', {}, element('strong', {}, say(language, 'decide', { seat }))),
        ...choices.map((one) => choiceControls(language, round, described, seat, one, act)),
        button(say(language, 'time_out'), () => act(() => round.take({ timeout: { seat } }))));
    }
    if (has('confirm')) {
      parts.push(button(say(language, 'confirm'), () => act(() => round.take({ confirm: true }))));
    }
    if (has('bets') || has('shoe')) {
      parts.push(...betControls(language, round, described, act));
      parts.push(button(say(language, 'close'), () => act(() => round.take({ close: true })),
        { id: 'close' }));
    }
  }
  if (parts.length === 0) parts.push(element('p', {}, say(language, 'waits')));
  if (round.acts.length > 0) {
    parts.push(' ', button(say(language, 'undo'), () => act(() => {
      round.undo();
      return null;
    }), { id: 'undo' }));
  }
  return parts;
}
