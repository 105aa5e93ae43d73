// SP 800-22: the fast tests against the plain ones, worked examples of the standard, limits,
// reading and summaries.
// Method: random sequences of many lengths and faults; hand-worked figures; counts of passing
//         sequences on good bits.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sp800_22_reference.hpp"
#include "stats/bit_reader.hpp"
#include "stats/holm.hpp"
#include "stats/sp800_22/battery.hpp"
#include "stats/sp800_22/summary.hpp"
#include "stats_lab/fftw_spectrum.hpp"

namespace sp800_22_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_22;

std::map<std::string, double> ours(const reference::Sequence& sequence,
                                   const sp::Parameters& parameters, sp::Profile profile) {
  auto battery = sp::Battery::create(profile, parameters, sequence.size());
  if (!battery) return {};
  std::vector<std::uint8_t> values(sequence.begin(), sequence.end());
  FftwSpectrum spectrum(sequence.size());
  std::vector<double> p(battery->rows().size());
  battery->run(Bits::from_values(values), spectrum, p);
  std::map<std::string, double> out;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto& row = battery->rows()[i];
    out[std::string(sp::test_name(row.test)) + (row.item.empty() ? "" : " " + row.item)] = p[i];
  }
  return out;
}

/// Bits with a fault: fair, biased, sticky, periodic with noise, a walk that returns often.
reference::Sequence make(std::mt19937_64& random, std::size_t count, int fault) {
  reference::Sequence bits;
  std::bernoulli_distribution biased(0.53), sticky(0.55), noise(0.05);
  for (std::size_t i = 0; i < count; ++i) {
    const int fair = static_cast<int>(random() >> 63);
    const int last = bits.empty() ? fair : bits.back();
    if (fault == 1)
      bits.push_back(biased(random) ? 1 : 0);
    else if (fault == 2)
      bits.push_back(sticky(random) ? last : 1 - last);
    else if (fault == 3)
      bits.push_back(noise(random) ? fair : static_cast<int>(i % 7 < 4));
    else if (fault == 4)
      bits.push_back(noise(random) ? fair : 1 - last);
    else
      bits.push_back(fair);
  }
  return bits;
}

void expect_equal(const std::map<std::string, double>& fast,
                  const std::map<std::string, double>& plain, const std::string& what,
                  bool cumulative_sums_differ) {
  for (const auto& [name, p] : plain) {
    ASSERT_TRUE(fast.contains(name)) << name;
    const double q = fast.at(name);
    if (std::isnan(p)) {
      EXPECT_TRUE(std::isnan(q)) << what << name << " " << q;
    } else if (!cumulative_sums_differ || name.substr(0, 10) != "Cumulative") {
      EXPECT_NEAR(q, p, 1e-8 + 1e-8 * p) << what << name;
    }
  }
}

TEST(Sp80022, every_test_equals_its_plain_form_on_sequences_of_all_lengths_and_faults) {
  std::mt19937_64 random(20260101);
  for (int round = 0; round < 40; ++round) {
    const std::size_t count = 100 + random() % (round % 8 == 0 ? 7000 : 1600);
    const int fault = round % 5;
    sp::Parameters parameters;
    parameters.block_frequency = 8 + random() % 200;
    parameters.non_overlapping = 2 + random() % 7;
    parameters.overlapping = 2 + random() % 9;
    parameters.approximate_entropy = 1 + random() % 9;
    parameters.serial = 2 + random() % 9;
    parameters.linear_complexity = 4 + random() % 300;
    const auto bits = make(random, count, fault);
    const std::string what =
        "round " + std::to_string(round) + ", " + std::to_string(count) + " bits: ";
    for (const bool nist : {true, false}) {
      // Where the sums are long against n the suite's rounding of the limits towards zero shows;
      // the plain form has none.
      expect_equal(ours(bits, parameters, nist ? sp::Profile::nist_2_1_2 : sp::Profile::corrected),
                   reference::sp800_22(bits, parameters, nist), what, nist);
    }
  }
}

TEST(Sp80022, excursions_equal_the_plain_form_where_there_are_enough_cycles) {
  std::mt19937_64 random(20260102);
  for (int round = 0; round < 3; ++round) {
    reference::Sequence bits;
    while (bits.size() < 3000) {  // steps that mostly turn back
      const int first = static_cast<int>(random() >> 63);
      bits.push_back(first);
      bits.push_back(random() % 8 == 0 ? first : 1 - first);
    }
    sp::Parameters small{.block_frequency = 20,
                         .non_overlapping = 3,
                         .overlapping = 3,
                         .approximate_entropy = 2,
                         .serial = 3,
                         .linear_complexity = 50};
    const auto fast = ours(bits, small, sp::Profile::corrected);
    const auto plain = reference::sp800_22(bits, small, false);
    if (std::isnan(plain.at("RandomExcursionsVariant x = 1"))) continue;
    for (const auto& [name, p] : plain) {
      if (name.starts_with("Random")) {
        EXPECT_NEAR(fast.at(name), p, 1e-9) << name;
      }
    }
  }
}

