// Goal: no catalogue file can crash the loader; what it takes can be listed, and its games opened
//       or refused.
// Method: the bytes as a catalogue file; one input is one file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "games/catalogue.hpp"
#include "games/driver.hpp"

namespace {

using namespace talla;  // NOLINT: one small file

class NoHash final : public HashSuite {
 public:
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> /*parts*/) const override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView /*key*/) const override {
    return nullptr;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto loaded = games::load_catalogue(ByteView(data, size), NoHash());
  if (!loaded) return 0;
  static_cast<void>(games::missing_texts(**loaded));
  for (const auto& game : (*loaded)->games) {
    static_cast<void>(json::canonical(games::describe(**loaded, game, "en")));
    auto table = games::Table::open(*loaded, {game.id, {"EUR"}, 5, std::nullopt, {}});
    if (!table) continue;
    auto driver = games::Driver::start(*table);
    if (!driver || driver->needs().empty()) std::abort();
  }
  return 0;
}
