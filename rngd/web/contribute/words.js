// Words of the page by which a player takes part, in English and in Spanish. A refusal's first word
// is its code (open.js); here is what it means for the person.

const en = {
  skip: 'Skip to the content',
  title: 'Your number in the game',
  place: 'Seat {seat}, {place}',
  join: 'Take part',
  join_again: 'Take part with this device',
  give: 'Give my number',
  keep: 'These are not my bets: keep it',
  ask: 'Ask me before my number is given, so that I look at my bets first.',
  bets_title: 'Your bets, as they were closed',
  no_bets: 'The call is before the bets, or you have none in this round.',
  bet: '{kind}{on}: {stake}',
  ends_title: 'Your numbers so far',
  what_title: 'What happens here',
  what: 'Your phone thinks up a secret number and hands in its fingerprint. Then the table and ' +
    'the ' +
    'appliance are bound to cards, bets and numbers of their own. Only then does your phone show ' +
    'its number, and the order of the cards, or the number that is drawn, follows from all of ' +
    'them: if yours was not known before, nobody could choose the result.',
  what_checks: 'Before it shows the number, your phone checks that the call is signed, stands in ' +
    'the log and names your fingerprint, that the cards were fixed before, that nothing is ' +
    'missing ' +
    'since the last time, and that your bets are those that were closed. What it cannot check it ' +
    'tells you, and keeps the number.',
  what_trust: 'Key and number stay in this browser and cannot be read out of it. This page comes ' +
    'from the casino: who trusts nobody takes part with a program of his own, which this link ' +
    'works for too.',
  connecting: 'Connecting ...',
  offline: 'No connection at the moment. It is tried again; your number stays here.',
  ready: 'Nothing has been made yet. Press the button, and this device takes part for your seat.',
  second: 'Another device already takes part for this seat with this link. One does at a time: ' +
    'if ' +
    'you go on here, the other one ends.',
  replaced: 'Another device has taken this seat over. This one gives no numbers any more.',
  busy: 'The table is waiting for the number of the other device. Try again when this turn is ' +
    'over.',
  waiting: 'You take part. Waiting for the next call of the table. Leave this page open.',
  checking: 'The table calls (turn {turn}). Checking ...',
  look: 'The table calls (turn {turn}) and everything holds. Look at your bets and decide.',
  given: 'Your number for turn {turn} is given. Waiting for the result ...',
  kept: 'You kept your number. The turn ends without it, which is recorded and counted.',
  without: 'This turn was called without your number, and its evidence shows that.',
  over: 'This link has ended. Ask the table for a new one.',
  closed: 'The table was closed. Thank you for taking part.',
  other_tab: 'This page is open in another window of this device; it goes on there.',
  unable: 'This browser cannot keep a key safely (WebCrypto, IndexedDB, locks). Take another one.',
  refused: 'Your number was NOT given',
  call_inspector: 'Tell the inspector, and keep this page open.',
  code_link: 'The link is not whole. Scan the code again.',
  code_other_root: 'The root certificate here is not the one in your link.',
  code_other_origin: 'The log is not the one in your link.',
  code_other_table: 'The table is not the one in your link, or it was opened again since.',
  code_log_key: 'The key of the log is not certified by the root in your link.',
  code_not_in_log: 'A record that the call rests on is not in the signed log.',
  code_link_gap: 'Records of the table since your last number are missing or are others now.',
  code_call_signature: 'The call is not signed by the table.',
  code_turn_open: 'A call from before has no result.',
  code_turn_gap: 'The call is an old one, or its turn does not follow.',
  code_core_mismatch: 'The call does not say what the table is: game, rules or round are others.',
  code_void_limit: 'It was tried again too often without two persons\' order.',
  code_contributor_dropped: 'Somebody who had not been missing is left out.',
  code_order_wrong: 'What lets the table call again is not signed so by two persons.',
  code_head_wrong: 'Something happened at the table behind what the call rests on.',
  code_not_named: 'The call does not name the key of this device.',
  code_duplicate: 'The call names your key twice.',
  code_t_gap: 'The call asks for another of your numbers than the next one.',
  code_commit_mismatch: 'The call names another fingerprint than your phone handed in.',
  code_root_unknown: 'Nobody had committed to these cards or secrets before.',
  code_candidate_wrong: 'The shoe is not sealed in as many orders to pick from as the table says.',
  code_bets_other: 'The call rests on other bets than those that were closed, or on bets that ' +
    'you do not know.',
  code_bets_unseen: 'The table shows a digest of its bets only: your phone cannot see yours.',
  code_core_other: 'The same call was asked again with another content.',
  code_end_other: 'What is said to be the result of your call is not.',
  code_other: 'Something does not hold: {why}',
  in_mix: 'Your number is in the order of this shoe.',
  in_draw: 'Your number is in this draw.',
  settled: 'The round is settled.',
  settled_in: 'The round is settled, and your number is in what it rests on.',
  settled_none: 'You had no bet in it.',
  settled_bet: '{kind}, {stake}: {result}, returned {returned}',
  not_in: 'Your number is NOT in the result, although it was given.',
  withheld: '{who} did not give a number in time: the turn is void. It is in the log and is ' +
    'counted.',
  withheld_you: 'Your number did not come in time: the turn is void. It is in the log and is ' +
    'counted.',
  void_order: 'Two persons ended the turn without a result. It is in the log and is counted.',
  void_other: 'The turn ended without a result. It is in the log and is counted.',
  who_seat: 'Seat {number}',
  and: ' and ',
  turn: 'Turn {turn}',
  judging: 'Verifying the evidence ...',
  judged: 'Verified by this phone from the evidence file: {verdict}.',
  judged_not: 'The evidence does NOT hold: {why}',
  verdict_certified: 'certified', verdict_uncertified: 'valid, uncertified',
  verdict_lab: 'valid, laboratory', development: 'development keys',
  more: 'What was checked, and what was not',
  checked: 'Checked', not_checked: 'Not checked',
};

