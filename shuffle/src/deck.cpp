#include "shuffle/deck.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace talla::shuffle {
namespace {

constexpr int decks_max = 8;
constexpr int jokers_max = 4;
constexpr std::size_t card_codes_count = 256;

struct Family {
  DeckFamily id;
  std::string_view name;
  std::string_view rank_letters;
  std::uint16_t present_ranks;  // bit (rank - 1)
  Suit first_suit;
};
constexpr std::array<Family, 4> families{{
    {DeckFamily::french52, "french52", "A23456789TJQK", 0x1fff, Suit::clubs},
    {DeckFamily::spanish40, "spanish40", "123456789SCR", 0x0e7f, Suit::oros},
    {DeckFamily::spanish48, "spanish48", "123456789SCR", 0x0fff, Suit::oros},
    {DeckFamily::balls90, "balls90", "", 0, Suit::clubs},  // no ranks, no suits
}};

const Family& family_of(DeckFamily id) {
  return families.at(static_cast<std::size_t>(id));
}

constexpr std::uint16_t rank_bit(std::size_t rank_index) {
  return static_cast<std::uint16_t>(1U << rank_index);
}

bool holds(std::uint16_t ranks, std::size_t rank_index) {
  return (ranks & rank_bit(rank_index)) != 0;
}

std::uint16_t kept_ranks(const DeckSpec::Options& options) {
  return static_cast<std::uint16_t>(family_of(options.family).present_ranks &
                                    ~options.removed_ranks);
}

std::vector<Card> one_deck(const DeckSpec::Options& options) {
  const Family& family = family_of(options.family);
  std::vector<Card> cards;
  if (options.family == DeckFamily::balls90) {
    for (int number = 1; number <= ball_number_max; ++number) cards.push_back(Card::ball(number));
    return cards;
  }
  for (int suit = 0; suit < suits_count; ++suit) {
    for (std::size_t rank = 0; rank < family.rank_letters.size(); ++rank) {
      if (!holds(kept_ranks(options), rank)) continue;
      cards.push_back(Card::of(static_cast<int>(rank) + 1,
                               static_cast<Suit>(static_cast<int>(family.first_suit) + suit)));
    }
  }
  for (int i = 0; i < options.jokers_per_deck; ++i) cards.push_back(Card::joker());
  return cards;
}

/// Takes `prefix` off the front of the text, if it is there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// One digit off the front of the text, or -1.
int take_digit(std::string_view& text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return -1;
  const int digit = text.front() - '0';
  text.remove_prefix(1);
  return digit;
}

tl::unexpected<Error> malformed() {
  return fail(
      Errc::malformed_deck,
      "a deck reads as french52x8, french52+1jx1, french52-234567x1, spanish40x1 or balls90x1");
}

}  // namespace

Result<DeckSpec> DeckSpec::create(const Options& options) {
  if (static_cast<std::size_t>(options.family) >= families.size()) return malformed();
  if (options.decks_count < 1 || options.decks_count > decks_max) {
    return fail(Errc::malformed_deck, "a shoe has 1 to 8 decks");
  }
  if (options.family == DeckFamily::balls90 && options.decks_count != 1) {
    return fail(Errc::malformed_deck, "balls are one set, balls90x1");
  }
  const Family& family = family_of(options.family);
  if ((options.removed_ranks & ~family.present_ranks) != 0) {
    return fail(Errc::malformed_deck, "a removed rank is not in this deck");
  }
  if (options.jokers_per_deck < 0 || options.jokers_per_deck > jokers_max ||
      (options.jokers_per_deck > 0 && options.family != DeckFamily::french52)) {
    return fail(Errc::malformed_deck, "jokers are 0 to 4 per deck, in French decks only");
  }
  if (one_deck(options).empty()) return fail(Errc::malformed_deck, "no card is left in the deck");
  return DeckSpec(options);
}

Result<DeckSpec> DeckSpec::parse(std::string_view text) {
  std::string_view rest = text;
  const auto* const family =
      std::find_if(families.begin(), families.end(),
                   [&rest](const Family& each) { return take(rest, each.name); });
  if (family == families.end()) return malformed();
  Options options{.family = family->id};
  if (take(rest, "-")) {
    while (!rest.empty() && family->rank_letters.find(rest.front()) != std::string_view::npos) {
      options.removed_ranks |= rank_bit(family->rank_letters.find(rest.front()));
      rest.remove_prefix(1);
    }
  }
  if (take(rest, "+")) {
    options.jokers_per_deck = take_digit(rest);
    if (!take(rest, "j")) return malformed();
  }
  if (!take(rest, "x")) return malformed();
  options.decks_count = take_digit(rest);
  TALLA_TRY(DeckSpec spec, create(options));
  if (spec.text() != text)
    return fail(Errc::malformed_deck, "the deck has another canonical text: " + spec.text());
  return spec;
}

DeckSpec DeckSpec::french(int decks_count) {
  auto spec = create({.family = DeckFamily::french52, .decks_count = decks_count});
  TALLA_CHECK(spec.has_value());
  return *spec;
}

std::string DeckSpec::text() const {
  const Family& family = family_of(options_.family);
  std::string text(family.name);
  if (options_.removed_ranks != 0) text += '-';
  for (std::size_t rank = 0; rank < family.rank_letters.size(); ++rank) {
    if (holds(options_.removed_ranks, rank)) text += family.rank_letters[rank];
  }
  if (options_.jokers_per_deck > 0)
    text.append("+").append(std::to_string(options_.jokers_per_deck)).append("j");
  return text.append("x").append(std::to_string(options_.decks_count));
}

std::size_t DeckSpec::cards_count() const {
  return one_deck(options_).size() * static_cast<std::size_t>(options_.decks_count);
}

std::vector<Card> DeckSpec::cards() const {
  const std::vector<Card> deck = one_deck(options_);
  std::vector<Card> cards;
  cards.reserve(deck.size() * static_cast<std::size_t>(options_.decks_count));
  for (int i = 0; i < options_.decks_count; ++i)
    cards.insert(cards.end(), deck.begin(), deck.end());
  return cards;
}

int DeckSpec::copies_of(Card card) const {
  const std::vector<Card> deck = one_deck(options_);
  return options_.decks_count * static_cast<int>(std::count(deck.begin(), deck.end(), card));
}

Status DeckSpec::check_census(std::span<const Card> cards) const {
  std::array<int, card_codes_count> balance{};
  for (const Card card : cards) ++balance.at(card.code());
  for (const Card card : one_deck(options_)) balance.at(card.code()) -= options_.decks_count;
  if (std::any_of(balance.begin(), balance.end(), [](int count) { return count != 0; })) {
    return fail(Errc::census_mismatch, "the cards are not those of " + text());
  }
  return {};
}

}  // namespace talla::shuffle
