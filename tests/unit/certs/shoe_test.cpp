// Goal: whatever is dealt from a sealed shoe verifies against its commitment, in order, each card
//       once (PROTOCOL 4).
// Method: a verifier written from FORMAT.md section 7 over hashes alone, for random decks, mixes
//         and places.
#include "certs/shoe.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "certs/batch.hpp"
#include "fixture.hpp"
#include "format/candidates.hpp"
#include "format/shoe_format.hpp"
#include "taken.hpp"

namespace talla::certs {
namespace {

using testing::FixedBits;
using testing::mixed;
using testing::must;
using testing::taken;

using testing::openssl_hashes;
using testing::shoe_41;

SealedShoe shoe_of(const shuffle::DeckSpec& deck, std::uint64_t seed) {
  return must(SealedShoe::make(openssl_hashes, shoe_41, deck, FixedBits(seed).source()));
}
ShoeTerms terms_of() {
  ShoeTerms terms;
  terms.table = "table-3";
  terms.context = testing::some_context();
  return terms;
}

/// FORMAT.md section 7 from the text: the leaf data of an opened card lead to the root.
bool card_verifies(const Digest& root, std::uint32_t n, const CardOpening& opening) {
  const auto card = shuffle::Card::parse(opening.card);
  if (!card) return false;
  ByteWriter leaf;
  leaf.u8(0)
      .raw(std::string_view("talla/v2/shoe-leaf\0", 19))
      .field(shoe_41)
      .u32(n)
      .u32(opening.leaf)
      .u8(card->code());
  leaf.raw(opening.salt);
  return verify_inclusion(openssl_hashes, {.index = opening.leaf, .size = n},
                          openssl_hashes.sha256({leaf.bytes()}), opening.path, root)
      .has_value();
}

TEST(SealedShoe, every_dealt_card_verifies_and_the_deck_comes_out_whole) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const auto deck = shuffle::DeckSpec::french(1 + static_cast<int>(seed % 8));
    const SealedShoe shoe = shoe_of(deck, seed);
    const std::uint32_t n = shoe.cards_count();
    const ShoeCommitBody commit = must(shoe.commit_body(terms_of()));
    ShoeProgress progress;
    mixed(progress, shoe, Bytes(16, 9));
    std::vector<shuffle::Card> dealt;
    std::map<std::uint32_t, int> leaves;
    for (std::uint32_t p = 0; p < n; ++p) {
      const auto body = taken(
          progress,
          shoe.deal(progress, {.position = p, .place = "player", .face = Face::open, .round = {}}));
      RC_ASSERT(body.opening.has_value());
      RC_ASSERT(body.opening->leaf == progress.mix->at(p));
      RC_ASSERT(card_verifies(commit.root, n, *body.opening));
      dealt.push_back(must(shuffle::Card::parse(body.opening->card)));
      ++leaves[body.opening->leaf];
    }
    RC_ASSERT(leaves.size() == n);
    RC_ASSERT(deck.check_census(dealt).has_value());
    RC_ASSERT(
        !shoe.deal(progress, {.position = n, .place = "player", .face = Face::open, .round = {}})
             .has_value());
  }));
}

TEST(SealedShoe, a_changed_opening_does_not_verify) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(8), 1);
  const ShoeCommitBody commit = must(shoe.commit_body(terms_of()));
  ShoeProgress progress;
  mixed(progress, shoe, Bytes(32, 1));
  const CardOpening good =
      *must(shoe.deal(progress, {.position = 0, .place = "p", .face = Face::open, .round = {}}))
           .opening;
  ASSERT_TRUE(card_verifies(commit.root, 416, good));
  CardOpening bad = good;
  bad.card = good.card == "7H" ? "8H" : "7H";
  EXPECT_FALSE(card_verifies(commit.root, 416, bad));
  bad = good;
  bad.leaf = (good.leaf + 1) % 416;
  EXPECT_FALSE(card_verifies(commit.root, 416, bad));
  bad = good;
  bad.salt[0] ^= 1;
  EXPECT_FALSE(card_verifies(commit.root, 416, bad));
}

