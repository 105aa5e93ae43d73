// A change of the software (PROTOCOL section 8): two persons approve the manifest while nothing is
// open, and the next start takes it.
#include "approval.hpp"
#include "format/body_machine.hpp"
#include "people.hpp"
#include "watch_software.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// Document of the ledger: the manifest that counts, of the last start that was in order; empty:
/// none.
/// No two persons have approved this manifest.
constexpr const char* not_approved = "not-approved";
constexpr const char* not_at_rest = "not-at-rest";  ///< they have, but something is open

/// What other software has begun it must end: no shoe is live, no round is open, no CALL is
/// without its DRAW.
Status at_rest(const World& world) {
  for (const auto& [seq, shoe] : world.shoes) {
    if (shoe.live()) return fail(Errc::not_at_rest, shoe.id + " is not closed");
  }
  for (const auto& [seq, round] : world.rounds) {
    if (!round.ended) return fail(Errc::not_at_rest, round.id + " is not ended");
  }
  for (const auto& [seq, batch] : world.batches) {
    if (!batch.open_calls.empty())
      return fail(Errc::not_at_rest, "a draw of " + batch.id + " is open");
  }
  return {};
}

}  // namespace

Status SoftwareWatch::update_possible(const Digest& manifest) const {
  if (counts_ == manifest) return fail(Errc::wrong_state, "this manifest counts already");
  return at_rest(appliance_.world());
}

Status SoftwareWatch::on_start(Transaction& tx) {
  const auto manifest = appliance_.effects.software == nullptr
                            ? std::optional<Digest>()
                            : appliance_.effects.software->manifest();
  const std::string hex = manifest ? to_hex(*manifest) : std::string();
  TALLA_TRY(const auto text,
            appliance_.effects.log.ledger().document(certs::documents::software()));
  const std::string before = text.value_or(std::string());
  std::vector<std::uint64_t> cites;
  const char* against = nullptr;
  if (hex != before) {
    const auto approval = manifest ? find_approval(tx.world(), ActKind::software_update, *manifest)
                                   : std::optional<Approval>();
    // The first manifest, or nobody whom one could ask: an appliance that is just being set up.
    const bool set_up = before.empty() || !can_approve(tx.world().clients());
    if (approval && at_rest(appliance_.world())) {
      cites.push_back(approval->seq);
    } else if (!set_up) {
      against = approval ? not_at_rest : not_approved;
    }
  }
  const certs::SoftwareBody body{.version = appliance_.settings.version,
                                 .digest = appliance_.settings.software_digest,
                                 .manifest = manifest};
  TALLA_TRY(appliance_.start.software,
            tx.add({Kind::software, {}, std::move(cites), body.to_json()}));
  if (against == nullptr) {
    counts_ = manifest;
    if (hex != before) tx.group().documents.push_back({certs::documents::software(), hex});
    return {};
  }
  TALLA_TRY(counts_, digest_from_hex(before));
  held_ = {hex.empty() ? "none" : hex, against};
  const certs::SelftestBody found{
      .test = std::string("software-") + against + ":" + held_->path, .failed = true, .count = 1};
  TALLA_TRY_STATUS(tx.add({Kind::selftest, {}, {}, found.to_json()}));
  appliance_.effects.supply.latch(entropy::LatchReason::software_mismatch);
  return {};
}

}  // namespace talla::core
