// Words of the page that verifies evidence, in English and in Spanish. The verifier's own
// sentences: verify_lines.js.

const en = {
  skip: 'Skip to the content',
  home: 'To the appliance',
  title: 'Verify evidence',
  about: 'An evidence file (.talla) holds the signed records of a draw, a card, a shoe or a ' +
         'settlement. This page '
    + 'checks it inside your browser. Nothing is sent anywhere.',
  trust_title: 'Where did this page come from?',
  trust: 'A page that comes from the appliance itself is only as trustworthy as the appliance. ' +
         'The independent check '
    + 'is the command "talla verify", or a copy of this page that somebody else keeps: it works ' +
      'from any web server.',
  files: 'Files',
  drop: 'Choose the files, or drop them anywhere on this page.',
  bundle: 'Evidence file (.talla)',
  roots: 'Trusted root certificate (PEM)',
  roots_help: 'All trust rests on it: have it from the casino, the laboratory or the regulator, ' +
              'not the appliance.',
  openings: 'Openings of a covered shoe (optional)',
  openings_help: 'The file that only an auditor has.',
  type_root: 'Root certificate of laboratories (PEM, optional)',
  installation_root: 'Root certificate of regulators (PEM, optional)',
  withdrawal: 'Withdrawal of a certification (optional)',
  certification_help: 'Only with both roots can evidence be called certified. Have them from those ' +
                      'who certify, not from the casino.',
  verify: 'Verify',
  result: 'Result',
  nothing_yet: 'Nothing has been verified yet.',
  working: 'Verifying ...',
  need_bundle: 'Choose an evidence file first.',
  need_roots: 'Choose the trusted root certificate first.',
  too_large: 'The file {name} is larger than an evidence file can be.',
  fetch_failed: 'The evidence could not be fetched from {name}: {why}',
  foreign_address: 'The address in the link does not belong to this server, and was not fetched.',
  from_server: '{name}, from this server',
  refused: 'NOT VALID',
  refused_meaning: 'The evidence proves nothing. What does not hold:',
  verdict_0: 'Verified: certified',
  verdict_3: 'Verified: uncertified',
  verdict_4: 'Verified: laboratory',
  meaning_0: 'The records are signed and consistent, and a laboratory and a regulator certify ' +
             'software, settings, rules and source of each commitment.',
  meaning_3: 'The records are signed and consistent. Source, software and settings are as the ' +
             'appliance states them: no certification that you trust covers them.',
  meaning_4: 'The records are signed and consistent, but come from a laboratory source: they are ' +
             'no evidence of play.',
  settled_unchecked: 'Whether the rules of the game give these results was not computed: "talla ' +
                     'verify" does it.',
  development: 'Signed with development keys: good for trying out, not for play.',
  claim: 'What is claimed',
  claim_record: 'Record',
  claim_log: 'Log',
  claim_object: 'Object',
  claim_time: 'Recorded time (UTC)',
  outcome: 'Outcome',
  no_outcome: 'This record has no card and no number.',
  cards: 'Cards in order of dealing',
  order: 'Whole order of the shoe, as it is dealt ({count} cards)',
  order_of: 'Whole order of shuffle {shuffle}, as it is dealt ({count} cards)',
  shoe: 'Shoe',
  shuffle: 'Shuffle',
  position: 'Position',
  place: 'Place',
  card: 'Card',
  closed_covered: 'covered',
  closed_unseen: 'not seen',
  claimed: 'this record',
  drawn: 'Numbers drawn',
  batch: 'Batch',
  index: 'Draw',
  number: 'Outcome',
  pocket: 'pocket {value} of the wheel, counted from 0 (the catalogue names it)',
  dice: 'dice {value}',
  lots: 'numbers {value}',
  voided: 'void; it would have been: {value}',
  unrecoverable: 'void; it cannot be known',
  results: 'Results as they are recorded (not computed again here)',
  bet: 'Bet',
  seat: 'Seat',
  kind: 'Kind',
  stake: 'Stake',
  settled: 'Result',
  returned: 'Returned',
  checked: 'Checked',
  not_checked: 'Not checked',
  joker: 'joker',
  ball: 'ball {value}',
  suits: { o: 'oros', c: 'copas', e: 'espadas', b: 'bastos' },
};

