#include "fields.hpp"

#include "format/merkle.hpp"

namespace talla::certs {
void Fields::refuse_detail(std::string detail) {
  if (!error_) error_ = Error(errc_, std::move(detail));
}
void Fields::keep(const Error& error) {
  if (!error_) error_ = error;
}
void Fields::refuse(std::string_view key, std::string_view why) {
  refuse_detail(std::string(where_) + "." + std::string(key) + ": " + std::string(why));
}

std::string_view Fields::view(std::string_view key) {
  return take(reader_.text(key));
}

std::string Fields::text(std::string_view key) {
  return std::string(view(key));
}

std::string Fields::filled_text(std::string_view key) {
  std::string value = text(key);
  require(!value.empty(), key, "must not be empty");
  return value;
}

std::string Fields::optional_text(std::string_view key) {
  return has(key) ? filled_text(key) : std::string();
}

std::int64_t Fields::integer(std::string_view key, Between range) {
  return take(reader_.integer(key, range.min, range.max));
}

std::optional<std::int64_t> Fields::optional_integer(std::string_view key, Between range) {
  if (!has(key)) return std::nullopt;
  return integer(key, range);
}

bool Fields::boolean(std::string_view key) {
  return take(reader_.boolean(key));
}

Digest Fields::digest(std::string_view key) {
  auto value = digest_from_hex(view(key));
  if (value) return *value;
  refuse(key, "32 bytes in hex are expected");
  return {};
}

std::optional<Digest> Fields::optional_digest(std::string_view key) {
  if (!has(key)) return std::nullopt;
  return digest(key);
}

Bytes Fields::base64(std::string_view key) {
  auto value = from_base64(view(key));
  if (value) return std::move(*value);
  refuse(key, "base64 is expected");
  return {};
}

std::vector<Bytes> Fields::certificate_chain(std::string_view key) {
  std::vector<Bytes> chain;
  for (const std::string& certificate : texts(key))
    chain.push_back(nested(from_base64(certificate)));
  require(chain_certificates.holds_count(chain.size()), key,
          bounds_text(chain_certificates) + " certificates are expected");
  return chain;
}

std::vector<std::string> Fields::texts(std::string_view key) {
  const json::Array* entries = array(key);
  std::vector<std::string> values;
  if (entries == nullptr) return values;
  for (const auto& entry : *entries) {
    if (!entry.is_string() || entry.string().empty()) {
      refuse(key, "an array of texts is expected");
      return {};
    }
    values.push_back(entry.string());
  }
  return values;
}

std::size_t Fields::word(std::string_view key, std::initializer_list<std::string_view> words) {
  const std::string_view value = view(key);
  std::size_t index = 0;
  for (const std::string_view candidate : words) {
    if (candidate == value) return index;
    ++index;
  }
  refuse(key, "is none of the known words");
  return 0;
}

const json::Array* Fields::array(std::string_view key) {
  return take(reader_.array(key));
}

const json::Value* Fields::object(std::string_view key) {
  const json::Value* value = take(reader_.object(key));
  return value;
}

Status Fields::status() {
  if (!error_) {
    if (auto rest = reader_.finish(); !rest) refuse_detail(rest.error().detail);
  }
  if (error_) return tl::unexpected<Error>(*error_);
  return {};
}

json::Value path_json(const std::vector<Digest>& path) {
  json::Array hashes;
  hashes.reserve(path.size());
  for (const Digest& hash : path) hashes.emplace_back(to_hex(hash));
  return hashes;
}

json::Value texts_json(const std::vector<std::string>& texts) {
  json::Array values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.emplace_back(text);
  return values;
}

}  // namespace talla::certs
