/// \file
/// clients.toml as a person keeps it: who is enrolled, renewed, taken out. The daemon reads it at
/// start and binds every change by KEY records (certs/FORMAT.md section 6).
///
/// The id of a client is the one URI alternative name of its certificate. Files are replaced in one
/// durable step.
/// Errors:  key_exists, not_found, id_malformed, key_malformed, key_file_missing, ledger_io.
///          Threads: one caller at a time.
#pragma once

#include <string>
#include <vector>

#include "certs/errc.hpp"

namespace talla::certs {

struct EnrolOptions {
  std::string enrolment_path;
  std::string certificate_path;
  std::vector<std::string> roles;
};
/// The id, taken from the certificate.
[[nodiscard]] Result<std::string> enrol_client(const EnrolOptions& options);
/// The same client with a new key: its roles stay. The old key is out.
[[nodiscard]] Result<std::string> renew_client(const std::string& enrolment_path,
                                               const std::string& certificate_path);
[[nodiscard]] Status remove_client(const std::string& enrolment_path, const std::string& id);

}  // namespace talla::certs
