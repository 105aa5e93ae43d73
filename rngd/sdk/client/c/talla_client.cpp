// The C face of client::Session: no exception leaves, every error is a status and words.
#include "talla_client.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "client/events.hpp"
#include "client/session.hpp"
#include "http/client.hpp"

using talla::Error;
using talla::Result;
using talla::client::Errc;
using talla::client::Session;
namespace json = talla::json;

struct talla_reply {
  json::Value value;
  std::string text;
};

struct talla_client {
  Session session;
  std::string words{};
  std::string pending{};
};

struct talla_events {
  talla::client::Events stream;
  talla::client::Event last{};
};

namespace {

talla_status status_of(const Error& error) {
  if (error.is(Errc::appliance_refused)) return TALLA_REFUSED;
  if (error.is(Errc::not_believed)) return TALLA_NOT_BELIEVED;
  if (error.is(Errc::unanswered)) return TALLA_UNANSWERED;
  if (error.is(Errc::request_pending)) return TALLA_PENDING;
  if (error.is(Errc::malformed_wish)) return TALLA_BAD_ARGUMENT;
  if (error.is(talla::http::Errc::bad_reply) || error.is(talla::http::Errc::cannot_connect))
    return TALLA_UNANSWERED;
  if (error.is(Errc::journal_failed)) return TALLA_BAD_FILES;
  // What else comes out of a check (a record of another form, a path that leads elsewhere) is no
  // reply to believe.
  return TALLA_NOT_BELIEVED;
}

void give(const std::string& text, char* words, std::size_t size) {
  if (words == nullptr || size == 0) return;
  const std::size_t length = std::min(text.size(), size - 1);
  std::memcpy(words, text.data(), length);
  words[length] = '\0';
}

/// Runs `work`; what it throws ends here.
template <class Work>
talla_status guarded(Work work) noexcept {
  try {
    return work();
  } catch (...) {
    return TALLA_INTERNAL;
  }
}

talla_status answer(talla_client& client, Result<json::Value> result, talla_reply** reply) {
  json::Value value;
  talla_status status = TALLA_OK;
  client.words.clear();
  if (result) {
    value = std::move(*result);
  } else {
    status = status_of(result.error());
    client.words = result.error().text();
    if (status != TALLA_REFUSED) return status;
    value = client.session.problem();
  }
  if (reply != nullptr) {
    std::string text = json::canonical(value);
    *reply = new talla_reply{std::move(value), std::move(text)};
  }
  return status;
}

/// A call on a client that gives a reply.
template <class Call>
talla_status ask(talla_client* client, talla_reply** reply, Call call) noexcept {
  if (reply != nullptr) *reply = nullptr;
  if (client == nullptr) return TALLA_BAD_ARGUMENT;
  return guarded([&] { return answer(*client, call(client->session), reply); });
}

Result<json::Value> parsed(const char* text, const char* what) {
  if (text == nullptr)
    return talla::fail(Errc::malformed_wish, std::string(what) + ": nothing given");
  auto value = json::parse(text);
  if (!value)
    return talla::fail(Errc::malformed_wish, std::string(what) + ": " + value.error().detail);
  return value;
}

/// A path with an id in it; ids have letters, digits and dashes only.
Result<std::string> path_of(const char* before, const char* id, const char* behind) {
  const bool good = id != nullptr && *id != '\0' && std::strlen(id) <= 64 &&
                    std::all_of(id, id + std::strlen(id), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
                    });
  if (!good) return talla::fail(Errc::malformed_wish, std::string(before) + ": not an id");
  return std::string(before) + id + behind;
}

struct Place {
  const char* before;
  const char* id;
  const char* behind;
};

talla_status post(talla_client* client, Place place, const json::Value& body,
                  talla_reply** reply) noexcept {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of(place.before, place.id, place.behind));
    return session.post(path, body);
  });
}

talla_status get(talla_client* client, Place place, talla_reply** reply) noexcept {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of(place.before, place.id, place.behind));
    return session.get(path);
  });
}

const json::Value* find(const talla_reply* reply, const char* path) {
  if (reply == nullptr || path == nullptr) return nullptr;
  const json::Value* at = &reply->value;
  std::string_view rest(path);
  while (at != nullptr && !rest.empty()) {
    const auto dot = rest.find('.');
    const std::string_view name = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    if (!at->is_array()) {
      at = at->find(name);
      continue;
    }
    std::size_t index = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), index);
    const bool there = read.ec == std::errc{} && read.ptr == name.data() + name.size() &&
                       index < at->array().size();
    at = there ? &at->array()[index] : nullptr;
  }
  return at;
}

}  // namespace

