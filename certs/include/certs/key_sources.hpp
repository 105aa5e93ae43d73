/// \file
/// The daemon's own keys from wherever its configuration says they are, and what the records say of
/// it.
///
///   log key      `PATH` or `credential:NAME`: PKCS#8 PEM; `pkcs11:...`: signs inside the token
///   sealing key  `PATH`: 32 bytes, sealing "file"; `passphrase:PATH`: scrypt over the passphrase,
///                "passphrase"; `pkcs11:...`: derived from a key of the token, "hsm"; `tpm:PATH`:
///                this process has a TPM 2 unseal the file of `make_tpm_key`, "tpm" (tpm_key.hpp
///                says what that does not show); `credential:NAME`: 32 bytes, "credential" when
///                `encrypted_credential` names a file of systemd-creds whose header says that a TPM
///                2 is needed to open it, else "file"
/// A credential comes from the service manager in the clear: the header keeps a mistake from being
/// recorded as "credential", not an administrator from lying, so it is never "tpm".
/// Errors:  key_file_open, key_file_missing, key_malformed, seal_refused, those of pkcs11.hpp; the
///          detail begins with the setting (`keys.sealing_key`). Threads: no shared state.
#pragma once

#include <memory>
#include <string>

#include "certs/seal.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

struct KeySources {
  std::string origin;
  std::string log_key;
  std::string sealing_key;
  std::string passphrase;  ///< source of `passphrase:`, of `tpm:` if it has one; secret_source.hpp
  std::string tpm_tcti;    ///< of `tpm:`
  std::string encrypted_credential;  ///< path; see above
};
/// The daemon's keys, opened.
struct OpenedKeys {
  std::unique_ptr<Ed25519Signer> signer;
  std::unique_ptr<Sealer> sealer;
  std::string sealing;  ///< "file", "credential", "tpm", "hsm", "passphrase", as the records say it
};
[[nodiscard]] Result<OpenedKeys> open_keys(const KeySources& sources);
/// The log key alone.
[[nodiscard]] Result<std::unique_ptr<Ed25519Signer>> open_log_signer(const std::string& source);

/// Does this file, as systemd-creds encrypts, need a TPM 2 to be opened? By the id that its header
/// begins with.
[[nodiscard]] Result<bool> credential_needs_tpm(const std::string& path);

}  // namespace talla::certs
