// Goal: one generator over emulated sources and simulated time, for all generator tests.
// Method: ManualClock moved by the model source, a counting deterministic OsRandom, a deterministic
// or absent RDSEED.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "entropy/errc.hpp"
#include "entropy/generator.hpp"
#include "entropy/system_source.hpp"
#include "entropy_lab/model_source.hpp"

namespace talla::entropy {

/// splitmix64 in bytes: a known stand-in for the operating system.
class KnownOsRandom final : public OsRandom {
 public:
  explicit KnownOsRandom(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] Status fill(std::span<std::uint8_t> out) override {
    if (broken) return ::talla::fail(Errc::source_failed, "broken for the test");
    for (auto& byte : out) {
      state_ += 0x9E3779B97F4A7C15ULL;
      std::uint64_t z = state_;
      z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
      z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
      byte = static_cast<std::uint8_t>((z ^ (z >> 31U)) >> 56U);
    }
    ++calls;
    return {};
  }
  bool broken = false;
  int calls = 0;

 private:
  std::uint64_t state_;
};

class KnownRdSeed final : public RdSeed {
 public:
  explicit KnownRdSeed(bool present) : present_(present) {}
  [[nodiscard]] bool available() override { return present_; }
  [[nodiscard]] Status fill(std::span<std::uint8_t> out) override {
    if (broken) return ::talla::fail(Errc::source_failed, "broken for the test");
    for (auto& byte : out) byte = value;
    return {};
  }
  bool broken = false;
  std::uint8_t value = 0x42;

 private:
  bool present_;
};

struct Rig {
  /// `cpu_value` 0: a processor without RDSEED.
  explicit Rig(std::uint64_t os_seed = 99, std::uint8_t cpu_value = 0)
      : os(os_seed), cpu(cpu_value != 0) {
    cpu.value = cpu_value;
  }
  ManualClock clock;
  KnownOsRandom os;
  KnownRdSeed cpu;
  std::vector<ModelSource*> models;
  std::unique_ptr<Generator> generator;

  static GeneratorOptions options() {
    GeneratorOptions options;
    options.appliance_id = "test-appliance";
    options.boot_counter = 7;
    options.pool_blocks = 64;
    return options;
  }
  static ModelOptions raw(std::uint64_t seed = 1) {
    ModelOptions model;
    model.description.source_class = SourceClass::raw_physical;
    model.seed = seed;
    return model;
  }
  SourceSlot slot(ModelOptions model) {
    auto source = std::make_unique<ModelSource>(std::move(model), &clock);
    models.push_back(source.get());
    SourceSlot slot;
    slot.source = std::move(source);
    slot.assessment = {.origin = AssessmentOrigin::unit, .digest = std::string(64, 'a')};
    return slot;
  }
  Status make(GeneratorOptions generator_options, std::vector<SourceSlot> slots) {
    TALLA_TRY(generator,
              Generator::create(std::move(generator_options), std::move(slots), {clock, os, cpu}));
    return {};
  }
  Status make_raw(std::uint64_t seed = 1) {
    std::vector<SourceSlot> slots;
    slots.push_back(slot(raw(seed)));
    return make(options(), std::move(slots));
  }
  /// Pumps until the condition holds; false when it did not within `steps`.
  bool pump_until(const std::function<bool()>& condition, int steps = 20'000) {
    for (int i = 0; i < steps && !condition(); ++i) generator->pump(100);
    return condition();
  }
};

/// A generator whose seeds come by output alone; no call but ours.
[[nodiscard]] inline GeneratorOptions by_output_alone(std::size_t pool_blocks) {
  GeneratorOptions options = Rig::options();
  options.pool_blocks = pool_blocks;
  options.reseed_calls = 1U << 20U;
  options.reseed_interval_ns = 86'400 * second_ns;
  options.cycle_min_ns = 86'400 * second_ns;
  options.cycle_spread_ns = 0;
  return options;
}

/// No way of asking yields bits.
[[nodiscard]] inline bool gives_nothing(Generator& generator) {
  return generator.ready_bits() == 0 && !generator.full_entropy(1) && !generator.full_entropy(64) &&
         !generator.full_entropy(1, 1);
}

}  // namespace talla::entropy
