/// \file The CONFIG record of a start, and of a change of certifications. Another configuration
/// than the one that served last needs its approval.
#pragma once

#include "duty.hpp"

namespace talla::core {

class Configuration : public Duty {
 public:
  explicit Configuration(Appliance& appliance) : appliance_(appliance) {}
  [[nodiscard]] Status on_start(Transaction& tx) override;
  /// A CONFIG with the certifications of now; commitments cite it from here on.
  [[nodiscard]] Status record(Transaction& tx, std::vector<std::uint64_t> cites);
  /// Recorded time of the newest CONFIG.
  [[nodiscard]] std::int64_t recorded_us() const { return recorded_us_; }
  /// From the first turn on in which the appliance serves, a start with the same configuration
  /// needs no approval. One that ends in a failed start is none.
  void on_turn() override;
  /// Everything of this start is up. Any thread.
  void serving() { serving_ = true; }

 private:
  Appliance& appliance_;
  std::atomic<bool> serving_{false};
  std::int64_t recorded_us_ = 0;
  bool known_ = false;  // the ledger knows that this configuration served
};

}  // namespace talla::core
