// Amounts in the page's words: in money where that is exact (verify_money.js), else in units.

import { grouped, moneyText } from '../verify_money.js';

/// `units` of `worth` ({unit, currency}).
export function money(units, worth, t, signed = false) {
  if (!Number.isSafeInteger(units)) return '–';
  return moneyText(units, worth, t.language, signed)
    ?? t('money.units', { count: grouped(units, t.language) });
}
