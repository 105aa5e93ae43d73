// Tells the files of a run from what others left beside them.
#include "leftovers.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "folder.hpp"

namespace talla::lab::submit {
namespace {

namespace fs = std::filesystem;

/// Files beside the parts, also as a killed run left one of them half written.
bool is_of_a_run(std::string name) {
  constexpr std::string_view half = ".new";
  if (name.ends_with(half)) name.resize(name.size() - half.size());
  static const std::vector<std::string> files{plan_copy,        report_file,     manifest_file,
                                              signature_file,   lock_file,       "report-en.html",
                                              "report-es.html", "report-en.pdf", "report-es.pdf"};
  return std::ranges::find(files, name) != files.end();
}

void look_at(const fs::directory_entry& entry, const std::string& part,
             const std::vector<Step>& steps, Leftovers& found) {
  std::string name = entry.path().filename().string();
  const std::string path = part + "/" + name;
  const bool folder = entry.is_directory() && !entry.is_symlink();
  const bool begun = folder && name.starts_with('.') && name.ends_with(".part");
  const bool whole = folder && fs::exists(entry.path() / step_file);
  bool failed = false;
  for (const std::string_view ending : {failed_ending, std::string_view(".failed.json.new")}) {
    if (folder || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    failed = true;
  }
  if (!begun && !whole && !failed) return found.foreign.push_back(path);
  if (std::ranges::none_of(steps,
                           [&](const Step& one) { return one.part == part && one.name == name; }))
    found.stale.push_back(path);
}

}  // namespace

Leftovers leftovers_in(const std::string& out, const std::vector<Step>& steps) {
  Leftovers found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(out, error)) {
    const std::string name = entry.path().filename().string();
    const bool folder = entry.is_directory() && !entry.is_symlink();
    if (folder && std::ranges::find(parts, name) != parts.end()) {
      for (const auto& one : fs::directory_iterator(entry.path(), error))
        look_at(one, name, steps, found);
    } else if (folder || !is_of_a_run(name)) {
      found.foreign.push_back(name);
    }
  }
  std::ranges::sort(found.foreign);
  return found;
}

}  // namespace talla::lab::submit
