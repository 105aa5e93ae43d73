// One appliance: commitments, calls and draws, deals, groups, crashes, an old copy put in place.
//
// Two tables draw (commit, CALL, DRAW or VOID, CLOSE), a third deals a card; each repeats its
// request as often as it likes. Written in the manner of one loop of atomic steps: a step is what
// the appliance, a client, the disk or a thief of disks does between two moments at which power may
// fail. ANCHOR: 0 none, 1 at intervals, 2 before every reply. ROLLBACKS: old copies put in place.
#ifndef ANCHOR
#define ANCHOR 2
#endif
#ifndef CRASHES
#define CRASHES 2
#endif
#ifndef ROLLBACKS
#define ROLLBACKS 1
#endif
#ifndef WRITES
#define WRITES 2            /* of the anchor at intervals, beside those of starts */
#endif
#ifndef CLOSERS
#define CLOSERS 1           /* whose batches may expire, one bit each */
#endif
#define TABLES 2            /* who draws: 0 and 1 */
#define DEALER 2            /* who deals a card */
#define LOG 14              /* records at most: 2 x 4, one card, a start each */

/* kinds of records; who; the number that the table gave: a record is one byte */
#define COMMIT 1
#define CALL 2
#define DRAW 3
#define VOIDED 4
#define CLOSE 5
#define DEAL 6
#define START 7
#define RECORD(kind, who, number) ((kind) * 16 + (who) * 4 + (number))
#define BIT(who) (1 << (who))

byte log[LOG];              /* the ledger; behind `written` the running group */
byte durable, flight, written, staged;  /* sizes: synced; end of the older group in the air (0:
                               none); given to the disk; with the running group */
byte anchor, posted;        /* the anchor's size; one on its way to the device (0: none) */
byte acked, anchored;       /* greatest size that a client, that the anchor has ever seen */
byte crashes, rollbacks, boots, opened, writes;
mtype = { down, recovering, serving, refused };
mtype phase = down;

/* what the appliance knows, made from its records at every start */
byte committed, begun, landed, ended, closed, dealt;
byte number[TABLES];        /* of the open or ended call */
byte at[3];                 /* where the record stands that answers, or the CALL */

/* what the world outside knows */
byte revealed;              /* whose outcome is out */

inline stage(record) {
  assert(staged < LOG);
  assert(staged >= acked && staged >= anchored);  /* no number with two contents */
  log[staged] = record; staged++
}

/* A request that is repeated makes no second record of its kind. */
inline once(kind, whose) {
  i = 0;
  do
  :: i < staged -> assert(log[i] / 4 != kind * 4 + whose); i++
  :: else -> break
  od;
  i = 0
}

/* One record more of the world. */
inline apply(seq) {
  w = (log[seq] / 4) % 4;
  if
  :: log[seq] / 16 == COMMIT -> committed = committed | BIT(w); at[w] = seq
  :: log[seq] / 16 == CALL -> begun = begun | BIT(w); number[w] = log[seq] % 4; at[w] = seq
  :: log[seq] / 16 == DRAW || log[seq] / 16 == VOIDED -> ended = ended | BIT(w); at[w] = seq
  :: log[seq] / 16 == CLOSE -> closed = closed | BIT(w);
       if :: !(begun & BIT(w)) -> at[w] = seq :: else fi
  :: log[seq] / 16 == DEAL -> dealt = dealt | BIT(w); at[w] = seq
  :: else
  fi
}

inline forget() {
  committed = 0; begun = 0; landed = 0; ended = 0; closed = 0; dealt = 0;
  number[0] = 0; number[1] = 0; at[0] = 0; at[1] = 0; at[2] = 0
}

inline replay() {
  i = 0;
  do
  :: i < durable -> apply(i); i++
  :: else -> break
  od;
  i = 0; w = 0;
  landed = begun & ~ended    /* open calls of the ledger are completed */
}

/* Zeroes what the ledger no longer holds: equal states are one state. */
inline cut(size) {
  i = size;
  do
  :: i < LOG -> log[i] = 0; i++
  :: else -> break
  od;
  i = 0; durable = size; written = size; staged = size; flight = 0
}

#define SYNCED(seq) ((seq) < durable)
#define SHOWN ((ended | (closed & ~begun) | dealt) & 7)   /* who has something to be told */
#define TOLD (((SHOWN & 1) && SYNCED(at[0]) -> 1 : 0) | ((SHOWN & 2) && SYNCED(at[1]) -> 2 : 0) | \
              ((SHOWN & 4) && SYNCED(at[2]) -> 4 : 0))

/* A reply, or whatever else shows the log to others: it names a checkpoint over all that is
   durable. */
inline answer() {
  if
  :: ANCHOR == 2 -> anchor = durable; anchored = durable
  :: else
  fi;
  if
  :: durable > acked -> acked = durable
  :: else
  fi;
  revealed = revealed | TOLD
}

#define OPEN(who) ((begun & BIT(who)) && !(ended & BIT(who)))
#define UP (phase == serving)
#define ROOM (staged - written < 2)