TEST(SealedShoe, FORMAT_7_commitments_open_at_the_close) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(6), 2);
  const ShoeCommitBody commit = must(shoe.commit_body(terms_of()));
  ShoeProgress progress;
  mixed(progress, shoe, Bytes(32, 1));
  const auto close = must(shoe.close(progress, ShoeCloseReason::closed));
  ASSERT_TRUE(close.disclosure);
  const ShoeDisclosure& open = *close.disclosure;
  ByteWriter mac;
  mac.raw(std::string_view("talla/v2/shoe-tape\0", 19)).field(shoe_41).raw(open.tape);
  EXPECT_EQ(openssl_hashes.hmac_key(open.key)->mac({mac.bytes()}), commit.tape_mac);
  EXPECT_EQ(openssl_hashes.sha256({open.tape}), open.tape_digest);
  // The tape maps to the order, and the order with the salts of K to the root.
  shuffle::Tape tape = shuffle::Tape::borrowed(open.tape);
  const auto order = must(shuffle::shuffle_shoe(tape, shuffle::DeckSpec::french(6)));
  EXPECT_EQ(tape.words_used(), open.words_used);
  EXPECT_EQ(tape.words_rejected(), open.words_rejected);
  EXPECT_EQ(tape.words_used() * 8, open.tape.size());
  std::vector<Digest> leaves;
  const auto key = openssl_hashes.hmac_key(open.key);
  for (std::uint32_t i = 0; i < 312; ++i) {
    ByteWriter salt;
    salt.raw(std::string_view("talla/v2/shoe-salt\0", 19)).field(shoe_41).u32(i);
    ByteWriter leaf;
    leaf.raw(std::string_view("talla/v2/shoe-leaf\0", 19))
        .field(shoe_41)
        .u32(312)
        .u32(i)
        .u8(order[i].code());
    leaf.raw(key->mac({salt.bytes()}));
    leaves.push_back(leaf_hash(openssl_hashes, leaf.bytes()));
  }
  EXPECT_EQ(MerkleTree(openssl_hashes, leaves).root(openssl_hashes), commit.root);
}

TEST(SealedShoe, every_leaf_is_dealt_first_under_some_number) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(1), 3);
  std::map<std::uint16_t, int> first;
  for (int i = 0; i < 2'000; ++i) {
    ShoeProgress progress;
    mixed(progress, shoe, ByteWriter().u32(static_cast<std::uint32_t>(i)).take());
    ++first[progress.mix->front()];
  }
  EXPECT_EQ(first.size(), 52U)
      << "2,000 numbers, 52 leaves: all are met but with probability below 10^-15";
}

TEST(SealedShoe, a_call_of_another_root_object_count_or_use_cannot_stand) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(1), 4);
  ShoeProgress progress;
  const auto stands = [&](auto change) {
    CallBody call = testing::call_of(shoe, {1});
    change(call.core);
    const auto checked = shoe.check_call(progress, call.core);
    EXPECT_EQ(checked.has_value(), shoe.mix(progress, 7, call).has_value());
    return checked.has_value() || !checked.error().is(Errc::wrong_position);
  };
  EXPECT_TRUE(stands([](CallCore&) {}));
  EXPECT_FALSE(stands([](CallCore& core) { core.root[0] ^= 1; }));
  EXPECT_FALSE(stands([](CallCore& core) { core.object = "shoe-40"; }));
  EXPECT_FALSE(stands([](CallCore& core) { core.at = 1; }));
  EXPECT_FALSE(stands([](CallCore& core) { core.specification = MixSpecification{1, 51}; }));
  EXPECT_FALSE(stands([](CallCore& core) {
    core.use = CallUse::draw;
    core.specification = DrawSpecification(WheelDraw{37});
  }));
  mixed(progress, shoe, {1});
  EXPECT_FALSE(stands([](CallCore&) {})) << "mixed already";
}

