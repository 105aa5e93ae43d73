#include "games_rounds.hpp"

#include <cstdio>
#include <cstdlib>

#include "shuffle/permutation.hpp"
#include "shuffle/uniform.hpp"
#include "support/openssl_hashes.hpp"

namespace talla_bench {

using namespace talla;         // NOLINT: the bench's words are theirs
using namespace talla::games;  // NOLINT

namespace {

[[noreturn]] void give_up(const Error& error) {
  static_cast<void>(std::fprintf(stderr, "%s\n", error.text().c_str()));
  std::abort();
}
template <class T>
T need(Result<T> result) {
  if (!result) give_up(result.error());
  return *std::move(result);
}
void need(const Status& status) {
  if (!status) give_up(status.error());
}

/// A fixed, seeded sequence (splitmix64): the outcomes only have to be many and different.
class Sequence {
 public:
  std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(
        (static_cast<Int128>(operator()()) * static_cast<Int128>(bound)) >> 64);
  }

 private:
  std::uint64_t state_ = 2026;
};

PlaceBet bet(std::string kind, std::vector<std::string> on = {}) {
  return {"", 1, std::nullopt, std::move(kind), std::move(on), 20};
}

}  // namespace

Table open_table(const std::string& catalogue, std::string game) {
  const test::OpenSslHashes hash;
  auto rules = need(load_embedded(catalogue, hash));
  const auto currency = rules->currency;
  json::Value params;
  if (game == "craps")
    params["shooter_stake"] =
        "unchecked";  // the ten bets come before every throw: none is on a line
  return need(Table::open(std::move(rules),
                          {std::move(game), {currency}, 20, std::nullopt, std::move(params)}));
}

Outcomes::Outcomes(const Table& table) {
  Sequence random;
  if (const auto shoe = table.engine().shoe(table)) {
    for (int i = 0; i < 16; ++i) {
      std::vector<Card> cards;
      for (std::size_t k = 0; k < shoe->cards_count; ++k) {
        cards.push_back(need(Card::from_code(static_cast<std::uint8_t>(k % 52))));
      }
      for (std::size_t k = cards.size(); k > 1; --k)
        std::swap(cards[k - 1], cards[random.below(k)]);
      shoes_.push_back(std::move(cards));
    }
  }
  const auto& draw = table.rules().draw;
  for (int i = 0; draw && i < 4096; ++i) {
    DrawResult result;
    result.kind = draw->kind;
    if (draw->kind == DrawKind::wheel) {
      result.values = {draw->pockets[random.below(draw->pockets.size())]};
    } else {
      for (std::uint32_t k = 0; k < draw->count; ++k) {
        result.values.push_back(std::to_string(1 + random.below(draw->faces)));
      }
    }
    draws_.push_back(std::move(result));
  }
}

Result<std::optional<ShoeOpened>> Outcomes::open_shoe(const ShoeNeed& need_shoe) {
  if (!shoe_allowed_) return std::optional<ShoeOpened>();
  shoe_ = (shoe_ + 1) % shoes_.size();
  card_ = 0;
  return std::optional<ShoeOpened>(ShoeOpened{need_shoe.cards_count, false});
}

void Outcomes::look() {
  if (seen_of_ != nullptr) seen_ = seen_of_->state();
}

Result<CardSource::Next> Outcomes::next_card(const DealPlace& /*place*/) {
  look();
  return Next{true, shoes_[shoe_][card_++]};
}

Result<std::optional<Card>> Outcomes::reveal(const std::string& /*place*/) {
  return std::optional<Card>();
}

Result<bool> Outcomes::shuffle(const Shuffle& /*need*/) {
  return false;
}

Result<std::optional<DrawResult>> Outcomes::draw(const Draw& /*need*/) {
  look();
  draw_ = (draw_ + 1) % draws_.size();
  return std::optional<DrawResult>(draws_[draw_]);
}

Rounds::Rounds(const Table& table, const std::vector<PlaceBet>& stakes, States states)
    : table_(table),
      states_(states),
      outcomes_(table),
      driver_(need(Driver::start(table, Journal::off))) {
  for (std::size_t round = 0; round < stakes_.size(); ++round) {
    for (std::size_t i = 0; i < stakes.size(); ++i) {
      PlaceBet placed = stakes[i];
      placed.id = "r" + std::to_string(round) + "b" + std::to_string(i);
      stakes_[round].emplace_back(std::move(placed));
    }
  }
}

void Rounds::apply(const Event& event) {
  if (states_ == States::in_place) return need(driver_.apply(event));
  const State kept = driver_.state();
  need(driver_.apply(event));
}

Units Rounds::play() {
  if (states_ == States::copied) outcomes_.look_at(&driver_);
  outcomes_.allow_shoe(true);
  if (table_.rules().shoe) need(driver_.advance(outcomes_, outcomes_));  // a new shoe and its burns
  outcomes_.allow_shoe(false);
  const auto& stakes = stakes_[round_++ % stakes_.size()];
  for (const auto& stake : stakes) apply(stake);
  apply(CloseBets{});
  need(driver_.advance(outcomes_, outcomes_));
  const auto& settled = driver_.settled();
  if (settled.size() < stakes.size()) {
    static_cast<void>(std::fprintf(stderr, "a round without its settlements: %s\n",
                                   driver_.state().canonical().c_str()));
    std::abort();
  }
  Units returned = 0;
  for (const auto& one : settled) returned += one.returned;
  return returned;
}

std::vector<PlaceBet> ten_roulette_bets() {
  return {bet("pleno", {"17"}),
          bet("pleno", {"0"}),
          bet("caballo", {"20", "23"}),
          bet("transversal", {"4", "5", "6"}),
          bet("cuadro", {"25", "26", "28", "29"}),
          bet("seisena", {"7", "8", "9", "10", "11", "12"}),
          bet("columna", {"2"}),
          bet("doble-docena", {"1", "3"}),
          bet("rojo"),
          bet("impar")};
}

std::vector<PlaceBet> ten_craps_bets() {
  return {bet("field"),     bet("under-7"), bet("over-7"),  bet("juego-de-7"), bet("juego-de-11"),
          bet("any-craps"), bet("craps-2"), bet("craps-3"), bet("craps-12"),   bet("horn")};
}

std::vector<PlaceBet> two_punto_banco_bets() {
  return {bet("punto"), bet("banca")};
}

}  // namespace talla_bench
