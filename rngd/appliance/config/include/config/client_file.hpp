/// \file
/// client.toml: where an appliance is and which files a client shows and trusts. Paths are relative
/// to its folder.
///
/// Errors: ConfigErrc::bad_configuration with file, line and key.
#pragma once

#include <string>
#include <string_view>

#include "config/config.hpp"

namespace talla::rngd {

struct ClientFile {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8443;
  std::string server_name = "localhost";
  std::string certificate;  ///< PEM.
  std::string key;          ///< PEM.
  std::string root;         ///< PEM, the root of the appliance's certificates and of its log key.
  std::string log_key;      ///< JSON of certs/FORMAT.md section 5.
  /// Statements about the end of logs: a file or a folder of them; empty: none.
  std::string ended;
};

/// Reads a client.toml, or the text of one that lies at `path`. Errors: ConfigErrc, with file and
/// line.
[[nodiscard]] Result<ClientFile> parse_client_file(std::string_view text, const std::string& path);
[[nodiscard]] Result<ClientFile> load_client_file(const std::string& path);

}  // namespace talla::rngd
