// What a client holds the told outcome of a round against.
#include "wheels.hpp"

#include "format/body_draw.hpp"
#include "words.hpp"

namespace talla::client {

Result<const json::Array*> Wheels::numbers_of(const certs::Record& opening, const Fetch& fetch) {
  if (const auto known = known_.find(opening.object); known != known_.end()) return &known->second;
  const std::string digest = text(opening.body, {"catalogue"});
  TALLA_TRY(const json::Value list, fetch("/v1/catalogues"));
  const json::Value* all = list.find("catalogues");
  std::string id;
  if (all != nullptr && all->is_array()) {
    for (const json::Value& one : all->array())
      if (text(one, {"digest"}) == digest) id = text(one, {"id"});
  }
  if (id.empty()) return disbelieve("the appliance does not have the table's catalogue");
  TALLA_TRY(const json::Value game,
            fetch("/v1/catalogues/" + id + "/" + text(opening.body, {"game"})));
  const json::Value* equipment = game.find("equipment");
  if (equipment != nullptr && equipment->is_array()) {
    for (const json::Value& one : equipment->array()) {
      const json::Value* pockets = one.find("pockets");
      if (pockets != nullptr && pockets->is_array())
        return &known_.emplace(opening.object, pockets->array()).first->second;
    }
  }
  return disbelieve("the table's game has no wheel");
}

Status check_round(const certs::Record& draw, const json::Value& reply,
                   const std::function<Result<const json::Array*>()>& numbers) {
  TALLA_TRY(const auto body, certs::DrawBody::from_json(draw.body));
  json::Array drawn;
  if (body.outcome.form == certs::Outcome::Form::pocket) {
    TALLA_TRY(const json::Array* of_wheel, numbers());
    const auto pocket = static_cast<std::size_t>(body.outcome.values.front());
    if (pocket >= of_wheel->size()) return disbelieve("the table's wheel has no such pocket");
    drawn.push_back((*of_wheel)[pocket]);
  } else {  // dice count from 1 in records too, lots from 0
    const std::uint32_t first = body.outcome.form == certs::Outcome::Form::lots ? 1U : 0U;
    for (const auto value : body.outcome.values) drawn.emplace_back(std::to_string(value + first));
  }
  const json::Value* said = at(reply, {"round", "outcome"});
  if (said != nullptr && *said == json::Value(std::move(drawn))) return {};
  return disbelieve("the round shows another outcome than the log");
}

}  // namespace talla::client
