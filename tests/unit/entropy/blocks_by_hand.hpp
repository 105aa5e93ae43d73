// Goal: blocks of a raw source as the text gives them, for tests that recompute an answer by hand.
#pragma once

#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "entropy/conditioner.hpp"
#include "entropy/gate.hpp"

namespace talla::entropy {

inline constexpr std::size_t per_block = 83;  // 576 bits at 7 bits a sample

[[nodiscard]] inline SecretBytes block_of(const Bytes& samples, std::size_t index) {
  const std::span<const std::uint8_t> view(samples);
  // The start-up test comes first and is not used.
  const std::vector<Contribution> parts{
      {view.subspan(startup_samples + index * per_block, per_block), 7000, true, false}};
  return condition(ConditionerKind::sha512, parts).value();
}

}  // namespace talla::entropy
