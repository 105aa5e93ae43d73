// Goal: a covered card's opening is read by the seat it is for and by nobody else (FORMAT.md
// section 7, "Covered cards").
// Method: encrypted with OpenSSL, decrypted with Botan; every part of the context, key and bytes
//         changed one at a time.
#include "certs/covered.hpp"

#include <gtest/gtest.h>

#include <set>

#include "certs/openssl_hashes.hpp"
#include "certs/shoe.hpp"
#include "fixture.hpp"
#include "seat_pair.hpp"
#include "support/wiped.hpp"
#include "taken.hpp"
#include "verify/covered.hpp"

namespace talla::certs {
namespace {

using testing::must;
using testing::taken;

using Pair = testing::SeatPair;
const auto pair_of = [](const char* group = "P-256") { return testing::seat_pair(group); };

const CardOpening seven_of_hearts{
    .leaf = 17, .card = "7H", .salt = Digest{1, 2, 3}, .path = {Digest{4}, Digest{5}}};

CoveredContext context_of(const Pair& pair) {
  return {.origin = "casino.example/talla-1",
          .shoe = "shoe-17",
          .position = 3,
          .seat = 5,
          .key = pair.digest};
}

TEST(CoveredCards, are_read_by_the_seat_they_are_for) {
  const Pair pair = pair_of();
  ASSERT_TRUE(check_seat_key(pair.spki));
  EXPECT_EQ(must(seat_key_digest(pair.pem)), pair.digest);
  const auto copy = must(encrypt_opening(context_of(pair), pair.spki, seven_of_hearts));
  EXPECT_EQ(must(decrypt_opening(pair.pem, context_of(pair), copy)), seven_of_hearts);
}

TEST(CoveredCards, leave_no_opening_behind_where_it_was_encrypted) {
  const Pair pair = pair_of();
  CardOpening longer = seven_of_hearts;
  longer.path.resize(9);
  const auto wiped = [&](const CardOpening& opening) {
    return test::wiped_by(
        [&] { static_cast<void>(must(encrypt_opening(context_of(pair), pair.spki, opening))); });
  };
  const auto text = [](const CardOpening& opening) {
    return json::canonical(opening.to_json()).size();
  };
  static_cast<void>(wiped(longer));  // loads what is shared
  EXPECT_EQ(wiped(longer) - wiped(seven_of_hearts), text(longer) - text(seven_of_hearts));
}

/// FORMAT.md section 11: the seat's private key is 07*32, the ephemeral one 08*32.
TEST(CoveredCards, of_the_page_open_as_it_says) {
  const std::string pem =
      "-----BEGIN PRIVATE "
      "KEY-----\nMEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAHBwcHBwcHBwcHBwcH\n"
      "BwcHBwcHBwcHBwcHBwcHBwcHBw==\n-----END PRIVATE KEY-----\n";
  const auto copy =
      must(from_hex("043adab15d66256bf15cd716035b3f041444e512fed1dd64d4ba75597d20e366f1546d2c90a83e"
                    "baba01595099e5f3ffbbd3"
                    "384c7494de6759fdd5e65efae9cc6777375f92dd0de2985cdaaa9b604fd3ca4806335e5a54cbe8"
                    "985fec31485c5e41b51653"
                    "80963ca3b69692f1f56d910c30be00b6b0bd00dc64bfe7c07316a23e84c07775b055bbe6b785b4"
                    "d4cbe6ceb1fc7cc740d794"
                    "97877ec7dfef11428b7f1cfa955a6d77b0e389e0a0688644dc6fe3222d575c0b65102a6ba17c1a"
                    "c9e8cb1f90db23af9704df"
                    "a4c31a6b2aebb17eb87d085987a4036963f24f3126e430038ab78e9949c558bc5788ad2e95d955"
                    "ba6e57405e9677f8a5efc9"
                    "048acb"));
  const auto key = must(seat_key_digest(pem));
  EXPECT_EQ(to_hex(key), "ce97ec20d43661a19b215cb2e376a698d0b4aa2aa5b4c7854e916bd05082fcee");
  EXPECT_EQ(to_hex(OpensslHashes().sha256({copy})),
            "cc21794998fc9c2f0d5d847e776a61f2ee3668f0d15de1f55ef6473b9df93b45");
  const auto seen = must(decrypt_opening(
      pem,
      {.origin = "casino.example/talla-1", .shoe = "shoe-17", .position = 3, .seat = 5, .key = key},
      copy));
  Digest hash;
  hash.fill(0xaa);
  Digest salt;
  salt.fill(0xbb);
  EXPECT_EQ(seen, (CardOpening{.leaf = 5, .card = "7H", .salt = salt, .path = {hash}}));
}

TEST(CoveredCards, encrypted_twice_give_other_bytes_of_the_same_length) {
  const Pair pair = pair_of();
  std::set<Bytes> copies;
  for (const char* card : {"7H", "TS", "Jk", "Ro", "7H"}) {
    CardOpening one = seven_of_hearts;
    one.card = card;
    copies.insert(must(encrypt_opening(context_of(pair), pair.spki, one)));
  }
  EXPECT_EQ(copies.size(), 5U);
  for (const auto& copy : copies)
    EXPECT_EQ(copy.size(), copies.begin()->size()) << "the length tells the card";
}

TEST(CoveredCards, do_not_open_for_another_key_card_seat_shoe_or_log) {
  const Pair pair = pair_of();
  const Pair other = pair_of();
  const auto copy = must(encrypt_opening(context_of(pair), pair.spki, seven_of_hearts));
  EXPECT_FALSE(decrypt_opening(other.pem, context_of(pair), copy));
  EXPECT_FALSE(decrypt_opening(other.pem, context_of(other), copy));
  const auto refused = [&](const auto& change) {
    auto context = context_of(pair);
    change(context);
    return !decrypt_opening(pair.pem, context, copy);
  };
  EXPECT_TRUE(refused([](auto& c) { c.origin = "casino.example/talla-2"; }));
  EXPECT_TRUE(refused([](auto& c) { c.shoe = "shoe-18"; }));
  EXPECT_TRUE(refused([](auto& c) { c.position = 4; }));
  EXPECT_TRUE(refused([](auto& c) { c.seat = 6; }));
  EXPECT_TRUE(refused([](auto& c) { c.key[0] ^= 1; }));
  for (std::size_t at = 0; at < copy.size(); ++at) {
    auto changed = copy;
    changed[at] ^= 1;
    EXPECT_FALSE(decrypt_opening(pair.pem, context_of(pair), changed)) << at;
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{65}, std::size_t{81}, copy.size() - 1}) {
    EXPECT_FALSE(decrypt_opening(pair.pem, context_of(pair), ByteView(copy).first(size))) << size;
  }
}

TEST(CoveredCards, keys_of_another_kind_are_refused) {
  EXPECT_FALSE(check_seat_key({}));
  EXPECT_FALSE(check_seat_key(pair_of("P-384").spki));
  auto longer = pair_of().spki;
  longer.push_back(0);
  EXPECT_FALSE(check_seat_key(longer));
  auto outside = pair_of().spki;
  outside.back() ^= 1;
  EXPECT_FALSE(check_seat_key(outside)) << "a point beside the curve";
  EXPECT_FALSE(encrypt_opening({}, pair_of("P-384").spki, seven_of_hearts));
  EXPECT_FALSE(seat_key_digest(pair_of("P-384").pem));
  EXPECT_FALSE(seat_key_digest("no key"));
}

TEST(CoveredCards, of_a_shoe_are_the_committed_ones_and_keep_their_place_in_the_order) {
  const OpensslHashes hashes;
  const Pair first = pair_of();
  const Pair second = pair_of();
  std::uint8_t next = 0;
  const auto bits = [&](std::size_t bytes) -> Result<SecretBytes> {
    SecretBytes out(bytes);
    for (auto& byte : out) byte = next = static_cast<std::uint8_t>(next * 5 + 3);
    return out;
  };
  const auto deck = must(shuffle::DeckSpec::parse("spanish40x1"));
  const auto shoe = must(SealedShoe::make(hashes, "shoe-9", deck, bits));
  ShoeTerms terms;
  terms.table = "table-1";
  terms.covered = true;
  const auto commit = must(shoe.commit_body(terms));
  EXPECT_TRUE(commit.covered);
  ShoeProgress progress;
  testing::mixed(progress, shoe, Bytes(16, 7));
  const auto dealt =
      must(shoe.deal_covered(progress, {.position = 0, .place = "hand", .face = Face::covered},
                             "log.example/test", {{2, first.spki}, {4, second.spki}}));
  EXPECT_EQ(progress.dealt, 0U) << "not in the log yet";
  progress.take(dealt.body);
  EXPECT_EQ(progress.dealt, 1U);
  ASSERT_EQ(dealt.body.copies.size(), 2U);
  EXPECT_FALSE(dealt.body.opening.has_value());
  const auto opened = must(shoe.open(progress, 0, "hand"));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(dealt.body.copies[i].ciphertext, hashes.sha256({dealt.ciphertexts[i]}));
    const auto& key = i == 0 ? first : second;
    const auto seen = must(decrypt_opening(key.pem,
                                           {.origin = "log.example/test",
                                            .shoe = "shoe-9",
                                            .position = 0,
                                            .seat = i == 0 ? 2U : 4U,
                                            .key = dealt.body.copies[i].key},
                                           dealt.ciphertexts[i]));
    EXPECT_EQ(seen, opened.opening);
    const DealtPlace place{
        .shoe = "shoe-9", .mix = *progress.mix, .position = 0, .root = shoe.root()};
    EXPECT_TRUE(check_covered_opening(place, seen));
    auto lied = seen;
    lied.card = lied.card == "1o" ? "2o" : "1o";
    EXPECT_FALSE(check_covered_opening(place, lied));
    for (const std::uint32_t position : {1U, 40U}) {
      auto moved = place;
      moved.position = position;
      EXPECT_FALSE(check_covered_opening(moved, seen));
    }
  }
  EXPECT_FALSE(shoe.deal(progress, {.position = 1, .place = "hand", .face = Face::covered}));
  EXPECT_FALSE(shoe.deal_covered(progress, {.position = 2, .place = "hand", .face = Face::covered},
                                 "o", {}));
  EXPECT_EQ(progress.dealt, 1U) << "a refusal changes nothing";
  const auto closed = must(shoe.close(progress, ShoeCloseReason::closed, true));
  EXPECT_FALSE(closed.disclosure.has_value()) << "a covered shoe opens nothing at its close";
}

}  // namespace
}  // namespace talla::certs
