// Acts of two persons and the latch, for those who may: asked for by one, confirmed by another.
// Nothing here decides who may: the appliance does, and says whom it needs.

import { get, post, Refusal } from './api.js';
import { element, facts, say } from './dom.js';
import { both_times, short_digest } from './format.js';
import { problem_text } from './problem.js';
import { acts_of } from './shape.js';

const asking_roles = ['operator', 'security-officer', 'inspector'];
const seeing_roles = [...asking_roles, 'auditor'];

/// What can be asked for here, and what else it needs to be told: `object` a table or a client,
/// `file` a file whose SHA-256 is meant.
export const askable = {
  'latch-reset': '', 'table-finish': 'object', 'log-key-rotate': '', 'client-revoke': 'object',
  'enrolment-change': 'file', 'config-change': 'file', 'software-update': 'digest',
  restore: 'digest',
};

/// Both persons sign these with the key of their certificate, which a page does not have.
const signed = ['draw-void', 'table-void', 'call-again', 'shoe-close'];

/// Whether one of these roles may do more than look.
export const may_act = (roles) => roles.some((one) => asking_roles.includes(one));
export const may_see = (roles) => roles.some((one) => seeing_roles.includes(one));

const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, '0'))
    .join('');

/// The body of the request; null: something is missing.
export async function body_of(act, { object, digest, file }) {
  const form = askable[act];
  const tidy = (text) => (text ?? '').trim();
  if (form === '') return { act };
  if (form === 'object') return tidy(object) ? { act, object: tidy(object) } : null;
  if (form === 'file' && file) {
    return { act, digest: hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())) };
  }
  return /^[0-9a-f]{64}$/.test(tidy(digest)) ? { act, digest: tidy(digest) } : null;
}

