// English words of the past of the monitors' curves.

export const english_curves = {
  'statistics.span': 'Show',
  'statistics.span_hour': 'the last hour',
  'statistics.span_day': 'the last 24 hours, by the minute',
  'statistics.span_month': 'the last 31 days, by the hour',
  'statistics.kept':
    'The appliance keeps these curves, so every browser shows the same; here from {time} on. The ' +
    'line is the last value of each interval, the pale band reaches from its least to its ' +
    'greatest. Where a line is broken nobody looked, the appliance began anew or its clock was ' +
    'set.',
  'statistics.kept_none': 'What the appliance has kept of these curves is not here yet.',
  'statistics.kept_not': 'What the appliance has kept could not be shown; the curves show what ' +
                         'this page saw.',
  'statistics.kept_refused':
    'Damaged files of the past at the start: {count}; their time is a gap.',
  'statistics.kept_left_out':
    'Figures whose past is not kept, because there are too many: {count}.',
};
