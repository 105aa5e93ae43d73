/* A table that plays through the C client: draws of a wheel, and rounds of punto y banca up to
 * settlement, in turn.
 *
 * usage: client_table FOLDER JOURNAL BOOKS DRAWS ROUNDS     FOLDER holds client.toml; BOOKS gets
 * every believed
 *        reply, one JSON a line.
 *        client_table FOLDER JOURNAL BOOKS DRAWS ROUNDS contributors    its calls name everybody
 *        who has handed in commitments; who does not open in a second is gone without.
 *        client_table FOLDER JOURNAL BOOKS DRAWS ROUNDS roulette    a round of French roulette
 *        before all else
 *        client_table FOLDER events LAST                    prints the numbers of the records of
 *        the event stream up to that one
 *        client_table FOLDER look SHOE POSITION             prints the covered card there
 * Killed and started again with the same files, it goes on where it was. exit: 0 done, 3 not
 * believed, 4 refused,
 * 5 no answer, 1 else. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "talla_client.h"

static const char* const wheel_json =
    "{\"settled_by\":\"client\",\"range\":{\"kind\":\"wheel\",\"pockets\":37}}";
static const char* const punto_json =
    "{\"catalogue\":\"es-1977\",\"game\":\"punto-banco\",\"table\":{\"currency\":\"ESP\",\"unit\":"
    "1,\"min\":"
    "25,\"params\":{}}}";
static const char* const bets_json =
    "[{\"id\":\"p\",\"seat\":1,\"kind\":\"punto\",\"stake\":100},{\"id\":\"b\",\"seat\":2,\"kind\":"
    "\"banca\","
    "\"stake\":100}]";

/* Others contribute, and are late as often as the machine is busy. */
static const char* const wheel_joined_json =
    "{\"settled_by\":\"client\",\"range\":{\"kind\":\"wheel\",\"pockets\":37},"
    "\"open_within\":1,\"max_voids\":16}";
static const char* const punto_joined_json =
    "{\"catalogue\":\"es-1977\",\"game\":\"punto-banco\",\"open_within\":1,\"max_voids\":16,"
    "\"table\":{\"currency\":\"ESP\",\"unit\":1,\"min\":25,\"params\":{}}}";

static const char* const roulette_json =
    "{\"catalogue\":\"es-1977\",\"game\":\"french-roulette\",\"table\":{\"currency\":\"ESP\","
    "\"unit\":1,\"min\":25,\"params\":{}}}";
static const char* const red_json =
    "[{\"id\":\"r\",\"seat\":1,\"kind\":\"rojo\",\"stake\":100}]";

static int joined; /* others contribute */

struct books {
  FILE* file;
  long draws, settlements, closed; /* as the books say */
};

/* The records of a reply are texts of JSON inside JSON: their quotes come with a backslash. */
static long times(const char* reply, const char* kind) {
  char mark[64];
  long found = 0;
  snprintf(mark, sizeof mark, "\\\"kind\\\":\\\"%s\\\"", kind);
  for (const char* at = strstr(reply, mark); at != NULL; at = strstr(at + 1, mark)) ++found;
  return found;
}

static void count(struct books* books, const char* reply) {
  books->draws += times(reply, "DRAW");
  books->settlements += times(reply, "SETTLEMENT");
  books->closed += times(reply, "TABLE_CLOSE");
}

static char
    last_line[1 << 20]; /* the reply that comes a second time after a crash is written once */

static void write_books(void* context, const char* reply) {
  struct books* books = context;
  if (strcmp(reply, last_line) == 0) return;
  fprintf(books->file, "%s\n", reply);
  fflush(books->file);
  count(books, reply);
  snprintf(last_line, sizeof last_line, "%s", reply);
}

/* Reads the books of the lives before; a line that a kill cut short is taken away. */
static int open_books(struct books* books, const char* path) {
  static char line[1 << 20];
  long whole = 0;
  books->file = fopen(path, "a+");
  if (books->file == NULL) return 0;
  rewind(books->file);
  while (fgets(line, sizeof line, books->file) != NULL && strchr(line, '\n') != NULL) {
    *strchr(line, '\n') = '\0';
    count(books, line);
    snprintf(last_line, sizeof last_line, "%s", line);
    whole = ftell(books->file);
  }
  fclose(books->file);
  books->file = fopen(path, "r+");
  char* rest = NULL;
  if (books->file == NULL) return 0;
  fseek(books->file, 0, SEEK_END);
  const long size = ftell(books->file);
  if (size > whole) { /* what is left over is read, the whole lines are written again */
    rest = malloc((size_t)whole + 1);
    if (rest == NULL) return 0;
    rewind(books->file);
    const size_t read = fread(rest, 1, (size_t)whole, books->file);
    books->file = freopen(path, "w", books->file);
    if (books->file == NULL || fwrite(rest, 1, read, books->file) != read) return 0;
    free(rest);
  }
  return books->file != NULL;
}

