#include "config/client_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "toml_reader.hpp"

namespace talla::rngd {

Result<ClientFile> parse_client_file(std::string_view text, const std::string& path) {
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    return fail(ConfigErrc::bad_configuration, path + ":" +
                                                   std::to_string(parsed.error().source().begin.line) + ": " +
                                                   std::string(parsed.error().description()));
  }
  TomlReader reader(parsed.table(), path, "");
  ClientFile file;
  TALLA_TRY_STATUS(reader.text("host", file.host));
  TALLA_TRY_STATUS(reader.integer("port", file.port, 1, 65535));
  TALLA_TRY_STATUS(reader.text("server_name", file.server_name));
  TALLA_TRY_STATUS(reader.text("certificate", file.certificate, true));
  TALLA_TRY_STATUS(reader.text("key", file.key, true));
  TALLA_TRY_STATUS(reader.text("root", file.root, true));
  TALLA_TRY_STATUS(reader.text("log_key", file.log_key, true));
  TALLA_TRY_STATUS(reader.finish());
  const auto folder = std::filesystem::path(path).parent_path();
  for (std::string* name : {&file.certificate, &file.key, &file.root, &file.log_key}) {
    *name = (folder / *name).lexically_normal().string();
  }
  return file;
}

Result<ClientFile> load_client_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ConfigErrc::bad_configuration, path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return parse_client_file(text.str(), path);
}

}  // namespace talla::rngd
