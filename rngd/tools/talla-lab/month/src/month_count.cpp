// Counts what the records of a month say.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>

#include "certs/openssl_hashes.hpp"
#include "format/body_draw.hpp"
#include "format/body_machine.hpp"
#include "format/body_table.hpp"
#include "format/checkpoint.hpp"
#include "format/cosignature.hpp"
#include "format/merkle.hpp"
#include "format/record.hpp"
#include "lab_month/month.hpp"
#include "stats/special.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::lab::month {
namespace {

using certs::Kind;

tl::unexpected<Error> month_refusal(const std::string& what) {
  return fail(MonthErrc::month_refused, what);
}

/// Begin and end of a month, microseconds of UTC.
struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
Result<Span> span_of(const std::string& month) {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  constexpr std::size_t length = 7;
  constexpr std::size_t dash = 4;
  bool good = month.size() == length && month[dash] == '-';
  for (std::size_t i = 0; good && i < length; ++i)
    good = i == dash || (month[i] >= '0' && month[i] <= '9');
  const auto at =
      good ? year(std::stoi(month.substr(0, dash))) /
                 std::chrono::month(static_cast<unsigned>(std::stoi(month.substr(dash + 1))))
           : year_month{};
  if (!good || !at.ok()) return month_refusal(month + ": a month like 2026-11 is expected");
  const auto time = [](year_month one) {
    return duration_cast<microseconds>(sys_days(one / 1).time_since_epoch()).count();
  };
  return Span{time(at), time(at + months(1))};
}

using Counts = std::map<std::string, std::uint64_t>;

json::Object counts_json(const Counts& counts) {
  json::Object out;
  for (const auto& [name, count] : counts) out.emplace(name, count);
  return out;
}

/// The results of one kind of draw at a table.
struct Draws {
  std::uint64_t values = 0;  ///< how many results a wheel or a die has; 0: not equally likely
  std::uint64_t draws = 0;
  Counts results;  ///< of a wheel its pockets, of dice every single face
};

struct TableMonth {
  std::string place, game, currency;
  std::map<std::string, Draws> draws;  // by what is drawn
  Counts voids, missing, shoes;
  std::uint64_t rounds = 0, settlements = 0, misdeals = 0;
  std::int64_t staked = 0, returned = 0;
  [[nodiscard]] bool empty() const {
    return draws.empty() && voids.empty() && shoes.empty() && rounds == 0 && settlements == 0 &&
           misdeals == 0;
  }
};

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

json::Value table_json(const TableMonth& table) {
  json::Array draws;
  for (const auto& [what, one] : table.draws) {
    json::Object entry{{"draws", one.draws}, {"results", counts_json(one.results)}, {"what", what}};
    if (const std::string chance = chance_of(one); !chance.empty()) entry.emplace("p", chance);
    draws.emplace_back(std::move(entry));
  }
  return json::Object{{"currency", table.currency},
                      {"draws", std::move(draws)},
                      {"game", table.game},
                      {"misdeals", table.misdeals},
                      {"place", table.place},
                      {"returned", table.returned},
                      {"rounds", table.rounds},
                      {"settlements", table.settlements},
                      {"shoes", counts_json(table.shoes)},
                      {"staked", table.staked},
                      {"voids", counts_json(table.voids)},
                      {"withheld", counts_json(table.missing)}};
}

class Month {
 public:
  Month(const MonthWish& wish, Span span) : wish_(wish), span_(span) {}

  [[nodiscard]] Result<json::Value> counted() {
    TALLA_TRY_STATUS(read_checkpoint());
    std::size_t number = 0;
    for (std::size_t at = 0; at < wish_.log.size();) {
      const std::size_t end = std::min(wish_.log.find('\n', at), wish_.log.size());
      ++number;
      TALLA_TRY_STATUS(line(std::string_view(wish_.log).substr(at, end - at), number));
      at = end + 1;
    }
    if (next_ == 0 && origin_.empty()) return month_refusal("the log: there is no record in it");
    if (checkpoint_ && !held_)
      fault("short", fmt::format("the checkpoint is of {} records, here are those below {}{}",
                                 checkpoint_->size, next_, whole_ ? "" : ", not all of them"));
    return result();
  }

