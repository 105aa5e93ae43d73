// Numbers and times as people of each language read them.

const microseconds_in_ms = 1000;
const locale_of_dates = { en: 'en-GB', es: 'es-ES' };  // the day first in both

const made = new Map();  // a formatter costs more than what it writes

function formatter(kind, language, options) {
  const key = JSON.stringify([kind.name, language, options]);
  if (!made.has(key)) made.set(key, new kind(language, options));
  return made.get(key);
}

export function number(value, t, decimals = 0) {
  if (!Number.isFinite(value)) return '–';
  const text = formatter(Intl.NumberFormat, t.language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: true,
  }).format(value);
  return text.replace(/^-/, '\u2212');  // a minus sign, not a hyphen
}

/// Thousandths, as the API gives logarithms and bits.
export function thousandths(value, t, decimals = 1) {
  return number(value / 1000, t, decimals);
}

/// Parts per million as per cent: 3906 is 0.3906 %.
export function ppm_as_percent(value, t) {
  return `${number(value / 10000, t, 4)} %`;
}

/// Microseconds since 1970, as records and status have them, with the zone's short name. `zone` is
/// for tests: readers see their own time zone.
export function date_time(us, t, zone) {
  if (!Number.isFinite(us)) return '–';
  return formatter(Intl.DateTimeFormat, locale_of_dates[t.language], {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit',
    second: '2-digit', hourCycle: 'h23', timeZone: zone, timeZoneName: 'short',
  }).format(new Date(us / microseconds_in_ms));
}

/// The same with UTC beside it, as the log has it (its day too, where that is another); alone where
/// the reader's clock shows UTC.
export function both_times(us, t, zone) {
  const local = date_time(us, t, zone);
  const utc = date_time(us, t, 'UTC');
  if (local === utc) return local;
  const [day, time] = utc.split(', ');
  const both = `${local} (${local.startsWith(day) ? time : utc})`;
  return both.replaceAll(/(\d) (?=[A-Z])/g, '$1\u00a0');  // a time keeps its zone on its line
}

export function time_of_day(us, t, zone) {
  if (!Number.isFinite(us)) return '–';
  return formatter(Intl.DateTimeFormat, locale_of_dates[t.language], {
    hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: zone,
  }).format(new Date(us / microseconds_in_ms));
}

/// The same without seconds.
export function minute_of_day(us, t, zone) {
  return formatter(Intl.DateTimeFormat, locale_of_dates[t.language], {
    hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone,
  }).format(new Date(us / microseconds_in_ms));
}

/// Day and month of an axis.
export function day_of(us, t, zone) {
  return formatter(Intl.DateTimeFormat, locale_of_dates[t.language], {
    day: '2-digit', month: '2-digit', timeZone: zone,
  }).format(new Date(us / microseconds_in_ms));
}

/// The first characters of a digest, enough to compare by eye.
export function short_digest(hex) {
  const text = String(hex ?? '');
  return text.length > 16 ? `${text.slice(0, 16)}…` : text;
}
