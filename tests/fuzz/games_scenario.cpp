// Goal: no scenario file can crash the reader, the engines or the printers.
// Method: the bytes as a scenario file, every scenario in it run on the built-in catalogues.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "games/catalogue.hpp"
#include "games/scenario.hpp"

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

Result<std::shared_ptr<const games::Catalogue>> lookup(std::string_view id) {
  static std::map<std::string, std::shared_ptr<const games::Catalogue>, std::less<>> loaded;
  if (const auto known = loaded.find(id); known != loaded.end()) return known->second;
  auto fresh = games::load_embedded(id, NoHash());
  if (fresh) loaded.emplace(id, *fresh);  // only built-in names load, so the map stays small
  return fresh;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& line : games::read_scenarios(as_text(ByteView(data, size)))) {
    if (!line.scenario) continue;
    const auto outcome = games::run_scenario(*line.scenario, &lookup, games::Viewer{});
    static_cast<void>(json::canonical(games::to_json(outcome)));
    static_cast<void>(games::to_text(outcome));
  }
  return 0;
}
