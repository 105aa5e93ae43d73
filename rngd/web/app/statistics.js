// What the monitors see, as plots of an hour, a day or a month: for each stream the logarithms of
// its e-process and of its change detector with the line at which each raises an alarm, for each
// noise source its shares over short and long windows.

import { element, say, table } from './dom.js';
import { number, ppm_as_percent, thousandths } from './format.js';
import { Past } from './past.js';
import { draw_plot, swatch } from './plot.js';

const classes = ['noise', 'bits', 'outcomes'];
const figures_open_max = 8;  // a longer group is folded at first: its alarms are in words above

/// "lag 8" and "ones of bit 3" have their number in the name.
export function measure_text(name, t) {
  const numbered = /^(lag|ones of bit) (\d+)$/.exec(name);
  return numbered ? t(`measure.${numbered[1]}`, { number: numbered[2] }) : t.code('measure', name);
}

/// Every alarm that stands, a line each.
export function alarm_lines(monitors, t) {
  const lines = [];
  for (const watch of monitors.watching) {
    for (const side of ['process', 'detector']) {
      if (watch[side].alarm) lines.push(t(`statistics.alarm_${side}`, { name: watch.name }));
    }
  }
  for (const source of monitors.quality) {
    for (const measure of source.measures) {
      for (const window of ['short', 'long']) {
        const against = measure[`${window}_alarm`];
        if (against === 'none') continue;
        lines.push(t(`statistics.alarm_quality_${against}`, {
          name: source.source, measure: measure_text(measure.name, t),
          window: t(`statistics.${window}`),
        }));
      }
    }
  }
  // Of payments the status says no more than that they stand.
  const others = monitors.alarms_standing - lines.length;
  if (others > 0) lines.push(t('statistics.alarm_payments', { count: number(others, t) }));
  return lines;
}

export class Statistics {
  constructor(alarms_node, view_node, history) {
    this.alarms = alarms_node;
    this.view = view_node;
    this.history = history;
    this.chosen = new Map();  // source to measure
    this.open = new Map();  // group to whether it is unfolded
    this.past = new Past(history);
    history.changed = () => this.update?.();
    view_node.closest('details')?.addEventListener('toggle', () => this.update?.());
    this.forget();
  }

  /// Another language: all is made anew.
  forget() {
    this.made = '';
  }

  show(status, t) {
    const monitors = status.monitors;
    if (!monitors) {
      say(this.alarms, [element('p', {}, t('statistics.off'))]);
      this.view.replaceChildren();
      this.update = undefined;
      return this.forget();
    }
    this.show_alarms(monitors, t);
    const made = JSON.stringify([monitors.watching.map((one) => one.name),
                                 monitors.quality.map((one) => one.source)]);
    if (made !== this.made) this.build(monitors, t);
    this.made = made;
    this.update = () => {
      if (this.view.closest('details')?.open === false) return;
      this.past.update(t);
      for (const watch of monitors.watching) this.update_watch(watch, t);
      for (const source of monitors.quality) this.update_quality(source, t);
    };
    this.update();
  }

  show_alarms(monitors, t) {
    const lines = alarm_lines(monitors, t);
    const refused = monitors.states_refused > 0 ? t('statistics.refused',
                                                    { count: monitors.states_refused }) : null;
    const bound = t('statistics.bound', {
      count: monitors.watching.length, alpha: monitors.alpha, run: number(monitors.run_length, t),
    });
    const head = lines.length === 0
      ? element('div', { class: 'banner good' }, t('statistics.no_alarm'), element('p', {}, bound))
      : element('div', { class: 'banner bad' }, t('statistics.alarms', { count: lines.length }),
        element('ul', {}, lines.map((line) => element('li', {}, line))), element('p', {}, bound));
    say(this.alarms, [head, refused ? element('p', { class: 'banner warn' }, refused) : null]);
  }

  build(monitors, t) {
    this.parts = new Map();
    const groups = classes.map((name) => {
      const figures = monitors.watching.filter((one) => one.class === name).map((one) =>
        this.figure(`watch:${one.name}`, one.name));
      return figures.length === 0 ? null : this.group(name, t(`monitor.${name}`), figures);
    });
    const sources = monitors.quality.map((one) => this.quality_figure(one, t));
    this.view.replaceChildren(...this.past.nodes(t, () => this.update?.()),
      ...groups.filter(Boolean),
      ...(sources.length === 0 ? [] : [element('h3', {}, t('statistics.quality')),
        element('p', { class: 'quiet' }, t('statistics.quality_meaning')),
        element('div', { class: 'cards' }, sources)]));
  }

  /// What a reader has unfolded stays so when the figures are made anew.
  group(name, title, figures) {
    const open = this.open.get(name) ?? figures.length <= figures_open_max;
    const node = element('details', { open },
                         element('summary', {}, element('h3', {}, `${title} (${figures.length})`)),
      element('div', { class: 'cards' }, figures));
    node.addEventListener('toggle', () => {
      this.open.set(name, node.open);
      this.update?.();
    });
    return node;
  }

