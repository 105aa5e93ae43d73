/// \file
/// What a laboratory's run consists of: the steps of a plan, each a list of command lines.
///
/// A plan gives the same steps everywhere: nothing but its text is looked at, so that whoever has
/// the folder of a run can say what must be in it.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/plan_file.hpp"

namespace talla::lab::submit {

using rngd::PlanFile;

enum class SubmitErrc : std::uint16_t {
  submit_refused = 879,  ///< A folder, plan or step with which no run can go on.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(SubmitErrc errc);

/// What the appliance says of its known answers, in the step generator/known-answers.
inline constexpr std::string_view known_answers_file = "known-answers.json";

/// One command line, run in the step's folder.
struct Command {
  /// `talla-lab` or `talla`, which lie side by side; a path, of a program that is an input of the
  /// step too; or `copy`: the first argument is copied to the second.
  std::string program;
  /// `{PART/NAME/FILE#/POINTER}` stands for a number of an earlier step.
  std::vector<std::string> arguments;
  std::string out{};     ///< file that takes standard output; empty: it is shown nowhere
  bool informs = false;  ///< exit 3 and 4 give a figure, and say nothing against what is examined
};

/// What is run, recorded and named as one.
struct Step {
  std::string part;      ///< device, generator, mapping, rules, evidence, submission
  std::string name;      ///< of its folder
  std::string about;     ///< what it shows
  std::string about_es;  ///< the same in Spanish
  std::vector<Command> commands;
  std::vector<std::string> needs{};   ///< ids of the steps whose files it reads
  std::vector<std::string> inputs{};  ///< files and folders outside the run, absolute
  bool anew = false;  ///< it looks at the machine, which no digest holds: each run does it again
  [[nodiscard]] std::string id() const { return part + "/" + name; }
};

/// In the order in which they run.
[[nodiscard]] std::vector<Step> steps_of(const PlanFile& plan);

/// The text of a number or string in JSON text, as it stands there, by its pointer (RFC 6901);
/// empty: there is none. `line` picks a line of JSON lines, from 1; 0: the whole text.
[[nodiscard]] std::string text_at(std::string_view text, std::string_view pointer,
                                  std::size_t line = 0);

}  // namespace talla::lab::submit
