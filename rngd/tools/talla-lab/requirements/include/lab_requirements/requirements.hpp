/// \file
/// What laws and standards ask, and where it stands: requirement, clause, code, test, evidence.
///
/// One owner: `requirements.json`, which is built into the program. A test compares it with the
/// tree: code and pages that it names are there, tests too. A clause without a test or without
/// evidence says why, and is open.
/// Threads: what is returned lives as long as the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace talla::lab::requirements {

/// One clause of one text.
struct Clause {
  std::string clause;
  /// How the text was had: R from the original, X from an excerpt, 2 from others, rec from memory.
  std::string mark;
  std::string asks;
  std::vector<std::string> code;      ///< Files or folders of the tree.
  std::vector<std::string> tests;     ///< "Suite", "Suite.name" or "e2e.name".
  std::vector<std::string> evidence;  ///< Pages of the tree, or commands that print it.
  std::string open;                   ///< What is missing; empty: nothing.
};

/// What belongs together, whatever text asks it.
struct Group {
  std::int64_t number = 0;  ///< Its place in the matrix, from 1.
  std::string name;
  std::vector<Clause> clauses;
};

/// The matrix as it was built in.
[[nodiscard]] const std::vector<Group>& groups();
/// The same of any text. Errors: BaseErrc::malformed_json, where a clause has neither tests and
/// evidence nor a reason too.
[[nodiscard]] Result<std::vector<Group>> read(std::string_view text);

}  // namespace talla::lab::requirements
