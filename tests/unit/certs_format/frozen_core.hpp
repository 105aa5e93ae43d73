/// \file
/// The cores of the frozen vectors (FORMAT.md section 11).
#pragma once

#include "format/call.hpp"
#include "format/domain.hpp"
#include "shared.hpp"

namespace talla::certs {

/// Of a draw of the secret 3 of batch-9.
inline CallCore frozen_core(const DrawSpecification& specification = WheelDraw{37}) {
  CallCore core;
  core.origin = "casino.example/talla-1";
  core.table = "table-1";
  core.turn = 3;
  core.head = filled(2);
  core.object = "batch-9";
  core.root = filled(3);
  core.at = 3;
  core.bets = bets_digest(hashes, json::Array{});
  core.specification = specification;
  core.parameters = parameters_digest(hashes, json::Object{});
  core.value = filled(4);
  return core;
}
/// Of a mix of so many places of shoe-17.
inline CallCore frozen_mix(std::uint32_t places) {
  CallCore core = frozen_core();
  core.use = CallUse::mix;
  core.object = "shoe-17";
  core.at = 0;
  core.specification = MixSpecification{1, places};
  return core;
}

}  // namespace talla::certs
