// The latch as the ledger has it, and its reset by two persons.
#include "latch.hpp"

#include <algorithm>
#include <array>

#include "acts.hpp"
#include "format/body_machine.hpp"
#include "problem.hpp"

namespace talla::core {
namespace {

constexpr std::uint64_t records_at_a_time = 1000;
/// Of the SELFTEST in which each start says what stands then: `latch:none`, `latch:REASON`.
constexpr std::string_view standing_prefix = "latch:";
/// Of the SELFTEST that a latch makes: `generator-REASON`.
constexpr std::string_view happened_prefix = "generator-";
/// Of the ACCESS of a person who stops new commitments.
constexpr std::string_view ordered_stop = "generator-latch";

std::optional<entropy::LatchReason> reason_named(std::string_view name) {
  for (int number = 1; number <= 64; ++number) {
    const auto reason = static_cast<entropy::LatchReason>(number);
    if (entropy::latch_reason_name(reason) == name) return reason;
  }
  return std::nullopt;
}

std::string_view member_text(const certs::Record& record, std::string_view member) {
  const auto* found = record.body.find(member);
  return found != nullptr && found->is_string() ? std::string_view(found->string())
                                                : std::string_view();
}

/// What one record says of the latch.
struct LatchNews {
  enum class What : std::uint8_t { nothing, open, stands, began } what = What::nothing;
  LatchCause cause{};
};

LatchNews told_of_latch(const certs::Record& record) {
  using What = LatchNews::What;
  const auto cause = [&record](entropy::LatchReason reason) {
    LatchCause found{
        .reason = reason, .by = {}, .note = {}, .seq = record.seq, .since_us = record.time_us};
    if (record.client) found.by = record.client->id;
    if (const auto words = from_base64url(record.note))
      found.note.assign(words->begin(), words->end());
    return found;
  };
  if (record.kind == certs::Kind::access) {
    const auto what = member_text(record, "what");
    if (what == "latch-reset.done") return {.what = What::open};
    if (what == ordered_stop)
      return {.what = What::began, .cause = cause(entropy::LatchReason::operator_request)};
    return {};
  }
  if (record.kind != certs::Kind::selftest) return {};
  const auto test = member_text(record, "test");
  if (test == "latch:none") return {.what = What::open};
  if (test.starts_with(standing_prefix))
    return {.what = What::stands,
            .cause = cause(reason_named(test.substr(standing_prefix.size()))
                               .value_or(entropy::LatchReason::other))};
  if (!test.starts_with(happened_prefix) || member_text(record, "result") != "fail") return {};
  const auto reason = reason_named(test.substr(happened_prefix.size()));
  return reason ? LatchNews{.what = What::began, .cause = cause(*reason)} : LatchNews{};
}

}  // namespace

/// Read backwards.
Result<std::optional<LatchCause>> latch_of_log(const certs::Ledger& ledger, std::uint64_t behind) {
  std::optional<LatchCause> standing;  // as the newest start says
  for (auto to = ledger.size(); to > behind;) {
    const auto from = to - std::min(to - behind, records_at_a_time);
    TALLA_TRY(const auto page, ledger.records(from, to));
    for (auto stored = page.rbegin(); stored != page.rend(); ++stored) {
      if (stored->kind != certs::Kind::selftest && stored->kind != certs::Kind::access) continue;
      TALLA_TRY(const auto record, certs::parse_record(stored->bytes));
      auto told = told_of_latch(record);
      if (told.what == LatchNews::What::open) return standing;
      if (told.what == LatchNews::What::began) return std::optional(std::move(told.cause));
      if (told.what == LatchNews::What::stands && !standing) standing = std::move(told.cause);
    }
    to = from;
  }
  return standing;
}

Status Latch::load() {
  TALLA_TRY(known_, latch_of_log(appliance_.effects.log.ledger(), 0));
  if (!known_) return {};
  stands_ = true;
  appliance_.effects.supply.latch(known_->reason);
  return {};
}

void Latch::stop_by_order() {
  ordered_ = true;
  appliance_.effects.supply.latch(entropy::LatchReason::operator_request);
}

std::optional<LatchCause> Latch::cause_of_latch() const {
  if (!stands_) return std::nullopt;
  if (!known_) {
    auto found = latch_of_log(appliance_.effects.log.ledger(), open_until_);
    if (found) known_ = std::move(*found);
  }
  return known_;
}

Status Latch::record_standing(Transaction& tx) const {
  const auto reason = appliance_.effects.supply.latched();
  const std::string name(reason ? entropy::latch_reason_name(*reason) : "none");
  const certs::SelftestBody body{
      .test = std::string(standing_prefix) + name, .failed = reason.has_value(), .count = 1};
  TALLA_TRY_STATUS(tx.add({certs::Kind::selftest, {}, {}, body.to_json()}));
  return {};
}

bool secrets_lost(const World& world) {
  const bool shoe_lost = std::ranges::any_of(world.shoes, [](const auto& entry) {
    return !entry.second.progress.closed && !entry.second.secrets;
  });
  const bool batch_lost = std::ranges::any_of(world.batches, [](const auto& entry) {
    const auto& batch = entry.second;
    const bool unused = !batch.progress.closed && batch.progress.next < batch.commit->count;
    return (unused || !batch.open_calls.empty()) && !batch.secrets;
  });
  return shoe_lost || batch_lost;
}

Status Latch::reset_possible() const {
  const auto reason = appliance_.effects.supply.latched();
  if (!stands_ && !reason && !clock_.stepped())
    return fail(Errc::wrong_state, "the generator is not latched");
  if (reason == entropy::LatchReason::fork)
    return fail(Errc::cause_persists, "the generator belongs to another process");
  if (secrets_lost(appliance_.world()))
    return fail(Errc::cause_persists, "a sealed secret that is needed does not open");
  return {};
}

void Latch::on_written(std::uint64_t group) {
  if (running_act(appliance_.world(), ActKind::latch_reset) != nullptr && !resetting_ && !due_with_)
    due_with_ = group;
}

void Latch::on_durable(std::uint64_t group) {
  if (!due_with_ || group < *due_with_) return;
  due_with_.reset();
  if (appliance_.failed() || resetting_ ||
      running_act(appliance_.world(), ActKind::latch_reset) == nullptr)
    return;
  resetting_ = true;
  appliance_.effects.supply.begin_reset();
}

void Latch::reset_ended(const Status& how) {
  if (!resetting_) return;
  resetting_ = false;
  if (!record_end(how)) appliance_.lose_event();
}

Status Latch::record_end(const Status& how) {
  const auto* act = running_act(appliance_.world(), ActKind::latch_reset);
  if (act == nullptr) return fail(Errc::wrong_state, "nobody confirmed this reset");
  const bool good = how.has_value() && !appliance_.effects.supply.latched();
  auto tx = appliance_.begin();
  TALLA_TRY_STATUS(add_step(tx, *act, good ? ActStage::done : ActStage::failed));
  tx.keep();
  if (good) {
    stands_ = false;
    known_.reset();
    clock_.forget();
  }
  appliance_.metrics.count(std::string("talla_latch_resets_total{result=\"") +
                           (good ? "done" : "failed") + "\"}");
  return {};
}

Status Latch::end_interrupted() {
  const auto* act = running_act(appliance_.world(), ActKind::latch_reset);
  if (act == nullptr) return {};
  auto tx = appliance_.begin();
  TALLA_TRY_STATUS(add_step(tx, *act, ActStage::failed));
  tx.keep();
  return {};
}

void Latch::on_pause() {
  const bool latched = stands_ || appliance_.effects.supply.latched();
  appliance_.metrics.set("talla_latched", latched ? 1.0 : 0.0);
  if (!latched) open_until_ = appliance_.effects.log.size();
  const auto cause = cause_of_latch();
  const auto told = cause ? std::optional(cause->seq) : std::nullopt;
  if (told == told_) return;
  told_ = told;
  appliance_.metrics.drop("talla_latch_since_seconds");
  if (!cause) return;
  const std::string_view by = cause->by.empty() ? "appliance" : "person";
  appliance_.metrics.set("talla_latch_since_seconds{reason=\"" +
                             std::string(entropy::latch_reason_name(cause->reason)) + "\",by=\"" +
                             std::string(by) + "\"}",
                         static_cast<double>(cause->since_us) / 1e6);
}

std::optional<Error> Latch::objection() const {
  if (!stands_) return std::nullopt;
  return latched_error();
}

}  // namespace talla::core
