#include "supervisor.hpp"

#include <systemd/sd-daemon.h>

namespace talla::rngd {

namespace {

constexpr std::int64_t pings_per_timeout = 4;

void notify(const std::string& text) {
  static_cast<void>(::sd_notify(0, text.c_str()));
}

std::string status_text(const std::vector<std::string>& reasons) {
  if (reasons.empty()) return "STATUS=ready";
  std::string text = "STATUS=no new commitments:";
  for (const std::string& reason : reasons) text += " " + reason;
  return text;
}

}  // namespace

Supervisor::Supervisor() {
  std::uint64_t timeout_us = 0;
  if (::sd_watchdog_enabled(0, &timeout_us) > 0)
    interval_ns_ = static_cast<std::int64_t>(timeout_us) * 1000 / pings_per_timeout;
}

void Supervisor::ready() const {
  notify("READY=1");
}

void Supervisor::stopping() const {
  notify("STOPPING=1\nSTATUS=stopping");
}

void Supervisor::look(std::uint64_t turns, std::int64_t now_ns,
                      const std::vector<std::string>& reasons) {
  if (std::string status = status_text(reasons); status != status_) {
    notify(status);
    status_ = std::move(status);
  }
  const bool turned = turns != turns_;
  turns_ = turns;
  if (interval_ns_ == 0 || !turned || now_ns < due_ns_) return;
  notify("WATCHDOG=1");
  due_ns_ = now_ns + interval_ns_;
}

}  // namespace talla::rngd
