// What was played and what is still open: the questions of inspectors and disputes.
#include <map>

#include "log_times.hpp"
#include "operations.hpp"
#include "past_round.hpp"
#include "questions.hpp"
#include "schemas.hpp"
#include "seats.hpp"
#include "sight.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

using certs::Kind;

constexpr std::int64_t page_max = 100;
/// Rounds after the time asked for that one reply passes by.
constexpr std::size_t passed_max = 1000;

tl::unexpected<Error> damaged(const std::string& what) {
  return fail(Errc::replay_failed, what);
}

/// The round before this one at its table, from what its ROUND_OPEN cites; empty: it was the first.
Result<std::string> round_before(const certs::Ledger& ledger, const certs::Record& opening) {
  for (const auto cited : opening.cites) {
    TALLA_TRY(const auto stored, ledger.record(cited));
    if (stored.kind == Kind::round_end) return stored.object;
  }
  return std::string();
}

/// The newest round of a closed table: its TABLE_CLOSE cites the ROUND_END before it.
Result<std::string> last_round_of_closed(const certs::Ledger& ledger, const std::string& table) {
  TALLA_TRY(const auto chain, ledger.chain(table));
  if (chain.empty() || chain.back().kind != Kind::table_close)
    return damaged(table + " has no TABLE_CLOSE");
  TALLA_TRY(const auto closing, certs::parse_record(chain.back().bytes));
  return round_before(ledger, closing);
}

/// What a settled round came to: stakes, what went back, who won how much.
void put_results(json::Object& row, const PastRound& round) {
  std::int64_t staked = 0;
  std::int64_t returned = 0;
  std::map<std::int64_t, std::int64_t> nets;
  for (const auto& result : round.results) {
    staked += result.stake;
    returned += result.returned;
    nets[result.seat] += result.returned - result.stake;
  }
  json::Array winners;
  for (const auto& [seat, net] : nets) {
    if (net > 0) winners.emplace_back(json::Object{{"seat", seat}, {"net", net}});
  }
  row["staked"] = staked;
  row["returned"] = returned;
  row["winners"] = std::move(winners);
  row["settlement"] = *round.settlement;
}

/// One line of the list, of a round that began with `opening`.
Result<json::Value> row_of(const certs::Ledger& ledger, const Catalogues& catalogues,
                           const certs::Record& opening) {
  TALLA_TRY(const auto chain, ledger.chain(opening.object));
  TALLA_TRY(const auto body, certs::RoundOpenBody::from_json(opening.body));
  json::Object row{{"id", opening.object},
                   {"table", body.table},
                   {"number", body.number},
                   {"opened", opening.time_us}};
  row["state"] = "betting";
  for (const auto& one : chain) {
    if (one.kind == Kind::bets_closed) row["state"] = "playing";
    if (one.kind != Kind::round_end) continue;
    TALLA_TRY(const auto end, certs::parse_record(one.bytes));
    row["state"] = "ended";
    row["ended"] = end.time_us;
  }
  TALLA_TRY(auto past, past_round(ledger, catalogues, chain, false));
  if (past.outcome) row["outcome"] = std::move(*past.outcome);
  if (past.settlement) put_results(row, past);
  return json::Value(std::move(row));
}

/// The ROUND_OPEN of a round that is in the ledger.
Result<certs::Record> opening_of(const certs::Ledger& ledger, const std::string& id) {
  TALLA_TRY(const auto seq, certs::object_seq("round", id));
  TALLA_TRY(const auto stored, ledger.record(seq));
  if (stored.kind != Kind::round_open) return damaged(id + " has no ROUND_OPEN");
  return certs::parse_record(stored.bytes);
}

}  // namespace

/// Its newest round that is in the ledger; empty: none. What the running group opened is not there
/// yet.
Result<std::string> Questions::newest_round(const Table& table) const {
  const Round* newest = nullptr;
  for (const auto& [seq, round] : appliance_.world().rounds) {
    if (round.table == table.seq && seq < appliance_.effects.log.size())
      newest = &round;  // ascending
  }
  if (newest != nullptr) return newest->id;
  if (!table.last_round_end || *table.last_round_end >= appliance_.effects.log.size())
    return std::string();
  TALLA_TRY(const auto end, appliance_.effects.log.ledger().record(*table.last_round_end));
  return end.object;
}

