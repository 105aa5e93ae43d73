/// \file
/// What `rngd --check` looks at beyond the configuration's text: every file, folder and key that a
/// start would need, opened as a start opens it, and nothing else done. The ledger is left alone: a
/// running daemon holds it.
///
/// Threads: one. Secrecy: findings name settings and files only.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"

namespace talla::rngd {

/// What was looked at, each by its setting ("keys.log_key").
struct StartCheck {
  struct Finding {
    std::string setting;
    std::string words;  ///< what is wrong with it, or why it was not looked at
  };
  std::vector<std::string> good;
  /// The service manager hands it over at the start: it is not there before.
  std::vector<Finding> later;
  std::vector<Finding> wrong;
};

/// Looks at all of it, also behind the first fault.
[[nodiscard]] StartCheck check_start(const Config& config);

}  // namespace talla::rngd
