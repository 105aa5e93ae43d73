#include <algorithm>
#include <array>

#include "acts.hpp"
#include "core.hpp"

namespace talla::core {
namespace {

constexpr std::uint64_t page_records = 1000;
/// Of the SELFTEST in which each start says what stands then: `latch:none`, `latch:REASON`.
constexpr std::string_view stands = "latch:";
/// Of the SELFTEST that a latch makes: `generator-REASON`.
constexpr std::string_view happened = "generator-";

std::optional<entropy::LatchReason> reason_named(std::string_view name) {
  for (int number = 1; number <= 64; ++number) {
    const auto reason = static_cast<entropy::LatchReason>(number);
    if (entropy::latch_reason_name(reason) == name) return reason;
  }
  return std::nullopt;
}

std::string_view text_of(const certs::Record& record, std::string_view member) {
  const auto* found = record.body.find(member);
  return found != nullptr && found->is_string() ? std::string_view(found->string())
                                                : std::string_view();
}

/// What one record says of the latch; the outer one is empty where it says nothing, the inner one where there is none.
std::optional<std::optional<entropy::LatchReason>> told_of_latch(const certs::Record& record) {
  if (record.kind == certs::Kind::access && text_of(record, "what") == "latch-reset.done")
    return std::optional<entropy::LatchReason>();
  if (record.kind != certs::Kind::selftest) return std::nullopt;
  const auto test = text_of(record, "test");
  if (test == "latch:none") return std::optional<entropy::LatchReason>();
  if (test.starts_with(stands))
    return reason_named(test.substr(stands.size())).value_or(entropy::LatchReason::other);
  if (!test.starts_with(happened) || text_of(record, "result") != "fail") return std::nullopt;
  const auto reason = reason_named(test.substr(happened.size()));
  return reason ? std::optional(reason) : std::nullopt;
}

}  // namespace

/// The log alone says it: whoever deletes any other file or document ends no latch. Read backwards to the last record that
/// speaks of it; each start has one, so of a long log its last boot is read.
Result<std::optional<entropy::LatchReason>> Service::Core::latch_of_log() const {
  for (auto to = effects_.log.size(); to > 0;) {
    const auto from = to - std::min(to, page_records);
    TALLA_TRY(const auto page, effects_.log.ledger().records(from, to));
    for (auto stored = page.rbegin(); stored != page.rend(); ++stored) {
      if (stored->kind != certs::Kind::selftest && stored->kind != certs::Kind::access) continue;
      TALLA_TRY(const auto record, certs::parse_record(stored->bytes));
      if (const auto told = told_of_latch(record)) return *told;
    }
    to = from;
  }
  return std::optional<entropy::LatchReason>();
}

Status Service::Core::load_latch() {
  TALLA_TRY(const auto reason, latch_of_log());
  if (!reason) return {};
  latch_stands_ = true;
  effects_.supply.latch(*reason);
  return {};
}

Status Service::Core::add_latch_record(Transaction& tx) const {
  const auto reason = effects_.supply.latched();
  const std::string name(reason ? entropy::latch_reason_name(*reason) : "none");
  TALLA_TRY(const auto seq, tx.add({certs::Kind::selftest,
                                    {},
                                    {},
                                    json::Object{{"test", std::string(stands) + name},
                                                 {"result", reason ? "fail" : "pass"},
                                                 {"count", 1}}}));
  static_cast<void>(seq);
  return {};
}

bool Service::Core::secrets_lost() const {
  const bool shoe_lost = std::ranges::any_of(
      world_.shoes, [](const auto& entry) { return !entry.second.progress.closed && !entry.second.secrets; });
  const bool batch_lost = std::ranges::any_of(world_.batches, [](const auto& entry) {
    const auto& batch = entry.second;
    const bool unused = !batch.closed && batch.progress.next < batch.commit->count;
    return (unused || !batch.open_intents.empty()) && !batch.secrets;
  });
  return shoe_lost || batch_lost;
}

Status Service::Core::reset_allowed() const {
  const auto reason = effects_.supply.latched();
  if (!latch_stands_ && !reason && !clock_stepped_)
    return fail(Errc::wrong_state, "the generator is not latched");
  if (reason == entropy::LatchReason::fork)
    return fail(Errc::cause_persists, "the generator belongs to another process");
  if (secrets_lost()) return fail(Errc::cause_persists, "a sealed secret that is needed does not open");
  if (software_bad_) return fail(Errc::cause_persists, "the software is still not what its manifest says");
  if (software_held_) return fail(Errc::cause_persists, "this start did not take the changed software");
  if (monitor_latched_)
    return fail(Errc::cause_persists, "the alarm of a monitor stands until the next start");
  return {};
}

const Act* Service::Core::running(ActKind kind) const {
  for (const auto& [seq, act] : world_.acts) {
    if (act.kind == kind && act.stage == ActStage::confirmed) return &act;
  }
  return nullptr;
}

void Service::Core::begin_due_reset() {
  if (failed_ || reset_runs_ || running(ActKind::latch_reset) == nullptr) return;
  reset_runs_ = true;
  effects_.supply.begin_reset();
}

void Service::Core::watch_reset() {
  const auto ended = effects_.supply.take_reset();
  record_events();
  if (!ended || !reset_runs_) return;
  reset_runs_ = false;
  if (record_reset(*ended)) return;
  count("talla_event_records_lost_total");
  effects_.supply.latch(entropy::LatchReason::other);
  failed_ = true;
}

Status Service::Core::record_reset(const Status& ended) {
  const auto* act = running(ActKind::latch_reset);
  if (act == nullptr) return fail(Errc::wrong_state, "nobody confirmed this reset");
  const bool good = ended.has_value() && !effects_.supply.latched();
  Transaction tx(tx_effects(), world_, {});
  TALLA_TRY(const auto seq, add_step(tx, *act, good ? ActStage::done : ActStage::failed));
  static_cast<void>(seq);
  tx.keep();
  if (good) {
    latch_stands_ = false;
    clock_stepped_ = false;
  }
  count(std::string("talla_latch_resets_total{result=\"") + (good ? "done" : "failed") + "\"}");
  return {};
}

Status Service::Core::end_interrupted_resets() {
  const auto* act = running(ActKind::latch_reset);
  if (act == nullptr) return {};
  Transaction tx(tx_effects(), world_, {});
  TALLA_TRY(const auto seq, add_step(tx, *act, ActStage::failed));
  static_cast<void>(seq);
  tx.keep();
  return {};
}

void Service::Core::expire_acts() {
  const auto now_us = effects_.clock.utc_us();
  std::vector<Act> late;
  for (const auto& [seq, act] : world_.acts) {
    if (act.stage == ActStage::asked && act_late(act, settings_, now_us)) late.push_back(act);
  }
  for (const auto& act : late) {
    Transaction tx(tx_effects(), world_, {});
    if (add_step(tx, act, ActStage::expired)) tx.keep();
  }
}

Result<json::Object> Service::Core::acts_view(const Route& route) const {
  if (route.row->operation == Operation::list_acts) {
    json::Array acts;
    for (const auto& [seq, act] : world_.acts) acts.emplace_back(act_view(act, settings_));
    json::Array approvals;
    for (const auto& one : world_.approvals) approvals.emplace_back(approval_view(one));
    return json::Object{{"acts", std::move(acts)}, {"approvals", std::move(approvals)}};
  }
  const auto seq = certs::object_seq("act", route.argument("act"));
  const auto found = seq ? world_.acts.find(*seq) : world_.acts.end();
  if (found == world_.acts.end()) return fail(Errc::not_found, "no such act");
  return json::Object{{"act", act_view(found->second, settings_)}};
}

}  // namespace talla::core
