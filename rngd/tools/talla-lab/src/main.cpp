// The laboratory program: batteries and assessments of random data, for laboratories, inspectors
// and developers.
#include <fmt/format.h>

#include "app.hpp"

int main(int argc, char** argv) {
  using namespace talla::lab;  // NOLINT(google-build-using-namespace): the program's own namespace
  App app;
  talla::commandline::Program root{"talla-lab: statistical tests of random data"};
  root.version("talla-lab " TALLA_VERSION);
  root.require_subcommand();
  root.fallthrough();  // --json may stand after the command too
  root.add_flag("--json", app.json, "one JSON value, for programs");
  root.add_flag("--quiet", app.quiet, "no progress bar");
  root.footer(
      "Exit codes: 0 consistent with the claim; 1 input refused; 2 wrong usage; 3 not consistent; "
      "4 too "
      "little data.\n"
      "FILE is a path, or - for standard input. Every command explains itself: talla-lab COMMAND "
      "--help");
  add_assess(root, app);
  add_battery(root, app);
  add_monitor(root, app);
  add_blocks(root, app);
  add_figures(root, app);
  add_outcomes(root, app);
  add_collect(root, app);
  add_induce(root, app);
  add_certify(root, app);
  add_acvp(root, app);
  add_esv(root, app);
  add_sample(root, app);
  add_requirements(root, app);
  add_submit(root, app);
  add_compare(root, app);
  add_materials(root, app);
  add_builds(root, app);
  add_bits(root, app);
  add_model(root, app);
  add_month(root, app);
  add_verify_appliance(root, app);
  try {
    if (const auto code = root.parse(argc, argv)) return *code == 0 ? exit_ok : exit_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "talla-lab: {}\n", error.what());
    return exit_refused;
  }
  return app.exit;
}
