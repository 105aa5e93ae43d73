// Settled rounds to shares of stakes: what bets were paid against their laws.
#include "monitor/payment_reader.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "format/domain.hpp"
#include "format/game_events.hpp"
#include "format/record.hpp"
#include "games/bets.hpp"
#include "games/catalogue.hpp"
#include "settled_bet.hpp"
#include "stats/monitor/excess.hpp"
#include "stats/monitor/shares.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;
using certs::Kind;

constexpr std::size_t ends_max = 1000;
constexpr std::size_t tables_max = 1024;
constexpr std::size_t named_max = 1024;
/// So many rounds, and tables without one, a stake in prison is looked for back: rounds that ended
/// without a settlement may lie between.
constexpr int rounds_back = 64;
constexpr int tables_back = 64;
/// The stream of all places together; no place is written so.
constexpr const char* all_places = "*";

double share_of(const games::Ratio& part, const games::Ratio& whole) {
  const games::Ratio ratio = part / whole;
  return static_cast<double>(ratio.numerator()) / static_cast<double>(ratio.denominator());
}

}  // namespace

std::string key_place(const std::string& place) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : place) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

namespace {

std::string joined(const std::vector<std::string>& codes) {
  std::string out;
  for (const std::string& code : codes) out += (out.empty() ? "" : ",") + code;
  return out;
}

std::optional<SettledRound> round_of(const std::vector<certs::LedgerRecord>& chain) {
  SettledRound round;
  for (const auto& stored : chain) {
    const bool wanted = stored.kind == Kind::round_open || stored.kind == Kind::bets_closed ||
                        stored.kind == Kind::settlement || stored.kind == Kind::action;
    if (stored.kind == Kind::misdeal) round.misdealt = true;
    if (stored.kind == Kind::round_end) round.ended = stored.seq;
    if (!wanted) continue;
    const auto record = certs::parse_record(stored.bytes);
    if (!record) return std::nullopt;
    if (stored.kind == Kind::round_open) {
      auto body = certs::RoundOpenBody::from_json(record->body);
      if (!body) return std::nullopt;
      round.open = std::move(*body);
      round.cites = record->cites;
    } else if (stored.kind == Kind::bets_closed) {
      auto body = certs::BetsClosedBody::from_json(record->body);
      if (!body) return std::nullopt;
      if (round.closed == 0) round.closed = stored.seq;
      for (auto& bet : body->bets) round.bets.push_back(std::move(bet));
    } else if (stored.kind == Kind::action) {
      auto body = certs::ActionBody::from_json(record->body);
      if (!body) return std::nullopt;
      round.actions.emplace_back(stored.seq, std::move(*body));
    } else {
      auto body = certs::SettlementBody::from_json(record->body);
      if (!body) return std::nullopt;
      round.settled = true;
      for (auto& result : body->results) round.results.push_back(std::move(result));
    }
  }
  return round;
}

bool same_bet(const certs::SettlementResult& one, const certs::SettlementResult& other) {
  return one.bet == other.bet && one.seat == other.seat && one.kind == other.kind &&
         one.stake == other.stake;
}

/// The place of the law that the bet lies on, in whatever order its codes were given.
const std::vector<std::string>* place_in(const games::PaymentLaw& law, const certs::Bet& bet) {
  static const std::vector<std::string> nowhere;
  if (bet.kind != law.bet) return nullptr;
  if (law.on.empty()) return &nowhere;
  const auto found = std::ranges::find_if(law.on, [&](const std::vector<std::string>& on) {
    return std::ranges::is_permutation(on, bet.on);
  });
  return found == law.on.end() ? nullptr : &*found;
}

struct Opening {
  certs::TableOpenBody body;
  std::string client;
};

/// Of a table; nothing when it is none, or its record does not fit.
std::optional<Opening> table_opened(const certs::Ledger& ledger, const std::string& table) {
  const auto seq = certs::object_seq("table", table);
  const auto stored =
      seq ? ledger.record(*seq) : Result<certs::LedgerRecord>(certs::LedgerRecord());
  const auto record = certs::parse_record(stored ? stored->bytes : std::string());
  auto body = record ? certs::TableOpenBody::from_json(record->body)
                     : Result<certs::TableOpenBody>(certs::TableOpenBody());
  if (!stored || !record || !body || stored->kind != Kind::table_open) return std::nullopt;
  return Opening{std::move(*body), record->client ? record->client->id : std::string()};
}

/// The round whose end the round cites, or that of the tables that its table goes on with; or
/// empty. What another table at the same place has left is nothing of this one's.
std::string round_before(const certs::Ledger& ledger, const SettledRound& round) {
  auto cites = round.cites;
  auto table = round.open.table;
  for (int back = 0; back < tables_back; ++back) {
    for (const std::uint64_t seq : cites) {
      const auto stored = ledger.record(seq);
      if (stored && stored->kind == Kind::round_end) return stored->object;
    }
    const auto opened = table_opened(ledger, table);
    if (!opened || opened->body.continues.empty()) return {};
    table = opened->body.continues;
    const auto chain = ledger.chain(table);
    const auto closed = chain && !chain->empty() ? certs::parse_record(chain->back().bytes)
                                                 : Result<certs::Record>(certs::Record());
    if (!closed || closed->kind != Kind::table_close) return {};
    cites = closed->cites;
  }
  return {};
}

/// What lies on the cloth for a bet: itself, or the parts of a call.
std::vector<certs::Bet> laid(const games::Table& table, const certs::Bet& bet) {
  const auto* rule = table.rules().bet(bet.kind);
  if (rule == nullptr || !rule->is_call()) return {bet};
  const auto placed = certs::place_event(bet);
  const auto parts = placed ? games::parts_of_call(table, *rule, *placed)
                            : fail(games::Errc::bet_position, "no such call");
  if (!parts) return {bet};
  std::vector<certs::Bet> all;
  for (const games::PlaceBet& part : *parts) {
    certs::Bet one = bet;
    one.id = part.id;
    one.kind = part.kind;
    one.on = part.on;
    one.stake = part.stake;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

bool PaymentReader::is_together(std::string_view monitor) {
  return monitor.starts_with(all_places);
}

std::unique_ptr<mon::Group> PaymentReader::make(const std::string& key) {
  const auto dash = key.rfind('-');
  if (dash == std::string::npos) return nullptr;
  if (key.substr(dash) == "-most") return std::make_unique<mon::Returns>();
  std::size_t ends = 0;
  const char* last = key.data() + key.size();
  const auto parsed = std::from_chars(key.data() + dash + 1, last, ends);
  if (parsed.ec != std::errc{} || parsed.ptr != last || ends < 1 || ends > ends_max) return nullptr;
  return std::make_unique<mon::Payments>(ends);
}

std::shared_ptr<const games::Catalogue> PaymentReader::catalogue(const Digest& digest) {
  const auto known = catalogues_.find(digest);
  if (known != catalogues_.end()) return known->second;
  const auto file = ledger_.catalogue(digest);
  if (!file || !*file) return nullptr;
  auto loaded = games::load_catalogue(as_bytes(**file), hashes_);
  if (!loaded) return nullptr;
  return catalogues_.emplace(digest, std::move(*loaded)).first->second;
}

/// Laws of one bet that pay otherwise are other streams; shares of stakes know no money.
std::string PaymentReader::key_of(const certs::TableOpenBody& body, const games::PaymentLaw& law) {
  std::string text =
      to_hex(body.catalogue) + "\n" + body.game + "\n" + body.variant + "\n" + law.bet;
  for (const auto& on : law.on) text += "\n" + joined(on);
  for (const auto& end : law.ends) {
    text += "\n";
    for (const auto& way : end.ways)
      text += std::string(games::bet_result_name(way.result)) + " " + way.factor.text() + " ";
  }
  const Digest digest = hashes_.sha256({as_bytes(text)});
  return body.game + "/" + law.bet + "-" + to_hex(digest).substr(0, 8) + "-" +
         std::to_string(law.ends.size());
}

void PaymentReader::name_unwatched(const certs::TableOpenBody& body, const std::string& client) {
  const std::pair where{body.place, body.game};
  if (not_watched_.size() >= named_max && !not_watched_.contains(where)) return;
  const auto named = not_watched_.emplace(where, client).first;
  if (named->second != client) named->second.clear();
  changed_ = true;
}

std::unique_ptr<PaymentReader::Known> PaymentReader::open(const std::string& table) {
  const auto opening = table_opened(ledger_, table);
  if (!opening || opening->body.settled_by_client) return nullptr;
  const auto* body = &opening->body;
  const auto rules = catalogue(body->catalogue);
  auto config = certs::table_config(*body);
  auto opened = rules && config ? games::Table::open(rules, std::move(*config))
                                : fail(games::Errc::game_not_available, "no such table");
  auto laws = opened ? games::payment_laws(*opened)
                     : fail(games::Errc::game_not_available, "no such table");
  if (!opened) {
    name_unwatched(*body, opening->client);
    return nullptr;
  }
  auto known = std::make_unique<Known>(std::move(*opened));
  known->place = body->place;
  known->client = opening->client;
  if (!laws) {
    auto play = games::PlayLaw::of(known->table);
    if (!play) {
      name_unwatched(*body, opening->client);
      return nullptr;
    }
    const Digest digest = hashes_.sha256({as_bytes(to_hex(body->catalogue) + "\n" + body->game +
                                                   "\n" + body->variant + "\n" + play->text())});
    known->play_key = body->game + "/" + play->bet() + "-" + to_hex(digest).substr(0, 8) + "-most";
    known->play = std::move(*play);
  }
  if (not_watched_.erase({body->place, body->game}) > 0) changed_ = true;
  known->shoe = known->table.engine().shoe(known->table).has_value();
  if (laws) known->laws = std::move(*laws);
  for (const auto& law : known->laws) known->keys.push_back(key_of(*body, law));
  return known;
}

const PaymentReader::Known* PaymentReader::known(const std::string& table) {
  const auto found = tables_.find(table);
  if (found != tables_.end()) return found->second.get();
  if (tables_.size() >= tables_max) tables_.clear();  // they are read again when they play
  return tables_.emplace(table, open(table)).first->second.get();
}

bool PaymentReader::from_prison(const SettledRound& round, const certs::SettlementResult& result) {
  SettledRound from = round;
  for (int back = 0; back < rounds_back; ++back) {
    const std::string before = round_before(ledger_, from);
    const auto chain = ledger_.chain(before);
    auto earlier = chain && !chain->empty() ? round_of(*chain) : std::nullopt;
    if (!earlier) return false;
    if (earlier->settled) {
      return std::ranges::any_of(earlier->results, [&](const certs::SettlementResult& one) {
        return one.result == games::bet_result_name(games::BetResult::prison) &&
               same_bet(one, result);
      });
    }
    from = std::move(*earlier);
  }
  return false;
}

std::vector<games::PaidRound> PaymentReader::paid(const Known& known,
                                                  const std::vector<games::PaymentLaw>& laws,
                                                  const SettledRound& round) {
  struct Stake {
    certs::Bet bet;
    std::size_t law = 0;
    const std::vector<std::string>* on = nullptr;
    bool settled = false;
  };
  std::vector<games::PaidRound> all;
  for (const auto& law : laws) all.emplace_back(law, known.table);
  std::map<std::string, Stake> stakes;
  for (const auto& closed : round.bets) {
    for (certs::Bet& bet : laid(known.table, closed)) {
      Stake stake{.bet = bet, .law = laws.size(), .on = nullptr, .settled = false};
      for (std::size_t i = 0; i < laws.size() && stake.on == nullptr; ++i) {
        stake.on = place_in(laws[i], bet);
        if (stake.on != nullptr) stake.law = i;
      }
      if (stake.on == nullptr) ++unwatched_;
      stakes[bet.id] = std::move(stake);
    }
  }
  std::set<std::string> freed;
  for (const auto& result : round.results) {
    const auto at = stakes.find(result.bet);
    const auto settlement = settlement_of(result);
    if (at == stakes.end()) {
      if (settlement && games::leaves_prison(known.table, *settlement) &&
          freed.insert(result.bet).second && from_prison(round, result))
        continue;
      // Paid to nobody's bet: it is told by the first law of that kind.
      auto law = std::ranges::find(laws, result.kind, &games::PaymentLaw::bet);
      if (law == laws.end()) law = laws.begin();
      all[static_cast<std::size_t>(law - laws.begin())].add_foreign(
          std::max<std::int64_t>(result.stake, 1), result.returned);
      continue;
    }
    Stake& stake = at->second;
    if (stake.law == laws.size()) continue;
    const bool fits = settlement && !stake.settled && result.seat == stake.bet.seat &&
                      result.kind == stake.bet.kind && result.stake == stake.bet.stake;
    stake.settled = true;
    if (fits) {
      all[stake.law].add(*settlement, *stake.on);
    } else {
      all[stake.law].add_foreign(stake.bet.stake, result.returned);
    }
  }
  for (const auto& [id, stake] : stakes) {
    if (!stake.settled && stake.law < laws.size()) all[stake.law].add_foreign(stake.bet.stake, 0);
  }
  return all;
}

void PaymentReader::observe(const std::string& key, const games::PaymentLaw& law,
                            const games::PaidRound& paid, Found& found) {
  auto* group = dynamic_cast<mon::Payments*>(board_.group(key, now_us_));
  if (group == nullptr) {
    ++unwatched_;
    return;
  }
  std::vector<double> shares;
  std::vector<double> chances;
  for (std::size_t end = 0; end < law.ends.size(); ++end) {
    shares.push_back(share_of(paid.by_end()[end], paid.staked()));
    chances.push_back(share_of(law.ends[end].probability, 1));
  }
  group->observe(shares, chances, paid.foreign());
  board_.look(*group, found);
}

void PaymentReader::round(const certs::LedgerRecord& record, Found& found) {
  const auto chain = ledger_.chain(record.object);
  const auto round = chain ? round_of(*chain) : std::nullopt;
  if (!round) {
    ++unwatched_;
    return;
  }
  const Known* table = known(round->open.table);
  if (table == nullptr || !round->settled) return;
  if (table->play) return played(*table, *round, record.seq, found);
  std::vector<games::PaymentLaw> moved;
  if (table->shoe) {
    const auto gone = cards_.before(round->open.shoe, round->closed, record.seq);
    auto laws = gone ? games::payment_laws(table->table, *gone)
                     : fail(games::Errc::card_invalid, "the shoe is not known");
    if (!laws) {
      ++unwatched_;
      return;
    }
    moved = std::move(*laws);
  }
  const auto& laws = table->shoe ? moved : table->laws;
  const auto all = paid(*table, laws, *round);
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (!all[i].counts()) continue;
    const std::string key = key_place(table->place) + "/" + table->keys[i];
    const std::string together = all_places + ("/" + table->keys[i]);
    // A draw is settled in the moment it falls; of coups those that end sooner would come first.
    // Before the places fill the board, so that who opens many hides nothing.
    if (!table->shoe) static_cast<void>(board_.group(together, now_us_));
    observe(key, laws[i], all[i], found);
    if (!table->shoe) observe(together, laws[i], all[i], found);
    add_sums(key, *table, laws[i], all[i]);
  }
  changed_ = true;
}

void PaymentReader::read(const certs::LedgerRecord& record, std::int64_t now_us, Found& found) {
  now_us_ = now_us;
  cards_.read(record);
  if (record.kind == Kind::round_end) round(record, found);
  if (record.kind == Kind::table_close) tables_.erase(record.object);
}

}  // namespace talla::rngd
