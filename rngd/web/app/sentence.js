// The first line of the page: whether the house can play, in one sentence that a person says.

import { number } from './format.js';

/// {tone, text, more: [lines]} of a status that is now; `tables` undefined: this certificate sees
/// none.
export function sentence(status, tables, t) {
  const reasons = status.reasons.map((code) => t.code('problem', code));
  if (!status.ready) {
    return { tone: 'bad', text: t('sentence.cannot', { why: reasons[0] ?? t('sentence.unsaid') }),
      more: reasons.slice(1) };
  }
  const open = tables?.filter((one) => one.state === 'open').length;
  const halted = tables?.filter((one) => one.state === 'suspended') ?? [];
  const floor = open === undefined ? '' : ` ${t(open === 1 ? 'sentence.table' : 'sentence.tables',
                                               { count: number(open, t) })}`;
  const more = halted.map((one) => t('sentence.halted', { table: table_name(one, t) }));
  if (status.software.state === 'mismatch') {
    return { tone: 'bad', text: t('state.software_mismatch'), more };
  }
  if (status.generator.uncertified || status.profile !== 'production') {
    return { tone: 'warn', text: t('sentence.trial') + floor, more };
  }
  return { tone: halted.length > 0 ? 'warn' : 'good', text: t('sentence.can') + floor, more };
}

/// What stands on the table's sign; without one its id.
export function table_name(table, t) {
  const place = table.place ?? '';
  return place === '' || place === table.id
    ? t('floor.table', { number: table.id.replace(/^table-/, '') }) : place;
}
