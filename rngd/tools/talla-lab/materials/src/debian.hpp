/// \file
/// What a Debian machine says of its packages: whose a file is, which version, under what licences.
///
/// Threads: pure functions over the file system.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace talla::lab::materials {

struct Package {
  std::string name, version, architecture;
  std::string source;  ///< name of the source package
};

/// The packages that are installed below a root.
class Packages {
 public:
  explicit Packages(const std::string& root);
  /// Null: it is not installed here.
  [[nodiscard]] const Package* find(const std::string& name) const;
  /// The package of each file that one has.
  [[nodiscard]] std::map<std::string, std::string> owners_of(
      const std::set<std::string>& files) const;

 private:
  std::string root_;
  std::map<std::string, Package> all_;
};

/// The licences of a package by its copyright file.
struct Licences {
  std::vector<std::string> names;  ///< as Debian writes them, ascending; empty: unknown
  std::string why;                 ///< of unknown ones
};
[[nodiscard]] Licences licences_of(const std::string& root, const std::string& package);
/// The SPDX identifier of a licence that Debian has a short name for; empty: none is known.
[[nodiscard]] std::string spdx_of(std::string_view short_name);

/// Less than, equal to, or more than 0, as dpkg orders versions (deb-version(7)).
[[nodiscard]] int compare_versions(std::string_view one, std::string_view other);

/// What stands behind a field of the first paragraph, folded lines joined; empty: it is not there.
[[nodiscard]] std::string field_of(std::string_view paragraph, std::string_view name);

}  // namespace talla::lab::materials
