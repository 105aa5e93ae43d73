#include "certs/seal.hpp"

#include <openssl/rand.h>

#include <array>
#include <limits>

#include "certs/files.hpp"
#include "format/domain.hpp"
#include "openssl_gcm.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

Bytes associated_data(const SealContext& context) {
  ByteWriter writer;
  writer.raw(domain::seal)
      .field(context.origin)
      .u64(context.seq)
      .field(context.kind)
      .field(context.object);
  return writer.take();
}

}  // namespace

Result<Sealer> Sealer::create(SecretBytes key) {
  if (key.size() != key_bytes) return fail(Errc::key_malformed, "a sealing key has 32 bytes");
  return Sealer(std::move(key));
}

Result<Sealer> Sealer::load(const std::string& path) {
  TALLA_TRY(SecretBytes key, read_private_file(path));
  if (key.size() != key_bytes)
    return fail(Errc::key_malformed, path + ": a sealing key has 32 bytes");
  return Sealer(std::move(key));
}

Result<Bytes> Sealer::seal(const SealContext& context, std::span<const std::uint8_t> plain) const {
  if (plain.size() > std::size_t{1} << 30U)
    return fail(Errc::count_refused, "secret is too long to seal");
  const Bytes data = associated_data(context);
  Secret32 key;
  TALLA_TRY_STATUS(hkdf_sha256(key_, data, key));
  Bytes sealed(gcm_nonce_bytes + plain.size() + gcm_tag_bytes);
  if (RAND_bytes(sealed.data(), static_cast<int>(gcm_nonce_bytes)) != 1)
    return crypto_fail("nonce");
  const bool done = run_gcm(key, {.sealing = true,
                                  .nonce = ByteView(sealed).first(gcm_nonce_bytes),
                                  .data = data,
                                  .input = plain,
                                  .output = sealed.data() + gcm_nonce_bytes,
                                  .tag = sealed.data() + gcm_nonce_bytes + plain.size()});
  if (!done) return crypto_fail("seal");
  return sealed;
}

Result<SecretBytes> Sealer::unseal(const SealContext& context, ByteView sealed) const {
  const auto refused = [&context] {
    return fail(Errc::seal_refused,
                std::string(context.object) + ": does not open under this key and context");
  };
  if (sealed.size() < gcm_nonce_bytes + gcm_tag_bytes) return refused();
  const Bytes data = associated_data(context);
  Secret32 key;
  TALLA_TRY_STATUS(hkdf_sha256(key_, data, key));
  const std::size_t size = sealed.size() - gcm_nonce_bytes - gcm_tag_bytes;
  if (size > std::size_t{1} << 30U) return refused();
  SecretBytes plain(size);
  std::array<std::uint8_t, gcm_tag_bytes> tag{};
  std::copy(sealed.end() - static_cast<std::ptrdiff_t>(gcm_tag_bytes), sealed.end(), tag.begin());
  const bool done = run_gcm(key, {.sealing = false,
                                  .nonce = sealed.first(gcm_nonce_bytes),
                                  .data = data,
                                  .input = sealed.subspan(gcm_nonce_bytes, size),
                                  .output = plain.data(),
                                  .tag = tag.data()});
  if (!done) return refused();
  return plain;
}

}  // namespace talla::certs
