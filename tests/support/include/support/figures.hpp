/// \file
/// What a long test counted, as a file for the report of a laboratory's run; in the form of
/// tests/support/figures.py.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/json.hpp"

namespace talla::test {

/// Writes OF.json where TALLA_FIGURES names a folder. For a test that has passed.
inline void keep_figures(const std::string& of, json::Object figures) {
  const char* folder = std::getenv("TALLA_FIGURES");  // NOLINT(concurrency-mt-unsafe): one thread
  if (folder == nullptr) return;
  std::filesystem::create_directories(folder);
  std::ofstream(std::string(folder) + "/" + of + ".json")
      << json::canonical(json::Object{{"figures", std::move(figures)},
                                      {"format", 1},
                                      {"kind", "talla test figures"},
                                      {"of", of}})
      << "\n";
}

}  // namespace talla::test
