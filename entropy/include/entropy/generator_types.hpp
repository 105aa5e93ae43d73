/// \file
/// What goes into a generator and what it tells about itself: options, evidence, events, metrics.
/// Plain data, no secrets.
///
/// Times named `_ns` are the passed-in clock's monotonic nanoseconds; `utc_us` is its wall clock.
/// Entropy is counted in integer thousandths of a bit (millibits).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

/// How full-entropy output is made; the name stands in every commitment.
enum class Construction : std::uint8_t {
  rbg3_xor,  ///< SP 800-90C RBG3(XOR): conditioned raw physical noise XOR DRBG. "rbg3-xor"
  system,    ///< The same corridor over the operating system or RDSEED: uncertified. "system"
  lab,       ///< The same corridor over emulated sources: laboratory tool only. "lab"
};
[[nodiscard]] std::string_view construction_name(Construction construction);

/// SP 800-90A mechanisms in use, both at 256 bits of strength.
enum class DrbgKind : std::uint8_t { ctr_aes256_df, hmac_sha512 };
[[nodiscard]] std::string_view drbg_kind_name(DrbgKind kind);

/// SP 800-90B 3.1.5.1.1 vetted conditioners in use, both 512 bits wide.
enum class ConditionerKind : std::uint8_t { sha512, hmac_sha512 };
[[nodiscard]] std::string_view conditioner_kind_name(ConditionerKind kind);

/// No state but `operational` yields bits.
enum class State : std::uint8_t {
  off,          ///< Made, not started.
  startup,      ///< Self-tests and start-up tests of the sources are running.
  operational,  ///< Bits are given.
  /// A level 1 alarm: the source is in its start-up test again; or the reseed is overdue.
  suspended,
  latched,  ///< Stopped until `reset_latch`.
};
[[nodiscard]] std::string_view state_name(State state);

/// Why the generator gives nothing until people reset it.
enum class LatchReason : std::uint8_t {
  none = 0,
  health_permanent = 1,  ///< A level 2 alarm of a needed source.
  source_failed = 2,     ///< A needed source reported that its stream is over.
  drbg_failed = 3,       ///< A call of the DRBG, its seed provider or the conditioner failed.
  seed_failed = 4,       ///< The operating system or RDSEED did not deliver its share of a seed.
  self_test_failed = 5,  ///< A known answer was not reproduced.
  startup_timeout = 6,   ///< The start-up test did not finish in time.
  operator_request = 7,  ///< By command.
  clock_step = 8,        ///< The wall clock stepped beyond its bound.
  fork = 9,              ///< Used in a forked child.
  other = 10,
  software_mismatch = 11,  ///< The appliance's software is not what its manifest says.
  machine_copied = 12,     ///< The virtual machine was resumed from a snapshot, or is a copy.
};
[[nodiscard]] std::string_view latch_reason_name(LatchReason reason);

/// The test that raised an alarm.
enum class HealthTest : std::uint8_t {
  none = 0,
  repetition_count = 1,     ///< SP 800-90B 4.4.1.
  adaptive_proportion = 2,  ///< SP 800-90B 4.4.2.
  lag = 3,                  ///< Periodic output: matches with the sample `lag` places earlier.
  most_common_window = 4,  ///< The most common value of the first half, counted in the second half.
  successor = 5,           ///< First-order dependence: what followed this value the last time.
  most_common_long = 6,    ///< Bias drift: the most common value of 16,384 samples.
  sample_range = 7,        ///< Bits outside `bits_per_sample`.
  stall = 8,               ///< No sample in time.
  rate = 9,                ///< More than 10 % off the nominal rate, sustained.
  stream = 10,             ///< The source reported an error.
  duplicate_word = 11,     ///< Repeated output: a word that stood in the last 131,072 samples.
};
[[nodiscard]] std::string_view health_test_name(HealthTest test);

/// What the gate says of a source now.
enum class Verdict : std::uint8_t {
  untested,  ///< No start-up test has ended yet.
  good,      ///< Start-up test passed and every window since was green.
  testing,   ///< In a start-up test after a level 1 alarm.
  failed,    ///< Level 2, or the stream is over.
};
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// Where the assessed min-entropy of a source comes from; the word stands in every commitment.
enum class AssessmentOrigin : std::uint8_t {
  assumed,  ///< The driver's conservative figure: nobody measured this unit. "assumed"
  stated,   ///< A figure of the site without a document behind it. "stated"
  unit,     ///< A report over samples of this very unit (`talla-lab assess`). "unit"
  type,     ///< A type certification that names this serial number. "type"
};
[[nodiscard]] std::string_view assessment_origin_name(AssessmentOrigin origin);

