// What changed from one run to another, major and minor.
#include "lab_submit/compare.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "folder.hpp"
#include "lab_materials/materials.hpp"
#include "lab_submit/run.hpp"
#include "software/manifest.hpp"

namespace talla::lab::submit {
namespace {

namespace fs = std::filesystem;

/// A step as one of the folders has it.
struct Side {
  std::string folder;
  std::string verdict = "none";
  json::Value record;
  std::map<std::string, std::string> files;  // name, SHA-256
};

/// Ids of all steps of a folder, those that failed too. Errors: it is no folder of a run.
Result<std::set<std::string>> ids_in(const std::string& folder) {
  const auto manifest = content_of(folder + "/" + manifest_file);
  if (!manifest || text_at(*manifest, "/kind") != "talla-lab submission")
    return fail(SubmitErrc::submit_refused, folder + ": no folder of talla-lab submit");
  std::set<std::string> out;
  for (const std::string_view part : parts) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder + "/" + std::string(part), error)) {
      std::string name = entry.path().filename().string();
      if (name.ends_with(failed_ending)) name.resize(name.size() - failed_ending.size());
      if (!name.starts_with('.')) out.insert(std::string(part) + "/" + name);
    }
  }
  return out;
}

Side side_of(const std::string& folder, const std::string& id) {
  Side side;
  side.folder = folder + "/" + id;
  if (const auto record = step_record(side.folder)) {
    side.record = *record;
    side.verdict = text_of(*record, "verdict");
    if (const auto files = facts_from(record->find("outputs")))
      for (const FileFact& one : *files) side.files.emplace(one.name, to_hex(one.sha256));
  } else if (content_of(side.folder + std::string(failed_ending))) {
    side.verdict = "failed";
  }
  return side;
}

class Comparison {
 public:
  void step(const std::string& id, const Side& before, const Side& after) {
    id_ = id;
    part_ = id.substr(0, id.find('/'));
    if (before.verdict != after.verdict) {
      add(before.verdict != "none" && after.verdict != "none" ? true : is_examined(), "verdict",
          before.verdict + ", now " + after.verdict);
    }
    if (before.files.empty() || after.files.empty()) return;
    if (part_ == "device") return device(before, after);
    if (id == "evidence/software") return software(before, after);
    if (id == "evidence/materials") return materials(before, after);
    const bool same_wish = before.record.find("commands") != nullptr &&
                           after.record.find("commands") != nullptr &&
                           *before.record.find("commands") == *after.record.find("commands");
    if (part_ == "mapping" && !same_wish) return add(false, "plan", "another sample is asked for");
    std::set<std::string> names;
    for (const Side* side : {&before, &after})
      for (const auto& [name, digest] : side->files) names.insert(name);
    for (const std::string& name : names) {
      if (is_random(name)) continue;
      const auto was = before.files.find(name);
      const auto now = after.files.find(name);
      const bool both = was != before.files.end() && now != after.files.end();
      if (both && was->second == now->second) continue;
      add(is_examined(), name,
          both                        ? "other bytes"
          : was == before.files.end() ? "was not there"
                                      : "is not there any more");
    }
  }
  [[nodiscard]] std::vector<Change> found() && { return std::move(found_); }

 private:
  void add(bool major, const std::string& what, const std::string& words) {
    found_.push_back({major, id_, what, words});
  }
  /// Parts whose results are the same from the same programs.
  [[nodiscard]] bool is_examined() const {
    return part_ == "generator" || part_ == "mapping" || part_ == "rules";
  }
  /// Answers with fresh keys, where they lie, and what programs say beside their results.
  [[nodiscard]] static bool is_random(const std::string& name) {
    return name == "response.json" || name == "answered.json" || name == messages_file;
  }
  void device(const Side& before, const Side& after) {
    struct Fact {
      std::string_view pointer, name;
      bool major;
    };
    constexpr std::array facts{Fact{"/device/model", "model", true},
                               Fact{"/device/firmware_bcd_device", "firmware", true},
                               Fact{"/device/usb_id", "USB id", true},
                               Fact{"/device/assessed_millibits_per_sample", "claim", true},
                               Fact{"/device/serial", "serial number", false}};
    for (const char* file : {"raw.bin.manifest.json", "rows.bin.manifest.json"}) {
      const auto was = content_of(before.folder + "/" + file);
      const auto now = content_of(after.folder + "/" + file);
      if (!was || !now) continue;
      for (const Fact& fact : facts) {
        const std::string one = text_at(*was, fact.pointer);
        const std::string two = text_at(*now, fact.pointer);
        if (one != two) add(fact.major, std::string(fact.name), one + ", now " + two);
      }
      if (text_at(*was, "/file/sha256") != text_at(*now, "/file/sha256"))
        add(false, "samples", "new ones");
    }
  }
  void software(const Side& before, const Side& after) {
    const auto read = [](const Side& side) -> Result<software::Manifest> {
      TALLA_TRY(const std::string text, content_of(side.folder + "/software.manifest"));
      return software::parse_manifest(text);
    };
    const auto was = read(before);
    const auto now = read(after);
    if (!was || !now) return add(true, "software.manifest", "cannot be read");
    const auto add_file = [&](const software::ManifestFile& file, const std::string& words) {
      using software::FileKind;
      add(file.kind == FileKind::program || file.kind == FileKind::library ||
              file.kind == FileKind::catalogue,
          file.path, words);
    };
    for (const auto& file : was->files) {
      const auto* other = now->find(file.path);
      if (other == nullptr) {
        add_file(file, "is not there any more");
      } else if (other->sha256 != file.sha256) {
        add_file(file, "other bytes");
      }
    }
    for (const auto& file : now->files)
      if (was->find(file.path) == nullptr) add_file(file, "was not there");
  }

  /// Files by path, with the package that each is of; licences and vulnerabilities are minor.
  void materials(const Side& before, const Side& after) {
    const auto read = [](const Side& side) -> Result<json::Value> {
      TALLA_TRY(const std::string text, content_of(side.folder + "/materials.json"));
      return json::parse(text);
    };
    const auto was = read(before);
    const auto now = read(after);
    if (!was || !now) return add(true, "materials.json", "cannot be read");
    std::map<std::string, materials::MaterialsFile> others;
    for (auto& one : materials::files_of(*now)) others.emplace(one.path, one);
    const std::size_t found_before = found_.size();
    for (const auto& one : materials::files_of(*was)) {
      const auto other = others.find(one.path);
      if (other == others.end()) {
        add(true, one.path, "is not there any more");
        continue;
      }
      if (other->second.sha256 != one.sha256)
        add(true, one.path,
            "other bytes" +
                (one.package.empty() ? "" : ": " + one.package + ", now " + other->second.package));
      others.erase(other);
    }
    for (const auto& [path, one] : others) add(true, path, "was not there");
    if (found_.size() == found_before && *was != *now)
      add(false, "materials.json", "packages, licences or vulnerabilities");
  }

  std::string id_, part_;
  std::vector<Change> found_;
};

}  // namespace

Result<std::vector<Change>> compare(const std::string& before, const std::string& after) {
  TALLA_TRY(std::set<std::string> ids, ids_in(before));
  TALLA_TRY(const std::set<std::string> others, ids_in(after));
  ids.insert(others.begin(), others.end());
  Comparison comparison;
  for (const std::string& id : ids) comparison.step(id, side_of(before, id), side_of(after, id));
  return std::move(comparison).found();
}

}  // namespace talla::lab::submit
