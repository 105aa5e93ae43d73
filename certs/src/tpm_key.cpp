#include "certs/tpm_key.hpp"

#include <fmt/format.h>
#include <openssl/rand.h>
#include <tss2/tss2_mu.h>

#include <algorithm>
#include <array>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/passphrase.hpp"
#include "certs/seal.hpp"
#include "openssl_handles.hpp"
#include "tpm_session.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view tpm_key_type = "talla-tpm-key";
/// No copy of it opens elsewhere, and wrong passphrases are counted.
constexpr TPMA_OBJECT sealed_attributes =
    TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH;

struct SealedObject {
  Bytes parent;
  TPM2B_PUBLIC open{};
  TPM2B_PRIVATE closed{};
};

TPM2B_PUBLIC sealed_template() {
  TPM2B_PUBLIC wanted{};
  wanted.publicArea.type = TPM2_ALG_KEYEDHASH;
  wanted.publicArea.nameAlg = TPM2_ALG_SHA256;
  wanted.publicArea.objectAttributes = sealed_attributes;
  wanted.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL;
  return wanted;
}

TpmAuth passphrase_auth(const SecretBytes& passphrase) {
  if (passphrase.empty()) return {};
  Secret32 digest;
  const Digest hash = OpensslHashes().sha256({passphrase});
  std::copy(hash.begin(), hash.end(), digest.writable().begin());
  TpmAuth auth{digest.bytes()};
  wipe(const_cast<Digest*>(&hash), sizeof hash);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return auth;
}

Result<std::string> text_of(const SealedObject& object) {
  std::array<std::uint8_t, sizeof(TPM2B_PUBLIC)> open{};
  std::array<std::uint8_t, sizeof(TPM2B_PRIVATE)> closed{};
  std::size_t open_size = 0;
  std::size_t closed_size = 0;
  if (Tss2_MU_TPM2B_PUBLIC_Marshal(&object.open, open.data(), open.size(), &open_size) != 0 ||
      Tss2_MU_TPM2B_PRIVATE_Marshal(&object.closed, closed.data(), closed.size(), &closed_size) !=
          0) {
    return fail(Errc::crypto_failed, "TPM: the sealed object cannot be written down");
  }
  return json::canonical(json::Object{{"parent", to_hex(object.parent)},
                                      {"private", to_base64(ByteView(closed).first(closed_size))},
                                      {"public", to_base64(ByteView(open).first(open_size))},
                                      {"type", tpm_key_type},
                                      {"v", 1}});
}

Result<SealedObject> read_object(const std::string& path) {
  const auto malformed = [&path](const std::string& why) {
    return fail(Errc::key_malformed, path + ": " + why);
  };
  TALLA_TRY(const std::string text, read_file(path));
  const auto value = json::parse_canonical(text);
  if (!value) return malformed(value.error().text());
  json::Reader reader(*value, "sealed key");
  const auto type = reader.string("type");
  const auto version = reader.integer("v", 1, 1);
  const auto parent = reader.string("parent");
  const auto open = reader.string("public");
  const auto closed = reader.string("private");
  const Status rest = reader.finish();
  if (!type || *type != tpm_key_type || !version || !parent || !open || !closed || !rest)
    return malformed("no key of `talla keys tpm` (type, v, parent, public or private)");
  SealedObject object;
  TALLA_TRY(object.parent, from_hex(*parent));
  TALLA_TRY(const Bytes open_bytes, from_base64(*open));
  TALLA_TRY(const Bytes closed_bytes, from_base64(*closed));
  std::size_t open_size = 0;
  std::size_t closed_size = 0;
  if (Tss2_MU_TPM2B_PUBLIC_Unmarshal(open_bytes.data(), open_bytes.size(), &open_size,
                                     &object.open) != 0 ||
      Tss2_MU_TPM2B_PRIVATE_Unmarshal(closed_bytes.data(), closed_bytes.size(), &closed_size,
                                      &object.closed) != 0 ||
      open_size != open_bytes.size() || closed_size != closed_bytes.size()) {
    return malformed("public or private is no structure of a TPM 2");
  }
  const TPMT_PUBLIC& area = object.open.publicArea;
  if (area.type != TPM2_ALG_KEYEDHASH || area.objectAttributes != sealed_attributes)
    return malformed("is no data that is sealed to one TPM (type or attributes)");
  return object;
}

/// An object inside the TPM for one use.
class Loaded {
 public:
  explicit Loaded(TpmSession& session) : session_(session) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() {
    if (handle_ == ESYS_TR_NONE) return;
    session_.forget(handle_);
    const TPM2B_AUTH zeros{};
    Esys_TR_SetAuth(session_.context(), handle_, &zeros);
    Esys_FlushContext(session_.context(), handle_);
  }

