/* A table's side of a Talla appliance, for programs in C and whatever calls C.
 *
 * Asks until it is answered: every request has an idempotency key and is kept, in the journal too,
 * until its answer is here; a lost connection, a time-out and a refusal that says "same" or "after"
 * send the same bytes under the same key again. Believes nothing that it has not checked: each
 * record's signature and place in the log, that it is about this request, draws computed again,
 * mixes and opened cards against what was committed before. README.md tells the life of a request;
 * rngd/docs/interface.md has the requests and replies.
 *
 * Threads:  a client, and a stream of events, belongs to one thread at a time; several of them may
 *           work in parallel.
 * Memory:   what a function gives belongs to the caller and is freed by the function of its type;
 *           texts live as long as what they were asked of and nothing else is said. No exception
 *           leaves this library, and it ends no process.
 * Texts:    UTF-8, ended by a zero byte. Numbers of records are below 2^53.
 * ABI:      functions are never changed or taken away within one TALLA_CLIENT_ABI; options grow
 *           behind `size`. */
#ifndef TALLA_CLIENT_H
#define TALLA_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TALLA_CLIENT_ABI 0

#if defined(__GNUC__)
#define TALLA_API __attribute__((visibility("default")))
#else
#define TALLA_API
#endif

typedef struct talla_client talla_client;
typedef struct talla_reply talla_reply;
typedef struct talla_events talla_events;

typedef enum talla_status {
  TALLA_OK = 0,
  TALLA_REFUSED =
      1, /* a problem document (RFC 9457) is the reply: nothing was done under this request */
  TALLA_UNANSWERED =
      2, /* not within the patience: whether it was done is not known; it stays pending */
  TALLA_NOT_BELIEVED =
      3, /* the reply does not follow from the signed log: do not pay, call the inspector */
  TALLA_PENDING = 4,      /* another request is pending: talla_resume first */
  TALLA_BAD_ARGUMENT = 5, /* nothing was sent */
  TALLA_BAD_FILES = 6,    /* client.toml, a key, a certificate or the journal: nothing was sent */
  TALLA_NOTHING = 7,      /* talla_events_next: no record within the time */
  TALLA_INTERNAL = 8      /* out of memory, or a fault of this library */
} talla_status;

typedef struct talla_options {
  size_t size;         /* sizeof(talla_options) of the caller; the rest 0 for the default */
  const char* folder;  /* holds client.toml */
  const char* journal; /* file for the request under way; NULL: a crash forgets it */
  unsigned timeout_s;  /* for one try; default 30 */
  unsigned patience_s; /* for lost connections and refusals that may be asked again; default 120 */
  /* Each believed reply of a request that may have changed something, before the journal forgets
   * the request: the place to write the table's books. After a crash the last one may come a second
   * time, with the same record numbers. NULL: none. The text lives for the call. It must not call
   * this client. */
  void (*on_reply)(void* context, const char* reply_json);
  void* context;
  /* What the root says about the end of logs (FORMAT.md section 5): a file, or a folder of them,
   * beside what client.toml names. Evidence that they void is TALLA_NOT_BELIEVED, one that does not
   * hold TALLA_BAD_FILES.
   * NULL: none. */
  const char* ended;
} talla_options;

/* "0.1.0" */
TALLA_API const char* talla_client_version(void);
TALLA_API const char* talla_status_name(talla_status status);

/* Reads files and journal, connects to nothing yet. On an error `*client` is NULL and `words`, if
 * not NULL, says what is wrong. */
TALLA_API talla_status talla_open(const talla_options* options, talla_client** client, char* words,
                                  size_t words_size);
TALLA_API void talla_close(talla_client* client);
/* What was wrong with the last call on this client, in words, until the next one. */
TALLA_API const char* talla_words(const talla_client* client);

/* ---- any request. `reply` may be NULL; on TALLA_REFUSED it is the problem document (of a call
 * that lapsed `lapsed`, with code and detail), on other errors NULL. */
TALLA_API talla_status talla_get(talla_client* client, const char* path, talla_reply** reply);
TALLA_API talla_status talla_post(talla_client* client, const char* path, const char* body_json,
                                  talla_reply** reply);
/* Path of the pending request, or NULL. */
TALLA_API const char* talla_pending(const talla_client* client);
/* Asks for what is pending until it is answered; TALLA_OK and no reply when nothing is. */
TALLA_API talla_status talla_resume(talla_client* client, talla_reply** reply);

/* ---- replies. Paths are member names and array indices with dots between: "cards.0.card",
 * "table.needs.1.need". */
TALLA_API const char* talla_reply_json(const talla_reply* reply);
/* The text there, or NULL. */
TALLA_API const char* talla_reply_text(const talla_reply* reply, const char* path);
/* 1 and the integer (a boolean is 0 or 1) there, or 0. */
TALLA_API int talla_reply_integer(const talla_reply* reply, const char* path, int64_t* value);
/* Elements of the array there, or -1. */
TALLA_API int64_t talla_reply_count(const talla_reply* reply, const char* path);
TALLA_API void talla_reply_free(talla_reply* reply);

