/// \file
/// How objects look from outside: the one place where state leaves as JSON. No card before its
/// opening is reachable from here: the views read records' contents and the engine's own view,
/// never the secrets.
#pragma once

#include "base/hash.hpp"
#include "games/engine.hpp"
#include "world.hpp"

namespace talla::core {

[[nodiscard]] json::Object table_view(const HashSuite& hashes, const Overlay& world,
                                      const Table& table, const games::Viewer& viewer);
[[nodiscard]] json::Object shoe_view(const Shoe& shoe);
/// `tables`: the open ones that share it and the client may see.
[[nodiscard]] json::Object meter_view(const SharedMeter& meter, json::Array tables);
/// {seq, machine, form, order_known_to, ciphertext_digest, targets?, compartments?, reverses?,
/// report?}: no card.
[[nodiscard]] json::Object release_view(const Release& release);
[[nodiscard]] json::Object batch_view(const Batch& batch);
[[nodiscard]] json::Object round_view(const HashSuite& hashes, const Overlay& world,
                                      const Round& round, const games::Viewer& viewer);
[[nodiscard]] json::Array results_json(const std::vector<games::Settlement>& results);

}  // namespace talla::core
