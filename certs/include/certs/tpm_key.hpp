/// \file
/// A sealing key that one TPM 2 alone opens, and that this process has it open.
///
/// The file is canonical JSON: {"parent","private","public","type":"talla-tpm-key","v":1}: a sealed
/// data object (TPM 2.0 library specification part 3, TPM2_Create and TPM2_Unseal) of 32 bytes,
/// bound to its TPM under the storage key of the owner's hierarchy whose name is `parent`. The
/// session is salted with that key and no other: an answer comes from the TPM that sealed it, and
/// the key crosses the bus in no direction in the clear. A passphrase is optional; its SHA-256 is
/// the object's authorisation, and wrong ones lock the TPM out for a while, as its owner has set
/// it.
/// Not shown: that the TPM is a piece of hardware (no maker's certificate is asked for; an emulator
/// passes), and that whoever made the file kept no copy of the key.
/// Errors:  key_malformed, key_exists, key_file_missing, crypto_failed, seal_refused (another TPM,
///          a cleared one, another passphrase, or no TPM; the detail says which).
/// Threads: no shared state. Secrecy: key and passphrase live in secret memory.
#pragma once

#include <string>

#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

struct TpmKeyPlace {
  std::string path;
  std::string tcti;        ///< `device:/dev/tpmrm0`; empty: the first that tpm2-tss finds
  SecretBytes passphrase;  ///< empty: none
};
/// Draws a key, has it sealed and opened again, and writes a new file.
[[nodiscard]] Status make_tpm_key(const TpmKeyPlace& place);
/// 32 bytes, unsealed by the TPM.
[[nodiscard]] Result<SecretBytes> tpm_key(const TpmKeyPlace& place);

}  // namespace talla::certs
