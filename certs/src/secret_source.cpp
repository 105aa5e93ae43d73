#include "certs/secret_source.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "certs/files.hpp"
#include "private_file.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view credential_prefix = "credential:";

Result<std::string> credential_path(const std::string& source) {
  const std::string name = source.substr(credential_prefix.size());
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    return fail(Errc::uri_malformed, source + ": a credential has a name without '/'");
  }
  const char* folder =
      std::getenv("CREDENTIALS_DIRECTORY");  // NOLINT(concurrency-mt-unsafe): never written
  if (folder == nullptr || *folder != '/') {
    return fail(Errc::key_file_missing, source + ": the service manager gave no credentials");
  }
  return std::string(folder) + "/" + name;
}

}  // namespace

bool is_credential(std::string_view source) {
  return source.starts_with(credential_prefix);
}

Result<SecretBytes> read_secret(const std::string& source) {
  if (!is_credential(source)) return read_private_file(source);
  TALLA_TRY(const std::string path, credential_path(source));
  return read_file_closed_to(path, S_IWGRP | S_IXGRP | S_IRWXO);
}

Result<SecretBytes> read_secret_line(const std::string& source) {
  TALLA_TRY(SecretBytes line, read_secret(source));
  if (!line.empty() && line.back() == '\n') line.pop_back();
  if (!line.empty() && line.back() == '\r') line.pop_back();
  const bool printable =
      std::all_of(line.begin(), line.end(), [](std::uint8_t c) { return c >= 0x20 && c != 0x7F; });
  if (line.empty() || !printable)
    return fail(Errc::key_malformed, source + ": one line of printable characters is expected");
  return line;
}

}  // namespace talla::certs
