// Names of the built-in catalogues' games in both languages, for tickets: a bundle has the rules,
// not the names. tests/e2e/web_test.py compares them with the appliance's own.

const GAMES = {
  'french-roulette': { es: 'Ruleta (europea o francesa)', en: 'French roulette' },
  'american-roulette-single-zero': {
    es: 'Ruleta americana con un solo cero',
    en: 'American roulette with a single zero',
  },
  'blackjack': { es: 'Veintiuno o black jack', en: 'Blackjack' },
  'boule': { es: 'Boule o bola', en: 'Boule' },
  'trente-et-quarante': { es: 'Treinta y cuarenta', en: 'Trente et quarante' },
  'craps': { es: 'Dados o craps', en: 'Craps' },
  'punto-banco': { es: 'Punto y banca', en: 'Punto banco' },
  'chemin-de-fer': { es: 'Bacará, «chemin de fer» o ferrocarril', en: 'Chemin de fer' },
  'baccarat-banque-limited': {
    es: 'Bacará a dos paños, banca limitada',
    en: 'Baccarat banque, limited bank',
  },
  'baccarat-banque-open': {
    es: 'Bacará a dos paños, banca libre o abierta',
    en: 'Baccarat banque, open bank',
  },
  'bingo': { es: 'Bingo', en: 'Bingo' },
  'american-roulette-double-zero': {
    es: 'Ruleta americana doble cero',
    en: 'American roulette with double zero',
  },
  'caribbean-stud': { es: 'Póquer sin descarte', en: 'Caribbean stud poker' },
  'trijoker': { es: 'Póquer Trijóker', en: 'Trijoker poker' },
  'pai-gow-poker': { es: 'Pai Gow Poker o póquer chino', en: 'Pai gow poker' },
  'three-card-poker': { es: 'Póquer de tres cartas', en: 'Three card poker' },
  'texas-holdem-house': {
    es: 'Texas Hold\'em de contrapartida',
    en: 'Texas Hold\'em against the house',
  },
  'texas-holdem-bonus': { es: 'Texas Hold\'em Bonus Poker', en: 'Texas Hold\'em Bonus Poker' },
  'circle-five-card-draw': {
    es: 'Póquer cubierto de cinco cartas con descarte',
    en: 'Five-card draw poker (covered)',
  },
  'circle-omaha': { es: 'Póquer descubierto Omaha', en: 'Omaha' },
  'circle-seven-card-stud': { es: 'Póquer descubierto Seven Stud Poker', en: 'Seven card stud' },
  'circle-holdem': { es: 'Póquer descubierto Hold\'em', en: 'Hold\'em' },
  'circle-five-card-stud': { es: 'Póquer descubierto Five Stud Poker', en: 'Five card stud' },
  'circle-synthetic': { es: 'Póquer descubierto sintético', en: 'Synthetic poker' },
  'tournament': { es: 'Torneo', en: 'Tournament' },
  'wheel-of-fortune': { es: 'Ruleta de la fortuna', en: 'Wheel of fortune' },
  'triple-blackjack': { es: 'Triple Black Jack', en: 'Triple blackjack' },
  'punto-banco-mini': { es: 'Mini punto y banca', en: 'Mini punto banco' },
  'punto-banco-midi': { es: 'Midi punto y banca', en: 'Midi punto banco' },
  'draw-poker-house': { es: 'Póquer con descarte', en: 'Draw poker against the house' },
  'circle-omaha-five': { es: 'Póker Omaha cinco cartas', en: 'Omaha with five cards' },
  'circle-omaha-hi-lo': { es: 'Póker Omaha Hi&Low', en: 'Omaha high and low' },
  'circle-double-holdem': { es: 'Póker Doble Hold\'em', en: 'Double Hold\'em' },
  'monte': { es: 'Monte o banca', en: 'Monte' },
};

/// The game's name in a language; its id, readable, where it is none of these.
export function gameName(language, id) {
  return Object.hasOwn(GAMES, id) ? GAMES[id][language] : id.replaceAll('-', ' ');
}
