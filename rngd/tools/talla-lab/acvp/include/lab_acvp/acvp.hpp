/// \file
/// NIST's algorithm tests (ACVP) answered by the appliance's own modules.
///
/// Formats:  the vector sets of ACVP 1.0 as NIST's server sends them, bare or behind
///           `{"acvVersion":"1.0"}` in an array of two; hex in either case, answers in upper case.
/// Rule:     one description of each algorithm (`src/describe.hpp`) says what is asked and what is
///           registered. A prompt that asks for anything else is refused as a whole: no member is
///           passed over, no case is left out.
/// Errors:   AcvpErrc::acvp_refused with the place in the file and what would be right.
/// Threads:  no shared state. Secrecy: prompts hold keys that were made for tests; nothing of an
///           appliance is read.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace talla::lab::acvp {

/// Numbers 885 and 886 of the appliance's range.
enum class AcvpErrc : std::uint16_t {
  acvp_refused = 885,  ///< The file is none of that kind, or asks for what no module does.
  acvp_failed = 886,   ///< A module failed where it must not.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(AcvpErrc errc);

/// How a prompt is answered.
struct Terms {
  /// Text of the set's internalProjection.json: the private keys `d` of its groups, so that
  /// signatures are those of the sample. Empty: fresh keys, as in a real run.
  std::string_view projection;
  /// Told the cases done and their number, after each.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// The response: canonical JSON and a line end, in the prompt's envelope.
[[nodiscard]] Result<std::string> respond(std::string_view prompt, const Terms& terms = {});

/// One case whose answer is not what the modules say.
struct Difference {
  std::int64_t group = 0;  ///< tgId
  std::int64_t test = 0;   ///< tcId
  std::string what;        ///< Which members, and what was expected.
};
/// What became of a comparison.
struct Judgement {
  std::size_t cases = 0;  ///< Compared, all groups together.
  /// Of those, how many rest on a private key that the file does not hold: nobody but who made them
  /// can say.
  std::size_t not_judged = 0;
  std::vector<Difference> differences;
};
/// Compares a response, or NIST's expected results, with what the modules say to this prompt: equal
/// member by member; where an answer is random (keys, signatures) it must hold by itself. Refused
/// when its groups and cases are not those of the prompt.
[[nodiscard]] Result<Judgement> judge(std::string_view prompt, std::string_view answers,
                                      const Terms& terms = {});

/// What is registered with the server: `[{"acvVersion":"1.0"},{"algorithms":[...]}]`.
[[nodiscard]] std::string registration();

/// An algorithm that is answered, and by what.
struct Answered {
  std::string_view algorithm;
  std::string_view mode;  ///< Empty where there is none.
  std::string_view revision;
  std::string_view module;   ///< The code that answers.
  std::string_view vectors;  ///< Folder of tests/vectors/acvp that it is compared with; or empty.
};
[[nodiscard]] std::vector<Answered> answered();

/// An algorithm that is not answered, and why.
struct Unanswered {
  std::string_view algorithm;  ///< As a prompt would name it.
  std::string_view mode;       ///< Empty: all.
  bool in_use = false;         ///< Something in the appliance computes it, only no module of ours.
  std::string_view why;
};
[[nodiscard]] std::span<const Unanswered> unanswered();

}  // namespace talla::lab::acvp
