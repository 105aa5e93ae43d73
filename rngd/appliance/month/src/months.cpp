// Counts what the records of each month say.
#include "month/months.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_draw.hpp"
#include "format/body_machine.hpp"
#include "format/body_table.hpp"
#include "format/merkle.hpp"
#include "format/record.hpp"
#include "games/catalogue.hpp"
#include "stats/special.hpp"

namespace talla::month {
/// What is counted; named, since a class that others declare holds it.
namespace counted {

using Counts = std::map<std::string, std::uint64_t>;

/// The results of one kind of draw at a table.
struct Draws {
  std::uint64_t values = 0;  ///< how many results a wheel or a die has; 0: not equally likely
  std::uint64_t draws = 0;
  /// What a draw asks for, as a record has it.
  json::Value specification{};
  /// Of a wheel its numbers as the game calls them ("#20" is a pocket of one that is not built in),
  /// of dice every single face.
  Counts results;
};

/// What a table is: it is said once, perhaps in another month.
struct KnownTable {
  std::string place, game, currency, unit;
  Digest catalogue{};
  std::set<std::string> prison;  ///< bets that are staked already and not yet settled to their end
};

struct TableMonth {
  std::map<std::string, Draws> draws;  // by what is drawn
  Counts voids, missing, shoes;
  std::uint64_t rounds = 0, settlements = 0, misdeals = 0;
  std::int64_t staked = 0, returned = 0;
  [[nodiscard]] bool empty() const {
    return draws.empty() && voids.empty() && shoes.empty() && rounds == 0 && settlements == 0 &&
           misdeals == 0;
  }
};

struct MonthCount {
  std::uint64_t records = 0, refused = 0, reseeds = 0;
  std::map<std::string, TableMonth> tables;
  Counts selftests, resets, power;
  json::Array alarms, latches;
};

}  // namespace counted

namespace {

using certs::Kind;
using counted::Counts;
using counted::Draws;
using counted::KnownTable;
using counted::MonthCount;
using counted::TableMonth;

/// The month of a time in microseconds of UTC, as YYYY-MM.
std::string month_at(std::int64_t time_us) {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  const year_month_day date(floor<days>(sys_time<microseconds>(microseconds(time_us))));
  return fmt::format("{:04}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()));
}

json::Object counts_json(const Counts& counts) {
  json::Object out;
  for (const auto& [name, count] : counts) out.emplace(name, count);
  return out;
}

/// Chi-square of equally likely results; empty: too few for it.
std::string chance_of(const Draws& draws) {
  constexpr std::uint64_t expected_least = 5;
  std::uint64_t all = 0;
  for (const auto& [name, count] : draws.results) all += count;
  if (draws.values < 2 || all < expected_least * draws.values) return {};
  const double expected = static_cast<double>(all) / static_cast<double>(draws.values);
  double sum = expected * static_cast<double>(draws.values - draws.results.size());
  for (const auto& [name, count] : draws.results) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return fmt::format("{:.6f}", stats::chi_square_tail(sum, static_cast<double>(draws.values - 1)));
}

json::Value table_json(const TableMonth& table, const KnownTable& known) {
  json::Array draws;
  for (const auto& [text, one] : table.draws) {
    json::Object entry{{"draws", one.draws},
                       {"results", counts_json(one.results)},
                       {"specification", one.specification}};
    if (const std::string chance = chance_of(one); !chance.empty()) entry.emplace("p", chance);
    draws.emplace_back(std::move(entry));
  }
  json::Object out{{"currency", known.currency},
                   {"draws", std::move(draws)},
                   {"game", known.game},
                   {"misdeals", table.misdeals},
                   {"place", known.place},
                   {"returned", table.returned},
                   {"rounds", table.rounds},
                   {"settlements", table.settlements},
                   {"shoes", counts_json(table.shoes)},
                   {"staked", table.staked},
                   {"unit", known.unit},
                   {"voids", counts_json(table.voids)},
                   {"withheld", counts_json(table.missing)}};
  if (known.catalogue != Digest{}) out.emplace("catalogue", to_hex(known.catalogue));
  return out;
}

}  // namespace

class Months::Counter {
 public:
  [[nodiscard]] Status take(std::string_view text) {
    const auto record = certs::parse_record(text);
    if (!record) return fail(MonthErrc::month_refused, record.error().detail);
    if (origin_.empty()) origin_ = record->origin;
    if (record->origin != origin_)
      return fail(MonthErrc::month_refused,
                  "a record of " + record->origin + " among those of " + origin_);
    if (record->seq < next_)
      return fail(MonthErrc::month_refused, "record " + std::to_string(record->seq) +
                                                " is behind record " + std::to_string(next_ - 1) +
                                                "; ascending numbers are expected");
    whole_ = whole_ && record->seq == next_;
    next_ = record->seq + 1;
    if (whole_) tree_.append(hashes_, certs::leaf_hash(hashes_, as_bytes(text)));
    count(*record);
    return {};
  }
  [[nodiscard]] std::uint64_t below() const { return next_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] std::optional<Digest> root() const {
    return whole_ ? std::optional(tree_.root(hashes_)) : std::nullopt;
  }
  [[nodiscard]] json::Value report(const std::string& month, Held held) const {
    static const MonthCount nothing;
    const auto found = months_.find(month);
    const MonthCount& count = found == months_.end() ? nothing : found->second;
    json::Object log{{"below", next_},
                     {"held_against", std::move(held.against)},
                     {"origin", origin_},
                     {"records_of_month", count.records}};
    if (whole_ && next_ > 0) log.emplace("root", to_hex(tree_.root(hashes_)));
    json::Object tables;
    for (const auto& [id, table] : count.tables)
      if (!id.empty() && !table.empty()) tables.emplace(id, table_json(table, known(id)));
    return json::Object{{"accesses_refused", count.refused},
                        {"alarms", count.alarms},
                        {"faults", std::move(held.faults)},
                        {"format", 1},
                        {"kind", "talla-lab month"},
                        {"latch_resets", counts_json(count.resets)},
                        {"latches", count.latches},
                        {"log", std::move(log)},
                        {"month", month},
                        {"power", counts_json(count.power)},
                        {"reseeds", count.reseeds},
                        {"selftests", counts_json(count.selftests)},
                        {"tables", std::move(tables)}};
  }

