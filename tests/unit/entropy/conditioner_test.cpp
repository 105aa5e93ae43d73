// Goal: the conditioner's accounts and numbers are those of SP 800-90B 3.1.5 and its outputs those
// of the hash standards.
// Method: published figures, the public tool's answers, known answers, and sensitivity to each part
// of the input.
#include "entropy/conditioner.hpp"

#include <botan/hash.h>
#include <botan/mac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "base/bytes.hpp"
#include "entropy/sha512.hpp"
#include "support/vectors.hpp"

namespace talla::entropy {
namespace {

SecretBytes botans(Botan::Buffered_Computation& function, std::span<const Bytes> parts) {
  for (const Bytes& part : parts) function.update(part.data(), part.size());
  SecretBytes out(64);
  function.final(out.data());
  return out;
}

Bytes length_of(const Bytes& samples) {
  return ByteWriter().u32(static_cast<std::uint32_t>(samples.size())).take();
}

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

TEST(Hmac, fips_198_1_keys_up_to_the_block_are_used_as_they_are_and_longer_ones_hashed) {
  for (const std::size_t size : {0U, 1U, 127U, 128U, 129U, 400U}) {
    const Bytes key(size, 0xA5);
    const std::vector<Bytes> parts{Bytes{1, 2, 3}, Bytes(200, 4)};
    const auto mac = Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-512)");
    mac->set_key(key.data(), key.size());
    const std::array<ByteView, 2> views{parts[0], parts[1]};
    EXPECT_EQ(hmac_sha512(key, views).value(), botans(*mac, parts)) << size;
  }
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

TEST(HashDf, sp800_90a_10_3_1_is_what_another_library_makes_of_its_counters_and_length) {
  const Bytes input{'a', 'b', 'c'};
  for (const std::size_t size : {std::size_t{1}, std::size_t{64}, std::size_t{65}, std::size_t{200},
                                 std::size_t{255 * 64}}) {
    SecretBytes expected;
    for (std::uint8_t counter = 1; expected.size() < size; ++counter) {
      const auto sha = Botan::HashFunction::create_or_throw("SHA-512");
      const Bytes head = ByteWriter().u8(counter).u32(static_cast<std::uint32_t>(8 * size)).take();
      const std::array<Bytes, 2> parts{head, input};
      const SecretBytes block = botans(*sha, parts);
      expected.insert(expected.end(), block.begin(), block.end());
    }
    expected.resize(size);
    EXPECT_EQ(hash_df_sha512(input, size).value(), expected) << size;
  }
}

TEST(Conditioner, a_block_is_the_stated_hash_over_domain_lengths_and_samples_of_all) {
  const Bytes domain = Bytes(as_bytes("talla/entropy/conditioner/v1").begin(),
                             as_bytes("talla/entropy/conditioner/v1").end());
  const Bytes uncredited{9, 8, 7};
  const Bytes credited(72, 5);
  const Bytes empty;
  const Bytes last{1, 2};
  const std::vector<Contribution> contributions{{uncredited, 8000, false, false},
                                                {credited, 8000, true, false},
                                                {empty, 8000, true, false},
                                                {last, 8000, false, true}};
  std::vector<Bytes> parts;
  for (const Bytes& samples : {uncredited, credited, empty, last}) {
    parts.push_back(length_of(samples));
    parts.push_back(samples);
  }
  const auto mac = Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-512)");
  mac->set_key(domain.data(), domain.size());
  EXPECT_EQ(condition(ConditionerKind::hmac_sha512, contributions).value(), botans(*mac, parts));
  parts.insert(parts.begin(), domain);
  const auto sha = Botan::HashFunction::create_or_throw("SHA-512");
  EXPECT_EQ(condition(ConditionerKind::sha512, contributions).value(), botans(*sha, parts));
}

TEST(Conditioner, the_largest_call_is_that_of_the_largest_sum) {
  const Bytes half(50, 1);
  const Bytes other_half(50, 2);
  const Bytes alone(75, 3);
  const Bytes mixed_in(10, 4);
  const Bytes none;
  const auto block = [](const Bytes& a, const Bytes& b, const Bytes& c, const Bytes& d) {
    return condition(ConditionerKind::sha512, std::vector<Contribution>{{b, 8000, true, false},
                                                                        {a, 8000, true, true},
                                                                        {c, 8000, true, true},
                                                                        {d, 8000, false, false}})
        .value();
  };
  // 800 bits together and 600 alone: what has no credit goes with the two.
  SecretBytes expected = block(half, none, other_half, mixed_in);
  const SecretBytes own = block(none, alone, none, none);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] ^= own[i];
  EXPECT_EQ(block(half, alone, other_half, mixed_in), expected);
}

}  // namespace
}  // namespace talla::entropy
