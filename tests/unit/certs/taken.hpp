// One step of a sealed shoe or batch, as when its record is in the log.
#pragma once

#include "fixture.hpp"

namespace talla::certs::testing {

/// The body that the step returned, taken into the progress.
template <class Progress, class Body>
Body taken(Progress& progress, Result<Body> step) {
  Body body = must(std::move(step));
  progress.take(body);
  return body;
}

/// What a table signs for the mix of the newest root, with a number of its own.
inline CallBody call_of(const SealedShoe& shoe, const Bytes& number) {
  CallBody call;
  call.core.origin = "log.example/test";
  call.core.table = "table-1";
  call.core.use = CallUse::mix;
  call.core.object = shoe.id();
  call.core.root = shoe.root();
  call.core.specification = MixSpecification{ShoeCandidates::count(shoe), shoe.cards_count()};
  call.core.value = openssl_hashes.sha256({number});
  return call;
}

/// Mixes the newest root by such a call, CALL being record `call_seq`, and lets the progress take
/// the mix.
inline ShoeMixBody mixed(ShoeProgress& progress, const SealedShoe& shoe, const Bytes& number,
                         std::uint64_t call_seq = 7) {
  const CallBody call = call_of(shoe, number);
  const auto body = must(shoe.mix(progress, call_seq, call));
  progress.take(must(mix_of(openssl_hashes, call.core, body)));
  return body;
}

}  // namespace talla::certs::testing