 private:
  void count(const certs::Record& record) {
    MonthCount& month = months_[month_at(record.time_us)];
    ++month.records;
    if (record.table.empty()) return machine(record, month);
    TableMonth& table = month.tables[record.table];
    switch (record.kind) {
      case Kind::table_open:
        return table_opens(record);
      case Kind::call:
        return call(record);
      case Kind::draw:
        return draw(record, table);
      case Kind::settlement:
        return settlement(record, table);
      case Kind::round_open:
        ++table.rounds;
        return;
      case Kind::misdeal:
        ++table.misdeals;
        return;
      case Kind::void_call:
        return void_call(record, table);
      case Kind::shoe_commit:
        ++table.shoes["sealed"];
        return;
      case Kind::shoe_close:
        ++table.shoes["closed"];
        return;
      default:
        return machine(record, month);
    }
  }
  [[nodiscard]] KnownTable known(const std::string& id) const {
    const auto found = tables_.find(id);
    return found == tables_.end() ? KnownTable{} : found->second;
  }
  void table_opens(const certs::Record& record) {
    const auto body = certs::TableOpenBody::from_json(record.body);
    if (!body) return;
    KnownTable& table = tables_[record.table];
    table.place = body->place;
    table.game = body->game;
    table.currency = body->currency;
    table.unit = body->unit;
    table.catalogue = body->catalogue;
    if (!body->continues.empty()) table.prison = std::exchange(tables_[body->continues].prison, {});
  }
  void call(const certs::Record& record) {
    const auto body = certs::CallBody::from_json(record.body);
    if (!body || body->core.use == certs::CallUse::mix) return;
    calls_[record.seq] = certs::specification_json(body->core.draw());
  }
  void draw(const certs::Record& record, TableMonth& table) {
    const auto body = certs::DrawBody::from_json(record.body);
    const auto found = body ? calls_.find(body->call) : calls_.end();
    if (found == calls_.end()) return;
    Draws& draws = table.draws[json::canonical(found->second)];
    ++draws.draws;
    const auto number = [&](const char* key) {
      const json::Value* value = found->second.find(key);
      return value != nullptr && value->is_integer() ? static_cast<std::uint64_t>(value->integer())
                                                     : std::uint64_t{0};
    };
    const bool pocket = body->outcome.form == certs::Outcome::Form::pocket;
    const bool dice = body->outcome.form == certs::Outcome::Form::dice;
    draws.values = pocket ? number("pockets") : dice ? number("faces") : 0;
    draws.specification = found->second;
    for (const std::uint32_t value : body->outcome.values)
      ++draws.results[pocket ? number_of(record.table, value) : std::to_string(value)];
    calls_.erase(found);
  }
  /// A pocket as the table's game calls it.
  [[nodiscard]] std::string number_of(const std::string& table, std::uint32_t index) const {
    const auto found = tables_.find(table);
    const auto* numbers =
        found == tables_.end()
            ? nullptr
            : games::wheel_numbers(found->second.catalogue, found->second.game, hashes_);
    return numbers != nullptr && index < numbers->size() ? numbers->at(index)
                                                         : "#" + std::to_string(index);
  }
  void settlement(const certs::Record& record, TableMonth& table) {
    const auto body = certs::SettlementBody::from_json(record.body);
    if (!body) return;
    if (body->part.last()) ++table.settlements;
    std::set<std::string>& prison = tables_[record.table].prison;
    for (const auto& one : body->results) {
      // While a stake waits, no other bet has its id.
      if (prison.erase(one.bet) == 0) table.staked += one.stake;
      if (one.result == "prison") prison.insert(one.bet);
      table.returned += one.returned;
    }
  }
  void void_call(const certs::Record& record, TableMonth& table) {
    const json::Value* call = record.body.find("call");
    if (call != nullptr && call->is_integer())
      calls_.erase(static_cast<std::uint64_t>(call->integer()));
    const json::Value* cause = record.body.find("cause");
    if (cause != nullptr && cause->is_string()) ++table.voids[cause->string()];
    const json::Value* missing = record.body.find("missing");
    if (missing == nullptr || !missing->is_array()) return;
    for (const json::Value& id : missing->array())
      if (id.is_string()) ++table.missing[id.string()];
  }
  static void machine(const certs::Record& record, MonthCount& month) {
    if (record.kind == Kind::health) {
      if (const auto body = certs::HealthBody::from_json(record.body))
        month.alarms.emplace_back(json::Object{{"dropped", body->dropped},
                                               {"level", body->level},
                                               {"seq", record.seq},
                                               {"source", body->source},
                                               {"test", body->test},
                                               {"time_us", record.time_us}});
    } else if (record.kind == Kind::selftest) {
      const auto body = certs::SelftestBody::from_json(record.body);
      if (!body) return;
      ++month.selftests[body->failed ? "fail" : "pass"];
      // Known answers that do not hold make a latch with a reason of its own behind them.
      if (body->failed && body->test.starts_with("generator-") &&
          body->test != "generator-known-answers")
        latch(record, body->test, month);
    } else if (record.kind == Kind::access) {
      const auto body = certs::AccessBody::from_json(record.body);
      if (!body) return;
      if (body->what == "generator-latch" && !body->refused) latch(record, body->what, month);
      if (body->what.starts_with("latch-reset.")) ++month.resets[body->what];
      if (body->refused) ++month.refused;
    } else if (record.kind == Kind::power) {
      const auto body = certs::PowerBody::from_json(record.body);
      if (!body) return;
      ++month.power[body->stop ? "stop" : body->clean ? "start" : "start-after-no-clean-stop"];
    } else if (record.kind == Kind::reseed) {
      ++month.reseeds;
    }
  }
  static void latch(const certs::Record& record, const std::string& what, MonthCount& month) {
    month.latches.emplace_back(
        json::Object{{"seq", record.seq}, {"time_us", record.time_us}, {"what", what}});
  }