  Status load(const SealedObject& object, const TpmAuth& auth) {
    TALLA_TRY(const ESYS_TR session, session_.with(0));
    const auto code = Esys_Load(session_.context(), session_.storage_key(), session, ESYS_TR_NONE,
                                ESYS_TR_NONE, &object.closed, &object.open, &handle_);
    if (code != 0) {
      handle_ = ESYS_TR_NONE;
      return session_.failed("the sealed key is not taken", code);
    }
    return session_.authorise(handle_, auth);
  }

  Result<SecretBytes> unseal() {
    TALLA_TRY(const ESYS_TR session, session_.with(TPMA_SESSION_ENCRYPT));
    TPM2B_SENSITIVE_DATA* data = nullptr;
    const auto code =
        Esys_Unseal(session_.context(), handle_, session, ESYS_TR_NONE, ESYS_TR_NONE, &data);
    if (code != 0) {
      return session_.failed(TpmSession::is_refused(code)
                                 ? "this is not the sealed key's passphrase"
                                 : "it does not unseal",
                             code);
    }
    SecretBytes key(data->buffer,
                    data->buffer + std::min<std::size_t>(data->size, sizeof data->buffer));
    wipe(data, sizeof *data);
    Esys_Free(data);
    return key;
  }

 private:
  TpmSession& session_;
  ESYS_TR handle_ = ESYS_TR_NONE;
};

Result<SealedObject> seal_in_tpm(TpmSession& session, const SecretBytes& key, const TpmAuth& auth) {
  std::vector<TPM2B_SENSITIVE_CREATE, SecretAllocator<TPM2B_SENSITIVE_CREATE>> sensitive(1);
  sensitive[0].sensitive.userAuth = *auth.get();
  sensitive[0].sensitive.data.size = static_cast<UINT16>(key.size());
  std::copy(key.begin(), key.end(), sensitive[0].sensitive.data.buffer);
  const TPM2B_PUBLIC wanted = sealed_template();
  const TPM2B_DATA outside{};
  const TPML_PCR_SELECTION registers{};
  TPM2B_PRIVATE* closed = nullptr;
  TPM2B_PUBLIC* open = nullptr;
  TALLA_TRY(const ESYS_TR with, session.with(TPMA_SESSION_DECRYPT));
  const auto code = Esys_Create(session.context(), session.storage_key(), with, ESYS_TR_NONE,
                                ESYS_TR_NONE, sensitive.data(), &wanted, &outside, &registers,
                                &closed, &open, nullptr, nullptr, nullptr);
  if (code != 0) return session.failed("it does not seal", code);
  SealedObject object{.parent = session.storage_name(), .open = *open, .closed = *closed};
  Esys_Free(closed);
  Esys_Free(open);
  return object;
}

Result<SecretBytes> unseal_in_tpm(TpmSession& session, const SealedObject& object,
                                  const TpmAuth& auth) {
  Loaded loaded(session);
  TALLA_TRY_STATUS(loaded.load(object, auth));
  return loaded.unseal();
}

Status open_session(TpmSession& session, const TpmKeyPlace& place) {
  return session.connect(place.tcti, ESYS_TR_RH_OWNER);
}

template <class T>
Result<T> of_file(const std::string& path, Result<T> result) {
  if (result) return result;
  Error error = std::move(result).error();
  error.detail = path + ": " + error.detail;
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Status make_tpm_key(const TpmKeyPlace& place) {
  if (!place.passphrase.empty() && place.passphrase.size() < passphrase_bytes_min) {
    return fail(Errc::key_malformed,
                fmt::format("a passphrase has at least {} characters", passphrase_bytes_min));
  }
  SecretBytes key(Sealer::key_bytes);
  if (RAND_priv_bytes(key.data(), static_cast<int>(key.size())) != 1)
    return crypto_fail("sealing key");
  TpmSession session(Errc::seal_refused);
  TALLA_TRY_STATUS(open_session(session, place));
  TALLA_TRY_STATUS(session.begin());
  const TpmAuth auth = passphrase_auth(place.passphrase);
  TALLA_TRY(const SealedObject object, seal_in_tpm(session, key, auth));
  TALLA_TRY(const SecretBytes again, unseal_in_tpm(session, object, auth));
  if (!equal_constant_time(again, key))
    return fail(Errc::seal_refused, "TPM: unseals something else than it has sealed");
  TALLA_TRY(const std::string text, text_of(object));
  return create_public_file(place.path, text);
}

Result<SecretBytes> tpm_key(const TpmKeyPlace& place) {
  TALLA_TRY(const SealedObject object, read_object(place.path));
  TpmSession session(Errc::seal_refused);
  TALLA_TRY_STATUS(open_session(session, place));
  if (session.storage_name() != object.parent) {
    return fail(Errc::seal_refused,
                place.path + ": was sealed by another TPM, or this one was cleared since");
  }
  TALLA_TRY_STATUS(session.begin());
  return of_file(place.path, unseal_in_tpm(session, object, passphrase_auth(place.passphrase)));
}

}  // namespace talla::certs
