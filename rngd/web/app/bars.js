// Counts as bars, each with the band that chance keeps it in: a bar that ends outside of its band
// is marked with a sign besides the colour.

import { element, svg_element } from './dom.js';
import { number } from './format.js';

const height = 190;
const column = 27;
const room = { left: 34, right: 6, top: 14, bottom: 24 };
let ids = 0;

/// `found`: a picture of counts.js.
export function bars(found, game, t) {
  const { rows } = found;
  const width = Math.max(300, rows.length * column + room.left + room.right);
  const top = Math.max(1, ...rows.map((one) => Math.max(one.count, one.band[1]))) * 1.05;
  const y = (value) => height - room.bottom - value / top * (height - room.bottom - room.top);
  const step = (width - room.left - room.right) / rows.length;
  const base = y(0);
  ids += 1;
  const id = `bars-${ids}`;
  const tick = (value) => [
    svg_element('line', { class: 'grid', x1: room.left, x2: width - room.right, y1: y(value),
                         y2: y(value) }),
    svg_element('text', { x: room.left - 4, y: y(value) + 4, 'text-anchor': 'end' },
                number(value, t)),
  ];
  const shown = [...new Set([0, Math.round(top / 2), Math.floor(top)])];
  const svg = svg_element('svg', { class: 'bars', width, height, role: 'img',
    viewBox: `0 0 ${width} ${height}`, 'aria-labelledby': id },
    svg_element('title', { id }, t('numbers.picture', {
      draws: number(found.draws, t), kinds: number(rows.length, t) })),
    shown.flatMap(tick),
    rows.flatMap((row, i) => {
      const x = room.left + i * step;
      const colour = game?.red?.has(row.name) ? 'red' : game?.black?.has(row.name) ? 'black' : '';
      const bad = found.enough && row.out !== '';
      return [
        svg_element('rect', { class: 'band', x: x + 1, width: step - 2, y: y(row.band[1]),
                             height: Math.max(1.5, y(row.band[0]) - y(row.band[1])) }),
        svg_element('rect', { class: `bar ${colour} ${bad ? 'out' : ''}`, x: x + step * 0.25,
                             width: step * 0.5, y: y(row.count),
                             height: Math.max(0, base - y(row.count)) }),
        bad ? svg_element('text', { class: 'sign', x: x + step / 2, y: 11,
                                   'text-anchor': 'middle' }, row.out === 'many' ? '▲' : '▼')
          : null,
        svg_element('text', { x: x + step / 2, y: height - 8, 'text-anchor': 'middle' },
                    row.name),
      ].filter((one) => one !== null);
    }));
  return element('div', { class: 'wide', tabindex: '0', role: 'group',
                         'aria-label': t('numbers.figures') }, svg);
}
