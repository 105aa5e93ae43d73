#include "games/driver.hpp"

#include <algorithm>

namespace talla::games {

ShoeAccount ShoeAccount::fresh(std::uint32_t cards_count, std::uint32_t stop_depth) {
  return {cards_count, cards_count - std::min(stop_depth, cards_count), 0, false, 0};
}

void ShoeAccount::shuffled(std::uint32_t back_count) {
  ShoeAccount next = fresh(cards_count - dealt + back_count, cards_count - stop_after);
  next.stop_shown = stop_shown;
  next.kept = kept + dealt - back_count;
  *this = next;
}

Result<Driver> Driver::start(const Table& table, Journal journal) {
  TALLA_TRY(auto state, table.engine().initial(table));
  return Driver(table, std::move(state), {}, journal);
}

Driver::Driver(const Table& table, State state, std::optional<ShoeAccount> shoe, Journal journal)
    : table_(&table), state_(std::move(state)), shoe_(shoe), journal_(journal) {}

std::optional<DealPlace> Driver::next_card_place() const {
  const auto due = table_->engine().forced(*table_, state_);
  if (due.kind != Forced::Kind::card) return std::nullopt;
  return due.place();
}

bool Driver::stop_card_due() const {
  return shoe_ && shoe_->stop_due() && next_card_place().has_value();
}

Status Driver::check_account(const Event& event) const {
  if (std::holds_alternative<StopCard>(event) && !stop_card_due()) {
    return fail(Errc::not_due, "the stop card is not before this card");
  }
  if (const auto* shuffled = std::get_if<Shuffled>(&event)) {
    const Needs now = needs();
    const auto* due = find_need<Shuffle>(now);
    if (due == nullptr || due->places != shuffled->places)
      return fail(Errc::not_due, "no such shuffle is due");
    if (shoe_ && due->cards_count > shoe_->dealt + shoe_->kept)
      return fail(Errc::not_due, "more cards than are out go back");
  }
  if (!std::holds_alternative<CardDealt>(event)) return {};
  if (!shoe_) return fail(Errc::no_shoe, "no shoe is open");
  if (stop_card_due()) return fail(Errc::not_due, "the stop card comes before this card");
  if (shoe_->dealt >= shoe_->cards_count) return fail(Errc::cards_exhausted, "the shoe is empty");
  return {};
}

void Driver::update_account(const Event& event, std::uint32_t figure) {
  if (const auto* opened = std::get_if<ShoeOpened>(&event))
    shoe_ = ShoeAccount::fresh(opened->cards_count, figure);
  if (!shoe_) return;
  if (std::holds_alternative<Shuffled>(event)) shoe_->shuffled(figure);
  if (std::holds_alternative<CardDealt>(event)) ++shoe_->dealt;
  if (std::holds_alternative<StopCard>(event)) shoe_->stop_shown = true;
  if (std::holds_alternative<ShoeClosed>(event)) shoe_.reset();
}

void Driver::keep_settlements() {
  const auto& all = settled();
  settlements_.insert(settlements_.end(), all.begin(), all.end());
}

Status Driver::step_of_shoe(const Event& event) {
  TALLA_TRY_STATUS(check_account(event));
  std::uint32_t figure = 0;
  if (std::holds_alternative<ShoeOpened>(event)) {
    const Needs before = needs();
    if (const auto* need = find_need<ShoeNeed>(before)) figure = need->stop_depth;
  } else if (std::holds_alternative<Shuffled>(event)) {
    const Needs before = needs();
    if (const auto* need = find_need<Shuffle>(before)) figure = need->cards_count;
  }
  auto status = table_->engine().advance(*table_, state_, event);
  if (status) update_account(event, figure);
  return status;
}

Status Driver::step(const Event& event) {
  const bool of_shoe =
      std::holds_alternative<CardDealt>(event) || std::holds_alternative<StopCard>(event) ||
      std::holds_alternative<ShoeOpened>(event) || std::holds_alternative<ShoeClosed>(event) ||
      std::holds_alternative<Shuffled>(event);
  auto status = of_shoe ? step_of_shoe(event) : table_->engine().advance(*table_, state_, event);
  if (status && journal_ == Journal::keep) keep_settlements();
  return status;
}

Status Driver::apply(const Event& event) {
  auto status = step(event);
  if (status && journal_ == Journal::keep) events_.push_back(event);
  return status;
}

Status Driver::apply(Event&& event) {
  auto status = step(event);
  if (status && journal_ == Journal::keep) events_.push_back(std::move(event));
  return status;
}

Status Driver::would_take(const Event& event) const {
  Driver trial(*table_, state_, shoe_, Journal::off);
  return trial.apply(event);
}

void Driver::close_shoe() {
  if (!apply(ShoeClosed{})) shoe_.reset();
}

Status Driver::pass_stop_card() {
  return stop_card_due() ? apply(StopCard{}) : Status();
}

Status Driver::deal(std::optional<Card> card) {
  const auto place = next_card_place();
  if (!place) return fail(Errc::not_due, "no card is due");
  if (card.has_value() != (place->face == Face::open)) {
    return fail(Errc::card_invalid, "a card is named exactly when its place is open");
  }
  return apply(CardDealt{place->place, place->face, card});
}

Result<bool> Driver::serve_shoe(const ShoeNeed& need, CardSource& cards) {
  TALLA_TRY(const auto opened, cards.open_shoe(need));
  if (!opened) return false;
  TALLA_TRY_STATUS(apply(*opened));
  return true;
}

Result<bool> Driver::serve_card(const DealPlace& place, CardSource& cards) {
  if (stop_card_due()) {
    TALLA_TRY_STATUS(apply(StopCard{}));
    return true;
  }
  if (!shoe_) return fail(Errc::no_shoe, "no shoe is open");
  if (shoe_->dealt >= shoe_->cards_count) return fail(Errc::cards_exhausted, "the shoe is empty");
  TALLA_TRY(const auto next, cards.next_card(place));
  if (!next.available) return false;
  const bool open = place.face == Face::open;
  if (open && !next.card)
    return fail(Errc::card_invalid, "an open place needs a card that is named");
  TALLA_TRY_STATUS(apply(CardDealt{place.place, place.face, open ? next.card : std::nullopt}));
  return true;
}

Result<bool> Driver::serve(CardSource& cards, DrawSource& draws) {
  const auto due = table_->engine().forced(*table_, state_);
  switch (due.kind) {
    case Forced::Kind::nothing:
      return false;
    case Forced::Kind::card: {
      TALLA_TRY(const bool dealt, serve_card(due.place(), cards));
      return dealt ? Result<bool>(true) : serve_other(cards, draws);
    }
    case Forced::Kind::draw: {
      TALLA_TRY(auto result, draws.draw(*due.draw));
      if (!result) return false;
      TALLA_TRY_STATUS(apply(*std::move(result)));
      return true;
    }
    case Forced::Kind::other:
      break;
  }
  return serve_other(cards, draws);
}

Result<bool> Driver::serve_other(CardSource& cards, DrawSource& draws) {
  const Needs now = needs();
  if (const auto* need = find_need<Reveal>(now)) {
    TALLA_TRY(const auto card, cards.reveal(need->place));
    if (card) {
      TALLA_TRY_STATUS(apply(CardRevealed{need->place, *card}));
      return true;
    }
  }
  if (const auto* need = find_need<Draw>(now)) {
    TALLA_TRY(auto result, draws.draw(*need));
    if (result) {
      TALLA_TRY_STATUS(apply(*std::move(result)));
      return true;
    }
  }
  if (const auto* need = find_need<Shuffle>(now)) {
    TALLA_TRY(const bool done, cards.shuffle(*need));
    if (done) {
      TALLA_TRY_STATUS(apply(Shuffled{need->places}));
      return true;
    }
  }
  if (const auto* need = find_need<ReadMeter>(now)) {
    TALLA_TRY(const auto value, draws.read_meter(need->meter));
    if (value) {
      TALLA_TRY_STATUS(apply(MeterRead{need->meter, *value}));
      return true;
    }
  }
  if (const auto* need = find_need<ShoeNeed>(now)) return serve_shoe(*need, cards);
  return false;
}

Status Driver::advance(CardSource& cards, DrawSource& draws) {
  for (;;) {
    TALLA_TRY(const bool served, serve(cards, draws));
    if (!served) return {};
  }
}

void Driver::set_stop_after(std::uint32_t stop_after) {
  TALLA_CHECK(shoe_.has_value());
  shoe_->stop_after = std::min(stop_after, shoe_->cards_count);
}

}  // namespace talla::games
