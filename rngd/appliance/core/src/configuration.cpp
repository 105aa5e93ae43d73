// The CONFIG record of a start, and of a change of certifications.
#include "configuration.hpp"

#include "approval.hpp"
#include "core/certification_hook.hpp"
#include "format/body_machine.hpp"

namespace talla::core {

Status Configuration::record(Transaction& tx, std::vector<std::uint64_t> cites) {
  certs::ConfigBody body{
      .digest = appliance_.settings.config_digest,
      .production = appliance_.settings.profile == "production",
      .rollback_limits = certs::rollback_limits(appliance_.settings.rollback_protection),
      .settings = appliance_.settings.settings_digest,
      .certifications = {}};
  if (const auto* hook = appliance_.effects.certification; hook != nullptr) {
    for (auto& kept : hook->kept()) {
      body.certifications.push_back(kept.digest);
      tx.group().documents.push_back(
          {certs::documents::certification(kept.digest), std::move(kept.file)});
    }
  }
  TALLA_TRY(appliance_.start.config,
            tx.add({certs::Kind::config, {}, std::move(cites), body.to_json()}));
  recorded_us_ = tx.log_time_us();
  return {};
}

Status Configuration::on_start(Transaction& tx) {
  const auto hex = to_hex(appliance_.settings.config_digest);
  TALLA_TRY(const auto before,
            appliance_.effects.log.ledger().document(certs::documents::configuration()));
  std::vector<std::uint64_t> cites;
  if (before && !before->empty() && *before != hex) {
    TALLA_TRY(cites, approved_change(tx, appliance_.settings, ActKind::config_change,
                                     appliance_.settings.config_digest, "the configuration"));
  }
  TALLA_TRY_STATUS(record(tx, std::move(cites)));
  known_ = before && *before == hex;
  return {};
}

void Configuration::on_turn() {
  if (!serving_ || known_) return;
  appliance_.effects.log.group().documents.push_back(
      {certs::documents::configuration(), to_hex(appliance_.settings.config_digest)});
  known_ = true;
}

}  // namespace talla::core
