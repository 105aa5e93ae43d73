/// \file
/// witness.toml: name, keys, logs and listener of a witness (`talla witness run`). Paths are
/// relative to its folder.
///
/// Errors: ConfigErrc::bad_configuration with file, line and key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"

namespace talla::rngd {

struct WitnessFile {
  std::string name;       ///< of the witness: its key name, a URL without scheme
  std::string key;        ///< PEM, Ed25519
  std::string state;      ///< what was cosigned last, of each log
  std::string conflicts;  ///< folder for what contradicts it; empty: not kept
  std::string address = "127.0.0.1";
  std::uint16_t port = 8450;
  std::uint32_t threads = 1;
  std::uint32_t connections = 256;
  struct Tls {
    std::string certificate;   ///< PEM, with its issuers; empty: plain HTTP
    std::string key;           ///< PEM
    std::string client_roots;  ///< PEM; empty: clients need no certificate
  } tls;
  struct Log {
    std::string key;     ///< verifier key
    std::string origin;  ///< empty: the key's name
  };
  std::string ended;  ///< statements about the end of logs: a file or a folder of them; empty: none
  std::string ended_roots;  ///< PEM, roots that may end a log; needed with `ended`
  std::vector<Log> logs;    ///< the list `[[log]]`, 1 to 1024
};

/// Reads a witness.toml, or the text of one that lies at `path`. Errors: ConfigErrc, with file and
/// line.
[[nodiscard]] Result<WitnessFile> parse_witness_file(std::string_view text,
                                                     const std::string& path);
[[nodiscard]] Result<WitnessFile> load_witness_file(const std::string& path);

}  // namespace talla::rngd
