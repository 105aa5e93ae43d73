/// \file
/// The processor's RDSEED as a noise source: model "rdseed", class `rdseed`, 8 bits per sample, on
/// request.
#pragma once

#include <atomic>
#include <memory>

#include "entropy/effects.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

class RdSeedSource final : public NoiseSource {
 public:
  /// Errors: Errc::source_absent when the processor has none. `cpu` must outlive the source.
  [[nodiscard]] static Result<std::unique_ptr<RdSeedSource>> create(RdSeed& cpu);
  [[nodiscard]] const SourceDescription& description() const override { return description_; }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  void stop() override { stopped_.store(true); }

 private:
  explicit RdSeedSource(RdSeed& cpu);
  RdSeed& cpu_;
  SourceDescription description_;
  std::atomic<bool> stopped_{false};
};

}  // namespace talla::entropy