const char* talla_client_version(void) {
  return TALLA_VERSION;
}

const char* talla_status_name(talla_status status) {
  static constexpr auto names =
      std::to_array<const char*>({"ok", "refused", "unanswered", "not believed", "pending",
                                  "bad argument", "bad files", "nothing", "internal"});
  return status >= TALLA_OK && status <= TALLA_INTERNAL ? names.at(static_cast<std::size_t>(status))
                                                        : "unknown";
}

talla_status talla_open(const talla_options* given, talla_client** client, char* words,
                        size_t words_size) {
  // Callers of before know the options up to `context`.
  constexpr std::size_t size_first = offsetof(talla_options, ended);
  if (client != nullptr) *client = nullptr;
  give("", words, words_size);
  if (client == nullptr || given == nullptr || given->size < size_first) return TALLA_BAD_ARGUMENT;
  talla_options known{};
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  const talla_options* options = &known;
  if (options->folder == nullptr) return TALLA_BAD_ARGUMENT;
  return guarded([&] {
    talla::client::SessionOptions wish;
    wish.folder = options->folder;
    if (options->journal != nullptr) wish.journal = options->journal;
    if (options->ended != nullptr) wish.ended = options->ended;
    if (options->timeout_s != 0) wish.timeout_seconds = options->timeout_s;
    if (options->patience_s != 0)
      wish.patience = wish.patience_refused = std::chrono::seconds(options->patience_s);
    if (options->on_reply != nullptr) {
      wish.on_reply = [call = options->on_reply,
                       context = options->context](const json::Value& reply) {
        call(context, json::canonical(reply).c_str());
      };
    }
    auto session = Session::open(std::move(wish));
    if (!session) {
      give(session.error().text(), words, words_size);
      return TALLA_BAD_FILES;
    }
    *client = new talla_client{std::move(*session)};
    return TALLA_OK;
  });
}

void talla_close(talla_client* client) {
  delete client;
}

const char* talla_words(const talla_client* client) {
  return client == nullptr ? "" : client->words.c_str();
}

talla_status talla_get(talla_client* client, const char* path, talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    if (path == nullptr || *path != '/')
      return talla::fail(Errc::malformed_wish, "a path begins with /");
    return session.get(path);
  });
}

talla_status talla_post(talla_client* client, const char* path, const char* body_json,
                        talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    if (path == nullptr || *path != '/')
      return talla::fail(Errc::malformed_wish, "a path begins with /");
    TALLA_TRY(const json::Value body, parsed(body_json == nullptr ? "{}" : body_json, "body"));
    return session.post(path, body);
  });
}

const char* talla_pending(const talla_client* client) {
  if (client == nullptr) return nullptr;
  try {
    auto& own =
        const_cast<talla_client&>(*client).pending;  // NOLINT: the text is kept for the caller
    own = client->session.pending();
    return own.empty() ? nullptr : own.c_str();
  } catch (...) {
    return nullptr;
  }
}

talla_status talla_resume(talla_client* client, talla_reply** reply) {
  const bool nothing = talla_pending(client) == nullptr;
  const talla_status status = ask(client, reply, [](Session& session) { return session.resume(); });
  if (nothing && status == TALLA_OK && reply != nullptr) {
    talla_reply_free(*reply);
    *reply = nullptr;
  }
  return status;
}

const char* talla_reply_json(const talla_reply* reply) {
  return reply == nullptr ? "" : reply->text.c_str();
}

const char* talla_reply_text(const talla_reply* reply, const char* path) {
  const json::Value* found = find(reply, path);
  return found != nullptr && found->is_string() ? found->string().c_str() : nullptr;
}

int talla_reply_integer(const talla_reply* reply, const char* path, int64_t* value) {
  const json::Value* found = find(reply, path);
  if (found == nullptr || value == nullptr || (!found->is_integer() && !found->is_bool())) return 0;
  *value = found->is_bool() ? (found->boolean() ? 1 : 0) : found->integer();
  return 1;
}

int64_t talla_reply_count(const talla_reply* reply, const char* path) {
  const json::Value* found = find(reply, path);
  return found != nullptr && found->is_array() ? static_cast<int64_t>(found->array().size()) : -1;
}

