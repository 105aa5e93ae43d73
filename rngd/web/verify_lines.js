// The verifier says what it checked in English sentences; here is each of them in Spanish. Others
// stay English.
import { CODES } from './verify_codes.js';

const LINES = [
  ['the log\'s key is bound to a trusted root by certificates valid at the recorded time',
    'la clave del registro está ligada a una raíz de confianza por certificados válidos ' +
      'a la hora registrada'],
  ['each of the {1} keys of the log was announced in it by the one before',
    'cada una de las {1} claves del registro fue anunciada en él por la anterior'],
  ['each of {1} records is in the signed log of {2}',
    'cada uno de los {1} asientos está en el registro firmado de {2}'],
  ['the records of each object follow one another without a gap',
    'los asientos de cada objeto se siguen sin huecos'],
  ['{1}: {2} outcomes follow from secret and call',
    '{1}: {2} resultados se siguen del secreto y de la llamada'],
  ['{1}: each of {2} calls is signed by the key {3} of {4}, one a turn, and binds commitment, ' +
    'rules, bets and the table\'s number: uniform if the appliance or that key was honest; ' +
    'contributors beside the appliance: the table alone; repetitions before, ' +
    'as far as this file shows: {5}',
    '{1}: cada una de las {2} llamadas está firmada con la clave {3} de {4}, una por turno, y ' +
      'fija compromiso, reglas, apuestas y el número de la mesa: uniforme si el equipo o esa ' +
      'clave fueron honrados; aportan además del equipo: solo la mesa; ' +
      'repeticiones antes, hasta donde muestra este fichero: {5}'],
  ['{1}: each of {2} calls is signed by the key {3} of {4}, one a turn, and binds commitment, ' +
    'rules, bets and the table\'s number: uniform if the appliance, that key or one of these ' +
    'was honest, each of whom fixed a number before and gave it behind the call: {5}; ' +
    'repetitions before, as far as this file shows: {6}',
    '{1}: cada una de las {2} llamadas está firmada con la clave {3} de {4}, una por turno, y ' +
      'fija compromiso, reglas, apuestas y el número de la mesa: uniforme si fueron honrados ' +
      'el equipo, esa clave o uno de estos, que fijaron antes un número y lo dieron tras la ' +
      'llamada: {5}; repeticiones antes, hasta donde muestra este fichero: {6}'],
  ['the key {1} that you named has its number in every result that this rests on',
    'la clave {1} que usted indicó tiene su número en cada resultado en que se apoya esto'],
  ['whose keys those are that contributed: {1}', 'de quién son las claves que han aportado: {1}'],
  ['who asked for or confirmed the acts of {1} records: nobody signed these, they came over the ' +
    'connection alone, as the appliance says',
    'quién pidió o confirmó los actos de {1} asientos: nadie los firmó, llegaron solo por la ' +
      'conexión, según dice el equipo'],
  ['each of the {1} outcomes follows from its bits, all different, by the mapping of play',
    'cada uno de los {1} resultados se sigue de sus bits, todos distintos, con la asignación del ' +
      'juego'],
  ['outcomes: this file does not show them', 'resultados: este fichero no los muestra'],
  ['without the numbers of these, whom a call had named: {1}',
    'sin los números de estos, a los que nombraba una llamada: {1}'],
  ['seats that bet and have no key of their own in it: {1}',
    'puestos que apostaron sin clave propia en ello: {1}'],
  ['place "{1}", opening {2}: what came before there, and its counts, as the appliance states them',
    'puesto "{1}", apertura {2}: lo que hubo antes en él y sus cuentas, como las da el equipo'],
  ['place "{1}", opening {2}: that nothing came before there, and that no other table was open ' +
    'there meanwhile: archives of the log show it',
    'puesto "{1}", apertura {2}: que antes no hubo nada en él, ni otra mesa abierta mientras ' +
      'tanto: lo muestra el archivo sellado del registro'],
  ['place "{1}" since its first opening: {2} turns, {3} voids and {4} early closes up to record ' +
    '{5}, as stated there',
    'puesto "{1}" desde su primera apertura: {2} turnos, {3} anulaciones y {4} cierres ' +
      'anticipados hasta el asiento {5}, como en él se declara'],
  ['{1}: what became of the {2} turns before record {3}, the first call in this file',
    '{1}: en qué acabaron los {2} turnos anteriores al asiento {3}, la primera llamada de este ' +
      'fichero'],
  ['whether {1} begins with what the round before left: a shoe changed the state between',
    'si {1} empieza con lo que dejó la jugada anterior: un sabot cambió el estado entre las dos'],
  ['the rules: the catalogue {1} is none that is known here',
    'las reglas: el catálogo {1} no es ninguno de los que aquí se conocen'],
  ['{1}: whether the rules ask for {2} draws',
    '{1}: si las reglas piden {2} sorteos'],
  ['{1}: why its core could not stand any more; it counts as a repetition',
    '{1}: por qué su llamada ya no valía; cuenta como una repetición'],
  ['whether {1} is whose key {2} is: its certificates',
    'si la clave {2} es de {1}: sus certificados'],
  ['{1}: the whole shuffle was run again and gives the committed order',
    '{1}: la barajadura entera se repitió y da el orden comprometido'],
  ['{1}: the whole shuffle, and {2} shuffles on the way, was run again and gives ' +
    'the committed order',
    '{1}: la barajadura entera, y {2} por el camino, se repitieron y dan el orden comprometido'],
  ['{1}: what follows is by the auditor\'s openings',
    '{1}: lo que sigue es por las aperturas del auditor'],
  ['{1}: none of {2} sealed orders was picked',
    '{1}: no se escogió ninguno de sus {2} órdenes sellados'],
  ['{1}: all of them were opened, and each is a shuffle of the whole deck',
    '{1}: todos se abrieron, y cada uno es una barajadura de la baraja completa'],
  ['{1}: the call picked one of {2} sealed orders; the others were opened, and each is a shuffle ' +
    'of the whole deck',
    '{1}: la llamada escogió uno de {2} órdenes sellados; los otros se abrieron, y cada uno es ' +
    'una barajadura de la baraja completa'],
  ['{1}: {2} opened cards are the committed ones',
    '{1}: {2} cartas abiertas son las comprometidas'],
  ['{1}: shuffled again {2} times', '{1}: barajado otras {2} veces'],
  ['{1}: its order was released once, to {2}', '{1}: su orden se entregó una vez, a {2}'],
  ['{1}: the machine reported each of {2} cards at its place',
  '{1}: la máquina vio cada una de las {2} cartas en su sitio'],
  ['the settlement cites the bets, decisions and outcomes it rests on; its state before fits',
    'la liquidación cita las apuestas, decisiones y resultados en que descansa; ' +
      'su estado anterior concuerda'],
  ['certified: type certification {1} of {2} and installation certification {3} of {4} cover ' +
    'software, settings, rules and source of each commitment',
    'certificado: la certificación de tipo {1} de {2} y la de instalación {3} de {4} cubren el ' +
      'programa, los ajustes, las reglas y la fuente de cada compromiso'],
  ['certification: no root of a laboratory or a regulator was given',
    'certificación: no se dio ninguna raíz de laboratorio ni de regulador'],
  ['not certified: {1}, at record {2} ({3})', 'sin certificar: {1}, en el asiento {2} ({3})'],
  ['source, software and settings are as the appliance states them',
    'la fuente, el programa y los ajustes son los que declara el equipo'],
  ['that program, settings and times are those stated, and that no device was exchanged behind ' +
    'the same serial number',
    'que el programa, los ajustes y las horas son los declarados, y que no se cambió ningún ' +
      'dispositivo tras el mismo número de serie'],
  ['withdrawal of certifications: no file was given',
    'retirada de certificaciones: no se dio ningún fichero'],
  ['unwitnessed: does not exclude a second history',
    'sin testigos: no excluye una segunda historia'],
  ['revocation not checked', 'no se miró si algún certificado fue revocado'],
  ['witnesses: no policy is read here', 'testigos: aquí no se lee ninguna política'],
  ['end of logs: no statement of a root about it is read here, and no file of consistency proofs',
    'fin de registros: aquí no se lee ninguna declaración de una raíz sobre ello, ' +
      'ni ficheros de pruebas de consistencia'],
  ['settlement: results and state after not computed again (rules of the games)',
    'liquidación: los resultados y el estado posterior no se calcularon de nuevo ' +
      '(reglas de los juegos)'],
  ['settlement: the engines did not run here: {1}',
    'liquidación: las reglas no han funcionado aquí: {1}'],
  ['the rules of the catalogue give exactly these {1} results and this state from the bets, the ' +
    'decisions and the opened outcome',
    'las reglas del catálogo dan exactamente estas {1} liquidaciones y este estado, de las ' +
      'apuestas, las decisiones y lo que se abrió'],
  ['earlier rounds not re-run', 'las jugadas anteriores, que no se han repetido'],
  ['{1} signatures of others on the checkpoint: no policy was given',
  '{1} firmas de otros en el punto de control: sin política'],
  ['record {1}, {2}: of a kind of another version, its content was not read',
    'asiento {1}, {2}: de una clase de otra versión, su contenido no se leyó'],
  ['whether deck or range are those of the catalogue\'s game',
  'si la baraja o el rango son los del juego del catálogo'],
  ['whether what the table took over is what {1} left',
    'si lo que la mesa recibió es lo que dejó {1}'],
  ['what other rounds made of {1} before', 'lo que otras jugadas hicieron antes de {1}'],
  ['{1}: composition of {2} unopened cards: a wrong one would have been found with probability ' +
    '{3}, if the table\'s key or a contributor was honest',
    '{1}: composición de {2} cartas sin abrir: si fue honrada la clave de la mesa o alguien que ' +
    'aporta, una equivocada se habría visto con probabilidad {3}'],
  ['{1}: composition of {2} unopened cards', '{1}: composición de {2} cartas sin abrir'],
  ['{1}: its composition when it was shuffled again: a covered shoe has one root then, and ' +
    'nothing to pick from',
    '{1}: su composición al barajarlo de nuevo: un sabot tapado tiene entonces un solo orden ' +
    'sellado y nada entre lo que escoger'],
  ['{1}: whether the cards that went back are those the rules name',
  '{1}: si las cartas devueltas son las que dicen las reglas'],
  ['{1}: whether the {2} cards dealt outside rounds are those that the rules burn',
    '{1}: si las {2} cartas apartadas fuera de las jugadas son las que mandan las reglas'],
  ['whether the rules asked for {1}, which was committed behind the bets',
    'si las reglas pedían {1}, que se comprometió tras cerrarse las apuestas'],
  ['{1}: what the ciphertexts of covered cards hold',
    '{1}: qué contienen los textos cifrados de las cartas tapadas'],
  ['{1}: whose keys covered cards were encrypted to',
    '{1}: para qué claves se cifraron las cartas tapadas'],
  ['{1}: covered cards of seat {2} went to the table\'s own key',
    '{1}: las cartas tapadas del puesto {2} fueron a la clave de la propia mesa'],
  ['{1}: the bets of {2} are not in the bundle', '{1}: las apuestas de {2} no están en la prueba'],
  ['{1}: an outcome is unrecoverable by the appliance\'s word',
    '{1}: un resultado es irrecuperable, según el equipo'],
  ['{1}: {2} draws are not completed here', '{1}: {2} sorteos no están completos aquí'],
  ['{1}: the order was known to {2}: what it did with it',
    '{1}: el orden lo conocía {2}: qué hizo con él'],
  ['{1}: what the ciphertext for {2} holds', '{1}: qué contiene el texto cifrado para {2}'],
  ['{1}: no report of {2}', '{1}: ningún informe de {2}'],
  ['{1}: whether {2} reported a match of the committed order',
    '{1}: si {2} informó del orden comprometido'],
  ['{1}: void, because {2} reported {3}: whether it was so',
    '{1}: anulado, porque {2} informó {3}: si fue así'],
  ['{1}: {2} reported {3}: whether two persons decided to go on',
  '{1}: {2} informó {3}: si dos personas decidieron seguir'],
];

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const pattern = (text) => new RegExp(`^${text.split(/\{\d\}/).map(literal).join('(.+?)')}$`);
const COMPILED = LINES.map(([english, spanish]) => [pattern(english), spanish]);

/// The line in the language of the page, and the language that it is in. Behind the code of why
/// nothing is certified stands its sentence.
export function lineIn(language, line) {
  const said = translated(language, line);
  const code = /^not certified: (certification_\w+), /.exec(line)?.[1];
  const sentence = CODES[code]?.[language];
  return sentence === undefined ? said : { ...said, text: `${said.text}: ${sentence}` };
}

function translated(language, line) {
  if (language !== 'es') return { text: line, language: 'en' };
  for (const [english, spanish] of COMPILED) {
    const match = english.exec(line);
    if (match === null) continue;
    return { text: spanish.replace(/\{(\d)\}/g, (_, number) => match[Number(number)]),
      language: 'es' };
  }
  return { text: line, language: 'en' };
}
