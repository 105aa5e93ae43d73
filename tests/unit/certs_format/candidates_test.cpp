// Goal: several roots of one shoe have one digest, and the tape of the first mix picks one of them
//   before the order; what is opened of the others is held against all that was committed
//   (FORMAT.md sections 7 and 11).
// Method: the frozen vectors; then every way in which a commitment or an opening can be wrong.
#include "format/candidates.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "bodies.hpp"
#include "format/mix.hpp"
#include "format/shoe_format.hpp"
#include "frozen_core.hpp"
#include "shared.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view several_shoe = "shoe-17";

std::vector<ShoeCandidate> frozen_roots() {
  std::vector<ShoeCandidate> roots;
  for (std::uint8_t i = 3; i < 11; ++i) roots.push_back({filled(i), filled(1)});
  return roots;
}

CallCore frozen_pick() {
  CallCore core = frozen_mix(416);
  core.root = shoe_roots_digest(hashes, frozen_roots());
  core.specification = MixSpecification{8, 416};
  return core;
}

TEST(Candidates, have_their_frozen_values) {
  EXPECT_EQ(to_hex(shoe_roots_digest(hashes, frozen_roots())),
            "33c2bc9a0bc5559fa8a6d42f8a5b8af7b4a7a399471cc472f2301b5b41064149");
  const CallCore core = frozen_pick();
  const Digest call = call_digest(hashes, core.bytes());
  EXPECT_EQ(to_hex(call), "e615eac5decc488761d6b696927af99e6144a8b0937ec3d2b7cacb15d54836f1");
  EXPECT_EQ(map_pick(hashes, core, {}), 3U);
  const auto made = map_mix(hashes, call, {}, core.mix());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->picked, 3U);
  EXPECT_EQ(Mix(made->mix.begin(), made->mix.begin() + 6), (Mix{222, 319, 1, 44, 89, 112}));
  EXPECT_EQ(made->words_used, 60U);
  EXPECT_EQ(to_hex(made->tape_digest),
            "e3cedef623dc22b3a91e156c7d5eea2d97fa0d10ec56704827a5c91b7577034c");
}

TEST(Candidates, each_is_picked_by_as_many_calls) {
  std::map<std::uint32_t, int> seen;
  for (std::uint32_t turn = 1; turn <= 4096; ++turn) {
    CallCore core = frozen_pick();
    core.turn = turn;
    ++seen[*map_pick(hashes, core, {})];
  }
  ASSERT_EQ(seen.size(), 8U);
  // 512 each; six standard deviations of a binomial (21.2) are 127: about 2 in 10^9 for one.
  for (const auto& [index, count] : seen) EXPECT_NEAR(count, 512, 127) << index;
}

TEST(Candidates, a_mix_of_more_roots_than_a_shoe_may_have_is_none) {
  EXPECT_FALSE(map_mix(hashes, filled(1), {}, {9, 52}));
  EXPECT_FALSE(map_mix(hashes, filled(1), {}, {0, 52}));
}

TEST(Candidates, a_mix_of_another_pick_is_refused) {
  const CallCore core = frozen_pick();
  const auto made = *map_mix(hashes, call_digest(hashes, core.bytes()), {}, core.mix());
  ShoeMixBody body;
  body.words_used = made.words_used;
  body.words_rejected = made.words_rejected;
  body.tape_digest = made.tape_digest;
  EXPECT_FALSE(mix_of(hashes, core, body)) << "nothing is picked";
  body.picked = made.picked;
  EXPECT_EQ(mix_of(hashes, core, body), made.mix);
  body.picked = made.picked + 1;
  EXPECT_FALSE(mix_of(hashes, core, body));
}

/// A deck sealed with secrets of its own.
struct Sealed {
  ShoeCandidate candidate;
  ShoeDisclosure opened;
};
Sealed sealed(std::uint8_t seed, std::string_view deck = "spanish40x1") {
  Sealed made;
  made.opened.key = filled(seed);
  Bytes stream;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const Digest block = hashes.sha256({filled(seed), ByteWriter().u32(i).bytes()});
    stream.insert(stream.end(), block.begin(), block.end());
  }
  auto tape = shuffle::Tape::borrowed(stream);
  const auto cards = shuffle::DeckSpec::parse(deck)->cards();
  const auto order =
      *shuffle::shuffle_again(tape, shuffle::SecretCards(cards.begin(), cards.end()));
  Bytes codes;
  for (const auto card : order) codes.push_back(card.code());
  made.opened.tape.assign(tape.consumed().begin(), tape.consumed().end());
  made.opened.words_used = tape.words_used();
  made.opened.words_rejected = tape.words_rejected();
  made.opened.tape_digest = hashes.sha256({made.opened.tape});
  const ShoeKey key(hashes, made.opened.key, several_shoe);
  made.candidate = {shoe_tree(hashes, key, several_shoe, codes).root(hashes),
                    key.tape_mac(made.opened.tape)};
  return made;
}

struct Told {
  ShoeCommitBody commit;
  std::vector<ShoeDisclosure> opened;  // all but candidate 1
};
Told told() {
  Told out;
  out.commit.deck = "spanish40x1";
  out.commit.cards = 40;
  out.commit.covered = true;
  for (std::uint8_t seed = 21; seed < 24; ++seed) {
    const Sealed one = sealed(seed);
    out.commit.candidates.push_back(one.candidate);
    if (seed != 22) out.opened.push_back(one.opened);
  }
  out.commit.root = shoe_roots_digest(hashes, out.commit.candidates);
  return out;
}
std::string judged(const Told& what, std::optional<std::uint32_t> picked = 1) {
  return opened_wrong(hashes, several_shoe, what.commit, picked, what.opened);
}

