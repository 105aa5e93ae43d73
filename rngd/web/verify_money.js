// Amounts of a ticket as people read them. Records count in units; the table's first record says
// what a unit is worth ("1", "1/2", "0.25"). Integers only: an amount is exact, or it stays in
// units.

/// [top, bottom] of "3", "1/2" or "0.25"; null for anything else.
export function fractionOf(unit) {
  const text = String(unit ?? '');
  let match = /^(\d{1,15})(?:\/(\d{1,15}))?$/.exec(text);
  if (match && !/^0+$/.test(match[2] ?? '1')) return [BigInt(match[1]), BigInt(match[2] ?? 1)];
  match = /^(\d{1,15})\.(\d{1,9})$/.exec(text);
  return match ? [BigInt(match[1] + match[2]), 10n ** BigInt(match[2].length)] : null;
}

const PLACES_MAX = 4;
const SIGNS = { EUR: '€', ESP: 'pta', USD: '$', GBP: '£' };

function placesOf(currency) {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency })
      .resolvedOptions().maximumFractionDigits;
  } catch {
    return 2;
  }
}

const grouped = (whole, language) =>
  new Intl.NumberFormat(language, { useGrouping: true }).format(whole);

/// `units` of `unit` each: "1.250,50 €"; null: it cannot be said in money.
export function moneyText(units, { unit, currency }, language, signed = false) {
  const worth = fractionOf(unit);
  if (worth === null || !currency || !Number.isSafeInteger(units)) return null;
  const below = units < 0;
  const top = BigInt(below ? -units : units) * worth[0];
  let places = placesOf(currency);
  while (places < PLACES_MAX && (top * 10n ** BigInt(places)) % worth[1] !== 0n) places += 1;
  const scale = 10n ** BigInt(places);
  if ((top * scale) % worth[1] !== 0n) return null;
  const scaled = top * scale / worth[1];
  const part = scaled % scale;
  const point = language === 'es' ? ',' : '.';
  const text = grouped(scaled / scale, language) +
    (part === 0n ? '' : `${point}${String(part).padStart(places, '0')}`);
  const sign = below ? '\u2212' : signed && units > 0 ? '+' : '';
  return `${sign}${text}\u00a0${SIGNS[currency] ?? currency}`;
}

export { grouped };
