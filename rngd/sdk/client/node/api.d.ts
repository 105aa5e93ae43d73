// The HTTP interface of the appliance, as `rngd --openapi` describes it. Written by
// rngd/packaging/pages; a test compares. Bounds and patterns that TypeScript cannot say stand in
// openapi.json.

export type AccessReply = {
  access: number;
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  shoe: `shoe-${number}`;
};

export type Act = {
  act:
    | "latch-reset"
    | "draw-void"
    | "table-finish"
    | "table-void"
    | "call-again"
    | "shoe-close"
    | "log-key-rotate"
    | "client-enrol"
    | "client-revoke"
    | "enrolment-change"
    | "config-change"
    | "software-update"
    | "restore"
    | "sampling-order";
  /** microseconds since 1970, UTC */
  asked: number;
  asked_by: string;
  /** seq of the CALL */
  call?: number;
  client?: ClientToEnrol;
  confirmed_by?: string;
  /**
   * of what is asked for, repeated by every record of the act; of the samples that an order gave
   */
  digest?: string;
  expires: number;
  /** of an act that both sign: of the table */
  head?: string;
  id: `act-${number}`;
  object?: string;
  /**
   * confirmed: done with it, but for a latch-reset, a log-key-rotate and a sampling-order, which
   * are under way and end done or failed; an act with a digest of a file, software or backup is
   * approved then, and carried out by a start
   */
  state: "asked" | "confirmed" | "done" | "failed" | "expired" | "withdrawn";
};