active proctype Appliance() {
  byte w, i, who;
  do
  /* ---- start: read, compare with the anchor, write it, record the start, complete, write again */
  :: atomic { phase == down ->
       if
       :: ANCHOR && durable < anchor -> phase = refused
       :: else ->
            phase = recovering; boots++; opened = durable;
            anchor = (ANCHOR -> durable : 0);
            if :: anchor > anchored -> anchored = anchor :: else fi;
            replay();
            stage(RECORD(START, 3, boots))
       fi }
  :: atomic { phase == recovering && written == durable && staged == written ->
       anchor = (ANCHOR -> durable : 0);
       if :: anchor > anchored -> anchored = anchor :: else fi;
       phase = serving;
       assert(!ANCHOR || (anchor >= opened && durable >= anchored)) }

  /* ---- the tables: each may ask again and again, with what it likes before it is bound */
  :: atomic { UP && ROOM ->
       if
       :: who = 0
       :: who = 1
       fi;
       if
       :: !(committed & BIT(who)) ->
            at[who] = staged; committed = committed | BIT(who);
            stage(RECORD(COMMIT, who, 0))
       /* the number comes when the receipt of the commitment was seen */
       :: (committed & BIT(who)) && !(begun & BIT(who)) && !(closed & BIT(who)) &&
          SYNCED(at[who]) ->
            once(CALL, who);
            number[who] = 1;
            assert(!(revealed & BIT(who)));    /* nobody chose behind the outcome */
            at[who] = staged; begun = begun | BIT(who);
            stage(RECORD(CALL, who, number[who]))
       :: (committed & BIT(who) & CLOSERS) && !(closed & BIT(who)) && !OPEN(who) ->
            /* expired: its unused secret is opened */
            closed = closed | BIT(who);
            if :: !(begun & BIT(who)) -> at[who] = staged :: else fi;
            stage(RECORD(CLOSE, who, 0))
       :: else
       fi; who = 0 }
  :: atomic { UP && ROOM && !(dealt & BIT(DEALER)) ->
       once(DEAL, DEALER);
       at[DEALER] = staged; dealt = dealt | BIT(DEALER);
       stage(RECORD(DEAL, DEALER, 0)) }

  /* ---- a call that is durable gets its outcome, or two persons void it */
  :: atomic { (UP || phase == recovering) && ROOM && (landed & ~ended) != 0 ->
       who = (((landed & ~ended) & 1) -> 0 : 1);
       assert(at[who] < durable);    /* no outcome before its call is durable */
       ended = ended | BIT(who); at[who] = staged;
       if
       :: stage(RECORD(DRAW, who, number[who]))
       :: stage(RECORD(VOIDED, who, number[who]))
       fi; who = 0 }

  /* ---- groups: written in order, two in the air at most, synced in order */
  :: atomic { (UP || phase == recovering) && staged > written && flight == 0 ->
       if :: written > durable -> flight = written :: else fi;
       written = staged }
  :: atomic { (UP || phase == recovering) && written > durable ->
       w = durable;
       if
       :: flight != 0 -> durable = flight; flight = 0
       :: else -> durable = written
       fi;
       if :: OPEN(0) && at[0] >= w && at[0] < durable -> landed = landed | 1 :: else fi;
       if :: OPEN(1) && at[1] >= w && at[1] < durable -> landed = landed | 2 :: else fi;
       w = 0 }

  /* ---- replies and all else that shows the log: of what is durable, now or at any later time */
  :: atomic { UP && (acked < durable || (TOLD & ~revealed) != 0) -> answer() }

  /* ---- the anchor at intervals: a device is slow, a direct write may overtake it */
  :: atomic { UP && ANCHOR == 1 && posted == 0 && anchor < durable && writes < WRITES ->
       writes++; posted = durable }
  :: atomic { UP && ANCHOR == 1 && posted != 0 ->
       if :: posted > anchor -> anchor = posted :: else fi;
       if :: anchor > anchored -> anchored = anchor :: else fi;
       posted = 0 }
  :: atomic { UP && ANCHOR == 1 && anchor < durable && writes < WRITES ->
       writes++; anchor = durable; if :: anchor > anchored -> anchored = anchor :: else fi }

  /* ---- power fails: of the groups in the air the disk keeps none, the first, or all */
  :: atomic { (UP || phase == recovering) && crashes < CRASHES ->
       crashes++; phase = down; posted = 0; opened = 0;
       if
       :: i = durable
       :: flight != 0 -> i = flight
       :: i = written
       fi;
       w = i; cut(w); w = 0; forget() }
  /* ---- an old copy is put in place of the ledger */
  :: atomic { phase == down && rollbacks < ROLLBACKS && durable > 0 ->
       rollbacks++;
       select (i : 0 .. durable - 1);
       w = i; cut(w); w = 0;
       /* What came behind the last interval may be lost unseen: the window that the page states. */
       if
       :: ANCHOR == 1 && durable >= anchor ->
            if :: acked > durable -> acked = durable :: else fi;
            revealed = 0
       :: else
       fi }

  /* ---- nothing acknowledged is lost while somebody serves */
  :: atomic { UP && (durable < acked || durable < anchored) -> assert(false) }

  /* ---- when all that was begun is done, each CALL of the ledger has its DRAW or VOID */
  :: atomic { UP && staged == durable && (landed & ~ended) == 0 ->
       i = 0; w = 0;
       do
       :: i < durable ->
            if
            :: log[i] / 16 == CALL -> w++
            :: log[i] / 16 == DRAW || log[i] / 16 == VOIDED -> w--
            :: else
            fi; i++
       :: else -> break
       od;
       assert(w == 0); i = 0 }
  :: phase == refused -> break
  od
}
