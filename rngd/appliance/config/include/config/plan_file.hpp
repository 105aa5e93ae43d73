/// \file
/// plan.toml: what a laboratory's run is to do (`talla-lab submit --plan`). Paths are relative to
/// its folder.
///
/// Errors: ConfigErrc::bad_configuration with file, line and key; of a key that is not known, which
///         ones there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"

namespace talla::rngd {

struct PlanFile {
  std::string title;
  std::string tree;                ///< folder of the sources that are examined
  std::vector<std::string> tests;  ///< JUnit files of the laboratory's own run of the suite
  struct Laboratory {
    std::string name;
    std::string key;       ///< PEM, Ed25519, or `pkcs11:`; empty: the manifest is not signed
    std::string key_name;  ///< as in its verifier key; with `key`
  } laboratory;
  /// A generator, or what was collected from it before; both empty: none is examined.
  struct Device {
    std::string select;    ///< as `talla-lab collect --device` has it
    std::string raw;       ///< instead: file of `talla-lab collect --raw`, its manifest beside it
    std::string restarts;  ///< with `raw`: file of `talla-lab collect --restart`; empty: none
    std::string settings;
    std::uint32_t assessed_millibits = 0;  ///< the claim; 0: the driver's own figure
    std::uint32_t samples = 1'000'000;     ///< consecutive raw ones
    std::uint32_t rows = 1000;             ///< restarts
    std::uint32_t columns = 1000;          ///< samples behind each
    std::string restart = "auto";          ///< auto, port-power, port-reset, reopen; none: no rows
    std::uint32_t iid_rounds = 10'000;     ///< permutations of the IID track; 0: it is not asked
  } device;
  struct Generator {
    std::vector<std::string> vectors;  ///< folders of the tree's tests/vectors/acvp; empty: all
    /// Bits of each DRBG under SP 800-22; 0: none.
    std::uint32_t bits = 80'000'000;
  } generator;
  std::string seed;  ///< of all that is drawn, 64 hex digits
  struct Game {
    std::string catalogue;
    std::string game;
    std::uint32_t results = 0;  ///< spins, throws, shoes; 0: as many as laboratories look at
    std::uint32_t first = 0;    ///< cards of a shoe that are written; 0: all
    std::vector<std::string> parameters;
  };
  std::vector<Game> games;  ///< the list `[[game]]`, 1 to 200
  struct Evidence {
    std::vector<std::string> programs;  ///< empty: what the package installed
    std::string manifest;               ///< signed manifest of the software; empty: none
    std::vector<std::string> signers;   ///< verifier keys that must have signed it
    std::string esv;                    ///< run file of a submission to NIST; empty: none
    std::string vulnerabilities;        ///< data of Debian's tracker; empty: not looked up
    std::vector<std::string> figures;   ///< files of what the long tests counted; empty: none
  } evidence;
  /// Two builds of the same source, who made each; all empty: none are compared.
  struct Builds {
    std::string first, second;        ///< folders
    std::string first_by, second_by;  ///< names
  } builds;
};

/// Reads a plan, or the text of one that lies at `path`.
[[nodiscard]] Result<PlanFile> load_plan_file(const std::string& path);
[[nodiscard]] Result<PlanFile> parse_plan_file(std::string_view text, const std::string& path);

}  // namespace talla::rngd
