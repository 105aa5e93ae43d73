// What a seat's part looks like: one sentence that says how it stands, its bets, and what became of
// each number. Text only ever becomes text nodes.
import { lineIn } from '../verify_lines.js';
import { moneyText } from '../verify_money.js';
import { element, summaryView } from '../verify_view.js';
import { say as sayOfEvidence } from '../verify_words.js';
import { refusalText, say } from './words.js';

const banner = (tone, ...lines) =>
  element('div', { class: `banner ${tone}` }, ...lines.map((line, i) =>
    (i === 0 ? line : element('p', {}, line))));

/// `state`: a key of the words; `refusal` goes before all else that is not an end.
export function statusView(language, { state, turn, refusal }) {
  if (refusal) {
    const why = refusalText(language, refusal);
    return [banner('bad', say(language, 'refused'), why, say(language, 'call_inspector'))];
  }
  const tones = { waiting: 'good', given: 'good', connecting: 'plain', ready: 'plain',
    closed: 'plain' };
  return [banner(tones[state] ?? 'warn', say(language, state, { turn }))];
}

/// `bets`: of BETS_CLOSED; null: there are none yet. `rules`: body of TABLE_OPEN.
export function betsView(language, bets, rules) {
  if (bets === null || bets.length === 0) return [element('p', {}, say(language, 'no_bets'))];
  return [element('ul', {}, ...bets.map(({ kind, on, box, stake }) => {
    const where = [...on ?? [], ...box === undefined ? [] : [box]].join(', ');
    return element('li', {}, say(language, 'bet', { kind, on: where === '' ? '' : ` ${where}`,
      stake: moneyText(stake, rules, language) ?? stake }));
  }))];
}

function nameOf(language, id) {
  const seat = /^seat-(\d+)$/.exec(id);
  return seat ? say(language, 'who_seat', { number: seat[1] }) : id;
}

function namesOf(language, ids) {
  const names = ids.map((id) => nameOf(language, id));
  return names.length === 1 ? names[0]
    : names.slice(0, -1).join(', ') + say(language, 'and') + names.at(-1);
}

function endText(language, { kind, given, missing, cause, use }, id) {
  if (kind === 'SETTLEMENT') return say(language, given ? 'settled_in' : 'settled');
  if (given) return say(language, use === 'mix' ? 'in_mix' : 'in_draw');
  if (kind !== 'VOID') return say(language, 'not_in');
  if (missing.includes(id)) return say(language, 'withheld_you');
  if (missing.length > 0) return say(language, 'withheld', { who: namesOf(language, missing) });
  return say(language, cause === 'order' ? 'void_order' : 'void_other');
}

function verdictText(language, verdict) {
  if (verdict === undefined) return say(language, 'judging');
  if (verdict.code === 1) return say(language, 'judged_not', { why: verdict.why });
  const words = say(language, `verdict_${verdict.words}`);
  const more = verdict.development ? `, ${say(language, 'development')}` : '';
  return say(language, 'judged', { verdict: words + more });
}

/// What the seat's bets gave, as the settlement has it.
function resultsView(language, results, rules) {
  if (results.length === 0) return element('p', {}, say(language, 'settled_none'));
  const amount = (units) => moneyText(units, rules, language) ?? units;
  return element('ul', {}, ...results.map(({ kind, stake, result, returned }) =>
    element('li', {}, say(language, 'settled_bet', { kind, stake: amount(stake),
      result: sayOfEvidence(language, `result_${result}`), returned: amount(returned) }))));
}

const list = (language, lines) => element('ul', {}, ...lines.map((line) => {
  const { text, language: spoken } = lineIn(language, line);
  return element('li', { lang: spoken }, text);
}));

/// Nothing is called good whose evidence has not been judged here.
function toneOf({ kind, given }, verdict) {
  if (verdict?.code === 1) return 'bad';
  if (kind === 'VOID') return 'warn';
  if (!given && kind !== 'SETTLEMENT') return 'bad';
  return verdict === undefined ? 'plain' : 'good';
}

/// The newest first; `verdicts` by seq of the end. `id`: of this seat. `rules`: body of TABLE_OPEN.
export function endsView(language, history, verdicts, id, rules) {
  return [...history].reverse().map((end, i) => {
    const verdict = verdicts.get(end.seq);
    const settled = end.kind === 'SETTLEMENT';
    const parts = [banner(toneOf(end, verdict), endText(language, end, id))];
    if (settled) parts.push(resultsView(language, end.results, rules));
    if (i === 0 || verdict !== undefined) {
      parts.push(element('p', {}, verdictText(language, verdict)));
    }
    if (verdict !== undefined && verdict.code !== 1) {
      parts.push(...summaryView(language, verdict));
      parts.push(element('details', {}, element('summary', {}, say(language, 'more')),
        element('h3', {}, say(language, 'checked')), list(language, verdict.checked),
        element('h3', {}, say(language, 'not_checked')), list(language, verdict.notChecked)));
    }
    const turn = settled ? [] : [element('p', { class: 'quiet' },
      say(language, 'turn', { turn: end.turn }))];
    return element('div', { class: 'card end' }, ...turn, ...parts);
  });
}
