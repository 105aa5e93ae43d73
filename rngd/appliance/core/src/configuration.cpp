// The CONFIG record of a start.
#include "configuration.hpp"

#include "approval.hpp"
#include "format/body_machine.hpp"

namespace talla::core {
namespace {

/// Document of the ledger: the digest of the configuration that served last.

}  // namespace

Status Configuration::on_start(Transaction& tx) {
  const auto hex = to_hex(appliance_.settings.config_digest);
  TALLA_TRY(const auto before,
            appliance_.effects.log.ledger().document(certs::documents::configuration()));
  std::vector<std::uint64_t> cites;
  if (before && !before->empty() && *before != hex) {
    TALLA_TRY(cites, approved_change(tx, appliance_.settings, ActKind::config_change,
                                     appliance_.settings.config_digest, "the configuration"));
  }
  const certs::ConfigBody body{
      .digest = appliance_.settings.config_digest,
      .production = appliance_.settings.profile == "production",
      .rollback_limits = certs::rollback_limits(appliance_.settings.rollback_protection)};
  TALLA_TRY_STATUS(tx.add({certs::Kind::config, {}, std::move(cites), body.to_json()}));
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
