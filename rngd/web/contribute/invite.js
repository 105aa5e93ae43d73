// Shows the link of a seat as a QR code, on a table's screen: invite.html#LINK. The link stays in
// this page; it is sent nowhere.
import { qr_picture } from '../app/ticket.js';
import { Refused } from '../verify/refused.js';
import { element } from '../verify_view.js';
import { parseLink } from './link.js';

const PAGE = /^https?:\/\/[^/#]+\/web\/contribute\.html#(.+)$/;

function show() {
  const link = location.hash.slice(1);
  const code = document.getElementById('code');
  const wrong = (words) => code.replaceChildren(element('p', { class: 'banner warn' }, words));
  try {
    const { seat } = parseLink(PAGE.exec(link)?.[1] ?? '');
    document.getElementById('seat').textContent = `Puesto ${seat} · Seat ${seat}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    wrong('El enlace no está entero. The link is not whole.');
    return;
  }
  const picture = qr_picture(link, 'QR');
  if (picture === null) wrong('El enlace no cabe en un código. The link is too long for a code.');
  else code.replaceChildren(picture);
}

addEventListener('hashchange', show);
show();
