// Goal: what lies green in the sources is shared, counted, dated and kept back as it is stated:
//   which of them must be well, what a block takes of each, what others may have of it.
// Method: lanes made by hand, their gates fed window by window, down to the sample.
#include "lanes.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "entropy_lab/model_source.hpp"

namespace talla::entropy {
namespace {

struct Made {
  SourceClass source_class = SourceClass::raw_physical;
  std::uint32_t millibits = 7000;
  std::uint32_t rate_hz = 0;
  bool credited = true;
  bool required = true;
  bool independent = false;
  /// Green windows; none: still in its start-up test.
  std::optional<std::size_t> windows = 0;
  /// When the last of them came.
  std::int64_t came_ns = 100;
  bool documented = true;
};

void feed(Lane& lane, std::size_t windows, std::int64_t came_ns) {
  ModelOptions model;
  model.seed = static_cast<std::uint64_t>(came_ns);
  ModelSource source(model);
  Bytes samples(windows * gate_window_samples);
  ASSERT_EQ(source.read(samples, 1).value(), samples.size());
  ASSERT_EQ(lane.gate.feed(samples, {came_ns - 1, came_ns}).alarm.level, 0U);
}

Lane lane(const Made& made) {
  SourceDescription description{.model = "model",
                                .serial = "1",
                                .source_class = made.source_class,
                                .bits_per_sample = 8,
                                .assessed_millibits_per_sample = made.millibits,
                                .nominal_rate_hz = made.rate_hz};
  SourceDescription seven_bits = description;
  seven_bits.assessed_millibits_per_sample = 7000;
  SourceSlot slot;
  slot.required = made.required;
  slot.independent = made.independent;
  if (made.documented)
    slot.assessment = {.origin = AssessmentOrigin::unit, .digest = std::string(64, 'a')};
  Lane lane{.slot = std::move(slot),
            .description = description,
            .credited = made.credited,
            .gate = Gate(health_settings(seven_bits, 1000).value(), 0)};
  if (made.windows) feed(lane, startup_windows + *made.windows, made.came_ns);
  return lane;
}

Lanes lanes(std::initializer_list<Made> all, Construction construction = Construction::rbg3_xor) {
  std::vector<Lane> made;
  for (const Made& one : all) made.push_back(lane(one));
  return {std::move(made), construction};
}

constexpr Made mixed_in{.source_class = SourceClass::conditioned_physical, .credited = false};
/// Half of the eight windows that may wait.
constexpr std::size_t half_of_all = 4 * gate_window_samples;

/// Leaves so many green samples there.
void leave(Lane& lane, std::size_t samples) {
  SecretBytes taken;
  if (lane.gate.green_samples() > samples)
    static_cast<void>(lane.gate.take(lane.gate.green_samples() - samples, taken));
  ASSERT_EQ(lane.gate.green_samples(), samples);
}

TEST(Lanes, a_block_takes_the_fewest_samples_that_hold_576_bits) {
  // 67 thousandths: 8,597 samples are 575.999 bits.
  for (const auto& [millibits, samples] :
       std::vector<std::pair<std::uint32_t, std::size_t>>{{8000, 72},
                                                          {7000, 83},
                                                          {1000, 576},
                                                          {4000, 144},
                                                          {3999, 145},
                                                          {4001, 144},
                                                          {999, 577},
                                                          {67, 8598}}) {
    EXPECT_EQ(lane({.millibits = millibits, .windows = {}}).samples_per_block(), samples)
        << millibits;
    EXPECT_EQ(lane({.millibits = millibits, .windows = {}}).share(), samples);
    EXPECT_EQ(lane({.millibits = millibits, .credited = false, .windows = {}}).share(), 64U);
  }
}

TEST(Lanes, only_what_is_credited_needs_a_document) {
  EXPECT_FALSE(lanes({{}}).uncertified());
  EXPECT_TRUE(lanes({{.documented = false}}).uncertified());
  EXPECT_TRUE(lanes({{}, {.documented = false}}).uncertified());
  EXPECT_FALSE(lanes({{}, {.credited = false, .documented = false}}).uncertified());
  EXPECT_TRUE(lanes({{}}, Construction::system).uncertified());
  EXPECT_TRUE(lanes({{}}, Construction::lab).uncertified());
}

TEST(Lanes, are_good_when_all_required_ones_are_open_and_a_credited_one_is) {
  const Made closed{.required = false, .windows = {}};
  const Made needed{.windows = {}};
  const Made beside{.credited = false, .required = false};
  const Made beside_closed{.credited = false, .required = false, .windows = {}};
  EXPECT_TRUE(lanes({{}}).good());
  EXPECT_FALSE(lanes({needed}).good());
  EXPECT_FALSE(lanes({closed}).good());
  EXPECT_FALSE(lanes({closed, beside}).good()) << "what is open has no credit";
  EXPECT_FALSE(lanes({beside, closed}).good());
  EXPECT_TRUE(lanes({closed, {}}).good());
  EXPECT_TRUE(lanes({{}, beside_closed}).good());
  EXPECT_FALSE(lanes({{}, needed}).good());
}

TEST(Lanes, have_credit_left_while_a_credited_one_has_not_failed_for_good) {
  const auto failed = [](Made made) {
    Lane one = lane(made);
    EXPECT_EQ(one.gate.stream_over(200).alarm.level, 2U);
    return one;
  };
  const auto left = [](Lane first, Lane second) {
    std::vector<Lane> both;
    both.push_back(std::move(first));
    both.push_back(std::move(second));
    return Lanes(std::move(both), Construction::rbg3_xor).credited_left();
  };
  EXPECT_FALSE(left(failed({}), lane(mixed_in)));
  EXPECT_FALSE(left(failed({}), failed({})));
  EXPECT_TRUE(left(failed({}), lane({.windows = {}}))) << "in its start-up test";
  EXPECT_TRUE(left(lane({}), failed(mixed_in)));
}

TEST(Lanes, others_have_what_exceeds_half_of_each_credited_stream_and_a_block) {
  for (const bool enough : {true, false}) {
    Lanes both = lanes({{.windows = 5}, {.millibits = 1000, .windows = 5}});
    leave(both[0], half_of_all + 83);
    leave(both[1], half_of_all + 576 - (enough ? 0 : 1));
    EXPECT_EQ(both.to_spare(), enough);
  }
  // What has no credit, is not open, or answers when it is asked keeps nothing back.
  const Made full{.windows = 5};
  EXPECT_TRUE(lanes({full, mixed_in}).to_spare());
  EXPECT_TRUE(lanes({full, {.required = false, .windows = {}}}).to_spare());
  EXPECT_TRUE(lanes({full, {.source_class = SourceClass::system}}).to_spare());
  EXPECT_FALSE(lanes({full, {}}).to_spare());
}

TEST(Lanes, a_run_is_spared_of_a_source_beside_what_is_kept_back) {
  for (const bool enough : {true, false}) {
    Lanes one = lanes({{.windows = 6}});
    leave(one[0], half_of_all + 83 + gate_window_samples - (enough ? 0 : 1));
    EXPECT_EQ(one.run_to_spare(0), enough);
    Lanes beside = lanes({{.windows = 5}, mixed_in});
    feed(beside[1], 2, 300);
    leave(beside[1], gate_window_samples - (enough ? 0 : 1));
    EXPECT_EQ(beside.run_to_spare(1), enough) << "without credit nothing is kept back";
    Lanes on_request = lanes({{.source_class = SourceClass::system, .windows = 1}});
    leave(on_request[0], gate_window_samples - (enough ? 0 : 1));
    EXPECT_EQ(on_request.run_to_spare(0), enough);
  }
  EXPECT_FALSE(
      lanes({{.windows = 1}, {.source_class = SourceClass::system, .windows = 2}}).run_to_spare(1))
      << "another stream has nothing to spare";
  Lanes in_test = lanes({{.source_class = SourceClass::system, .windows = 2}});
  in_test[0].gate.restart();
  EXPECT_FALSE(in_test.run_to_spare(0)) << "green, but in its start-up test";
}

TEST(Lanes, a_block_takes_and_dates_what_each_has_and_credits_it) {
  Lanes three = lanes({{.windows = 1, .came_ns = 500},
                       {.credited = false, .windows = 1, .came_ns = 300},
                       {.millibits = 4000, .windows = 1, .came_ns = 900},
                       {.credited = false, .windows = {}}});
  leave(three[1], 1);
  const Shares shares = three.shares();
  EXPECT_EQ(shares.samples, (std::vector<std::size_t>{83, 1, 144, 0}));
  EXPECT_EQ(shares.millibits, 581'000U) << "the largest counts";
  ASSERT_TRUE(shares.enough());
  TimeRange samples;
  ASSERT_TRUE(three.make_block(ConditionerKind::sha512, shares, samples));
  EXPECT_EQ(samples.from_ns, 299);
  EXPECT_EQ(samples.to_ns, 900);
  EXPECT_EQ(three[0].gate.green_samples(), gate_window_samples - 83);
  EXPECT_EQ(three[1].gate.green_samples(), 0U);
  EXPECT_EQ(three[2].gate.green_samples(), gate_window_samples - 144);
  EXPECT_EQ(three[0].credited_millibits, 581'000U);
  EXPECT_EQ(three[1].credited_millibits, 0U);
  EXPECT_EQ(three[2].credited_millibits, 576'000U);
}

TEST(Lanes, were_last_good_when_the_first_of_those_that_are_needed_was) {
  const auto last_good = [](std::initializer_list<Made> all) {
    Evidence evidence;
    lanes(all).describe(evidence);
    EXPECT_EQ(evidence.sources.size(), all.size());
    return evidence.last_good_verdict_ns;
  };
  const Made early{.came_ns = 100};
  const Made late{.came_ns = 900};
  const Made never{.windows = {}};
  const Made beside{.credited = false, .required = false, .came_ns = 50};
  const Made required{.credited = false, .came_ns = 70};
  const Made spare{.required = false, .came_ns = 80};
  EXPECT_EQ(last_good({late, early}), 100);
  EXPECT_EQ(last_good({early, late}), 100);
  EXPECT_EQ(last_good({beside, late}), 900);
  EXPECT_EQ(last_good({late, beside}), 900);
  EXPECT_EQ(last_good({late, required}), 70);
  EXPECT_EQ(last_good({late, spare}), 80);
  EXPECT_EQ(last_good({late, never}), 0);
  EXPECT_EQ(last_good({late, early, never}), 0);
}

TEST(Lanes, say_what_stands_of_each_source_in_its_line) {
  Evidence evidence;
  Lanes both = lanes({{.rate_hz = 5, .independent = true},
                      {.source_class = SourceClass::conditioned_physical,
                       .millibits = 6000,
                       .credited = false,
                       .required = false,
                       .windows = {},
                       .documented = false}});
  both[1].lost = true;
  both.describe(evidence);
  EXPECT_EQ(evidence.construction, Construction::rbg3_xor);
  EXPECT_FALSE(evidence.uncertified);
  const SourceEvidence& first = evidence.sources[0];
  EXPECT_EQ(first.nominal_rate_hz, 5U);
  EXPECT_TRUE(first.credited && first.independent && first.required && !first.lost);
  EXPECT_EQ(first.verdict, Verdict::good);
  EXPECT_EQ(first.assessment.digest, std::string(64, 'a'));
  const SourceEvidence& second = evidence.sources[1];
  EXPECT_EQ(second.source_class, SourceClass::conditioned_physical);
  EXPECT_EQ(second.assessed_millibits_per_sample, 6000U);
  EXPECT_TRUE(!second.credited && !second.independent && !second.required && second.lost);
  EXPECT_EQ(second.verdict, Verdict::untested);
}

}  // namespace
}  // namespace talla::entropy
