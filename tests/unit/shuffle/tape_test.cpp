// Goal: a tape hands out exactly the words of talla-tape-v1, keeps its accounts, and fails closed
//       for good.
// Method: literal bytes; HMAC blocks computed with another implementation, Python's hmac.
#include "shuffle/tape.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "small_words.hpp"
#include "support/wiped.hpp"

namespace talla::shuffle {
namespace {

SecretBytes bytes_counting(std::size_t count, std::uint8_t first = 0) {
  SecretBytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(first + i);
  return bytes;
}

std::uint64_t word_of(Tape& tape) {
  return next_word(tape).value();
}

TEST(Tape, words_are_big_endian_and_in_the_order_of_the_bytes) {
  const SecretBytes bytes = bytes_counting(16);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_EQ(word_of(tape), 0x0001020304050607U);
  EXPECT_EQ(word_of(tape), 0x08090a0b0c0d0e0fU);
  EXPECT_EQ(tape.words_used(), 2U);
  EXPECT_EQ(to_hex(tape.consumed()), "000102030405060708090a0b0c0d0e0f");
}

TEST(Tape, it_ends_with_tape_exhausted_and_stays_so_and_a_part_of_a_word_is_never_used) {
  const SecretBytes bytes = bytes_counting(15);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(next_word(tape));
  for (int i = 0; i < 3; ++i) {
    const auto word = next_word(tape);
    ASSERT_FALSE(word);
    EXPECT_TRUE(word.error().is(Errc::tape_exhausted));
  }
  EXPECT_FALSE(tape.status());
  EXPECT_EQ(tape.words_used(), 1U);
}

TEST(Tape, refusing_a_word_after_64_redraws_is_a_generator_fault_that_latches) {
  const SecretBytes bytes = bytes_counting(80);
  Tape tape = Tape::borrowed(bytes);
  ASSERT_TRUE(next_word(tape));
  EXPECT_TRUE(tape.reject(redraws_max - 1));
  EXPECT_TRUE(tape.status());
  EXPECT_FALSE(tape.reject(redraws_max));
  EXPECT_EQ(tape.words_rejected(), 2U);
  const auto word = next_word(tape);
  ASSERT_FALSE(word);
  EXPECT_TRUE(word.error().is(Errc::generator_fault));
}

TEST(Tape, hmac_blocks_follow_the_text_of_talla_tape_v1) {
  // Python, b = 0, 1:
  // hmac.new(bytes(range(32)), b"talla/v1/draw\0" + u32(b) + u32(3) + b"abc" + u32(0), "sha256")
  const SecretBytes key = bytes_counting(32);
  Tape tape = Tape::from_hmac(hashes, key, "draw", {as_bytes("abc"), as_bytes("")});
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(next_word(tape));
  EXPECT_EQ(to_hex(tape.consumed()),
            "1cea1bad9afa931116ee21a822a6774a2ff73bcc8a13ba5afd012501bcb3d756"
            "d710a6ab9adea01ad917993fded5e43960bdd79e9cc045561767296e27e13ce2");
  EXPECT_EQ(to_hex(tape.consumed_digest(hashes)),
            "db3e32416e6499a111fb95ce9ae1c27e7b3c8b9b4a2d017632b28be3773780f5");
}

TEST(Tape, hmac_words_depend_on_key_purpose_and_the_split_of_the_inputs) {
  const SecretBytes key = bytes_counting(32);
  const SecretBytes other_key = bytes_counting(32, 1);
  const auto first = [](Tape tape) { return word_of(tape); };
  const std::uint64_t word =
      first(Tape::from_hmac(hashes, key, "draw", {as_bytes("ab"), as_bytes("c")}));
  EXPECT_EQ(word, first(Tape::from_hmac(hashes.hmac_key(key), "draw",
                                        std::array<ByteView, 2>{as_bytes("ab"), as_bytes("c")})));
  EXPECT_NE(word,
            first(Tape::from_hmac(hashes, other_key, "draw", {as_bytes("ab"), as_bytes("c")})));
  EXPECT_NE(word, first(Tape::from_hmac(hashes, key, "cut", {as_bytes("ab"), as_bytes("c")})));
  EXPECT_NE(word, first(Tape::from_hmac(hashes, key, "draw", {as_bytes("a"), as_bytes("bc")})));
  EXPECT_NE(word, first(Tape::from_hmac(hashes, key, "draw", {as_bytes("abc")})));
}

TEST(Tape, hmac_tapes_go_on_and_keep_everything_consumed) {
  const SecretBytes key = bytes_counting(32);
  Tape tape = Tape::from_hmac(hashes, key, "draw", {});
  Bytes seen;
  for (int i = 0; i < 1000; ++i) {
    const Bytes word = ByteWriter().u64(word_of(tape)).take();
    seen.insert(seen.end(), word.begin(), word.end());
  }
  EXPECT_EQ(tape.words_used(), 1000U);
  EXPECT_EQ(to_hex(tape.consumed()), to_hex(seen));
}

TEST(Tape, moving_carries_the_state_and_leaves_nothing_behind) {
  const SecretBytes bytes = bytes_counting(24);
  Tape from = Tape::borrowed(bytes);
  ASSERT_TRUE(next_word(from));
  ASSERT_TRUE(from.reject(1));
  Tape to = std::move(from);
  EXPECT_EQ(to.words_rejected(), 1U);
  EXPECT_EQ(from.words_rejected(), 0U);  // NOLINT(bugprone-use-after-move): as below
  EXPECT_FALSE(next_word(from));         // NOLINT(bugprone-use-after-move): the promise under test
  EXPECT_EQ(word_of(to), 0x08090a0b0c0d0e0fU);
  EXPECT_EQ(to.words_used(), 2U);
}

TEST(Tape, leaves_none_of_its_blocks_behind_where_it_grew_nor_at_its_end) {
  auto tape = std::make_unique<Tape>(
      Tape::from_hmac(hashes, bytes_counting(32), "draw", {as_bytes("abc")}));
  constexpr std::uint64_t block = 32;
  constexpr std::uint64_t room = 8;  // blocks, at first
  EXPECT_EQ(test::wiped_by([&] {
              for (int word = 0; word < 9 * 4; ++word) ASSERT_TRUE(next_word(*tape));
            }),
            9 * block + room * block)
      << "each block where it was computed, and eight of them where they stood before";
  EXPECT_EQ(test::wiped_by([&] { tape.reset(); }), 9 * block);
}

TEST(TapeDeathTest, an_hmac_purpose_is_never_empty_and_holds_no_zero_byte) {
  EXPECT_DEATH((void)Tape::from_hmac(hashes, as_bytes("key"), "", {}), "purpose");
  EXPECT_DEATH((void)Tape::from_hmac(hashes, as_bytes("key"), std::string_view("a\0b", 3), {}),
               "purpose");
}

}  // namespace
}  // namespace talla::shuffle
