// Goal: the mix of a shoe is that of FORMAT.md section 7: a permutation that follows from what
//       stood in the log and the table's number, and from nothing else.
// Method: frozen values computed by the Python verifier; each input changed; every permutation of
//         four cards counted; bounds on both sides; a record whose account is another.
#include "format/mix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "format/errc.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

/// The inputs of the frozen vector; `nonce` outlives them.
MixInputs frozen_inputs(const Bytes& nonce, std::uint32_t cards) {
  return {.origin = "casino.example/talla-1",
          .shoe_id = "shoe-17",
          .root = filled(3),
          .cards = cards,
          .nonce = nonce};
}

std::string digest_of(const Mix& mix) {
  ByteWriter bytes;
  for (const std::uint16_t leaf : mix)
    bytes.u8(static_cast<std::uint8_t>(leaf >> 8U)).u8(static_cast<std::uint8_t>(leaf & 0xffU));
  const Bytes whole = bytes.take();
  return to_hex(hashes.sha256({whole}));
}

TEST(Mix, has_its_frozen_values) {
  const Bytes nonce(16, 4);
  const auto eight_decks = map_mix(hashes, frozen_inputs(nonce, 416));
  ASSERT_TRUE(eight_decks);
  EXPECT_EQ(Mix(eight_decks->mix.begin(), eight_decks->mix.begin() + 6),
            (Mix{147, 339, 126, 136, 221, 354}));
  EXPECT_EQ(digest_of(eight_decks->mix),
            "1054e71b2fbd1f1b2639726938718c40cd0b3fd2f23aa5d4ab3aa48fbf415a5e");
  EXPECT_EQ(eight_decks->words_used, 59U);
  EXPECT_EQ(eight_decks->words_rejected, 0U);
  EXPECT_EQ(to_hex(eight_decks->tape_digest),
            "41f896550c837c4b9075bd68ede507442727b6259cbefdf475da98c2cee3deea");
  EXPECT_EQ(digest_of(map_mix(hashes, frozen_inputs(nonce, 52))->mix),
            "2cf35dcc760fbaff840b95768cd904b150972b03a7187c7069418d1ec594ba11");
  EXPECT_EQ(map_mix(hashes, frozen_inputs(nonce, 1))->mix, Mix{0});
}

TEST(Mix, is_a_permutation_that_each_input_changes) {
  const Bytes nonce(16, 4);
  const Bytes other(16, 5);
  const MixInputs inputs = frozen_inputs(nonce, 416);
  const Mix mix = map_mix(hashes, inputs)->mix;
  Mix sorted = mix;
  std::ranges::sort(sorted);
  Mix leaves(416);
  std::iota(leaves.begin(), leaves.end(), std::uint16_t{0});
  EXPECT_EQ(sorted, leaves);
  const auto differs = [&](auto change) {
    MixInputs changed = inputs;
    change(changed);
    return map_mix(hashes, changed)->mix != mix;
  };
  EXPECT_TRUE(differs([](MixInputs& one) { one.origin = "casino.example/talla-2"; }));
  EXPECT_TRUE(differs([](MixInputs& one) { one.shoe_id = "shoe-18"; }));
  EXPECT_TRUE(differs([](MixInputs& one) { one.root[31] ^= 1; }));
  EXPECT_TRUE(differs([&](MixInputs& one) { one.nonce = other; }));
  EXPECT_TRUE(differs([](MixInputs& one) { one.cards = 415; }));
  // Fields have their lengths: nothing moves from one into the next.
  EXPECT_TRUE(differs([](MixInputs& one) {
    one.origin = "casino.example/talla-1shoe";
    one.shoe_id = "-17";
  }));
}

TEST(Mix, of_four_cards_gives_each_order_its_share) {
  // 24 orders, 24,000 numbers: chi-square with 23 degrees of freedom stays below 63.9 but for one
  // seed in 100,000; the seed is fixed.
  constexpr int draws = 24'000;
  constexpr double expected = draws / 24.0;
  std::map<Mix, int> seen;
  for (int i = 0; i < draws; ++i) {
    Bytes nonce(16, 0);
    nonce[0] = static_cast<std::uint8_t>(i & 0xff);
    nonce[1] = static_cast<std::uint8_t>(i >> 8);
    ++seen[map_mix(hashes, frozen_inputs(nonce, 4))->mix];
  }
  ASSERT_EQ(seen.size(), 24U);
  double chi_square = 0;
  for (const auto& [mix, count] : seen)
    chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_square, 63.9);
}

TEST(Mix, has_bounds_on_both_sides) {
  const Bytes nonce(65, 4);
  const auto refused = [&](std::size_t bytes, std::uint32_t cards) {
    MixInputs inputs = frozen_inputs(nonce, cards);
    inputs.nonce = ByteView(nonce).first(bytes);
    const auto made = map_mix(hashes, inputs);
    return !made && made.error().is(FormatErrc::malformed_mix);
  };
  EXPECT_TRUE(refused(15, 52));
  EXPECT_FALSE(refused(16, 52));
  EXPECT_FALSE(refused(64, 52));
  EXPECT_TRUE(refused(65, 52));
  EXPECT_TRUE(refused(16, 0));
  EXPECT_FALSE(refused(16, 1024));
  EXPECT_TRUE(refused(16, 1025));
}

TEST(Mix, of_a_record_is_refused_with_another_account_of_its_tape) {
  const Bytes nonce(16, 4);
  const auto made = map_mix(hashes, frozen_inputs(nonce, 52));
  Record record;
  record.origin = "casino.example/talla-1";
  record.object = "shoe-17";
  const ShoeMixBody body{.nonce = nonce,
                         .root = filled(3),
                         .words_used = made->words_used,
                         .words_rejected = made->words_rejected,
                         .tape_digest = made->tape_digest};
  EXPECT_EQ(mix_of(hashes, record, body, 52).value(), made->mix);
  const auto refused = [&](auto change) {
    ShoeMixBody changed = body;
    change(changed);
    const auto read = mix_of(hashes, record, changed, 52);
    return !read && read.error().is(FormatErrc::malformed_mix);
  };
  EXPECT_TRUE(refused([](ShoeMixBody& one) { ++one.words_used; }));
  EXPECT_TRUE(refused([](ShoeMixBody& one) { ++one.words_rejected; }));
  EXPECT_TRUE(refused([](ShoeMixBody& one) { one.tape_digest[0] ^= 1; }));
  EXPECT_TRUE(refused([](ShoeMixBody& one) { one.nonce[0] ^= 1; }));
  EXPECT_TRUE(refused([](ShoeMixBody& one) { one.root[0] ^= 1; }));
  record.client = Client{"urn:talla:another", {}};
  EXPECT_TRUE(mix_of(hashes, record, body, 52)) << "who sent the number is no input";
}

}  // namespace
}  // namespace talla::certs