/// Of contributors beside the table: the order is another one with each of their numbers.
TEST(SealedShoe, PROTOCOL_4_2_the_numbers_of_contributors_are_inputs_of_the_mix) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(1), 6);
  ShoeProgress progress;
  CallBody call = testing::call_of(shoe, {1});
  call.core.others = {{"seat-1", Bytes(91, 1), 1, Digest{1}}};
  std::vector<CallOpening> openings{{Digest{3}, {}}};
  const auto one = must(shoe.mix(progress, 7, call, openings));
  EXPECT_EQ(one.openings, openings);
  const auto order = must(mix_of(openssl_hashes, call.core, one));
  openings[0].value[0] ^= 1;
  const auto two = must(shoe.mix(progress, 7, call, openings));
  EXPECT_NE(must(mix_of(openssl_hashes, call.core, two)), order);
  EXPECT_FALSE(shoe.mix(progress, 7, call));
  EXPECT_FALSE(shoe.mix(progress, 7, call, std::vector<CallOpening>(2)));
  EXPECT_TRUE(VoidBody::from_json(void_mix_withheld(7, {"seat-1"}).to_json()));
  EXPECT_TRUE(VoidBody::from_json(void_mix_by_order(7, {"a", "b"}).to_json()));
}

TEST(SealedShoe, positions_come_in_order_after_the_mix_only) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(1), 5);
  ShoeProgress progress;
  const DealRequest first{.position = 0, .place = "p", .face = Face::open, .round = {}};
  EXPECT_FALSE(shoe.deal(progress, first)) << "before the mix";
  const auto mix = [&](std::uint8_t number, const Digest& root) {
    CallBody call = testing::call_of(shoe, {number});
    call.core.root = root;
    return shoe.mix(progress, 7, call);
  };
  EXPECT_FALSE(mix(1, Digest{1})) << "another root";
  EXPECT_TRUE(mix(1, shoe.root()));
  EXPECT_TRUE(mix(1, shoe.root()))
      << "a step changes nothing: what it returned counts when it is in the log";
  mixed(progress, shoe, Bytes(16, 1));
  EXPECT_FALSE(mix(2, shoe.root())) << "twice";
  EXPECT_FALSE(shoe.deal(progress, {.position = 1, .place = "p", .face = Face::open, .round = {}}));
  taken(progress, shoe.deal(progress, first));
  EXPECT_FALSE(shoe.deal(progress, first));
  EXPECT_FALSE(
      shoe.deal(progress, {.position = 1, .place = "p", .face = Face::covered, .round = {}}));
  const auto unseen = taken(
      progress,
      shoe.deal(progress, {.position = 1, .place = "burn", .face = Face::unseen, .round = {}}));
  EXPECT_FALSE(unseen.opening);
  EXPECT_EQ(json::canonical(unseen.to_json()).find("salt"), std::string::npos);
  EXPECT_FALSE(shoe.open(progress, 2, "p")) << "not dealt yet";
  taken(progress, shoe.close(progress, ShoeCloseReason::closed));
  EXPECT_FALSE(shoe.deal(progress, {.position = 2, .place = "p", .face = Face::open, .round = {}}));
  EXPECT_FALSE(shoe.close(progress, ShoeCloseReason::closed));
}

TEST(SealedShoe, a_restart_deals_the_same_cards) {
  const auto deck = shuffle::DeckSpec::french(8);
  const SealedShoe shoe = shoe_of(deck, 6);
  const auto commit = must(shoe.commit_body(terms_of()));
  const SealedShoe again =
      must(SealedShoe::restore(openssl_hashes, shoe_41, deck, shoe.secret(), shoe.root()));
  EXPECT_EQ(json::canonical(must(again.commit_body(terms_of())).to_json()),
            json::canonical(commit.to_json()));
  ShoeProgress a;
  ShoeProgress b;
  mixed(a, shoe, Bytes(16, 1));
  mixed(b, again, Bytes(16, 1));
  EXPECT_EQ(*a.mix, *b.mix);
  for (std::uint32_t p = 0; p < 416; ++p) {
    const DealRequest deal{.position = p, .place = "p", .face = Face::open, .round = {}};
    ASSERT_EQ(json::canonical(taken(a, shoe.deal(a, deal)).to_json()),
              json::canonical(taken(b, again.deal(b, deal)).to_json()));
  }
}

TEST(SealedShoe, a_secret_that_does_not_fit_its_commitment_is_refused) {
  const auto deck = shuffle::DeckSpec::french(1);
  const SealedShoe shoe = shoe_of(deck, 7);
  const auto commit = must(shoe.commit_body(terms_of()));
  EXPECT_TRUE(SealedShoe::restore(openssl_hashes, shoe_41, deck, shoe.secret(), commit));
  for (std::size_t i = 0; i < shoe.secret().size(); ++i) {
    SecretBytes changed = shoe.secret();
    changed[i] ^= 1;
    const auto restored = SealedShoe::restore(openssl_hashes, shoe_41, deck, changed, commit);
    ASSERT_FALSE(restored) << i;
    EXPECT_TRUE(restored.error().is(Errc::secret_malformed));
  }
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, "shoe-42", deck, shoe.secret(), commit));
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, shuffle::DeckSpec::french(2),
                                   shoe.secret(), commit));
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, deck, SecretBytes(10), commit));
}

