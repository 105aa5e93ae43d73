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

/// Mixes the newest root with this number as the log does it, and lets the progress take the mix.
inline ShoeMixBody mixed(ShoeProgress& progress, const SealedShoe& shoe, const Bytes& nonce) {
  constexpr std::string_view log_origin = "log.example/test";
  const auto body =
      must(shoe.mix(progress, {.origin = log_origin, .nonce = nonce, .root = shoe.root()}));
  Record record;
  record.origin = log_origin;
  record.object = shoe.id();
  progress.take(must(mix_of(openssl_hashes, record, body, shoe.cards_count())));
  return body;
}

}  // namespace talla::certs::testing
