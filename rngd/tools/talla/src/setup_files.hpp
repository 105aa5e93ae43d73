/// \file
/// What `talla setup` writes of the answers: configuration, keys or requests, a folder for each
/// person to carry away, and the steps that are left.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace talla::cli {

struct SetupPerson {
  std::string id;
  std::string role;
};

struct SetupAnswers {
  bool production = false;
  std::string origin;              ///< name of the log
  std::vector<std::string> names;  ///< host names and addresses by which clients reach it
  std::string address;             ///< to listen on
  int port = 8443;
  std::string source;   ///< auto, system, MODEL or MODEL:SERIAL
  std::string sealing;  ///< production: passphrase, tpm or a pkcs11: URI
  std::vector<SetupPerson> people;
};

/// One thing that is left to do; `command` may be empty.
struct SetupStep {
  std::string words;
  std::string command;
};

/// Whether that file of `folder` would be overwritten. Errors: usage.
[[nodiscard]] Status setup_may_begin(const std::string& folder);
/// Writes all below `folder`; the steps that are left, in their order, in `language` (es, en).
/// Nothing is overwritten. The configuration is read again as the daemon reads it.
[[nodiscard]] Result<std::vector<SetupStep>> write_setup(const std::string& folder,
                                                         const SetupAnswers& answers,
                                                         const std::string& language);

}  // namespace talla::cli
