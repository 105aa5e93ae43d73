// Holds the folder of a run against its manifest, its plan and itself.
#include <algorithm>
#include <filesystem>
#include <map>

#include "certs/openssl_hashes.hpp"
#include "folder.hpp"
#include "format/cosignature.hpp"
#include "lab_materials/materials.hpp"
#include "lab_submit/run.hpp"
#include "leftovers.hpp"
#include "report.hpp"
#include "seal_folder.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::lab::submit {
namespace {

class FolderCheck {
 public:
  explicit FolderCheck(const CheckWish& wish) : wish_(wish) {}

  [[nodiscard]] Result<std::vector<Finding>> all() {
    TALLA_TRY(const std::string text, content_of(wish_.out + "/" + manifest_file));
    auto manifest = text.empty()
                        ? Result<json::Value>(json::Value())
                        : json::parse_canonical(std::string_view(text).substr(0, text.size() - 1));
    const auto listed =
        manifest ? facts_from(manifest->find("files")) : std::optional<std::vector<FileFact>>();
    if (!listed || text_of(*manifest, "kind") != "talla-lab submission") {
      add(manifest_file, "manifest", "is no manifest of a run");
      return found_;
    }
    signature(text);
    files(*listed);
    TALLA_TRY_STATUS(plan(text_of(*manifest, "plan_path")));
    return found_;
  }

 private:
  void add(const std::string& path, const std::string& what, const std::string& words) {
    found_.push_back({path, what, words});
  }

  void signature(const std::string& manifest) {
    const auto note_there = content_of(wish_.out + "/" + signature_file);
    if (wish_.signer.empty()) return;
    const certs::BotanHashes hashes;
    const auto key = certs::parse_verifier_key(hashes, wish_.signer);
    if (!key) return add(signature_file, "unsigned", "--signer: " + key.error().detail);
    if (!note_there) return add(signature_file, "unsigned", "the manifest is not signed");
    const auto note = certs::parse_note(*note_there);
    const certs::BotanEd25519 verifier;
    if (!note || certs::check_log_signature(*note, *key, verifier) != certs::Signed::valid)
      return add(signature_file, "wrong-signature", "it is not signed by " + key->name);
    if (note->text != note_text(to_hex(digest_of_text(manifest))))
      add(signature_file, "wrong-signature", "what was signed is another manifest");
  }

  void files(const std::vector<FileFact>& listed) {
    std::vector<std::string> names;
    for (const FileFact& one : listed) {
      names.push_back(one.name);
      const auto there = file_fact(wish_.out + "/" + one.name, one.name);
      if (!there) {
        add(one.name, "missing", "the manifest lists it, and it is not here");
      } else if (there->bytes < one.bytes) {
        add(one.name, "cut-short",
            std::to_string(there->bytes) + " bytes of " + std::to_string(one.bytes));
      } else if (*there != one) {
        add(one.name, "changed", "its SHA-256 is not that of the manifest");
      }
    }
    names.insert(names.end(), {manifest_file, signature_file, lock_file});
    namespace fs = std::filesystem;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(wish_.out, error)) {
      if (entry.is_directory() && !entry.is_symlink()) continue;
      const std::string name = entry.path().lexically_relative(wish_.out).string();
      if (std::ranges::find(names, name) == names.end())
        add(name, "not-listed", "it lies here, and the manifest does not list it");
    }
  }

  [[nodiscard]] Status plan(const std::string& plan_path) {
    const auto text = content_of(wish_.out + "/" + plan_copy);
    if (!text) return {};  // missing already
    const auto read = rngd::parse_plan_file(*text, plan_path);
    if (!read) {
      add(plan_copy, "not-of-plan", read.error().detail);
      return {};
    }
    const auto steps = steps_of(*read);
    for (const Step& one : steps) step(one);
    materials();
    const Leftovers beside = leftovers_in(wish_.out, steps);
    for (const auto* list : {&beside.stale, &beside.foreign})
      for (const std::string& one : *list) add(one, "not-of-plan", "no step of the plan makes it");
    const auto report = content_of(wish_.out + "/" + report_file);
    if (report && *report != json::canonical(report_of(wish_.out, *read)) + "\n")
      add(report_file, "report", "the steps say something else");
    return {};
  }

  void step(const Step& step) {
    const std::string folder = wish_.out + "/" + step.id();
    const std::string file = step.id() + "/" + step_file;
    const auto record = step_record(folder);
    if (!record) {
      if (!content_of(folder + std::string(failed_ending)))
        add(step.id(), "missing", "the plan has this step, and nothing is here of it");
      return;
    }
    const json::Value* commands = record->find("commands");
    if (text_of(*record, "step") != step.id() || commands == nullptr ||
        *commands != json::Value(command_list(step)))
      return add(file, "not-of-plan", "its command lines are not those of the plan");
    const auto outputs = facts_from(record->find("outputs"));
    const auto there = files_below(folder, {step_file});
    if (!outputs || !there || *outputs != *there)
      add(file, "edited", "the files beside it are not those that it lists");
    if (text_of(*record, "verdict") != verdict_name(verdict_of(step, exits_of(*record))))
      add(file, "edited", "its verdict is not that of its exit codes");
    key(step, *record, file);
    if (there) results_[step.id()] = to_hex(result_of(*there));
  }

  /// A library that is here is the one that the bill of materials lists.
  void materials() {
    const std::string file = "evidence/materials/materials.json";
    const auto text = content_of(wish_.out + "/" + file);
    const auto bill = text ? json::parse(*text) : Result<json::Value>(json::Value());
    if (!text || !bill) return;
    for (const auto& one : materials::changed_of(*bill))
      add(file, "stale",
          one.path + (one.package.empty() ? "" : " (" + one.package + ")") +
              " is another one now than the one that it lists");
  }

  /// What it was made of is what it says, and what lies here.
  void key(const Step& step, const json::Value& record, const std::string& file) {
    const json::Value* programs = record.find("programs");
    const json::Value* inputs = record.find("inputs");
    const json::Value* needs = record.find("needs");
    if (programs == nullptr || inputs == nullptr || needs == nullptr || !inputs->is_object() ||
        text_of(record, "key") != to_hex(key_of(step, *programs, *inputs, *needs)))
      return add(file, "edited", "its key is not that of what it says");
    for (const std::string& id : step.needs) {
      const auto found = results_.find(id);
      if (found == results_.end() || text_of(*needs, id) != found->second)
        add(file, "stale", "it was made of another " + id + " than the one that lies here");
    }
    for (const std::string& path : step.inputs) {
      const std::string read = text_of(*inputs, path);
      const auto now = input_digest(path);  // away from the laboratory there is none
      if (read.empty()) {
        add(file, "edited", "it does not say which " + path + " it read");
      } else if (now && to_hex(*now) != read) {
        add(file, "stale", path + " is another one now than the one that it read");
      }
    }
  }

  const CheckWish& wish_;
  std::vector<Finding> found_;
  std::map<std::string, std::string> results_;
};

}  // namespace

Result<std::vector<Finding>> check(const CheckWish& wish) {
  CheckWish plain = wish;
  while (plain.out.size() > 1 && plain.out.back() == '/') plain.out.pop_back();
  return FolderCheck(plain).all();
}

}  // namespace talla::lab::submit
