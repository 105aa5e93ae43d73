// The commands of those who contribute to a table's calls: invited, committed, opened.
#include "contributions.hpp"

#include <algorithm>

#include "call_view.hpp"
#include "call_waits.hpp"
#include "certs/covered.hpp"
#include "commands.hpp"
#include "documents.hpp"
#include "format/bounds.hpp"
#include "format/contributor_id.hpp"
#include "opening_check.hpp"
#include "operations.hpp"
#include "questions.hpp"
#include "route.hpp"
#include "schemas.hpp"
#include "seats.hpp"

namespace talla::core {
namespace {

constexpr std::string_view seat_word = "seat-";

/// An open table of that id. Errors: not_found, table_closed.
Result<const Table*> open_table_of(const Call& call, const std::string& id) {
  const auto seq = certs::object_seq("table", id);
  const auto* table = seq ? call.world().table(*seq) : nullptr;
  if (table == nullptr) return fail(Errc::not_found, "no such table");
  if (table->closed) return fail(Errc::table_closed, id + " is closed");
  return table;
}

/// An enrolled id that can stand in a core, and is no seat's.
bool fits_partner(const std::string& id) {
  return certs::contributor_id_fits(id) && !id.starts_with(seat_word);
}

/// As whom the client contributes at this table. Errors: not_found (another table's invitation),
/// forbidden, not_your_seat.
Status acts_as(const Call& call, const Table& table, const std::string& id) {
  const auto& client = call.client;
  const auto other = [](const std::string& own) {
    return fail(Errc::not_your_seat, "id: yours is " + own);
  };
  if (client.invitation) {
    if (client.invitation->table != table.id) return fail(Errc::not_found, "no such table");
    if (!is_invited(client, table)) return fail(Errc::forbidden, "the invitation has ended");
    const auto own = seat_id(client.invitation->seat);
    return own == id ? Status() : other(own);
  }
  if (client.roles.has(Role::contributor) && (client.id == id || !client.roles.has(Role::seat))) {
    if (!fits_partner(client.id))
      return fail(Errc::forbidden, "id: not one that a contributor may have");
    return client.id == id ? Status() : other(client.id);
  }
  const auto* round = table.live_round ? call.world().round(*table.live_round) : nullptr;
  const auto seat = round == nullptr ? std::nullopt : seat_of(client, *round);
  if (!seat) return fail(Errc::forbidden, "no seat of this table is yours now");
  return seat_id(*seat) == id ? Status() : other(seat_id(*seat));
}

/// A key that is new for this id is nobody else's here, and a seat's of no other table. Errors:
/// duplicate.
Status check_new_key(const Call& call, const Table& table, const std::string& id,
                     const Bytes& key) {
  if (key == table.open.key) return fail(Errc::duplicate, "key: it is the table's");
  for (const auto& [other, one] : table.panel.ahead()) {
    if (other != id && one.key == key) return fail(Errc::duplicate, "key: it is that of " + other);
  }
  if (!id.starts_with(seat_word)) return {};
  for (const auto& [seq, other] : call.world().base().tables) {
    if (seq == table.seq || other.closed) continue;
    const bool known = other.panel.counted().contains(key) ||
                       std::ranges::any_of(other.panel.ahead(), [&](const auto& entry) {
                         return entry.second.key == key;
                       });
    if (known) return fail(Errc::duplicate, "key: a seat's key serves one table");
  }
  const auto* round = table.live_round ? call.world().round(*table.live_round) : nullptr;
  const auto digest = call.parts.hashes.sha256({key});
  if (round != nullptr && std::ranges::any_of(round->seat_keys, [&](const auto& entry) {
        return entry.second == digest;
      }))
    return fail(Errc::duplicate, "key: covered cards are dealt to it");
  return {};
}

/// The open call of the table names this id under another key.
bool waits_for_another_key(const Call& call, const Table& table, const std::string& id,
                           const Bytes& key) {
  const auto* open = open_call_of(call.world(), table);
  if (open == nullptr) return false;
  return std::ranges::any_of(open->body.core.others, [&](const certs::Contributor& one) {
    return one.id == id && one.key != key;
  });
}

/// `commits` from `from` on, joined to what is known of this key.
tl::expected<CommittedAhead, Failure> joined(const Panel& panel, CommittedAhead known,
                                             std::uint32_t from,
                                             const std::vector<Digest>& commits) {
  const auto next = [&] { return json::Object{{"next", known.end()}}; };
  if (from < known.from || from > known.end())
    return refuse(Errc::t_gap, "from: not the next number of this key", next());
  for (std::size_t i = 0; i < commits.size(); ++i) {
    const auto at = from - known.from + i;
    if (at == known.commits.size()) {
      known.commits.push_back(commits[i]);
    } else if (known.commits[at] != commits[i]) {
      return refuse(Errc::commit_mismatch, "commits: another one was handed in for this number",
                    next());
    }
  }
  if (panel.left_of(known) > Panel::ahead_max)
    return refuse(Errc::limit_exceeded, "commits: too many ahead");
  return known;
}

/// The table whose open call that is; null: none.
const Table* calling_table(const Call& call, std::uint64_t seq) {
  for (const auto table_seq : call.world().base().calling) {
    const auto* table = call.world().table(table_seq);
    if (table != nullptr && table->open_call && table->open_call->seq == seq) return table;
  }
  return nullptr;
}

/// The same reply to the same opening, whenever it comes.
Done opened_reply(std::uint64_t seq, const std::string& id) {
  return Done{{{"call", seq}, {"id", id}, {"opened", true}}, 200, {}};
}

/// Somebody opens behind a call that has its result: what stands in it is answered again.
Outcome opened_before(const Call& call, std::uint64_t seq, const std::string& id,
                      const certs::CallOpening& opened) {
  TALLA_TRY(const auto table_id, call.parts.table_of_call(seq));
  TALLA_TRY(const auto* table, open_table_of(call, table_id));
  TALLA_TRY_STATUS(acts_as(call, *table, id));
  const auto result = call.parts.opened_in_result(seq, id);
  if (!result || *result != opened)
    return refuse(Errc::wrong_state, "the call has its result", {{"call", seq}});
  return opened_reply(seq, id);
}

/// What was found of it on the asking thread, or here where the call stood not on the board yet.
Status opening_holds(const Call& call, const Table& table, const certs::Contributor& one,
                     const certs::CallOpening& opened) {
  if (call.opening != nullptr) return call.opening->holds;
  const auto& core = open_call_of(call.world(), table)->body.core;
  const auto& hashes = call.parts.hashes;
  const PostedCall posted{.core = core,
                          .digest = certs::call_digest(hashes, core.bytes()),
                          .opening = table.opening,
                          .until_us = 0};
  return check_opening(hashes, posted, one, opened);
}

}  // namespace

Status check_contributor_key(const Bytes& spki) {
  if (certs::check_seat_key(spki)) return {};
  return fail(Errc::malformed_request, "key: a P-256 key, as 91 bytes of DER SubjectPublicKeyInfo");
}

bool is_invited(const Client& client, const Table& table) {
  if (!client.invitation || client.invitation->table != table.id || table.closed) return false;
  const auto& tokens = table.panel.guests().tokens;
  const auto found = tokens.find(client.invitation->seat);
  return found != tokens.end() && found->second == client.invitation->token;
}

Outcome invite(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, own_table(call, table_id));
  if (table->closed) return refuse(Errc::table_closed, table_id + " is closed");
  const auto seat = call.body.integer("seat");
  std::optional<Digest> token;
  if (call.body.has("token")) token = call.body.digest("token");
  const auto& tokens = table->panel.guests().tokens;
  if (token && !tokens.contains(seat) && tokens.size() >= Panel::ids_max)
    return refuse(Errc::limit_exceeded, "too many invitations at this table");
  for (const auto& [seq, other] : call.world().base().tables) {
    for (const auto& [other_seat, known] : other.panel.guests().tokens) {
      if (token == known && !other.closed && (seq != table->seq || other_seat != seat))
        return refuse(Errc::duplicate, "token: another invitation has it");
    }
  }
  Panel panel = table->panel;
  panel.invite(seat, token);
  call.tx.group().documents.push_back({certs::documents::contributors(table_id), panel.document()});
  Documents::take_panel(call.world(), table->seq, std::move(panel));
  return Done{{{"invitation",
                json::Object{{"table", table_id}, {"seat", seat}, {"open", token.has_value()}}}},
              200,
              {}};
}

