#include "toml_reader.hpp"

#include <fstream>
#include <sstream>

namespace talla::rngd {

Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ConfigErrc::bad_configuration, path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<toml::table> parse_toml(std::string_view text, const std::string& path) {
  toml::parse_result parsed = toml::parse(text, path);
  if (parsed) return std::move(parsed).table();
  return fail(ConfigErrc::bad_configuration,
              path + ":" + std::to_string(parsed.error().source().begin.line) + ": " +
                  std::string(parsed.error().description()));
}

}  // namespace talla::rngd
