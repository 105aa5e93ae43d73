/// \file
/// The inside of the generator. Two locks: `feeding_` is held by the one who reads sources (pump,
/// start, reset); `lock_` by whoever looks at or changes anything else, and never while a source is
/// being read.
/// Order: feeding_, then lock_.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "block_pool.hpp"
#include "entropy/drbg.hpp"
#include "entropy/gate.hpp"
#include "entropy/generator.hpp"
#include "outlet.hpp"
#include "seed.hpp"

namespace talla::entropy {

/// The longest that one step of the feeder waits for samples.
inline constexpr unsigned feed_step_ms = 100;

/// One source in its place.
struct Lane {
  SourceSlot slot;  ///< The stream itself is touched under feeding_ only (`stop` excepted).
  SourceDescription description;  ///< As it was at creation; a replacement must equal it.
  bool credited = false;
  Gate gate;
  bool ever_good = false;
  bool lost = false;  ///< The stream is over.
  std::uint64_t credited_millibits = 0;
  /// Samples that fill a block alone.
  [[nodiscard]] std::size_t samples_per_block() const;
  [[nodiscard]] bool on_request() const { return answers_on_request(description); }
  [[nodiscard]] bool open() const { return gate.state() == GateState::open; }
  [[nodiscard]] Verdict verdict() const;
};

class Generator::Core {
 public:
  Core(GeneratorOptions options, std::vector<Lane> lanes, Construction construction,
       GeneratorEffects effects);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] Status start(unsigned timeout_ms);
  bool pump(unsigned timeout_ms);
  void run();
  void halt();
  [[nodiscard]] Result<FullEntropy> full_entropy(std::size_t n_bytes, unsigned timeout_ms);
  [[nodiscard]] Result<GivenAway> give_away(std::size_t n_bytes);
  [[nodiscard]] std::size_t spare_bits() const;
  [[nodiscard]] std::size_t ready_bits() const;
  [[nodiscard]] State state() const;
  [[nodiscard]] Evidence evidence() const;
  [[nodiscard]] Metrics metrics() const;
  [[nodiscard]] std::vector<Event> take_events();
  [[nodiscard]] Status test_on_demand();
  void latch(LatchReason reason);
  [[nodiscard]] std::optional<LatchReason> latched() const;
  [[nodiscard]] Status reset_latch(unsigned timeout_ms);
  [[nodiscard]] Status replace_source(std::size_t index, std::unique_ptr<NoiseSource> source);

 private:
  // generator_feed.cpp: feeding_ is held by the caller.
  bool feed(unsigned timeout_ms);
  [[nodiscard]] bool read_lanes(unsigned timeout_ms);
  [[nodiscard]] bool read_lane(std::size_t index, unsigned timeout_ms);
  [[nodiscard]] Status drive(unsigned timeout_ms);
  // generator_feed.cpp: lock_ is held by the caller.
  [[nodiscard]] std::size_t samples_wanted(const Lane& lane) const;
  void judge(std::size_t index, const GateReport& report, LatchReason reason);
  [[nodiscard]] bool sources_good() const;
  void advance();
  [[nodiscard]] std::vector<std::size_t> block_shares(std::uint64_t& credit) const;
  [[nodiscard]] bool build_block(SecretBytes& block, TimeRange& samples);
  /// False: a seed is due and could not be given.
  [[nodiscard]] bool seed_if_due();
  void fill();
  // generator_outlet.cpp: lock_ is held by the caller.
  void fill_outlet();
  [[nodiscard]] bool to_spare() const;
  [[nodiscard]] bool seed_outlet(const SecretBytes& block);
  // generator_feed.cpp again.
  [[nodiscard]] bool seed_with(const SecretBytes& block);
  void cycle(std::int64_t now_ns);
  // generator_control.cpp: feeding_ is held by the caller.
  void drop_old_samples();
  // generator_control.cpp: lock_ is held by the caller.
  [[nodiscard]] Status fits(std::size_t index, const NoiseSource* source) const;
  // generator_core.cpp: lock_ is held by the caller.
  void set_state(State state, LatchReason reason = LatchReason::none);
  void latch_locked(LatchReason reason);
  void add_event(Event event);
  void want_blocks();
  [[nodiscard]] Status self_tests();
  [[nodiscard]] Status refusal() const;
  [[nodiscard]] bool overdue(std::int64_t now_ns) const;
  /// So much was given since the last seed that nothing more may be.
  [[nodiscard]] bool spent() const { return output_since_seed_ >= Drbg::seed_output_bytes; }
  [[nodiscard]] bool generate(std::span<std::uint8_t> out);
  [[nodiscard]] Evidence evidence_locked() const;
  [[nodiscard]] bool foreign_process() const;
  /// No certified source: see Evidence::uncertified. Fixed at creation.
  [[nodiscard]] bool uncertified() const;

  const GeneratorOptions options_;
  const Construction construction_;
  const GeneratorEffects effects_;
  const pid_t owner_;

  std::mutex feeding_;
  SecretBytes buffer_;  ///< Under feeding_: what one read brings.

  mutable std::mutex lock_;
  std::condition_variable changed_;  ///< Pool or state changed.
  std::condition_variable wanted_;   ///< The feeder may go on: see blocks_wanted_.
  bool blocks_wanted_ = false;
  std::vector<Lane> lanes_;
  BlockPool pool_;
  std::unique_ptr<Drbg> drbg_;
  Outlet outlet_;
  State state_ = State::off;
  LatchReason reason_ = LatchReason::none;
  SeedIdentity identity_;
  bool seed_due_ = true;
  std::uint32_t calls_since_seed_ = 0;
  std::size_t output_since_seed_ = 0;  ///< In bytes.
  std::int64_t seeded_ns_ = 0;
  std::int64_t cycle_due_ns_ = 0;
  std::uint64_t reseed_counter_ = 0;
  std::uint64_t generate_counter_ = 0;
  Metrics totals_;  ///< Counters only; the rest is filled in when asked.
  std::deque<Event> events_;

  std::mutex thread_lock_;
  std::jthread feeder_;  ///< Under thread_lock_.
};

}  // namespace talla::entropy
