/// \file
/// One use of a TPM 2: a connection, a storage key of its own, an HMAC session salted with that
/// key. Private to certs.
///
/// Session: TPM 2.0 library specification part 1, session-based authorisation. An ECC P-256 storage
///          key of the TCG's template, made anew by each use under the hierarchy that is asked for;
///          the salt goes to the TPM under it (ECDH), HMAC is SHA-256, parameters are AES-128 CFB.
///          Neither an authorisation value nor an unsealed key crosses the bus in the clear. ESAPI
///          checks the HMAC of every answer: who has neither salt nor value answers nothing.
/// Errors:  the number that the user of a session gives, with the TPM's own words.
/// Threads: one, from `connect` to the end: it makes OpenSSL's memory of its thread secret.
/// Secrecy: authorisation values live in secret memory. ESAPI keeps copies in memory of its own:
///          the end overwrites them, by its own calls, before they are given back.
/// Limit:   who stands on the bus while an index is defined, with a storage key of his own in the
///          TPM's place, learns its value: indices are defined where nobody does.
#pragma once

#include <tss2/tss2_esys.h>

#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// An authorisation value in secret memory.
class TpmAuth {
 public:
  TpmAuth() : value_(1) {}
  /// At most 32 bytes. Zeros at the end are no part of it: a TPM drops them (part 1).
  explicit TpmAuth(std::span<const std::uint8_t> bytes);
  [[nodiscard]] const TPM2B_AUTH* get() const { return value_.data(); }
  [[nodiscard]] std::size_t size() const { return value_.front().size; }
  static constexpr std::size_t bytes_max = 32;

 private:
  std::vector<TPM2B_AUTH, SecretAllocator<TPM2B_AUTH>> value_;
};

class TpmSession {
 public:
  explicit TpmSession(Errc unreachable) : unreachable_(unreachable) {}
  TpmSession(const TpmSession&) = delete;
  TpmSession& operator=(const TpmSession&) = delete;
  ~TpmSession();

  /// Connects and makes the storage key under `hierarchy`: ESYS_TR_RH_OWNER gives the same one as
  /// long as the TPM is not cleared, ESYS_TR_RH_NULL one until the next reset. `tcti` as tpm2-tss
  /// names it.
  [[nodiscard]] Status connect(const std::string& tcti, ESYS_TR hierarchy);
  /// Begins the session.
  [[nodiscard]] Status begin();

  [[nodiscard]] ESYS_CONTEXT* context() const { return context_; }
  [[nodiscard]] ESYS_TR storage_key() const { return storage_; }
  /// Digest of its public area. A session with a key of a name that is known is one with its TPM:
  /// nobody else can read the salt.
  [[nodiscard]] const Bytes& storage_name() const { return storage_name_; }
  /// The session for one command: TPMA_SESSION_DECRYPT hides its first parameter on the way to the
  /// TPM, TPMA_SESSION_ENCRYPT the first of the answer.
  [[nodiscard]] Result<ESYS_TR> with(TPMA_SESSION attributes);
  /// From now on until the end this entity is used with this value.
  [[nodiscard]] Status authorise(ESYS_TR entity, const TpmAuth& auth);
  /// The entity is gone from the TPM or from ESAPI: its value is not wiped again.
  void forget(ESYS_TR entity);

  [[nodiscard]] tl::unexpected<Error> failed(const std::string& what, TSS2_RC code) const;
  /// Format-one code without its parameter, handle or session number (part 2, response codes)?
  [[nodiscard]] static bool is_code(TSS2_RC code, TSS2_RC wanted);
  /// The authorisation value was wrong.
  [[nodiscard]] static bool is_refused(TSS2_RC code);

 private:
  void overwrite();
  SecretScope scope_;
  Errc unreachable_;
  TSS2_TCTI_CONTEXT* tcti_ = nullptr;
  ESYS_CONTEXT* context_ = nullptr;
  ESYS_TR storage_ = ESYS_TR_NONE;
  ESYS_TR session_ = ESYS_TR_NONE;
  Bytes storage_name_;
  std::vector<ESYS_TR> authorised_;
};

}  // namespace talla::certs
