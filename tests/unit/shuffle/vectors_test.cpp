// Goal: talla-tape-v1 and talla-map-v1 never change: both give the frozen outcomes and accounts.
// Method: vectors.json beside this file, made by replay.py from the text of shuffle/MAPPING.md.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/json.hpp"
#include "shuffle/draw.hpp"
#include "shuffle/permutation.hpp"
#include "shuffle/shoe.hpp"
#include "shuffle/shuffler.hpp"
#include "shuffle/uniform.hpp"
#include "small_words.hpp"
#include "support/source_tree.hpp"

namespace talla::shuffle {
namespace {

json::Value vectors() {
  std::ifstream file(talla::test::source_tree().string() + "/tests/unit/shuffle/vectors.json");
  std::stringstream text;
  text << file.rdbuf();
  return json::parse(text.str()).value();
}

std::uint32_t u32(const json::Value& value) {
  return static_cast<std::uint32_t>(value.integer());
}

/// SHA-256(text || u32 0), SHA-256(text || u32 1), ... cut to the length, behind the prefix.
SecretBytes entropy_of(const json::Value& entropy) {
  const auto size = static_cast<std::size_t>(entropy.find("bytes")->integer());
  SecretBytes bytes;
  for (std::uint32_t i = 0; bytes.size() < size; ++i) {
    const Digest digest =
        hashes.sha256({as_bytes(entropy.find("text")->string()), ByteWriter().u32(i).take()});
    bytes.insert(bytes.end(), digest.begin(), digest.end());
  }
  bytes.resize(size);
  if (const auto* prefix = entropy.find("prefix")) {
    const Bytes head = from_hex(prefix->string()).value();
    bytes.insert(bytes.begin(), head.begin(), head.end());
  }
  return bytes;
}

/// `kept`: where the bytes of the entropy construction stay.
Tape tape_of(const json::Value& vector, SecretBytes& kept) {
  if (const auto* entropy = vector.find("entropy")) {
    kept = entropy_of(*entropy);
    return Tape::borrowed(kept);
  }
  const json::Value& parts = *vector.find("hmac");
  std::vector<Bytes> inputs;
  for (const auto& input : parts.find("inputs")->array())
    inputs.push_back(from_hex(input.string()).value());
  const std::vector<ByteView> views(inputs.begin(), inputs.end());
  return Tape::from_hmac(hashes.hmac_key(from_hex(parts.find("key")->string()).value()),
                         parts.find("purpose")->string(), views);
}

template <class Numbers>
json::Value list_of(const Numbers& numbers) {
  json::Array list;
  for (const auto number : numbers) list.emplace_back(number);
  return list;
}

json::Value words_of(Tape& tape, std::int64_t count) {
  json::Array words;
  for (std::int64_t i = 0; i < count; ++i)
    words.emplace_back(to_hex(ByteWriter().u64(next_word(tape).value()).take()));
  return words;
}

json::Value shoe_of(Tape& tape, const std::string& deck) {
  const SecretCards cards = shuffle_shoe(tape, DeckSpec::parse(deck).value()).value();
  std::string text;
  for (const Card card : cards) {
    if (!text.empty()) text.push_back(' ');
    text.append(card.text());
  }
  return text;
}

json::Value indices_of(Tape& tape, const json::Array& ask) {
  std::vector<std::uint64_t> bounds;
  bounds.reserve(ask.size());
  for (const auto& bound : ask) bounds.push_back(std::stoull(bound.string()));
  const auto drawn = draw_indices(tape, bounds).value();
  json::Array digits;
  for (const std::uint64_t digit : drawn) digits.emplace_back(std::to_string(digit));
  return digits;
}

/// A new deck runs into a sorting shuffler.
json::Value sorting_of(Tape& tape, const std::string& text) {
  const auto deck = DeckSpec::parse(text).value();
  const auto order = shuffle_shoe(tape, deck).value();
  return list_of(sorting_places(order, deck.cards()).value());
}

json::Value shelf_of(Tape& tape, const json::Array& ask) {
  const auto drawn = draw_permutation(tape, u32(ask[0])).value();
  const std::vector<std::uint32_t> places(drawn.begin(), drawn.end());
  return list_of(
      shelf_compartments({.compartments = u32(ask[1]), .reverses = ask[2].boolean()}, places)
          .value());
}

json::Value outcome_of(Tape& tape, const std::string& kind, const json::Value& ask) {
  if (kind == "words") return words_of(tape, ask.integer());
  if (kind == "permutation") return list_of(draw_permutation(tape, u32(ask)).value());
  if (kind == "shoe") return shoe_of(tape, ask.string());
  if (kind == "wheel") return draw_values(tape, WheelDraw{u32(ask)}).value().at(0);
  if (kind == "dice")
    return list_of(draw_values(tape, DiceDraw{u32(ask.array()[0]), u32(ask.array()[1])}).value());
  if (kind == "indices") return indices_of(tape, ask.array());
  // One more card among so many, of a tape with another purpose: one draw.
  if (kind == "insertion") return draw_index(tape, std::uint64_t{u32(ask)} + 1).value();
  if (kind == "sorting") return sorting_of(tape, ask.string());
  if (kind == "shelf") return shelf_of(tape, ask.array());
  ADD_FAILURE() << "unknown kind " << kind;
  return {};
}

TEST(Vectors, tapes_of_both_constructions_give_the_frozen_outcomes_and_accounts) {
  const json::Value all = vectors();
  EXPECT_EQ(all.find("tape")->string(), tape_id);
  EXPECT_EQ(all.find("mapping")->string(), mapping_id);
  ASSERT_EQ(all.find("vectors")->array().size(), 93U);
  std::int64_t rejected = 0;
  for (const auto& vector : all.find("vectors")->array()) {
    const std::string& kind = vector.find("kind")->string();
    SecretBytes kept;
    Tape tape = tape_of(vector, kept);
    const json::Value outcome = outcome_of(tape, kind, *vector.find("ask"));
    SCOPED_TRACE(kind + " " + json::canonical(*vector.find("ask")));
    EXPECT_EQ(json::canonical(outcome), json::canonical(*vector.find("outcome")));
    EXPECT_EQ(static_cast<std::int64_t>(tape.words_used()), vector.find("words_used")->integer());
    EXPECT_EQ(static_cast<std::int64_t>(tape.words_rejected()),
              vector.find("words_rejected")->integer());
    EXPECT_EQ(to_hex(tape.consumed_digest(hashes)), vector.find("consumed_sha256")->string());
    rejected += vector.find("words_rejected")->integer();
  }
  EXPECT_GT(rejected, 0);
}

}  // namespace
}  // namespace talla::shuffle
