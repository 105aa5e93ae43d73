// Goal: what a shoe is shuffled again from is exactly what is left and what goes back, of whichever
//   root; every root keeps opening its own cards; a restart rebuilds all of them; copies of covered
//   cards are bound to their root (FORMAT.md section 7, PROTOCOL section 4.4).
// Method: random decks, deals and returns over several roots against a plain model that only moves
//   cards; the vector of FORMAT.md section 11.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "certs/covered.hpp"
#include "certs/shoe.hpp"
#include "fixture.hpp"
#include "format/covered_format.hpp"
#include "format/game_events.hpp"
#include "format/shoe_format.hpp"
#include "seat_pair.hpp"
#include "taken.hpp"
#include "verify/covered.hpp"

namespace talla::certs {
namespace {

using testing::FixedBits;
using testing::mixed;
using testing::must;
using testing::taken;

using testing::openssl_hashes;
using testing::shoe_41;

/// A shoe and its roots, driven as the appliance drives them.
class Table {
 public:
  Table(const std::string& deck, std::uint64_t seed)
      : bits_(seed), deck_(must(shuffle::DeckSpec::parse(deck))) {
    take(must(SealedShoe::make(openssl_hashes, shoe_41, deck_, bits_.source())), deck_.text());
  }
  void mix() {
    mixed(now().progress, *now().shoe, Bytes(16, static_cast<std::uint8_t>(roots.size())));
  }
  void deal(std::uint32_t count) {
    for (; count > 0 && now().progress.dealt < now().shoe->cards_count(); --count) {
      taken(now().progress, now().shoe->deal(now().progress, {.position = now().progress.dealt,
                                                              .place = "p",
                                                              .face = Face::unseen}));
      laid.back().push_back({"p", false});
    }
  }
  [[nodiscard]] ShoeRest rest(const CardsBack& back) {
    return {now().progress, std::span(roots).first(roots.size() - 1), back.returned, back.older};
  }
  [[nodiscard]] Result<SealedShoe> again(const CardsBack& back) {
    return SealedShoe::make_again(*now().shoe, rest(back), bits_.source());
  }
  void shuffle(const CardsBack& back) {
    auto made = must(again(back));
    const auto secret = made.secret();
    const auto shoe = *now().shoe;
    ShoeRecommitBody body;
    body.commit = must(made.commit_body(terms()));
    body.of = shoe.root();
    body.returned = back.returned;
    body.older = back.older;
    const auto restored = must(SealedShoe::restore_again(shoe, rest(back), secret, body.commit));
    EXPECT_EQ(restored.root(), made.root());
    SecretBytes changed = secret;
    changed.back() ^= 1;
    EXPECT_FALSE(SealedShoe::restore_again(shoe, rest(back), changed, body.commit));
    must_hold(take_back(laid, body));
    take(std::move(made), deck_.text());
  }
  [[nodiscard]] CardOpening open(std::size_t root, std::uint32_t position) const {
    return must(roots.at(root).shoe->open(roots.at(root).progress, position, "p")).opening;
  }
  [[nodiscard]] const ShoeCommitBody& commit() const { return commit_; }
  ReplacedRoot& now() { return roots.back(); }

  std::vector<ReplacedRoot> roots;
  std::vector<LaidCards> laid = std::vector<LaidCards>(1);

