/// \file
/// The bill of materials of running programs: CycloneDX 1.6 of what this machine has.
///
/// In it: the programs and catalogues that are examined; every Debian package that has a shared
/// library of them, each file with its digest, licences as the package's machine-readable copyright
/// file says them (else said unknown); libraries that no package has; apart from these what they
/// were built with. Vulnerabilities are those of Debian's tracker where its file is given, else it
/// is said that nobody looked. The same machine gives the same bytes: there is no time in it.
/// Errors: MaterialsErrc::materials_refused, those of software. Threads: reads files and starts the
/// dynamic loader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace talla::lab::materials {

enum class MaterialsErrc : std::uint16_t {
  materials_refused =
      842,  ///< A program, a package database or a tracker file that cannot be read.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(MaterialsErrc errc);

/// Whose materials, and where the machine's packages are looked up.
struct MaterialsWish {
  std::vector<std::string> programs;  ///< empty: what the package installed
  /// Debian's tracker data (security-tracker.debian.org/tracker/data/json); empty: not looked up.
  std::string tracker{};
  /// Root of the machine whose packages, /usr/share/doc and /usr/lib/os-release are read; empty:
  /// this one.
  std::string root{};
};
/// The bill as a JSON value; `bomFormat` is CycloneDX.
[[nodiscard]] Result<json::Value> materials_of(const MaterialsWish& wish);

/// What a bill holds, counted.
struct MaterialsCounts {
  std::size_t files = 0;             ///< programs, catalogues and libraries, each with a digest
  std::size_t packages = 0;          ///< those that have a library of the programs
  std::size_t unknown_licences = 0;  ///< packages and libraries of which no licence is known
  std::size_t vulnerabilities = 0;   ///< known ones that the versions here have
};
[[nodiscard]] MaterialsCounts counts_of(const json::Value& bill);

/// A file with the digest that a bill says of it.
struct MaterialsFile {
  std::string path;
  std::string sha256;   ///< hex
  std::string package;  ///< name and version; empty: no package has it
};
/// Every file of a bill, ascending by path; empty: this is no bill.
[[nodiscard]] std::vector<MaterialsFile> files_of(const json::Value& bill);
/// Those of the files that lie here now with other bytes; a file that is not here is not judged.
[[nodiscard]] std::vector<MaterialsFile> changed_of(const json::Value& bill);

}  // namespace talla::lab::materials