  figure(id, caption, ...before) {
    const parts = { plot: element('div'), words: element('ul') };
    this.parts.set(id, parts);
    return element('figure', { class: 'card plot' }, element('figcaption', {}, caption), ...before,
                   parts.plot,
      parts.words);
  }

  update_watch(watch, t) {
    const parts = this.parts.get(`watch:${watch.name}`);
    if (!parts || parts.plot.closest('details')?.open === false) return;
    const sides = ['process', 'detector'];
    this.history.want(watch.name);
    const words = sides.map((side) => t(`statistics.${side}`, {
      value: thousandths(watch[side].log_e_milli, t, 2),
      limit: thousandths(watch[side].alarm_at_milli, t, 2),
    }));
    draw_plot(parts.plot, {
      title: t('statistics.plot_title', { name: watch.name, span: this.past.span_text(t) }),
      description: words.join(' '),
      y_words: t('statistics.y_log'),
      x_words: t('statistics.x_time'),
      window: this.history.window(),
      lines: sides.map((side) => this.history.intervals(`${side}:${watch.name}`)),
      limits: sides.map((side) => watch[side].alarm_at_milli / 1000),
    }, t);
    parts.words.replaceChildren(
      ...sides.map((side, i) => element('li', { class: watch[side].alarm ? 'bad' : undefined },
        swatch(i, false), words[i], watch[side].alarm ? ` ${t('statistics.stands')}` : '')),
      element('li', {}, swatch(0, true), swatch(1, true), t('statistics.limits')),
      element('li', { class: 'quiet' }, t('statistics.seen', {
        seen: number(watch.seen, t), unit: t.code('unit', watch.unit),
        alarms: watch.process.alarms +
          watch.detector.alarms, epoch: watch.process.epoch,
      })));
  }

  quality_figure(source, t) {
    const id = `quality-${source.source}`;
    const choice = element('select', { id }, source.measures.map((one) =>
      element('option', { value: one.name }, measure_text(one.name, t))));
    choice.value = this.chosen.get(source.source) ?? 'most common value';
    if (choice.selectedIndex < 0) choice.selectedIndex = 0;
    this.chosen.set(source.source, choice.value);
    choice.addEventListener('change', () => {
      this.chosen.set(source.source, choice.value);
      this.update_quality(this.parts.get(`quality:${source.source}`).last, t);
    });
    const figure = this.figure(`quality:${source.source}`, source.source,
      element('div', { class: 'controls' }, element('label', { for: id }, t('statistics.measure')),
              choice));
    const rest = element('div');
    this.parts.get(`quality:${source.source}`).rest = rest;
    figure.append(element('details', {}, element('summary', {}, t('statistics.all_measures')),
                          rest));
    return figure;
  }

  update_quality(source, t) {
    const parts = this.parts.get(`quality:${source.source}`);
    parts.last = source;
    const measure = source.measures.find((one) => one.name === this.chosen.get(source.source));
    if (!measure) return;
    this.history.want(`${source.source}/${measure.name}`);
    const share = (ppm) => (ppm === undefined ? t('statistics.no_window') : ppm_as_percent(ppm, t));
    const windows = ['short', 'long'];
    const words = windows.map((window) => t(`statistics.share_${window}`,
                                            { share: share(measure[`${window}_ppm`]) }));
    draw_plot(parts.plot, {
      title: t('statistics.quality_title',
               { name: source.source, measure: measure_text(measure.name, t),
                 span: this.past.span_text(t) }),
      description: words.join(' '),
      y_words: t('statistics.y_ppm'),
      x_words: t('statistics.x_time'),
      window: this.history.window(),
      lines: windows.map((window) => this.history.intervals(
        `${window}:${source.source}/${measure.name}`)),
      limits: [],
    }, t);
    parts.words.replaceChildren(
      ...words.map((text, i) => element('li', {}, swatch(i, false), text)),
      element('li', { class: 'quiet' }, t('statistics.looked', {
        samples: number(source.samples, t), alarms: number(source.alarms, t),
      })));
    const alarm = (one) => windows.filter((window) => one[`${window}_alarm`] !== 'none')
        .map((window) =>
      `${t(`statistics.${window}`)}: ${t(`statistics.against_${one[`${window}_alarm`]}`)}`)
          .join('; ');
    parts.rest.replaceChildren(table(t('statistics.all_measures'), [[t('statistics.measure')],
      [t('statistics.short'), true], [t('statistics.long'), true], [t('statistics.alarm')]],
    source.measures.map((one) => [measure_text(one.name, t), share(one.short_ppm),
                                  share(one.long_ppm),
      alarm(one) || t('word.none')])));
  }
}