 private:
  static void must_hold(const Status& status) { EXPECT_TRUE(status.has_value()); }
  static ShoeTerms terms() {
    ShoeTerms out;
    out.table = "table-3";
    out.covered = true;
    out.context = testing::some_context();
    return out;
  }
  void take(SealedShoe made, const std::string& deck) {
    commit_ = must(made.commit_body(terms()));
    EXPECT_EQ(commit_.deck, deck);
    roots.push_back({std::make_shared<const SealedShoe>(std::move(made)), {}});
  }
  FixedBits bits_;
  shuffle::DeckSpec deck_;
  ShoeCommitBody commit_;
};

/// Every dealt card that did not go back, by root and position.
std::vector<std::pair<std::size_t, std::uint32_t>> out_of(const Table& table) {
  std::vector<std::pair<std::size_t, std::uint32_t>> out;
  for (std::size_t root = 0; root < table.laid.size(); ++root) {
    for (std::uint32_t position = 0; position < table.laid[root].size(); ++position)
      if (!table.laid[root][position].returned) out.emplace_back(root, position);
  }
  return out;
}

CardsBack some_of(const std::vector<std::pair<std::size_t, std::uint32_t>>& out,
                  std::size_t newest) {
  CardsBack back;
  std::map<std::size_t, std::vector<std::uint32_t>> by_root;
  for (const auto& [root, position] : out)
    if (*rc::gen::inRange(0, 2) == 1) by_root[root].push_back(position);
  for (auto& [root, positions] : by_root) {
    if (root == newest)
      back.returned = std::move(positions);
    else
      back.older.push_back({static_cast<std::uint32_t>(root), std::move(positions)});
  }
  return back;
}

TEST(ShuffledAgain, the_deck_is_whole_at_any_time_and_every_root_opens_its_own_cards) {
  EXPECT_TRUE(rc::check("roots", [] {
    const auto name = *rc::gen::element<std::string>("french52x1", "french52-234567x1",
                                                     "spanish40x1", "french52+1jx1");
    const auto deck = must(shuffle::DeckSpec::parse(name));
    Table table(name, *rc::gen::inRange<std::uint64_t>(1, 1'000'000));
    table.mix();
    table.deal(*rc::gen::inRange<std::uint32_t>(1, 30));
    const auto times = *rc::gen::inRange(0, 5);
    std::map<std::pair<std::size_t, std::uint32_t>, CardOpening> read;
    for (int i = 0; i < times; ++i) {
      for (const auto& [root, position] : out_of(table)) {
        const auto card = table.open(root, position);
        const auto [at, fresh] = read.try_emplace({root, position}, card);
        RC_ASSERT(fresh || at->second == card);
      }
      const auto back = some_of(out_of(table), table.roots.size() - 1);
      if (table.now().shoe->cards_count() == table.now().progress.dealt && back.returned.empty() &&
          back.older.empty())
        return;
      table.shuffle(back);
      table.mix();
      table.deal(*rc::gen::inRange<std::uint32_t>(1, 12));
    }
    // All that is in the shoe and all that is out make one deck; every opening leads to the root of
    // its card.
    std::multiset<std::string> cards;
    ShoeProgress whole = table.now().progress;
    whole.dealt = table.now().shoe->cards_count();
    for (std::uint32_t p = table.now().progress.dealt; p < whole.dealt; ++p)
      cards.insert(must(table.now().shoe->open(whole, p, "p")).opening.card);
    for (const auto& [root, position] : out_of(table)) {
      const auto& under = table.roots[root];
      const auto card = table.open(root, position);
      cards.insert(card.card);
      RC_ASSERT(check_covered_opening({.shoe = shoe_41,
                                       .mix = *under.progress.mix,
                                       .position = position,
                                       .root = under.shoe->root()},
                                      card)
                    .has_value());
      for (std::size_t other = 0; other < table.roots.size(); ++other) {
        if (other == root || position >= table.roots[other].shoe->cards_count()) continue;
        RC_ASSERT(!check_covered_opening({.shoe = shoe_41,
                                          .mix = *table.roots[other].progress.mix,
                                          .position = position,
                                          .root = table.roots[other].shoe->root()},
                                         card)
                       .has_value());
      }
    }
    std::multiset<std::string> all;
    for (const auto card : deck.cards()) all.insert(card.text());
    RC_ASSERT(cards == all);
    std::size_t size = 0;
    for (const auto& one : table.roots) size += one.shoe->secret().size();
    const auto secrets =
        table.now().shoe->secrets(std::span(table.roots).first(table.roots.size() - 1));
    RC_ASSERT(secrets.size() == size);
    RC_ASSERT(std::equal(table.roots.front().shoe->secret().begin(),
                         table.roots.front().shoe->secret().end(), secrets.begin()));
  }));
}

TEST(ShuffledAgain, only_from_cards_that_were_dealt_under_roots_that_were_replaced) {
  Table table("french52x1", 5);
  EXPECT_FALSE(table.again({{}, {}})) << "not mixed";
  table.mix();
  table.deal(6);
  EXPECT_FALSE(table.again({{6}, {}})) << "not dealt";
  EXPECT_FALSE(table.again({{2, 2}, {}})) << "twice";
  EXPECT_FALSE(table.again({{3, 1}, {}})) << "descending";
  EXPECT_FALSE(table.again({{1}, {{0, {2}}}})) << "the present root is not older";
  table.shuffle({{1, 4}, {}});
  EXPECT_EQ(table.now().shoe->cards_count(), 48U);
  table.mix();
  table.deal(2);
  EXPECT_FALSE(table.again({{0}, {{1, {0}}}}));
  EXPECT_FALSE(table.again({{0}, {{0, {6}}}}));
  EXPECT_FALSE(table.again({{0}, {{0, {3, 2}}}}));
  EXPECT_FALSE(table.again({{0}, {{0, {2}}, {0, {3}}}}));
  EXPECT_TRUE(table.again({{0}, {{0, {2, 3}}}}));
  ShoeRecommitBody twice;
  twice.older = {{0, {1}}};
  auto laid = table.laid;
  EXPECT_FALSE(take_back(laid, twice)) << "it went back before";
}

TEST(ShuffledAgain, down_to_one_card) {
  Table table("french52x1", 6);
  table.mix();
  table.deal(52);
  table.shuffle({{7}, {}});
  EXPECT_EQ(table.now().shoe->cards_count(), 1U);
  table.mix();
  table.deal(1);
  EXPECT_EQ(table.open(1, 0).card, table.open(0, 7).card);
}

TEST(ShuffledAgain,
     the_rules_name_the_newest_cards_at_a_place_and_older_ones_while_they_count_more) {
  const games::Shuffle due{.places = {"x", "y"}, .cards_count = 0, .rule = "1 II"};
  const auto asked = [&](std::uint32_t count, std::vector<LaidCards> roots) {
    auto shuffle = due;
    shuffle.cards_count = count;
    return cards_back(shuffle, roots);
  };
  const LaidCards first{{"x", false}, {"z", false}, {"x", true}, {"y", false}};
  const LaidCards second{{"y", false}, {"z", false}};
  EXPECT_EQ(asked(2, {first}), (CardsBack{{0, 3}, {}}));
  EXPECT_EQ(asked(1, {first, second}), (CardsBack{{0}, {}}))
      << "as many as the rules count lie under the newest root";
  EXPECT_EQ(asked(3, {first, second}), (CardsBack{{0}, {{0, {0, 3}}}}));
  EXPECT_EQ(asked(3, {first, {}, second}), (CardsBack{{0}, {{0, {0, 3}}}}));
  EXPECT_EQ(asked(4, {first, second, second}), (CardsBack{{0}, {{0, {0, 3}}, {1, {0}}}}));
  EXPECT_EQ(asked(2, {first, second, second}), (CardsBack{{0}, {{1, {0}}}}));
  EXPECT_FALSE(asked(2, {first, second})) << "no part of a root";
  EXPECT_FALSE(asked(4, {first, second}));
  EXPECT_FALSE(asked(0, {first}));
}

TEST(CoveredCards, of_a_later_root_are_bound_to_it) {
  const auto pair = testing::seat_pair();
  const CardOpening opening{.leaf = 17, .card = "7H", .salt = Digest{1, 2, 3}, .path = {Digest{4}}};
  CoveredContext context{.origin = "casino.example/talla-1",
                         .shoe = "shoe-17",
                         .position = 3,
                         .seat = 5,
                         .key = pair.digest,
                         .recommits = 2};
  const auto copy = must(encrypt_opening(context, pair.spki, opening));
  EXPECT_EQ(must(decrypt_opening(pair.pem, context, copy)), opening);
  for (const std::uint32_t other : {0U, 1U, 3U}) {
    context.recommits = other;
    EXPECT_FALSE(decrypt_opening(pair.pem, context, copy)) << other;
  }
  // No reading of one form is one of the other: the domains differ before anything that varies.
  const Bytes ephemeral(65, 4);
  context.recommits = 0;
  const auto first = covered_info(context, ephemeral);
  context.recommits = 1;
  const auto later = covered_info(context, ephemeral);
  EXPECT_EQ(later.size(), first.size() + 4 + 6);
  EXPECT_EQ(as_text(ByteView(first).first(22)), std::string_view("talla/v2/covered-card\0", 22));
  EXPECT_EQ(as_text(ByteView(later).first(28)),
            std::string_view("talla/v2/covered-card-again\0", 28));
}

/// FORMAT.md section 11: the card of the first vector, dealt behind two SHOE_RECOMMITs.
TEST(CoveredCards, of_a_later_root_open_as_the_page_says) {
  const std::string pem =
      "-----BEGIN PRIVATE "
      "KEY-----\nMEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAHBwcHBwcHBwcHBwcH\n"
      "BwcHBwcHBwcHBwcHBwcHBwcHBw==\n-----END PRIVATE KEY-----\n";
  const auto copy =
      must(from_hex("043adab15d66256bf15cd716035b3f041444e512fed1dd64d4ba75597d20e366f1546d2c90a83e"
                    "baba01595099e5f3ffbbd3"
                    "384c7494de6759fdd5e65efae9cc6798b2471fbc4ce51497feccf68eef82cb06daaf83245ba2b8"
                    "80b1fd81a4cc18c0a54edd"
                    "edede38140b2e4adbbe26af1f6048b19aac22c50b14875f46898e02ba2e52e95a9d1e999464ccb"
                    "0daab0d7b92a6a8e977f04"
                    "a940195d3e0b047c1f1659022743297f6c0da06a0d08676d3bd56ed8965a4ea5b81959176dff6e"
                    "9a18be3cc30dbcbb4ec37d"
                    "744837a30779407b0e7dc38082e65c676fc827d41f77784002c791696ee9b323ddf3904c99ea77"
                    "b4a09d34fcb63a36f0e967"
                    "390c25"));
  EXPECT_EQ(to_hex(openssl_hashes.sha256({copy})),
            "669f0ae4e51f4d9dcabe5fddc18e7062a7f1ff7be35d6b0a83815a891798d2df");
  const auto seen = must(decrypt_opening(pem,
                                         {.origin = "casino.example/talla-1",
                                          .shoe = "shoe-17",
                                          .position = 3,
                                          .seat = 5,
                                          .key = must(seat_key_digest(pem)),
                                          .recommits = 2},
                                         copy));
  Digest hash;
  hash.fill(0xaa);
  Digest salt;
  salt.fill(0xbb);
  EXPECT_EQ(seen, (CardOpening{.leaf = 5, .card = "7H", .salt = salt, .path = {hash}}));
}

}  // namespace
}  // namespace talla::certs
