/// \file
/// Free disk space below the reserve stops new commitments; what is committed goes on.
#pragma once

#include "duty.hpp"
#include "told.hpp"

namespace talla::core {

class DiskWatch : public Duty {
 public:
  explicit DiskWatch(Appliance& appliance) : appliance_(appliance), told_("disk-reserve") {}
  void on_pause() override;
  [[nodiscard]] std::optional<Error> objection() const override;

 private:
  void look();
  Appliance& appliance_;
  Told told_;
  std::atomic<bool> low_{false};
};

}  // namespace talla::core
