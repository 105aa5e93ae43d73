/// \file
/// One command line as a process that ends with this one.
#pragma once

#include <string>
#include <vector>

namespace talla::lab::submit {

struct ChildWish {
  std::string program;  ///< path
  std::vector<std::string> arguments;
  std::string folder;    ///< where it runs
  std::string out;       ///< absolute file for standard output, new; empty: /dev/null
  std::string messages;  ///< absolute file to which standard error is added
};
/// Its exit code; 128 and the signal's number when one ended it; 126: it could not be started.
[[nodiscard]] int run_child(const ChildWish& wish);

}  // namespace talla::lab::submit