void talla_reply_free(talla_reply* reply) {
  delete reply;
}

talla_status talla_table_open(talla_client* client, const char* table_json, talla_reply** reply) {
  return talla_post(client, "/v1/tables", table_json, reply);
}
talla_status talla_table_picture(talla_client* client, const char* table, talla_reply** reply) {
  return get(client, {"/v1/tables/", table, ""}, reply);
}
talla_status talla_table_close(talla_client* client, const char* table, talla_reply** reply) {
  return post(client, {"/v1/tables/", table, "/close"}, json::Value(), reply);
}

talla_status talla_shoe_seal(talla_client* client, const char* table, talla_reply** reply) {
  return post(client, {"/v1/tables/", table, "/shoes"}, json::Value(), reply);
}
talla_status talla_shoe_mix(talla_client* client, const char* shoe, talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string id, path_of("", shoe, ""));
    return session.mix(id);
  });
}
talla_status talla_with_contributors(talla_client* client, const char* table) {
  if (client == nullptr) return TALLA_BAD_ARGUMENT;
  return guarded([&] {
    auto id = path_of("", table, "");
    if (id) client->session.with_contributors(*id);
    return id ? TALLA_OK : TALLA_BAD_ARGUMENT;
  });
}
talla_status talla_shoe_deal_due(talla_client* client, const char* shoe, int64_t position,
                                 talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/shoes/", shoe, "/deal"));
    if (position < 0 || position > json::integer_max)
      return talla::fail(Errc::malformed_wish, "position");
    json::Value body;
    body["expected"] = position;
    body["until"] = "needs";
    return session.post(path, body);
  });
}
talla_status talla_shoe_deal(talla_client* client, const char* shoe, int64_t position,
                             int64_t count, const char* place, const char* face,
                             talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/shoes/", shoe, "/deal"));
    const bool in_range =
        position >= 0 && count >= 1 && position <= json::integer_max && count <= json::integer_max;
    if (!in_range || place == nullptr || face == nullptr)
      return talla::fail(Errc::malformed_wish, "position, count, place and face");
    json::Value body;
    body["expected"] = position;
    body["until"] = count;
    body["place"] = place;
    body["face"] = face;
    return session.post(path, body);
  });
}
talla_status talla_shoe_open_card(talla_client* client, const char* shoe, int64_t position,
                                  talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/shoes/", shoe, "/open"));
    if (position < 0 || position > json::integer_max)
      return talla::fail(Errc::malformed_wish, "position");
    json::Value body;
    body["position"] = position;
    return session.post(path, body);
  });
}
talla_status talla_shoe_look(talla_client* client, const char* shoe, int64_t position,
                             int64_t recommits, talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string id, path_of("", shoe, ""));
    if (position < 0 || position > UINT32_MAX || recommits < -1 || recommits > UINT32_MAX)
      return talla::fail(Errc::malformed_wish, "position and recommits");
    const auto at = static_cast<std::uint32_t>(position);
    if (recommits < 0) return session.look(id, at);
    return session.look(id, at, static_cast<std::uint32_t>(recommits));
  });
}
talla_status talla_shoe_recommit(talla_client* client, const char* shoe, talla_reply** reply) {
  return post(client, {"/v1/shoes/", shoe, "/recommit"}, json::Value(), reply);
}
talla_status talla_shoe_close(talla_client* client, const char* shoe, talla_reply** reply) {
  return post(client, {"/v1/shoes/", shoe, "/close"}, json::Value(), reply);
}

int talla_reply_outcome(const talla_reply* reply, talla_outcome* outcome) {
  if (outcome == nullptr) return 0;
  *outcome = talla_outcome{};
  if (find(reply, "voided") != nullptr) return 1;
  const json::Value* said = find(reply, "draw.outcome");
  int64_t record = 0;
  if (said == nullptr || !said->is_object() || said->object().size() != 1 ||
      talla_reply_integer(reply, "draw.seq", &record) == 0)
    return 0;
  const auto& [kind, value] = *said->object().begin();
  if (kind.size() >= sizeof outcome->kind) return 0;
  std::memcpy(outcome->kind, kind.c_str(), kind.size() + 1);
  outcome->record = static_cast<uint64_t>(record);
  const auto add = [outcome](const json::Value& one) {
    if (one.is_integer() && outcome->count < std::size(outcome->values))
      outcome->values[outcome->count++] = static_cast<uint32_t>(one.integer());
  };
  if (value.is_array()) {
    for (const json::Value& one : value.array()) add(one);
  } else {
    add(value);
  }
  return outcome->count > 0 ? 1 : 0;
}