TEST(SealedShoe, a_stop_card_behind_the_last_card_is_refused) {
  const SealedShoe shoe = shoe_of(shuffle::DeckSpec::french(1), 8);
  EXPECT_TRUE(shoe.commit_body(terms_of()));
  ShoeTerms deep = terms_of();
  deep.stop_depth = 53;
  EXPECT_FALSE(shoe.commit_body(deep));
}

TEST(SealedShoe, a_failing_generator_gives_no_shoe) {
  const auto broken = [](std::size_t /*bytes*/) -> Result<SecretBytes> {
    return fail(Errc::crypto_failed, "latched");
  };
  const auto shoe = SealedShoe::make(openssl_hashes, shoe_41, shuffle::DeckSpec::french(8), broken);
  ASSERT_FALSE(shoe);
  EXPECT_EQ(shoe.error().detail, "latched");
  const auto shorter = [](std::size_t bytes) -> Result<SecretBytes> {
    return SecretBytes(bytes - 1);
  };
  EXPECT_FALSE(SealedShoe::make(openssl_hashes, shoe_41, shuffle::DeckSpec::french(8), shorter));
}

TEST(SealedShoe, every_bit_comes_from_the_generator_once) {
  FixedBits bits(9);
  const auto deck = shuffle::DeckSpec::french(8);
  const SealedShoe shoe = must(SealedShoe::make(openssl_hashes, shoe_41, deck, bits.source()));
  EXPECT_GE(bits.asked(), SealedShoe::entropy_bytes(deck));
  EXPECT_EQ(SealedShoe::entropy_bytes(deck), 32U + 472U);
  EXPECT_EQ(shoe.secret().size(), 68U + bits.asked() - 64U);
}

/// Asked so often, and each answer kept.
struct CountedBits {
  FixedBits bits{11};
  std::vector<std::size_t> asked;
  FullEntropyBits source() {
    return [this, inner = bits.source()](std::size_t bytes) {
      asked.push_back(bytes);
      return inner(bytes);
    };
  }
};

SealedShoe several_of(const shuffle::DeckSpec& deck, std::uint32_t candidates, CountedBits& bits) {
  return must(ShoeCandidates::make(openssl_hashes, shoe_41, deck, bits.source(), candidates));
}
ShoeTerms covered_terms() {
  ShoeTerms terms = terms_of();
  terms.covered = true;
  return terms;
}

TEST(SealedShoe, PROTOCOL_4_1_each_of_several_roots_asks_for_bits_of_its_own) {
  CountedBits bits;
  const auto deck = shuffle::DeckSpec::french(8);
  const SealedShoe shoe = several_of(deck, 8, bits);
  // A request takes whole conditioned blocks: no two tapes share one.
  EXPECT_GE(bits.asked.size(), 8U);
  EXPECT_EQ(std::ranges::count(bits.asked, SealedShoe::entropy_bytes(deck)), 8);
  const auto commit = must(shoe.commit_body(covered_terms()));
  EXPECT_EQ(commit.candidates.size(), 8U);
  EXPECT_EQ(candidates_wrong(openssl_hashes, commit, 8), "");
  EXPECT_EQ(shoe.cards_count(), 416U);
  for (const std::uint32_t none : {0U, 1U, 9U})
    EXPECT_FALSE(ShoeCandidates::make(openssl_hashes, shoe_41, deck, bits.source(), none)) << none;
}

TEST(SealedShoe, a_generator_that_fails_on_the_way_gives_no_root_at_all) {
  CountedBits bits;
  const FullEntropyBits failing = [&](std::size_t bytes) -> Result<SecretBytes> {
    if (bits.asked.size() == 5) return fail(Errc::count_refused, "latched");
    return bits.source()(bytes);
  };
  EXPECT_FALSE(
      ShoeCandidates::make(openssl_hashes, shoe_41, shuffle::DeckSpec::french(1), failing, 8));
}