/// What stands behind a claimed min-entropy.
struct Assessment {
  AssessmentOrigin origin = AssessmentOrigin::assumed;
  std::string digest;  ///< Hex SHA-256 of the document, of `unit` and `type` only.
  /// A document stands behind the figure; a credited source without one makes the output
  /// uncertified.
  [[nodiscard]] bool documented() const {
    return origin == AssessmentOrigin::unit || origin == AssessmentOrigin::type;
  }
};

/// One source with its place in the construction.
struct SourceSlot {
  std::unique_ptr<NoiseSource> source;
  /// Certified as independent of all others that are: these have one call of the conditioner and
  /// their credits add up. Every other credited source has a call of its own, and of all calls the
  /// largest counts.
  bool independent = false;
  /// Its failure latches the generator. Otherwise it is dropped with an event, and the last
  /// credited one latches.
  bool required = true;
  /// Behind the figure of the source's description. Errors of `create`: a digest that is not 64 hex
  /// digits, or stands beside another origin than unit or type.
  Assessment assessment{};
};

/// How a generator is built and which limits it keeps.
struct GeneratorOptions {
  std::string appliance_id;        ///< Personalisation; 1 to 256 bytes.
  std::uint64_t boot_counter = 0;  ///< Personalisation; never given twice by the appliance.
  std::uint64_t instance = 0;      ///< Personalisation; tells generators of one boot apart.
  DrbgKind drbg = DrbgKind::ctr_aes256_df;
  ConditionerKind conditioner = ConditionerKind::sha512;
  /// Without a raw physical source `create` refuses unless this is set (construction `system`).
  bool allow_uncertified = false;
  /// Set by the laboratory tool and tests alone: sources of class `lab` are accepted (construction
  /// `lab`).
  bool allow_lab = false;
  /// False alarms: at most one in this many years per source, over all its tests; 1 to 1,000,000
  /// (default 10^-3/year).
  std::uint32_t years_per_false_alarm = 1000;
  /// Full-entropy blocks of 64 bytes kept ready, 8 to 4,096. Bounds the largest request, which is
  /// never above what the DRBG gives in one call (65,536 bytes).
  std::size_t pool_blocks = 256;
  /// Blocks of 64 bytes kept ready for others (`give_away`), 0 to 1,024; 0: nothing is given away.
  /// They are made only while the pool of the draws is full and no seed is due, and of a stream
  /// only from what exceeds half of the samples that may wait.
  std::size_t outlet_blocks = 0;
  /// Explicit reseed after this many DRBG calls (1 to 2^20) or this much time (1 s to 1 day),
  /// whichever is first. At 16 times the calls or twice the time without a new seed the generator
  /// suspends itself. After `Drbg::seed_output_bytes` of output a seed comes before any other byte,
  /// whatever stands here: with a wait where no block can be made at once.
  std::uint32_t reseed_calls = 4096;
  std::int64_t reseed_interval_ns = 600'000'000'000;
  /// Background cycling: the DRBG runs on and the result is thrown away after `min` plus a random
  /// part below `spread`.
  std::int64_t cycle_min_ns = 200'000'000;
  std::int64_t cycle_spread_ns = 800'000'000;
  /// Known answers of algorithms that others beside the generator rest on (the appliance's:
  /// certs/known_answers.hpp). Run behind the generator's own wherever those are: at `start`,
  /// `reset_latch` and `test_on_demand`; an error latches all the same. Called with the generator's
  /// lock held: it must not call the generator.
  std::function<Status()> further_known_answers{};
};

/// One source in a commitment's record.
struct SourceEvidence {
  std::string model;
  std::string serial;
  SourceClass source_class = SourceClass::system;
  std::uint32_t assessed_millibits_per_sample = 0;
  unsigned bits_per_sample = 8;
  bool credited = false;
  bool independent = false;
  Verdict verdict = Verdict::untested;
  bool required = true;
  bool lost = false;  ///< Its stream is over; `replace_source` brings it back.
  std::uint32_t nominal_rate_hz = 0;
  Assessment assessment{};
};

