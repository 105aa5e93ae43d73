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

const steps_of_time_s = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

/// Full seconds, minutes or quarters inside [from, to], milliseconds since 1970.
export function time_ticks(from, to, count) {
  const wanted = (to - from) / 1000 / count;
  const step = 1000 * (steps_of_time_s.find((one) => one >= wanted) ?? steps_of_time_s.at(-1));
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
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

/// At most about `count` points: of each run of neighbours the least and the greatest stay, and
/// every gap.
export function thin(points, count) {
  if (points.length <= count) return points;
  const size = Math.ceil((2 * points.length) / count);
  const kept = [];
  for (let i = 0; i < points.length; i += size) {
    const run = points.slice(i, i + size);
    const seen = run.filter((point) => Number.isFinite(point.y));
    const gap = run.find((point) => !Number.isFinite(point.y));
    const least = seen.reduce((a, b) => (a === undefined || b.y < a.y ? b : a), undefined);
    const greatest = seen.reduce((a, b) => (a === undefined || b.y > a.y ? b : a), undefined);
    kept.push(...[...new Set([least, greatest, gap])].filter(Boolean).sort((a, b) => a.x - b.x));
  }
  return kept;
}