function new_key() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export class Acts {
  /// nodes: list, problem, form, act (select), fields, ask, latch (button), reason, dialog parts.
  constructor(nodes) {
    Object.assign(this, { nodes, acts: [], me: { id: '', roles: [] }, sent: null });
    nodes.act.addEventListener('change', () => this.draw_fields());
    nodes.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask();
    });
    nodes.latch.addEventListener('submit', (event) => {
      event.preventDefault();
      this.latch();
    });
  }

  show(t, me) {
    const first = this.t?.language !== t.language || JSON.stringify(me) !== JSON.stringify(this.me);
    Object.assign(this, { t, me });
    if (!first) return;
    const may = may_act(me.roles);
    this.nodes.form.hidden = !may;
    this.nodes.latch.hidden = !may;
    const chosen = this.nodes.act.value;
    this.nodes.act.replaceChildren(...Object.keys(askable).map((one) =>
      element('option', { value: one }, t(`act.${one}`))));
    if (chosen) this.nodes.act.value = chosen;
    this.draw_fields();
    this.draw();
  }

  async refresh() {
    if (!may_see(this.me.roles)) return;
    try {
      this.acts = acts_of(await get('/v1/acts'));
      this.draw();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.tell(error.problem);
    }
  }

  draw_fields() {
    const { t, nodes } = this;
    if (!t) return;
    const form = askable[nodes.act.value];
    const field = (name, more = {}) => element('label', {}, t(`acts.${name}`), ' ',
      element('input', { name, autocomplete: 'off', ...more }));
    const fields = {
      object: () => [field('object')],
      file: () => [field('file', { type: 'file' }), field('digest', { size: 40 })],
      digest: () => [field('digest', { size: 40 })],
    };
    nodes.fields.replaceChildren(element('p', { class: 'quiet' }, t(`act_why.${nodes.act.value}`)),
      ...(fields[form]?.() ?? []));
  }

  tell(problem) {
    say(this.nodes.problem, [element('p', { class: 'banner bad' }, problem_text(problem, this.t),
      needed_text(problem, this.t))]);
  }

  /// The same key until an answer came: an order whose answer was lost is not given twice.
  async order(path, body) {
    const sent = JSON.stringify([path, body]);
    if (this.sent?.text !== sent) this.sent = { text: sent, key: new_key() };
    say(this.nodes.problem, []);
    try {
      const reply = await post(path, body, this.sent.key);
      this.sent = null;
      return reply;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.problem.kind === 'problem') this.sent = null;
      this.tell(error.problem);
      return null;
    } finally {
      await this.refresh();
    }
  }

  async ask() {
    const inputs = Object.fromEntries([...this.nodes.fields.querySelectorAll('input')]
      .map((one) => [one.name, one.type === 'file' ? one.files[0] : one.value]));
    const body = await body_of(this.nodes.act.value, inputs);
    if (body === null) {
      say(this.nodes.problem, [element('p', { class: 'banner warn' }, this.t('acts.missing'))]);
      return;
    }
    await this.order('/v1/acts', body);
  }

  async latch() {
    const reason = this.nodes.reason.value.trim();
    if (reason === '') {
      say(this.nodes.problem, [element('p', { class: 'banner warn' }, this.t('acts.no_reason'))]);
      return;
    }
    if (await this.order('/v1/generator/latch', { reason })) this.nodes.reason.value = '';
  }

  draw() {
    const { t, nodes, acts } = this;
    if (!t) return;
    if (!may_see(this.me.roles)) {
      nodes.list.replaceChildren(element('p', { class: 'quiet' }, t('acts.not_yours')));
      return;
    }
    const made = JSON.stringify([acts, t.language, this.me]);
    if (made === this.made) return;
    this.made = made;
    const waiting = acts.filter((one) => one.state === 'asked');
    const others = acts.filter((one) => one.state !== 'asked').reverse().slice(0, 20);
    nodes.list.replaceChildren(...(acts.length === 0
      ? [element('p', { class: 'quiet' }, t('acts.none'))]
      : [...waiting, ...others].map((one) => this.act(one))));
  }

  act(one) {
    const { t } = this;
    const tone = { asked: 'warn', failed: 'bad', done: 'good' }[one.state] ?? '';
    const buttons = [];
    if (one.state === 'asked' && may_act(this.me.roles)) {
      if (one.asked_by === this.me.id) {
        buttons.push(element('p', { class: 'quiet' }, t('acts.another')));
      } else if (signed.includes(one.act)) {
        buttons.push(element('p', { class: 'quiet' }, t(`act_why.${one.act}`), ' ',
          t('acts.signed')));
      } else {
        const confirm = element('button', { type: 'button', class: 'strong' }, t('acts.confirm'));
        confirm.addEventListener('click', () => this.order(`/v1/acts/${one.id}/confirm`,
          one.digest === undefined ? {} : { digest: one.digest }));
        buttons.push(confirm);
      }
      const withdraw = element('button', { type: 'button' }, t('acts.withdraw'));
      withdraw.addEventListener('click', () => this.order(`/v1/acts/${one.id}/withdraw`, {}));
      buttons.push(withdraw);
    }
    return element('article', { class: 'card act' },
      element('h3', {}, t.code('act', one.act), ' ',
              element('span', { class: `pill ${tone}` }, t.code('act_state', one.state))),
      facts([
        one.object ? [t('acts.object'), one.object] : null,
        one.client ? [t('acts.client'), `${one.client.id}: ${(one.client.roles ?? [])
          .map((role) => t.code('role', role)).join(', ')}`] : null,
        one.digest ? [t('catalogue.digest'), element('span', { class: 'code', title: one.digest },
                                                     short_digest(one.digest))] : null,
        [t('acts.asked_by'), `${one.asked_by}, ${both_times(one.asked, t)}`],
        one.confirmed_by ? [t('acts.confirmed_by'), one.confirmed_by] : null,
        one.state === 'asked' ? [t('acts.expires'), both_times(one.expires, t)] : null,
      ]),
      element('div', { class: 'controls' }, buttons));
  }
}

/// Whom the appliance would have taken.
export function needed_text(problem, t) {
  const names = (list) => list.map((role) => t.code('role', role)).join(', ');
  if (!Array.isArray(problem.needed_roles)) return '';
  return element('p', {}, t('acts.needed', { needed: names(problem.needed_roles),
                                            own: names(problem.own_roles ?? []) || '–' }));
}
