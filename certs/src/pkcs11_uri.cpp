// Reads a pkcs11: URI (RFC 7512) into the token, object and PIN source it names.
#include <array>
#include <functional>
#include <map>

#include "certs/pkcs11.hpp"
#include "certs/secret_source.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view scheme = "pkcs11:";

auto malformed(const std::string& what) {
  return fail(Errc::uri_malformed, "pkcs11 URI: " + what);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> percent_decoded(std::string_view text, const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (text[i] <= ' ' || text[i] > '~')
        return malformed(name + ": a character that must be written as %XX");
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return malformed(name + ": % is followed by two hexadecimal digits");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

using Take = std::function<Status(Pkcs11Uri&, std::string)>;

Take text_into(std::string Pkcs11Uri::*member, std::size_t size_max) {
  return [member, size_max](Pkcs11Uri& uri, std::string value) -> Status {
    if (value.size() > size_max)
      return malformed("'" + value + "' is longer than " + std::to_string(size_max));
    uri.*member = std::move(value);
    return {};
  };
}

Status take_type(Pkcs11Uri& uri, const std::string& value) {
  constexpr std::array<std::pair<std::string_view, Pkcs11Class>, 4> types = {
      {{"data", Pkcs11Class::data},
       {"public", Pkcs11Class::public_key},
       {"private", Pkcs11Class::private_key},
       {"secret-key", Pkcs11Class::secret_key}}};
  for (const auto& [name, type] : types) {
    if (name == value) uri.type = type;
  }
  if (uri.type) return {};
  return malformed("type '" + value + "': data, public, private or secret-key");
}

Status take_module(Pkcs11Uri& uri, std::string value) {
  if (!value.starts_with('/')) return malformed("module-path '" + value + "' must be absolute");
  uri.module_path = std::move(value);
  return {};
}

Status take_pin_source(Pkcs11Uri& uri, std::string value) {
  if (value.starts_with("file:")) value.erase(0, 5);
  if (!value.starts_with('/') && !is_credential(value)) {
    return malformed("pin-source must be an absolute path or credential:NAME");
  }
  uri.pin_source = std::move(value);
  return {};
}

/// Sizes: PKCS#11 CK_TOKEN_INFO.
const std::map<std::string, Take, std::less<>>& path_attributes() {
  static const std::map<std::string, Take, std::less<>> all = {
      {"token", text_into(&Pkcs11Uri::token, 32)},
      {"manufacturer", text_into(&Pkcs11Uri::manufacturer, 32)},
      {"model", text_into(&Pkcs11Uri::model, 16)},
      {"serial", text_into(&Pkcs11Uri::serial, 16)},
      {"object", text_into(&Pkcs11Uri::object, 255)},
      {"type", take_type},
      {"id", [](Pkcs11Uri& uri, const std::string& value) -> Status {
         uri.id.assign(value.begin(), value.end());
         return {};
       }}};
  return all;
}

const std::map<std::string, Take, std::less<>>& query_attributes() {
  static const std::map<std::string, Take, std::less<>> all = {{"module-path", take_module},
                                                               {"pin-source", take_pin_source}};
  return all;
}

Status take_attributes(std::string_view text, char separator,
                       const std::map<std::string, Take, std::less<>>& known, Pkcs11Uri& uri) {
  std::map<std::string, bool, std::less<>> seen;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    const std::string name(one.substr(0, equals));
    if (name == "pin-value") return malformed("pin-value is not taken; name a pin-source");
    const auto take = known.find(name);
    if (equals == std::string_view::npos || take == known.end())
      return malformed("no attribute '" + name + "'");
    if (!seen.emplace(name, true).second) return malformed(name + " stands twice");
    TALLA_TRY(std::string value, percent_decoded(one.substr(equals + 1), name));
    if (value.empty()) return malformed(name + " is empty");
    TALLA_TRY_STATUS(take->second(uri, std::move(value)));
  }
  return {};
}

}  // namespace

bool is_pkcs11_uri(std::string_view text) {
  return text.starts_with(scheme);
}

Result<Pkcs11Uri> parse_pkcs11_uri(std::string_view text) {
  if (!is_pkcs11_uri(text)) return malformed("it begins with pkcs11:");
  text.remove_prefix(scheme.size());
  const std::size_t query = text.find('?');
  Pkcs11Uri uri;
  TALLA_TRY_STATUS(take_attributes(text.substr(0, query), ';', path_attributes(), uri));
  if (query != std::string_view::npos) {
    TALLA_TRY_STATUS(take_attributes(text.substr(query + 1), '&', query_attributes(), uri));
  }
  return uri;
}

}  // namespace talla::certs
