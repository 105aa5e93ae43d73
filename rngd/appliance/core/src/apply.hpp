/// \file
/// The only way the appliance's state changes: one committed (or about to be committed) record
/// folded into it.
///
/// The same code runs when a record is made and when a restart replays it, so that the rules run
/// once for what is asked of them. Errors: their own, of what somebody asks for (bets, an action,
/// an error of the dealing, the end of a hand or a session); for everything else
/// Errc::replay_failed with the seq of the record that does not fit, and the reason in its detail.
#pragma once

#include <functional>
#include <variant>

#include "base/hash.hpp"
#include "games/rules.hpp"
#include "world.hpp"

namespace talla::core {

/// Finds the catalogue of a digest; null when it is unknown.
using CatalogueByDigest = std::function<std::shared_ptr<const games::Catalogue>(const Digest&)>;

struct ApplyContext {
  const HashSuite& hashes;
  CatalogueByDigest catalogue;
};

/// What a commitment's record does not say, and what a TABLE_OPEN that continues a table takes
/// over. Null otherwise.
struct Secrets {
  std::shared_ptr<const certs::SealedShoe> shoe;
  std::shared_ptr<const certs::SecretBatch> batch;
  SampleWindow samples;
  std::shared_ptr<const json::Value> carried{};
};

/// The body as it was made, for the kinds whose records are composed from it; empty: it is read
/// from the record.
using TypedBody =
    std::variant<std::monostate, certs::CallBody, certs::DrawBody, certs::CardDealBody>;

/// `leaf`: leaf hash of the record's bytes.
[[nodiscard]] Status apply(const ApplyContext& context, Overlay& world, const certs::Record& record,
                           const Digest& leaf, const Secrets& secrets = {},
                           const TypedBody& typed = {});

}  // namespace talla::core
