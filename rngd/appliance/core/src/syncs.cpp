#include "syncs.hpp"

#include <utility>

namespace talla::core {

Syncs::Syncs(certs::Log& log, Clock& clock, std::size_t at_once, std::function<void()> ended)
    : log_(log),
      clock_(clock),
      ended_(std::move(ended)),
      threads_([this] { sync(); }, at_once + 1) {}  // one may be tidying

void Syncs::sync() {
  const auto begin_ns = clock_.monotonic_ns();
  const bool good = log_.sync().has_value();  // a failure latches the log, which the sequencer sees
  if (good) last_ns_ = clock_.monotonic_ns() - begin_ns;
  ended_();
  if (good && !log_.tidy()) ended_();
}

}  // namespace talla::core
