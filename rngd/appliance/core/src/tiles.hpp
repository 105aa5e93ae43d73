/// \file
/// The log as tile files (C2SP tlog-tiles), written beside the sequencer about once a second.
#pragma once

#include "aside.hpp"
#include "duty.hpp"

namespace talla::core {

class Tiles : public Duty {
 public:
  explicit Tiles(Appliance& appliance) : appliance_(appliance) {}
  void on_pause() override;

  /// From here on a thread of its own writes them.
  void start_thread();
  void stop_thread() { aside_.reset(); }
  /// The whole log, at a stop.
  void finish();

 private:
  /// One thread at a time.
  void write();
  Appliance& appliance_;
  std::int64_t written_ns_ = 0;
  std::unique_ptr<Aside> aside_;  // none: the sequencer writes them itself
};

}  // namespace talla::core