Outcome hand_in_commitments(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, open_table_of(call, table_id));
  const auto& id = call.body.text("id");
  TALLA_TRY_STATUS(acts_as(call, *table, id));
  CommittedAhead ahead;
  TALLA_TRY(ahead.key, from_base64(call.body.text("key")));
  if (const auto owner = table->panel.owner_of(ahead.key); owner && *owner != id)
    return refuse(Errc::duplicate, "key: it is that of " + *owner);
  const auto& all = table->panel.ahead();
  const auto known = all.find(id);
  if (known != all.end() && known->second.key == ahead.key) {
    ahead = known->second;
  } else {
    TALLA_TRY_STATUS(check_contributor_key(ahead.key));
    if (known == all.end() && all.size() >= Panel::ids_max)
      return refuse(Errc::limit_exceeded, "too many contribute at this table");
    TALLA_TRY_STATUS(check_new_key(call, *table, id, ahead.key));
    if (waits_for_another_key(call, *table, id, ahead.key))
      return refuse(Errc::turn_open, "the open call waits for the key before",
                    {{"call", table->open_call->seq}});
    ahead.from = table->panel.next_t(ahead.key);
  }
  std::vector<Digest> commits;
  for (const auto& item : call.body.list("commits")) {
    TALLA_TRY(const auto commit, digest_from_hex(item.string()));
    commits.push_back(commit);
  }
  const auto before = ahead.commits.size();
  auto next = joined(table->panel, std::move(ahead), call.body.u32("from"), commits);
  if (!next) return tl::unexpected<Failure>(std::move(next.error()));
  const json::Object reply{
      {"id", id}, {"next", next->end()}, {"ahead", table->panel.left_of(*next)}};
  if (next->commits.size() == before) return Done{reply, 200, {}};
  Panel panel = table->panel;
  if (!call.client.invitation) panel.admit(call.client.id);
  panel.commit(id, std::move(*next));
  call.tx.group().documents.push_back({certs::documents::contributors(table_id), panel.document()});
  Documents::take_panel(call.world(), table->seq, std::move(panel));
  return Done{reply, 200, {}};
}

