#include "web/links.hpp"

#include <charconv>

#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "certs/files.hpp"
#include "entropy/effects.hpp"

namespace talla::web {

namespace {

constexpr std::string_view bundle_prefix = "/bundles/";
constexpr std::string_view purpose = "talla-public-link-v1";
constexpr std::size_t key_bytes = 32;
constexpr std::size_t tag_bytes = 16;

Status make_key(const std::string& path) {
  SecretBytes key(key_bytes);
  entropy::SystemOsRandom random;
  TALLA_TRY_STATUS(random.fill(key));
  return certs::create_private_file(path, key);
}

}  // namespace

Result<Links> Links::open(const HashSuite& hashes, const std::string& key_file) {
  auto key = certs::read_private_file(key_file);
  if (!key && key.error().is(certs::Errc::key_file_missing)) {
    TALLA_TRY_STATUS(make_key(key_file));
    key = certs::read_private_file(key_file);
  }
  if (!key) return pass(std::move(key));
  if (key->size() != key_bytes)
    return fail(certs::Errc::key_malformed, key_file + ": the key of public links has 32 bytes");
  return Links(hashes.hmac_key(*key));
}

std::string Links::path(std::uint64_t seq) const {
  const Digest mac = key_->mac({as_bytes(purpose), ByteWriter().u64(seq).take()});
  return std::string(bundle_prefix) + std::to_string(seq) + "-" +
         to_hex(ByteView(mac).first(tag_bytes));
}

std::optional<std::uint64_t> Links::claim(std::string_view path) const {
  if (!path.starts_with(bundle_prefix)) return std::nullopt;
  const std::string_view number = path.substr(bundle_prefix.size());
  std::uint64_t seq = 0;
  if (const auto read = std::from_chars(number.data(), number.data() + number.size(), seq);
      read.ec != std::errc{})
    return std::nullopt;
  const std::string only = this->path(seq);
  if (!equal_constant_time(as_bytes(only), as_bytes(path))) return std::nullopt;
  return seq;
}

}  // namespace talla::web
