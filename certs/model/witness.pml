// A witness that may crash, and a log that shows it two histories.
//
// The two share their first record. The witness keeps the newest head that it cosigned, and
// cosigns a head that is not older and goes on from it. Two submissions may run at a time.
#define SIZES 3
byte head = 1, branch;    /* on its disk: size, history (0 while both are the same) */
byte signed_size[3];      /* greatest size that bears its cosignature, by history */
byte crashes;
bool busy;                /* the lock of this log's entry */

proctype Submission() {
  byte size, history;
  do
  :: atomic {
       select (size : 1 .. SIZES);
       if
       :: size == 1 -> history = 0
       :: size > 1 -> history = 1
       :: size > 1 -> history = 2
       fi };
     atomic { !busy -> busy = true };
     /* judged against what is kept: not older, and a continuation */
     if
     :: atomic { size >= head && (branch == 0 || history == branch) ->
          head = size; branch = history };           /* kept before it is signed */
        if                                           /* power may fail in between */
        :: true
        :: crashes < 2 -> crashes++; goto up_again
        fi;
        atomic {
          if
          :: signed_size[history] < size -> signed_size[history] = size
          :: else
          fi;
          assert(signed_size[1] == 0 || signed_size[2] == 0) }
     :: else
     fi;
up_again:
     atomic { busy = false; size = 0; history = 0 }
  :: break
  od
}

init { atomic { run Submission(); run Submission() } }
