/// \file
/// The devices that the running appliance is configured with, as its status tells.
#pragma once

#include <optional>

#include "session.hpp"

namespace talla::cli {

/// Two looks at the appliance give the rate of each device. Threads: one.
class RunningDevices {
 public:
  /// Looks once; the rate is known from the second look on. Errors: those of the session.
  [[nodiscard]] Status look(Session& session);
  /// Words, one line a device; with --json one object with `configured` and `generator`.
  void show(App& app) const;

 private:
  [[nodiscard]] std::optional<std::int64_t> rate_of(std::size_t index) const;
  json::Value before_;
  json::Value now_;
};

}  // namespace talla::cli
