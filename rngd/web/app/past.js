// Above the curves: how far back they are shown, and what the appliance says of what it has kept.

import { element, say } from './dom.js';
import { date_time, number } from './format.js';
import { spans } from './history.js';
import { problem_text } from './problem.js';

export class Past {
  constructor(history) {
    this.history = history;
  }

  /// `chosen` is called when the reader chose another span.
  nodes(t, chosen) {
    const choice = element('select', { id: 'curves-span' }, Object.keys(spans).map((one) =>
      element('option', { value: one }, t(`statistics.span_${one}`))));
    choice.value = this.history.span;
    choice.addEventListener('change', () => {
      this.history.span = choice.value;
      chosen();
    });
    this.kept = element('div', { role: 'status' });
    return [element('div', { class: 'controls' },
      element('label', { for: 'curves-span' }, t('statistics.span')), choice), this.kept];
  }

  span_text(t) {
    return t(`statistics.span_${this.history.span}`);
  }

  update(t) {
    const { problem, lost, track } = this.history;
    const lines = [t(track.oldest === undefined ? 'statistics.kept_none' : 'statistics.kept',
                     { time: date_time((track.oldest ?? 0) * 1000, t) })];
    if (lost.refused > 0)
      lines.push(t('statistics.kept_refused', { count: number(lost.refused, t) }));
    if (lost.left_out > 0)
      lines.push(t('statistics.kept_left_out', { count: number(lost.left_out, t) }));
    say(this.kept, [
      problem === null ? null : element('p', { class: 'banner bad' },
        `${t('statistics.kept_not')} ${problem_text(problem, t)}`),
      element('p', { class: 'quiet' }, lines.join(' '))]);
    this.history.want_corrections();
  }
}