/// What fed the output: a consistent snapshot for records.
struct Evidence {
  Construction construction = Construction::system;
  /// True for every construction but rbg3_xor, and where no document stands behind a credited
  /// source's figure.
  bool uncertified = true;
  DrbgKind drbg = DrbgKind::ctr_aes256_df;
  ConditionerKind conditioner = ConditionerKind::sha512;
  State state = State::off;
  std::vector<SourceEvidence> sources;
  /// Seeds given to the DRBG since creation, the first included.
  std::uint64_t reseed_counter = 0;
  std::uint64_t generate_counter = 0;  ///< DRBG generate calls since creation.
  /// When all needed sources were last known green; 0 = never.
  std::int64_t last_good_verdict_ns = 0;
};

/// Full-entropy bytes with what PROTOCOL section 7 asks to know about them.
struct FullEntropy {
  SecretBytes bytes;
  std::int64_t samples_from_ns = 0;  ///< Arrival of the oldest sample used.
  std::int64_t samples_to_ns = 0;    ///< Arrival of the youngest sample used.
  Evidence evidence;                 ///< As it was when the bytes were given.
};

/// Bytes for others, with what they are worth.
struct GivenAway {
  SecretBytes bytes;
  /// 8 a byte (full entropy); 0 where the evidence says uncertified.
  std::uint64_t assessed_bits = 0;
};

/// What an event of the generator is about.
enum class EventKind : std::uint8_t {
  health,
  reseed,
  self_test,
  state,
  source,  ///< The stream of a lost device is back, or what came back was refused.
};
[[nodiscard]] std::string_view event_kind_name(EventKind kind);

/// One thing for the log; fields that do not belong to `kind` stay at their defaults.
struct Event {
  EventKind kind = EventKind::state;
  std::int64_t monotonic_ns = 0;
  std::int64_t utc_us = 0;
  /// health: index of the source, the test, level 1 or 2 (0 = recovered), and the start of the
  /// suspect window (its end is `monotonic_ns`): samples that arrived in it may have come from a
  /// failing source.
  std::uint32_t source = 0;
  HealthTest test = HealthTest::none;
  std::uint32_t level = 0;
  std::int64_t suspect_from_ns = 0;
  std::uint64_t dropped_samples = 0;  ///< health, level 1 or 2: wiped with the alarm
  /// reseed: the counters after it.
  std::uint64_t reseed_counter = 0;
  std::uint64_t generate_counter = 0;
  /// self_test: passed or not. source: taken or refused. state: the new state and, for `latched`,
  /// why.
  bool passed = false;
  State state = State::off;
  LatchReason reason = LatchReason::none;
};

/// Counters of one source since the start.
struct SourceMetrics {
  std::uint64_t raw_samples = 0;      ///< Read from the source.
  std::uint64_t green_samples = 0;    ///< Released by the gate.
  std::uint64_t surplus_samples = 0;  ///< Released but not needed: wiped.
  std::uint64_t green_windows = 0;
  std::uint64_t dropped_windows = 0;  ///< Red ones, and those wiped with them.
  std::uint64_t level1_events = 0;
  std::uint64_t level2_events = 0;
  std::uint64_t credited_millibits = 0;  ///< Assessed entropy that went into conditioner blocks.
};

/// Counters and state of the generator since the start.
struct Metrics {
  State state = State::off;
  std::uint64_t blocks_made = 0;   ///< Conditioner outputs of 512 bits.
  std::uint64_t blocks_given = 0;  ///< Used in output; each once.
  std::uint64_t blocks_for_seeds = 0;
  std::uint64_t blocks_wiped = 0;  ///< Thrown away by alarms, latches and as rests of requests.
  std::uint64_t pool_blocks = 0;   ///< Ready now.
  std::uint64_t pool_blocks_max = 0;
  std::uint64_t outlet_blocks = 0;  ///< Ready for others now.
  std::uint64_t outlet_blocks_max = 0;
  std::uint64_t outlet_blocks_given = 0;  ///< Used for others; each once, rests wiped.
  std::uint64_t outlet_seeds = 0;         ///< Seeds given to the DRBG of the outlet.
  std::uint64_t outlet_refused = 0;
  std::uint64_t credited_millibits = 0;  ///< From raw physical (or lab) sources.
  /// The separate account of what the evidence calls uncertified.
  std::uint64_t uncertified_millibits = 0;
  std::uint64_t reseeds = 0;
  std::uint64_t generate_calls = 0;
  std::uint64_t cycles = 0;
  std::uint64_t requests_refused = 0;
  std::uint64_t events_lost = 0;  ///< Events nobody took in time (the queue holds 4,096).
  std::vector<SourceMetrics> sources;
};

}  // namespace talla::entropy
