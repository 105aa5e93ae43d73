// The CONFIG record of a start.
#include "configuration.hpp"

#include "approval.hpp"

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
  json::Object body{{"digest", hex}, {"profile", appliance_.settings.profile}};
  json::Array limits;
  for (const std::string& limit : certs::rollback_limits(appliance_.settings.rollback_protection))
    limits.emplace_back(limit);
  body["rollback_limits"] = std::move(limits);
  TALLA_TRY_STATUS(tx.add({certs::Kind::config, {}, std::move(cites), std::move(body)}));
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
