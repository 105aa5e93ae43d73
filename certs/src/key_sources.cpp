#include "certs/key_sources.hpp"

#include <algorithm>
#include <array>

#include "certs/files.hpp"
#include "certs/passphrase.hpp"
#include "certs/pkcs11_keys.hpp"
#include "certs/secret_source.hpp"
#include "certs/signer.hpp"
#include "certs/tpm_key.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view passphrase_prefix = "passphrase:";
constexpr std::string_view tpm_prefix = "tpm:";

template <class T>
Result<T> at(const char* setting, Result<T> result) {
  if (result) return result;
  Error error = std::move(result).error();
  error.detail = std::string(setting) + ": " + error.detail;
  return tl::unexpected<Error>(std::move(error));
}

struct SealingKey {
  SecretBytes key;
  std::string name;
};

Result<SealingKey> sealing_from_credential(const KeySources& sources) {
  TALLA_TRY(SecretBytes key, read_secret(sources.sealing_key));
  if (sources.encrypted_credential.empty())
    return SealingKey{.key = std::move(key), .name = "file"};
  TALLA_TRY(const bool tpm, credential_needs_tpm(sources.encrypted_credential));
  if (!tpm)
    return fail(Errc::key_malformed, sources.encrypted_credential + ": is not bound to a TPM 2");
  return SealingKey{.key = std::move(key), .name = "credential"};
}

Result<SealingKey> open_sealing(const KeySources& sources) {
  const std::string& source = sources.sealing_key;
  if (is_pkcs11_uri(source)) {
    TALLA_TRY(const Pkcs11Uri uri, parse_pkcs11_uri(source));
    TALLA_TRY(const auto token, Pkcs11Token::open(uri));
    TALLA_TRY(SecretBytes key, pkcs11_sealing_key(*token, uri, sources.origin));
    return SealingKey{.key = std::move(key), .name = "hsm"};
  }
  if (source.starts_with(passphrase_prefix)) {
    TALLA_TRY(const SecretBytes passphrase,
              at("keys.passphrase", read_secret_line(sources.passphrase)));
    TALLA_TRY(SecretBytes key, passphrase_key(source.substr(passphrase_prefix.size()), passphrase));
    return SealingKey{.key = std::move(key), .name = "passphrase"};
  }
  if (source.starts_with(tpm_prefix)) {
    TpmKeyPlace place{
        .path = source.substr(tpm_prefix.size()), .tcti = sources.tpm_tcti, .passphrase = {}};
    if (!sources.passphrase.empty()) {
      TALLA_TRY(place.passphrase, at("keys.passphrase", read_secret_line(sources.passphrase)));
    }
    TALLA_TRY(SecretBytes key, tpm_key(place));
    return SealingKey{.key = std::move(key), .name = "tpm"};
  }
  if (is_credential(source)) return sealing_from_credential(sources);
  TALLA_TRY(SecretBytes key, read_private_file(source));
  return SealingKey{.key = std::move(key), .name = "file"};
}

}  // namespace

Result<std::unique_ptr<Ed25519Signer>> open_log_signer(const std::string& source) {
  if (is_pkcs11_uri(source)) {
    TALLA_TRY(const Pkcs11Uri uri, parse_pkcs11_uri(source));
    TALLA_TRY(std::shared_ptr<Pkcs11Token> token, Pkcs11Token::open(uri));
    return pkcs11_log_signer(std::move(token), uri);
  }
  TALLA_TRY(const SecretBytes pem, read_secret(source));
  return parse_log_signer(pem, source);
}

Result<bool> credential_needs_tpm(const std::string& path) {
  // Ids of systemd's credential format: TPM 2; TPM 2 with a signed policy; host key and TPM 2; the
  // same with a policy.
  constexpr std::array<std::string_view, 4> bound = {
      "0c7cc07b117645919c4b0bea08bc20fe", "faf7eb9341e3412ca1a436f95a29362f",
      "93a894094874449090caf2fc93cab553", "af4950a849134eb1a73846304ff30c05"};
  constexpr std::size_t id_bytes = 16;
  TALLA_TRY(std::string text, read_file(path));
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  const auto bytes = from_base64(text);
  if (!bytes || bytes->size() < id_bytes)
    return fail(Errc::key_malformed, path + ": no file of systemd-creds encrypt");
  return std::find(bound.begin(), bound.end(), to_hex(ByteView(*bytes).first(id_bytes))) !=
         bound.end();
}

Result<OpenedKeys> open_keys(const KeySources& sources) {
  OpenedKeys out;
  TALLA_TRY(out.signer, at("keys.log_key", open_log_signer(sources.log_key)));
  TALLA_TRY(SealingKey sealing, at("keys.sealing_key", open_sealing(sources)));
  if (sealing.key.size() != Sealer::key_bytes) {
    return fail(Errc::key_malformed,
                "keys.sealing_key: " + sources.sealing_key + ": a sealing key has 32 bytes");
  }
  TALLA_TRY(Sealer sealer, Sealer::create(std::move(sealing.key)));
  out.sealer = std::make_unique<Sealer>(std::move(sealer));
  out.sealing = std::move(sealing.name);
  return out;
}

}  // namespace talla::certs
