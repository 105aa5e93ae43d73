// Spanish words of the past of the monitors' curves.

export const spanish_curves = {
  'statistics.span': 'Ver',
  'statistics.span_hour': 'la última hora',
  'statistics.span_day': 'las últimas 24 horas, minuto a minuto',
  'statistics.span_month': 'los últimos 31 días, hora a hora',
  'statistics.kept':
    'Estas curvas las guarda el equipo, así que se ven igual en cualquier navegador; aquí, desde ' +
    'el {time}. La línea es el último valor de cada intervalo y la franja clara va del menor al ' +
    'mayor. Donde la línea se corta nadie miraba, el equipo volvió a arrancar o se cambió su ' +
    'reloj.',
  'statistics.kept_none': 'Aún no ha llegado lo que el equipo guarda de estas curvas.',
  'statistics.kept_not': 'No se puede mostrar lo que guarda el equipo; las curvas son lo que ha ' +
                         'visto esta página.',
  'statistics.kept_refused':
    'Ficheros del pasado dañados al arrancar: {count}; en su lugar hay un hueco.',
  'statistics.kept_left_out': 'Figuras cuyo pasado no se guarda, porque son demasiadas: {count}.',
};
