/// \file
/// Debian's tracker of vulnerabilities, read from a file of its data.
///
/// Errors: MaterialsErrc::materials_refused. Threads: pure functions over the file system.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace talla::lab::materials {

/// A vulnerability that a version of a source package has.
struct Weakness {
  std::string id;      ///< CVE-..., or the tracker's own number
  std::string source;  ///< package
  std::string description;
  std::string status;         ///< open, undetermined, or fixed in a later version
  std::string fixed_version;  ///< empty: nowhere in this release
};
/// What is asked: source packages with the versions that are here.
struct TrackerWish {
  std::string file;
  std::string release;  ///< its code name: bookworm
  std::vector<std::pair<std::string, std::string>> sources;
};
/// Ascending by source and id. A source package that the data does not have has none.
[[nodiscard]] Result<std::vector<Weakness>> weaknesses_of(const TrackerWish& wish);

}  // namespace talla::lab::materials
