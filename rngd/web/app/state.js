// The appliance as /v1/status tells it: ready or why not, what feeds it, how it is kept.

import { element, facts, say } from './dom.js';
import { both_times, number, short_digest, thousandths } from './format.js';

const banner = (tone, title, ...more) => element('div', { class: `banner ${tone}` }, title,
                                                 ...more);
const tone_of = (table, code) => table[code] ?? '';

const generator_tones = { operational: 'good', startup: 'warn', off: 'warn', suspended: 'bad',
                         latched: 'bad' };
const verdict_tones = { good: 'good', untested: 'warn', testing: 'warn', failed: 'bad' };
const software_tones = { signed: 'good', unsigned: 'warn', mismatch: 'bad' };
const clock_tones = { synced: 'good', holdover: 'warn', unset: 'warn' };

/// Who stopped it, why, since when, and who ends it.
function latch_lines(latch, t) {
  if (latch === undefined) return [];
  const by = latch.by ?? t('state.latch_itself');
  const words = latch.note === undefined ? '' : ` «${latch.note}»`;
  const roles = latch.ended_by.roles.flat().map((role) => t.code('role', role));
  return [
    element('p', {}, t('state.latch', { by, reason: t.code('latched', latch.reason),
      time: both_times(latch.since, t), record: latch.record }) + words),
    element('p', {}, t('state.latch_end', { one: roles[0], other: roles[1],
                                            act: t.code('act', latch.ended_by.act) })),
  ];
}

/// What a reader must not miss, most urgent first.
export function warnings(status, t) {
  const found = [];
  if (status.ready) {
    found.push(banner('good', t('state.ready')));
  } else {
    const reasons = status.reasons.map((code) => element('li', {}, t.code('problem', code)));
    found.push(banner('bad', t('state.not_ready'), element('ul', {}, reasons),
                      ...latch_lines(status.latch, t)));
  }
  if (status.generator.uncertified) {
    found.push(banner('bad', t('state.uncertified'), element('p', {}, t('state.uncertified_why'))));
  }
  if (status.software.state === 'mismatch') found.push(banner('bad', t('state.software_mismatch')));
  if (status.profile !== 'production') found.push(banner('warn', t('state.development')));
  return found;
}

function appliance_facts(status, t) {
  const generator = status.generator;
  return facts([
    [t('state.origin'), element('span', { class: 'code' }, status.origin)],
    [t('state.version'), status.version],
    [t('state.profile'), t.code('profile', status.profile)],
    [t('state.size'), number(status.size, t)],
    status.tables === undefined ? null : [t('state.tables'), number(status.tables, t)],
    [t('state.boot'), number(status.boot, t)],
    [t('state.generator'), t.code('generator', generator.state),
     tone_of(generator_tones, generator.state)],
    [t('state.construction'), t.code('construction', generator.construction)],
    [t('state.certified'), t(generator.uncertified ? 'state.certified_no' : 'state.certified_yes'),
      generator.uncertified ? 'bad' : 'good'],
    [t('state.reseeds'), number(generator.reseeds, t)],
    [t('state.generates'), number(generator.generates, t)],
    [t('state.sealing'), t.code('sealing', status.sealing)],
    [t('state.rollback'), t.code('rollback', status.rollback_protection)],
    status.anchor_lag === undefined ? null : [t('state.anchor_lag'), number(status.anchor_lag, t)],
    [t('state.clock'), t.code('clock', status.time_quality),
     tone_of(clock_tones, status.time_quality)],
    [t('state.time'), both_times(status.time, t)],
  ]);
}

function device_rows(device, t) {
  if (!device) return [];
  const rows = [
    [t('device.stalls'), number(device.stalls_cleared, t)],
    [t('device.silences'), number(device.silences, t)],
    [t('device.dropped'), number(device.blocks_dropped, t)],
  ];
  if (device.gain_permille !== undefined) rows.push([t('device.gain'),
                                                     thousandths(device.gain_permille, t, 3)]);
  if (device.sample_variance !== undefined) rows.push([t('device.variance'),
                                                       number(device.sample_variance, t)]);
  if (device.supply_millivolts !== undefined) {
    rows.push([t('device.supply'), `${thousandths(device.supply_millivolts, t, 2)} V`]);
  }
  return rows;
}

function source_card(source, t) {
  const yes_no = (value) => t(value ? 'word.yes' : 'word.no');
  const title = source.serial ? `${source.model} (${source.serial})` : source.model;
  return element('article', { class: 'card' },
    element('h3', {}, title),
    source.lost ? banner('bad', t('source.lost')) : null,
    facts([
      [t('source.class'), t.code('class', source.class)],
      [t('source.verdict'), t.code('verdict', source.verdict),
       tone_of(verdict_tones, source.verdict)],
      [t('source.credited'), yes_no(source.credited), source.credited ? 'good' : 'warn'],
      [t('source.assessed'), t('source.assessed_value', {
        bits: thousandths(source.millibits, t, 3), width: source.bits,
      })],
      source.assessment === undefined ? null
        : [t('source.assessment'), t.code('assessment', source.assessment),
          ['unit', 'type'].includes(source.assessment) ? 'good' : 'warn'],
      [t('source.samples'), number(source.samples, t)],
      [t('source.credited_bits'), number(source.credited_bits, t)],
      [t('source.alarms'), number(source.alarms, t), source.alarms > 0 ? 'bad' : ''],
      source.nominal_rate > 0 ? [t('source.rate'),
                                 t('source.rate_value', { rate: number(source.nominal_rate, t) })]
        : null,
      [t('source.required'), yes_no(source.required)],
      [t('source.independent'), yes_no(source.independent)],
      ...device_rows(source.device, t),
    ]));
}

function software_part(software, t) {
  const digest = (hex) => element('span', { class: 'code', title: hex }, short_digest(hex));
  const findings = (software.findings ?? []).map((one) =>
    element('li', {}, element('span', { class: 'code' }, one.path),
            `: ${t.code('finding', one.what)}`));
  return [
    element('h3', {}, t('state.software')),
    facts([
      [t('software.state'), t.code('software_state', software.state),
       tone_of(software_tones, software.state)],
      software.version === undefined ? null : [t('state.version'), software.version],
      software.build === undefined ? null : [t('software.build'), software.build],
      software.signers === undefined ? null : [t('software.signers'), software.signers.join(', ')],
      software.files === undefined ? null : [t('software.files'), number(software.files, t)],
      software.checked === undefined ? null : [t('software.checked'),
                                               both_times(software.checked, t)],
      software.manifest === undefined ? null : [t('software.manifest'), digest(software.manifest)],
      software.approved === undefined ? null : [t('software.approved'), digest(software.approved)],
    ]),
    findings.length > 0 ? element('ul', { class: 'bad' }, findings) : null,
  ];
}

/// Fills the live region and the facts.
export function show_state(status, t, ready_node, view_node) {
  say(ready_node, warnings(status, t));
  const sources = status.generator.sources.map((source) => source_card(source, t));
  view_node.replaceChildren(
    appliance_facts(status, t),
    element('h3', {}, t('state.sources')),
    sources.length > 0 ? element('div', { class: 'cards' }, sources)
      : element('p', { class: 'bad' }, t('source.none')),
    ...software_part(status.software, t).filter(Boolean));
}
