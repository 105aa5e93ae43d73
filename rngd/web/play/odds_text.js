// Exact fractions as percentages for people. Integers only.

const PLACES = 10000n;

/// "1/37" as 2.7027 %, rounded half away from zero; the sign in front.
export function percent_text(fraction, t) {
  const [top, bottom] = String(fraction).split('/').map(BigInt);
  const below = bottom ?? 1n;
  const size = top < 0n ? -top : top;
  const scaled = (size * 100n * PLACES * 2n / below + 1n) / 2n;
  const part = String(scaled % PLACES).padStart(4, '0');
  const point = t.language === 'es' ? ',' : '.';
  return `${top < 0n ? '−' : ''}${scaled / PLACES}${point}${part} %`;
}
