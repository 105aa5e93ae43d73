#include "games/shown_hands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "engines/circle/rules.hpp"
#include "engines/pai_gow/rules.hpp"
#include "engines/poker/order_data.hpp"

namespace talla::games {
namespace {

using Cards = std::vector<Card>;
constexpr std::size_t hand_size = 5;

/// What lies where: cards by place, and the places whose card nobody was shown.
class Cloth {
 public:
  explicit Cloth(std::span<const Event> events) {
    for (const auto& event : events) see(event);
  }
  /// "seat-3", "bank": who has cards, seats in their order.
  [[nodiscard]] std::vector<std::string> holders() const {
    std::map<std::pair<std::uint32_t, std::string>, bool> sorted;
    for (const auto& [place, card] : open_) {
      const auto holder = holder_of(place);
      if (!holder.empty()) sorted[{number_in(holder), holder}] = true;
    }
    std::vector<std::string> out;
    out.reserve(sorted.size());
    for (const auto& [key, unused] : sorted) out.push_back(key.second);
    return out;
  }
  /// The cards of a holder or row, in the order of their places; nothing when one of them was never
  /// shown.
  [[nodiscard]] std::optional<Cards> of(const std::string& holder) const {
    if (hidden_.contains(holder)) return std::nullopt;
    std::map<std::pair<bool, std::uint32_t>, Card> sorted;  // drawn cards behind the first
    for (const auto& [place, card] : open_) {
      if (owner_of(place) != holder) continue;
      sorted.emplace(std::pair(place.find("-draw-") != std::string::npos, last_number(place)),
                     card);
    }
    Cards out;
    for (const auto& [key, card] : sorted) out.push_back(card);
    return out;
  }
  [[nodiscard]] const std::vector<Act>& acts() const { return acts_; }

 private:
  static std::uint32_t last_number(const std::string& place) {
    std::uint32_t out = 0;
    const auto at = place.rfind('-') + 1;
    std::from_chars(place.data() + at, place.data() + place.size(), out);
    return out;
  }
  static std::uint32_t number_in(const std::string& holder) {
    return holder == "bank" ? UINT32_MAX : last_number(holder);
  }
  /// "seat-3" of "seat-3-card-1" and "seat-3-draw-1", "bank" of "bank-2", "common" of "common-1".
  static std::string owner_of(const std::string& place) {
    for (const std::string_view kind : {"-card-", "-draw-"}) {
      if (const auto at = place.find(kind); at != std::string::npos) return place.substr(0, at);
    }
    return place.substr(0, place.rfind('-'));
  }
  static std::string holder_of(const std::string& place) {
    const auto owner = owner_of(place);
    return owner.starts_with("seat-") || owner == "bank" ? owner : std::string();
  }
  void count_hidden() {
    hidden_.clear();
    for (const auto& place : covered_) hidden_.insert(owner_of(place));
  }
  void see(const Event& event) {
    if (const auto* dealt = std::get_if<CardDealt>(&event)) {
      open_.erase(dealt->place);
      covered_.erase(dealt->place);
      if (dealt->card) {
        open_.emplace(dealt->place, *dealt->card);
      } else if (dealt->face == Face::covered) {
        covered_.insert(dealt->place);
      }
    } else if (const auto* turned = std::get_if<CardRevealed>(&event)) {
      covered_.erase(turned->place);
      open_.insert_or_assign(turned->place, turned->card);
    } else if (const auto* act = std::get_if<Act>(&event)) {
      if (act->action == "descartar") {
        for (const auto& place : act->cards) {
          open_.erase(place);
          covered_.erase(place);
        }
      }
      acts_.push_back(*act);
    } else if (std::holds_alternative<ShoeClosed>(event)) {
      open_.clear();
      covered_.clear();
      acts_.clear();
    }
    count_hidden();
  }

