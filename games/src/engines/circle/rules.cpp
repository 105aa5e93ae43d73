#include "engines/circle/rules.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "engines/circle/figures.hpp"

namespace talla::games::circle {
namespace {

constexpr std::int64_t multiple_max = 1'000'000;

/// Reads all blocks into one law.
struct Reading {
  const GameRules& rules;
  const TableView* table;
  Law& out;

  [[nodiscard]] Result<Figures> block(std::string_view name) const {
    return Figures::of(rules, table == nullptr ? nullptr : table->params, name);
  }
  [[nodiscard]] Units min() const { return table == nullptr ? 100 : table->min; }
  [[nodiscard]] Units chip() const { return table == nullptr ? 1 : table->chip; }
  /// A share or multiple of the table minimum, down to the chip.
  [[nodiscard]] Units in_chips(const Fraction& share) const {
    return (share * Fraction(min())).floor() / chip() * chip();
  }

  Status seats();
  Status order();
  Status deck();
  Status exchange();
  Status opening();
  Status fee();
  Status fee_by_pot(Figures& from);
  Status forced();
  Status betting();
  Status limits();
  Status streets();
  Status combinations();
  Status hand();
  Status showdown();
};

Status Reading::seats() {
  TALLA_TRY(auto from, block("seats"));
  out.seats.cite = from.cite();
  TALLA_TRY(out.seats.players_min, from.number("players_min", 2, 30));
  TALLA_TRY(out.seats.rest_max, from.number("rest", 0, 100));
  TALLA_TRY(out.seats.rest_per_game, from.either("rest_count", "game", "row"));
  TALLA_TRY(out.seats.resting_counts, from.either("resting", "count", "do-not-count"));
  TALLA_TRY(out.seats.top_up_any_time, from.either("top_up", "any-time", "exhausted"));
  return from.finish();
}

Status Reading::order() {
  TALLA_TRY(auto from, block("order"));
  TALLA_TRY(out.order.seat_one_left, from.either("seat_one", "left", "right"));
  const std::string_view ascending = out.order.seat_one_left ? "clockwise" : "counterclockwise";
  const auto direction = [&](std::string_view key, bool& up) -> Status {
    TALLA_TRY(const auto word, from.word(key, {"clockwise", "counterclockwise"}));
    up = word == ascending;
    return {};
  };
  TALLA_TRY_STATUS(direction("deal", out.order.deal_up));
  TALLA_TRY_STATUS(direction("betting", out.order.betting_up));
  TALLA_TRY_STATUS(direction("mano", out.order.mano_up));
  TALLA_TRY_STATUS(direction("show", out.order.show_up));
  TALLA_TRY(out.order.mano_rotates, from.flag("mano_rotates"));
  if (from.has("first_card")) {
    TALLA_TRY(out.order.deal_from_left, from.either("first_card", "dealer-left", "mano"));
  }
  if (from.has("equal_showing")) {
    TALLA_TRY(out.order.equal_right, from.either("equal_showing", "right", "deal"));
  }
  return from.finish();
}

Status Reading::fee_by_pot(Figures& from) {
  TALLA_TRY(out.fee.rate, from.fraction("rate", 1));
  TALLA_TRY(out.fee.each_interval, from.either("taken", "interval", "hand"));
  TALLA_TRY(out.fee.on_uncalled, from.either("uncalled", "counts", "free"));
  TALLA_TRY(const auto cap, from.fraction("cap", multiple_max));
  out.fee.cap = in_chips(cap);
  if (table != nullptr && cap > Fraction(0) && out.fee.cap == 0)
    return fail(Errc::parameter_not_allowed, "the cap of the fee is less than a chip");
  return {};
}

Status Reading::fee() {
  TALLA_TRY(auto from, block("fee"));
  out.fee.cite = from.cite();
  TALLA_TRY(const auto kind, from.word("kind", {"pot", "session", "hand"}));
  out.fee.kind = kind == "pot"       ? FeeKind::pot
                 : kind == "session" ? FeeKind::session
                                     : FeeKind::hand;
  TALLA_TRY_STATUS(fee_by_pot(from));
  TALLA_TRY(out.fee.session_rate, from.fraction("session_rate", 1));
  TALLA_TRY(out.fee.session_of_resto, from.either("session_of", "resto", "table-max"));
  TALLA_TRY(out.fee.session_halves, from.flag("session_halves"));
  TALLA_TRY(const auto smallest, from.word("smallest", {"chip", "unit"}));
  out.fee.smallest = smallest == "chip" ? chip() : 1;
  if (from.has("hand_rate")) {
    TALLA_TRY(const auto rate, from.fraction("hand_rate", 1));
    out.fee.of_hand = (rate * Fraction(min())).floor() / out.fee.smallest * out.fee.smallest;
  } else if (out.fee.kind == FeeKind::hand) {
    return from.wrong("hand_rate", "is missing");
  }
  return from.finish();
}

Status Reading::forced() {
  TALLA_TRY(auto from, block("forced"));
  out.forced.cite = from.cite();
  if (from.has("chain")) {
    TALLA_TRY(out.forced.chain, from.flag("chain"));
  }
  TALLA_TRY(const auto kind, from.word("kind", {"ante", "blinds", "ante-and-blinds"}));
  TALLA_TRY(const auto ante, from.fraction("ante", 1));
  if (kind != "blinds") out.forced.ante = in_chips(ante);
  if (table != nullptr && kind != "blinds" && out.forced.ante == 0)
    return fail(Errc::parameter_not_allowed, "the ante is less than a chip at this minimum");
  if (!from.has("blinds")) return from.finish();
  TALLA_TRY(const auto* blinds, from.list("blinds"));
  for (const auto& one : *blinds) {
    TALLA_TRY(const auto share, from.fraction_of(one, "blinds", multiple_max));
    if (kind == "ante") continue;
    out.forced.blinds.push_back(in_chips(share));
    if (table != nullptr && out.forced.blinds.back() == 0)
      return fail(Errc::parameter_not_allowed, "a blind is less than a chip at this minimum");
  }
  return from.finish();
}

Status Reading::betting() {
  TALLA_TRY(auto from, block("betting"));
  out.betting.cite = from.cite();
  TALLA_TRY(out.betting.raise_of_last, from.either("min_raise", "last-raise", "table-min"));
  TALLA_TRY(out.betting.pot_after_call, from.either("pot", "after-call", "as-it-stands"));
  TALLA_TRY(out.betting.raises_max, from.number("raises_max", 0, 1000));
  if (from.has("two_players")) {
    TALLA_TRY(out.betting.raises_free_of_two, from.either("two_players", "free", "limited"));
  }
  TALLA_TRY(out.betting.short_reopens, from.either("short_raise", "reopens", "no-reopen"));
  TALLA_TRY(out.betting.early_at_once, from.either("early_bet", "at-once", "in-turn"));
  TALLA_TRY(out.betting.max_binds, from.flag("max_binds"));
  return from.finish();
}

Result<Limit> limit_from(const Figures& from, const json::Value& value) {
  static constexpr std::array<std::string_view, 9> names = {"none",  "pot",       "half-pot",
                                                            "lower", "higher",    "by-pair",
                                                            "pair",  "pot-dealt", "half-pot-dealt"};
  const auto found =
      value.is_string() ? std::find(names.begin(), names.end(), value.string()) : names.end();
  if (found == names.end())
    return from.wrong(
        "modes", "none, pot, half-pot, lower, higher, by-pair, pair, pot-dealt or half-pot-dealt");
  return static_cast<Limit>(found - names.begin());
}

Status Reading::limits() {
  TALLA_TRY(auto from, block("limits"));
  TALLA_TRY(const auto mode, from.word("mode", {"fixed-limit", "split-limit", "pot-limit",
                                                "no-limit", "lower-higher", "limited-pot"}));
  TALLA_TRY(const auto* modes, from.object("modes"));
  TALLA_TRY(const auto most, from.fraction("table_max", multiple_max));
  out.betting.table_min = min();
  out.betting.lower = min();
  out.betting.table_max = std::max(out.betting.table_min, in_chips(most));
  out.betting.higher = out.betting.table_max;
  if (from.has("higher")) {
    TALLA_TRY(const auto higher, from.fraction("higher", multiple_max));
    out.betting.higher = std::max(out.betting.lower, in_chips(higher));
  }
  if (from.has("pair")) {
    TALLA_TRY(out.betting.pair_of_holder, from.either("pair", "holder", "all"));
  }
  for (const auto& [name, rows] : modes->object()) {
    if (!rows.is_array() || rows.array().empty()) return from.wrong("modes", name + " is a list");
    for (const auto& row : rows.array()) {
      TALLA_TRY(const auto limit, limit_from(from, row));
      if (name == mode) out.betting.limits.push_back(limit);
    }
  }
  if (out.betting.limits.empty()) return from.wrong("modes", "has no " + mode);
  return from.finish();
}

Result<Street> street_from(const Figures& from, const json::Value& row) {
  static constexpr std::array<std::string_view, 7> tokens = {"own",  "own-open", "common", "second",
                                                             "burn", "dead",     "draw"};
  static constexpr std::array<std::string_view, 7> openers = {
      "mano",           "after-blinds",  "last-bettor", "highest-showing",
      "lowest-showing", "highest-stays", "pot-opener"};
  const auto* deal = row.find("deal");
  const auto* opens = row.find("opens");
  if (!row.is_object() || row.object().size() != 2 || deal == nullptr || opens == nullptr ||
      !deal->is_array() || deal->array().empty() || !opens->is_string()) {
    return from.wrong("rows", "a row is { deal = [...], opens = \"...\" }");
  }
  Street out;
  for (const auto& one : deal->array()) {
    const auto found =
        one.is_string() ? std::find(tokens.begin(), tokens.end(), one.string()) : tokens.end();
    if (found == tokens.end())
      return from.wrong("rows", "own, own-open, common, second, burn, dead or draw");
    out.deal.push_back(static_cast<Token>(found - tokens.begin()));
  }
  const auto opener = std::find(openers.begin(), openers.end(), opens->string());
  if (opener == openers.end())
    return from.wrong(
        "rows",
        "opens: mano, after-blinds, last-bettor, highest-showing, lowest-showing, highest-stays or "
        "pot-opener");
  out.opens = static_cast<Opener>(opener - openers.begin());
  return out;
}

Status Reading::streets() {
  TALLA_TRY(auto from, block("streets"));
  std::string rows = "rows";
  if (from.has("rows_shown")) {  // the first common card lies open before the first interval
    TALLA_TRY(const auto first, from.word("first_common", {"closed", "shown"}));
    TALLA_TRY(const auto* other, from.list(first == "shown" ? "rows" : "rows_shown"));
    for (const auto& row : *other) {
      if (auto street = street_from(from, row); !street) return pass(std::move(street));
    }
    if (first == "shown") rows = "rows_shown";
  }
  TALLA_TRY(const auto* list, from.list(rows));
  for (const auto& row : *list) {
    TALLA_TRY(auto street, street_from(from, row));
    out.streets.push_back(std::move(street));
  }
  TALLA_TRY_STATUS(from.finish());
  if (out.dead_cards() == 0) return {};
  TALLA_TRY(auto dead, block("dead"));
  out.dead.cite = dead.cite();
  TALLA_TRY(out.dead.discards_mixed, dead.either("discards", "mixed", "left-out"));
  return dead.finish();
}

/// Whole ranks are taken from the bottom of one French deck.
Status Reading::deck() {
  if (!rules.shoe) return fail(Errc::catalogue_malformed, rules.id + ": needs a shoe");
  out.shoe = *rules.shoe;
  if (!rules.data.contains("deck")) return {};
  TALLA_TRY(auto from, block("deck"));
  TALLA_TRY(const auto size, from.word("size", {"52", "48", "44", "40", "36", "32"}));
  if (rules.shoe->deck != "french52x1")
    return from.wrong("size", "cards are taken from french52x1");
  out.shoe.cards_count = static_cast<std::uint32_t>((size[0] - '0') * 10 + (size[1] - '0'));
  const auto gone = std::string_view("23456").substr(0, (52 - out.shoe.cards_count) / 4);
  if (!gone.empty()) out.shoe.deck = "french52-" + std::string(gone) + "x1";
  return from.finish();
}

Status Reading::exchange() {
  if (!rules.data.contains("draw")) return {};
  TALLA_TRY(auto from, block("draw"));
  auto& to = out.exchange;
  to.cite = from.cite();
  TALLA_TRY(to.most, from.number("most", 1, 4));
  TALLA_TRY(to.from_opener, from.either("first", "pot-opener", "mano"));
  TALLA_TRY(to.last_of_most, from.either("last_card", "after-all", "with-others"));
  TALLA_TRY(to.at_last_card, from.either("reshuffle", "last-card", "deck-out"));
  TALLA_TRY(to.openers_left_out, from.either("left_out", "opener-and-own", "own-when-last"));
  TALLA_TRY(to.retired_before_own, from.either("lack", "retired-then-own", "own-then-retired"));
  return from.finish();
}

Status Reading::opening() {
  if (!rules.data.contains("opening")) return {};
  TALLA_TRY(auto from, block("opening"));
  auto& to = out.opening;
  to.cite = from.cite();
  TALLA_TRY(const auto* list, from.list("pairs"));
  for (const auto& one : *list) {
    if (!one.is_integer() || one.integer() < 2 || one.integer() > 14)
      return from.wrong("pairs", "ranks from 2 to 14, the ace");
    to.pairs.push_back(static_cast<int>(one.integer()));
  }
  TALLA_TRY(to.ante_once, from.either("ante", "first", "every"));
  TALLA_TRY(to.mano_stays, from.either("mano", "stays", "moves"));
  TALLA_TRY_STATUS(from.finish());
  TALLA_TRY(auto wrong, block("false_opening"));
  to.false_cite = wrong.cite();
  TALLA_TRY(to.bet_stays, wrong.either("uncalled", "stays", "returned"));
  return wrong.finish();
}

Status Reading::combinations() {
  TALLA_TRY(auto from, block("combinations"));
  poker::HandOrder order;
  const auto names = [&](std::string_view key) -> Status {
    TALLA_TRY(const auto* list, from.list(key));
    order.low_to_high.clear();
    for (const auto& one : *list) {
      if (!one.is_string()) return from.wrong(key, "names of combinations");
      TALLA_TRY(const auto category, poker::category_from(one.string()));
      order.low_to_high.push_back(category);
    }
    return {};
  };
  std::vector<poker::Category> stripped;  // of a deck without its lowest ranks; checked in any case
  if (from.has("stripped")) {
    TALLA_TRY_STATUS(names("stripped"));
    if (auto ranker = poker::Ranker::create(order); !ranker) return pass(std::move(ranker));
    stripped = order.low_to_high;
  }
  TALLA_TRY_STATUS(names("low_to_high"));
  const std::uint32_t gone = rules.shoe->cards_count - out.shoe.cards_count;
  if (gone > 0 && !stripped.empty()) order.low_to_high = stripped;
  TALLA_TRY(const auto lowest, from.number("lowest_rank", 2, 10));
  order.lowest_rank = static_cast<int>(lowest) + static_cast<int>(gone / 4);
  TALLA_TRY(order.full_kickers, from.either("ties", "all-cards", "named-cards"));
  TALLA_TRY(auto ranker, poker::Ranker::create(order));
  out.hands.ranker.assign(1, std::move(ranker));
  return from.finish();
}

Status Reading::hand() {
  TALLA_TRY(auto from, block("hand"));
  TALLA_TRY(const auto made, from.word("made", {"best-five", "two-and-three"}));
  out.hands.made = made == "best-five" ? Made::best_five : Made::two_and_three;
  if (from.has("common_rows")) {
    TALLA_TRY(const auto rows, from.number("common_rows", 1, 2));
    out.hands.two_rows = rows == 2;
  }
  if (from.has("low")) {
    TALLA_TRY(const auto low, from.number("low", 5, 13));
    out.hands.low = static_cast<int>(low);
  }
  TALLA_TRY_STATUS(from.finish());
  if (out.hands.low == 0 && !out.hands.two_rows) return {};
  if (out.hands.low != 0 && (out.hands.two_rows || out.hands.made != Made::two_and_three))
    return from.wrong("low", "needs one row, and hands of two and three cards");
  TALLA_TRY(auto division, block("division"));
  out.hands.division_cite = division.cite();
  return division.finish();
}

Status Reading::showdown() {
  TALLA_TRY(auto from, block("showdown"));
  out.showdown.cite = from.cite();
  TALLA_TRY(out.showdown.may_renounce, from.flag("may_renounce"));
  TALLA_TRY(out.showdown.last_bettor_shows, from.either("first", "last-bettor", "opener"));
  TALLA_TRY(const auto split, from.word("split", {"side-pots", "by-contribution", "by-stack"}));
  out.showdown.split = split == "side-pots"         ? Split::side_pots
                       : split == "by-contribution" ? Split::by_contribution
                                                    : Split::by_stack;
  TALLA_TRY_STATUS(from.finish());
  TALLA_TRY(auto misdeal, block("misdeal"));
  out.misdeal.cite = misdeal.cite();
  TALLA_TRY(out.misdeal.ante_stays, misdeal.either("antes", "stay", "returned"));
  if (misdeal.has("exposed")) {
    TALLA_TRY(out.misdeal.exposed_only_his, misdeal.either("exposed", "player", "all"));
  }
  return misdeal.finish();
}

}  // namespace

Result<Law> read_law(const GameRules& rules, const TableView* table) {
  Law out;
  Reading reading{rules, table, out};
  TALLA_TRY_STATUS(reading.seats());
  TALLA_TRY_STATUS(reading.order());
  TALLA_TRY_STATUS(reading.deck());
  TALLA_TRY_STATUS(reading.fee());
  TALLA_TRY_STATUS(reading.forced());
  TALLA_TRY_STATUS(reading.betting());
  TALLA_TRY_STATUS(reading.limits());
  TALLA_TRY_STATUS(reading.streets());
  TALLA_TRY_STATUS(reading.exchange());
  TALLA_TRY_STATUS(reading.opening());
  TALLA_TRY_STATUS(reading.combinations());
  TALLA_TRY_STATUS(reading.hand());
  TALLA_TRY_STATUS(reading.showdown());
  return out;
}

std::size_t Law::own_cards() const {
  std::size_t out = 0;
  for (const auto& street : streets) {
    for (const auto token : street.deal)
      if (token == Token::own || token == Token::own_open) ++out;
  }
  return out;
}

std::size_t Law::dead_cards() const {
  std::size_t out = 0;
  for (const auto& street : streets)
    out +=
        static_cast<std::size_t>(std::count(street.deal.begin(), street.deal.end(), Token::dead));
  return out;
}

std::size_t Law::players_most(std::size_t cards) const {
  std::size_t own = 0;
  std::size_t others = 0;
  for (const auto& street : streets) {
    for (const auto token : street.deal) {
      const bool his = token == Token::own || token == Token::own_open;
      own += his ? 1 : 0;
      others += his || token == Token::draw ? 0 : 1;
    }
  }
  if (dead_cards() > 0 && own > 0) --own;
  return own == 0 || cards < others ? 0 : (cards - others) / own;
}

const Law& law_of(const Table& table) {
  const auto& prepared = table.prepared<PreparedLaw>();
  TALLA_CHECK(prepared.law.has_value());
  return *prepared.law;
}

std::string numbered(std::string_view what, std::size_t number) {
  return std::string(what) + "-" + std::to_string(number);
}

std::string own_place(Seat seat, std::size_t card) {
  return numbered("seat", seat) + "-" + numbered("card", card);
}

std::string draw_place(Seat seat, std::size_t card) {
  return numbered("seat", seat) + "-" + numbered("draw", card);
}

OwnPlace own_place_of(std::string_view place) {
  OwnPlace out;
  const auto digits = [&](std::string_view word, std::size_t& number) {
    if (!place.starts_with(word)) return false;
    place.remove_prefix(word.size());
    std::size_t length = 0;
    while (length < place.size() && length < 3 && place[length] >= '0' && place[length] <= '9') {
      number = number * 10 + static_cast<std::size_t>(place[length++] - '0');
    }
    place.remove_prefix(length);
    return length > 0;
  };
  std::size_t seat = 0;
  std::size_t card = 0;
  if (!digits("seat-", seat) || !digits("-card-", card) || !place.empty()) return {};
  out.seat = static_cast<Seat>(seat);
  out.card = card;
  return out;
}

}  // namespace talla::games::circle
