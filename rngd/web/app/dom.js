// Elements from names, attributes and children. Text becomes text nodes: nothing that the API says
// is read as markup.

const svg_space = 'http://www.w3.org/2000/svg';

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined &&
                                        child !== ''));
  return node;
}

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg_element(name, attributes = {}, ...children) {
  return filled(document.createElementNS(svg_space, name), attributes, children);
}

/// Changes a live region only when there is something new: a screen reader says what changes.
export function say(node, children) {
  const next = children.flat().filter((child) => child !== null && child !== undefined);
  const text = next.map((child) => child.textContent ?? child).join('\n');
  if (node.dataset.said === text) return;
  node.dataset.said = text;
  node.replaceChildren(...next);
}

/// Rows of [name, value, tone]: tone is '', good, warn or bad.
export function facts(rows) {
  return element('dl', { class: 'facts' },
    rows.filter((row) => row !== null).map(([name, value, tone]) =>
      element('div', {}, element('dt', {}, name), element('dd', { class: tone || undefined },
                                                          value))));
}

/// A table that may be wider than a phone: it scrolls by itself. Columns: [title, is a figure].
export function table(caption, columns, rows) {
  const kind = (i) => ({ class: columns[i][1] ? 'figure' : undefined });
  return element('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': caption },
    element('table', {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, columns.map(([title], i) =>
        element('th', { scope: 'col', ...kind(i) }, title)))),
      element('tbody', {}, rows.map((row) => element('tr', {}, row.map((cell, i) =>
        element('td', kind(i), cell)))))));
}
