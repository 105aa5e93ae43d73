// Two daemons of one origin on one ledger server, and a third start: the epoch row.
//
// Each start raises the epoch. A group is one transaction that asks for its own epoch and the size
// it knows; who finds another is latched. A daemon may sleep between any two steps.
#define SLOTS 5
#define STARTS 3
byte log[SLOTS];          /* who wrote it, and its own count of groups */
byte size, epoch, starts;
byte seen[SLOTS];         /* what somebody was told of that number */

proctype Daemon(byte me) {
  byte mine, known, i, made;
  atomic { epoch++; mine = epoch; known = size };
  do
  /* a group: the number it has given, in one transaction */
  :: atomic { known < SLOTS ->
       if
       :: epoch == mine && size == known ->
            made++; log[known] = me * 16 + made; size = known + 1; known = size
       :: else -> break          /* fenced: latched until a restart */
       fi }
  /* a reply: of any record of its own sizes */
  :: atomic { i < known ->
       assert(seen[i] == 0 || seen[i] == log[i]);  /* no number with two contents */
       seen[i] = log[i]; i++ }
  :: break                       /* dies */
  od
}

active proctype Starter() {
  do
  :: atomic { starts < STARTS -> starts++; run Daemon(starts) }
  :: else -> break
  od
}
