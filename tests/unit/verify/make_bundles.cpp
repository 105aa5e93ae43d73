// Writes the frozen bundles: make_bundles FOLDER. Same bytes on every run.
#include <cstdio>
#include <fstream>

#include "scenes.hpp"

namespace {
void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  std::printf("%s: %zu bytes\n", path.c_str(), bytes.size());
}
}  // namespace

int main(int argc, char** argv) {
  using namespace talla::certs;
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  test::Pki pki;
  const test::ShoeScene shoe = test::shoe_scene(pki);
  const test::DrawScene draws = test::draw_scene(pki);
  write(folder + "roots.pem", pki.roots_pem());
  write(folder + "table.key", pki.table_key_pem());
  write(folder + "shoe.talla", format_bundle(shoe.closed));
  write(folder + "card.talla", format_bundle(shoe.dealt));
  write(folder + "covered-again.talla", format_bundle(test::again_scene(pki)));
  write(folder + "covered-again.openings", test::again_openings(pki));
  write(folder + "candidates.talla", format_bundle(test::candidates_scene(pki)));
  write(folder + "public-again.talla", format_bundle(test::again_scene(pki, {.covered = false})));
  write(folder + "draw.talla", format_bundle(draws.drawn));
  write(folder + "void.talla", format_bundle(draws.voided));
  write(folder + "lapsed.talla", format_bundle(test::lapsed_scene(pki)));
  write(folder + "places.talla", format_bundle(test::places_scene(pki)));
  const test::JoinedDrawScene joined = test::joined_draw_scene(pki);
  write(folder + "with-seats-shoe.talla", format_bundle(test::joined_shoe_scene(pki)));
  write(folder + "with-seats.talla", format_bundle(joined.drawn));
  write(folder + "with-seats-withheld.talla", format_bundle(joined.withheld));
  write(folder + "with-machine.talla", format_bundle(test::released_scene(pki).bundle));
  write(folder + "with-confirmation.talla", format_bundle(test::confirmed_scene(pki)));
  write(folder + "with-meter.talla", format_bundle(test::meter_scene(pki)));
  write(folder + "batch.talla", format_bundle(draws.closed));
  const Bundle spin = test::spin_scene(pki);
  const test::TwoArchives archives = test::archives_of(spin, 3);
  write(folder + "spin.talla", format_bundle(spin));
  write(folder + "spin-1.archive", archives.first);
  write(folder + "spin-2.archive", archives.second);
  write(folder + "coup.talla", format_bundle(test::coup_scene(pki)));
  write(folder + "rounds.talla", format_bundle(test::rounds_scene(pki)));
  write(folder + "log_key.json", talla::json::canonical(pki.log_key().to_json()));
  write(folder + "shoe.receipt", format_receipt(shoe.receipt));
  return 0;
}
