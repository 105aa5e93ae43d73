// The parameters of the playground's table: what the catalogue leaves open, as choices and sliders.
// Values are texts and numbers as the catalogue writes them; fractions stay exact.
import { element } from '../verify_view.js';
import { percent_text } from './odds_text.js';
import { say } from './words.js';

const STEPS = 20n;  // of a slider between two fractions

/// "3/2" as [3n, 2n], "5%" as [5n, 100n].
function fractionOf(text) {
  const [top, bottom] = String(text).replace('%', '/100').split('/').map(BigInt);
  return [top, bottom ?? 1n];
}

const common = (a, b) => (b === 0n ? a : common(b, a % b));

function fractionText(top, bottom) {
  const by = common(top < 0n ? -top : top, bottom);
  return bottom === by ? String(top / by) : `${top / by}/${bottom / by}`;
}

/// The fraction at that step of the slider from `min` to `max`; both ends are among them.
export function fractionAt(min, max, step) {
  const [[a, b], [c, d]] = [fractionOf(min), fractionOf(max)];
  return fractionText(a * d * STEPS + (c * b - a * d) * BigInt(step), b * d * STEPS);
}

/// The step whose fraction is nearest.
export function stepOf(min, max, value) {
  const [[a, b], [c, d], [e, f]] = [min, max, value].map(fractionOf);
  const [top, bottom] = [(e * b - a * f) * d * STEPS, (c * b - a * d) * f];
  return bottom === 0n ? 0 : Number((2n * top + bottom) / (2n * bottom));
}

/// `words(value, place)`: what stands for it.
function selectOf(values, words, value, change) {
  const made = element('select', {}, ...values.map((one, i) => element('option',
    { value: String(i) }, words(one, i))));
  made.value = String(values.findIndex((one) => String(one) === String(value)));
  made.addEventListener('change', () => change(values[Number(made.value)]));
  return [made];
}

/// Shows while it moves what it stands on, and tells it when it was let go.
function sliderOf(min, max, at, valueAt, words, change) {
  const shown = element('output', {}, words(valueAt(at)));
  const made = element('input', { type: 'range', min: String(min), max: String(max),
    value: String(at), 'aria-valuetext': words(valueAt(at)) });
  const value = () => valueAt(Number(made.value));
  made.addEventListener('input', () => {
    shown.textContent = words(value());
    made.setAttribute('aria-valuetext', words(value()));
  });
  made.addEventListener('change', () => change(value()));
  return [made, ' ', shown];
}

/// Of a part of a whole its percentage too.
function fractionWords(language, value) {
  const [top, bottom] = fractionOf(value);
  return top > bottom ? String(value) : `${value} (${percent_text(value, { language })})`;
}

function controlOf(language, rule, value, change) {
  const { type, allowed, min, max } = rule;
  if (allowed !== undefined)
    return selectOf(allowed, (one, i) => allowedText(rule, i), value, change);
  if (type === 'bool') {
    return selectOf([true, false], (one) => say(language, one ? 'yes' : 'no'), value, change);
  }
  if (type === 'fraction' && min !== undefined && max !== undefined) {
    return sliderOf(0, Number(STEPS), stepOf(min, max, value),
                    (step) => fractionAt(min, max, step), (one) => fractionWords(language, one),
                    change);
  }
  if (type === 'integer' && min !== undefined && max !== undefined) {
    return sliderOf(min, max, Number(value), (at) => at, String, change);
  }
  const made = element('input', { type: 'number', inputmode: 'numeric', min: '0',
    value: String(value) });
  made.addEventListener('change', () => change(Number(made.value)));
  return [made];
}

/// What may be set: those of `game.parameters` that have a value of their own.
export const settable = (game) =>
  (game.parameters ?? []).filter((one) => one.default !== undefined);

/// Equal fractions are one value, however they are written.
function isSame({ type }, one, other) {
  if (type !== 'fraction') return String(one) === String(other);
  const [[a, b], [c, d]] = [one, other].map(fractionOf);
  return a * d === b * c;
}

/// `chosen`: what differs from the catalogue; `change(chosen)`: it is another now.
export function parametersView(language, game, chosen, change) {
  const rules = settable(game);
  if (rules.length === 0) return [element('p', {}, say(language, 'no_parameters'))];
  const set = (rule, value) => {
    const next = { ...chosen, [rule.id]: value };
    if (isSame(rule, value, rule.default)) delete next[rule.id];
    change(next);
  };
  const rows = rules.map((rule) => {
    const [input, ...more] = controlOf(language, rule, chosen[rule.id] ?? rule.default,
                                       (value) => set(rule, value));
    input.setAttribute('id', `set-${rule.id}`);
    const own = rule.id in chosen ? ` ${say(language, 'own_value', { value: wordsOf(language,
      rule, rule.default) })}` : '';
    return element('p', {}, element('label', { for: `set-${rule.id}` }, rule.text ?? rule.id),
      element('br'), input, ...more,
      element('span', { class: 'quiet' }, ` ${rule.cite ?? ''}${own}`));
  });
  const back = element('button', { type: 'button', id: 'set-back' }, say(language, 'set_back'));
  back.addEventListener('click', () => change({}));
  return [...rows, ...(Object.keys(chosen).length === 0 ? [] : [element('p', {}, back)])];
}

/// An allowed value in the reader's words, which the rules bring; else as it is written.
const allowedText = ({ allowed, allowed_text: texts }, i) => texts?.[i] ?? String(allowed[i]);

function wordsOf(language, rule, value) {
  if (typeof value === 'boolean') return say(language, value ? 'yes' : 'no');
  const place = rule.allowed?.findIndex((one) => isSame(rule, one, value)) ?? -1;
  return place < 0 ? String(value) : allowedText(rule, place);
}
