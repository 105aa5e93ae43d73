// Goal: what only simulated time can show: the share of the noise that arrives, that no sample is
// used twice, or credited after a failure, under random faults, and that a fault too small for the
// gate is news in the long run.
// Method: ring 1; a whole generator over emulated devices whose every sample is written down on its
//         way.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "entropy/errc.hpp"
#include "entropy/generator.hpp"
#include "entropy/system_source.hpp"
#include "ring.hpp"
#include "stats/monitor/quality.hpp"

namespace talla::usb::test {
namespace {

class SimulatedRing final : public Ring {
 public:
  explicit SimulatedRing(const emulator::BenchEntry& entry) : rig_(entry) {}
  emulator::DeviceModel& plug(const emulator::ModelOptions& options) override {
    return rig_.plug(options);
  }
  [[nodiscard]] Result<std::reference_wrapper<Transport>> transport() override {
    return std::reference_wrapper<Transport>(rig_.transport);
  }
  [[nodiscard]] Clock& clock() override { return rig_.bus.clock(); }
  void alone(const std::function<void()>& use) override { use(); }
  void unplug(emulator::DeviceModel& model) override { rig_.bus.unplug(model); }

 private:
  EmulatedRig rig_;
};

class Simulated : public ::testing::TestWithParam<emulator::BenchEntry> {};

/// Without the processor's own generator.
class NoRdSeed final : public entropy::RdSeed {
 public:
  [[nodiscard]] bool available() override { return false; }
  [[nodiscard]] Status fill(std::span<std::uint8_t> /*out*/) override {
    return fail(UsbErrc::unavailable, "none");
  }
};

/// Writes down what a source hands over.
class Noted final : public entropy::NoiseSource {
 public:
  Noted(std::unique_ptr<UsbNoiseSource> source, Bytes& notes)
      : source_(std::move(source)), notes_(notes) {}
  [[nodiscard]] const entropy::SourceDescription& description() const override {
    return source_->description();
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override {
    auto got = source_->read(samples, timeout_ms);
    if (got)
      notes_.insert(notes_.end(), samples.begin(),
                    samples.begin() + static_cast<std::ptrdiff_t>(*got));
    return got;
  }
  void stop() override { source_->stop(); }

 private:
  std::unique_ptr<UsbNoiseSource> source_;
  Bytes& notes_;
};

/// A generator over one emulated device, faults on a random schedule, bits drawn in between.
class FaultyLife {
 public:
  explicit FaultyLife(const emulator::BenchEntry& entry)
      : rig_(entry),
        model_(&rig_.plug(draw_noise())),
        os_(std::make_unique<entropy::SystemOsRandom>()) {}