  std::map<std::string, Card> open_;
  std::set<std::string> covered_;
  std::set<std::string> hidden_;
  std::vector<Act> acts_;
};

/// Cards that are alike count more together: four, three, pairs, then ranks; the ace is high unless
/// it ends a low run.
void order_by_weight(Cards& cards) {
  const auto count = [&](const Card& card) {
    if (card.is_joker()) return std::ptrdiff_t{0};
    return std::count_if(cards.begin(), cards.end(), [&](const Card& other) {
      return !other.is_joker() && other.rank() == card.rank();
    });
  };
  const auto rank = [](const Card& card) {
    return card.is_joker() ? 0 : card.rank() == 1 ? 14 : card.rank();
  };
  const Cards all = cards;
  std::vector<std::pair<std::pair<std::ptrdiff_t, int>, Card>> weighed;
  for (const auto& card : all) weighed.push_back({{count(card), rank(card)}, card});
  std::stable_sort(weighed.begin(), weighed.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::transform(weighed.begin(), weighed.end(), cards.begin(),
                 [](const auto& one) { return one.second; });
}

ShownHand shown_hand(const poker::Ranker& ranker, std::string holder, std::string which,
                     Cards cards) {
  ShownHand out;
  out.holder = std::move(holder);
  out.which = std::move(which);
  poker::HandValue value;
  if (cards.size() == 2) {
    value = ranker.two(std::span<const Card, 2>(cards));
  } else if (cards.size() == 3) {
    value = ranker.three(std::span<const Card, 3>(cards));
  } else {
    cards = ranker.cards_of_best(cards);
    value = ranker.five(std::span<const Card, hand_size>(cards));
  }
  out.category = ranker.category(value);
  order_by_weight(cards);
  out.cards = std::move(cards);
  return out;
}

/// Every choice of `count` of the cards.
std::vector<Cards> choices_of(const Cards& cards, std::size_t count) {
  std::vector<Cards> out;
  for (std::uint32_t mask = 0; mask < (1U << cards.size()); ++mask) {
    Cards one;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if ((mask >> i & 1U) != 0) one.push_back(cards[i]);
    }
    if (one.size() == count) out.push_back(std::move(one));
  }
  return out;
}

std::optional<ShownHand> low_hand(const std::string& holder, const Cards& own, const Cards& common,
                                  int most) {
  const auto best = poker::low_of_two_three(own, common, most);
  if (!best) return std::nullopt;
  for (const auto& two : choices_of(own, 2)) {
    for (const auto& three : choices_of(common, 3)) {
      if (poker::low_of_two_three(two, three, most) != best) continue;
      ShownHand out{holder, "low", poker::Category::high_card, two};
      out.cards.insert(out.cards.end(), three.begin(), three.end());
      std::sort(out.cards.begin(), out.cards.end(),
                [](const Card& a, const Card& b) { return a.rank() > b.rank(); });
      return out;
    }
  }
  return std::nullopt;
}

void add_circle_hand(const circle::Law& law, const Cloth& cloth, const std::string& holder,
                     std::vector<ShownHand>& out) {
  const auto own = cloth.of(holder);
  if (!own) return;
  const auto add = [&](const std::string& row, const std::string& which) {
    const auto common = cloth.of(row).value_or(Cards());
    Cards cards = *own;
    if (law.hands.made == circle::Made::two_and_three) {
      if (own->size() < 2 || common.size() < 3) return;
      cards = law.rank().cards_of_best_two_three(*own, common);
    } else {
      cards.insert(cards.end(), common.begin(), common.end());
    }
    if (cards.size() < hand_size || cards.size() > 7) return;
    out.push_back(shown_hand(law.rank(), holder, which, std::move(cards)));
    if (law.hands.low == 0) return;
    if (auto low = low_hand(holder, *own, common, law.hands.low)) out.push_back(*std::move(low));
  };
  add("common", "");
  if (law.hands.two_rows) add("second", "second");
}

void add_pai_gow_hands(const pai_gow::Rules& rules, const Cloth& cloth, const std::string& holder,
                       std::vector<ShownHand>& out) {
  const auto cards = cloth.of(holder);
  if (!cards || cards->size() != pai_gow::hand_cards) return;
  const pai_gow::Seven seven(cards->data(), pai_gow::hand_cards);
  auto low = pai_gow::house_low(rules.ranker, seven, rules.way);
  for (const auto& act : cloth.acts()) {
    if (act.action != pai_gow::set_action || holder != "seat-" + std::to_string(act.seat)) continue;
    for (std::size_t i = 0; i < low.size() && i < act.cards.size(); ++i) {
      const auto number = act.cards[i].back() - '1';
      if (number >= 0 && number < static_cast<int>(pai_gow::hand_cards))
        low.at(i) = static_cast<std::size_t>(number);
    }
  }
  Cards two, five;
  for (std::size_t i = 0; i < cards->size(); ++i) {
    (i == low[0] || i == low[1] ? two : five).push_back(cards->at(i));
  }
  if (five.size() != hand_size) return;
  out.push_back(shown_hand(rules.ranker, holder, "high", std::move(five)));
  out.push_back(shown_hand(rules.ranker, holder, "low", std::move(two)));
}

void add_house_hand(const Table& table, const Cloth& cloth, const std::string& holder,
                    std::vector<ShownHand>& out) {
  const auto own = cloth.of(holder);
  if (!own) return;
  Cards cards = *own;
  const auto common = cloth.of("common").value_or(Cards());
  cards.insert(cards.end(), common.begin(), common.end());
  const auto& data = table.rules().data;
  const auto deal = data.find("deal");
  const auto* dealt = deal == data.end() ? nullptr : deal->second.value.find("cards");
  const std::size_t size =
      dealt != nullptr && dealt->is_integer() && dealt->integer() == 3 ? 3 : hand_size;
  // A bank that exchanged cards: its discards are the rules', not among the events.
  const bool exchanged = holder == "bank" && data.contains("draw") && cards.size() > size;
  if (exchanged || cards.size() < size || cards.size() > 7 || (size == 3 && cards.size() != 3))
    return;
  out.push_back(shown_hand(poker::hand_ranker(DataLaw(table)), holder, "", std::move(cards)));
}

/// A rank in words: singular, plural, and with the article that a run or a flush takes ("al rey").
struct RankWords {
  std::string_view es, es_many, es_to, en, en_many;
};
constexpr std::array<RankWords, 15> rank_words{{
    {"", "", "", "", ""},
    {"as", "ases", "al as", "ace", "aces"},
    {"dos", "doses", "al dos", "two", "twos"},
    {"tres", "treses", "al tres", "three", "threes"},
    {"cuatro", "cuatros", "al cuatro", "four", "fours"},
    {"cinco", "cincos", "al cinco", "five", "fives"},
    {"seis", "seises", "al seis", "six", "sixes"},
    {"siete", "sietes", "al siete", "seven", "sevens"},
    {"ocho", "ochos", "al ocho", "eight", "eights"},
    {"nueve", "nueves", "al nueve", "nine", "nines"},
    {"diez", "dieces", "al diez", "ten", "tens"},
    {"jota", "jotas", "a la jota", "jack", "jacks"},
    {"dama", "damas", "a la dama", "queen", "queens"},
    {"rey", "reyes", "al rey", "king", "kings"},
    {"as", "ases", "al as", "ace", "aces"},
}};

const RankWords& words_of(const Card& card) {
  static constexpr RankWords joker{"comodín", "comodines", "al comodín", "joker", "jokers"};
  return card.is_joker() ? joker : rank_words.at(static_cast<std::size_t>(card.rank()));
}

/// The card that names a run: its highest; of an ace-low run the one below it.
const Card& top_of_run(const Cards& cards) {
  const bool low =
      cards.front().rank() == 1 &&
      std::none_of(cards.begin(), cards.end(), [](const Card& c) { return c.rank() == 13; });
  return low && cards.size() > 1 ? cards[1] : cards.front();
}

std::string low_words(const Cards& cards, bool spanish) {
  std::string out = spanish ? "baja de " : "low, ";
  for (std::size_t i = 0; i < cards.size(); ++i) {
    out += i == 0 ? "" : "-";
    out += cards[i].rank() == 1 ? "A" : std::to_string(cards[i].rank());
  }
  return out;
}

std::string words_es(poker::Category category, const Cards& cards) {
  using C = poker::Category;
  const auto many = [&](std::size_t i) { return std::string(words_of(cards.at(i)).es_many); };
  switch (category) {
    case C::high_card:
      return "carta mayor: " + std::string(words_of(cards.front()).es);
    case C::ace_king:
      return "as y rey";
    case C::pair:
      return "pareja de " + many(0);
    case C::two_pair:
      return "doble pareja de " + many(0) + " y " + many(2);
    case C::figuras:
      return "figuras";
    case C::trio:
      return "trío de " + many(0);
    case C::straight:
      return "escalera " + std::string(words_of(top_of_run(cards)).es_to);
    case C::flush:
      return "color " + std::string(words_of(cards.front()).es_to);
    case C::full:
      return "full de " + many(0) + " y " + many(3);
    case C::four:
      return "póquer de " + many(0);
    case C::straight_flush:
      return "escalera de color " + std::string(words_of(top_of_run(cards)).es_to);
    case C::royal_flush:
      return "escalera real";
    case C::five_aces:
      return "cinco ases";
  }
  return {};
}

std::string words_en(poker::Category category, const Cards& cards) {
  using C = poker::Category;
  const auto many = [&](std::size_t i) { return std::string(words_of(cards.at(i)).en_many); };
  const auto one = [&](const Card& card) { return std::string(words_of(card).en); };
  switch (category) {
    case C::high_card:
      return one(cards.front()) + " high";
    case C::ace_king:
      return "ace and king";
    case C::pair:
      return "pair of " + many(0);
    case C::two_pair:
      return "two pair, " + many(0) + " and " + many(2);
    case C::figuras:
      return "court cards";
    case C::trio:
      return "three of a kind, " + many(0);
    case C::straight:
      return "straight to the " + one(top_of_run(cards));
    case C::flush:
      return "flush, " + one(cards.front()) + " high";
    case C::full:
      return "full house, " + many(0) + " over " + many(3);
    case C::four:
      return "four of a kind, " + many(0);
    case C::straight_flush:
      return "straight flush to the " + one(top_of_run(cards));
    case C::royal_flush:
      return "royal flush";
    case C::five_aces:
      return "five aces";
  }
  return {};
}

/// With a joker the alike cards are fewer than the name says: it names the kind alone.
bool by_ranks(const ShownHand& hand) {
  return std::none_of(hand.cards.begin(), hand.cards.end(),
                      [](const Card& card) { return card.is_joker(); });
}

std::string category_words(poker::Category category, bool spanish) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>,
                              poker::categories_count>
      all{{
          {"carta mayor", "high card"},
          {"as y rey", "ace and king"},
          {"pareja", "pair"},
          {"doble pareja", "two pair"},
          {"figuras", "court cards"},
          {"trío", "three of a kind"},
          {"escalera", "straight"},
          {"color", "flush"},
          {"full", "full house"},
          {"póquer", "four of a kind"},
          {"escalera de color", "straight flush"},
          {"escalera real", "royal flush"},
          {"cinco ases", "five aces"},
      }};
  const auto& words = all.at(static_cast<std::size_t>(category));
  return std::string(spanish ? words.first : words.second) +
         (spanish ? " con comodín" : " with the joker");
}

}  // namespace