const es = {
  skip: 'Ir al contenido',
  home: 'Al equipo',
  title: 'Verificar una prueba',
  about: 'Un fichero de prueba (.talla) contiene los asientos firmados de un sorteo, una carta, ' +
         'un sabot o una '
    + 'liquidación. Esta página lo comprueba dentro de su navegador. Nada se envía a ningún sitio.',
  trust_title: '¿De dónde viene esta página?',
  trust: 'Una página que viene del propio equipo es tan fiable como el equipo, y no más. La ' +
         'comprobación '
    + 'independiente es la orden «talla verify», o una copia de esta página que guarde otra ' +
      'persona: funciona desde '
    + 'cualquier servidor web.',
  files: 'Ficheros',
  drop: 'Elija los ficheros, o suéltelos en cualquier parte de esta página.',
  bundle: 'Fichero de prueba (.talla)',
  roots: 'Certificado raíz de confianza (PEM)',
  roots_help: 'En él descansa toda la confianza: obténgalo del casino, del laboratorio o del ' +
              'regulador, no del equipo.',
  openings: 'Aperturas de un sabot cubierto (opcional)',
  openings_help: 'El fichero que solo tiene un auditor.',
  type_root: 'Certificado raíz de los laboratorios (PEM, opcional)',
  installation_root: 'Certificado raíz de los reguladores (PEM, opcional)',
  withdrawal: 'Retirada de una certificación (opcional)',
  certification_help: 'Solo con las dos raíces puede llamarse certificada una prueba. Obténgalas ' +
                      'de quien certifica, no del casino.',
  verify: 'Verificar',
  result: 'Resultado',
  nothing_yet: 'Todavía no se ha verificado nada.',
  working: 'Verificando ...',
  need_bundle: 'Elija primero un fichero de prueba.',
  need_roots: 'Elija primero el certificado raíz de confianza.',
  too_large: 'El fichero {name} es mayor de lo que puede ser una prueba.',
  fetch_failed: 'No se pudo obtener la prueba de {name}: {why}',
  foreign_address: 'La dirección del enlace no es de este servidor y no se ha consultado.',
  from_server: '{name}, de este servidor',
  refused: 'NO VÁLIDA',
  refused_meaning: 'La prueba no demuestra nada. Lo que no se cumple (en inglés):',
  verdict_0: 'Verificada: certificada',
  verdict_3: 'Verificada: sin certificar',
  verdict_4: 'Verificada: laboratorio',
  meaning_0: 'Los asientos están firmados y concuerdan, y un laboratorio y un regulador ' +
             'certifican el programa, los ajustes, las reglas y la fuente de cada compromiso.',
  meaning_3: 'Los asientos están firmados y concuerdan. La fuente, el programa y los ajustes son ' +
             'los que declara el equipo: no los cubre ninguna certificación de su confianza.',
  meaning_4: 'Los asientos están firmados y concuerdan, pero vienen de una fuente de ' +
             'laboratorio: no prueban '
    + 'ningún juego.',
  settled_unchecked: 'No se calculó si estos resultados son los que dan las reglas del juego: lo ' +
                     'hace «talla verify».',
  development: 'Firmada con claves de desarrollo: sirven para probar, no para jugar.',
  claim: 'Qué se afirma',
  claim_record: 'Registro',
  claim_log: 'Libro',
  claim_object: 'Objeto',
  claim_time: 'Hora registrada (UTC)',
  outcome: 'Resultado del azar',
  no_outcome: 'Este asiento no tiene carta ni número.',
  cards: 'Cartas en el orden en que se repartieron',
  order: 'Orden completo del sabot, tal como se reparte ({count} cartas)',
  order_of: 'Orden completo de la barajadura {shuffle}, tal como se reparte ({count} cartas)',
  shoe: 'Sabot',
  shuffle: 'Barajadura',
  position: 'Posición',
  place: 'Lugar',
  card: 'Carta',
  closed_covered: 'tapada',
  closed_unseen: 'no vista',
  claimed: 'este asiento',
  drawn: 'Números sorteados',
  batch: 'Lote',
  index: 'Sorteo',
  number: 'Resultado',
  pocket: 'casilla {value} de la rueda, contando desde 0 (el catálogo la nombra)',
  dice: 'dados {value}',
  lots: 'números {value}',
  voided: 'anulado; habría sido: {value}',
  unrecoverable: 'anulado; no se puede conocer',
  results: 'Resultados tal como están registrados (aquí no se vuelven a calcular)',
  bet: 'Apuesta',
  seat: 'Puesto',
  kind: 'Suerte',
  stake: 'Puesta',
  settled: 'Resultado',
  returned: 'Devuelto',
  checked: 'Comprobado',
  not_checked: 'No comprobado',
  joker: 'comodín',
  ball: 'bola {value}',
  suits: { o: 'oros', c: 'copas', e: 'espadas', b: 'bastos' },
};

export const WORDS = { en, es };

/// The words of a key, with each {name} filled in.
export function say(language, key, values = {}) {
  const text = WORDS[language][key];
  if (typeof text !== 'string') return text;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
