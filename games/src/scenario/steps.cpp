#include "scenario/steps.hpp"

#include <algorithm>
#include <set>

#include "code.hpp"
#include "engines/shared/state_json.hpp"
#include "games/session_end.hpp"

namespace talla::games {
namespace {

/// A code written as text or as a number.
Result<std::string> step_code(const json::Value& value, const std::string& where) {
  if (value.is_integer() || value.is_string()) return code_text(value);
  return bad_scenario(where + ": a code is a string or an integer");
}

Result<std::vector<std::string>> step_codes(const json::Value& value, const std::string& where) {
  std::vector<std::string> out;
  if (!value.is_array()) {
    TALLA_TRY(auto code, step_code(value, where));
    out.push_back(std::move(code));
    return out;
  }
  for (const auto& one : value.array()) {
    TALLA_TRY(auto code, step_code(one, where));
    out.push_back(std::move(code));
  }
  return out;
}

/// Numbers that are well formed, but none that a table takes: the refusal of the first, and 1 in
/// the place of each.
std::optional<Error> take_numbers(json::Object& step) {
  std::optional<Error> out;
  for (const auto* name : {"seat", "box", "stake", "amount"}) {
    const auto found = step.find(std::string_view(name));
    if (found == step.end() || !found->second.is_integer()) continue;
    const auto value = found->second.integer();
    const bool amount = name == std::string_view("stake") || name == std::string_view("amount");
    if (value >= 1 && (amount || value <= seat_max)) continue;
    found->second = 1;
    if (out) continue;
    out = amount ? Error(Errc::amount_invalid, std::string(name) + " is at least one unit")
                 : Error(Errc::seat_invalid,
                         "no such " + std::string(name) + ": " + std::to_string(value));
  }
  return out;
}

/// The step's object read as the event of that name: numbers in `on` become codes first.
Result<std::optional<Event>> object_event(const std::string& name, const json::Value& value) {
  if (!value.is_object()) return bad_scenario(name + " is an object");
  json::Object event = value.object();
  if (event.contains("event")) return bad_scenario(name + ": unknown member event");
  if (const auto on = event.find("on"); on != event.end()) {
    TALLA_TRY(const auto codes, step_codes(on->second, name + ".on"));
    on->second = json::Array(codes.begin(), codes.end());
  }
  const auto refused = take_numbers(event);
  event["event"] = name;
  auto read = event_from_json(json::Value(std::move(event)));
  if (!read) return bad_scenario(name + ": " + read.error().detail);
  if (refused) return tl::unexpected<Error>(*refused);
  return std::optional<Event>(std::move(*read));
}

Result<std::optional<Event>> flag_event(const std::string& name, const json::Value& value,
                                        Event event) {
  if (!value.is_bool() || !value.boolean()) return bad_scenario(name + " is true");
  return std::optional<Event>(std::move(event));
}

tl::unexpected<Error> bad_session() {
  return bad_scenario("session is \"last\", {\"last\": 3} or {\"last\": \"shoe\"}");
}

/// "last": the next round is the last; {"last": 3}: so many are left; {"last": "shoe"}.
Result<std::optional<Event>> session_event(const json::Value& value) {
  if (value.is_string() && value.string() == "last") return std::optional<Event>(LastRound{});
  if (!value.is_object()) return bad_session();
  json::Reader reader(value, "session");
  const auto* last = reader.optional("last");
  if (last == nullptr || !reader.finish()) return bad_session();
  TALLA_TRY(const auto event, session_end_from(*last));
  return std::optional<Event>(event);
}

}  // namespace

Result<std::optional<ShoeOpened>> ScenarioSource::open_shoe(const ShoeNeed& need) {
  if (!shoe_) return std::optional<ShoeOpened>();
  const bool in_play = *shoe_;
  shoe_.reset();
  const auto deck = shuffle::DeckSpec::parse(need.deck);
  deck_ = deck ? std::optional(*deck) : std::nullopt;
  dealt_.clear();
  return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, in_play});
}

