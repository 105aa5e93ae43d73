// What verdicts say was checked and was not, in English and Spanish.
#include "verify/notes.hpp"

namespace talla::certs {
namespace {

using Form = games::RefusalForm;

/// In the order of Note.
constexpr std::array<Form, notes_count> note_table{{
    {"the log's key is bound to a trusted root by certificates valid at the recorded time",
     "la clave del registro depende de una raíz de confianza por certificados vigentes a la hora "
     "del asiento"},
    {"each of the {keys} keys of the log was announced in it by the one before, and the log goes "
     "on from there",
     "cada una de las {keys} claves del registro fue anunciada en él por la anterior, y el "
     "registro sigue desde ahí"},
    {"the checkpoint of {records} records is signed by the log's key",
     "el punto de control de {records} asientos está firmado con la clave del registro"},
    {"each of the {records} records is in the log at the place its number says, in order of time",
     "cada uno de los {records} asientos está en el registro en el lugar que dice su número, por "
     "orden de tiempo"},
    {"the record is in the log at the place its number says",
     "el asiento está en el registro en el lugar que dice su número"},
    {"every record of {table} from {first} to {last} is there, linked to the one before: one round "
     "and one shoe at a time",
     "está cada asiento de {table} del {first} al {last}, enlazado con el anterior: una sola "
     "jugada "
     "y un solo sabot a la vez"},
    {"the root names this log and a key of it as the one that follows {log}",
     "la raíz nombra este registro, y una clave suya, como el que sigue a {log}"},
    {"the root ended the log with {records} records ({reason}), and the evidence is of what counts",
     "la raíz dio por terminado el registro con {records} asientos ({reason}), y la prueba es de "
     "lo que vale"},
    {"the root ended the log with {records} records ({reason}), and the evidence is of what "
     "counts; {log} follows it",
     "la raíz dio por terminado el registro con {records} asientos ({reason}), y la prueba es de "
     "lo que vale; lo sigue {log}"},
    {"witnessed: the policy's quorum {quorum} is met by {names}, from {time} on: they have seen "
     "one history up to this checkpoint",
     "con testigos: cumplen el quórum {quorum} de la política {names}, desde {time}: han visto una "
     "sola historia hasta este punto de control"},
    {"{table}: each of {calls} calls is signed by the key {key} of {client}, one a turn, and binds "
     "commitment, rules, bets and the table's number: uniform if the appliance or that key was "
     "honest; contributors beside the appliance: the table alone; repetitions before, as far as "
     "this "
     "file shows: {repetitions}",
     "{table}: cada una de las {calls} llamadas está firmada con la clave {key} de {client}, una "
     "por turno, y fija compromiso, reglas, apuestas y el número de la mesa: uniforme si el equipo "
     "o esa clave fueron honrados; aportan además del equipo: solo la mesa; repeticiones antes, "
     "hasta donde muestra este fichero: {repetitions}"},
    {"{table}: each of {calls} calls is signed by the key {key} of {client}, one a turn, and binds "
     "commitment, rules, bets and the table's number: uniform if the appliance, that key or one of "
     "these was honest, each of whom fixed a number before and gave it behind the call: {joined}; "
     "repetitions before, as far as this file shows: {repetitions}",
     "{table}: cada una de las {calls} llamadas está firmada con la clave {key} de {client}, una "
     "por turno, y fija compromiso, reglas, apuestas y el número de la mesa: uniforme si fueron "
     "honrados el equipo, esa clave o uno de estos, que fijaron antes un número y lo dieron tras "
     "la llamada: {joined}; repeticiones antes, hasta donde muestra este fichero: "
     "{repetitions}"},
    {"the key {key} that you named has its number in every result that this rests on",
     "la clave {key} que usted indicó tiene su número en cada resultado en que se apoya esto"},
    {"{batch}: {draws} outcomes follow from the committed secret and the call that was signed "
     "before it was opened",
     "{batch}: {draws} resultados se siguen del secreto comprometido y de la llamada que se firmó "
     "antes de abrirlo"},
    {"{shoe}: the order of dealing follows from the committed order and the call that was signed "
     "after the commitment",
     "{shoe}: el orden de reparto se sigue del orden comprometido y de la llamada que se firmó "
     "después del compromiso"},
    {"{shoe}: the call picked one of {roots} sealed orders; the others were opened, and each is a "
     "shuffle of the whole deck",
     "{shoe}: la llamada escogió uno de {roots} órdenes sellados; los otros se abrieron, y cada "
     "uno "
     "es una barajadura de la baraja completa"},
    {"{shoe}: none of its {roots} sealed orders was picked; all were opened, and each is a shuffle "
     "of the whole deck",
     "{shoe}: no se escogió ninguno de sus {roots} órdenes sellados; todos se abrieron, y cada uno "
     "es una barajadura de la baraja completa"},
    {"{shoe}: mixed again behind the bets of each round: nobody knew a card of a round while its "
     "bets "
     "were open",
     "{shoe}: se mezcló de nuevo tras las apuestas de cada jugada: nadie conocía una carta de la "
     "jugada "
     "mientras se podía apostar"},
    {"{shoe}: {cards} opened cards are the committed ones, each at its position",
     "{shoe}: {cards} cartas abiertas son las comprometidas, cada una en su posición"},
    {"{shoe}: shuffled again {times} times, each time committed before its mix",
     "{shoe}: barajado de nuevo {times} veces, cada vez comprometido antes de su mezcla"},
    {"{shoe}: the whole shuffle of {cards} cards was run again from its tape and gives the "
     "committed order",
     "{shoe}: se ha repetido la barajadura entera de {cards} cartas desde su cinta, y da el orden "
     "comprometido"},
    {"{shoe}: by the auditor's openings the whole shuffle of {cards} cards was run again from its "
     "tape and gives the committed order",
     "{shoe}: con las aperturas del auditor se ha repetido la barajadura entera de {cards} cartas "
     "desde su cinta, y da el orden comprometido"},
    {"{shoe}: each of its {shuffles} shuffles was run again from its tape and gives the committed "
     "order",
     "{shoe}: se ha repetido cada una de sus {shuffles} barajaduras desde su cinta, y da el orden "
     "comprometido"},
    {"{shoe}: by the auditor's openings each of its {shuffles} shuffles was run again from its "
     "tape and gives the committed order",
     "{shoe}: con las aperturas del auditor se ha repetido cada una de sus {shuffles} barajaduras "
     "desde su cinta, y da el orden comprometido"},
    {"{shoe}: the machine reported each of {cards} cards at its place in the committed order",
     "{shoe}: la máquina comunicó cada una de las {cards} cartas en su lugar del orden "
     "comprometido"},
    {"{shoe}: its order was released once, to {machine}",
     "{shoe}: su orden se entregó una sola vez, a {machine}"},
    {"{shoe}: its order was released once, to {machine}, card by card",
     "{shoe}: su orden se entregó una sola vez, a {machine}, carta por carta"},
    {"the rules of the catalogue give exactly these {results} results and this state from the "
     "bets, the decisions and the opened outcome",
     "las reglas del catálogo dan exactamente estas {results} liquidaciones y este estado, de las "
     "apuestas, las decisiones y lo que se abrió"},
    {"{count} signatures of others on the checkpoint: no policy was given",
     "{count} firmas de otros en el punto de control: no se dio ninguna política"},
    {"what the record says: a receipt proves that it was logged, a bundle what follows from it",
     "lo que dice el asiento: un recibo prueba que se registró, y una prueba completa lo que de él "
     "se sigue"},
    {"who asked for or confirmed the acts of {records} records: nobody signed these, they came "
     "over "
     "the connection alone, as the appliance says",
     "quién pidió o confirmó los actos de {records} asientos: nadie los firmó, llegaron solo por "
     "la "
     "conexión, según dice el equipo"},
    {"unwitnessed: does not exclude a second history",
     "sin testigos: no excluye una segunda historia"},
    {"revocation not checked", "si los certificados se han revocado"},
    {"no source of randomness is part of this claim",
     "el azar: en lo que se prueba no interviene ninguna fuente"},
    {"whether deck or range are those of {game} in its catalogue",
     "si la baraja o el intervalo son los de {game} en su catálogo"},
    {"whether what the table took over is what {table} left",
     "si lo que la mesa recibió es lo que dejó {table}"},
    {"what {table} did between its opening and record {first}",
     "lo que hizo {table} entre su apertura y el asiento {first}"},
    {"place \"{place}\", opening {opened}: what came before there, and its counts, as the "
     "appliance states them",
     "puesto \"{place}\", apertura {opened}: lo que hubo antes en él y sus cuentas, como las da "
     "el equipo"},
    {"place \"{place}\", opening {opened}: what came before there in the log {origin}, and its "
     "counts, as the appliance states them",
     "puesto \"{place}\", apertura {opened}: lo que hubo antes en él en el registro {origin} y sus "
     "cuentas, como las da el equipo"},
    {"place \"{place}\", opening {opened}: that nothing came before there, and that no other table "
     "was open there meanwhile: archives of the log show it",
     "puesto \"{place}\", apertura {opened}: que antes no hubo nada en él, ni otra mesa abierta "
     "mientras tanto: lo muestra el archivo sellado del registro"},
    {"place \"{place}\" since its first opening: {turns} turns, {voids} voids and {early} early "
     "closes up to record {record}, as stated there",
     "puesto \"{place}\" desde su primera apertura: {turns} turnos, {voids} anulaciones y {early} "
     "cierres anticipados hasta el asiento {record}, como en él se declara"},
    {"{table}: what became of the {turns} turns before record {record}, the first call in this "
     "file",
     "{table}: en qué acabaron los {turns} turnos anteriores al asiento {record}, la primera "
     "llamada de este fichero"},
    {"whether {round} begins with what the round before left: a shoe changed the state between",
     "si {round} empieza con lo que dejó la jugada anterior: un sabot cambió el estado entre las "
     "dos"},
    {"the rules: the catalogue {digest} is none that is known here",
     "las reglas: el catálogo {digest} no es ninguno de los que aquí se conocen"},
    {"what other rounds made of {meter} before", "lo que otras jugadas hicieron antes de {meter}"},
    {"earlier rounds not re-run", "las jugadas anteriores, que no se han repetido"},
    {"whether {client} is whose key {key} is: its certificates",
     "si la clave {key} es de {client}: sus certificados"},
    {"whose keys those are that contributed: {joined}",
     "de quién son las claves que han aportado: {joined}"},
    {"without the numbers of these, whom a call had named: {dropped}",
     "sin los números de estos, a los que nombraba una llamada: {dropped}"},
    {"{shoe}: whether deck and stop card are those of the rules",
     "{shoe}: si la baraja y la carta de bloqueo son las de las reglas"},
    {"{batch}: whether the draw is specified as the rules ask",
     "{batch}: si el sorteo es el que piden las reglas"},
    {"{shoe}: what the ciphertexts of covered cards hold",
     "{shoe}: lo que contienen los textos cifrados de las cartas tapadas"},
    {"{shoe}: whose keys covered cards were encrypted to",
     "{shoe}: de quién son las claves con que se cifraron las cartas tapadas"},
    {"{shoe}: covered cards of seat {seat} went to the table's own key: who saw them there",
     "{shoe}: quién vio las cartas tapadas del puesto {seat}, que fueron a la clave de la propia "
     "mesa"},
    {"{record}: the bets of {round} are not in the bundle",
     "{record}: las apuestas de {round}, que no están en la prueba"},
    {"{record}: the outcome is unrecoverable by the appliance's own word",
     "{record}: que el resultado no puede recuperarse; lo dice solo el equipo"},
    {"{record}: why its core could not stand any more; it counts as a repetition",
     "{record}: por qué su llamada ya no valía; cuenta como una repetición"},
    {"{batch}: {count} draws are not completed in this bundle",
     "{batch}: {count} sorteos, que en esta prueba no se completan"},
    {"{shoe}: whether the cards that went back outside this round are those the rules name",
     "{shoe}: si las cartas que volvieron fuera de esta jugada son las que dicen las reglas"},
    {"{shoe}: whether the {cards} cards dealt outside rounds are those that the rules burn",
     "{shoe}: si las {cards} cartas apartadas fuera de las jugadas son las que mandan las reglas"},
    {"{shoe}: composition of {cards} unopened cards",
     "{shoe}: cuáles son las {cards} cartas sin abrir"},
    {"{shoe}: composition of {cards} unopened cards: a wrong one would have been found with "
     "probability {found}/{roots}, if the table's key or a contributor was honest",
     "{shoe}: cuáles son las {cards} cartas sin abrir: si fue honrada la clave de la mesa o "
     "alguien "
     "que aporta, un sabot mal compuesto se habría visto con probabilidad {found}/{roots}"},
    {"{shoe}: its composition when it was shuffled again: a covered shoe has one root then, and "
     "nothing to pick from",
     "{shoe}: su composición al barajarlo de nuevo: un sabot tapado tiene entonces un solo orden "
     "sellado y nada entre lo que escoger"},
    {"{shoe}: the order was known to {machine}: what it did with it",
     "{shoe}: lo que hizo con el orden {machine}, que lo conocía"},
    {"{shoe}: what the ciphertext for {machine} holds",
     "{shoe}: lo que contiene el texto cifrado para {machine}"},
    {"{shoe}: no report of {machine}", "{shoe}: qué barajó {machine}, que no comunicó nada"},
    {"{shoe}: whether {machine} reported a match of the committed order",
     "{shoe}: si lo que {machine} comunicó como igual es el orden comprometido"},
    {"{shoe}: {machine} reported {result}: whether two persons decided that the shoe goes on",
     "{shoe}: si dos personas decidieron seguir con el sabot, pues {machine} comunicó {result}"},
    {"{shoe}: void, because {machine} reported {result}: whether it was so",
     "{shoe}: anulado porque {machine} comunicó {result}: si fue así"},
    {"the log's key is bound to a trusted root by certificates valid at the recorded time of the "
     "last record",
     "la clave del registro depende de una raíz de confianza por certificados vigentes a la hora "
     "del último asiento"},
    {"each of the {records} records is in the log at the place its number says, without gap and in "
     "order of time",
     "cada uno de los {records} asientos está en el registro en el lugar que dice su número, sin "
     "huecos y por orden de tiempo"},
    {"the state before each round and the {catalogues} catalogues are those that the records name",
     "el estado anterior a cada jugada y los {catalogues} catálogos son los que nombran los "
     "asientos"},
    {"every record of {tables} tables is there, linked to the one before: one table at a place, "
     "one round, one shoe and one call at a time, turns without gap, running counts",
     "cada asiento de {tables} mesas está y enlaza con el anterior: una mesa por puesto, y una "
     "jugada, un sabot y una llamada a la vez; turnos sin huecos y cuentas"},
    {"what {tables} tables did before record {first}, and their places: taken from the first "
     "record here that says it",
     "lo que {tables} mesas hicieron antes del asiento {first}, y sus puestos: se toma del primer "
     "asiento de aquí que lo dice"},
    {"the chains of the tables: not all of their records were read",
     "las cadenas de las mesas: no se han leído todos sus asientos"},
    {"it goes on where the archive before ends, in the same history",
     "sigue donde acaba el archivo sellado anterior, en la misma historia"},
    {"the {records} records before: the archive {digest} was not given",
     "los {records} asientos anteriores: no se dio el archivo sellado {digest}"},
    {"the content of {records} records of single draws, cards and bets: only their bytes, number "
     "and time were read, the class is that of the others",
     "el contenido de {records} asientos de sorteos, cartas y apuestas sueltos: solo se han leído "
     "sus bytes, su número y su hora; la clase es la de los demás"},
    {"{records} records of kinds this version does not know: their content was not read",
     "el contenido de {records} asientos de clases que esta versión no conoce: no se ha leído"},
    {"what follows from the records, and who signed the calls: a bundle proves an outcome",
     "lo que se sigue de los asientos y quién firmó las llamadas: un resultado lo demuestra una "
     "prueba completa"},
    {"records {first} to {last} of the log {log}", "asientos {first} a {last} del registro {log}"},
    {"{kind} is record {record} of the log", "{kind} es el asiento {record} del registro"},
    {"pocket index {values}", "casilla de índice {values}"},
    {"number {number} (pocket index {index})", "número {number} (casilla de índice {index})"},
    {"dice {values}", "dados {values}"},
    {"lots {values}", "suertes {values}"},
    {"card {card} at position {position}, place {place}",
     "carta {card} en la posición {position}, lugar {place}"},
    {"a card that stays closed at position {position}, place {place}",
     "una carta que sigue tapada en la posición {position}, lugar {place}"},
    {"closed after {cards} cards", "cerrado tras {cards} cartas"},
    {"closed after {cards} cards, its whole order and shuffle opened",
     "cerrado tras {cards} cartas, con todo su orden y su barajadura abiertos"},
    {"settled in {parts} numbered parts", "liquidada en {parts} partes numeradas"},
    {"bet {bet} {kind} of {stake}: {result}, returned {returned}",
     "apuesta {bet} {kind} de {stake}: {result}, se devuelven {returned}"},
    {"no bet settled", "ninguna apuesta liquidada"},
    {"a shoe of {cards} cards ({deck}) was sealed", "se selló un sabot de {cards} cartas ({deck})"},
    {"mixed by the table's call", "mezclado por la llamada de la mesa"},
    {"{count} secrets were committed", "se comprometieron {count} secretos"},
    {"voided, the outcome is unrecoverable", "anulado, el resultado no puede recuperarse"},
    {"voided, it would have been {why}", "anulado, habría sido {why}"},
    {"voided, what it would have been nobody can know",
     "anulado, nadie puede saber qué habría sido"},
    {"voided, these did not open their numbers: {missing}",
     "anulado, no dieron su número: {missing}"},
    {"a call that did not stand any more, nothing was opened",
     "una llamada que ya no valía, no se abrió nada"},
    {"recorded", "consta en el registro"},
    {"LABORATORY, not play: {count} outcomes of the table {table} of class lab, for {laboratory}",
     "LABORATORIO, no es juego: {count} resultados de la mesa {table} de clase lab, para "
     "{laboratory}"},
    {"each of the {count} outcomes follows from its bits, all different, by the mapping of play",
     "cada uno de los {count} resultados se sigue de sus bits, todos distintos, con la asignación "
     "del juego"},
    {"outcomes: this file does not show them", "resultados: este fichero no los muestra"},
    {"certified: type certification {type} of {laboratory} and installation certification "
     "{installation} of {regulator} cover software, settings, rules and source of each commitment",
     "certificado: la certificación de tipo {type} de {laboratory} y la de instalación "
     "{installation} de {regulator} cubren el programa, los ajustes, las reglas y la fuente de "
     "cada compromiso"},
    {"certification: no root of a laboratory or a regulator was given",
     "certificación: no se dio ninguna raíz de laboratorio ni de regulador"},
    {"not certified: {code}, at {where}", "sin certificar: {code}, en {where}"},
    {"certification: a bundle shows it, this file does not",
     "certificación: la muestra una prueba completa, este fichero no"},
    {"source, software and settings are as the appliance states them",
     "la fuente, el programa y los ajustes son los que declara el equipo"},
    {"that program, settings and times are those stated, and that no device was exchanged behind "
     "the same serial number",
     "que el programa, los ajustes y las horas son los declarados, y que no se cambió ningún "
     "dispositivo tras el mismo número de serie"},
    {"withdrawal of certifications: no file was given",
     "retirada de certificaciones: no se dio ningún fichero"},
    {"seats that bet and have no key of their own in it: {seats}",
     "puestos que apostaron sin clave propia en ello: {seats}"},
    {"this card lies where its sealed order and the table's call put it",
     "esta carta está donde la pusieron su orden sellado y la llamada de la mesa"},
    {"a card was dealt from this place of its shoe, and stays closed",
     "se repartió una carta de este lugar de su sabot, y sigue tapada"},
    {"the order of this shoe was sealed before the call that mixed it",
     "el orden de este sabot se selló antes de la llamada que lo mezcló"},
    {"this shoe was dealt as it had been sealed and mixed",
     "este sabot se repartió como se había sellado y mezclado"},
    {"this outcome follows from a secret that was sealed before its call",
     "este resultado se sigue de un secreto sellado antes de su llamada"},
    {"this call ended without a result, and counts as a repetition",
     "esta llamada acabó sin resultado, y cuenta como una repetición"},
    {"the secrets that were left are the sealed ones",
     "los secretos que quedaban son los sellados"},
    {"this round was settled by its rules, from bets and outcomes that were fixed before",
     "esta jugada se liquidó según sus reglas, con apuestas y resultados fijados antes"},
    {"this round was settled from bets and outcomes that were fixed before",
     "esta jugada se liquidó con apuestas y resultados fijados antes"},
    {"this was recorded in its place among all that the table did",
     "esto consta en su lugar entre todo lo que hizo la mesa"},
    {"this record is in the signed log", "este asiento está en el registro firmado"},
    {"two persons ordered this of a table at which nobody plays",
     "dos personas encargaron esto de una mesa en la que no juega nadie"},
    {"nobody chose it if the appliance or the table's key was honest",
     "no lo eligió nadie si fueron honrados el equipo o la clave de la mesa"},
    {"nobody chose it if appliance, table or one of {count} contributors was honest",
     "no lo eligió nadie si fue honrado el equipo, la mesa o uno de los {count} que aportaron"},
    {"its witnesses saw one history", "sus testigos vieron una sola historia"},
    {"a laboratory and a regulator certify software, settings, rules and source",
     "un laboratorio y un regulador certifican el programa, los ajustes, las reglas y la fuente"},
    {"what follows from it: an evidence file shows that",
     "lo que de él se sigue: lo muestra una prueba completa"},
    {"what appliance and table could do together: nobody else gave a number",
     "lo que el equipo y la mesa pudieran hacer juntos: nadie más aportó un número"},
    {"that those who gave numbers are different people",
     "que quienes aportaron números sean personas distintas"},
    {"that the rules give these results: they were not run",
     "que las reglas den estos resultados: no se aplicaron"},
    {"whose rules these are: they are not known here",
     "de quién son estas reglas: aquí no se conocen"},
    {"which cards those are that nobody opened", "qué cartas son las que nadie abrió"},
    {"what the table did before record {first}", "lo que hizo la mesa antes del asiento {first}"},
    {"what came after this record, such as a repetition",
     "lo que vino después de este asiento, como una repetición"},
    {"that there is no second history: no witness is shown",
     "que no haya una segunda historia: no se muestra ningún testigo"},
    {"that software, settings and source are as stated: no root of certifiers was given",
     "que programa, ajustes y fuente sean los declarados: no se dio raíz de quien certifica"},
    {"that software, settings and source are as stated: no certification covers them",
     "que programa, ajustes y fuente sean los declarados: no hay certificación que los cubra"},
    {"that software, settings and source are as stated: this file holds no certification",
     "que programa, ajustes y fuente sean los declarados: aquí no hay certificaciones"},
    {"that it was play: its source is a laboratory's",
     "que fuera juego: su fuente es de laboratorio"},
    {"that it was play: it is of a laboratory's table",
     "que fuera juego: es de una mesa de laboratorio"},
    {"whose log it is: its keys are for development",
     "de quién es el registro: sus claves son de desarrollo"},
}};

}  // namespace

const games::RefusalForm& note_form(Note note) {
  return note_table.at(static_cast<std::size_t>(note));
}

std::string note_line(Note note, const games::RefusalValues& values) {
  return games::filled_form(note_form(note).en, values);
}

std::string note_text(std::string_view line, std::string_view language) {
  return games::refusal_text({}, line, language, note_table);
}

std::string claim_in(std::string_view line, std::string_view language) {
  auto whole = note_text(line, language);
  if (whole != line) return whole;
  constexpr std::string_view between = "; ";
  auto front = line.find(' ');  // of the kind; the object, if any, ends in a colon
  if (const auto object = line.find(": ");
      object != std::string_view::npos && line.find(' ', front + 1) == object + 1)
    front = object + 1;
  if (front == std::string_view::npos) return std::string(line);
  std::string out(line.substr(0, front + 1));
  for (auto rest = line.substr(front + 1);;) {
    const auto end = rest.find(between);
    out += note_text(rest.substr(0, end), language);
    if (end == std::string_view::npos) return out;
    out += between;
    rest.remove_prefix(end + between.size());
  }
}

}  // namespace talla::certs