 private:
  void fault(const std::string& what, const std::string& words) {
    faults_.emplace_back(json::Object{{"what", what}, {"words", words}});
  }
  [[nodiscard]] Status read_checkpoint() {
    if (wish_.checkpoint.empty()) return {};
    const certs::BotanHashes hashes;
    const certs::BotanEd25519 verifier;
    const auto key = certs::parse_verifier_key(hashes, wish_.key);
    if (!key) return month_refusal("--key: " + key.error().detail);
    const auto note = certs::parse_note(wish_.checkpoint);
    if (!note) return month_refusal("--checkpoint: " + note.error().detail);
    if (certs::check_log_signature(*note, *key, verifier) != certs::Signed::valid)
      return month_refusal("--checkpoint: it is not signed by " + key->name);
    TALLA_TRY(checkpoint_, certs::parse_checkpoint_text(note->text));
    if (checkpoint_->size == 0) return month_refusal("--checkpoint: of a log without records");
    return {};
  }
  [[nodiscard]] Status line(std::string_view text, std::size_t number) {
    if (text.empty()) return {};
    const std::string where = "line " + std::to_string(number) + ": ";
    json::Value receipt;
    if (text.starts_with(R"({"proof":)")) {
      auto parsed = json::parse(text);
      if (!parsed) return month_refusal(where + parsed.error().detail);
      receipt = std::move(*parsed);
      const json::Value* inner = receipt.find("record");
      if (inner == nullptr || !inner->is_string())
        return month_refusal(where + "a receipt without its record");
      text = inner->string();
    }
    const auto record = certs::parse_record(text);
    if (!record) return month_refusal(where + record.error().detail);
    if (origin_.empty()) origin_ = record->origin;
    if (record->origin != origin_)
      return month_refusal(where + "a record of " + record->origin + " among those of " + origin_);
    if (checkpoint_ && checkpoint_->origin != origin_)
      return month_refusal("--checkpoint: is of " + checkpoint_->origin + ", not of " + origin_);
    if (record->seq < next_)
      return month_refusal(where + "record " + std::to_string(record->seq) + " is behind record " +
                           std::to_string(next_ - 1) + "; ascending numbers are expected");
    if (record->seq > next_) {
      whole_ = false;
      fault("gap", fmt::format("records {} to {} are not here", next_, record->seq - 1));
    }
    next_ = record->seq + 1;
    if (whole_) {
      tree_.append(hashes_, certs::leaf_hash(hashes_, as_bytes(text)));
      if (checkpoint_ && tree_.size() == checkpoint_->size) {
        held_ = true;
        if (tree_.root(hashes_) != checkpoint_->root)
          fault("root", fmt::format("the first {} records are not those of the signed checkpoint",
                                    checkpoint_->size));
      }
    }
    take(*record);
    return {};
  }
  void take(const certs::Record& record) {
    // What tables and calls are, is said once, perhaps in another month.
    if (record.kind == Kind::table_open) table_opens(record);
    if (record.kind == Kind::call) call(record);
    if (record.time_us < span_.begin || record.time_us >= span_.end) return;
    ++records_;
    TableMonth& table = tables_[record.table];
    switch (record.kind) {
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
        return machine(record);
    }
  }
  void table_opens(const certs::Record& record) {
    const auto body = certs::TableOpenBody::from_json(record.body);
    if (!body) return;
    TableMonth& table = tables_[record.table];
    table.place = body->place;
    table.game = body->game;
    table.currency = body->currency;
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
    for (const std::uint32_t value : body->outcome.values) ++draws.results[std::to_string(value)];
  }
  static void settlement(const certs::Record& record, TableMonth& table) {
    const auto body = certs::SettlementBody::from_json(record.body);
    if (!body) return;
    ++table.settlements;
    for (const auto& one : body->results) {
      table.staked += one.stake;
      table.returned += one.returned;
    }
  }
  static void void_call(const certs::Record& record, TableMonth& table) {
    const json::Value* cause = record.body.find("cause");
    if (cause != nullptr && cause->is_string()) ++table.voids[cause->string()];
    const json::Value* missing = record.body.find("missing");
    if (missing == nullptr || !missing->is_array()) return;
    for (const json::Value& id : missing->array())
      if (id.is_string()) ++table.missing[id.string()];
  }
  void machine(const certs::Record& record) {
    if (record.kind == Kind::health) {
      if (const auto body = certs::HealthBody::from_json(record.body))
        alarms_.emplace_back(json::Object{{"dropped", body->dropped},
                                          {"level", body->level},
                                          {"seq", record.seq},
                                          {"source", body->source},
                                          {"test", body->test},
                                          {"time_us", record.time_us}});
    } else if (record.kind == Kind::selftest) {
      const auto body = certs::SelftestBody::from_json(record.body);
      if (!body) return;
      ++selftests_[body->failed ? "fail" : "pass"];
      if (body->failed && body->test.starts_with("generator-")) latch(record, body->test);
    } else if (record.kind == Kind::access) {
      const auto body = certs::AccessBody::from_json(record.body);
      if (!body) return;
      if (body->what == "generator-latch" && !body->refused) latch(record, body->what);
      if (body->what.starts_with("latch-reset.")) ++resets_[body->what];
      if (body->refused) ++refused_;
    } else if (record.kind == Kind::power) {
      const auto body = certs::PowerBody::from_json(record.body);
      if (body) ++power_[body->stop ? "stop" : body->clean ? "start" : "start-after-no-clean-stop"];
    } else if (record.kind == Kind::reseed) {
      ++reseeds_;
    }
  }
  void latch(const certs::Record& record, const std::string& what) {
    latches_.emplace_back(
        json::Object{{"seq", record.seq}, {"time_us", record.time_us}, {"what", what}});
  }
  [[nodiscard]] json::Value result() {
    json::Object log{{"below", next_}, {"origin", origin_}, {"records_of_month", records_}};
    if (whole_) log.emplace("root", to_hex(tree_.root(hashes_)));
    log.emplace("held_against",
                held_ ? "a signed checkpoint of " + std::to_string(checkpoint_->size) + " records"
                      : "nothing");
    json::Object tables;
    for (const auto& [id, table] : tables_)
      if (!id.empty() && !table.empty()) tables.emplace(id, table_json(table));
    return json::Object{{"accesses_refused", refused_},
                        {"alarms", std::move(alarms_)},
                        {"faults", std::move(faults_)},
                        {"format", 1},
                        {"kind", "talla-lab month"},
                        {"latch_resets", counts_json(resets_)},
                        {"latches", std::move(latches_)},
                        {"log", std::move(log)},
                        {"month", wish_.month},
                        {"power", counts_json(power_)},
                        {"reseeds", reseeds_},
                        {"selftests", counts_json(selftests_)},
                        {"tables", std::move(tables)}};
  }

  const MonthWish& wish_;
  Span span_;
  certs::OpensslHashes hashes_;
  std::optional<certs::Checkpoint> checkpoint_;
  bool held_ = false;  // the checkpoint's root was looked at
  bool whole_ = true;  // from record 0 on, none is missing
  certs::CompactRange tree_;
  std::string origin_;
  std::uint64_t next_ = 0;  // number of the record that comes next
  std::uint64_t records_ = 0, refused_ = 0, reseeds_ = 0;
  std::map<std::uint64_t, json::Value> calls_;  // what each asks for
  std::map<std::string, TableMonth> tables_;
  Counts selftests_, resets_, power_;
  json::Array alarms_, latches_, faults_;
};

}  // namespace

std::string_view errc_name(MonthErrc /*errc*/) {
  return "month_refused";
}

Result<json::Value> month_of(const MonthWish& wish) {
  TALLA_TRY(const Span span, span_of(wish.month));
  return Month(wish, span).counted();
}

}  // namespace talla::lab::month
