// Calls with contributions, as PROTOCOL.md section 5b states them; the appliance has them not yet.
//
// The appliance, its table and all other contributors work together against one honest contributor:
// they make calls with whatever core they like, look at its value, and then let a call end as they
// like. One chain, as a verifier sees it: its order and turns are what every verifier demands; they
// may show the contributor another. The contributor may crash at any step. Not here: state of the
// contributor that is copied.
#define TURNS 4
#define CORES 2
mtype = { none, open, result, voided };
mtype state;              /* of the last call of the chain */
bool durable;             /* and whether it is on the disk */
byte turn, core;          /* of it */
byte voids, looks;        /* N since the last result; values that the others saw meanwhile */
byte dropped;             /* calls lost in a crash of the appliance */

byte bound_turn, bound_core;       /* the contributor's disk */
byte memory_turn, memory_core;     /* and memory */
byte opened[TURNS + 1];            /* the core it opened in that turn */
byte looked;                       /* turn whose value the others have */
byte crashes;

inline send() {
  /* one core a turn, and a used turn never again */
  assert(opened[memory_turn] == 0 || opened[memory_turn] == memory_core);
  opened[memory_turn] = memory_core;
  if :: looked < memory_turn -> looked = memory_turn; looks++ :: else fi
}

active proctype Others() {
  do
  :: atomic { state != open && turn < TURNS ->
       turn++; state = open; durable = false;
       if :: core = 1 :: core = 2 fi }
  :: atomic { state == open && !durable -> durable = true }
  /* the appliance crashes on purpose: an undurable call was never there */
  :: atomic { state == open && !durable && dropped < 2 ->
       dropped++; turn--; core = 0; state = (turn == 0 -> none : voided) }
  :: atomic { state == open && durable -> state = voided; voids++ }
  :: atomic { state == open && durable && opened[turn] == core ->
       state = result;
       assert(looks <= voids + 1);         /* N counts every repetition */
       looks = 0; voids = 0 }
  :: atomic { turn == TURNS && state != open -> break }
  od
}

active proctype Contributor() {
end: do
  /* A call of a later turn than it ever bound itself to. What it is shown may be another core than
     the chain's: who signs two histories can show both. */
  :: atomic { state == open && durable && turn > memory_turn ->
       memory_turn = turn;
       if :: memory_core = core :: memory_core = 3 - core fi }
  /* kept, then sent; asked again: the same bytes */
  :: atomic { bound_turn != memory_turn -> bound_turn = memory_turn; bound_core = memory_core }
  :: atomic { memory_turn != 0 && bound_turn == memory_turn -> send() }
  :: atomic { crashes < 2 -> crashes++; memory_turn = bound_turn; memory_core = bound_core }
  od
}
