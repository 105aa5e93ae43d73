// The built-in catalogues by their digests, read once.
#include <map>

#include "games/catalogue.hpp"

namespace talla::games {
namespace {

using BuiltIn = std::map<Digest, std::shared_ptr<const Catalogue>>;

BuiltIn read_built_in(const HashSuite& hash) {
  BuiltIn all;
  for (const EmbeddedCatalogue& one : embedded_catalogues()) {
    auto catalogue = load_catalogue(one.bytes, hash);
    if (!catalogue) continue;
    const Digest digest = (*catalogue)->digest;
    all.emplace(digest, std::move(*catalogue));
  }
  return all;
}

}  // namespace

const Catalogue* built_in_catalogue(const Digest& digest, const HashSuite& hash) {
  static const BuiltIn catalogues = read_built_in(hash);
  const auto found = catalogues.find(digest);
  return found == catalogues.end() ? nullptr : found->second.get();
}

const std::vector<std::string>* wheel_numbers(const Digest& catalogue, std::string_view game,
                                              const HashSuite& hash) {
  const Catalogue* found = built_in_catalogue(catalogue, hash);
  const GameRules* rules = found == nullptr ? nullptr : found->game(game);
  if (rules == nullptr || !rules->draw || rules->draw->kind != DrawKind::wheel) return nullptr;
  return &rules->draw->pockets;
}

}  // namespace talla::games
