// Goal: the conditioner's accounts and numbers are those of SP 800-90B 3.1.5 and its outputs those
// of the hash standards.
// Method: published figures, the public tool's answers, known answers, and sensitivity to each part
// of the input.
#include "entropy/conditioner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "base/bytes.hpp"
#include "support/vectors.hpp"

namespace talla::entropy {
namespace {

TEST(Conditioner, sp800_90b_3_1_5_576_bits_into_512_are_full_entropy) {
  const OutputEntropy got = vetted_output_entropy(1024, 512, 512, 576);
  EXPECT_NEAR(static_cast<double>(got.bits), 512.0, 1e-9);
  // Relative to 512 the deficit is the tool's epsilon, 2^-72.47.
  EXPECT_NEAR(static_cast<double>(std::log2(got.deficit_bits / 512)), -72.47, 0.01);
  const OutputEntropy sha256 = vetted_output_entropy(1024, 256, 256, 320);
  EXPECT_NEAR(static_cast<double>(std::log2(sha256.deficit_bits / 256)), -71.47, 0.01);
}

TEST(Conditioner, sp800_90b_3_1_5_no_more_comes_out_than_went_in) {
  EXPECT_NEAR(static_cast<double>(vetted_output_entropy(1024, 512, 512, 512).bits), 511.0, 1e-9);
  EXPECT_NEAR(static_cast<double>(vetted_output_entropy(1024, 512, 512, 100).bits), 100.0, 1e-9);
  EXPECT_NEAR(static_cast<double>(vetted_output_entropy(512, 256, 256, 256).bits), 255.0, 1e-9);
}

TEST(Conditioner, sp800_90b_3_1_5_agrees_with_the_public_tool) {
  std::istringstream file(test::vector_text("sp800-90b/expected/conditioning/conditioning.txt"));
  std::uint32_t n_in = 0;
  std::uint32_t n_out = 0;
  std::uint32_t nw = 0;
  long double h_in = 0;
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("$ ea_conditioning -v ")) {
      std::istringstream(line.substr(21)) >> n_in >> n_out >> nw >> h_in;
    } else if (line.starts_with("(Vetted) h_out = ")) {
      const long double expected = std::stold(line.substr(17));
      EXPECT_NEAR(static_cast<double>(vetted_output_entropy(n_in, n_out, nw, h_in).bits),
                  static_cast<double>(expected), 1e-9)
          << n_in << " " << n_out << " " << nw << " " << static_cast<double>(h_in);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 15);
}

TEST(Conditioner, known_answers_hold) {
  for (const ConditionerKind kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512})
    EXPECT_TRUE(conditioner_self_test(kind));
}