Result<json::Object> Questions::rounds(const Request& request, const Route& route) const {
  const auto& id = route.argument("table");
  const auto& ledger = appliance_.effects.log.ledger();
  const auto seq = certs::object_seq("table", id);
  const auto live = seq ? appliance_.world().tables.find(*seq) : appliance_.world().tables.end();
  std::string next;
  if (live != appliance_.world().tables.end()) {
    if (!sees(appliance_.world(), request.client, live->second)) return not_found("table");
    TALLA_TRY(next, newest_round(live->second));
  } else {
    TALLA_TRY(const auto known, ledger.object(id));
    if (!seq || !known || !events_.visible(request.client, id)) return not_found("table");
    TALLA_TRY(next, last_round_of_closed(ledger, id));
  }
  if (const auto before = route.query.find("before"); before != route.query.end()) {
    const auto from = certs::object_seq("round", before->second);
    const auto stored =
        from ? ledger.record(*from) : Result<certs::LedgerRecord>(fail(Errc::not_found, ""));
    if (!stored || stored->kind != Kind::round_open || events_.table_of(before->second) != id)
      return fail(Errc::malformed_request, "before: expected a round of this table");
    TALLA_TRY(const auto opening, certs::parse_record(stored->bytes));
    TALLA_TRY(next, round_before(ledger, opening));
  }
  const auto limit = static_cast<std::size_t>(number_of(route, "limit", 10));
  const auto from_us = number_of(route, "from", 0);
  TALLA_TRY(const auto end, route.query.contains("to") ? first_at(ledger, number_of(route, "to", 0))
                                                       : Result<std::uint64_t>(ledger.size()));
  json::Array rounds;
  json::Object view;
  std::string last;
  for (std::size_t passed = 0; !next.empty() && rounds.size() < limit && passed < passed_max;) {
    TALLA_TRY(const auto opening, opening_of(ledger, next));
    if (opening.time_us < from_us) {
      next.clear();
      break;
    }
    if (opening.seq >= end) {
      ++passed;
    } else {
      TALLA_TRY(auto row, row_of(ledger, *appliance_.catalogues, opening));
      rounds.push_back(std::move(row));
    }
    last = next;
    TALLA_TRY(next, round_before(ledger, opening));
  }
  view["rounds"] = std::move(rounds);
  view["more"] = !next.empty();
  if (!next.empty()) view["next"] = last;
  return view;
}

Result<json::Object> Questions::incomplete(const Request& request, const Route& /*route*/) const {
  const Overlay world(appliance_.world());
  json::Array rounds;
  for (const auto& [seq, round] : appliance_.world().rounds) {
    const auto table = appliance_.world().tables.find(round.table);
    if (round.ended || table == appliance_.world().tables.end() ||
        !sees(appliance_.world(), request.client, table->second))
      continue;
    const auto view =
        round_view(appliance_.context.hashes, world, round, viewer_of(request.client, &round));
    json::Object row;
    for (const auto* member : {"id", "table", "number", "state", "needs", "bets"}) {
      if (const auto found = view.find(member); found != view.end()) row[member] = found->second;
    }
    row["game"] = table->second.open.game;
    row["suspended"] = table->second.suspended;
    row["last"] = round.last_seq;
    rounds.emplace_back(std::move(row));
  }
  return json::Object{{"rounds", std::move(rounds)}};
}

std::vector<Operation> history_operations() {
  const auto positive = Schema::integer(1, json::integer_max);
  const auto time = Schema::number().about("microseconds since 1970, UTC");
  const auto past = Schema::object(
      {required("id", Schema::id("round")), required("table", Schema::id("table")),
       required("number", positive), required("opened", time), optional("ended", time),
       required("state", Schema::one_of({"betting", "playing", "ended"})),
       optional("outcome", Schema::list(Schema::text()).about("of its draw, as the game has it")),
       optional("staked", Schema::number().about("units, of all bets; of a settled round")),
       optional("returned", Schema::number().about("units, stakes included")),
       optional("winners",
                Schema::list(Schema::object({required("seat", Schema::number()),
                                             required("net", positive.about("units won"))}))
                    .about("seats that got back more than they staked")),
       optional("settlement", Schema::number().about("seq of its SETTLEMENT: claim of its "
                                                     "bundle"))});
  const auto open = Schema::object(
      {required("id", Schema::id("round")), required("table", Schema::id("table")),
       required("game", Schema::text()), required("number", positive),
       required("state", Schema::one_of({"betting", "playing"})), optional("needs", needs_schema()),
       required("bets", Schema::list(bet_schema())), required("suspended", Schema::flag()),
       required("last", Schema::number().about("seq of its newest record"))});
  return {
      {.row = {"listRounds", "GET", "/v1/tables/{table}/rounds", staff_roles, false},
       .handler = &Questions::rounds,
       .words =
           {"rounds", "Rounds of one table, the newest first",
            "Of open and of closed tables; `before` goes on behind the last one named. A reply "
            "passes by 1,000 rounds after `to` at most: while `more` is true, `next` is the "
            "`before` of the next."},
       .body = {},
       .query = {optional("limit", Schema::integer(1, page_max).otherwise(10)),
                 optional("before", Schema::id("round")),
                 optional("from", time.about("opened then or later, microseconds since 1970, UTC")),
                 optional("to", time.about("opened before"))},
       .replies = {{reply_of("Rounds", "rounds", Schema::list(past),
                             {required("more", Schema::flag().about("there are older ones")),
                              optional("next", Schema::id("round"))})}},
       .example_body = {},
       .example_reply =
           R"({"more":false,"rounds":[{"id":"round-9","number":1,"opened":1767225600000000,)"
           R"("state":"betting","table":"table-4"}]})"},
      {.row = {"getIncomplete", "GET", "/v1/incomplete", staff_roles, false},
       .handler = &Questions::incomplete,
       .words = {"rounds", "Every round that is not ended",
                 "What each waits for, with its bets: for who comes after a fault."},
       .body = {},
       .query = {},
       .replies = {{reply_of("Incomplete", "rounds", Schema::list(open))}},
       .example_body = {},
       .example_reply = R"({"rounds":[]})"},
  };
}

}  // namespace talla::core
