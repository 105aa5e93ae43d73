#include "software_setup.hpp"

#include <array>
#include <climits>
#include <cstdlib>

#include "games/catalogue.hpp"
#include "log.hpp"
#include "runtime.hpp"

namespace talla::rngd {
namespace {

std::string program_path() {
  std::array<char, PATH_MAX> resolved{};
  return ::realpath("/proc/self/exe", resolved.data()) == nullptr ? std::string()
                                                                  : std::string(resolved.data());
}

SoftwareOptions software_options(const Config& config, const HashSuite& hashes) {
  SoftwareOptions options{.manifest = config.software.manifest,
                          .signers = {config.software.signer},
                          .version = TALLA_VERSION,
                          .programs = {program_path(), source_program()},
                          .catalogues = {},
                          .between = std::chrono::hours(config.software.check_hours)};
  if (!config.software.laboratory.empty()) options.signers.push_back(config.software.laboratory);
  for (const auto& catalogue : games::embedded_catalogues())
    options.catalogues.emplace(catalogue.id, hashes.sha256({catalogue.bytes}));
  return options;
}

}  // namespace

std::string source_program() {
  const std::string program = program_path();
  return program.substr(0, program.rfind('/') + 1) + "rngd-source";
}

Result<std::unique_ptr<SoftwareWatch>> open_software(const Config& config, const HashSuite& hashes,
                                                     Clock& clock) {
  if (config.software.manifest.empty()) {
    if (config.profile == Profile::production) {
      return fail(
          RuntimeErrc::production_refused,
          "software.manifest: production runs signed software only (talla software --help)");
    }
    rngd::log(Level::warning, "software_unsigned",
              {{"meaning", "no manifest says what this software must be; for development only"}});
  }
  TALLA_TRY(auto watch, SoftwareWatch::create(software_options(config, hashes), hashes, clock));
  if (const auto manifest = watch->manifest()) {
    rngd::log(Level::notice, "software_signed",
              {{"manifest", to_hex(*manifest)}, {"file", config.software.manifest}});
  }
  return watch;
}

}  // namespace talla::rngd
