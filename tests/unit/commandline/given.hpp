/// \file
/// A command line given to a program, and what it printed.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "commandline/command.hpp"

namespace talla::commandline {

struct Given {
  std::optional<int> code;
  std::string out;
  std::string err;
};

/// Parses `words` behind the program's name.
inline Given given(Program& program, std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Given done;
  done.code = program.parse(static_cast<int>(argv.size()), argv.data());
  done.out = testing::internal::GetCapturedStdout();
  done.err = testing::internal::GetCapturedStderr();
  return done;
}

}  // namespace talla::commandline
