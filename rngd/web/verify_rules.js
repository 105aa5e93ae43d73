// Sentences of the rules that evidence is refused for. Written by
// rngd/packaging/pages from `talla --json docs refusals`.
export const RULES = {
  round_settled: {
    en: 'a round was settled twice, or went on behind its settlement',
    es: 'una jugada se liquidó dos veces, o siguió tras liquidarse' },
  round_unfinished: {
    en: 'a round was settled before it was over',
    es: 'una jugada se liquidó antes de terminar' },
  stop_card_early: {
    en: 'a shoe was ended by a stop card that cannot have come yet',
    es: 'un sabot se cerró por una carta de bloqueo que aún no pudo salir' },
  card_undue: {
    en: 'a card was thrown away, or kept, where the rules do not burn it so',
    es: 'se apartó una carta, o se dejó de apartar, sin que lo mandaran las reglas' },
  state_jump: {
    en: 'a round does not begin with what the one before it left',
    es: 'una jugada no empieza con lo que dejó la anterior' },
  state_first: {
    en: 'the first round does not begin as the rules of the game begin',
    es: 'la primera jugada no empieza como mandan las reglas del juego' },
  stake_before: {
    en: 'stakes stood on the table that were no bets of this round',
    es: 'había en la mesa apuestas que no eran de esta jugada' },
  batch_missing: {
    en: 'a draw of the round is of secrets whose commitment is missing',
    es: 'un sorteo de la jugada es de unos secretos cuyo compromiso falta' },
  certificate_form: {
    en: 'a certificate has a key or content that is not allowed',
    es: 'un certificado tiene una clave o un contenido que no se admite' },
  answer_twice: {
    en: 'the log holds two answers to one turn of another log\'s table',
    es: 'el registro tiene dos respuestas a un mismo turno de una mesa de otro registro' },
  answer_back: {
    en: 'an answer does not go on from the one before of its key',
    es: 'una respuesta no continúa la anterior de su clave' },
  answer_signature: {
    en: 'an answer is not signed by the key it is said of',
    es: 'una respuesta no la firmó la clave de la que se dice' },
  answer_own: {
    en: 'an answer is to a call of the log that holds it',
    es: 'una respuesta es a una llamada del mismo registro que la guarda' },
  candidate_wrong: {
    en: 'a shoe was not picked from its sealed orders as it must be, or one of the others is no ' +
      'whole deck',
    es: 'un sabot no se escogió entre sus órdenes sellados como se debe, o uno de los otros no es' +
      ' una baraja completa' },
  order_wrong: {
    en: 'two persons did not sign that it is called for again',
    es: 'dos personas no firmaron que se repita la llamada' },
  void_limit: {
    en: 'it was tried again too often without two persons\' order',
    es: 'se repitió demasiadas veces sin orden de dos personas' },
  contributor_dropped: {
    en: 'a repeated call leaves out somebody who had not been missing',
    es: 'una llamada repetida deja fuera a alguien que no había faltado' },
  untrusted_chain: {
    en: 'the signer\'s certificates do not lead to your trusted root',
    es: 'los certificados de quien firma no llevan a su raíz de confianza' },
  wrong_statement: {
    en: 'the statement about the log\'s key does not hold',
    es: 'la declaración de la clave del registro no se sostiene' },
  wrong_signature: {
    en: 'the checkpoint is not signed by the log\'s key',
    es: 'el punto de control no está firmado con la clave del registro' },
  wrong_origin: {
    en: 'the parts of the file come from different logs',
    es: 'las partes del fichero son de registros distintos' },
  not_included: {
    en: 'a record is not in the signed log: it was changed or made up',
    es: 'un asiento no está en el registro firmado: lo han cambiado o es inventado' },
  gap: {
    en: 'a record on which all rests is not in the file',
    es: 'falta en el fichero un asiento en que se apoya todo' },
  wrong_citation: {
    en: 'the settlement does not cite all that it rests on',
    es: 'la liquidación no cita todo aquello en que se apoya' },
  wrong_commitment: {
    en: 'a shuffle that was opened does not give the sealed order',
    es: 'una barajadura que se abrió no da el orden sellado' },
  wrong_opening: {
    en: 'a card is not the one that was sealed',
    es: 'una carta no es la sellada' },
  wrong_position: {
    en: 'a card does not come from the place where the mix put it',
    es: 'una carta no sale del lugar en que la dejó la mezcla' },
  wrong_mapping: {
    en: 'the outcome does not follow from the secret and the call',
    es: 'el resultado no se sigue del secreto y de la llamada' },
  wrong_settlement: {
    en: 'the rules of the game give another settlement',
    es: 'las reglas del juego dan otra liquidación' },
  unsupported_claim: {
    en: 'no evidence file can prove what is claimed',
    es: 'ningún fichero de prueba puede demostrar lo que se afirma' },
  bad_root_file: {
    en: 'a file of trusted roots cannot be used',
    es: 'un fichero de raíces de confianza no se puede usar' },
  rules_unavailable: {
    en: 'the rules of the game are not there, or cannot be read',
    es: 'las reglas del juego no están, o no se pueden leer' },
  unwitnessed: {
    en: 'not enough of the witnesses that you require have signed',
    es: 'no han firmado los testigos que usted exige' },
  log_ended: {
    en: 'the root ended this log, and nothing shows that this counts',
    es: 'la raíz dio por terminado este registro, y nada muestra que esto valga' },
  contradicting_ends: {
    en: 'two statements about the end of the log disagree',
    es: 'dos declaraciones sobre el final del registro se contradicen' },
  link_gap: {
    en: 'a record of the table was left out, or does not continue the last',
    es: 'falta un asiento de la mesa, o no enlaza con el anterior' },
  place_gap: {
    en: 'the opening of the table does not follow the one before at its place',
    es: 'la apertura de la mesa no sigue a la anterior en su lugar' },
  two_rounds: {
    en: 'two rounds of the table run at once, or a round that is not open',
    es: 'corren a la vez dos jugadas de la mesa, o una que no está abierta' },
  two_live: {
    en: 'two shoes of the table are live at once, or one that is not',
    es: 'hay a la vez dos sabots en juego en la mesa, o uno que no lo está' },
  totals_wrong: {
    en: 'the running counts of the table are not those of its records',
    es: 'las cuentas de la mesa no son las de sus asientos' },
  number_gap: {
    en: 'rounds or shoes of the table do not count up by one',
    es: 'las jugadas o los sabots de la mesa no se numeran de uno en uno' },
  unknown_kind: {
    en: 'a record is of a kind that the format does not have',
    es: 'un asiento es de una clase que el formato no tiene' },
  turn_gap: {
    en: 'a call of the table is missing',
    es: 'falta una llamada de la mesa' },
  turn_open: {
    en: 'something was done while a call still waited for its result',
    es: 'se hizo algo mientras una llamada aún esperaba su resultado' },
  core_mismatch: {
    en: 'what the table signed is not what its records say',
    es: 'lo que firmó la mesa no es lo que dicen sus asientos' },
  head_wrong: {
    en: 'the table signed for another state of its records',
    es: 'la mesa firmó sobre otro estado de sus asientos' },
  root_unknown: {
    en: 'the table signed for another shoe or other secrets',
    es: 'la mesa firmó para otro sabot u otros secretos' },
  call_signature: {
    en: 'a call is not signed with the table\'s key',
    es: 'una llamada no está firmada con la clave de la mesa' },
  table_key: {
    en: 'the table\'s key is none, or not its own',
    es: 'la clave de la mesa no es válida, o no es la suya' },
  mix_missing: {
    en: 'a card comes from a shoe that was not mixed when it had to be',
    es: 'una carta sale de un sabot que no se mezcló cuando debía' },
  mix_early: {
    en: 'a shoe was mixed without the table\'s call',
    es: 'un sabot se mezcló sin la llamada de la mesa' },
  mix_twice: {
    en: 'a shoe was mixed more often than the rules have it',
    es: 'un sabot se mezcló más veces de las que mandan las reglas' },
  lapsed_wrong: {
    en: 'a call was let lapse that could stand, or its secret was kept',
    es: 'se dejó caer una llamada que aún valía, o no se abrió su secreto' },
  others_order: {
    en: 'those who contribute to a call are not in order',
    es: 'quienes aportan a una llamada no están en orden' },
  duplicate: {
    en: 'one key has two parts in a call, or one name two keys',
    es: 'en una llamada una clave cuenta dos veces, o un nombre tiene dos claves' },
  t_gap: {
    en: 'a number that somebody was to contribute is left out, or used again',
    es: 'se salta un número de alguien que aporta, o se usa dos veces' },
  commit_mismatch: {
    en: 'a contributed number is not the one that was fixed before',
    es: 'un número aportado no es el que se había fijado antes' },
  opening_signature: {
    en: 'a contributed number is not signed by whom it is said of',
    es: 'un número aportado no lo firmó quien se dice' },
  openings_count: {
    en: 'a result has not exactly the numbers of those who were named for it',
    es: 'un resultado no lleva exactamente los números de quienes estaban nombrados' },
  required_missing: {
    en: 'a call leaves out somebody without whom none may be made',
    es: 'una llamada deja fuera a alguien sin quien no se puede hacer' },
  missing_wrong: {
    en: 'somebody is said to be late who was not asked',
    es: 'se dice que falta alguien a quien no se esperaba' },
  withheld_early: {
    en: 'a call was given up before the time for answers was over',
    es: 'se abandonó una llamada antes de que acabara el plazo para responder' },
  not_mine: {
    en: 'your key has no part in this',
    es: 'la clave de usted no ha aportado nada a esto' },
  release_early: {
    en: 'a machine was given an order that each round mixes anew',
    es: 'una máquina recibió un orden que cada jugada vuelve a mezclar' },
  void_order: {
    en: 'a call was ended without the order of two persons that it names',
    es: 'se anuló una llamada sin la orden de dos personas que dice' },
  early_close: {
    en: 'a shoe or table was ended early without the order of two persons',
    es: 'un sabot o una mesa se cerró antes de tiempo sin orden de dos personas' },
  shoe_before: {
    en: 'the first call of a shoe does not rest on the end of the one before',
    es: 'la primera llamada de un sabot no se apoya en el cierre del anterior' },
  dealt_wrong: {
    en: 'a round\'s end counts other cards than were dealt',
    es: 'el fin de una jugada cuenta otras cartas que las repartidas' },
  deal_order: {
    en: 'a card was not dealt as the next one of its shoe',
    es: 'una carta no se repartió como la siguiente de su sabot' },
  report_missing: {
    en: 'a card was dealt before the shuffling machine had reported',
    es: 'se repartió una carta antes de que informara la barajadora' },
  not_covered: {
    en: 'a card was turned up where no covered card lay',
    es: 'se descubrió una carta donde no había ninguna tapada' },
  card_gone: {
    en: 'a card was turned up that had gone back into the shoe',
    es: 'se descubrió una carta que ya había vuelto al sabot' },
  root_index: {
    en: 'a card is said to be of a shuffle that was not replaced before',
    es: 'se dice que una carta es de una barajadura que aún no se había sustituido' },
  card_excess: {
    en: 'more of one card came up than the deck has',
    es: 'salió una carta más veces de las que tiene la baraja' },
  copy_key: {
    en: 'a covered card went to somebody else than its seat',
    es: 'una carta tapada fue a parar a otro que no era su puesto' },
  returned_wrong: {
    en: 'a card went back into the shoe that did not lie on the table',
    es: 'volvió al sabot una carta que no estaba en la mesa' },
  recommit_early: {
    en: 'a shoe was shuffled again before a card of it was dealt',
    es: 'se volvió a barajar un sabot del que aún no había salido ninguna carta' },
  recommit_root: {
    en: 'a shuffle replaces another one than the newest of its shoe',
    es: 'una barajadura sustituye a otra que no es la última de su sabot' },
  recommit_shoe: {
    en: 'a shoe was another one after it was shuffled again',
    es: 'un sabot ya no era el mismo después de volver a barajarse' },
  recommit_count: {
    en: 'cards were lost or added when a shoe was shuffled again',
    es: 'al volver a barajar un sabot faltaron o sobraron cartas' },
  recommit_often: {
    en: 'a shoe was shuffled again more often than it may be',
    es: 'un sabot se volvió a barajar más veces de las permitidas' },
  deck_cards: {
    en: 'a shoe has more or fewer cards than its deck',
    es: 'un sabot tiene más o menos cartas que su baraja' },
  deck_other: {
    en: 'a shoe has another deck than its table was opened for',
    es: 'un sabot tiene otra baraja que aquella para la que se abrió la mesa' },
  mix_root: {
    en: 'a mix is said to be of another sealed order than it is',
    es: 'se dice que una mezcla es de otro orden sellado que el suyo' },
  mix_at: {
    en: 'a call for a mix counts the cards dealt wrongly',
    es: 'una llamada a mezclar cuenta mal las cartas repartidas' },
  release_twice: {
    en: 'the order of a shoe was given away twice',
    es: 'el orden de un sabot se entregó dos veces' },
  release_late: {
    en: 'the order of a shoe was given away when it was in play',
    es: 'el orden de un sabot se entregó cuando ya se jugaba con él' },
  release_form: {
    en: 'a machine was to sort cards that are no new deck',
    es: 'una máquina debía ordenar cartas que no son una baraja nueva' },
  report_undue: {
    en: 'a machine reports of an order that it was not given',
    es: 'una máquina informa de un orden que no se le había entregado' },
  report_client: {
    en: 'somebody else reports than the machine that has the order',
    es: 'informa otro que no es la máquina que tiene el orden' },
  report_count: {
    en: 'a machine reports of more or fewer cards than it had to',
    es: 'una máquina informa de más o menos cartas de las debidas' },
  report_seen: {
    en: 'what a machine saw and called right was another order',
    es: 'lo que una máquina vio y dio por bueno era otro orden' },
  close_count: {
    en: 'the end of a shoe counts the cards dealt wrongly',
    es: 'el cierre de un sabot cuenta mal las cartas repartidas' },
  ended_early: {
    en: 'a shoe is called over of which cards could still come',
    es: 'se da por terminado un sabot del que aún podían salir cartas' },
  disclosure_wrong: {
    en: 'a shoe was not opened at its end, or opened though it is covered',
    es: 'un sabot no se abrió al cerrarse, o se abrió siendo tapado' },
  roots_opened: {
    en: 'not every shuffle of a shoe was opened',
    es: 'no se abrieron todas las barajaduras de un sabot' },
  tape_wrong: {
    en: 'a key or tape that was opened is not the sealed one',
    es: 'una clave o una cinta que se abrió no es la sellada' },
  tape_digest: {
    en: 'an opened tape is not that of its digest',
    es: 'una cinta abierta no es la de su resumen' },
  tape_account: {
    en: 'an opened tape is not exactly what its shuffle took',
    es: 'una cinta abierta no es justo lo que gastó su barajadura' },
  openings_other: {
    en: 'the openings beside the file are of another shoe or end',
    es: 'las aperturas aportadas son de otro sabot o de otro cierre' },
  batch_client: {
    en: 'a table drew from secrets that were sealed for another one',
    es: 'una mesa sorteó con secretos sellados para otra' },
  secret_order: {
    en: 'a draw passes over a sealed secret, or uses one again',
    es: 'un sorteo se salta un secreto sellado, o usa uno dos veces' },
  batch_expired: {
    en: 'a draw is of secrets whose time was over',
    es: 'un sorteo es de unos secretos que ya habían caducado' },
  range_other: {
    en: 'a draw is of another range than its table was opened for',
    es: 'un sorteo es entre otros números que aquellos para los que se abrió la mesa' },
  draw_index: {
    en: 'a draw opens another secret than was called for',
    es: 'un sorteo abre otro secreto que el que se había pedido' },
  secret_wrong: {
    en: 'an opened secret is not the sealed one',
    es: 'un secreto abierto no es el sellado' },
  unused_count: {
    en: 'the end of a batch opens more or fewer secrets than are left',
    es: 'el cierre de un lote abre más o menos secretos de los que quedan' },
  unused_wrong: {
    en: 'the unused secrets of a batch are not the sealed ones',
    es: 'los secretos sin usar de un lote no son los sellados' },
  call_none: {
    en: 'a result is of no call that waits for one',
    es: 'un resultado no es de ninguna llamada pendiente' },
  call_uncited: {
    en: 'a result does not cite its call',
    es: 'un resultado no cita su llamada' },
  request_other: {
    en: 'a result answers another request than its call',
    es: 'un resultado responde a otra petición que la de su llamada' },
  lapsed_cites: {
    en: 'a call that lapsed rests on another record',
    es: 'una llamada que decayó se apoya en otro asiento' },
  void_persons: {
    en: 'a call was given up without two persons',
    es: 'se abandonó una llamada sin la orden de dos personas' },
  round_uncited: {
    en: 'a round does not cite its table, or the end of the round before',
    es: 'una jugada no cita su mesa, o el final de la anterior' },
  bets_uncited: {
    en: 'the first card does not cite the bets of its round',
    es: 'la primera carta no cita las apuestas de su jugada' },
  mixed_late: {
    en: 'a card is of a shoe that was mixed after the bets',
    es: 'una carta es de un sabot mezclado después de las apuestas' },
  object_foreign: {
    en: 'a record of another table is among them',
    es: 'hay entre ellos un asiento de otra mesa' },
  object_closed: {
    en: 'a shoe or batch went on behind its end',
    es: 'un sabot o un lote siguió después de cerrarse' },
  object_before: {
    en: 'a round was played from a shoe that the file does not show',
    es: 'se jugó con un sabot que el fichero no muestra' },
  cited_missing: {
    en: 'a record that the settlement cites is missing',
    es: 'falta un asiento que cita la liquidación' },
  meter_foreign: {
    en: 'a prize meter is none of this table\'s',
    es: 'un acumulado no es de los de esta mesa' },
  meter_terms: {
    en: 'a prize meter is of other rules or money than its table',
    es: 'un acumulado es de otras reglas u otra moneda que su mesa' },
  meter_over: {
    en: 'a prize meter was moved after its end',
    es: 'se movió un acumulado después de cerrarse' },
  meter_stood: {
    en: 'a prize meter does not go on from where it stood',
    es: 'un acumulado no sigue desde donde estaba' },
  meter_passed: {
    en: 'a move of a prize meter was passed over, or is not there',
    es: 'falta un movimiento de un acumulado, o se saltó' },
  catalogue_other: {
    en: 'the rules in the file are not those of the table',
    es: 'las reglas del fichero no son las de la mesa' },
  parameters_missing: {
    en: 'the table does not name every parameter of its game',
    es: 'la mesa no nombra todos los parámetros de su juego' },
  bets_digest: {
    en: 'the bets are not those of their digest',
    es: 'las apuestas no son las de su resumen' },
  context_other: {
    en: 'something was sealed under other rules than the table\'s',
    es: 'algo se selló bajo otras reglas que las de la mesa' },
  state_other: {
    en: 'the settlement does not begin where its round began',
    es: 'la liquidación no parte de donde empezó su jugada' },
  seq_order: {
    en: 'the records of the file do not ascend',
    es: 'los asientos del fichero no están en su orden' },
  time_back: {
    en: 'the clock goes back from one record to the next',
    es: 'el reloj retrocede de un asiento al siguiente' },
  boot_back: {
    en: 'the count of starts goes back from one record to the next',
    es: 'la cuenta de arranques retrocede de un asiento al siguiente' },
  key_change: {
    en: 'the log does not go on from where its key changed',
    es: 'el registro no sigue desde donde cambió su clave' },
  part_missing: {
    en: 'a part of a long list is missing, or out of its order',
    es: 'falta una parte de una lista larga, o no está en su orden' },
  bets_twice: {
    en: 'the bets of a round were closed twice',
    es: 'las apuestas de una jugada se cerraron dos veces' },
  bets_missing: {
    en: 'a round was settled whose bets were never closed',
    es: 'se liquidó una jugada cuyas apuestas no se cerraron' },
  predecessor_wrong: {
    en: 'a table goes on from the log before, whose counts are not shown as that log\'s',
    es: 'una mesa continúa la del registro anterior, cuyas cuentas no constan como suyas' },
  client_other: {
    en: 'another client than that of the table opened, dealt or closed bets',
    es: 'otro cliente que el de la mesa abrió, repartió o cerró apuestas' },
  tape_other: {
    en: 'a result states another account of its random words than there is',
    es: 'un resultado declara otra cuenta de sus palabras aleatorias que la que hay' },
  outcome_undue: {
    en: 'a call that ended states an outcome that nobody can know',
    es: 'una llamada anulada declara un resultado que nadie puede conocer' },
  event_wrong: {
    en: 'the rules of the game do not take something that was recorded',
    es: 'las reglas del juego no admiten algo de lo que se registró' },
  state_left: {
    en: 'the rules of the game leave another state behind the settlement',
    es: 'las reglas del juego dejan otro estado tras la liquidación' },
  report_signature: {
    en: 'a machine did not sign what it is said to report of this order',
    es: 'una máquina no firmó lo que se dice que informa de este orden' },
  report_number: {
    en: 'a machine\'s report is told twice, or one before it is left out',
    es: 'un informe de una máquina se cuenta dos veces, o falta uno anterior' },
  report_key: {
    en: 'a report is signed by another key than the order was given to',
    es: 'un informe lo firma otra clave que aquella a la que se entregó el orden' },
  release_own: {
    en: 'the order of a shoe was given to its table instead of a machine',
    es: 'el orden de un sabot se entregó a su propia mesa en vez de a una máquina' },
  report_uncited: {
    en: 'a machine\'s report does not say which order it is of',
    es: 'un informe de una máquina no dice de qué orden es' },
  access_key: {
    en: 'what a person signed is of another key than that person\'s',
    es: 'lo que firmó una persona es de otra clave que la suya' },
  access_signature: {
    en: 'an act is not signed as the log has it',
    es: 'un acto no está firmado como consta en el registro' },
  access_head: {
    en: 'a person\'s signature is for another request',
    es: 'la firma de una persona es de otra petición' },
  access_person: {
    en: 'an act of two persons is not of the two that it names',
    es: 'un acto de dos personas no es de las dos que nombra' },
  access_step: {
    en: 'an act is confirmed that nobody had asked for, or that was over',
    es: 'se confirma un acto que nadie había pedido o que ya había acabado' },
  access_digest: {
    en: 'a request does not have the digest of the key it asks for',
    es: 'una petición no lleva la huella de la clave que pide' },
  lab_order: {
    en: 'an order of samples for a laboratory does not say which, or is none',
    es: 'un encargo de muestras para un laboratorio no dice cuáles, o no es tal encargo' },
  lab_file: {
    en: 'this is no order of two persons for a laboratory\'s table',
    es: 'esto no es el encargo, de dos personas, de una mesa de laboratorio' },
  lab_outcomes: {
    en: 'these outcomes are not those that the log has of a laboratory\'s table',
    es: 'estos resultados no son los que constan en el registro de una mesa de laboratorio' },
};
