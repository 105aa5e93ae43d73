#include "games/need.hpp"

#include <array>
#include <type_traits>

#include "engines/shared/state_json.hpp"

namespace talla::games {
namespace {

template <class E, std::size_t N>
Result<E> by_name(const std::array<E, N>& all, std::string_view (*name_of)(E),
                  std::string_view name, std::string_view what) {
  for (const auto one : all) {
    if (name_of(one) == name) return one;
  }
  return fail(Errc::state_malformed, "unknown " + std::string(what));
}

json::Value choice_json(const ActionChoice& choice) {
  json::Object out{{"do", choice.action}};
  if (!choice.bet.empty()) out["bet"] = choice.bet;
  if (choice.max > 0) {
    out["min"] = choice.min;
    out["max"] = choice.max;
    out["step"] = choice.step;
  }
  if (!choice.places.empty()) {
    out["cards"] = json::Object{{"places", texts_json(choice.places)},
                                {"min", choice.cards_min},
                                {"max", choice.cards_max}};
  }
  return out;
}

struct NeedWriter {
  json::Value operator()(const BetsOpen& need) const {
    return json::Object{{"need", "bets"}, {"can_close", need.can_close}};
  }
  json::Value operator()(const ShoeNeed& need) const {
    json::Object out{{"need", "shoe"},
                     {"deck", need.deck},
                     {"cards_count", need.cards_count},
                     {"stop_depth", need.stop_depth}};
    if (need.covered) out["disclosure"] = "covered";
    return out;
  }
  json::Value operator()(const Deal& need) const {
    json::Array cards;
    for (const auto& card : need.cards) {
      json::Object one{{"place", card.place}, {"face", face_name(card.face)}};
      if (!card.seats.empty()) one["seats"] = json::Array(card.seats.begin(), card.seats.end());
      cards.emplace_back(std::move(one));
    }
    return json::Object{{"need", "deal"}, {"cards", std::move(cards)}};
  }
  json::Value operator()(const Reveal& need) const {
    return json::Object{{"need", "reveal"}, {"place", need.place}};
  }
  json::Value operator()(const Draw& need) const {
    json::Object out{{"need", "draw"}, {"kind", draw_kind_name(need.kind)}, {"count", need.count}};
    if (need.kind == DrawKind::wheel) {
      out["pockets"] = texts_json(need.pockets);
    } else {
      out["faces"] = need.faces;
    }
    return out;
  }
  json::Value operator()(const Shuffle& need) const {
    return json::Object{{"need", "shuffle"},
                        {"places", texts_json(need.places)},
                        {"cards", need.cards_count},
                        {"rule", need.rule}};
  }
  json::Value operator()(const Decide& need) const {
    json::Array choices;
    for (const auto& choice : need.choices) choices.push_back(choice_json(choice));
    return json::Object{{"need", "decide"},
                        {"seat", need.seat},
                        {"required", need.required},
                        {"choices", std::move(choices)}};
  }
  json::Value operator()(const ReadMeter& need) const {
    return json::Object{{"need", "meter"}, {"meter", need.meter}};
  }
  json::Value operator()(const Confirm& /*need*/) const {
    return json::Object{{"need", "confirm"}};
  }
  json::Value operator()(const Settled& /*need*/) const {
    return json::Object{{"need", "settled"}};
  }
};

}  // namespace

std::string_view face_name(Face face) {
  switch (face) {
    case Face::open:
      return "open";
    case Face::covered:
      return "covered";
    case Face::unseen:
      return "unseen";
  }
  return "";
}

Result<Face> face_from(std::string_view name) {
  return by_name(std::array{Face::open, Face::covered, Face::unseen}, &face_name, name, "face");
}

std::string_view draw_kind_name(DrawKind kind) {
  switch (kind) {
    case DrawKind::wheel:
      return "wheel";
    case DrawKind::dice:
      return "dice";
    case DrawKind::balls:
      return "balls";
    case DrawKind::lots:
      return "lots";
  }
  return "";
}

Result<DrawKind> draw_kind_from(std::string_view name) {
  return by_name(std::array{DrawKind::wheel, DrawKind::dice, DrawKind::balls, DrawKind::lots},
                 &draw_kind_name, name, "kind of draw");
}

json::Value to_json(const Needs& needs) {
  json::Array out;
  for (const auto& need : needs) out.push_back(std::visit(NeedWriter{}, need));
  return out;
}

}  // namespace talla::games