Status ScenarioSource::take(const DealPlace& place, Card card) {
  const int copies = deck_ ? deck_->copies_of(card) : 0;
  if (copies == 0 || place.face == Face::unseen) return {};
  const auto same = [&](const auto& one) { return one.second == card; };
  const auto lies = std::find_if(dealt_.begin(), dealt_.end(), same);
  if (copies == 1 && lies != dealt_.end())
    return fail(Errc::card_invalid, place.place + ": " + card.text() + " lies at " + lies->first +
                                        ", and the deck has one");
  const auto out = std::count_if(dealt_.begin(), dealt_.end(), same);
  if (out >= copies)
    return fail(Errc::card_invalid, place.place + ": all " + std::to_string(copies) + " " +
                                        card.text() + " of the shoe have been dealt");
  dealt_.emplace_back(place.place, card);
  return {};
}

Result<CardSource::Next> ScenarioSource::next_card(const DealPlace& place) {
  std::optional<Card> card;
  if (const auto found = at_.find(place.place); found != at_.end()) {
    card = found->second;
    at_.erase(found);
  } else if (!queue_.empty()) {
    card = queue_.front();
    queue_.pop_front();
  }
  if (!card) return Next{};
  TALLA_TRY_STATUS(take(place, *card));
  if (std::exchange(round_over_, false)) looked_.clear();
  if (place.face == Face::covered) {
    covered_[place.place] = *card;
    if (!place.seats.empty()) looked_.insert_or_assign(place.place, Looked{*card, place.seats});
  }
  return Next{true, card};
}

Result<std::optional<Card>> ScenarioSource::reveal(const std::string& place) {
  const auto found = covered_.find(place);
  if (found == covered_.end()) return std::optional<Card>();
  const Card card = found->second;
  covered_.erase(found);
  return std::optional<Card>(card);
}

json::Object ScenarioSource::own_cards(Seat seat) const {
  json::Object out;
  for (const auto& [place, one] : looked_) {
    if (std::find(one.seats.begin(), one.seats.end(), seat) != one.seats.end())
      out.emplace(place, one.card.text());
  }
  return out;
}

Result<bool> ScenarioSource::shuffle(const Shuffle& need) {
  for (const auto& place : need.places) {
    covered_.erase(place);
    std::erase_if(dealt_, [&](const auto& one) { return one.first == place; });
  }
  return true;  // the cards that follow in the queue are the new order
}

Result<std::optional<DrawResult>> ScenarioSource::draw(const Draw& /*need*/) {
  return std::optional<DrawResult>();
}

Result<std::optional<Units>> ScenarioSource::read_meter(const std::string& meter) {
  const auto found = meters_.find(meter);
  if (found == meters_.end()) return std::optional<Units>();
  const Units value = found->second;
  meters_.erase(found);
  return std::optional<Units>(value);
}

Status check_step(const json::Value& step) {
  static const std::set<std::string, std::less<>> names = {
      "bet",  "withdraw",        "close",   "act",     "timeout", "wheel",
      "dice", "balls",           "lots",    "shoe",    "cards",   "at",
      "void", "stop_card_after", "misdeal", "session", "meter",   "confirm"};
  if (!step.is_object() || step.object().size() != 1)
    return bad_scenario("a step is an object with one member");
  const auto& name = step.object().begin()->first;
  if (names.contains(name)) return {};
  std::string allowed;
  for (const auto& one : names) allowed += (allowed.empty() ? "" : ", ") + one;
  return bad_scenario("unknown step: " + name.substr(0, 40) + "; there are: " + allowed);
}

Result<std::optional<Event>> step_event(const std::string& name, const json::Value& value) {
  static const std::set<std::string> objects = {"bet", "withdraw", "act", "timeout", "misdeal"};
  if (objects.contains(name)) return object_event(name, value);
  if (name == "close") return flag_event(name, value, CloseBets{});
  if (name == "void") return flag_event(name, value, VoidDraw{});
  if (name == "confirm") return flag_event(name, value, ConfirmHand{});
  if (name == "session") {
    return session_event(value);
  }
  return std::optional<Event>();
}

Result<std::optional<DrawResult>> step_draw(const std::string& name, const json::Value& value) {
  auto kind = draw_kind_from(name);
  if (!kind) return std::optional<DrawResult>();
  if ((*kind == DrawKind::wheel) == value.is_array()) {
    return bad_scenario(name +
                        (*kind == DrawKind::wheel ? " is one pocket" : " is a list of values"));
  }
  TALLA_TRY(auto values, step_codes(value, name));
  if (values.empty()) return bad_scenario(name + " is empty");
  return std::optional<DrawResult>(DrawResult{*kind, std::move(values)});
}

}  // namespace talla::games