talla_status talla_draw(talla_client* client, const char* table, const char* round,
                        const char* bets, talla_outcome* outcome, talla_reply** reply) {
  talla_reply* own = nullptr;
  const talla_status status = ask(client, &own, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string id, path_of("", table, ""));
    json::Object more;
    if (round != nullptr) more["round"] = round;
    if (bets != nullptr) more["bets"] = bets;
    return session.draw(id, more);
  });
  if (outcome != nullptr) static_cast<void>(talla_reply_outcome(own, outcome));
  if (reply != nullptr) {
    *reply = own;
  } else {
    talla_reply_free(own);
  }
  return status;
}

talla_status talla_round_open(talla_client* client, const char* table, int last,
                              talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/tables/", table, "/rounds"));
    json::Value body;
    if (last < 0) body["last"] = "shoe";
    if (last == 1) body["last"] = true;
    if (last > 1) body["last"] = static_cast<std::int64_t>(last);
    return session.post(path, body);
  });
}
talla_status talla_round_picture(talla_client* client, const char* round, talla_reply** reply) {
  return get(client, {"/v1/rounds/", round, ""}, reply);
}
talla_status talla_round_bets(talla_client* client, const char* round, const char* bets_json,
                              talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/rounds/", round, "/bets"));
    json::Value body;
    TALLA_TRY(body["bets"], parsed(bets_json, "bets"));
    return session.post(path, body);
  });
}
talla_status talla_round_close_bets(talla_client* client, const char* round, const char* bets_json,
                                    talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/rounds/", round, "/close-bets"));
    json::Value body;
    if (bets_json != nullptr) {
      TALLA_TRY(body["bets"], parsed(bets_json, "bets"));
    }
    return session.post(path, body);
  });
}
talla_status talla_round_action(talla_client* client, const char* round, const char* expected_state,
                                const char* action_json, talla_reply** reply) {
  return ask(client, reply, [&](Session& session) -> Result<json::Value> {
    TALLA_TRY(const std::string path, path_of("/v1/rounds/", round, "/actions"));
    TALLA_TRY(json::Value body, parsed(action_json, "action"));
    if (!body.is_object() || expected_state == nullptr)
      return talla::fail(Errc::malformed_wish, "action: an object, and the expected state");
    body["expected_state"] = expected_state;
    return session.post(path, body);
  });
}

talla_status talla_evidence(talla_client* client, uint64_t record, const char* file) {
  return ask(client, nullptr, [&](Session& session) -> Result<json::Value> {
    if (file == nullptr) return talla::fail(Errc::malformed_wish, "no file named");
    TALLA_TRY(const std::string bundle, session.bundle(record));
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << bundle;
    out.close();
    if (!out) return talla::fail(Errc::journal_failed, std::string(file) + ": cannot be written");
    return json::Value();
  });
}

talla_status talla_events_open(const char* folder, int64_t after, talla_events** events,
                               char* words, size_t words_size) {
  if (events != nullptr) *events = nullptr;
  give("", words, words_size);
  if (events == nullptr || folder == nullptr || after < -1) return TALLA_BAD_ARGUMENT;
  return guarded([&] {
    auto stream = talla::client::Events::open(folder, after);
    if (!stream) {
      give(stream.error().text(), words, words_size);
      return TALLA_BAD_FILES;
    }
    *events = new talla_events{std::move(*stream)};
    return TALLA_OK;
  });
}

talla_status talla_events_next(talla_events* events, unsigned wait_ms, talla_event* event) {
  if (events == nullptr || event == nullptr) return TALLA_BAD_ARGUMENT;
  *event = talla_event{};
  return guarded([&] {
    auto next = events->stream.next(std::chrono::milliseconds(wait_ms));
    if (!next) return status_of(next.error());
    if (!*next) return TALLA_NOTHING;
    events->last = std::move(**next);
    *event = {events->last.seq, events->last.kind.c_str(), events->last.record.c_str()};
    return TALLA_OK;
  });
}

void talla_events_close(talla_events* events) {
  delete events;
}