TEST(Candidates, the_others_open_and_the_picked_one_is_the_shoe) {
  Told honest = told();
  EXPECT_EQ(judged(honest), "");
  EXPECT_EQ(candidates_count(honest.commit), 3U);
  EXPECT_EQ(candidates_wrong(hashes, honest.commit, 3), "");
  const auto picked = picked_commit(honest.commit, 1);
  EXPECT_EQ(picked.root, honest.commit.candidates[1].root);
  EXPECT_EQ(picked.tape_mac, honest.commit.candidates[1].tape_mac);
  EXPECT_EQ(candidates_count(picked), 1U);
  honest.opened.insert(honest.opened.begin() + 1, sealed(22).opened);
  EXPECT_EQ(judged(honest, std::nullopt), "") << "none was picked: all of them";
}

TEST(Candidates, another_number_twice_one_root_or_another_digest_are_none) {
  const ShoeCommitBody honest = told().commit;
  EXPECT_NE(candidates_wrong(hashes, honest, 2), "");
  EXPECT_NE(candidates_wrong(hashes, honest, 1), "");
  ShoeCommitBody alone;
  EXPECT_EQ(candidates_wrong(hashes, alone, 1), "");
  EXPECT_NE(candidates_wrong(hashes, alone, 3), "");
  ShoeCommitBody twice = honest;
  twice.candidates[2].root = twice.candidates[0].root;
  twice.root = shoe_roots_digest(hashes, twice.candidates);
  EXPECT_EQ(candidates_wrong(hashes, twice, 3), "two of its candidates are one root");
  ShoeCommitBody other = honest;
  std::swap(other.candidates[0], other.candidates[2]);
  EXPECT_NE(candidates_wrong(hashes, other, 3), "");
}

TEST(Candidates, every_wrong_opening_is_named) {
  const auto wrong = [](const std::function<void(Told&)>& change) {
    Told lie = told();
    change(lie);
    return judged(lie);
  };
  EXPECT_NE(wrong([](Told& t) { t.opened.pop_back(); }), "");
  EXPECT_NE(wrong([](Told& t) { t.opened.push_back(t.opened.back()); }), "");
  EXPECT_NE(wrong([](Told& t) { std::swap(t.opened[0], t.opened[1]); }), "");
  EXPECT_NE(wrong([](Told& t) { t.opened[0].key[0] ^= 1; }), "");
  EXPECT_NE(wrong([](Told& t) { t.opened[0].tape[0] ^= 1; }), "");
  EXPECT_NE(wrong([](Told& t) { t.opened[0].tape_digest[0] ^= 1; }), "");
  EXPECT_NE(wrong([](Told& t) { ++t.opened[1].words_used; }), "");
  EXPECT_NE(wrong([](Told& t) { ++t.opened[1].words_rejected; }), "");
  EXPECT_NE(wrong([](Told& t) { t.commit.candidates[2].root[0] ^= 1; }), "");
  // Sealed from a deck of another composition, or a longer tape.
  EXPECT_NE(wrong([](Told& t) { t.commit.deck = "spanish48x1"; }), "");
  EXPECT_NE(wrong([](Told& t) {
              const Sealed one = sealed(23, "spanish40-1x1");
              t.commit.candidates[2] = one.candidate;
              t.opened[1] = one.opened;
            }),
            "");
  EXPECT_NE(wrong([](Told& t) {
              t.opened[1].tape.resize(t.opened[1].tape.size() + 8);
              t.opened[1].tape_digest = hashes.sha256({t.opened[1].tape});
              t.commit.candidates[2].tape_mac =
                  ShoeKey(hashes, t.opened[1].key, several_shoe).tape_mac(t.opened[1].tape);
            }),
            "");
  EXPECT_EQ(wrong([](Told& t) {
              t.commit.candidates[2] = t.commit.candidates[0];
              t.opened[1] = t.opened[0];
            }),
            "candidate 2 has the secrets of another");
}

TEST(Candidates, a_body_of_one_candidate_or_of_a_public_shoe_is_malformed) {
  const auto reads = [](const std::function<void(json::Value&)>& change) {
    auto parsed = json::parse("{" + several_members + "}");
    change(*parsed);
    return ShoeCommitBody::from_json(*parsed).has_value();
  };
  ASSERT_TRUE(reads([](json::Value&) {}));
  EXPECT_FALSE(reads([](json::Value& b) { b["disclosure"] = "public"; }));
  EXPECT_FALSE(reads([](json::Value& b) { b["candidates"].array().resize(1); }));
  EXPECT_FALSE(reads([](json::Value& b) { b["candidates"].array().resize(0); }));
  EXPECT_FALSE(reads([](json::Value& b) { b["tape_mac"] = std::string(64, '0'); }));
  EXPECT_FALSE(reads([](json::Value& b) {
    const json::Value one = b["candidates"].array().front();
    b["candidates"].array().resize(9, one);
  }));
}

}  // namespace
}  // namespace talla::certs
