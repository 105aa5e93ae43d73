/// \file
/// The sources in their places: which are open, what lies green in them, and the block that is made
/// of it.
///
/// Credit:  see CreditSum (entropy/conditioner.hpp); of raw physical sources alone, and of the
///          emulated or the system's where the construction is named after them.
/// Threads: under the generator's lock; the streams themselves under feeding_ only (`stop`
///          excepted).
#pragma once

#include <cstdint>
#include <vector>

#include "entropy/conditioner.hpp"
#include "entropy/gate.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

/// One source in its place.
struct Lane {
  SourceSlot slot;
  SourceDescription description;  ///< As it was at creation; a replacement must equal it.
  bool credited = false;
  Gate gate;
  bool ever_good = false;
  bool lost = false;  ///< The stream is over.
  std::uint64_t credited_millibits = 0;
  /// Samples that fill a block alone.
  [[nodiscard]] std::size_t samples_per_block() const;
  /// Samples that a block takes, where they are there.
  [[nodiscard]] std::size_t share() const;
  [[nodiscard]] bool on_request() const { return answers_on_request(description); }
  [[nodiscard]] bool open() const { return gate.state() == GateState::open; }
  [[nodiscard]] Verdict verdict() const;
};

/// What the next block would take of each lane, and what that is worth.
struct Shares {
  std::vector<std::size_t> samples;
  std::uint64_t millibits = 0;
  [[nodiscard]] bool enough() const { return millibits >= block_credit_needed_millibits; }
};

class Lanes {
 public:
  Lanes(std::vector<Lane> lanes, Construction construction);

  [[nodiscard]] Construction construction() const { return construction_; }
  /// No certified source: see Evidence::uncertified. Fixed at creation.
  [[nodiscard]] bool uncertified() const;
  [[nodiscard]] std::size_t size() const { return lanes_.size(); }
  [[nodiscard]] Lane& operator[](std::size_t index) { return lanes_[index]; }
  [[nodiscard]] const Lane& operator[](std::size_t index) const { return lanes_[index]; }
  [[nodiscard]] auto begin() { return lanes_.begin(); }
  [[nodiscard]] auto end() { return lanes_.end(); }
  [[nodiscard]] auto begin() const { return lanes_.begin(); }
  [[nodiscard]] auto end() const { return lanes_.end(); }

  /// All required ones are open, and a credited one is.
  [[nodiscard]] bool good() const;
  /// A credited one has not failed for good.
  [[nodiscard]] bool credited_left() const;
  /// Every credited stream that is open holds more than half of what may wait, and a block beside:
  /// that half stays for the draws.
  [[nodiscard]] bool to_spare() const;
  /// The same beside a run of `gate_window_samples` of that one.
  [[nodiscard]] bool run_to_spare(std::size_t index) const;
  [[nodiscard]] Shares shares() const;
  /// Precondition: enough. One block of these samples, which leave the gates; `samples` says when
  /// they came. Errors: those of `condition`.
  [[nodiscard]] Result<SecretBytes> make_block(ConditionerKind kind, const Shares& shares,
                                               TimeRange& samples);
  /// Wipes what all hold.
  void wipe();
  /// Each one's line, and when those that are needed were last known green.
  void describe(Evidence& evidence) const;
  [[nodiscard]] std::vector<SourceMetrics> metrics() const;

 private:
  std::vector<Lane> lanes_;
  Construction construction_;
};

}  // namespace talla::entropy