static void done(talla_client* client, talla_status status, talla_reply* reply) {
  talla_reply_free(reply);
  if (status == TALLA_OK) return;
  if (joined && status == TALLA_REFUSED && strstr(talla_words(client), ": withheld:") != NULL)
    return;
  printf("%s: %s\n", talla_status_name(status), talla_words(client));
  exit(status == TALLA_NOT_BELIEVED ? 3
       : status == TALLA_REFUSED    ? 4
       : status == TALLA_UNANSWERED ? 5
                                    : 1);
}

/* `kept`: the journal of an earlier life is there. */
static void own_table(talla_client* client, const char* game, const char* json, int kept,
                      char id[64]) {
  talla_reply* reply = NULL;
  talla_status status = talla_get(client, "/v1/tables", &reply);
  int found = 0;
  for (int64_t i = 0; !found && i < talla_reply_count(reply, "tables"); ++i) {
    char path[3][64];
    snprintf(path[0], 64, "tables.%d.game", (int)i);
    snprintf(path[1], 64, "tables.%d.state", (int)i);
    snprintf(path[2], 64, "tables.%d.id", (int)i);
    found = strcmp(talla_reply_text(reply, path[0]), game) == 0 &&
            strcmp(talla_reply_text(reply, path[1]), "open") == 0;
    if (found) snprintf(id, 64, "%s", talla_reply_text(reply, path[2]));
  }
  done(client, status, reply);
  if (found && !kept) { /* the seed of its calls is lost: it is opened again, but in a round */
    status = talla_table_close(client, id, &reply);
    found = status == TALLA_REFUSED;
    done(client, found ? TALLA_OK : status, reply);
  }
  if (found) return;
  status = talla_table_open(client, json, &reply);
  if (status == TALLA_OK) snprintf(id, 64, "%s", talla_reply_text(reply, "table.id"));
  done(client, status, reply);
}

static int needs(const talla_reply* picture, const char* what) {
  for (int64_t i = 0; i < talla_reply_count(picture, "table.needs"); ++i) {
    char path[64];
    snprintf(path, sizeof path, "table.needs.%d.need", (int)i);
    if (strcmp(talla_reply_text(picture, path), what) == 0) return 1;
  }
  return 0;
}

/* The one thing that is due at the punto y banca table. */
static void step(talla_client* client, const char* table) {
  talla_reply *now = NULL, *more = NULL, *reply = NULL;
  talla_status status = talla_table_picture(client, table, &now);
  if (status != TALLA_OK) done(client, status, now);
  const char *shoe = talla_reply_text(now, "table.shoe"),
             *round = talla_reply_text(now, "table.round");
  int64_t position = 0;
  talla_reply_integer(now, "table.position", &position);
  if (shoe != NULL) {
    char path[80];
    snprintf(path, sizeof path, "/v1/shoes/%s", shoe);
    done(client, talla_get(client, path, &more), NULL);
  }
  if (shoe == NULL) {
    status = talla_shoe_seal(client, table, &reply);
  } else if (strcmp(talla_reply_text(more, "shoe.state"), "committed") == 0) {
    status = talla_shoe_mix(client, shoe, &reply);
  } else if (needs(now, "shoe")) { /* the stop card is out */
    status = talla_shoe_close(client, shoe, &reply);
  } else if (needs(now, "deal")) {
    status = talla_shoe_deal_due(client, shoe, position, &reply);
  } else if (round == NULL) {
    status = talla_round_open(client, table, 0, &reply);
  } else {
    talla_reply_free(more);
    done(client, talla_round_picture(client, round, &more), NULL);
    status = talla_reply_count(more, "round.bets") == 0
                 ? talla_round_bets(client, round, bets_json, &reply)
                 : talla_round_close_bets(client, round, bets_json, &reply);
  }
  talla_reply_free(more);
  talla_reply_free(now);
  done(client, status, reply);
}

/* Calls name contributors from here on; the first one is waited for ten seconds at most. */
static void join(talla_client* client, const char* table) {
  const struct timespec pause = {0, 100 * 1000 * 1000};
  int64_t there = 0;
  done(client, talla_with_contributors(client, table), NULL);
  for (int tries = 0; there == 0 && tries < 100; ++tries) {
    talla_reply* picture = NULL;
    const talla_status status = talla_table_picture(client, table, &picture);
    there = status == TALLA_OK ? talla_reply_count(picture, "table.contributors") : 0;
    done(client, status, picture);
    if (there == 0) nanosleep(&pause, NULL);
  }
}

