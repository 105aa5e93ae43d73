// Amounts as people read them. The API counts in units; a table says what one unit is worth ("1",
// "1/2", "0.25"). Integers only: an amount is exact or it is not shown in money.

/// [top, bottom] of "3", "1/2" or "0.25"; null for anything else.
export function fraction_of(unit) {
  const text = String(unit ?? '');
  let match = /^(\d{1,15})(?:\/(\d{1,15}))?$/.exec(text);
  if (match && match[2] !== '0') return [BigInt(match[1]), BigInt(match[2] ?? 1)];
  match = /^(\d{1,15})\.(\d{1,9})$/.exec(text);
  return match ? [BigInt(match[1] + match[2]), 10n ** BigInt(match[2].length)] : null;
}

const places_max = 4;

function decimals_of(currency) {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency })
      .resolvedOptions().maximumFractionDigits;
  } catch {
    return 2;
  }
}

function grouped(whole, t) {
  return new Intl.NumberFormat(t.language, { useGrouping: true }).format(whole);
}

const signs = { EUR: '€', ESP: 'pta', USD: '$', GBP: '£' };

/// `units` of `unit` each, in the currency: "1.250,50 €". What is no whole number of units, or has
/// no end of decimals, stays in units.
export function money(units, { unit, currency }, t, signed = false) {
  const worth = fraction_of(unit);
  if (!Number.isSafeInteger(units)) return '–';
  if (worth === null || !currency) return t('money.units', { count: grouped(units, t) });
  const below = units < 0;
  const top = BigInt(below ? -units : units) * worth[0];
  let decimals = decimals_of(currency);
  while (decimals < places_max && (top * 10n ** BigInt(decimals)) % worth[1] !== 0n) decimals += 1;
  const scale = 10n ** BigInt(decimals);
  if ((top * scale) % worth[1] !== 0n) return t('money.units', { count: grouped(units, t) });
  const scaled = top * scale / worth[1];
  const whole = grouped(scaled / scale, t);
  const part = scaled % scale;
  const point = t.language === 'es' ? ',' : '.';
  const text = part === 0n ? whole
    : `${whole}${point}${String(part).padStart(decimals, '0')}`;
  const sign = below ? '\u2212' : signed && units > 0 ? '+' : '';
  return `${sign}${text}\u00a0${signs[currency] ?? currency}`;
}
