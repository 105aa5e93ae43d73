#include "config/witness_file.hpp"

#include <filesystem>

#include "toml_reader.hpp"

namespace talla::rngd {
namespace {

Status read_logs(TomlReader& reader, WitnessFile& file) {
  constexpr std::size_t logs_max = 1024;
  const toml::node* list = reader.take("log");
  const toml::array* array = list == nullptr ? nullptr : list->as_array();
  if (array == nullptr || array->empty() || array->size() > logs_max ||
      !array->is_homogeneous<toml::table>())
    return reader.refuse(list, "log", "a list [[log]] of 1 to 1024 tables is expected");
  for (const toml::node& node : *array) {
    TomlReader entry(*node.as_table(), reader.path(), "log.");
    WitnessFile::Log log;
    TALLA_TRY_STATUS(entry.text("key", log.key, true));
    TALLA_TRY_STATUS(entry.text("origin", log.origin));
    TALLA_TRY_STATUS(entry.finish());
    file.logs.push_back(std::move(log));
  }
  return {};
}

Status read_tls(TomlReader& reader, WitnessFile::Tls& tls) {
  TALLA_TRY_STATUS(reader.text("certificate", tls.certificate, true));
  TALLA_TRY_STATUS(reader.text("key", tls.key, true));
  TALLA_TRY_STATUS(reader.text("client_roots", tls.client_roots));
  return reader.finish();
}

}  // namespace

Result<WitnessFile> parse_witness_file(std::string_view text, const std::string& path) {
  TALLA_TRY(const toml::table parsed, parse_toml(text, path));
  WitnessFile file;
  TomlReader reader(parsed, path, "");
  TALLA_TRY_STATUS(reader.text("name", file.name, true));
  TALLA_TRY_STATUS(reader.text("key", file.key, true));
  TALLA_TRY_STATUS(reader.text("state", file.state, true));
  TALLA_TRY_STATUS(reader.text("conflicts", file.conflicts));
  TALLA_TRY_STATUS(reader.text("address", file.address));
  TALLA_TRY_STATUS(reader.integer("port", file.port, 0, 65535));
  TALLA_TRY_STATUS(reader.integer("threads", file.threads, 1, 64));
  TALLA_TRY_STATUS(reader.integer("connections", file.connections, 1, 65536));
  TALLA_TRY_STATUS(reader.text("ended", file.ended));
  TALLA_TRY_STATUS(reader.text("ended_roots", file.ended_roots, !file.ended.empty()));
  TALLA_TRY(const toml::table* tls, reader.table("tls"));
  if (tls != nullptr) {
    TomlReader inner(*tls, path, "tls.");
    TALLA_TRY_STATUS(read_tls(inner, file.tls));
  }
  TALLA_TRY_STATUS(read_logs(reader, file));
  TALLA_TRY_STATUS(reader.finish());
  const auto folder = std::filesystem::path(path).parent_path();
  for (std::string* one : {&file.key, &file.state, &file.conflicts, &file.ended, &file.ended_roots,
                           &file.tls.certificate, &file.tls.key, &file.tls.client_roots}) {
    if (!one->empty()) *one = (folder / *one).lexically_normal().string();
  }
  return file;
}

Result<WitnessFile> load_witness_file(const std::string& path) {
  TALLA_TRY(const std::string text, read_text(path));
  return parse_witness_file(text, path);
}

}  // namespace talla::rngd