/* One settled round of a wheel, at a table of its own. */
static void spin(talla_client* client) {
  char table[64] = "", round[64] = "";
  talla_reply* reply = NULL;
  talla_outcome outcome;
  talla_status status = talla_table_open(client, roulette_json, &reply);
  if (status == TALLA_OK) snprintf(table, 64, "%s", talla_reply_text(reply, "table.id"));
  done(client, status, reply);
  reply = NULL;
  status = talla_round_open(client, table, 0, &reply);
  if (status == TALLA_OK) snprintf(round, 64, "%s", talla_reply_text(reply, "round.id"));
  done(client, status, reply);
  done(client, talla_round_close_bets(client, round, red_json, NULL), NULL);
  reply = NULL;
  status = talla_draw(client, table, round, NULL, &outcome, &reply);
  if (status == TALLA_OK) printf("drawn: %s\n", talla_reply_text(reply, "round.outcome.0"));
  done(client, status, reply);
  done(client, talla_table_close(client, table, NULL), NULL);
}

static void play(talla_client* client, const struct books* books, int kept, long draws,
                 long rounds) {
  char wheel[64] = "", punto[64] = "";
  own_table(client, "", joined ? wheel_joined_json : wheel_json, kept, wheel);
  own_table(client, "punto-banco", joined ? punto_joined_json : punto_json, kept, punto);
  if (joined) {
    join(client, wheel);
    join(client, punto);
  }
  while (books->draws < draws || books->settlements < rounds) {
    talla_outcome outcome;
    if (books->draws < draws) {
      const talla_status status = talla_draw(client, wheel, NULL, NULL, &outcome, NULL);
      if (status == TALLA_OK && (strcmp(outcome.kind, "pocket") != 0 || outcome.values[0] > 36))
        abort();
      done(client, status, NULL);
    }
    if (books->settlements < rounds) step(client, punto);
  }
  done(client, talla_table_close(client, wheel, NULL), NULL);
  done(client, talla_table_close(client, punto, NULL), NULL);
}

static int print_events(const char* folder, unsigned long last) {
  talla_events* events = NULL;
  talla_event event = {0, NULL, NULL};
  if (talla_events_open(folder, -1, &events, NULL, 0) != TALLA_OK) return 1;
  talla_status status = TALLA_OK;
  while (event.record < last && (status == TALLA_OK || status == TALLA_NOTHING)) {
    status = talla_events_next(events, 1000, &event);
    if (status == TALLA_OK) printf("%lu\n", (unsigned long)event.record);
  }
  talla_events_close(events);
  return status == TALLA_OK ? 0 : 1;
}

/* Prints the covered card at a position, as this table's own key reads it. */
static int look(const char* folder, const char* shoe, long position) {
  const talla_options options = {.size = sizeof options, .folder = folder};
  talla_client* client = NULL;
  talla_reply* seen = NULL;
  if (talla_open(&options, &client, NULL, 0) != TALLA_OK) return 1;
  const talla_status status = talla_shoe_look(client, shoe, position, -1, &seen);
  if (status == TALLA_OK) printf("%s\n", talla_reply_text(seen, "looks.0.card"));
  talla_reply_free(seen);
  talla_close(client);
  return status == TALLA_OK ? 0 : 1;
}

int main(int count_of, char** arguments) {
  static struct books books;
  char words[512] = "";
  if (count_of == 4 && strcmp(arguments[2], "events") == 0)
    return print_events(arguments[1], strtoul(arguments[3], NULL, 10));
  if (count_of == 5 && strcmp(arguments[2], "look") == 0)
    return look(arguments[1], arguments[3], strtol(arguments[4], NULL, 10));
  joined = count_of == 7 && strcmp(arguments[6], "contributors") == 0;
  const int wheels = count_of == 7 && strcmp(arguments[6], "roulette") == 0;
  if (count_of != 6 + joined + wheels || !open_books(&books, arguments[3])) return 2;
  const talla_options options = {.size = sizeof options,
                                 .folder = arguments[1],
                                 .journal = arguments[2],
                                 .timeout_s = 1,
                                 .on_reply = write_books,
                                 .context = &books};
  FILE* journal = fopen(arguments[2], "r");
  const int kept = journal != NULL;
  if (journal != NULL) fclose(journal);
  talla_client* client = NULL;
  if (talla_open(&options, &client, words, sizeof words) != TALLA_OK) {
    printf("%s\n", words);
    return 1;
  }
  done(client, talla_resume(client, NULL), NULL);
  if (wheels) spin(client);
  if (books.closed < 2)
    play(client, &books, kept, strtol(arguments[4], NULL, 10), strtol(arguments[5], NULL, 10));
  talla_close(client);
  fclose(books.file);
  return 0;
}
