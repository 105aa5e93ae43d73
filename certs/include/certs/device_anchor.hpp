/// \file
/// Rollback anchors in hardware: an NV index of a TPM 2, a data object of an HSM.
///
/// TPM:     TPM 2.0 library specification part 3, NV commands, through ESAPI (tpm2-tss) over the
///          TCTI that is named. Two indices with one authorisation value, no dictionary attack
///          lock-out: an ordinary one of 128 bytes (magic, digest of the origin, size, root, boot
///          counter, a counter value, a SHA-256 over them, in one NV_Write) and, at the next
///          number, an NV counter. Content counts only while the counter stands at the value in it,
///          or one below (the power went between the two writes; the next write catches up first).
///          A TPM starts a counter above all that it ever counted: older content that is written
///          back, and an index or counter that was made anew, are seen (anchor_foreign). Each call
///          opens the TPM anew, in an HMAC session that is salted with a key of the TPM
///          (src/tpm_session.hpp): values cross the bus in the clear in no direction, and a changed
///          answer is none (anchor_unreachable).
/// HSM:     a private data object (CKO_DATA) of application `talla-anchor` behind PKCS#11. Tokens
///          change no value: a new object is made, then the old one destroyed; of two that a power
///          cut left the further one counts. Who has the PIN can put an older object back, and a
///          copy of the token brings one back: nothing in PKCS#11 shows it. CONFIG records say so
///          (FORMAT.md section 6, `rollback_limits`).
/// First:   index or object are made by the first write after a `read` that found none; the log
///          allows that for an empty ledger, or when it is adopted. One that vanishes later is not
///          made again (anchor_foreign).
/// Limits:  who can read the authorisation file can write content of his own for the present
///          counter value; no maker's certificate shows that the TPM is one.
/// Errors:  anchor_unreachable (no TPM, no token, refused log-in, tampered answer),
///          anchor_malformed (damaged), anchor_foreign (of another log, other attributes, another
///          authorisation value, not bound to the counter, or gone), key_malformed and those of
///          secret_source.hpp (no authorisation value).
/// Threads: one thread at a time. Secrecy: no authorisation value and no PIN in an error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "certs/anchor.hpp"

namespace talla::certs {

struct TpmAnchorOptions {
  std::string origin;
  /// `device:/dev/tpmrm0`, `swtpm:host=127.0.0.1,port=2321`; empty: the first that the library
  /// finds.
  std::string tcti;
  /// Owner range: 0x01800000 to 0x01bffffe; the counter is the next one.
  std::uint32_t index = 0x01815454;
  std::string auth_file;  ///< 16 to 32 bytes, as secret_source.hpp reads them; must be
};
/// An anchor in the NV indices of a TPM 2.
[[nodiscard]] std::unique_ptr<Anchor> make_tpm_anchor(TpmAnchorOptions options);

/// Where the data object of an HSM is.
struct HsmAnchorOptions {
  std::string origin;
  std::string uri;  ///< `pkcs11:token=...;object=LABEL?module-path=...&pin-source=...`
};
/// Errors: uri_malformed.
[[nodiscard]] Result<std::unique_ptr<Anchor>> make_hsm_anchor(HsmAnchorOptions options);

}  // namespace talla::certs
