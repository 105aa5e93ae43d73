// One figure of lines over time, as SVG: axes with their words, limits as broken lines, a title and
// a description for those who do not see it. Two lines at most; the second one is dotted, so that
// colour is never the only difference. Each has a pale band from the least to the greatest value of
// each interval.

import { svg_element } from './dom.js';
import { band_text, decimals_of, extent, joined, linear, nice_step, path_text, points_of, ticks,
        time_ticks } from './scale.js';
import { day_of, minute_of_day, number, time_of_day } from './format.js';

const height = 210;
const room = { left: 62, right: 12, top: 22, bottom: 40 };
const places = ['first', 'second'];
const minute_ms = 60_000;
const day_ms = 86_400_000;
let ids = 0;

function y_axis(low, high, y, width, t) {
  const wanted = 5;
  const decimals = decimals_of(nice_step(high - low, wanted));
  return ticks(low, high, wanted).flatMap((value) => [
    svg_element('line', { class: 'grid', x1: room.left, x2: width - room.right, y1: y(value),
                         y2: y(value) }),
    svg_element('text', { x: room.left - 6, y: y(value) + 4, 'text-anchor': 'end' },
                number(value, t, decimals)),
  ]);
}

function x_axis(from, to, x, width, t) {
  const base = height - room.bottom;
  // A time of day takes some 60 units; two of them stand well apart.
  const wanted = Math.max(2, Math.floor((width - room.left - room.right) / 100));
  const found = time_ticks(from, to, wanted, -new Date(to).getTimezoneOffset() * minute_ms);
  const step = found.length > 1 ? found[1] - found[0] : to - from;
  const words = step >= day_ms ? day_of : step >= minute_ms ? minute_of_day : time_of_day;
  return found.flatMap((at) => [
    svg_element('line', { class: 'axis', x1: x(at), x2: x(at), y1: base, y2: base + 4 }),
    svg_element('text', { x: Math.min(x(at), width - 30), y: base + 17, 'text-anchor': 'middle' },
      words(at * 1000, t)),
  ]);
}

/// A short piece of a line for the words below the figure.
export function swatch(index, limit) {
  return svg_element('svg', { class: 'swatch', viewBox: '0 0 32 12', 'aria-hidden': 'true' },
    svg_element('path', { class: `${limit ? 'limit' : 'line'} ${places[index]}`, d: 'M0 6L32 6' }));
}

/// plot: title, description, y_words, x_words, window [from, to] in ms, lines [[intervals]] (as
/// History.intervals), limits [value or undefined].
export function draw_plot(holder, plot, t) {
  const width = Math.max(280, Math.round(holder.clientWidth) || 560);
  const lines = plot.lines.map((intervals) => joined(intervals, Math.max(100, width / 2)));
  const values = lines.flat().flatMap((one) => [one.low, one.high]);
  const [low, high] = extent([...values, ...plot.limits.filter(Number.isFinite)]);
  const x = linear(plot.window, [room.left, width - room.right]);
  const y = linear([low, high], [height - room.bottom, room.top]);
  ids += 1;
  const [title_id, description_id] = [`plot-title-${ids}`, `plot-description-${ids}`];
  const svg = svg_element('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-labelledby': `${title_id} ${description_id}`,
  },
  svg_element('title', { id: title_id }, plot.title),
  svg_element('desc', { id: description_id }, plot.description),
  y_axis(low, high, y, width, t),
  x_axis(plot.window[0], plot.window[1], x, width, t),
  svg_element('path', {
    class: 'axis', d: `M${room.left} ${room.top}V${height - room.bottom}H${width - room.right}`,
  }),
  svg_element('text', { x: 4, y: 13 }, plot.y_words),
  svg_element('text', { x: width - room.right, y: height - 5, 'text-anchor': 'end' }, plot.x_words),
  plot.limits.map((limit, i) => (Number.isFinite(limit)
    ? svg_element('path', {
      class: `limit ${places[i]}`, d: `M${room.left} ${y(limit).toFixed(1)}H${width - room.right}`,
    })
    : null)),
  lines.map((intervals, i) => svg_element('path', { class: `band ${places[i]}`,
                                                   d: band_text(intervals, x, y) })),
  lines.map((intervals, i) => svg_element('path', { class: `line ${places[i]}`,
                                                   d: path_text(points_of(intervals), x, y) })));
  holder.replaceChildren(svg);
}
