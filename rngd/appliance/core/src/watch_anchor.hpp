/// \file
/// The rollback anchor, written now and then. One that stays behind for too long stops new
/// commitments.
#pragma once

#include "duty.hpp"
#include "told.hpp"

namespace talla::core {

class AnchorWatch : public Duty {
 public:
  explicit AnchorWatch(Appliance& appliance);
  /// Written at most every `anchor_interval_us`.
  void on_pause() override;
  [[nodiscard]] std::optional<Error> objection() const override;

 private:
  void look();
  Appliance& appliance_;
  Told told_;
  std::int64_t written_ns_;  // the last attempt
  std::int64_t good_ns_;     // when it was last seen without lag, or to move
  std::uint64_t seen_ = 0;   // how far it was then
  std::atomic<bool> lost_{false};
};

}  // namespace talla::core
