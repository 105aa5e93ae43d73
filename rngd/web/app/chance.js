// How far a count may lie from what is expected by chance alone. Pure. Every band is exact up to
// floating point: the distribution itself is summed, no normal curve stands for it.

const dust = 1e-18;  // of the greatest term; what is smaller changes no bound

/// Sum from the mode outwards by ratios of neighbours: [lowest value, normalised weights].
function spread(mode, low, high, up, down) {
  const above = [];
  for (let k = mode, weight = 1; k < high && weight > dust; k += 1) {
    weight *= up(k);
    above.push(weight);
  }
  const below = [];
  for (let k = mode, weight = 1; k > low && weight > dust; k -= 1) {
    weight *= down(k);
    below.push(weight);
  }
  const weights = [...below.reverse(), 1, ...above];
  const total = weights.reduce((sum, one) => sum + one, 0);
  return [mode - below.length, weights.map((one) => one / total)];
}

/// The smallest [low, high] that leaves at most `risk`/2 of the chance on each side.
function bounds([first, weights], risk) {
  let left = 0;
  let low = 0;
  while (low < weights.length - 1 && left + weights[low] <= risk / 2) left += weights[low++];
  let right = 0;
  let high = weights.length - 1;
  while (high > low && right + weights[high] <= risk / 2) right += weights[high--];
  return [first + low, first + high];
}

/// Of how often something of probability `p` comes in `n` independent draws.
export function binomial_band(n, p, risk) {
  if (!(n > 0) || p <= 0) return [0, 0];
  if (p >= 1) return [n, n];
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  return bounds(spread(mode, 0, n, (k) => (n - k) / (k + 1) * odds,
                       (k) => k / (n - k + 1) / odds), risk);
}

/// Of how many of `kind` cards among `all` lie in `n` that were dealt.
export function hypergeometric_band(n, kind, all, risk) {
  const low = Math.max(0, n + kind - all);
  const high = Math.min(n, kind);
  if (low >= high) return [low, high];
  const mode = Math.min(high, Math.max(low, Math.floor((n + 1) * (kind + 1) / (all + 2))));
  const rest = all - kind - n;
  const up = (k) => (kind - k) * (n - k) / ((k + 1) * (rest + k + 1));
  const down = (k) => k * (rest + k) / ((kind - k + 1) * (n - k + 1));
  return bounds(spread(mode, low, high, up, down), risk);
}

/// What the whole picture may be wrong by chance: one look in a hundred.
export const look_risk = 0.01;

/// Each of `cells` [{name, count, band}] is judged at an equal part of the risk, so that all
/// together say "look" by chance at most once in a hundred looks.
export function judged(cells) {
  const rows = cells.map((one) => ({ ...one,
    out: one.count < one.band[0] ? 'few' : one.count > one.band[1] ? 'many' : '' }));
  return { rows, look: rows.some((one) => one.out !== '') };
}

/// Chances of each sum of so many dice with so many faces: [least sum, chances].
export function dice_sums(count, faces) {
  let chances = [1];
  for (let die = 0; die < count; die += 1) {
    const next = Array(chances.length + faces - 1).fill(0);
    chances.forEach((one, at) => {
      for (let face = 0; face < faces; face += 1) next[at + face] += one / faces;
    });
    chances = next;
  }
  return [count, chances];
}
