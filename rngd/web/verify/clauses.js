// What a verdict says first, clause by clause. Written by rngd/packaging/pages from
// `talla --json docs verdict`.
export const CLAUSES = {
  proven_card: {
    en: 'this card lies where its sealed order and the table\'s call put it',
    es: 'esta carta está donde la pusieron su orden sellado y la llamada de la mesa',
  },
  proven_place: {
    en: 'a card was dealt from this place of its shoe, and stays closed',
    es: 'se repartió una carta de este lugar de su sabot, y sigue tapada',
  },
  proven_mix: {
    en: 'the order of this shoe was sealed before the call that mixed it',
    es: 'el orden de este sabot se selló antes de la llamada que lo mezcló',
  },
  proven_close: {
    en: 'this shoe was dealt as it had been sealed and mixed',
    es: 'este sabot se repartió como se había sellado y mezclado',
  },
  proven_draw: {
    en: 'this outcome follows from a secret that was sealed before its call',
    es: 'este resultado se sigue de un secreto sellado antes de su llamada',
  },
  proven_void: {
    en: 'this call ended without a result, and counts as a repetition',
    es: 'esta llamada acabó sin resultado, y cuenta como una repetición',
  },
  proven_unused: {
    en: 'the secrets that were left are the sealed ones',
    es: 'los secretos que quedaban son los sellados',
  },
  proven_settled: {
    en: 'this round was settled by its rules, from bets and outcomes that were fixed before',
    es: 'esta jugada se liquidó según sus reglas, con apuestas y resultados fijados antes',
  },
  proven_cited: {
    en: 'this round was settled from bets and outcomes that were fixed before',
    es: 'esta jugada se liquidó con apuestas y resultados fijados antes',
  },
  proven_recorded: {
    en: 'this was recorded in its place among all that the table did',
    es: 'esto consta en su lugar entre todo lo que hizo la mesa',
  },
  proven_logged: {
    en: 'this record is in the signed log',
    es: 'este asiento está en el registro firmado',
  },
  proven_laboratory: {
    en: 'two persons ordered this of a table at which nobody plays',
    es: 'dos personas encargaron esto de una mesa en la que no juega nadie',
  },
  proven_alone: {
    en: 'nobody chose it if the appliance or the table\'s key was honest',
    es: 'no lo eligió nadie si fueron honrados el equipo o la clave de la mesa',
  },
  proven_joined: {
    en: 'nobody chose it if appliance, table or one of {count} contributors was honest',
    es: 'no lo eligió nadie si fue honrado el equipo, la mesa o uno de los {count} que aportaron',
  },
  proven_witnessed: {
    en: 'its witnesses saw one history',
    es: 'sus testigos vieron una sola historia',
  },
  proven_certified: {
    en: 'a laboratory and a regulator certify software, settings, rules and source',
    es: 'un laboratorio y un regulador certifican el programa, los ajustes, las reglas y la fuente',
  },
  unproven_follows: {
    en: 'what follows from it: an evidence file shows that',
    es: 'lo que de él se sigue: lo muestra una prueba completa',
  },
  unproven_together: {
    en: 'what appliance and table could do together: nobody else gave a number',
    es: 'lo que el equipo y la mesa pudieran hacer juntos: nadie más aportó un número',
  },
  unproven_people: {
    en: 'that those who gave numbers are different people',
    es: 'que quienes aportaron números sean personas distintas',
  },
  unproven_rules: {
    en: 'that the rules give these results: they were not run',
    es: 'que las reglas den estos resultados: no se aplicaron',
  },
  unproven_catalogue: {
    en: 'whose rules these are: they are not known here',
    es: 'de quién son estas reglas: aquí no se conocen',
  },
  unproven_cards: {
    en: 'which cards those are that nobody opened',
    es: 'qué cartas son las que nadie abrió',
  },
  unproven_before: {
    en: 'what the table did before record {first}',
    es: 'lo que hizo la mesa antes del asiento {first}',
  },
  unproven_later: {
    en: 'what came after this record, such as a repetition',
    es: 'lo que vino después de este asiento, como una repetición',
  },
  unproven_history: {
    en: 'that there is no second history: no witness is shown',
    es: 'que no haya una segunda historia: no se muestra ningún testigo',
  },
  unproven_unasked: {
    en: 'that software, settings and source are as stated: no root of certifiers was given',
    es: 'que programa, ajustes y fuente sean los declarados: no se dio raíz de quien certifica',
  },
  unproven_uncertified: {
    en: 'that software, settings and source are as stated: no certification covers them',
    es: 'que programa, ajustes y fuente sean los declarados: no hay certificación que los cubra',
  },
  unproven_elsewhere: {
    en: 'that software, settings and source are as stated: this file holds no certification',
    es: 'que programa, ajustes y fuente sean los declarados: aquí no hay certificaciones',
  },
  unproven_lab: {
    en: 'that it was play: its source is a laboratory\'s',
    es: 'que fuera juego: su fuente es de laboratorio',
  },
  unproven_lab_table: {
    en: 'that it was play: it is of a laboratory\'s table',
    es: 'que fuera juego: es de una mesa de laboratorio',
  },
  unproven_development: {
    en: 'whose log it is: its keys are for development',
    es: 'de quién es el registro: sus claves son de desarrollo',
  },
};
