/// \file
/// What lies in the folder of a run and is none of its files.
#pragma once

#include <string>
#include <vector>

#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

struct Leftovers {
  /// Steps of other plans, and what a killed run began: paths below the folder.
  std::vector<std::string> stale;
  /// What no run makes, ascending: paths below the folder.
  std::vector<std::string> foreign;
};
/// Looks, and changes nothing. A folder that is not there has none. Threads: pure function over the
/// file system.
[[nodiscard]] Leftovers leftovers_in(const std::string& out, const std::vector<Step>& steps);

}  // namespace talla::lab::submit