  void live() {
    auto source = rig_.open();
    RC_ASSERT(source.has_value());
    millibits_ = (*source)->description().assessed_millibits_per_sample;
    std::vector<entropy::SourceSlot> slots;
    slots.push_back(
        {.source = std::make_unique<Noted>(std::move(*source), notes_), .independent = true});
    entropy::GeneratorOptions options;
    options.appliance_id = "faulty-life";
    options.pool_blocks = 16;
    auto made =
        entropy::Generator::create(options, std::move(slots), {rig_.bus.clock(), *os_, no_rdseed_});
    RC_ASSERT(made.has_value());
    generator_ = std::move(*made);
    if (!generator_->start(60'000)) return check();
    for (unsigned round = 0; round < 4; ++round) {
      model_->set_faults(draw_faults());
      for (unsigned step = 0; step < 40; ++step) turn();
    }
    check();
  }

 private:
  emulator::ModelOptions draw_noise() {
    using emulator::Ailment;
    emulator::ModelOptions options{.noise = {.seed = *rc::gen::inRange<std::uint64_t>(1, 1000)}};
    options.noise.ailment =
        *rc::gen::element(Ailment::none, Ailment::none, Ailment::stuck, Ailment::bias,
                          Ailment::periodic, Ailment::correlated, Ailment::burst);
    options.noise.onset = *rc::gen::inRange<std::uint64_t>(1, 300'000);
    options.noise.permille = 900;
    return options;
  }
  emulator::Faults draw_faults() {
    const auto at = [&] {
      return *rc::gen::inRange(0, 3) == 0
                 ? model_->sent() + *rc::gen::inRange<std::uint64_t>(1, 100'000)
                 : 0;
    };
    emulator::Faults faults;
    faults.stall_after = at();
    faults.error_after = at();
    faults.silent_after = at();
    faults.silent_ms = *rc::gen::inRange<std::uint64_t>(1, 5000);
    faults.short_packets = *rc::gen::arbitrary<bool>();
    faults.gone_after = *rc::gen::inRange(0, 5) == 0 ? model_->sent() + 20'000 : 0;
    return faults;
  }

  /// One step of the feeder, and a draw. What is drawn rests on no sample of a window that was
  /// suspect by then.
  void turn() {
    generator_->pump(100);
    for (const entropy::Event& event : generator_->take_events()) {
      if (event.kind == entropy::EventKind::health && event.level > 0)
        suspects_.emplace_back(event.suspect_from_ns, event.monotonic_ns);
    }
    const bool latched = generator_->latched().has_value();
    const auto before = generator_->metrics().credited_millibits;
    const auto drawn = generator_->full_entropy(64);
    if (latched) {
      if (!latch_credit_) latch_credit_ = before;
      RC_ASSERT(!drawn.has_value());
      RC_ASSERT(generator_->ready_bits() == 0U);
      RC_ASSERT(before == *latch_credit_);
    }
    if (!drawn) return;
    ++blocks_;
    // A block may join what waited since before the suspect window with what came behind it.
    for (const auto& [from_ns, to_ns] : suspects_) {
      const bool joined = drawn->samples_from_ns < from_ns && drawn->samples_to_ns >= to_ns;
      RC_ASSERT(joined || drawn->samples_to_ns < from_ns || drawn->samples_from_ns >= to_ns);
    }
    RC_ASSERT(drawn->evidence.sources[0].verdict == entropy::Verdict::good);
  }

  void check() {
    const auto all = generator_->metrics();
    const auto& lane = all.sources[0];
    // Each sample once: what was credited is no more than what was green, that no more than what
    // was read, and what was read are unbroken pieces of what the noise yielded, in order, one more
    // for each restart.
    RC_ASSERT(lane.credited_millibits <= lane.green_samples * millibits_);
    RC_ASSERT(lane.green_samples <= lane.raw_samples);
    RC_ASSERT(lane.raw_samples == notes_.size());
    RC_ASSERT(segments(notes_, model_->truth()) <= 1U + 3U * 4U);
    // And each block once: 576 assessed bits or more for every 512.
    RC_ASSERT(all.blocks_made * 576'000 <= lane.credited_millibits);
    RC_ASSERT(all.blocks_given == blocks_);
    RC_ASSERT(all.blocks_given + all.blocks_for_seeds + all.blocks_wiped + all.pool_blocks ==
              all.blocks_made);
  }

  EmulatedRig rig_;
  emulator::DeviceModel* model_;
  std::unique_ptr<entropy::SystemOsRandom> os_;
  NoRdSeed no_rdseed_;
  Bytes notes_;
  std::uint32_t millibits_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> suspects_;
  std::optional<std::uint64_t> latch_credit_;
  std::uint64_t blocks_ = 0;
  std::unique_ptr<entropy::Generator> generator_;  // last: it reads into the notes
};

std::vector<emulator::BenchEntry> raw_ones() {
  std::vector<emulator::BenchEntry> all = emulator::bench();
  std::erase_if(all, [](const emulator::BenchEntry& each) { return !each.raw; });
  return all;
}
class RawSimulated : public Simulated {};
std::vector<emulator::BenchEntry> wide_ones() {
  std::vector<emulator::BenchEntry> all = raw_ones();
  std::erase_if(all, [](const emulator::BenchEntry& each) { return each.bits == 1; });
  return all;
}
class WideSimulated : public Simulated {};

}  // namespace

const RingFigures& ring_figures() {
  static constexpr RingFigures figures{.many = 200'000,
                                       .fault_at = 40'000,
                                       .behind = 100'000,
                                       .healthy = 1'500'000,
                                       .ill_from = 100'000,
                                       .ill_to = 1'500'000,
                                       .piece = 20'000,
                                       .round = 15'000,
                                       .silence_max = 3000,
                                       .rate = 4'000,
                                       .time_is_cheap = true};
  return figures;
}

std::unique_ptr<Ring> make_ring(const emulator::BenchEntry& entry) {
  return std::make_unique<SimulatedRing>(entry);
}

namespace {

TEST_P(Simulated, at_least_95_percent_of_the_noise_arrives) {
  constexpr std::uint64_t rate = 480'000;
  EmulatedRig rig(GetParam());
  rig.plug({.rate = rate});
  auto source = rig.open();
  ASSERT_TRUE(source) << source.error().text();
  Bytes piece(1024);
  const auto read = [&](std::size_t most) {
    std::size_t total = 0;
    while (total < most) {
      const auto got = (*source)->read(piece, 500);
      if (!got) break;
      total += *got;
    }
    return total;
  };
  static_cast<void>(read(20'000));
  const std::int64_t begin_ns = rig.bus.clock().monotonic_ns();
  const std::size_t samples = read(200'000);
  const double seconds = static_cast<double>(rig.bus.clock().monotonic_ns() - begin_ns) * 1e-9;
  // Samples a byte of the noise's own rate, without what the bridge adds to a packet.
  const std::string driver = GetParam().driver;
  const double samples_per_byte = driver == "chaoskey" || driver == "truerng-pro" ? 0.5 : 1.0;
  EXPECT_GE(static_cast<double>(samples),
            0.95 * seconds * static_cast<double>(rate) * samples_per_byte);
}

TEST_P(RawSimulated, no_sample_is_used_twice_or_credited_after_a_failure) {
  EXPECT_TRUE(rc::check([entry = GetParam()] { FaultyLife(entry).live(); }));
}

TEST_P(WideSimulated, a_stuck_bit_that_keeps_the_claim_is_news_against_the_past) {
  using stats::monitor::Quality;
  constexpr std::size_t past = 8;  // windows; the appliance takes 255
  constexpr std::size_t run = 3;
  EmulatedRig rig(GetParam());
  rig.plug({.noise = {.ailment = emulator::Ailment::stuck_bit,
                      .onset = (past + 1) * Quality::short_samples}});
  auto source = rig.open();
  ASSERT_TRUE(source) << source.error().text();
  Quality quality({.bits = 8,
                   .millibits = (*source)->description().assessed_millibits_per_sample,
                   .recent = {.reference = past, .run = run}});
  std::vector<Quality::Event> events;
  Bytes piece(4096);
  while (quality.samples() < (past + run + 2) * Quality::short_samples) {
    const auto got = (*source)->read(piece, 500);
    ASSERT_TRUE(got) << got.error().text();
    const std::size_t before = events.size();
    quality.observe(std::span(piece).first(*got), events);
    if (quality.samples() <= past * Quality::short_samples) {
      EXPECT_EQ(before, events.size());
    }
  }
  EXPECT_TRUE(std::ranges::any_of(events, [](const Quality::Event& event) {
    return event.raised && event.measure == "ones of bit 0" &&
           event.against == Quality::Against::past;
  }));
  EXPECT_TRUE(std::ranges::none_of(events, [](const Quality::Event& event) {
    return event.raised && event.against == Quality::Against::claim;
  })) << "seven bits are left, four at most are claimed";
}

INSTANTIATE_TEST_SUITE_P(Bench, Simulated, ::testing::ValuesIn(emulator::bench()), device_name);
INSTANTIATE_TEST_SUITE_P(Bench, RawSimulated, ::testing::ValuesIn(raw_ones()), device_name);
INSTANTIATE_TEST_SUITE_P(Bench, WideSimulated, ::testing::ValuesIn(wide_ones()), device_name);

}  // namespace
}  // namespace talla::usb::test
