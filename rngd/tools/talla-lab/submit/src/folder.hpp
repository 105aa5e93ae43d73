/// \file
/// What lies in the folder of a run: files with their digests, what a step says of itself.
///
/// Errors: SubmitErrc::submit_refused with the path. Threads: pure functions over the file system.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

inline constexpr const char* step_file = "step.json";
inline constexpr const char* messages_file = "messages.txt";
inline constexpr const char* plan_copy = "plan.toml";
inline constexpr const char* report_file = "report.json";
inline constexpr const char* manifest_file = "manifest.json";
inline constexpr const char* signature_file = "manifest.note";
inline constexpr const char* lock_file = ".lock";
inline constexpr std::string_view failed_ending = ".failed.json";
inline constexpr std::array<std::string_view, 6> parts{"device", "generator", "mapping",
                                                       "rules",  "evidence",  "submission"};

/// One file, by its path below some folder.
struct FileFact {
  std::string name;
  std::uint64_t bytes = 0;
  Digest sha256{};
  bool operator==(const FileFact&) const = default;
};
/// Of a plain file of any size.
[[nodiscard]] Result<FileFact> file_fact(const std::string& path, std::string name);
/// All plain files below a folder, ascending by name; anything else that lies there is refused.
/// Those whose name is among `without` are left out.
[[nodiscard]] Result<std::vector<FileFact>> files_below(const std::string& folder,
                                                        const std::vector<std::string>& without);
[[nodiscard]] json::Array fact_list(const std::vector<FileFact>& files);
/// Nothing: this is no such list.
[[nodiscard]] std::optional<std::vector<FileFact>> facts_from(const json::Value* list);
/// One digest for a file, or for a folder with all that lies in it.
[[nodiscard]] Result<Digest> input_digest(const std::string& path);
/// SHA-256 of the canonical text.
[[nodiscard]] Digest digest_of(const json::Value& value);
[[nodiscard]] Digest digest_of_text(std::string_view text);
/// Whole content. Errors: it is not there, is no plain file, or has more than 256 MiB.
[[nodiscard]] Result<std::string> content_of(const std::string& path);

/// What the exit codes of a step's commands say.
enum class Verdict : std::uint8_t { passed, not_passed, more_data, failed };
[[nodiscard]] std::string_view verdict_name(Verdict verdict);
/// `exits`: of the commands that ran, in order.
[[nodiscard]] Verdict verdict_of(const Step& step, const std::vector<int>& exits);

/// {"program","arguments","out"?,"informs"?} of each command.
[[nodiscard]] json::Array command_list(const Step& step);
/// What makes a step the same step: its commands, and the digests of programs, inputs and the steps
/// that it reads.
[[nodiscard]] Digest key_of(const Step& step, const json::Value& programs,
                            const json::Value& inputs, const json::Value& needs);
/// What a step made, as those that read it name it.
[[nodiscard]] Digest result_of(const std::vector<FileFact>& outputs);
/// The step.json of a step that is whole; nothing: there is none, or none that can be read.
[[nodiscard]] std::optional<json::Value> step_record(const std::string& folder);
/// Empty where there is no such member: what lies in a folder may have been edited.
[[nodiscard]] std::string text_of(const json::Value& value, std::string_view key);
[[nodiscard]] const json::Array& list_of(const json::Value& value, std::string_view key);
[[nodiscard]] std::vector<int> exits_of(const json::Value& record);

}  // namespace talla::lab::submit
