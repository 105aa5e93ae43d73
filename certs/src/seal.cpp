#include "certs/seal.hpp"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <array>
#include <limits>

#include "certs/files.hpp"
#include "format/domain.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

constexpr std::size_t key_bytes = 32;
constexpr std::size_t nonce_bytes = 12;
constexpr std::size_t tag_bytes = 16;

using KdfHandle = std::unique_ptr<EVP_KDF, Freed<EVP_KDF_free>>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, Freed<EVP_KDF_CTX_free>>;

Bytes associated_data(const SealContext& context) {
  ByteWriter writer;
  writer.raw(domain::seal).field(context.origin).u64(context.seq).field(context.kind).field(context.object);
  return writer.take();
}

/// HKDF-SHA-256 with an empty salt.
Status derive_key(const SecretBytes& master, Bytes& info, Secret32& out) {
  const KdfHandle kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  const KdfContext context(kdf ? EVP_KDF_CTX_new(kdf.get()) : nullptr);
  if (!context) return crypto_fail("HKDF");
  SecretBytes key = master;
  std::array<char, 7> digest = {'S', 'H', 'A', '2', '5', '6', '\0'};
  const std::array<OSSL_PARAM, 4> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end()};
  if (EVP_KDF_derive(context.get(), out.writable().data(), key_bytes, parameters.data()) != 1) {
    return crypto_fail("HKDF");
  }
  return {};
}

/// One GCM pass; `tag` is written when sealing and checked when opening.
struct Pass {
  bool sealing;
  ByteView nonce;
  ByteView data;
  ByteView input;
  std::uint8_t* output;
  std::uint8_t* tag;
};
bool run_gcm(const Secret32& key, const Pass& pass) {
  const CipherContext context(EVP_CIPHER_CTX_new());
  int length = 0;
  EVP_CIPHER_CTX* c = context.get();
  const int enc = pass.sealing ? 1 : 0;
  if (c == nullptr || EVP_CipherInit_ex(c, EVP_aes_256_gcm(), nullptr, nullptr, nullptr, enc) != 1)
    return false;
  if (EVP_CipherInit_ex(c, nullptr, nullptr, key.bytes().data(), pass.nonce.data(), enc) != 1) return false;
  if (EVP_CipherUpdate(c, nullptr, &length, pass.data.data(), static_cast<int>(pass.data.size())) != 1)
    return false;
  if (!pass.input.empty() && EVP_CipherUpdate(c, pass.output, &length, pass.input.data(),
                                              static_cast<int>(pass.input.size())) != 1) {
    return false;
  }
  const auto tag_size = static_cast<int>(tag_bytes);
  if (!pass.sealing && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, tag_size, pass.tag) != 1) return false;
  std::array<std::uint8_t, tag_bytes> rest{};
  if (EVP_CipherFinal_ex(c, rest.data(), &length) != 1) return false;
  return !pass.sealing || EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, tag_size, pass.tag) == 1;
}

}  // namespace

Result<Sealer> Sealer::create(SecretBytes key) {
  if (key.size() != key_bytes) return fail(Errc::key_malformed, "a sealing key has 32 bytes");
  return Sealer(std::move(key));
}

Result<Sealer> Sealer::load(const std::string& path) {
  TALLA_TRY(SecretBytes key, read_private_file(path));
  if (key.size() != key_bytes) return fail(Errc::key_malformed, path + ": a sealing key has 32 bytes");
  return Sealer(std::move(key));
}

Result<Bytes> Sealer::seal(const SealContext& context, std::span<const std::uint8_t> plain) const {
  if (plain.size() > std::size_t{1} << 30U) return fail(Errc::count_refused, "secret is too long to seal");
  Bytes data = associated_data(context);
  Secret32 key;
  TALLA_TRY_STATUS(derive_key(key_, data, key));
  Bytes sealed(nonce_bytes + plain.size() + tag_bytes);
  if (RAND_bytes(sealed.data(), static_cast<int>(nonce_bytes)) != 1) return crypto_fail("nonce");
  const bool done = run_gcm(key, {.sealing = true,
                                  .nonce = ByteView(sealed).first(nonce_bytes),
                                  .data = data,
                                  .input = plain,
                                  .output = sealed.data() + nonce_bytes,
                                  .tag = sealed.data() + nonce_bytes + plain.size()});
  if (!done) return crypto_fail("seal");
  return sealed;
}

Result<SecretBytes> Sealer::unseal(const SealContext& context, ByteView sealed) const {
  const auto refused = [&context] {
    return fail(Errc::seal_refused,
                std::string(context.object) + ": does not open under this key and context");
  };
  if (sealed.size() < nonce_bytes + tag_bytes) return refused();
  Bytes data = associated_data(context);
  Secret32 key;
  TALLA_TRY_STATUS(derive_key(key_, data, key));
  const std::size_t size = sealed.size() - nonce_bytes - tag_bytes;
  if (size > std::size_t{1} << 30U) return refused();
  SecretBytes plain(size);
  std::array<std::uint8_t, tag_bytes> tag{};
  std::copy(sealed.end() - static_cast<std::ptrdiff_t>(tag_bytes), sealed.end(), tag.begin());
  const bool done = run_gcm(key, {.sealing = false,
                                  .nonce = sealed.first(nonce_bytes),
                                  .data = data,
                                  .input = sealed.subspan(nonce_bytes, size),
                                  .output = plain.data(),
                                  .tag = tag.data()});
  if (!done) return refused();
  return plain;
}

}  // namespace talla::certs
