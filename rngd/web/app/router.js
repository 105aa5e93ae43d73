// Which view the address names: `#/table/table-7` is the view `table` of `table-7`. An address that
// means nothing leads to the floor.

const forms = [
  [/^#\/table\/(table-\d{1,16})$/, 'table'],
  [/^#\/round\/(round-\d{1,16})$/, 'round'],
  [/^#\/numbers\/(table-\d{1,16})$/, 'numbers'],
  [/^#\/log\/table\/(table-\d{1,16})$/, 'log', 'table'],
  [/^#\/log\/(\d{1,16})$/, 'log', 'seq'],
  [/^#\/(floor|numbers|log|acts|appliance|catalogues)$/, null],
];

/// {view, value, kind} of a fragment.
export function route_of(fragment) {
  for (const [form, view, kind] of forms) {
    const match = form.exec(fragment);
    if (match) return view === null ? { view: match[1] } : { view, value: match[1], kind };
  }
  return { view: 'floor' };
}

/// Which entry of the menu a view belongs to.
export const menu_of = (view) => (view === 'table' || view === 'round' ? 'floor' : view);