TEST(Conditioner, credit_is_that_of_the_largest_call_and_only_independent_sources_share_one) {
  const Bytes samples(100, 1);
  const auto part = [&](std::uint32_t millibits, bool credited, bool independent) {
    return Contribution{samples, millibits, credited, independent};
  };
  const auto credit = [](std::vector<Contribution> parts) { return credit_millibits(parts); };
  EXPECT_EQ(credit({part(1000, true, true), part(2000, true, true)}), 300'000U);
  EXPECT_EQ(credit({part(1000, true, false), part(2000, true, false)}), 200'000U);
  EXPECT_EQ(credit({part(1000, true, false), part(2000, true, false), part(500, true, true)}),
            200'000U);
  EXPECT_EQ(credit({part(1500, true, true), part(2000, true, false), part(1000, true, true)}),
            250'000U);
  EXPECT_EQ(credit({part(8000, false, true), part(1000, true, false)}), 100'000U);
  EXPECT_EQ(credit({}), 0U);
}

TEST(Conditioner, one_millibit_short_of_576_bits_is_refused) {
  const Bytes samples(72, 1);
  const std::vector<Contribution> enough{{samples, 8000, true, false}};
  const std::vector<Contribution> short_of{{samples, 7999, true, false}};
  for (const auto kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512}) {
    EXPECT_EQ(condition(kind, enough)->size(), 64U);
    EXPECT_FALSE(condition(kind, short_of));
  }
}

TEST(Conditioner, each_device_is_conditioned_by_itself_and_the_outputs_are_xored) {
  const Bytes first(100, 1);
  const Bytes second(100, 2);
  const Bytes mixed_in(64, 3);
  const auto part = [](const Bytes& samples, std::uint32_t millibits, bool independent) {
    return Contribution{samples, millibits, true, independent};
  };
  const Contribution from_system{mixed_in, 8000, false, false};
  const Contribution none{{}, 8000, false, false};
  const Contribution nothing{{}, 8000, true, false};
  for (const auto kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512}) {
    const auto block = [&](std::vector<Contribution> parts) {
      return condition(kind, parts).value();
    };
    const SecretBytes both =
        block({part(first, 7000, false), part(second, 6000, false), from_system});
    SecretBytes expected = block({part(first, 7000, false), nothing, from_system});
    const SecretBytes alone = block({nothing, part(second, 6000, false), none});
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] ^= alone[i];
    EXPECT_EQ(both, expected) << "what has no credit goes with the largest";
    const SecretBytes together =
        block({part(first, 7000, true), part(second, 6000, true), from_system});
    EXPECT_NE(both, together);
    // The same samples from two devices do not cancel each other.
    EXPECT_NE(block({part(first, 7000, false), part(first, 7000, false)}), SecretBytes(64));
  }
}

TEST(Conditioner, independent_devices_share_one_call_and_the_one_between_them_has_its_own) {
  const Bytes first(100, 1);
  const Bytes between(100, 2);
  const Bytes last(100, 3);
  const auto part = [](const Bytes& samples, bool independent) {
    return Contribution{samples, 6000, true, independent};
  };
  const auto nothing = [](bool independent) { return Contribution{{}, 6000, true, independent}; };
  for (const auto kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512}) {
    const auto block = [&](std::vector<Contribution> parts) {
      return condition(kind, parts).value();
    };
    SecretBytes expected = block({part(first, true), nothing(false), part(last, true)});
    const SecretBytes own = block({nothing(true), part(between, false), nothing(true)});
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] ^= own[i];
    EXPECT_EQ(block({part(first, true), part(between, false), part(last, true)}), expected);
  }
}

TEST(Conditioner, two_devices_make_no_block_that_neither_fills_unless_independence_is_certified) {
  const Bytes half(50, 1);
  for (const auto kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512}) {
    const auto made = [&](bool independent) {
      return condition(kind, std::vector<Contribution>{{half, 6000, true, independent},
                                                       {half, 6000, true, independent}})
          .has_value();
    };
    EXPECT_FALSE(made(false));
    EXPECT_TRUE(made(true));
  }
}

TEST(Conditioner, every_sample_and_every_boundary_between_sources_counts) {
  Bytes samples(200, 1);
  std::set<SecretBytes> seen;
  const auto add = [&](std::size_t split, ConditionerKind kind) {
    const std::span<const std::uint8_t> view(samples);
    const std::vector<Contribution> parts{{view.first(split), 8000, true, true},
                                          {view.subspan(split), 8000, true, true}};
    seen.insert(condition(kind, parts).value());
  };
  for (const auto kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512}) {
    for (std::size_t split = 0; split <= 200; split += 50) add(split, kind);
    for (auto& sample : samples) {
      sample ^= 1U;
      add(100, kind);
      sample ^= 1U;
    }
  }
  EXPECT_EQ(seen.size(), 2U * (5 + 200));
}

TEST(Wipe, the_conditioner_leaves_no_pad_nor_middle_behind) {
  const Bytes samples(100, 1);
  const std::vector<Contribution> parts{{samples, 8000, true, false}};
  const std::uint64_t before = wiped_bytes();
  const SecretBytes block = condition(ConditionerKind::hmac_sha512, parts).value();
  // Both padded keys (128 bytes) and the inner digest (64); the outer one's call and its block of
  // the XOR.
  EXPECT_GE(wiped_bytes() - before, 2U * 128U + 2U * 64U);
}

TEST(HashDf, sp800_90a_10_3_1_counts_and_prefixes_the_length) {
  // First block = SHA-512(01 || 00000200 || input), the output of 512 bits; a longer output is
  // another stream.
  const Bytes input{'a', 'b', 'c'};
  const SecretBytes one = hash_df_sha512(input, 64).value();
  const SecretBytes two = hash_df_sha512(input, 96).value();
  EXPECT_EQ(two.size(), 96U);
  EXPECT_FALSE(std::equal(one.begin(), one.end(), two.begin()));
  EXPECT_FALSE(hash_df_sha512(input, 0));
  EXPECT_FALSE(hash_df_sha512(input, 255 * 64 + 1));
}

}  // namespace
}  // namespace talla::entropy