Outcome open_contribution(const Call& call, const std::string& call_seq) {
  const auto number = parse_number(call_seq, json::integer_max);
  if (!number) return refuse(Errc::not_found, "no such call");
  const auto seq = *number;
  const auto& id = call.body.text("id");
  TALLA_TRY(const auto opened, opening_in(call.body.whole()));
  if (!call.tx.durable(seq)) return refuse(Errc::not_found, "no such call");
  const auto* table = calling_table(call, seq);
  if (table == nullptr) return opened_before(call, seq, id, opened);
  TALLA_TRY_STATUS(acts_as(call, *table, id));
  const auto& core = open_call_of(call.world(), *table)->body.core;
  const auto named = std::ranges::find(core.others, id, &certs::Contributor::id);
  if (named == core.others.end())
    return refuse(Errc::contributor_unknown, "the call waits for no number of " + id);
  const auto& known = table->open_call->opened();
  if (const auto found = known.find(id); found != known.end()) {
    if (found->second != opened)
      return refuse(Errc::wrong_state, "another opening of this number stands");
    return opened_reply(seq, id);
  }
  TALLA_TRY_STATUS(opening_holds(call, *table, *named, opened));
  CallUnderWay next = *table->open_call;
  next.take(id, opened);
  call.tx.group().documents.push_back(
      {certs::documents::openings(table->id), openings_document(next)});
  Documents::take_opening(call.world(), table->seq, id, opened);
  return opened_reply(seq, id);
}

