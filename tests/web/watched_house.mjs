// Monitors for the daemon of the page's tests, and the past of their curves: a day with an evening
// on which a wheel's number came too often, a restart, and a source whose shares wander.

const minute_us = 60e6;

const side = (log, limit) => ({ epoch: 1, log_e_milli: log, alarm_at_milli: limit, alarm: false,
  alarms: 0 });
const watch = (kind, name, unit, seen, process) => ({ class: kind, name, unit, seen,
  process: side(process, 9906), detector: side(Math.max(process, 0) + 700, 20_723) });
const measure = (name, ppm) => ({ name, alarms: 0, short_ppm: ppm, short_past_known: true,
  short_alarm: 'none', long_ppm: ppm, long_past_known: true, long_alarm: 'none' });

export const monitors = {
  alpha: '0.001', run_length: 1_000_000_000, alarms_standing: 0, states_refused: 0,
  watching: [watch('noise', 'chaoskey-CK-0117-7250/prediction', 'samples', 88_080_384, -310),
    watch('bits', 'bits/ones', 'bytes', 9_175_040, -820),
    watch('outcomes', 'wheel-37/frequency', 'numbers', 8120, 1240),
    watch('outcomes', 'wheel-37/pairs', 'numbers', 8119, -90)],
  quality: [{ source: 'chaoskey-CK-0117-7250', samples: 88_080_384, alarms_standing: 0, alarms: 0,
    measures: [measure('most common value', 4310), measure('lag 1', 3910)] }],
};

/// A value that wanders and is the same each time: of that curve at that interval.
const wander = (place, i, size) => Math.round(size * (Math.sin(i / (17 + 3 * place)) +
  0.4 * Math.sin(i / 5 + place)));

/// The evening: it rises for an hour, crosses nothing, and falls back.
const evening = (i, end) => {
  const before = end - i;
  return before > 180 && before < 300 ? 8200 * Math.sin((before - 180) / 120 * Math.PI) : 0;
};

function stretch_of(at, step_us, from, to, end, place, share) {
  const last = [];
  const wide = [];
  for (let i = from; i < to; i += 1) {
    last.push(share ? 4000 + wander(place, i, 160) : wander(place, i, 600) +
      (place === 2 ? Math.round(evening(i, end)) : 0));
    wide.push(share ? 90 : 150 + 350 * (i % 7 === 0));
  }
  return { from: at + from * step_us, last, low: last.map((one, i) => one - wide[i]),
    high: last.map((one, i) => one + wide[i]) };
}

/// Of GET /v1/monitors/history: all that is asked for, with a restart three tenths before its end.
export function history(now_us, query) {
  const step = query.get('step') === 'hour' ? 60 * minute_us : minute_us;
  const count = Math.min(Number(query.get('limit') ?? 60), 1500);
  const at = Math.floor(now_us / step) * step - (count - 1) * step;
  const cut = Math.floor(count * 0.7);
  const parts = count < 10 ? [[0, count]] : [[0, cut], [cut + Math.ceil(count / 50), count]];
  const name = query.get('name');
  const curves = [];
  const add = (one, sides, place, share) => {
    if (name !== null && name !== one) return;
    sides.forEach((one_side, i) => curves.push({ name: one, side: one_side,
      stretches: parts.map(([from, to]) => stretch_of(at, step, from, to, count, place + 4 * i,
                                                      share)) }));
  };
  monitors.watching.forEach((one, i) => add(one.name, ['process', 'detector'], i, false));
  for (const one of monitors.quality)
    one.measures.forEach((it, i) => add(`${one.source}/${it.name}`, ['short', 'long'], i, true));
  return { watched: true, step, oldest: now_us - 1440 * minute_us, left_out: 0, refused: 0,
    more: true, curves };
}

/// The house watches itself.
export function watched(house) {
  house.status.monitors = structuredClone(monitors);
  house.curves = (query) => history(house.time, query);
}
