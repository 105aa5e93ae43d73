// Spanish words of a month of the log.

export const spanish_month = {
  'month.meaning':
    'Lo que talla-lab month cuenta de una exportación, contado aquí del propio registro del ' +
    'equipo, por las horas UTC de sus asientos. Una apuesta cuenta una sola vez, cuando se ' +
    'liquida por primera vez.',
  'month.of': 'Mes',
  'month.unfinished': 'Aún no se ha contado todo: van {count} asientos',
  'month.no_tables': 'En este mes no se jugó en ninguna mesa.',
  'month.tables': 'Mesas',
  'month.table': 'Mesa',
  'month.rounds': 'Jugadas',
  'month.staked': 'Apostado',
  'month.returned': 'Devuelto',
  'month.misdeals': 'Errores de reparto',
  'month.voids': 'Anulaciones, por causa',
  'month.withheld': 'Aportaciones retenidas, de quién',
  'month.draws': 'Resultados',
  'month.what': 'Qué',
  'month.count': 'Cuántos',
  'month.results': 'Resultados',
  'month.chance': 'Probabilidad de un mes menos parejo',
  'month.latches': 'Enclavamientos del generador',
  'month.alarms': 'Alarmas de pruebas de salud y vigilancias',
  'month.records': 'Asientos del mes',
  'month.power': 'Arranques y paradas',
  'month.selftests': 'Autopruebas',
  'month.reseeds': 'Semillas nuevas',
  'month.resets': 'Levantamientos del enclavamiento',
  'month.refused': 'Accesos rechazados',
  'month.none': 'ninguno',
};
