// The client and verifier: asks an appliance for shoes and draws, settles scenarios, verifies
// evidence offline.
#include <cstdlib>
#include <iostream>

#include "app.hpp"
#include "archives.hpp"
#include "backup.hpp"
#include "odds_parts.hpp"
#include "software.hpp"

int main(int argc, char** argv) {
  using namespace talla::cli;  // NOLINT(google-build-using-namespace): the program's own namespace
  App app;
  talla::commandline::Program root{
      "talla: certified random numbers for casinos; client of an rngd appliance and offline "
      "verifier"};
  root.version("talla " TALLA_VERSION);
  root.require_subcommand();
  root.fallthrough();  // --json and --client may stand after the command too
  root.add_flag("--json", app.json, "one JSON value a line, for programs");
  root.add_option("--client", app.client_folder, "folder with client.toml (default: $TALLA_CLIENT)")
      ->envname("TALLA_CLIENT");
  root.footer(
      "Exit codes: 0 done, or verified and certified; 1 refused or not valid; 2 wrong usage;\n"
      "  3 verified, uncertified or development keys; 4 verified, laboratory source; 5 the "
      "appliance does not answer.\n"
      "Every command explains itself: talla COMMAND --help");
  add_status(root, app);
  add_tables(root, app);
  add_return(root, app);
  add_monitors(root, app);
  add_acts(root, app);
  add_shoe(root, app);
  add_spin(root, app);
  add_roll(root, app);
  add_draw(root, app);
  add_play(root, app);
  add_verify(root, app);
  add_witness(root, app);
  add_anchor(root, app);
  add_backup(root, app);
  add_archive(root, app);
  add_restore(root, app);
  add_openings(root, app);
  add_samples(root, app);
  add_dispute(root, app);
  add_settle(root, app);
  add_catalogue(root, app);
  add_contribute(root, app);
  add_odds(root, app);
  add_advise(root, app);
  add_log(root, app);
  add_setup(root, app);
  add_keys(root, app);
  add_devices(root, app);
  add_software(root, app);
  add_docs(root, app);
  try {
    if (const auto code = root.parse(argc, argv)) return *code == 0 ? exit_ok : exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "talla: " << error.what() << "\n";
    return exit_refused;
  }
  return app.exit;
}
