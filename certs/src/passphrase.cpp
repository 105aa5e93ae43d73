#include "certs/passphrase.hpp"

#include <openssl/rand.h>

#include <array>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "certs/seal.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

constexpr std::size_t check_bytes = 16;
constexpr std::size_t salt_bytes = 32;
constexpr std::int64_t n_min = 1 << 15;
constexpr std::int64_t n_new = 1 << 17;
constexpr std::int64_t memory_max = std::int64_t{1} << 30;
constexpr std::string_view type_name = "talla-passphrase-key";

struct Parameters {
  std::int64_t n = n_new;
  std::int64_t r = 8;
  std::int64_t p = 1;
  Bytes salt;
  Bytes check;
};

/// Key and check.
Result<SecretBytes> run_scrypt(const Parameters& with, const SecretBytes& passphrase) {
  SecretBytes out(Sealer::key_bytes + check_bytes);
  const std::string_view text(reinterpret_cast<const char*>(passphrase.data()), passphrase.size());
  const auto number = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  if (EVP_PBE_scrypt(text.data(), text.size(), with.salt.data(), with.salt.size(), number(with.n),
                     number(with.r), number(with.p), number(memory_max) * 2, out.data(),
                     out.size()) != 1) {
    return crypto_fail("scrypt");
  }
  return out;
}

Result<Parameters> read_parameters(const std::string& path) {
  const auto malformed = [&path](const std::string& why) {
    return fail(Errc::key_malformed, path + ": " + why);
  };
  TALLA_TRY(const std::string text, read_file(path));
  const auto value = json::parse_canonical(text);
  if (!value) return malformed(value.error().text());
  json::Reader reader(*value, "parameters");
  const auto type = reader.string("type");
  const auto kdf = reader.string("kdf");
  const auto version = reader.integer("v", 1, 1);
  const auto n = reader.integer("n", n_min, memory_max);
  const auto r = reader.integer("r", 8, 64);
  const auto p = reader.integer("p", 1, 16);
  const auto salt = reader.string("salt");
  const auto check = reader.string("check");
  if (!type || *type != type_name || !version || !kdf || *kdf != "scrypt") {
    return malformed("no parameters of a passphrase key (type, v or kdf)");
  }
  if (!n || !r || !p || (*n & (*n - 1)) != 0 || 128 * *n * *r > memory_max) {
    return malformed(
        "costs n, r, p outside their range (n a power of two from 32768, r from 8, at most 1 GiB)");
  }
  if (!salt || !check) return malformed("salt or check is missing");
  if (const Status rest = reader.finish(); !rest) return malformed(rest.error().detail);
  Parameters out{.n = *n, .r = *r, .p = *p, .salt = {}, .check = {}};
  TALLA_TRY(out.salt, from_base64(*salt));
  TALLA_TRY(out.check, from_base64(*check));
  if (out.salt.size() != salt_bytes || out.check.size() != check_bytes)
    return malformed("salt or check has another length");
  return out;
}

}  // namespace

Status make_passphrase_key(const std::string& path, const SecretBytes& passphrase) {
  if (passphrase.size() < passphrase_bytes_min) {
    return fail(Errc::key_malformed, "a passphrase has at least " +
                                         std::to_string(passphrase_bytes_min) + " characters");
  }
  Parameters with;
  with.salt.resize(salt_bytes);
  if (RAND_bytes(with.salt.data(), static_cast<int>(salt_bytes)) != 1) return crypto_fail("salt");
  TALLA_TRY(const SecretBytes out, run_scrypt(with, passphrase));
  return create_public_file(
      path,
      json::canonical(json::Object{{"check", to_base64(ByteView(out).subspan(Sealer::key_bytes))},
                                   {"kdf", "scrypt"},
                                   {"n", with.n},
                                   {"p", with.p},
                                   {"r", with.r},
                                   {"salt", to_base64(with.salt)},
                                   {"type", type_name},
                                   {"v", 1}}));
}

Result<SecretBytes> passphrase_key(const std::string& path, const SecretBytes& passphrase) {
  TALLA_TRY(const Parameters with, read_parameters(path));
  TALLA_TRY(SecretBytes out, run_scrypt(with, passphrase));
  if (!equal_constant_time(ByteView(out).subspan(Sealer::key_bytes), with.check)) {
    return fail(Errc::seal_refused, path + ": this is not its passphrase");
  }
  out.resize(Sealer::key_bytes);
  return out;
}

}  // namespace talla::certs