TEST(SealedShoe, PROTOCOL_4_2_the_first_mix_picks_one_root_and_opens_the_others) {
  for (std::uint8_t seed = 0; seed < 8; ++seed) {
    CountedBits bits;
    const SealedShoe shoe = several_of(shuffle::DeckSpec::french(1), 4, bits);
    const auto commit = must(shoe.commit_body(covered_terms()));
    ShoeProgress progress;
    EXPECT_FALSE(shoe.deal(progress, {0, "p", Face::open}));
    const auto body = mixed(progress, shoe, {seed});
    ASSERT_TRUE(body.picked);
    EXPECT_EQ(opened_wrong(openssl_hashes, shoe_41, commit, body.picked, body.opened), "");
    const auto picked = ShoeCandidates::picked(shoe, *body.picked);
    EXPECT_EQ(body.root, picked->root());
    EXPECT_FALSE(shoe.deal(progress, {0, "p", Face::open})) << "the set of all is no shoe";
    const auto dealt = must(picked->deal(progress, {0, "p", Face::open}));
    EXPECT_TRUE(card_verifies(body.root, 52, *dealt.opening));
    // A covered shoe of which a card was dealt keeps its secrets.
    progress.take(dealt);
    const auto close = must(picked->close(progress, ShoeCloseReason::closed, true));
    EXPECT_FALSE(close.disclosure || !close.candidates.empty());
  }
}

TEST(SealedShoe, a_call_for_another_number_of_roots_cannot_stand) {
  CountedBits bits;
  const SealedShoe several = several_of(shuffle::DeckSpec::french(1), 4, bits);
  const SealedShoe one = shoe_of(shuffle::DeckSpec::french(1), 3);
  for (const auto* shoe : {&several, &one}) {
    for (const std::uint32_t wished : {1U, 3U, 4U, 8U}) {
      CallBody call = testing::call_of(*shoe, {1});
      call.core.specification = MixSpecification{wished, 52};
      EXPECT_EQ(shoe->check_call({}, call.core).has_value(),
                wished == ShoeCandidates::count(*shoe));
    }
  }
}

TEST(SealedShoe, of_several_roots_none_picked_all_are_opened_at_the_close) {
  CountedBits bits;
  const SealedShoe shoe = several_of(shuffle::DeckSpec::french(1), 3, bits);
  const auto commit = must(shoe.commit_body(covered_terms()));
  const auto close = must(shoe.close({}, ShoeCloseReason::ended, true));
  EXPECT_FALSE(close.disclosure);
  EXPECT_EQ(opened_wrong(openssl_hashes, shoe_41, commit, std::nullopt, close.candidates), "");
}

TEST(SealedShoe, several_roots_are_taken_up_again_from_one_secret) {
  CountedBits bits;
  const auto deck = shuffle::DeckSpec::french(2);
  const SealedShoe shoe = several_of(deck, 8, bits);
  const auto commit = must(shoe.commit_body(covered_terms()));
  const auto again =
      must(SealedShoe::restore(openssl_hashes, shoe_41, deck, shoe.secret(), commit));
  ShoeProgress before;
  ShoeProgress after;
  EXPECT_EQ(mixed(before, shoe, {5}).to_json(), mixed(after, again, {5}).to_json());
  EXPECT_EQ(again.secret(), shoe.secret());
  // Anything else is refused: shorter, longer, changed, of other roots.
  for (const std::size_t at : {std::size_t{0}, std::size_t{33}, shoe.secret().size() - 1}) {
    SecretBytes changed = shoe.secret();
    changed[at] ^= 1;
    EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, deck, changed, commit)) << at;
  }
  SecretBytes shorter(shoe.secret().begin(), shoe.secret().end() - 1);
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, deck, shorter, commit));
  SecretBytes longer = shoe.secret();
  longer.push_back(0);
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, deck, longer, commit));
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, deck, SecretBytes(20), commit));
  ShoeCommitBody other = commit;
  std::swap(other.candidates[0], other.candidates[1]);
  EXPECT_FALSE(SealedShoe::restore(openssl_hashes, shoe_41, deck, shoe.secret(), other));
}

}  // namespace
}  // namespace talla::certs