std::vector<ShownHand> shown_hands(const Table& table, std::span<const Event> events) {
  std::vector<ShownHand> out;
  const auto& family = table.rules().family;
  const bool circle = family == "circle-poker";
  const bool pai_gow = family == "pai-gow";
  const bool house = family == "second-bet" || family == "texas-holdem" || family == "trijoker";
  if (!circle && !pai_gow && !house) return out;
  const Cloth cloth(events);
  for (const auto& holder : cloth.holders()) {
    if (circle) {
      add_circle_hand(circle::law_of(table), cloth, holder, out);
    } else if (pai_gow) {
      add_pai_gow_hands(table.prepared<pai_gow::Rules>(), cloth, holder, out);
    } else {
      add_house_hand(table, cloth, holder, out);
    }
  }
  return out;
}

std::string hand_words(const ShownHand& hand, std::string_view language) {
  const bool spanish = language == "es";
  const bool low_five = hand.which == "low" && hand.cards.size() == hand_size;
  if (low_five) return low_words(hand.cards, spanish);
  if (!by_ranks(hand)) return category_words(hand.category, spanish);
  return spanish ? words_es(hand.category, hand.cards) : words_en(hand.category, hand.cards);
}

json::Value to_json(const ShownHand& hand) {
  json::Array cards;
  for (const auto& card : hand.cards) cards.emplace_back(card.text());
  json::Object out{{"holder", hand.holder},
                   {"category", poker::category_name(hand.category)},
                   {"cards", std::move(cards)}};
  if (!hand.which.empty()) out["which"] = hand.which;
  return out;
}

}  // namespace talla::games
