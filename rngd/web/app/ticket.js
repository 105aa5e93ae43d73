// The ticket of a settled round: a link, printed as a QR code, that opens the page for everybody
// with the evidence in it. The appliance gives the link; where that page is reached from outside
// only the house knows, so it is asked for once and remembered.

import { get_with, Refusal } from './api.js';
import { element, say, svg_element } from './dom.js';
import { problem_text } from './problem.js';
import { qr_modules } from './qr.js';

const storage_name = 'talla.public';
const public_port = 8445;  // of rngd.toml's example
const quiet_zone = 4;

export function remembered_base() {
  try {
    return localStorage.getItem(storage_name);
  } catch {
    return null;
  }
}

function remember_base(base) {
  try {
    localStorage.setItem(storage_name, base);
  } catch {
    // Nothing is lost but the memory of it.
  }
}

/// An address without path, or null.
export function base_of(text) {
  try {
    const address = new URL(text);
    return ['https:', 'http:'].includes(address.protocol) && address.host ? address.origin : null;
  } catch {
    return null;
  }
}

/// The path in a header `</bundles/7-ab>; rel="alternate"`, or null.
export const path_of = (header) => /^<(\/bundles\/[0-9]+-[0-9a-f]+)>/.exec(header ?? '')?.[1] ??
  null;

/// What is printed: short, so that a small code holds it.
export const ticket_link = (base, path, seat) => `${base}/web/verify.html?bundle=${path}` +
  (seat === undefined ? '' : `&seat=${seat}`);

export function qr_picture(text, words) {
  const rows = qr_modules(text);
  if (rows === null) return null;
  const size = rows.length + 2 * quiet_zone;
  const d = rows.flatMap((row, y) => row.map((dark, x) => (dark
    ? `M${x + quiet_zone} ${y + quiet_zone}h1v1h-1z` : ''))).join('');
  return svg_element('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img',
                             'aria-label': words, 'shape-rendering': 'crispEdges' },
    svg_element('rect', { width: size, height: size, fill: '#fff' }),
    svg_element('path', { d, fill: '#000' }));
}

/// The part of a round's view that makes its ticket. `round`: with `settlement` and `results`.
export async function show_ticket(round, t, node) {
  const problem = element('div', { role: 'alert' });
  const shown = element('div', { class: 'ticket' });
  const base = element('input', { id: 'ticket-base', type: 'url', autocomplete: 'off' });
  const seats = [...new Set(round.results.map((one) => one.seat))].filter((one) => one > 0)
    .sort((a, b) => a - b);
  const seat = element('select', { id: 'ticket-seat' },
    element('option', { value: '' }, t('ticket.all_seats')),
    seats.map((one) => element('option', { value: one }, t('hand.seat', { number: one }))));
  base.value = remembered_base() ?? `https://${location.hostname}:${public_port}`;
  node.replaceChildren(element('h3', {}, t('ticket.title')),
    element('p', { class: 'quiet' }, t('ticket.meaning')), problem,
    element('div', { class: 'controls' },
      element('label', { for: 'ticket-base' }, t('ticket.base')), base,
      element('label', { for: 'ticket-seat' }, t('ticket.seat')), seat),
    shown);
  let path;
  try {
    path = path_of((await get_with(`/v1/bundles/${round.settlement}`, 'Link')).header);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(problem, [element('p', { class: 'banner bad' }, problem_text(error.problem, t))]);
    return;
  }
  if (path === null) {
    say(problem, [element('p', { class: 'banner warn' }, t('ticket.no_link'))]);
    return;
  }
  const draw = () => {
    const origin = base_of(base.value);
    if (origin === null) {
      say(problem, [element('p', { class: 'banner warn' }, t('ticket.bad_base'))]);
      return shown.replaceChildren();
    }
    say(problem, []);
    remember_base(origin);
    const link = ticket_link(origin, path, seat.value === '' ? undefined : seat.value);
    const picture = qr_picture(link, t('ticket.code'));
    return shown.replaceChildren(picture ?? '',
      element('a', { class: 'code', href: link, rel: 'noreferrer' }, link));
  };
  base.addEventListener('change', draw);
  seat.addEventListener('change', draw);
  draw();
}
