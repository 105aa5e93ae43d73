/// \file
/// A table of the built-in catalogue in a test: events in, states and settlements out, no driver
/// between.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/bets.hpp"
#include "games/catalogue.hpp"
#include "games/engine.hpp"
#include "games/table.hpp"

namespace talla::games::test {

/// Catalogue digests do not matter here.
class NoHash final : public HashSuite {
 public:
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> /*parts*/) const override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView /*key*/) const override {
    return nullptr;
  }
};

inline std::shared_ptr<const Catalogue> catalogue(std::string_view id = "es-1977") {
  const NoHash hash;
  auto loaded = load_embedded(id, hash);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().text();
    std::abort();
  }
  return *loaded;
}

/// Loads a built-in file with the first `from` replaced; the code of the refusal, or "".
inline std::string load_changed(std::string_view from, std::string_view to,
                                std::string_view id = "es-1977") {
  for (const auto& file : embedded_catalogues()) {
    if (file.id != id) continue;
    std::string text(file.bytes.begin(), file.bytes.end());
    const auto at = text.find(from);
    if (at == std::string::npos) return "text not found";
    text.replace(at, from.size(), to);
    const NoHash hash;
    const auto loaded = load_catalogue(as_bytes(text), hash);
    return loaded ? std::string() : std::string(loaded.error().code);
  }
  return "no such catalogue";
}

inline Table open_table(std::string game, json::Value params = {}, Units min = 25,
                        Currency currency = {"ESP"}) {
  auto table = Table::open(
      catalogue(), {std::move(game), std::move(currency), min, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

inline State start(const Table& table) {
  return *table.engine().initial(table);
}

/// The state after the event, which must be accepted.
inline State must(const Table& table, const State& state, const Event& event) {
  auto next = table.engine().apply(table, state, event);
  if (!next) {
    ADD_FAILURE() << event_name(event) << ": " << next.error().text();
    std::abort();
  }
  return *next;
}

/// The code of the refusal, or "" when the event is accepted.
inline std::string refusal(const Table& table, const State& state, const Event& event) {
  auto next = table.engine().apply(table, state, event);
  return next ? std::string() : std::string(next.error().code);
}

inline PlaceBet stake(std::string id, std::string kind, Units amount,
                      std::vector<std::string> on = {}, Seat seat = 1) {
  return {std::move(id), seat, std::nullopt, std::move(kind), std::move(on), amount};
}

inline std::vector<Settlement> settled(const Table& table, const State& state) {
  return table.engine().settlements(state);
}

/// What a settlement is worth exactly, before rounding.
inline Fraction exact(const Settlement& one) {
  return Fraction(one.returned) + one.remainder;
}

/// A state that leaves as JSON and comes back is the same state.
inline void expect_round_trip(const Table& table, const State& state) {
  const auto restored = table.engine().restore(table, state.to_json());
  ASSERT_TRUE(restored) << restored.error().text();
  EXPECT_EQ(restored->canonical(), state.canonical());
}

}  // namespace talla::games::test
