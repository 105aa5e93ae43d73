// Shoes and balls: one whole order, or its beginning, a line; and the first hands of each shoe.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "hands.hpp"
#include "outcomes.hpp"
#include "stats/outcome/cells.hpp"
#include "stats/outcome/shoes.hpp"
#include "stats/plot/plot.hpp"

namespace talla::lab {
namespace {

using shuffle::Card;
using shuffle::DeckSpec;
using stats::outcome::Alphabet;
using stats::outcome::Row;
using stats::outcome::ShoeSpec;
using stats::outcome::ShoeTests;

constexpr std::uint64_t shoes_least = 50;

/// Hands of each shoe against their exact frequencies: the first hand, and for baccarat the coups
/// of the whole shoe.
class Hands {
 public:
  explicit Hands(const DeckSpec& deck, std::size_t drawn) {
    const auto& options = deck.options();
    const bool full = options.family == shuffle::DeckFamily::french52 &&
                      options.removed_ranks == 0 && options.jokers_per_deck == 0;
    if (!full) return;
    const auto decks = static_cast<std::uint32_t>(options.decks_count);
    if (drawn >= 6) {
      kinds_.push_back({"first coup of baccarat",
                        baccarat_hands(decks),
                        [](std::span<const Card> cards) { return play_baccarat(cards).klass; },
                        {}});
      coups_ = drawn / 6;
      coup_sums_.resize(6);
      coup_squares_.resize(6);
    }
    if (drawn >= 2)
      kinds_.push_back({"natural of blackjack", blackjack_naturals(decks), blackjack_natural, {}});
    if (drawn >= 5 && decks == 1)
      kinds_.push_back({"first five of poker", poker_hands(), poker_hand, {}});
    for (Kind& kind : kinds_) kind.counts.resize(kind.hands.names.size());
  }
  void add(std::span<const Card> cards) {
    for (Kind& kind : kinds_) ++kind.counts[kind.hand(cards)];
    if (coups_ == 0) return;
    ++shoes_;
    std::array<double, 6> seen{};
    for (std::size_t coup = 0, at = 0; coup < coups_; ++coup) {
      const Coup one = play_baccarat(cards.subspan(at));
      at += one.cards;
      seen[one.klass] += 1.0;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const double off = seen[i] - static_cast<double>(coups_) * kinds_[0].hands.probabilities[i];
      coup_sums_[i] += off;
      coup_squares_[i] += off * off;
    }
  }
  void rows(std::vector<Row>& rows) const {
    for (const Kind& kind : kinds_) {
      std::vector<std::string> names;
      for (const std::string& name : kind.hands.names) names.push_back(kind.name + ": " + name);
      stats::outcome::add_frequency_rows(rows, {"hands", kind.name, ""}, names,
                                         kind.hands.probabilities, kind.counts, true);
    }
    // Every coup of a shoe has the frequencies of the first; how they hang together is taken from
    // the shoes themselves.
    for (std::size_t i = 0; coups_ > 1 && i < coup_sums_.size(); ++i) {
      stats::outcome::add_normal_row(
          rows,
          {"hands",
           fmt::format("{} coups of baccarat a shoe: {}", coups_, kinds_[0].hands.names[i]), ""},
          coup_sums_[i], 0.0, coup_squares_[i], shoes_, shoes_least);
    }
  }