  certs::OpensslHashes hashes_;
  bool whole_ = true;  // from record 0 on, none is missing
  certs::CompactRange tree_;
  std::string origin_;
  std::uint64_t next_ = 0;                      // number of the record that comes next
  std::map<std::uint64_t, json::Value> calls_;  // what each open one asks for
  std::map<std::string, KnownTable> tables_;
  std::map<std::string, MonthCount> months_;
};

std::string_view errc_name(MonthErrc /*errc*/) {
  return "month_refused";
}

bool is_month(std::string_view text) {
  constexpr std::size_t length = 7;
  constexpr std::size_t dash = 4;
  if (text.size() != length || text[dash] != '-') return false;
  for (std::size_t i = 0; i < length; ++i)
    if (i != dash && (text[i] < '0' || text[i] > '9')) return false;
  const int month = (text[dash + 1] - '0') * 10 + (text[dash + 2] - '0');
  return month >= 1 && month <= 12;
}

Months::Months() : counter_(std::make_unique<Counter>()) {}
Months::~Months() = default;
Status Months::take(std::string_view record) {
  return counter_->take(record);
}
std::uint64_t Months::below() const {
  return counter_->below();
}
const std::string& Months::origin() const {
  return counter_->origin();
}
std::optional<Digest> Months::root() const {
  return counter_->root();
}
json::Value Months::report(const std::string& month, Held held) const {
  return counter_->report(month, std::move(held));
}

}  // namespace talla::month
