/// \file
/// The corridor of the generator, from green samples to full-entropy bits, with its states: what
/// stands under the generator's lock and knows nothing of locks, threads and waiting.
///
/// States:  see Generator. Errors: as named at each call; whatever goes wrong inside latches.
/// Threads: under the generator's lock, which `Generator::Core` holds.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "block_pool.hpp"
#include "entropy/generator.hpp"
#include "journal.hpp"
#include "lanes.hpp"
#include "outlet.hpp"
#include "seeded_drbg.hpp"

namespace talla::entropy {

/// Why nothing is given in this state; latched, the reason.
[[nodiscard]] Status refusal_of(State state, LatchReason reason);

class Corridor {
 public:
  /// `state_changed` is called with each new state.
  Corridor(GeneratorOptions options, Lanes lanes, const GeneratorEffects& effects,
           std::function<void()> state_changed);

  [[nodiscard]] const GeneratorOptions& options() const { return options_; }
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] LatchReason reason() const { return reason_; }
  [[nodiscard]] Lanes& lanes() { return lanes_; }

  // corridor_feed.cpp
  /// How many samples this source shall be asked for now; 0: none.
  [[nodiscard]] std::size_t samples_wanted(std::size_t index) const;
  /// Judges what a read brought, or that the stream is over.
  void fed(std::size_t index, const Result<std::size_t>& got, std::span<const std::uint8_t> buffer,
           ReadTimes times);
  /// Seeds, fills, cycles and changes the state as far as what is green allows.
  void advance();

  // corridor_give.cpp
  /// A start has enough to give.
  [[nodiscard]] bool started() const;
  /// Gives the seed that a draw would wait for, of what waits green.
  void seed_for_draw();
  [[nodiscard]] bool can_draw(std::size_t n_bytes) const;
  /// Fills `answer.bytes`, 1 to 64 * pool_blocks of them, and says what they are; all or nothing.
  [[nodiscard]] Status draw(FullEntropy& answer);
  [[nodiscard]] Status give_away(GivenAway& answer);
  [[nodiscard]] RawAside& raw_aside() { return outlet_.raw(); }
  [[nodiscard]] std::size_t ready_bits() const;
  [[nodiscard]] std::size_t spare_bits() const;

  // corridor.cpp
  [[nodiscard]] Evidence evidence() const;
  [[nodiscard]] Metrics metrics() const;
  [[nodiscard]] std::vector<Event> take_events();
  void latch(LatchReason reason);
  /// From off or latched (then every gate is opened anew): start-up, behind the known answers.
  [[nodiscard]] Status begin();
  /// The known answers, then every source's start-up test.
  [[nodiscard]] Status test_again();
  /// See Generator::replace_source; gives back the stream that was there.
  [[nodiscard]] Result<std::unique_ptr<NoiseSource>> replace(std::size_t index,
                                                             std::unique_ptr<NoiseSource> source);

 private:
  void judge(std::size_t index, const GateReport& report, LatchReason reason);
  [[nodiscard]] bool build_block(SecretBytes& block, TimeRange& samples);
  /// False: a seed is due and could not be given.
  [[nodiscard]] bool seed_if_due();
  void fill_outlet();
  void set_state(State state, LatchReason reason = LatchReason::none);
  void tell(Event event);
  [[nodiscard]] Status self_tests();

  const GeneratorOptions options_;
  const GeneratorEffects effects_;
  const std::function<void()> state_changed_;
  Lanes lanes_;
  BlockPool pool_;
  SeededDrbg drbg_;
  Outlet outlet_;
  State state_ = State::off;
  LatchReason reason_ = LatchReason::none;
  Journal journal_;
};

}  // namespace talla::entropy