 private:
  struct Kind {
    std::string name;
    Alphabet hands;
    std::size_t (*hand)(std::span<const Card>);
    std::vector<std::uint64_t> counts;
  };
  std::vector<Kind> kinds_;
  std::size_t coups_ = 0;  // that any shoe holds
  std::uint64_t shoes_ = 0;
  std::vector<double> coup_sums_, coup_squares_;
};

/// Text of up to three characters as a number; 0 when it is longer or empty.
std::uint32_t packed(std::string_view text) {
  if (text.empty() || text.size() > 3) return 0;
  std::uint32_t value = 0;
  for (const char c : text) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

/// From the text of a card to its face, by a table that three characters point into.
class FaceNames {
 public:
  explicit FaceNames(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      Slot& slot = slots_[place(packed(names[i]))];
      slot = {packed(names[i]), static_cast<std::uint8_t>(i)};
    }
  }
  [[nodiscard]] std::optional<std::uint8_t> face(std::string_view text) const {
    const std::uint32_t key = packed(text);
    const Slot& slot = slots_[place(key)];
    if (key == 0 || slot.key != key) return {};
    return slot.face;
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint8_t face = 0;
  };
  /// The first free place or the key's own: few names in many slots.
  [[nodiscard]] std::size_t place(std::uint32_t key) const {
    std::size_t at = key * 2654435761U >> 20;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) % slots_.size();
    return at;
  }
  std::array<Slot, 4096> slots_{};
};

class Shoes final : public GameTests {
 public:
  Shoes(std::optional<DeckSpec> deck, std::vector<Card> faces, ShoeTests tests, std::string results)
      : deck_(std::move(deck)),
        faces_(std::move(faces)),
        tests_(std::move(tests)),
        results_(std::move(results)),
        names_(tests_.spec().faces),
        all_(std::accumulate(tests_.spec().copies.begin(), tests_.spec().copies.end(),
                             std::size_t{0})),
        drawn_(tests_.spec().drawn != 0 ? tests_.spec().drawn : all_) {
    if (deck_) hands_.emplace(*deck_, drawn_);
    for (std::size_t i = 0; i < faces_.size(); ++i)
      face_of_[faces_[i].code()] = static_cast<std::uint8_t>(i);
  }
  stats::Result<bool> add_line(std::string_view line) override {
    shoe_.clear();
    std::size_t place = 0;
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(' '), line.size());
      const auto face = names_.face(line.substr(0, end));
      if (!face) {
        return stats::refuse(
            fmt::format("place {}: \"{}\" is none of the {}", place + 1,
                        line.substr(0, std::min<std::size_t>(end, 20)),
                        deck_ && !deck_is_balls() ? "cards of " + deck_->text() : "balls"));
      }
      ++place;
      if (shoe_.size() < drawn_) shoe_.push_back(*face);
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (place < drawn_) {
      return stats::refuse(
          fmt::format("{} {} instead of {}; give --first {} for the beginning alone", place,
                      deck_is_balls() ? "balls" : "cards", drawn_, place));
    }
    if (place > all_) return stats::refuse(fmt::format("{} in a shoe of {}", place, all_));
    return add();
  }
  const DeckSpec* deck() const override { return deck_ ? &*deck_ : nullptr; }
  stats::Result<bool> add_shoe(std::span<const Card> cards) override {
    shoe_.clear();
    for (const Card card : cards.first(drawn_)) shoe_.push_back(face_of_[card.code()]);
    return add();
  }
  std::uint64_t count() const override { return tests_.count(); }
  std::string results() const override { return results_; }
  std::vector<Row> rows() override {
    auto rows = tests_.rows();
    if (hands_) hands_->rows(rows);
    return rows;
  }
  std::string drawing(const std::string& title, const std::vector<Row>& /*rows*/) const override {
    const auto& spec = tests_.spec();
    const auto table = tests_.place_table();
    const std::size_t faces = spec.faces.size();
    std::vector<double> deviation(faces * drawn_);
    for (std::size_t place = 0; place < drawn_; ++place) {
      for (std::size_t face = 0; face < faces; ++face) {
        const double share = static_cast<double>(spec.copies[face]) / static_cast<double>(all_);
        const double expected = static_cast<double>(count()) * share;
        deviation[face * drawn_ + place] = (table[place * faces + face] - expected) /
                                           std::sqrt(std::max(expected * (1.0 - share), 1e-300));
      }
    }
    return stats::plot::svg(stats::plot::HeatMap{
        .text = {.title = title,
                 .subtitle =
                     fmt::format("{} {}: how often each stood at each place", count(), results_),
                 .x = "place",
                 .y = deck_is_balls() ? "ball" : "card"},
        .rows = faces,
        .columns = drawn_,
        .deviation = deviation,
        .row_names = spec.faces,
        .column_names = {}});
  }