TEST(Sp80022, section_2_worked_examples_of_the_standard) {
  // 2.1.8, 2.3.8, 2.13.8: the first 100 binary digits of pi.
  const std::string pi =
      "11001001000011111101101010100010001000010110100011000010001101001100010011000110011000101000"
      "1011100000"
      "00";
  reference::Sequence bits;
  for (std::size_t i = 0; i < 100; ++i) bits.push_back(pi[i] - '0');
  const auto p = ours(bits,
                      {.block_frequency = 10,
                       .non_overlapping = 2,
                       .overlapping = 2,
                       .approximate_entropy = 2,
                       .serial = 3,
                       .linear_complexity = 20},
                      sp::Profile::nist_2_1_2);
  EXPECT_NEAR(p.at("Frequency"), 0.109599, 1e-6);
  EXPECT_NEAR(p.at("BlockFrequency"), 0.706438, 1e-6);
  EXPECT_NEAR(p.at("Runs"), 0.500798, 1e-6);
  EXPECT_NEAR(p.at("CumulativeSums forward"), 0.219194, 1e-6);
  EXPECT_NEAR(p.at("CumulativeSums reverse"), 0.114866, 1e-6);
  EXPECT_NEAR(p.at("ApproximateEntropy"), 0.235301, 1e-6);
  EXPECT_TRUE(std::isnan(p.at("LongestRun"))) << "below 128 bits";
}

TEST(Sp80022, parameters_and_lengths_out_of_range_are_refused_by_name) {
  EXPECT_FALSE(sp::Battery::create(sp::Profile::corrected, {}, 99).has_value());
  EXPECT_FALSE(sp::Battery::create(sp::Profile::corrected, {}, std::size_t{1} << 31).has_value());
  sp::Parameters parameters;
  parameters.serial = 17;
  const auto refused = sp::Battery::create(sp::Profile::corrected, parameters, 1000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().detail.find("serial = 17"), std::string::npos);
}

TEST(Sp80022, constant_and_alternating_sequences_fail_without_harm) {
  for (const int period : {1, 2}) {
    reference::Sequence bits;
    for (int i = 0; i < 20000; ++i) bits.push_back(i % period);
    const auto p = ours(bits, {}, sp::Profile::nist_2_1_2);
    EXPECT_LT(p.at("ApproximateEntropy"), 1e-12);
    EXPECT_LT(p.at("LinearComplexity"), 1e-12);
    EXPECT_TRUE(period == 1 ? p.at("Frequency") < 1e-12 : p.at("Runs") < 1e-12);
  }
}

TEST(Sp80022, summary_counts_like_the_suite_and_holm_holds_the_family) {
  std::vector<double> p(100, 0.5);
  p[0] = 0.00999996;  // printed 0.010000, read back in single precision: below 0.01
  for (std::size_t i = 1; i < 10; ++i) p[i] = 0.001;
  const auto nist = sp::summarise(sp::Profile::nist_2_1_2, p, 100, 0.01);
  EXPECT_EQ(nist.rows[0].passed_count, 90U);
  EXPECT_FALSE(nist.rows[0].proportion_in_limits);
  EXPECT_FALSE(nist.consistent);
  std::vector<double> good;
  for (int i = 0; i < 100; ++i) good.push_back((i + 0.5) / 100);
  const auto fine = sp::summarise(sp::Profile::corrected, good, 100, 0.01);
  EXPECT_EQ(fine.rows[0].passed_count, 99U);
  EXPECT_NEAR(fine.rows[0].uniformity, 1.0, 1e-12);
  EXPECT_TRUE(fine.consistent);
  const std::vector<double> adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, std::nan("")});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.06);
  EXPECT_TRUE(std::isnan(adjusted[3]));
}

BitReader reader_of(const std::string& text, BitForm form) {
  auto at = std::make_shared<std::size_t>(0);
  return BitReader(
      [text, at](std::span<std::uint8_t> into) {
        constexpr std::size_t piece = 3;
        const auto got = std::min({into.size(), piece, text.size() - *at});
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(*at), got, into.begin());
        *at += got;
        return got;
      },
      form);
}

TEST(BitReader, binary_and_ascii_give_the_same_bits_and_errors_say_where) {
  auto ascii = reader_of("0100 0001\n0100 0010 01", BitForm::ascii);
  auto binary = reader_of("AB", BitForm::binary);
  for (int i = 0; i < 4; ++i) {
    auto a = ascii.next(4, false), b = binary.next(4, false);
    ASSERT_TRUE(a.has_value());
    ASSERT_TRUE(b.has_value());
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(a->bit(k), b->bit(k));
  }
  EXPECT_TRUE(binary.at_end());
  EXPECT_FALSE(ascii.at_end());
  const auto shorter = ascii.next(3, false);
  ASSERT_FALSE(shorter.has_value());
  EXPECT_NE(shorter.error().detail.find("2 of 3 bits"), std::string::npos);
  const auto strange = reader_of("01012", BitForm::ascii).next(5, false);
  ASSERT_FALSE(strange.has_value());
  EXPECT_NE(strange.error().detail.find("byte 4"), std::string::npos);
  EXPECT_EQ(guess_form(std::vector<std::uint8_t>{'0', '1', '\n'}), BitForm::ascii);
  EXPECT_EQ(guess_form(std::vector<std::uint8_t>{'0', 'A'}), BitForm::binary);
  EXPECT_EQ(guess_form({}), BitForm::binary);
}

TEST(BitReader, after_a_sequence_the_rest_of_32_bits_is_skipped_as_nists_program_does) {
  const std::string bytes("\x80\x00\x00\x00\x40\x00\x00\x00", 8);
  auto reader = reader_of(bytes, BitForm::binary);
  EXPECT_TRUE(reader.next(10, true)->bit(0));
  EXPECT_TRUE(reader.next(10, true)->bit(1));
  EXPECT_TRUE(reader.at_end());
}

}  // namespace
}  // namespace sp800_22_test