/* ---- tables. A picture has all there is to know when one comes back: state, needs, shoe and next
 * position, round, batches. */
TALLA_API talla_status talla_table_open(talla_client* client, const char* table_json,
                                        talla_reply** reply);
TALLA_API talla_status talla_table_picture(talla_client* client, const char* table,
                                           talla_reply** reply);
TALLA_API talla_status talla_table_close(talla_client* client, const char* table,
                                         talla_reply** reply);

/* ---- shoes. The call of a mix is signed when the commitment is verified. `deal` takes the
 * position that is expected. */
TALLA_API talla_status talla_shoe_seal(talla_client* client, const char* table,
                                       talla_reply** reply);
TALLA_API talla_status talla_shoe_mix(talla_client* client, const char* shoe, talla_reply** reply);
/* At a table that the appliance settles: all cards that are due. */
TALLA_API talla_status talla_shoe_deal_due(talla_client* client, const char* shoe, int64_t position,
                                           talla_reply** reply);
/* At a table that the client settles; face: "open", "covered" or "unseen". */
TALLA_API talla_status talla_shoe_deal(talla_client* client, const char* shoe, int64_t position,
                                       int64_t count, const char* place, const char* face,
                                       talla_reply** reply);
TALLA_API talla_status talla_shoe_open_card(talla_client* client, const char* shoe,
                                            int64_t position, talla_reply** reply);
/* The covered card at this position, by the copies for this client's own key, each checked against
 * the shoe's commitment: `looks.0.card`, `.place`, `.seat`. `recommits`: how often the shoe was
 * shuffled again before it was dealt; -1: it lies under the newest root. */
TALLA_API talla_status talla_shoe_look(talla_client* client, const char* shoe, int64_t position,
                                       int64_t recommits, talla_reply** reply);
TALLA_API talla_status talla_shoe_recommit(talla_client* client, const char* shoe,
                                           talla_reply** reply);
TALLA_API talla_status talla_shoe_close(talla_client* client, const char* shoe,
                                        talla_reply** reply);

/* From here on the table's calls name everybody who has handed in commitments there, and results
 * are waited for until all have opened. A call that ends without those who did not is
 * TALLA_REFUSED, its problem's code `withheld`: its turn is spent, the next call is free. */
TALLA_API talla_status talla_with_contributors(talla_client* client, const char* table);

/* ---- draws: from a committed batch, verified, then the call, then the result, computed again
 * here. */
typedef struct talla_outcome {
  uint64_t record; /* of the DRAW; 0: two persons voided the draw, there is no result */
  char kind[8];    /* "pocket" (index from 0), "dice" (faces from 1), "lots" (from 0) */
  unsigned count;  /* of values */
  uint32_t values[16];
} talla_outcome;
/* `round`: of a round whose bets are closed, else NULL; `bets`: hex digest of bets that the client
 * holds, else NULL. */
TALLA_API talla_status talla_draw(talla_client* client, const char* table, const char* round,
                                  const char* bets, talla_outcome* outcome, talla_reply** reply);
/* 1 and the outcome when the reply is one of a draw (of talla_resume, perhaps), else 0. */
TALLA_API int talla_reply_outcome(const talla_reply* reply, talla_outcome* outcome);

/* ---- rounds. `last`: what the opening announces: 0 nothing, 1 the last round, more: so many are
 * left, -1 the last shoe. `bets_json`: the array of bets; `action_json`: as the request, without
 * `expected_state`. */
TALLA_API talla_status talla_round_open(talla_client* client, const char* table, int last,
                                        talla_reply** reply);
TALLA_API talla_status talla_round_picture(talla_client* client, const char* round,
                                           talla_reply** reply);
TALLA_API talla_status talla_round_bets(talla_client* client, const char* round,
                                        const char* bets_json, talla_reply** reply);
/* NULL confirms the draft. */
TALLA_API talla_status talla_round_close_bets(talla_client* client, const char* round,
                                              const char* bets_json, talla_reply** reply);
/* `expected_state`: the `state_digest` that the decision was made upon. */
TALLA_API talla_status talla_round_action(talla_client* client, const char* round,
                                          const char* expected_state, const char* action_json,
                                          talla_reply** reply);

/* ---- evidence: fetches the bundle of a record, verifies it whole (settlements by the rules
 * too) and writes it. */
TALLA_API talla_status talla_evidence(talla_client* client, uint64_t record, const char* file);

/* ---- events: the log's records as they come, behind number `after` (-1: from the first). A broken
 * stream goes on by itself. */
typedef struct talla_event {
  uint64_t record;
  const char* kind; /* until the next call */
  const char* json; /* until the next call */
} talla_event;
TALLA_API talla_status talla_events_open(const char* folder, int64_t after, talla_events** events,
                                         char* words, size_t words_size);
TALLA_API talla_status talla_events_next(talla_events* events, unsigned wait_ms,
                                         talla_event* event);
TALLA_API void talla_events_close(talla_events* events);

#ifdef __cplusplus
}
#endif
#endif
