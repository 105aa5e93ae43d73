// Goal: the mix of a shoe is that of FORMAT.md section 7: a permutation that follows from C and
//       from nothing else.
// Method: frozen values computed by the Python verifier; every permutation of four cards counted;
//         bounds on both sides; a record whose account is another.
#include "format/mix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "format/errc.hpp"
#include "frozen_core.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

Result<MixResult> mix_of_places(std::uint32_t places) {
  return map_mix(hashes, call_digest(hashes, frozen_mix(places).bytes()), {}, {1, places});
}

std::string digest_of(const Mix& mix) {
  ByteWriter bytes;
  for (const std::uint16_t leaf : mix)
    bytes.u8(static_cast<std::uint8_t>(leaf >> 8U)).u8(static_cast<std::uint8_t>(leaf & 0xffU));
  const Bytes whole = bytes.take();
  return to_hex(hashes.sha256({whole}));
}

TEST(Mix, has_its_frozen_values) {
  const auto eight_decks = mix_of_places(416);
  ASSERT_TRUE(eight_decks);
  EXPECT_EQ(Mix(eight_decks->mix.begin(), eight_decks->mix.begin() + 6),
            (Mix{57, 349, 63, 365, 247, 409}));
  EXPECT_EQ(digest_of(eight_decks->mix),
            "a5d6c1d70b02d1ddabb5ef58280dcf2deb7d0e6ebe419277ab41c28005b693af");
  EXPECT_EQ(eight_decks->words_used, 59U);
  EXPECT_EQ(eight_decks->words_rejected, 0U);
  EXPECT_EQ(to_hex(eight_decks->tape_digest),
            "014c4e3760a7e25be72883f575278d2dfe3f4b2a03b8c19e87319eb76abfd445");
  EXPECT_EQ(digest_of(mix_of_places(52)->mix),
            "dd1b61c77d7053147219f3ffa4dee0c4150f50123633596d72f295a11021695a");
  EXPECT_EQ(mix_of_places(1)->mix, Mix{0});
}

TEST(Mix, is_a_permutation_that_follows_from_C_and_the_openings) {
  const Digest call = call_digest(hashes, frozen_mix(416).bytes());
  const Mix mix = map_mix(hashes, call, {}, {1, 416})->mix;
  Mix sorted = mix;
  std::ranges::sort(sorted);
  Mix leaves(416);
  std::iota(leaves.begin(), leaves.end(), std::uint16_t{0});
  EXPECT_EQ(sorted, leaves);
  Digest other = call;
  other[31] ^= 1;
  EXPECT_NE(map_mix(hashes, other, {}, {1, 416})->mix, mix);
  EXPECT_NE(map_mix(hashes, call, {}, {1, 415})->mix, mix);
  std::vector<CallOpening> openings(2);
  openings[1].value = filled(1);
  const Mix opened = map_mix(hashes, call, openings, {1, 416})->mix;
  EXPECT_NE(opened, mix);
  openings[0].signature.fill(9);
  EXPECT_EQ(map_mix(hashes, call, openings, {1, 416})->mix, opened) << "a signature is no input";
  std::swap(openings[0], openings[1]);
  EXPECT_NE(map_mix(hashes, call, openings, {1, 416})->mix, opened) << "their order is";
}

TEST(Mix, of_four_cards_gives_each_order_its_share) {
  // 24 orders, 24,000 numbers: chi-square with 23 degrees of freedom stays below 63.9 but for one
  // seed in 100,000; the seed is fixed.
  constexpr int draws = 24'000;
  constexpr double expected = draws / 24.0;
  std::map<Mix, int> seen;
  CallCore core = frozen_mix(4);
  for (int i = 0; i < draws; ++i) {
    core.value = hashes.sha256({ByteWriter().u32(static_cast<std::uint32_t>(i)).bytes()});
    ++seen[map_mix(hashes, call_digest(hashes, core.bytes()), {}, {1, 4})->mix];
  }
  ASSERT_EQ(seen.size(), 24U);
  double chi_square = 0;
  for (const auto& [mix, count] : seen)
    chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_square, 63.9);
}

TEST(Mix, has_bounds_on_both_sides) {
  const auto refused = [&](std::uint32_t places) {
    const auto made = map_mix(hashes, filled(1), {}, {1, places});
    return !made && made.error().is(FormatErrc::malformed_mix);
  };
  EXPECT_TRUE(refused(0));
  EXPECT_FALSE(refused(1));
  EXPECT_FALSE(refused(1024));
  EXPECT_TRUE(refused(1025));
}

TEST(Mix, of_a_record_is_refused_with_another_account_of_its_tape) {
  const CallCore core = frozen_mix(52);
  const auto made = mix_of_places(52);
  const ShoeMixBody body{.call = 9,
                         .openings = {},
                         .root = filled(3),
                         .words_used = made->words_used,
                         .words_rejected = made->words_rejected,
                         .tape_digest = made->tape_digest};
  EXPECT_EQ(mix_of(hashes, core, body).value(), made->mix);
  const auto refused = [&](auto change) {
    ShoeMixBody changed = body;
    change(changed);
    const auto read = mix_of(hashes, core, changed);
    return !read && read.error().is(FormatErrc::malformed_mix);
  };
  EXPECT_TRUE(refused([](ShoeMixBody& one) { ++one.words_used; }));
  EXPECT_TRUE(refused([](ShoeMixBody& one) { ++one.words_rejected; }));
  EXPECT_TRUE(refused([](ShoeMixBody& one) { one.tape_digest[0] ^= 1; }));
  CallCore other = core;
  other.value[0] ^= 1;
  EXPECT_FALSE(mix_of(hashes, other, body)) << "the mix of another number";
}

// FORMAT section 7, "Mixed in each round": what is dealt stays, and position A + i is leaf
// L[mix[i]], L the leaves that are left in ascending order.
TEST(Mix, again_orders_the_leaves_that_are_left_and_leaves_the_dealt_ones) {
  const Mix before{3, 0, 4, 1, 2};
  EXPECT_EQ(mixed_again(before, 2, Mix{2, 0, 1}), (Mix{3, 0, 4, 1, 2}));  // left: 1, 2, 4
  EXPECT_EQ(mixed_again(before, 2, Mix{0, 1, 2}), (Mix{3, 0, 1, 2, 4}));
  EXPECT_EQ(mixed_again(before, 4, Mix{0}), before);
  EXPECT_EQ(mixed_again({}, 0, Mix{1, 0}), (Mix{1, 0})) << "the first one";
  CallCore core = frozen_mix(3);
  core.at = 2;
  const auto made = map_mix(hashes, call_digest(hashes, core.bytes()), {}, {1, 3});
  const ShoeMixBody body{.call = 1,
                         .openings = {},
                         .root = {},
                         .words_used = made->words_used,
                         .words_rejected = made->words_rejected,
                         .tape_digest = made->tape_digest};
  EXPECT_EQ(mix_of(hashes, core, body, before).value(), mixed_again(before, 2, made->mix));
  EXPECT_FALSE(mix_of(hashes, core, body)) << "of leaves that nobody has ordered before";
  EXPECT_FALSE(mix_of(hashes, core, body, Mix{0, 1, 2})) << "of another root";
}

}  // namespace
}  // namespace talla::certs
