/// \file
/// The code that really runs in this process: every file with an executable mapping, and its bytes
/// in memory.
///
/// `/proc/self/maps` says which files have executable mappings; each must be a program or library
/// of the manifest, still be the file that was loaded, and code without a file is a finding (the
/// kernel's vdso and vsyscall pages aside). The executable segments that the dynamic loader knows
/// are compared byte for byte with their files.
/// Errors:  Errc::unreadable (/proc). Threads: `compare_memory` holds the loader's lock: no library
///          comes or goes meanwhile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "software/check.hpp"

namespace talla::software {

struct MappedCode {
  std::string path;       ///< empty: no file
  bool replaced = false;  ///< "(deleted)": the file has been replaced or removed since
  bool operator==(const MappedCode&) const = default;
};
/// Executable mappings of a text like /proc/PID/maps (proc(5)), each file once, ascending.
[[nodiscard]] std::vector<MappedCode> parse_maps(std::string_view maps);
/// This process' own.
[[nodiscard]] Result<std::vector<MappedCode>> mapped_code();
[[nodiscard]] std::vector<Finding> compare_mapped(const Manifest& manifest,
                                                  const std::vector<MappedCode>& mapped);
/// Executable segments of this process against the bytes of their files.
[[nodiscard]] std::vector<Finding> compare_memory();

}  // namespace talla::software