const es = {
  skip: 'Ir al contenido',
  title: 'Su número en el juego',
  place: 'Puesto {seat}, {place}',
  join: 'Participar',
  join_again: 'Participar con este teléfono',
  give: 'Dar mi número',
  keep: 'No son mis apuestas: no lo doy',
  ask: 'Preguntarme antes de dar mi número, para mirar primero mis apuestas.',
  bets_title: 'Sus apuestas, tal como se cerraron',
  no_bets: 'La llamada es anterior a las apuestas, o usted no tiene ninguna en esta jugada.',
  bet: '{kind}{on}: {stake}',
  ends_title: 'Sus números hasta ahora',
  what_title: 'Qué pasa aquí',
  what: 'Su teléfono piensa un número secreto y entrega su huella. Después la mesa y el equipo ' +
    'quedan atados a las cartas, a las apuestas y a sus propios números. Solo entonces su ' +
    'teléfono enseña el suyo, y de todos ellos sale el orden de las cartas o el número sorteado: ' +
    'si nadie conocía antes el de usted, nadie pudo elegir el resultado.',
  what_checks: 'Antes de enseñarlo, su teléfono comprueba que la llamada está firmada, consta en ' +
    'el registro y nombra su huella, que las cartas estaban fijadas antes, que no falta nada ' +
    'desde la última vez y que sus apuestas son las que se cerraron. Lo que no puede comprobar ' +
    'se lo dice, y no da el número.',
  what_trust: 'La clave y el número se quedan en este navegador y no se pueden sacar de él. Esta ' +
    'página viene del casino: quien no se fía de nadie participa con un programa propio, y este ' +
    'mismo enlace le sirve.',
  connecting: 'Conectando ...',
  offline: 'Ahora no hay conexión. Se vuelve a intentar; su número sigue aquí.',
  ready: 'Todavía no se ha hecho nada. Pulse el botón y este teléfono participará por su puesto.',
  second: 'Otro teléfono ya participa por este puesto con este enlace. Participa uno cada vez: ' +
    'si sigue aquí, el otro termina.',
  replaced: 'Otro teléfono ha tomado este puesto. Este ya no da números.',
  busy: 'La mesa espera el número del otro teléfono. Inténtelo cuando acabe este turno.',
  waiting: 'Usted participa. Se espera la próxima llamada de la mesa. Deje abierta esta página.',
  checking: 'La mesa llama (turno {turn}). Comprobando ...',
  look: 'La mesa llama (turno {turn}) y todo concuerda. Mire sus apuestas y decida.',
  given: 'Su número del turno {turn} está dado. Se espera el resultado ...',
  kept: 'Usted no dio su número. El turno acaba sin él; queda registrado y se cuenta.',
  without: 'Este turno se llamó sin su número, y su prueba lo enseña.',
  over: 'Este enlace ha terminado. Pida otro en la mesa.',
  closed: 'La mesa se cerró. Gracias por participar.',
  other_tab: 'Esta página está abierta en otra ventana de este teléfono; sigue allí.',
  unable: 'Este navegador no puede guardar una clave con seguridad (WebCrypto, IndexedDB, ' +
    'candados). Use otro.',
  refused: 'Su número NO se ha dado',
  call_inspector: 'Avise al inspector y deje abierta esta página.',
  code_link: 'El enlace no está entero. Vuelva a leer el código.',
  code_other_root: 'El certificado raíz de aquí no es el de su enlace.',
  code_other_origin: 'El registro no es el de su enlace.',
  code_other_table: 'La mesa no es la de su enlace, o se abrió de nuevo después.',
  code_log_key: 'La clave del registro no está certificada por la raíz de su enlace.',
  code_not_in_log: 'Un asiento en que se apoya la llamada no está en el registro firmado.',
  code_link_gap: 'Faltan asientos de la mesa desde su último número, o ahora son otros.',
  code_call_signature: 'La llamada no está firmada por la mesa.',
  code_turn_open: 'Una llamada anterior no tiene resultado.',
  code_turn_gap: 'La llamada es vieja, o su turno no es el que sigue.',
  code_core_mismatch: 'La llamada no dice lo que es la mesa: otro juego, otras reglas u otra ' +
    'jugada.',
  code_void_limit: 'Se repitió demasiadas veces sin orden de dos personas.',
  code_contributor_dropped: 'Se deja fuera a alguien que no había faltado.',
  code_order_wrong: 'Lo que deja llamar de nuevo no lo firmaron así dos personas.',
  code_head_wrong: 'Pasó algo en la mesa detrás de aquello en que se apoya la llamada.',
  code_not_named: 'La llamada no nombra la clave de este teléfono.',
  code_duplicate: 'La llamada nombra su clave dos veces.',
  code_t_gap: 'La llamada pide otro de sus números, no el que sigue.',
  code_commit_mismatch: 'La llamada nombra otra huella que la que entregó su teléfono.',
  code_root_unknown: 'Nadie se había comprometido antes con estas cartas o secretos.',
  code_candidate_wrong: 'El sabot no está sellado en tantos órdenes entre los que escoger como ' +
    'dice la mesa.',
  code_bets_other: 'La llamada se apoya en otras apuestas que las que se cerraron, o en unas que ' +
    'usted no conoce.',
  code_bets_unseen: 'La mesa enseña solo un resumen de sus apuestas: su teléfono no puede ver ' +
    'las de usted.',
  code_core_other: 'La misma llamada se pidió otra vez con otro contenido.',
  code_end_other: 'Lo que se da por resultado de su llamada no lo es.',
  code_other: 'Algo no concuerda: {why}',
  in_mix: 'Su número está en el orden de este sabot.',
  in_draw: 'Su número está en este sorteo.',
  settled: 'La jugada está liquidada.',
  settled_in: 'La jugada está liquidada y su número está en aquello en que se apoya.',
  settled_none: 'Usted no tenía ninguna apuesta en ella.',
  settled_bet: '{kind}, {stake}: {result}, se devuelven {returned}',
  not_in: 'Su número NO está en el resultado, aunque se dio.',
  withheld: '{who} no dio su número a tiempo: el turno es nulo. Consta en el registro y se cuenta.',
  withheld_you: 'Su número no llegó a tiempo: el turno es nulo. Consta en el registro y se cuenta.',
  void_order: 'Dos personas acabaron el turno sin resultado. Consta en el registro y se cuenta.',
  void_other: 'El turno acabó sin resultado. Consta en el registro y se cuenta.',
  who_seat: 'El puesto {number}',
  and: ' y ',
  turn: 'Turno {turn}',
  judging: 'Comprobando la prueba ...',
  judged: 'Comprobado en este teléfono con el fichero de prueba: {verdict}.',
  judged_not: 'La prueba NO vale: {why}',
  verdict_certified: 'certificada', verdict_uncertified: 'válida, sin certificar',
  verdict_lab: 'válida, de laboratorio', development: 'claves de desarrollo',
  more: 'Qué se comprobó y qué no',
  checked: 'Comprobado', not_checked: 'No comprobado',
};

export const WORDS = { en, es };

export function say(language, key, values = {}) {
  const text = WORDS[language][key];
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/// What a refusal means, by its code.
export function refusalText(language, why) {
  const code = /^([a-z_]+): /.exec(why)?.[1];
  const key = `code_${code}`;
  return Object.hasOwn(WORDS[language], key) ? say(language, key)
    : say(language, 'code_other', { why });
}
