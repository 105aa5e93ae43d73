#include "config/client_file.hpp"

#include <filesystem>

#include "toml_reader.hpp"

namespace talla::rngd {

Result<ClientFile> parse_client_file(std::string_view text, const std::string& path) {
  TALLA_TRY(const toml::table parsed, parse_toml(text, path));
  TomlReader reader(parsed, path, "");
  ClientFile file;
  TALLA_TRY_STATUS(reader.text("host", file.host));
  TALLA_TRY_STATUS(reader.integer("port", file.port, 1, 65535));
  TALLA_TRY_STATUS(reader.text("server_name", file.server_name));
  TALLA_TRY_STATUS(reader.text("certificate", file.certificate, true));
  TALLA_TRY_STATUS(reader.text("key", file.key, true));
  TALLA_TRY_STATUS(reader.text("root", file.root, true));
  TALLA_TRY_STATUS(reader.text("log_key", file.log_key, true));
  TALLA_TRY_STATUS(reader.text("ended", file.ended));
  TALLA_TRY_STATUS(reader.finish());
  const auto folder = std::filesystem::path(path).parent_path();
  for (std::string* name : {&file.certificate, &file.key, &file.root, &file.log_key}) {
    *name = (folder / *name).lexically_normal().string();
  }
  if (!file.ended.empty()) file.ended = (folder / file.ended).lexically_normal().string();
  return file;
}

Result<ClientFile> load_client_file(const std::string& path) {
  TALLA_TRY(const std::string text, read_text(path));
  return parse_client_file(text, path);
}

}  // namespace talla::rngd
