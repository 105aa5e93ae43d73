/// \file
/// Rollback anchors in hardware: an NV index of a TPM 2, a data object of an HSM.
///
/// TPM:     TPM 2.0 library specification part 3, NV commands, through ESAPI (tpm2-tss) over the TCTI that is named. One
///          ordinary index of 120 bytes with an authorisation value of its own, no dictionary attack lock-out; it holds
///          magic, digest of the origin, size, root, boot counter and a SHA-256 over them, written in one NV_Write. Each
///          call opens the TPM anew, so that a TPM that was away is used again when it is back.
/// HSM:     a private data object (CKO_DATA) of application `talla-anchor` behind PKCS#11. Tokens change no value: a
///          new object is made, then the old one destroyed; of two that a power cut left the further one counts.
/// First:   index or object are made by the first write after a `read` that found none; the log allows that for an empty
///          ledger, or when it is adopted. One that vanishes later is not made again (anchor_foreign).
/// Errors:  anchor_unreachable (no TPM, no token, refused log-in or authorisation), anchor_malformed (damaged),
///          anchor_foreign (of another log, other attributes, or gone).
/// Threads: one thread at a time. Secrecy: no authorisation value and no PIN in an error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "certs/anchor.hpp"

namespace talla::certs {

struct TpmAnchorOptions {
  std::string origin;
  std::string
      tcti;  ///< `device:/dev/tpmrm0`, `swtpm:host=127.0.0.1,port=2321`; empty: the first that the library finds
  std::uint32_t index = 0x01815454;  ///< owner range: 0x01800000 to 0x01bfffff
  std::string auth_file;             ///< 1 to 32 bytes, mode 0600; empty: no value
};
[[nodiscard]] std::unique_ptr<Anchor> make_tpm_anchor(TpmAnchorOptions options);

struct HsmAnchorOptions {
  std::string origin;
  std::string uri;  ///< `pkcs11:token=...;object=LABEL?module-path=...&pin-source=...`
};
/// Errors: uri_malformed.
[[nodiscard]] Result<std::unique_ptr<Anchor>> make_hsm_anchor(HsmAnchorOptions options);

}  // namespace talla::certs
