#include "config/ended_files.hpp"

#include <algorithm>
#include <filesystem>

#include "toml_reader.hpp"

namespace talla::rngd {

Result<std::vector<std::string>> load_ended_files(const std::string& path) {
  std::vector<std::string> files;
  if (path.empty()) return files;
  std::vector<std::string> names{path};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    names.clear();
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end;
         at.increment(error))
      if (at->path().extension() == ".json") names.push_back(at->path().string());
    if (error || names.empty())
      return fail(ConfigErrc::bad_configuration,
                  path + ": no statement (*.json) about the end of a log is in it");
    std::sort(names.begin(), names.end());
  }
  for (const std::string& name : names) {
    TALLA_TRY(std::string text, read_text(name));
    files.push_back(std::move(text));
  }
  return files;
}

Result<std::vector<std::string>> load_ended_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    TALLA_TRY(const std::vector<std::string> some, load_ended_files(path));
    files.insert(files.end(), some.begin(), some.end());
  }
  return files;
}

}  // namespace talla::rngd
