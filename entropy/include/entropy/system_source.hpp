/// \file
/// The operating system's generator as a noise source: model "system", class `system`, 8 bits per
/// sample.
///
/// It answers on request, so no rate is judged; its bytes pass the same health gate as any other
/// source, and alone they are counted in the `uncertified` account (8 bits each), never as an SP
/// 800-90C source.
#pragma once

#include <atomic>

#include "entropy/effects.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

class SystemSource final : public NoiseSource {
 public:
  /// `os` must outlive the source.
  explicit SystemSource(OsRandom& os);
  [[nodiscard]] const SourceDescription& description() const override { return description_; }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  void stop() override { stopped_.store(true); }

 private:
  OsRandom& os_;
  SourceDescription description_;
  std::atomic<bool> stopped_{false};
};

}  // namespace talla::entropy
