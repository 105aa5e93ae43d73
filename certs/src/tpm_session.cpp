#include "tpm_session.hpp"

#include <fmt/format.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>

#include <algorithm>

namespace talla::certs {
namespace {

/// The storage key's value, known to all: it goes over the copy of a secret one in the session.
TPM2B_AUTH no_secret() {
  TPM2B_AUTH value{};
  value.size = TpmAuth::bytes_max;
  std::fill_n(value.buffer, TpmAuth::bytes_max, 0x5A);
  return value;
}

TPMT_SYM_DEF parameter_cipher() {
  TPMT_SYM_DEF cipher{};
  cipher.algorithm = TPM2_ALG_AES;
  cipher.keyBits.aes = 128;
  cipher.mode.aes = TPM2_ALG_CFB;
  return cipher;
}

/// Restricted: the TPM uses it for salts and for what it stores under it, for nobody's own ECDH.
TPM2B_PUBLIC storage_template() {
  TPM2B_PUBLIC wanted{};
  TPMT_PUBLIC& area = wanted.publicArea;
  area.type = TPM2_ALG_ECC;
  area.nameAlg = TPM2_ALG_SHA256;
  area.objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                          TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH |
                          TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT;
  area.parameters.eccDetail.symmetric.algorithm = TPM2_ALG_AES;
  area.parameters.eccDetail.symmetric.keyBits.aes = 128;
  area.parameters.eccDetail.symmetric.mode.aes = TPM2_ALG_CFB;
  area.parameters.eccDetail.scheme.scheme = TPM2_ALG_NULL;
  area.parameters.eccDetail.curveID = TPM2_ECC_NIST_P256;
  area.parameters.eccDetail.kdf.scheme = TPM2_ALG_NULL;
  return wanted;
}

}  // namespace

TpmAuth::TpmAuth(std::span<const std::uint8_t> bytes) : value_(1) {
  while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  const std::size_t size = std::min(bytes.size(), bytes_max);
  value_.front().size = static_cast<UINT16>(size);
  std::copy_n(bytes.begin(), size, value_.front().buffer);
}

TpmSession::~TpmSession() {
  if (context_ != nullptr) {
    overwrite();
    if (session_ != ESYS_TR_NONE) Esys_FlushContext(context_, session_);
    if (storage_ != ESYS_TR_NONE) Esys_FlushContext(context_, storage_);
    Esys_Finalize(&context_);
  }
  if (tcti_ != nullptr) Tss2_TctiLdr_Finalize(&tcti_);
}

Status TpmSession::connect(const std::string& tcti, ESYS_TR hierarchy) {
  const char* name = tcti.empty() ? nullptr : tcti.c_str();
  if (const auto code = Tss2_TctiLdr_Initialize(name, &tcti_); code != 0)
    return failed("no connection", code);
  if (const auto code = Esys_Initialize(&context_, tcti_, nullptr); code != 0)
    return failed("ESAPI", code);
  TPM2B_SENSITIVE_CREATE sensitive{};
  sensitive.sensitive.userAuth = no_secret();
  const TPM2B_PUBLIC wanted = storage_template();
  const TPM2B_DATA outside{};
  const TPML_PCR_SELECTION registers{};
  const auto code = Esys_CreatePrimary(context_, hierarchy, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                       ESYS_TR_NONE, &sensitive, &wanted, &outside, &registers,
                                       &storage_, nullptr, nullptr, nullptr, nullptr);
  if (code != 0) {
    storage_ = ESYS_TR_NONE;
    return failed(is_refused(code) ? "a storage key cannot be made: the owner's hierarchy has an "
                                     "authorisation value, it must be empty"
                                   : "a storage key cannot be made",
                  code);
  }
  const TPM2B_AUTH auth = no_secret();
  if (const auto set = Esys_TR_SetAuth(context_, storage_, &auth); set != 0)
    return failed("ESAPI", set);
  TPM2B_NAME* found = nullptr;
  if (const auto read = Esys_TR_GetName(context_, storage_, &found); read != 0)
    return failed("storage key", read);
  storage_name_.assign(found->name, found->name + found->size);
  Esys_Free(found);
  return {};
}

Status TpmSession::begin() {
  const TPMT_SYM_DEF cipher = parameter_cipher();
  const auto code = Esys_StartAuthSession(context_, storage_, ESYS_TR_NONE, ESYS_TR_NONE,
                                          ESYS_TR_NONE, ESYS_TR_NONE, nullptr, TPM2_SE_HMAC,
                                          &cipher, TPM2_ALG_SHA256, &session_);
  if (code == 0) return {};
  session_ = ESYS_TR_NONE;
  return failed("no session", code);
}

Result<ESYS_TR> TpmSession::with(TPMA_SESSION attributes) {
  const auto code = Esys_TRSess_SetAttributes(context_, session_,
                                              attributes | TPMA_SESSION_CONTINUESESSION, 0xFF);
  if (code != 0) return failed("session", code);
  return session_;
}

Status TpmSession::authorise(ESYS_TR entity, const TpmAuth& auth) {
  if (const auto code = Esys_TR_SetAuth(context_, entity, auth.get()); code != 0)
    return failed("authorisation", code);
  authorised_.push_back(entity);
  return {};
}

void TpmSession::forget(ESYS_TR entity) {
  std::erase(authorised_, entity);
}

/// ESAPI copies values into its entities, into the session with each use, and into its parameters
/// and buffers with a definition or an unsealing. Zeros go over the first; over the others goes a
/// use of the session that authorises the storage key by its public value and makes an object of
/// zeros.
void TpmSession::overwrite() {
  if (session_ == ESYS_TR_NONE) return;
  const TPM2B_AUTH zeros{};
  for (const ESYS_TR entity : authorised_) Esys_TR_SetAuth(context_, entity, &zeros);
  const auto session = with(TPMA_SESSION_DECRYPT);
  if (!session) return;
  TPM2B_SENSITIVE_CREATE sensitive{};
  sensitive.sensitive.userAuth = no_secret();
  sensitive.sensitive.data.size = TpmAuth::bytes_max;
  TPM2B_PUBLIC wanted{};
  wanted.publicArea.type = TPM2_ALG_KEYEDHASH;
  wanted.publicArea.nameAlg = TPM2_ALG_SHA256;
  wanted.publicArea.objectAttributes =
      TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_NODA | TPMA_OBJECT_USERWITHAUTH;
  wanted.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL;
  const TPM2B_DATA outside{};
  const TPML_PCR_SELECTION registers{};
  Esys_Create(context_, storage_, *session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &wanted,
              &outside, &registers, nullptr, nullptr, nullptr, nullptr, nullptr);
}

tl::unexpected<Error> TpmSession::failed(const std::string& what, TSS2_RC code) const {
  if (code == TSS2_ESYS_RC_RSP_AUTH_FAILED)
    return fail(unreachable_,
                fmt::format("TPM: {}: the answer is not the TPM's: it was changed on its way, "
                            "or something else has answered",
                            what));
  return fail(unreachable_, fmt::format("TPM: {}: {}", what, Tss2_RC_Decode(code)));
}

bool TpmSession::is_code(TSS2_RC code, TSS2_RC wanted) {
  return (code & 0xFFFF0000U) == 0 && (code & 0xBFU) == wanted;
}

bool TpmSession::is_refused(TSS2_RC code) {
  return is_code(code, TPM2_RC_AUTH_FAIL) || is_code(code, TPM2_RC_BAD_AUTH);
}

}  // namespace talla::certs
