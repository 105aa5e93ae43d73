// Geometry of a plot as pure functions: what values an axis shows, where they lie, the text of a
// path.

/// The step of an axis: 1, 2 or 5 times a power of ten, so that about `count` steps cover the span.
export function nice_step(span, count) {
  if (!(span > 0) || !(count > 0)) return 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power;
}

/// Multiples of the step inside [low, high], without the dust of floating point.
export function ticks(low, high, count) {
  const step = nice_step(high - low, count);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) {
    found.push(Number((i * step).toPrecision(12)));
  }
  return found;
}

/// Decimals that tell neighbouring ticks apart.
export function decimals_of(step) {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}

const day_s = 86_400;
const steps_of_time_s = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600,
  43_200, day_s, 2 * day_s, 7 * day_s];

/// Full seconds, minutes, quarters, hours or days inside [from, to], milliseconds since 1970, by a
/// clock that is so many milliseconds ahead of UTC.
export function time_ticks(from, to, count, ahead = 0) {
  const wanted = (to - from) / 1000 / count;
  const step = 1000 * (steps_of_time_s.find((one) => one >= wanted) ?? steps_of_time_s.at(-1));
  const found = [];
  for (let at = Math.ceil((from + ahead) / step) * step - ahead; at <= to; at += step)
    found.push(at);
  return found;
}

/// Low and high of all finite values, a little air above and below; a flat series gets room too.
export function extent(values) {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [0, 1];
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const air = high > low ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.05, 0.5);
  return [low - air, high + air];
}

/// Maps [d0, d1] onto [r0, r1].
export function linear([d0, d1], [r0, r1]) {
  const slope = d1 === d0 ? 0 : (r1 - r0) / (d1 - d0);
  return (value) => r0 + (value - d0) * slope;
}

const rounded = (value) => Number(value.toFixed(1));

/// Path of points {x, y}; a point without a finite y is a gap, and a single point between gaps is a
/// short dash.
export function path_text(points, x, y) {
  let text = '';
  let pen_down = false;
  points.forEach((point, i) => {
    if (!Number.isFinite(point.y)) {
      pen_down = false;
      return;
    }
    const at = `${rounded(x(point.x))} ${rounded(y(point.y))}`;
    text += `${pen_down ? 'L' : 'M'}${at}`;
    const next = points[i + 1];
    if (!pen_down && (next === undefined || !Number.isFinite(next.y))) text += 'h2';
    pen_down = true;
  });
  return text;
}

/// At most about `count` intervals {from, to, low, high, last, gap}: neighbours without a gap
/// between them become one, with the least and the greatest of both.
export function joined(intervals, count) {
  const size = Math.ceil(intervals.length / count);
  const found = [];
  let inside = 0;  // intervals in the one that grows
  for (const one of intervals) {
    if (inside > 0 && inside < size && !one.gap) {
      const { from, low, high, gap } = found.at(-1);
      found[found.length - 1] = { ...one, from, gap, low: Math.min(low, one.low),
        high: Math.max(high, one.high) };
      inside += 1;
    } else {
      found.push(one);
      inside = 1;
    }
  }
  return found;
}

/// The last value of each interval, at its end, with a point without a value before each gap.
export function points_of(intervals) {
  return intervals.flatMap((one, i) => [
    ...(one.gap && i > 0 ? [{ x: one.from, y: NaN }] : []), { x: one.to, y: one.last }]);
}

/// Path of the band from the least to the greatest value of each interval, in steps; a gap ends it.
export function band_text(intervals, x, y) {
  const runs = [];
  for (const one of intervals) {
    if (one.gap || runs.length === 0) runs.push([]);
    runs.at(-1).push(one);
  }
  const across = (run, member, order) => order(run).map((one) => {
    const ends = [one.from, one.to].map((end) => `${rounded(x(end))} ${rounded(y(one[member]))}`);
    return order(ends).join('L');
  });
  return runs.map((run) => `M${[...across(run, 'high', (all) => all),
    ...across(run, 'low', (all) => all.toReversed())].join('L')}Z`).join('');
}
