#include "params.hpp"

#include <charconv>

#include "commandline/typed.hpp"

namespace talla::cli {

Result<std::int64_t> number(std::string_view text, const std::string& what) {
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) {
    return fail(CliErrc::usage, what + ": \"" + std::string(text) + "\" is no number");
  }
  return value;
}

Result<json::Value> params_of(const std::vector<std::string>& texts) {
  json::Value params = json::Object{};
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(CliErrc::usage, "--param " + text + ": NAME=VALUE is expected");
    params[text.substr(0, equals)] = commandline::typed_value(text.substr(equals + 1));
  }
  return params;
}

Result<std::vector<shuffle::Card>> cards_of(const std::string& text) {
  constexpr std::size_t letters = 2;
  std::vector<shuffle::Card> out;
  for (std::size_t at = 0; at < text.size(); at += letters) {
    TALLA_TRY(const auto card, shuffle::Card::parse(text.substr(at, letters)));
    out.push_back(card);
  }
  return out;
}

}  // namespace talla::cli
