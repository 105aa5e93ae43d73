/// \file
/// The list of enrolled clients: `[[client]]` with `id`, `spki` and `roles`, written by `talla
/// keys`.
///
/// Errors: ConfigErrc::bad_configuration with file, line and key; an id or a key digest that
/// appears twice is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"

namespace talla::rngd {

struct EnrolledClient {
  std::string id;                  ///< URI subject alternative name of its certificate.
  std::string spki;                ///< Hex SHA-256 of its SubjectPublicKeyInfo.
  std::vector<std::string> roles;  ///< table, auditor, operator, ...
};

/// Reads a clients.toml, or the text of one that lies at `path`. Errors: ConfigErrc, with file and
/// line.
[[nodiscard]] Result<std::vector<EnrolledClient>> parse_enrolment(std::string_view text,
                                                                  const std::string& path);
[[nodiscard]] Result<std::vector<EnrolledClient>> load_enrolment(const std::string& path);

}  // namespace talla::rngd