export type ActReply = {
  act: Act;
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

export type ActView = {
  act: Act;
};

export type Acts = {
  acts: Act[];
  approvals: {
    act:
      | "latch-reset"
      | "draw-void"
      | "table-finish"
      | "table-void"
      | "call-again"
      | "shoe-close"
      | "log-key-rotate"
      | "client-enrol"
      | "client-revoke"
      | "enrolment-change"
      | "config-change"
      | "software-update"
      | "restore"
      | "sampling-order";
    digest: string;
    /** of the ACCESS that confirmed it */
    seq: number;
  }[];
};

export type Answered = {
  answer: {
    seq: number;
    t: number;
    turn: number;
  };
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

export type AskAct = | {
    act: "latch-reset" | "log-key-rotate";
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature?: string;
  }
  | {
    act: "table-finish";
    /** a suspended one */
    object: `table-${number}`;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature?: string;
  }
  | {
    act: "table-void";
    /** of its table, as its view has it */
    head: string;
    /** a suspended one */
    object: `table-${number}`;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature: string;
  }
  | {
    act: "draw-void";
    /** seq of the open CALL */
    call: number;
    /** of its table, as its view has it */
    head: string;
    object: `batch-${number}` | `shoe-${number}`;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature: string;
  }
  | {
    act: "shoe-close";
    /** of its table, as its view has it */
    head: string;
    /** of a table that the appliance settles, between rounds */
    object: `shoe-${number}`;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature: string;
  }
  | {
    act: "call-again";
    /** of its table, as its view has it */
    head: string;
    /** whose calls ended in VOID: the round, outside rounds the shoe or batch */
    object: `round-${number}` | `shoe-${number}` | `batch-${number}`;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature: string;
  }
  | {
    act: "client-enrol";
    client: ClientToEnrol;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature?: string;
  }
  | {
    act: "client-revoke";
    /** id of the client */
    object: string;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature?: string;
  }
  | {
    act: "sampling-order";
    /** of bits and raw samples */
    bytes?: number;
    /** outcomes of a table; of shoes at most 3000 */
    count?: number;
    /** id of the laboratory that gets them */
    object: string;
    /**
     * bits: conditioned; raw-N: of the source at that place in the status; lab/CATALOGUE/GAME/ and
     * wheel-N, dice-KxS, lots-B or shoe-DECK: outcomes of a table of class lab
     */
    samples: string;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature?: string;
  }
  | {
    act: "enrolment-change" | "config-change" | "software-update" | "restore";
    /**
     * SHA-256 of the file that the next start shall read, digest of the manifest, or of what
     * describes the backup
     */
    digest: string;
    /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
    signature?: string;
  };

export type Batch = {
  count: number;
  /** microseconds since 1970, UTC */
  expires: number;
  id: `batch-${number}`;
  /** the next one */
  index: number;
  root: string;
  state: "open" | "closed";
  table: `table-${number}`;
};

export type BatchReply = {
  batch: Batch;
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

export type Bet = {
  /** of another seat */
  box?: number;
  /** the client's word for the bet, once in a round */
  id: string;
  /** bet kind of the catalogue */
  kind: string;
  /** position codes */
  on?: string[];
  seat: number;
  /** units */
  stake: number;
};

/** evidence that verifies without the appliance (certs/FORMAT.md section 9) */
export type Bundle = {
  catalogue?: string;
  checkpoint: string;
  claim: number;
  /** certs/FORMAT.md section 5 */
  log_key: Record<string, unknown>;
  records: Array<Record<string, unknown>>;
  state_before?: Record<string, unknown>;
  type: "talla-bundle" | "talla-laboratory";
  v: 2;
};

export type CallView = {
  call: {
    /** all that the result follows from, as it stands in the record */
    core: Record<string, unknown>;
    /** the batch or the shoe */
    object: string;
    receipt: Receipt;
    /** of the CALL */
    seq: number;
    /** of the table's key over the core's statement */
    signature: string;
    table: `table-${number}`;
    turn: number;
  };
  /** of its `others` */
  contributors: {
    id: string;
    opened: boolean;
  }[];
  /** left out while the call is open */
  ended?: {
    kind: "draw" | "shoe_mix" | "void";
    /** of that record */
    receipt: Receipt;
    /** of that record */
    seq: number;
  };
  /** ids of those who have not opened, or did not */
  missing: string[];
  /** microseconds since 1970, UTC: who has not opened then may be left out */
  until: number;
};

export type Called = {
  /**
   * the call stands, and its further contributors are waited for: the result comes with the last of
   * them, or a VOID that names who opened nothing
   */
  call: {
    object: string;
    /** of its CALL: GET /v1/calls/{seq} */
    seq: number;
    table: `table-${number}`;
    turn: number;
    /** microseconds since 1970, UTC: who has not opened then may be left out */
    until: number;
  };
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

export type CardReply = {
  card: {
    /** for the client's own key (certs/FORMAT.md section 7) */
    copies: {
      ciphertext: string;
      seat: number;
    }[];
    /** seq of its CARD_DEAL */
    deal: number;
    place: Place;
    position: number;
    recommits?: number;
    shoe: `shoe-${number}`;
  };
};

export type ChallengeReply = {
  challenge: {
    answer: string;
    build: string;
    files: {
      answer: string;
      kind: "program" | "library" | "catalogue" | "unit" | "data";
      path: string;
      sha256: string;
    }[];
    /**
     * what is not as signed: unreadable, changed (files), not-listed, replaced, memory, anonymous
     * (code that runs); not-approved, not-at-rest (a changed manifest, path is its digest or none)
     */
    findings: {
      path: string;
      what: string;
    }[];
    manifest: string;
    nonce: string;
    result: "good" | "mismatch";
    time: number;
    version: string;
  };
  seq: number;
};

export type Choice = {
  /** id of the bet it is about */
  bet?: string;
  /** cards that the choice is about: so many of these places */
  cards?: {
    max: number;
    min: number;
    places: Place[];
  };
  /** the word of the action */
  do: string;
  /** greatest amount, units */
  max?: number;
  /** least amount, units */
  min?: number;
  /** amounts differ by it */
  step?: number;
};

/** a client certificate with its roles */
export type ClientToEnrol = {
  /** URI of the certificate */
  id: string;
  roles: Array<
    | "table"
    | "auditor"
    | "operator"
    | "seat"
    | "security-officer"
    | "inspector"
    | "shuffler"
    | "lab"
    | "contributor">;
  /** SHA-256 of the certificate's SubjectPublicKeyInfo */
  spki: string;
};

export type ClosedTable = {
  catalogue: string;
  currency: string;
  game: string;
  id: `table-${number}`;
  /** which opening of its place it was */
  opened: number;
  place: string;
  /** why it was closed */
  reason: string;
  rounds: number;
  settled_by: "client" | "appliance";
  /** microseconds since 1970, UTC */
  since: number;
  until: number;
};

export type Committed = {
  /** that no call has spent */
  ahead: number;
  id: string;
  /** t of the next to hand in */
  next: number;
};

/** RFC 6962 section 2.1.2, from the size of the proof to that of the file */
export type Consistency = {
  origin: string;
  proofs: {
    path: string[];
    root: string;
    size: number;
  }[];
  root: string;
  size: number;
  type: "talla-consistency";
  v: 2;
};

/** all that a result follows from (certs/FORMAT.md section 8) */
export type Core = {
  /** draw: index of the next unused secret; mix: cards dealt under this root */
  at: number;
  /** of the closed bets, or of an empty list */
  bets: string;
  catalogue: string;
  game: string;
  /** of the table's newest record */
  head: string;
  /** the batch or the shoe */
  object: string;
  /** of the log */
  origin: string;
  /** further contributors, each as the table's view has it: ascending by id */
  others: Array<Record<string, unknown>>;
  /** of TABLE_OPEN's parameters */
  parameters: string;
  /** of the batch, or the newest of the shoe */
  root: string;
  /** the open round, or 0 */
  round: string;
  /** of the draw, or of the mix */
  specification:
    | DrawSpecification
    | {
      /** roots that a mix picks from */
      candidates: number;
      /** leaves that it orders */
      places: number;
    };
  table: `table-${number}`;
  /** the next of the table, from 1 without gap */
  turn: number;
  type: "talla-call";
  use: "draw" | "mix";
  v: 2;
  /** the table's number for this turn */
  value: string;
  variant: string;
};

export type DealReply = {
  cards: DealtCard[];
  needs?: Need[];
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  /** covered cards turned now */
  revealed?: RevealedCard[];
  round?: Round;
  shoe: Shoe;
};

export type DealtCard = {
  /** of an open card, e.g. 7H */
  card?: string;
  face: "open" | "covered" | "unseen";
  place: Place;
  position: number;
  /** how often the shoe was shuffled again before the card was dealt; left out: never */
  recommits?: number;
  /** it went back into the shoe */
  returned?: boolean;
  /** covered: who may look */
  seats?: number[];
};

/** of a USB generator: what its process tells; nothing is decided by it */
export type Device = {
  blocks_dropped: number;
  /** OneRNG: as it said itself at the last set-up */
  firmware_version?: number;
  /** Infinite Noise: measured gain of its multiplier, thousandths; 1840 as built */
  gain_permille?: number;
  /** ChaosKey: variance of its last 4,096 converter words, squared steps */
  sample_variance?: number;
  silences: number;
  stalls_cleared: number;
  /** TrueRNGpro: supply of its noise circuit at the last set-up */
  supply_millivolts?: number;
};

export type DrawReply = Drawn | Voided | Called | Lapsed;

/** what is drawn (certs/FORMAT.md section 8) */
export type DrawSpecification = | {
    kind: "wheel";
    /** of the wheel */
    pockets: number;
  }
  | {
    /** dice */
    count: number;
    /** of each */
    faces: number;
    kind: "dice";
  }
  | {
    /** of each lot: it is below */
    bounds: number[];
    kind: "lots";
  };

export type Drawn = {
  draw: {
    batch: `batch-${number}`;
    /** seq of its CALL */
    call: number;
    index: number;
    outcome: Outcome;
    seq: number;
  };
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  round?: Round;
};

export type Events = {
  events: {
    kind: Kind;
    /** empty: the machine's */
    object: string;
    record: string;
    seq: number;
    /** empty: the machine's */
    table: string;
  }[];
  /** records behind `next` are there already */
  more: boolean;
  /** so far the log was looked through: `after` of the next page */
  next: number;
};

export type Generator = {
  construction: string;
  generates: number;
  reseeds: number;
  sources: NoiseSource[];
  state: "off" | "startup" | "operational" | "suspended" | "latched";
  /** no source is certified: for development */
  uncertified: boolean;
};

export type Incomplete = {
  rounds: {
    bets: Bet[];
    game: string;
    id: `round-${number}`;
    /** seq of its newest record */
    last: number;
    needs?: Need[];
    number: number;
    state: "betting" | "playing";
    suspended: boolean;
    table: `table-${number}`;
  }[];
};

export type Invited = {
  invitation: {
    open: boolean;
    seat: number;
    table: `table-${number}`;
  };
};

/** of a record */
export type Kind = | "POWER"
  | "SOFTWARE"
  | "CONFIG"
  | "KEY"
  | "SELFTEST"
  | "HEALTH"
  | "RESEED"
  | "ACCESS"
  | "ANSWER"
  | "TABLE_OPEN"
  | "TABLE_CLOSE"
  | "ROUND_OPEN"
  | "BETS_CLOSED"
  | "ACTION"
  | "MISDEAL"
  | "HAND_CONFIRMED"
  | "SETTLEMENT"
  | "ROUND_END"
  | "METER"
  | "SHOE_COMMIT"
  | "SHOE_MIX"
  | "CARD_DEAL"
  | "CARD_OPEN"
  | "SHOE_RECOMMIT"
  | "SHOE_RELEASE"
  | "SHUFFLE_REPORT"
  | "SHOE_CLOSE"
  | "BATCH_COMMIT"
  | "CALL"
  | "DRAW"
  | "VOID"
  | "BATCH_CLOSE"
  | "METER_OPEN"
  | "METER_CLOSE";

export type Lapsed = {
  /** the core does not stand: a VOID in the log carries it, and its turn is spent */
  lapsed: {
    /** why the core does not stand: a problem's code */
    code: string;
    detail: string;
    /** what stands instead, as a problem says */
    now?: Record<string, unknown>;
    /** what it would have been: the secret that it named is open and spent */
    outcome?: Outcome;
    seq: number;
    table: `table-${number}`;
    /** that it has spent */
    turn: number;
  };
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

/** why no new commitments are taken; absent while none stands */
export type Latch = {
  /** who ordered it; absent: the appliance by itself */
  by?: string;
  /** the act of two persons that ends a latch, or lets a table call again */
  ended_by: {
    act:
      | "latch-reset"
      | "draw-void"
      | "table-finish"
      | "table-void"
      | "call-again"
      | "shoe-close"
      | "log-key-rotate"
      | "client-enrol"
      | "client-revoke"
      | "enrolment-change"
      | "config-change"
      | "software-update"
      | "restore"
      | "sampling-order";
    /** of the one person, any of them, and of the other */
    roles: Array<Array<
      | "table"
      | "auditor"
      | "operator"
      | "seat"
      | "security-officer"
      | "inspector"
      | "shuffler"
      | "lab"
      | "contributor">>;
  };
  /** that person's words */
  note?: string;
  reason: string;
  /** seq of what says so */
  record: number;
  /** microseconds since 1970, UTC */
  since: number;
};

export type LatchReply = {
  generator: {
    state: "latched";
  };
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

/** every key that has signed the log (certs/FORMAT.md section 5) */
export type LogKeys = {
  checkpoint: string;
  key_changes?: Array<Record<string, unknown>>;
  log_key: {
    chain: string[];
    signature: string;
    statement: string;
  };
  type: "talla-log-keys";
  v: 2;
};

export type Meter = {
  catalogue: string;
  continues?: `meter-${number}`;
  currency: string;
  game: string;
  id: `meter-${number}`;
  /** the game's word for it */
  meter: string;
  state: "open" | "closed";
  /** open tables that share it, those this client may see */
  tables: Array<`table-${number}`>;
  /** contribution, prizes, stake, opening amount: the same at every table that shares it */
  terms: Record<string, unknown>;
  unit: string;
  /** units it holds now */
  value: number;
};

export type MeterReply = {
  meter: Meter;
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

export type MeterView = {
  meter: Meter;
};

export type Meters = {
  meters: Meter[];
};

export type MixReply = ShoeReply | Called | Lapsed;

export type MonitorHistory = {
  curves: {
    /** the monitor, or SOURCE/MEASURE */
    name: string;
    /**
     * process, detector: natural logarithms in thousandths; short, long: shares over those windows
     * in millionths
     */
    side: "process" | "detector" | "short" | "long";
    /**
     * in the order in which they were seen; between two of them nobody looked, the daemon was
     * restarted or the clock was set
     */
    stretches: {
      /** beginning of its first interval, microseconds since 1970 */
      from: number;
      /** the greatest, as many */
      high: number[];
      /** the last, as many */
      last: number[];
      /** the least of each interval, one after the other without a gap */
      low: number[];
    }[];
  }[];
  /** figures that found no place: more than the appliance keeps the past of */
  left_out: number;
  /** there are older intervals between from and to */
  more: boolean;
  /**
   * beginning of the oldest interval that is kept, microseconds since 1970; absent before the first
   * look
   */
  oldest?: number;
  /** files of the past that the last start found damaged: their time is a gap */
  refused: number;
  /** length of an interval, microseconds */
  step: number;
  /** the monitors are switched on */
  watched: boolean;
};

export type MonitorSide = {
  alarm: boolean;
  /** thousandths */
  alarm_at_milli: number;
  alarms: number;
  epoch: number;
  /** thousandths */
  log_e_milli: number;
};

/**
 * watch over noise, conditioned bits, outcomes and payments, for ever; absent when switched off.
 * What payments came to has a request of its own. Logarithms are natural, in thousandths
 */
export type Monitors = {
  alarms_standing: number;
  alpha: string;
  /**
   * shares over raw samples of each noise source; short windows are 131,072 samples, long ones
   * 4,194,304; shares in millionths, absent before the first whole window
   */
  quality: {
    alarms: number;
    alarms_standing: number;
    measures: {
      alarms: number;
      /**
       * the alarm of long windows that stands: more hits than the claimed min-entropy allows, or
       * beyond the source's own past
       */
      long_alarm: "none" | "claim" | "past";
      long_past_known: boolean;
      long_ppm?: number;
      name: string;
      /**
       * the alarm of short windows that stands: more hits than the claimed min-entropy allows, or
       * beyond the source's own past
       */
      short_alarm: "none" | "claim" | "past";
      short_past_known: boolean;
      short_ppm?: number;
    }[];
    samples: number;
    source: string;
  }[];
  run_length: number;
  states_refused: number;
  watching: {
    class: "noise" | "bits" | "outcomes";
    detector: MonitorSide;
    name: string;
    process: MonitorSide;
    seen: number;
    unit: string;
  }[];
};

export type Month = {
  accesses_refused: number;
  alarms: {
    dropped: number;
    level: number;
    seq: number;
    source: string;
    test: string;
    /** microseconds since 1970, UTC */
    time_us: number;
  }[];
  /** `unfinished`: not all records are counted yet */
  faults: {
    what: string;
    words: string;
  }[];
  format: 1;
  kind: "talla-lab month";
  latch_resets: Record<string, number>;
  latches: {
    seq: number;
    /** microseconds since 1970, UTC */
    time_us: number;
    what: string;
  }[];
  log: {
    /** records that are counted, of all months */
    below: number;
    held_against: string;
    origin: string;
    records_of_month: number;
    /** of those below */
    root?: string;
  };
  month: string;
  power: Record<string, number>;
  reseeds: number;
  selftests: Record<string, number>;
  tables: Record<string, {
    /** where a game of it is played */
    catalogue?: string;
    currency: string;
    draws: {
      draws: number;
      /** chance of a less even month, by chi-square; where each result is expected five times */
      p?: string;
      /**
       * of a wheel by its numbers as the game calls them; #20 is pocket 20 of a wheel that no
       * built-in catalogue has
       */
      results: Record<string, number>;
      specification: DrawSpecification;
    }[];
    game: string;
    misdeals: number;
    place: string;
    returned: number;
    rounds: number;
    settlements: number;
    shoes: Record<string, number>;
    /** units; a stake counts once, when it is settled first, and in prison no more */
    staked: number;
    /** worth of a unit in the currency */
    unit: string;
    /** by cause */
    voids: Record<string, number>;
    /** by who opened nothing */
    withheld: Record<string, number>;
  }>;
};

export type Need = | {
    can_close: boolean;
    need: "bets";
  }
  | {
    cards_count: number;
    deck: string;
    disclosure?: "covered";
    need: "shoe";
    stop_depth: number;
  }
  | {
    cards: {
      face: "open" | "covered" | "unseen";
      place: Place;
      /** who may look at it */
      seats?: number[];
    }[];
    need: "deal";
  }
  | {
    need: "reveal";
    place: Place;
  }
  | {
    count: number;
    /** of a die, or bound of a lot */
    faces?: number;
    kind: "wheel" | "dice" | "lots";
    need: "draw";
    /** numbers of a wheel, by index */
    pockets?: string[];
  }
  | {
    cards: number;
    need: "shuffle";
    places: Place[];
    rule: string;
  }
  | {
    choices: Choice[];
    need: "decide";
    required: boolean;
    seat: number;
  }
  | {
    meter: string;
    need: "meter";
  }
  | {
    need: "confirm";
  }
  | {
    need: "settled";
  };

export type NoiseSource = {
  alarms: number;
  /** of raw sources: where millibits comes from */
  assessment?: "assumed" | "stated" | "unit" | "type";
  /** SHA-256 of the document behind the figure; of unit and type */
  assessment_digest?: string;
  /** of a sample */
  bits: number;
  class: string;
  credited: boolean;
  credited_bits: number;
  device?: Device;
  independent: boolean;
  /** its stream is over: pulled out, or its process died */
  lost: boolean;
  /** assessed min-entropy of a sample, thousandths of a bit */
  millibits: number;
  model: string;
  /** samples a second */
  nominal_rate: number;
  required: boolean;
  samples: number;
  serial: string;
  verdict: "untested" | "good" | "testing" | "failed";
};

export type OpenReply = {
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  /** covered cards turned now */
  revealed: RevealedCard[];
  round?: Round;
  shoe: Shoe;
};

export type OpenTable = | {
    /**
     * roots that each covered shoe is sealed with: its first call picks one, all others are opened,
     * so that a shoe of the wrong composition escapes with the probability of one in so many
     */
    candidates?: number;
    /** id, e.g. es-1977 */
    catalogue: string;
    /**
     * a table of the same game goes on as this one, under other limits or parameters: it is closed,
     * and what outlives its rounds moves over
     */
    continues?: `table-${number}`;
    /** id of the game in its catalogue */
    game: string;
    /**
     * VOIDs of a round, or outside rounds of a shoe or batch, behind which two persons must order
     * each further call
     */
    max_voids?: number;
    /** meters that it shares with other tables, on their terms: the game's word and the id */
    meters?: Record<string, `meter-${number}`>;
    /**
     * when the order of a shoe is mixed: once, or behind the bets of each round too, so that nobody
     * knows a card of a round while bets can be made; only where the appliance settles
     */
    mix?: "shoe" | "round";
    /** seconds in which further contributors open; who has not is left out by a VOID */
    open_within?: number;
    /**
     * lasting name of the table in the house, with its room before a / where there are several
     * (Sala Goya/Mesa 7): its history there goes on; without it the table is a place of its own
     */
    place?: string;
    /** keys of contributors without whom no call of the table stands */
    required?: string[];
    settled_by?: "appliance";
    table: TableSettings;
  }
  | {
    /**
     * roots that each covered shoe is sealed with: its first call picks one, all others are opened,
     * so that a shoe of the wrong composition escapes with the probability of one in so many
     */
    candidates?: number;
    /** id, e.g. es-1977 */
    catalogue: string;
    /** id of the game in its catalogue */
    game: string;
    /**
     * VOIDs of a round, or outside rounds of a shoe or batch, behind which two persons must order
     * each further call
     */
    max_voids?: number;
    /**
     * when the order of a shoe is mixed: once, or behind the bets of each round too, so that nobody
     * knows a card of a round while bets can be made; only where the appliance settles
     */
    mix?: "shoe" | "round";
    /** seconds in which further contributors open; who has not is left out by a VOID */
    open_within?: number;
    /**
     * lasting name of the table in the house, with its room before a / where there are several
     * (Sala Goya/Mesa 7): its history there goes on; without it the table is a place of its own
     */
    place?: string;
    /** keys of contributors without whom no call of the table stands */
    required?: string[];
    settled_by: "client";
  }
  | {
    /**
     * roots that each covered shoe is sealed with: its first call picks one, all others are opened,
     * so that a shoe of the wrong composition escapes with the probability of one in so many
     */
    candidates?: number;
    /** deck, e.g. french52x8 */
    deck: string;
    /** a label for reports */
    game?: string;
    /**
     * VOIDs of a round, or outside rounds of a shoe or batch, behind which two persons must order
     * each further call
     */
    max_voids?: number;
    /**
     * when the order of a shoe is mixed: once, or behind the bets of each round too, so that nobody
     * knows a card of a round while bets can be made; only where the appliance settles
     */
    mix?: "shoe" | "round";
    /** seconds in which further contributors open; who has not is left out by a VOID */
    open_within?: number;
    /**
     * lasting name of the table in the house, with its room before a / where there are several
     * (Sala Goya/Mesa 7): its history there goes on; without it the table is a place of its own
     */
    place?: string;
    /** keys of contributors without whom no call of the table stands */
    required?: string[];
    settled_by: "client";
  }
  | {
    /** a label for reports */
    game?: string;
    /**
     * VOIDs of a round, or outside rounds of a shoe or batch, behind which two persons must order
     * each further call
     */
    max_voids?: number;
    /**
     * when the order of a shoe is mixed: once, or behind the bets of each round too, so that nobody
     * knows a card of a round while bets can be made; only where the appliance settles
     */
    mix?: "shoe" | "round";
    /** seconds in which further contributors open; who has not is left out by a VOID */
    open_within?: number;
    /**
     * lasting name of the table in the house, with its room before a / where there are several
     * (Sala Goya/Mesa 7): its history there goes on; without it the table is a place of its own
     */
    place?: string;
    range: DrawSpecification;
    /** keys of contributors without whom no call of the table stands */
    required?: string[];
    settled_by: "client";
  };

export type Opened = {
  call: number;
  id: string;
  /** always: it is durable */
  opened: boolean;
};

/** the secrets of a closed covered shoe (certs/FORMAT.md section 9) */
export type Openings = {
  close: number;
  origin: string;
  roots: {
    key: string;
    tape: string;
  }[];
  shoe: `shoe-${number}`;
  type: string;
  v: number;
};

export type Outcome = | {
    /** index of the pocket, from 0 in the wheel's order; a round's `outcome` has its number */
    pocket: number;
  }
  | {
    /** faces */
    dice: number[];
  }
  | {
    /** from 0 */
    lots: number[];
  };

export type Past = {
  /** of a round: those that stood */
  bets?: Bet[];
  /** of a settled round */
  cards?: DealtCard[];
  /** body of the last record */
  closing: Record<string, unknown>;
  id: string;
  /** body of the opening record */
  opening: Record<string, unknown>;
  /** of a settled round's draw: numbers and faces as the game has them */
  outcome?: string[];
  records: {
    kind: Kind;
    seq: number;
  }[];
  /** of a settled round */
  results?: Result[];
  /** seq of the SETTLEMENT */
  settlement?: number;
  state: "closed" | "ended";
};

export type PastMeter = {
  meter: Past;
};

export type PastRound = {
  round: Past;
};

export type PastShoe = {
  shoe: Past;
};

export type PastTable = {
  table: Past;
};

/** place of a card as the game's rules name it, e.g. punto-1, dealer-2, burn-1 */
export type Place = string;

export type Problem = {
  act?: string;
  /** stable; x-talla-problems lists those of the appliance, the rules of games have more (422) */
  code: string;
  /** what would be right */
  detail?: string;
  /** the act of two persons that ends a latch, or lets a table call again */
  ended_by?: {
    act:
      | "latch-reset"
      | "draw-void"
      | "table-finish"
      | "table-void"
      | "call-again"
      | "shoe-close"
      | "log-key-rotate"
      | "client-enrol"
      | "client-revoke"
      | "enrolment-change"
      | "config-change"
      | "software-update"
      | "restore"
      | "sampling-order";
    /** of the one person, any of them, and of the other */
    roles: Array<Array<
      | "table"
      | "auditor"
      | "operator"
      | "seat"
      | "security-officer"
      | "inspector"
      | "shuffler"
      | "lab"
      | "contributor">>;
  };
  /** of the table now */
  head?: string;
  /** the next index */
  index?: number;
  /** of forbidden: any of them would do */
  needed_roles?: Array<
    | "table"
    | "auditor"
    | "operator"
    | "seat"
    | "security-officer"
    | "inspector"
    | "shuffler"
    | "lab"
    | "contributor">;
  needs?: Need[];
  /** of void_limit: what ended in VOID too often; of early_close: the shoe */
  object?: string;
  /** of forbidden */
  own_roles?: Array<
    | "table"
    | "auditor"
    | "operator"
    | "seat"
    | "security-officer"
    | "inspector"
    | "shuffler"
    | "lab"
    | "contributor">;
  /** the next position */
  position?: number;
  /** of report_signature: what the appliance finds, unsigned */
  report?: Record<string, unknown>;
  /**
   * same: send it again unchanged; after: later, see Retry-After; never: it will be refused again
   * as it stands
   */
  retry: "same" | "after" | "never";
  root?: string;
  round?: string;
  shoe?: string;
  state?: string;
  state_digest?: string;
  status: number;
  /** the next target */
  target?: number;
  title: string;
  /** urn:talla:problem: and the code */
  type: string;
  /** of void_limit: how often */
  voids?: number;
};

export type Receipt = {
  /** C2SP tlog-proof */
  proof: string;
  /** canonical JSON of the record */
  record: string;
};

export type Release = {
  ciphertext_digest: string;
  compartments?: number;
  form: "order" | "targets" | "shelf";
  machine: string;
  /** SHA-256 of the machine's key */
  order_known_to: string;
  report?: ShuffleReport;
  reverses?: boolean;
  /** of its SHOE_RELEASE */
  seq: number;
  /** given so far */
  targets?: number;
};

export type ReleaseReply = {
  release: {
    cards: number;
    /** certs/FORMAT.md, Release to a machine */
    ciphertext: string;
    ciphertext_digest: string;
    compartments?: number;
    deck: string;
    form: "order" | "targets" | "shelf";
    machine: string;
    order_known_to: string;
    recommits: number;
    /** its SHOE_RELEASE: a report is signed for its head (certs/FORMAT.md section 7) */
    record: string;
    report?: ShuffleReport;
    reverses?: boolean;
    root: string;
    seq: number;
    shoe: `shoe-${number}`;
    targets?: number;
  };
};

export type ReportReply = {
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  report: ShuffleReport;
  shoe: Shoe;
};

export type Result = {
  bet: string;
  kind: string;
  /** exact amount minus returned */
  remainder?: string;
  result: "win" | "lose" | "push" | "half" | "prison" | "freed" | "void";
  /** units, the stake included */
  returned: number;
  /** game number and section of the official text */
  rule: string;
  /** 0: the house's own, e.g. its fee */
  seat: number;
  stake: number;
};

export type Return = {
  bets: {
    bet: string;
    catalogue: string;
    /** whose tables they are; empty where several have opened some */
    client: string;
    currency: string;
    /** the same */
    detector?: MonitorSide;
    deviation: string;
    expected: string;
    game: string;
    high: string;
    /** three standard deviations below the theory */
    low: string;
    monitor: string;
    /** the first of `places` that the bet may lie on */
    on?: string;
    /** a stake in prison counts half */
    paid: string;
    place: string;
    places?: number;
    practice: string;
    /** absent when more bets play than are watched */
    process?: MonitorSide;
    rounds: number;
    /** units, to four places, as all amounts here */
    staked: string;
    /** percent of the stakes, as all shares here */
    theory: string;
    unit: string;
    /** practice is from low to high */
    within: boolean;
  }[];
  /** games that no law of payment is known of */
  not_watched: {
    client: string;
    game: string;
    place: string;
  }[];
  /** all places together; for who sees them all */
  together?: {
    detector: MonitorSide;
    monitor: string;
    process: MonitorSide;
    rounds: number;
  }[];
  /**
   * rounds and bets since the start that nobody looked at though their game has a law; for who sees
   * all
   */
  unwatched?: number;
  /** the monitors are switched on */
  watched: boolean;
};

export type RevealedCard = {
  /** e.g. 7H */
  card: string;
  place: Place;
  position: number;
  /** how often the shoe was shuffled again before the card was dealt; left out: never */
  recommits?: number;
};

export type Round = {
  bets: Bet[];
  cards: DealtCard[];
  id: `round-${number}`;
  needs?: Need[];
  /** of the table */
  number: number;
  /** of its draw: numbers and faces as the game has them */
  outcome?: string[];
  results: Result[];
  /** seq of its SETTLEMENT: claim of its bundle */
  settlement?: number;
  state: "betting" | "playing" | "ended";
  /** what actions expect */
  state_digest?: string;
  table: `table-${number}`;
  /** what the asking role may see of the game's state */
  view?: Record<string, unknown>;
  withdrawn: string[];
};

export type RoundDraft = {
  round: Round;
};

export type RoundReply = {
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  round: Round;
};

export type RoundView = {
  round: Round;
};

export type Rounds = {
  /** there are older ones */
  more: boolean;
  next?: `round-${number}`;
  rounds: {
    /** microseconds since 1970, UTC */
    ended?: number;
    id: `round-${number}`;
    number: number;
    /** microseconds since 1970, UTC */
    opened: number;
    /** of its draw, as the game has it */
    outcome?: string[];
    /** units, stakes included */
    returned?: number;
    /** seq of its SETTLEMENT: claim of its bundle */
    settlement?: number;
    /** units, of all bets; of a settled round */
    staked?: number;
    state: "betting" | "playing" | "ended";
    table: `table-${number}`;
    /** seats that got back more than they staked */
    winners?: {
      /** units won */
      net: number;
      seat: number;
    }[];
  }[];
};

export type Samples = {
  act: `act-${number}`;
  /** of raw samples, one a byte */
  bits_per_sample?: number;
  /** that were ordered; of a table's outcomes: so far */
  bytes: number;
  /** outcomes of a table that were ordered */
  count?: number;
  /** from there on, at most 65,536 bytes */
  data?: string;
  /** of all bytes; that ACCESS says it too */
  digest?: string;
  offset?: number;
  /** seq of the ACCESS that ended the order */
  record?: number;
  /** as they were ordered */
  samples: string;
  /** confirmed: they are being taken */
  state: "confirmed" | "done" | "failed";
  /** bytes, so far */
  taken: number;
};

export type SamplesReply = {
  samples: Samples;
};

export type Shoe = {
  /** roots that its first mix picks from */
  candidates?: number;
  cards: number;
  deck: string;
  id: `shoe-${number}`;
  /** before the next card */
  mix_due?: boolean;
  /** seq of the newest root's SHOE_MIX */
  mixed?: number;
  /** a call ended before its root was picked: no other stands */
  must_close?: boolean;
  /** of the table */
  number: number;
  /** what deal expects */
  position: number;
  /** how often it was shuffled again */
  recommits?: number;
  release?: Release;
  /** that a mix must name */
  root: string;
  state: "committed" | "mixed" | "in_play" | "last_round" | "closed" | "voided";
  stop_card_out: boolean;
  stop_depth: number;
  table: `table-${number}`;
};

export type ShoeReply = {
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  shoe: Shoe;
};

export type ShoeView = {
  shoe: Shoe;
};

export type ShuffleReport = {
  census?: "complete" | "wrong";
  /** public key of the machine */
  key: string;
  /** of the reports of this release, from 1 */
  number: number;
  /** first place that differs */
  position?: number;
  /** cards of the deck that it saw */
  recognised: number;
  result: "match" | "mismatch" | "jam" | "lid";
  seen?: string;
  /** of that key, over the report */
  signature: string;
  targets?: number;
};

export type Software = {
  /** manifest of the last start that was in order */
  approved?: string;
  build?: string;
  /** end of the last check, microseconds */
  checked?: number;
  files?: number;
  /**
   * what is not as signed: unreadable, changed (files), not-listed, replaced, memory, anonymous
   * (code that runs); not-approved, not-at-rest (a changed manifest, path is its digest or none)
   */
  findings?: {
    path: string;
    what: string;
  }[];
  manifest?: string;
  /** the C2SP signed note (GET /v1/software only) */
  signed_manifest?: string;
  signers?: string[];
  /**
   * unsigned: no manifest is configured; mismatch: the last check found something, or this start
   * did not take a changed manifest
   */
  state: "unsigned" | "signed" | "mismatch";
  version?: string;
};

export type SoftwareReply = {
  software: Software;
};

export type Status = {
  /** records since the last rollback anchor */
  anchor_lag: number;
  boot: number;
  /** of an appliance that keeps certifications */
  certification?: {
    /** what is not covered (FORMAT.md section 14) */
    code?: string;
    /** a commitment made now is certified, but for the catalogue of its table */
    covers: boolean;
    /** certifications that hold, by digest */
    texts: string[];
  };
  /** who asks, by the certificate, and what that id may do */
  client: {
    id: string;
    roles: Array<
      | "table"
      | "auditor"
      | "operator"
      | "seat"
      | "security-officer"
      | "inspector"
      | "shuffler"
      | "lab"
      | "contributor">;
  };
  generator: Generator;
  latch?: Latch;
  monitors?: Monitors;
  /** name of the log */
  origin: string;
  profile: "development" | "production";
  /** new commitments would be taken now */
  ready: boolean;
  /** codes of what stands against them */
  reasons: string[];
  rollback_protection: string;
  sealing: string;
  /** records of the log */
  size: number;
  software: Software;
  /** open ones */
  tables: number;
  /** microseconds since 1970, UTC */
  time: number;
  time_quality: "synced" | "holdover" | "unset";
  version: string;
};

export type Table = {
  /** what two persons have ordered for the next call */
  again?: {
    /** the round, or outside rounds shoe or batch */
    object: string;
    /** as CALL will carry it */
    order: Record<string, unknown>;
  };
  /** open ones */
  batches: Array<`batch-${number}`>;
  /** seq of a CALL without its result */
  call?: number;
  /** of the catalogue's file */
  catalogue: string;
  /** the table it goes on with */
  continues?: `table-${number}`;
  contributors: {
    /** commitments that it has left */
    ahead: number;
    /** to that number */
    commit: string;
    id: string;
    /** P-256 key: base64 of the DER SubjectPublicKeyInfo */
    key: string;
    /** of its next number */
    t: number;
  }[];
  currency: string;
  game: string;
  /** of its newest record: what a call names */
  head: string;
  id: `table-${number}`;
  /** seq of that record */
  last: number;
  /** 0: none */
  max: number;
  /** that it shares with other tables, by the game's word */
  meters?: Record<string, `meter-${number}`>;
  min: number;
  /** the live shoe needs a mix before its next card */
  mix_due?: boolean;
  needs?: Need[];
  /** the same, while its further contributors are waited for: GET /v1/calls/{call} */
  open_call?: number;
  /** how often a table was opened there */
  opened: number;
  /** as TABLE_OPEN has them */
  parameters: Record<string, unknown>;
  /** where it stands; its id: a place of its own */
  place: string;
  policy: {
    /** roots that a shoe is sealed with, to pick from */
    candidates: number;
    /** VOIDs of a round or object behind which two persons order each further call */
    max_voids: number;
    /** whether the bets of each round ask for a mix of their own */
    mix: "shoe" | "round";
    /** seconds in which contributors open */
    open_within: number;
    /** keys that every call must name */
    required: string[];
  };
  /** of the live shoe: what deal expects */
  position?: number;
  /** the open one */
  round?: `round-${number}`;
  /** opened so far */
  rounds: number;
  settled_by: "appliance" | "client";
  /** the live one */
  shoe?: `shoe-${number}`;
  /** committed so far */
  shoes: number;
  state: "open" | "suspended" | "closed";
  /** what actions expect */
  state_digest?: string;
  /** of the next call */
  turn: number;
  variant: string;
  /** what the asking role may see of the game's state */
  view?: Record<string, unknown>;
  /** bets that it offers and on which no stake fits, each with the reason */
  warnings?: {
    en: string;
    es: string;
  }[];
};

export type TableReply = {
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  table: Table;
};

export type TableSettings = {
  /** of the authorisation: a table below it is refused */
  authorised_min?: number;
  /** smallest chip, units */
  chip?: number;
  /** ISO 4217, historic codes too */
  currency: string;
  /** house maximum of a bet, one of those that the text allows, units */
  max?: number;
  /** minimum of a bet, units */
  min: number;
  /** parameters of the game; the description of the game has them */
  params?: Record<string, unknown>;
  /** of amounts between two units */
  rounding?: string;
  /**
   * amount of one unit in the currency: a whole number, or a fraction or decimal as text, e.g. 1/2
   */
  unit?: number | string;
};

export type TableView = {
  table: Table;
};

export type Tables = {
  /** the newest first */
  closed?: ClosedTable[];
  /** older ones were not looked at */
  more?: boolean;
  /** `before` of the next reply */
  next?: number;
  tables: Table[];
};

export type Target = {
  ciphertext: string;
  target: number;
};

export type TestReply = {
  generator: {
    state: "testing";
  };
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
};

export type Voided = {
  /** of all records made: verify them before relying on it */
  receipts: Receipt[];
  round?: Round;
  /** two persons voided this draw while its table was suspended */
  voided: {
    batch: `batch-${number}`;
    by: string[];
    /** seq of its CALL */
    call: number;
    /** what it would have been */
    outcome?: Outcome;
    seq: number;
  };
};

/** Each operation by its name. */
export interface Operations {
  /** Acts of two persons that wait, run or are over of late */
  listActs: {
    method: "GET";
    path: `/v1/acts`;
    query: Record<string, never>;
    body: never;
    reply: Acts;
  };
  /** Ask for an act that takes two persons */
  askAct: {
    method: "POST";
    path: `/v1/acts`;
    query: Record<string, never>;
    body: AskAct;
    reply: ActReply;
  };
  /** One act of two persons */
  getAct: {
    method: "GET";
    path: `/v1/acts/${string}`;
    query: Record<string, never>;
    body: never;
    reply: ActView;
  };
  /** Confirm an act, as the second person */
  confirmAct: {
    method: "POST";
    path: `/v1/acts/${string}/confirm`;
    query: Record<string, never>;
    body: {
      /** what is meant to be confirmed: another one than the act's is refused */
      digest?: string;
      /** r || s of this client's P-256 key over the order (certs/FORMAT.md section 8) */
      signature?: string;
    };
    reply: ActReply;
  };
  /** Withdraw an act that nobody has confirmed */
  withdrawAct: {
    method: "POST";
    path: `/v1/acts/${string}/withdraw`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: ActReply;
  };
  /** Record what is opened behind a call of another log */
  recordAnswer: {
    method: "POST";
    path: `/v1/answers`;
    query: Record<string, never>;
    body: {
      core: Core;
      /** the contributor's in the core */
      id: string;
      /** leaf hash of the table's TABLE_OPEN */
      opening: string;
      /**
       * r || s of the contributor's key over the opening's statement (certs/FORMAT.md section 8)
       */
      signature: string;
      value: string;
    };
    reply: Answered;
  };
  /** Evidence of a card, a draw or a settlement that verifies without the appliance */
  getBundle: {
    method: "GET";
    path: `/v1/bundles/${string}`;
    query: Record<string, never>;
    body: never;
    reply: Bundle;
  };
  /** A call: its core, who has opened, what it ended in */
  getCall: {
    method: "GET";
    path: `/v1/calls/${string}`;
    query: {
      wait?: number;
    };
    body: never;
    reply: CallView;
  };
  /** Open the number behind a call */
  openContribution: {
    method: "POST";
    path: `/v1/calls/${string}/openings`;
    query: Record<string, never>;
    body: {
      /** seat-N, or the enrolled id of a partner: the client's own */
      id: string;
      /**
       * r || s of the contributor's key over the opening's statement (certs/FORMAT.md section 8)
       */
      signature: string;
      value: string;
    };
    reply: Opened;
  };
  /** The catalogues of games that the appliance can play */
  getCatalogues: {
    method: "GET";
    path: `/v1/catalogues`;
    query: {
      language?: "en" | "es";
    };
    body: never;
    reply: {
      catalogues: Array<Record<string, unknown>>;
    };
  };
  /** One game: bets, parameters, limits and rules in words */
  getGame: {
    method: "GET";
    path: `/v1/catalogues/${string}/${string}`;
    query: {
      language?: "en" | "es";
    };
    body: never;
    reply: Record<string, unknown>;
  };
  /** The signed checkpoint of the log */
  getCheckpoint: {
    method: "GET";
    path: `/v1/checkpoint`;
    query: Record<string, never>;
    body: never;
    reply: string;
  };
  /** The newest checkpoint with the most cosignatures of witnesses */
  getCosignedCheckpoint: {
    method: "GET";
    path: `/v1/checkpoint/cosigned`;
    query: Record<string, never>;
    body: never;
    reply: string;
  };
  /** That a later log has an earlier one as its beginning */
  getConsistency: {
    method: "GET";
    path: `/v1/consistency`;
    query: {
      from: number;
      to?: number;
    };
    body: never;
    reply: Consistency;
  };
  /** Draw: the next secret of a batch and the table's call give the outcome */
  draw: {
    method: "POST";
    path: `/v1/draws`;
    query: Record<string, never>;
    body: {
      core: Core;
      /** r || s of the table's key over the core's statement */
      signature: string;
    };
    reply: DrawReply;
  };
  /** Records of the log after a number, oldest first */
  getEvents: {
    method: "GET";
    path: `/v1/events`;
    query: {
      after?: number;
      limit?: number;
      table?: `table-${number}`;
      kind?: Kind;
    };
    body: never;
    reply: Events;
  };
  /** Stop new commitments at once */
  latchGenerator: {
    method: "POST";
    path: `/v1/generator/latch`;
    query: Record<string, never>;
    body: {
      /** why, in that person's words, one line: the note of the ACCESS; the status shows it */
      reason?: string;
    };
    reply: LatchReply;
  };
  /** Have the generator tested now */
  testGenerator: {
    method: "POST";
    path: `/v1/generator/test`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: TestReply;
  };
  /** Every round that is not ended */
  getIncomplete: {
    method: "GET";
    path: `/v1/incomplete`;
    query: Record<string, never>;
    body: never;
    reply: Incomplete;
  };
  /** Every key that has signed the log */
  getLogKeys: {
    method: "GET";
    path: `/v1/log-keys`;
    query: Record<string, never>;
    body: never;
    reply: LogKeys;
  };
  /** The open meters that tables share */
  listMeters: {
    method: "GET";
    path: `/v1/meters`;
    query: Record<string, never>;
    body: never;
    reply: Meters;
  };
  /** Open a meter that several tables share */
  openMeter: {
    method: "POST";
    path: `/v1/meters`;
    query: Record<string, never>;
    body: {
      /** id, e.g. es-aragon-2010 */
      catalogue: string;
      /** a meter that no table shares any more: it is closed, and what is left in it goes over */
      continues?: `meter-${number}`;
      game: string;
      /** the game's word for it */
      meter: string;
      table: TableSettings;
      /** what it begins with, units; without it what the terms say, which is the least */
      value?: number;
    };
    reply: MeterReply;
  };
  /** One meter that tables share */
  getMeter: {
    method: "GET";
    path: `/v1/meters/${string}`;
    query: Record<string, never>;
    body: never;
    reply: MeterView | PastMeter;
  };
  /** Close a meter that no open table shares */
  closeMeter: {
    method: "POST";
    path: `/v1/meters/${string}/close`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: MeterReply;
  };
  /** What the monitors' curves were */
  getMonitorHistory: {
    method: "GET";
    path: `/v1/monitors/history`;
    query: {
      step?: "minute" | "hour";
      from?: number;
      to?: number;
      limit?: number;
      name?: string;
    };
    body: never;
    reply: MonitorHistory;
  };
  /** A month of the appliance, counted from its log */
  getMonth: {
    method: "GET";
    path: `/v1/month`;
    query: {
      month: string;
    };
    body: never;
    reply: Month;
  };
  /** The newest proof of a record */
  getProof: {
    method: "GET";
    path: `/v1/proofs/${string}`;
    query: Record<string, never>;
    body: never;
    reply: Receipt;
  };
  /** The receipt of a record */
  getReceipt: {
    method: "GET";
    path: `/v1/receipts/${string}`;
    query: Record<string, never>;
    body: never;
    reply: Receipt;
  };
  /** The reply that was given under an Idempotency-Key */
  getRequest: {
    method: "GET";
    path: `/v1/requests/${string}`;
    query: {
      path?: string;
    };
    body: never;
    reply: Record<string, unknown>;
  };
  /** What bets were paid, beside what they are worth */
  getReturn: {
    method: "GET";
    path: `/v1/return`;
    query: {
      table?: string;
    };
    body: never;
    reply: Return;
  };
  /** One round: what it needs, bets, cards, results */
  getRound: {
    method: "GET";
    path: `/v1/rounds/${string}`;
    query: Record<string, never>;
    body: never;
    reply: RoundView | PastRound;
  };
  /** Decide for a seat */
  action: {
    method: "POST";
    path: `/v1/rounds/${string}/actions`;
    query: Record<string, never>;
    body:
      | {
        /** units */
        amount?: number;
        /** id of the bet it is about */
        bet?: string;
        /** places of the cards it names */
        cards?: string[];
        /** as `needs` has it */
        do: string;
        /** state_digest of the round */
        expected_state: string;
        seat: number;
        /** a position, where the action names one */
        to?: string;
      }
      | {
        /** state_digest of the round */
        expected_state: string;
        seat: number;
        /** the seat said nothing in its time */
        time_out: true;
      };
    reply: RoundReply;
  };
  /** Replace the whole draft of bets */
  bets: {
    method: "POST";
    path: `/v1/rounds/${string}/bets`;
    query: Record<string, never>;
    body: {
      bets: Bet[];
      /** ids of bets */
      withdrawn?: string[];
    };
    reply: RoundDraft;
  };
  /** Close the bets: confirm the draft, or send them all */
  closeBets: {
    method: "POST";
    path: `/v1/rounds/${string}/close-bets`;
    query: Record<string, never>;
    body: {
      bets?: Bet[];
      /** ids of bets */
      withdrawn?: string[];
    };
    reply: RoundReply;
  };
  /** Confirm the complete hand of a table that waits for it */
  confirmHand: {
    method: "POST";
    path: `/v1/rounds/${string}/confirm`;
    query: Record<string, never>;
    body: {
      /** state_digest of the round */
      expected_state: string;
    };
    reply: RoundReply;
  };
  /** State an error of the dealing, by the code of the catalogue's table */
  misdeal: {
    method: "POST";
    path: `/v1/rounds/${string}/misdeal`;
    query: Record<string, never>;
    body: {
      /** chips put in by this error */
      amount?: number;
      /** of the game's errors */
      code: string;
      /** state_digest of the round */
      expected_state: string;
      place?: Place;
    };
    reply: RoundReply;
  };
  /** Samples that two persons ordered for this laboratory */
  getSamples: {
    method: "GET";
    path: `/v1/samples/${string}`;
    query: {
      offset?: number;
    };
    body: never;
    reply: SamplesReply;
  };
  /** One shoe: its state and the position that deal expects */
  getShoe: {
    method: "GET";
    path: `/v1/shoes/${string}`;
    query: Record<string, never>;
    body: never;
    reply: ShoeView | PastShoe;
  };
  /** The copies of a covered card that the client's own key opens */
  getCard: {
    method: "GET";
    path: `/v1/shoes/${string}/cards/${string}`;
    query: {
      recommits?: number;
    };
    body: never;
    reply: CardReply;
  };
  /** Close a shoe */
  closeShoe: {
    method: "POST";
    path: `/v1/shoes/${string}/close`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: ShoeReply;
  };
  /** Deal: up to what the rules need, or a count */
  deal: {
    method: "POST";
    path: `/v1/shoes/${string}/deal`;
    query: Record<string, never>;
    body: {
      /** the next position, as the shoe's view has it */
      expected: number;
      /** client-settled tables */
      face?: "open" | "covered" | "unseen";
      place?: Place;
      /** covered: the seat that may look at it, with the table's own key; without it nobody may */
      seat?: number;
      /** what the rules ask for now, or so many cards */
      until: "needs" | number;
    };
    reply: DealReply;
  };
  /** Mix the shoe by a call of the table */
  mixShoe: {
    method: "POST";
    path: `/v1/shoes/${string}/mix`;
    query: Record<string, never>;
    body: {
      core: Core;
      /** r || s of the table's key over the core's statement */
      signature: string;
    };
    reply: MixReply;
  };
  /** Turn a card that was dealt covered */
  openCard: {
    method: "POST";
    path: `/v1/shoes/${string}/open`;
    query: Record<string, never>;
    body: {
      position: number;
      /** how often the shoe was shuffled again before it was dealt; without it the newest root */
      recommits?: number;
    };
    reply: OpenReply;
  };
  /** The openings of a closed covered shoe */
  getOpenings: {
    method: "GET";
    path: `/v1/shoes/${string}/openings`;
    query: {
      access: number;
    };
    body: never;
    reply: Openings;
  };
  /** Ask for the openings of a closed covered shoe */
  askOpenings: {
    method: "POST";
    path: `/v1/shoes/${string}/openings`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: AccessReply;
  };
  /** Shuffle cards back into the shoe where the rules ask for it */
  recommitShoe: {
    method: "POST";
    path: `/v1/shoes/${string}/recommit`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: ShoeReply;
  };
  /** The order that was released to this machine */
  getRelease: {
    method: "GET";
    path: `/v1/shoes/${string}/release`;
    query: Record<string, never>;
    body: never;
    reply: ReleaseReply;
  };
  /** Release the order of a shoe to one shuffling machine */
  releaseShoe: {
    method: "POST";
    path: `/v1/shoes/${string}/release`;
    query: Record<string, never>;
    body:
      | {
        /** order: all of it at once; targets: one at a time */
        form?: "order" | "targets";
        /** P-256 key: base64 of the DER SubjectPublicKeyInfo */
        key: string;
        /** enrolled id of the machine */
        machine: string;
      }
      | {
        compartments: number;
        form: "shelf";
        /** P-256 key: base64 of the DER SubjectPublicKeyInfo */
        key: string;
        /** enrolled id of the machine */
        machine: string;
        /** its compartments give cards back last in, first out */
        reverses?: boolean;
      };
    reply: ShoeReply;
  };
  /** What the machine saw lie in its places, or why it stopped */
  reportShuffle: {
    method: "POST";
    path: `/v1/shoes/${string}/report`;
    query: Record<string, never>;
    body: {
      jam?: boolean;
      lid?: boolean;
      /** by place */
      seen?: Array<string | "">;
      /** r || s of the machine's P-256 key over its report (certs/FORMAT.md section 7) */
      signature: string;
    };
    reply: ReportReply;
  };
  /** The next target of a machine that takes one card at a time */
  nextTarget: {
    method: "POST";
    path: `/v1/shoes/${string}/targets`;
    query: Record<string, never>;
    body: {
      /** code of a card that the machine saw (certs/FORMAT.md); empty: not recognised */
      seen?: string | "";
      target: number;
    };
    reply: Target;
  };
  /** The software that runs, and its signed manifest */
  getSoftware: {
    method: "GET";
    path: `/v1/software`;
    query: Record<string, never>;
    body: never;
    reply: SoftwareReply;
  };
  /** Challenge the software: every file is hashed with this nonce */
  challengeSoftware: {
    method: "POST";
    path: `/v1/software/challenge`;
    query: Record<string, never>;
    body: {
      /** 16 to 64 fresh bytes in hex, never given before by this client */
      nonce: string;
    };
    reply: ChallengeReply;
  };
  /** What the appliance says of itself */
  getStatus: {
    method: "GET";
    path: `/v1/status`;
    query: Record<string, never>;
    body: never;
    reply: Status;
  };
  /** The tables that this client may see: open, or in the past */
  listTables: {
    method: "GET";
    path: `/v1/tables`;
    query: {
      place?: string;
      room?: string;
      label?: string;
      game?: string;
      open?: "true" | "false";
      from?: number;
      to?: number;
      limit?: number;
      before?: number;
    };
    body: never;
    reply: Tables;
  };
  /** Open a table */
  openTable: {
    method: "POST";
    path: `/v1/tables`;
    query: Record<string, never>;
    body: OpenTable;
    reply: TableReply;
  };
  /** One table: state, what it needs, the view of the caller's role */
  getTable: {
    method: "GET";
    path: `/v1/tables/${string}`;
    query: Record<string, never>;
    body: never;
    reply: TableView | PastTable;
  };
  /** Commit to secrets for draws */
  newBatch: {
    method: "POST";
    path: `/v1/tables/${string}/batches`;
    query: Record<string, never>;
    body: {
      /** secrets; the configuration may allow fewer */
      count?: number;
    };
    reply: BatchReply;
  };
  /** Close a table with its shoe and batches */
  closeTable: {
    method: "POST";
    path: `/v1/tables/${string}/close`;
    query: Record<string, never>;
    body: Record<string, never>;
    reply: TableReply;
  };
  /** Commit to numbers for the next calls of a table */
  handInCommitments: {
    method: "POST";
    path: `/v1/tables/${string}/commitments`;
    query: Record<string, never>;
    body: {
      /** of the numbers (certs/FORMAT.md section 8) */
      commits: string[];
      /** t of the first: calls that name this key at this table, counted from 1 */
      from: number;
      /** seat-N, or the enrolled id of a partner: the client's own */
      id: string;
      /** P-256 key: base64 of the DER SubjectPublicKeyInfo */
      key: string;
    };
    reply: Committed;
  };
  /** Let a seat contribute by a link */
  invite: {
    method: "POST";
    path: `/v1/tables/${string}/invitations`;
    query: Record<string, never>;
    body: {
      seat: number;
      /** SHA-256 of the token's text */
      token?: string;
    };
    reply: Invited;
  };
  /** Rounds of one table, the newest first */
  listRounds: {
    method: "GET";
    path: `/v1/tables/${string}/rounds`;
    query: {
      limit?: number;
      before?: `round-${number}`;
      from?: number;
      to?: number;
    };
    body: never;
    reply: Rounds;
  };
  /** Open a round */
  newRound: {
    method: "POST";
    path: `/v1/tables/${string}/rounds`;
    query: Record<string, never>;
    body: {
      /**
       * keys of enrolled seats, which covered cards are encrypted to; a seat without one has the
       * table's
       */
      keys?: {
        seat: number;
        /** P-256 key: base64 of the DER SubjectPublicKeyInfo */
        spki: string;
      }[];
      /**
       * announces the end of the session: true, this round is the last; a number, so many are left
       * with it; shoe, it ends with the shoe that is open. What the rules announce stands under
       * session_ends of the game
       */
      last?: boolean | number | "shoe";
    };
    reply: RoundReply;
  };
  /** Shuffle and seal a shoe */
  newShoe: {
    method: "POST";
    path: `/v1/tables/${string}/shoes`;
    query: Record<string, never>;
    body: {
      /**
       * client-settled tables only; covered: cards that nobody opened stay private when the shoe
       * closes
       */
      disclosure?: "public" | "covered";
      /** cards behind the stop card; client-settled tables only */
      stop_depth?: number;
    };
    reply: ShoeReply;
  };
}

/** What an operation answers. */
export type Reply<Name extends keyof Operations> = Operations[Name]['reply'];
/** What an operation takes. */
export type Body<Name extends keyof Operations> = Operations[Name]['body'];