std::vector<Operation> contribution_operations() {
  const auto id = required("id", Schema::text(1, 128).about("seat-N, or the enrolled id of a "
                                                            "partner: the client's own"));
  return {
      {.row = {"invite", "POST", "/v1/tables/{table}/invitations", {Role::table}, false},
       .handler = invite,
       .words = {"contributors", "Let a seat contribute by a link",
                 "The table makes a token of 128 random bits and gives it to the seat; here its "
                 "digest is kept until the table closes. Who holds the token reaches the "
                 "operations of a contributor on the public listener, for this table alone. "
                 "Another token for the seat ends the one before; without a token the invitation "
                 "ends."},
       .body = Schema::object(
           {required("seat", Schema::integer(1, std::int64_t{UINT32_MAX})),
            optional("token", Schema::digest().about("SHA-256 of the token's text"))}),
       .query = {},
       .replies = {{reply_of("Invited", "invitation",
                             Schema::object({required("table", Schema::id("table")),
                                             required("seat", Schema::number()),
                                             required("open", Schema::flag())}))}},
       .example_body =
           R"({"seat":3,)"
           R"("token":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456"})",
       .example_reply = R"({"invitation":{"open":true,"seat":3,"table":"table-4"}})"},
      {.row = {"handInCommitments", "POST", "/v1/tables/{table}/commitments", contributors, false},
       .handler = hand_in_commitments,
       .words = {"contributors", "Commit to numbers for the next calls of a table",
                 "At most 16 ahead. Each call that names the key spends the next one; the same "
                 "again is answered alike, another for the same place is refused. A new key for an "
                 "id begins anew."},
       .body = Schema::object(
           {id, required("key", key_schema()),
            required("from", Schema::integer(1, std::int64_t{UINT32_MAX})
                                 .about("t of the first: calls that name this key at this table, "
                                        "counted from 1")),
            required("commits", Schema::list(Schema::digest(), 1, std::size_t{Panel::ahead_max})
                                    .about("of the numbers (certs/FORMAT.md section 8)"))}),
       .query = {},
       .replies = {{Schema::named(
           "Committed",
           Schema::object({required("id", Schema::text()),
                           required("next", Schema::number().about("t of the next to hand in")),
                           required("ahead", Schema::number().about("that no call has spent"))}))}},
       .example_body =
           R"({"commits":["5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456"],)"
           R"("from":1,"id":"seat-3","key":"AAAA"})",
       .example_reply = R"({"ahead":1,"id":"seat-3","next":2})"},
      {.row = {"openContribution", "POST", "/v1/calls/{call}/openings", contributors, false},
       .handler = open_contribution,
       .words = {"contributors", "Open the number behind a call",
                 "Checked against commitment and signature, and durable before the reply. The last "
                 "of them gives the result."},
       .body = Schema::object(
           {id, required("value", Schema::digest()),
            required("signature",
                     Schema::base64().about("r || s of the contributor's key over the opening's "
                                            "statement (certs/FORMAT.md section 8)"))}),
       .query = {},
       .replies = {{Schema::named(
           "Opened",
           Schema::object({required("call", Schema::number()), required("id", Schema::text()),
                           required("opened", Schema::flag().about("always: it is durable"))}))}},
       .example_body =
           R"({"id":"seat-3",)"
           R"("signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
           R"(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",)"
           R"("value":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456"})",
       .example_reply = R"({"call":18,"id":"seat-3","opened":true})",
       .opens_call = true},
      {.row = {"getCall", "GET", "/v1/calls/{call}", people_roles.with(contributors), false},
       .handler = &Questions::call,
       .words = {"contributors", "A call: its core, who has opened, what it ended in",
                 "For the table, those who contribute to it and those who oversee. What it says is "
                 "durable. With `wait` the reply comes when the call has ended, or when so many "
                 "seconds are over; where too many wait, at once."},
       .body = {},
       .query = {optional(
           "wait",
           Schema::integer(1, CallWaits::seconds_max).about("seconds to wait for its end"))},
       .replies = {{call_view_schema()}},
       .example_body = {},
       .example_reply = call_view_example(),
       .beside_flights = true},
  };
}

}  // namespace talla::core
