// English words of a month of the log.

export const english_month = {
  'month.meaning':
    'What talla-lab month counts from an export, counted here from the appliance\'s own log, by ' +
    'the times of its records in UTC. A stake counts once, when it is settled first.',
  'month.of': 'Month',
  'month.unfinished': 'Not all is counted yet: {count} records so far',
  'month.no_tables': 'No table was played in this month.',
  'month.tables': 'Tables',
  'month.table': 'Table',
  'month.rounds': 'Rounds',
  'month.staked': 'Staked',
  'month.returned': 'Returned',
  'month.misdeals': 'Misdeals',
  'month.voids': 'Voids, by cause',
  'month.withheld': 'Contributions withheld, by whom',
  'month.draws': 'Outcomes',
  'month.what': 'What',
  'month.count': 'How many',
  'month.results': 'Results',
  'month.chance': 'Chance of a less even month',
  'month.latches': 'Latches of the generator',
  'month.alarms': 'Alarms of health tests and monitors',
  'month.records': 'Records of the month',
  'month.power': 'Starts and stops',
  'month.selftests': 'Self-tests',
  'month.reseeds': 'New seeds',
  'month.resets': 'Resets of latches',
  'month.refused': 'Accesses refused',
  'month.none': 'none',
};
