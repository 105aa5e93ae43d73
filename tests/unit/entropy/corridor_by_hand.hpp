// Goal: a corridor that is fed by hand, for tests that need the state between two steps.
// Method: one source of a chosen class, on simulated time, without threads or locks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "corridor.hpp"
#include "rig.hpp"

namespace talla::entropy {

/// A corridor without threads, over one source of that class.
struct ByHand {
  ManualClock clock;
  KnownOsRandom os{99};
  KnownRdSeed cpu{false};
  std::size_t states = 0;
  ModelSource source{Rig::raw()};
  std::unique_ptr<Corridor> corridor;

  explicit ByHand(SourceClass source_class, GeneratorOptions options = small()) {
    SourceDescription description = source.description();
    description.source_class = source_class;
    description.nominal_rate_hz = 0;
    std::vector<Lane> all;
    all.push_back({.slot = {},
                   .description = description,
                   .credited = true,
                   .gate = Gate(health_settings(description, 1000).value(), 0)});
    corridor =
        std::make_unique<Corridor>(std::move(options), Lanes(std::move(all), Construction::system),
                                   GeneratorEffects{clock, os, cpu}, [this] { ++states; });
  }
  static GeneratorOptions small() {
    GeneratorOptions options = by_output_alone(8);
    options.outlet_blocks = 2;
    return options;
  }
  void feed(std::size_t samples) {
    Bytes some(samples);
    ASSERT_EQ(source.read(some, 1).value(), samples);
    corridor->fed(0, samples, some, {clock.monotonic_ns(), clock.monotonic_ns()});
  }
  /// Behind its start-up test, with so many windows.
  void open(std::size_t windows) {
    ASSERT_TRUE(corridor->begin());
    for (std::size_t i = 0; i < startup_windows + windows; ++i) feed(gate_window_samples);
    corridor->advance();
  }
  [[nodiscard]] std::size_t wanted() const { return corridor->samples_wanted(0); }
  [[nodiscard]] std::size_t green() const { return corridor->lanes()[0].gate.green_samples(); }
  void leave(std::size_t samples) {
    SecretBytes taken;
    static_cast<void>(corridor->lanes()[0].gate.take(green() - samples, taken));
  }
};

}  // namespace talla::entropy