 private:
  [[nodiscard]] bool deck_is_balls() const {
    return !deck_ || deck_->options().family == shuffle::DeckFamily::balls90;
  }
  stats::Result<bool> add() {
    auto good = tests_.add(shoe_);
    if (!good || !hands_ || deck_is_balls()) return good;
    cards_.clear();
    for (const std::uint8_t face : shoe_) cards_.push_back(faces_[face]);
    hands_->add(cards_);
    return true;
  }
  std::optional<DeckSpec> deck_;  // none: balls of another number than 90
  std::vector<Card> faces_;
  ShoeTests tests_;
  std::string results_;
  FaceNames names_;
  std::optional<Hands> hands_;
  std::array<std::uint8_t, 256> face_of_{};
  std::size_t all_, drawn_;
  std::vector<std::uint8_t> shoe_;
  std::vector<Card> cards_;
};

/// Faces of a deck in its order, with their copies, ranks and suits.
ShoeSpec spec_of(const DeckSpec& deck, std::vector<Card>& faces) {
  ShoeSpec spec;
  for (const Card card : deck.cards()) {
    if (std::find(faces.begin(), faces.end(), card) != faces.end()) continue;
    faces.push_back(card);
    spec.faces.push_back(card.text());
    spec.copies.push_back(static_cast<std::uint32_t>(deck.copies_of(card)));
  }
  const auto grouped = [&](const char* name, auto key_of) {
    std::map<int, std::string> names;
    for (const Card card : faces) names.emplace(key_of(card).first, key_of(card).second);
    stats::outcome::Grouping grouping{name, {}, {}};
    for (const auto& [key, text] : names) grouping.names.push_back(text);
    for (const Card card : faces) {
      grouping.of.push_back(
          static_cast<std::uint8_t>(std::distance(names.begin(), names.find(key_of(card).first))));
    }
    if (grouping.names.size() > 1) spec.groupings.push_back(std::move(grouping));
  };
  grouped("rank", [](Card card) {
    return std::pair(card.rank(), card.is_joker() ? card.text() : card.text().substr(0, 1));
  });
  grouped("suit", [](Card card) {
    return card.is_joker() ? std::pair(100, card.text())
                           : std::pair(static_cast<int>(card.suit()), card.text().substr(1));
  });
  return spec;
}

}  // namespace

stats::Result<std::unique_ptr<GameTests>> make_shoe(const std::string& kind,
                                                    const std::string& what, std::size_t first) {
  std::optional<DeckSpec> deck;
  std::vector<Card> faces;
  ShoeSpec spec;
  if (kind == "balls") {
    const auto count = number_from(what, 4, 255);
    if (!count)
      return stats::refuse(fmt::format("balls:{}: no number of balls from 4 to 255", what));
    spec = ShoeSpec::balls(*count, first);
    if (*count == 90) {
      auto parsed = DeckSpec::parse("balls90x1");
      if (!parsed) return stats::refuse(parsed.error().detail);
      deck = *parsed;
      faces = deck->cards();
    }
  } else {
    auto parsed = DeckSpec::parse(what);
    if (!parsed) return stats::refuse(fmt::format("shoe:{}: {}", what, parsed.error().detail));
    deck = *parsed;
    if (deck->options().family == shuffle::DeckFamily::balls90)
      return stats::refuse("shoe:" + what + ": give balls:90");
    spec = spec_of(*deck, faces);
    spec.drawn = first;
  }
  auto tests = ShoeTests::create(std::move(spec));
  if (!tests) return stats::refuse(kind + ":" + what + ": " + tests.error().detail);
  return std::make_unique<Shoes>(std::move(deck), std::move(faces), std::move(*tests),
                                 kind == "balls" ? "draws of balls" : "shoes");
}

}  // namespace talla::lab
