// What lies sealed in the ledger, opened again.
#include "sealed.hpp"

#include <algorithm>

#include "format/body_shoe.hpp"

namespace talla::core {

Result<SecretBytes> unsealed(const Appliance& appliance, const std::string& object,
                             std::uint64_t seq) {
  TALLA_TRY(const auto all, appliance.effects.log.ledger().sealed(object));
  const auto found = std::ranges::find(all, seq, &certs::SealedSecret::seq);
  if (found == all.end()) return fail(Errc::secret_unusable, "the sealed bytes are not there");
  auto plain = appliance.effects.sealer.unseal(
      {appliance.effects.log.origin(), found->seq, found->kind, found->object}, found->sealed);
  if (!plain) return fail(Errc::secret_unusable, "the sealed bytes do not open");
  return plain;
}

Result<certs::Openings> openings_of(const Appliance& appliance, const std::string& shoe) {
  if (!certs::object_seq("shoe", shoe)) return fail(Errc::not_found, "no such shoe");
  TALLA_TRY(const auto chain, appliance.effects.log.ledger().chain(shoe));
  if (chain.empty()) return fail(Errc::not_found, "no such shoe");
  TALLA_TRY(const auto first, certs::parse_record(chain.front().bytes));
  TALLA_TRY(const auto commit, certs::ShoeCommitBody::from_json(first.body));
  if (!commit.covered)
    return fail(Errc::wrong_state,
                "a public shoe opens everything itself, at its close: there is nothing else");
  if (chain.back().kind != certs::Kind::shoe_close)
    return fail(Errc::wrong_state, "the shoe is in play: its openings wait for its close");
  certs::Openings out{appliance.effects.log.origin(), shoe, chain.back().seq, {}};
  TALLA_TRY(const auto plain, unsealed(appliance, shoe, out.close));
  TALLA_TRY(out.roots, certs::Openings::roots_of(plain));
  return out;
}

}  // namespace talla::core
