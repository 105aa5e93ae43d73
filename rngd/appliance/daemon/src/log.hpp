/// \file
/// Structured log: journal fields under systemd, plain lines on standard error elsewhere. Codes and
///                 numbers, no secrets.
///
/// Threads: any.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace talla::rngd {

enum class Level : int {
  error = 3,
  warning = 4,
  notice = 5,
  info = 6
};  // syslog priorities, RFC 5424 section 6.2.1

using Field = std::pair<std::string_view, std::string>;

/// `event` is a stable code such as `api_listening`; fields become TALLA_<NAME>= in the journal,
/// name=value elsewhere.
void log(Level level, std::string_view event, std::initializer_list<Field> fields = {});

}  // namespace talla::rngd
