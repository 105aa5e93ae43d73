// Says in the log whether certifications cover what this appliance commits to.
#include "watch_certification.hpp"

#include <algorithm>

#include "core/certification_hook.hpp"
#include "core/software_hook.hpp"
#include "format/body_machine.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// Of the SELFTEST that says so: `certification` where all is covered, `certification:CODE`,
/// `certification_catalogue:DIGEST` for the rules of a table, `certification_table:ID` for one
/// whose shoes are mixed less than is certified.
constexpr const char* test_name = "certification";
constexpr std::int64_t look_interval_ns = 1'000'000'000;
constexpr const char* catalogue_code = "certification_catalogue";
constexpr const char* table_code = "certification_table";

Status add_test(Transaction& tx, const std::string& test, bool failed) {
  const certs::SelftestBody body{.test = test, .failed = failed, .count = 1};
  TALLA_TRY([[maybe_unused]] const auto seq, tx.add({Kind::selftest, {}, {}, body.to_json()}));
  return {};
}

}  // namespace

std::optional<std::string> CertificationWatch::state(const Table* table, const Shoe* shoe) const {
  const CertificationHook* hook = appliance_.effects.certification;
  if (hook == nullptr) return std::nullopt;
  const auto context = commitment_context(parts_, table != nullptr ? *table : Table(),
                                          appliance_.effects.supply.evidence());
  CertificationQuestion question{.context = context,
                                 .any_catalogue = table == nullptr,
                                 .production = appliance_.settings.profile == "production",
                                 .config_us = configuration_.recorded_us(),
                                 .settings = appliance_.settings.settings_digest};
  if (table != nullptr && shoe != nullptr) {
    question.policy = table->open.policy;
    question.covered = shoe->commit.covered;
  }
  if (appliance_.effects.software != nullptr)
    question.manifest = appliance_.effects.software->manifest();
  // As the records would say it: time never goes back behind what was recorded.
  auto& clock = appliance_.effects.clock;
  question.now_us = std::max(clock.utc_us(), appliance_.effects.log.mark().time_us);
  question.time_quality = clock.quality();
  return hook->objection(question).value_or("");
}

std::optional<json::Object> CertificationWatch::view() const {
  if (!said_) return std::nullopt;
  json::Object view{{"covers", said_->empty()}};
  if (!said_->empty()) view["code"] = *said_;
  json::Array texts;
  for (const auto& one : appliance_.effects.certification->kept())
    texts.emplace_back(to_hex(one.digest));
  view["texts"] = std::move(texts);
  return view;
}

Status CertificationWatch::say(Transaction& tx, const std::string& state) {
  const std::string test = state.empty() ? test_name : test_name + (":" + state);
  TALLA_TRY_STATUS(add_test(tx, test, !state.empty()));
  said_ = state;
  shoes_.clear();
  tables_.clear();
  return {};
}

Status CertificationWatch::on_start(Transaction& tx) {
  if (appliance_.effects.certification != nullptr)
    static_cast<void>(appliance_.effects.certification->changed());
  const auto now = state();
  return now ? say(tx, *now) : Status();
}

void CertificationWatch::on_turn() {
  CertificationHook* hook = appliance_.effects.certification;
  if (hook == nullptr || !hook->changed()) return;
  auto tx = appliance_.begin();
  Status done = configuration_.record(tx, {});
  if (const auto now = state(); done && now) done = say(tx, *now);
  if (!done) return appliance_.lose_event();
  catalogues_.clear();
  tx.keep();
}

Status CertificationWatch::say_catalogues(Transaction& tx) {
  for (const auto& [seq, table] : appliance_.world().tables) {
    if (table.closed || catalogues_.contains(table.open.catalogue)) continue;
    const auto now = state(&table);
    if (!now || *now != catalogue_code) continue;
    TALLA_TRY_STATUS(add_test(tx, *now + (":" + to_hex(table.open.catalogue)), true));
    catalogues_.insert(table.open.catalogue);
  }
  return {};
}

Status CertificationWatch::say_tables(Transaction& tx) {
  const auto& world = appliance_.world();
  for (const auto& [seq, table] : world.tables) {
    if (table.closed || !table.live_shoe) continue;
    const auto shoe = world.shoes.find(*table.live_shoe);
    if (shoe == world.shoes.end() || !shoes_.insert(shoe->first).second) continue;
    const auto now = state(&table, &shoe->second);
    if (!now || *now != table_code || !tables_.insert(seq).second) continue;
    TALLA_TRY_STATUS(add_test(tx, *now + (":" + table.id), true));
  }
  return {};
}

void CertificationWatch::on_pause() {
  const auto now_ns = appliance_.effects.clock.monotonic_ns();
  if (appliance_.settings.ended || appliance_.failed() || now_ns < next_look_ns_) return;
  next_look_ns_ = now_ns + look_interval_ns;
  const auto now = state();
  appliance_.metrics.set("talla_certification_covers", now && now->empty() ? 1.0 : 0.0);
  if (!now) return;
  auto tx = appliance_.begin();
  Status done;
  if (*now != said_) done = say(tx, *now);
  if (done && now->empty()) done = say_catalogues(tx);
  if (done && now->empty()) done = say_tables(tx);
  if (!done) return appliance_.lose_event();
  tx.keep();
}

}  // namespace talla::core
