#include "views.hpp"

#include "again.hpp"
#include "format/domain.hpp"
#include "games/refusal.hpp"
#include "play.hpp"

namespace talla::core {
namespace {

std::string state_digest_of(const HashSuite& hashes, const Table& table) {
  return to_hex(certs::state_digest(hashes, table.state->to_json()));
}

json::Array in_both_languages(const std::vector<std::string>& sentences) {
  json::Array out;
  for (const auto& one : sentences) {
    out.emplace_back(json::Object{{"en", games::refusal_text({}, one, "en")},
                                  {"es", games::refusal_text({}, one, "es")}});
  }
  return out;
}

std::string_view table_state(const Table& table) {
  if (table.closed) return "closed";
  return table.suspended ? "suspended" : "open";
}

std::string_view round_state(const Round& round) {
  if (round.ended) return "ended";
  return round.bets_closed ? "playing" : "betting";
}

}  // namespace

std::string_view stage_name(ShoeStage stage) {
  switch (stage) {
    case ShoeStage::committed:
      return "committed";
    case ShoeStage::mixed:
      return "mixed";
    case ShoeStage::in_play:
      return "in_play";
    case ShoeStage::last_round:
      return "last_round";
    case ShoeStage::closed:
      return "closed";
    case ShoeStage::voided:
      return "voided";
  }
  return "unknown";
}

namespace {

json::Object policy_view(const certs::CallPolicy& policy) {
  json::Array required;
  for (const auto& key : policy.required) required.emplace_back(to_base64(key));
  return {{"required", std::move(required)},
          {"mix", policy.mix == certs::MixRule::round ? "round" : "shoe"},
          {"candidates", policy.candidates},
          {"max_voids", policy.max_voids},
          {"open_within", policy.open_within}};
}

/// What the next core may say of each who has committed ahead.
json::Array contributors_view(const Panel& panel) {
  json::Array out;
  for (const auto& [id, one] : panel.ahead()) {
    const auto next = panel.next_of(id);
    if (!next) continue;
    out.emplace_back(json::Object{{"id", id},
                                  {"key", to_base64(next->key)},
                                  {"t", next->t},
                                  {"commit", to_hex(next->commit)},
                                  {"ahead", panel.left_of(one)}});
  }
  return out;
}

}  // namespace

json::Object table_view(const HashSuite& hashes, const Overlay& world, const Table& table,
                        const games::Viewer& viewer) {
  json::Object view{{"id", table.id},
                    {"place", table.open.place},
                    {"opened", table.open.opened},
                    {"settled_by", table.open.settled_by_client ? "client" : "appliance"},
                    {"game", table.open.game},
                    {"catalogue", to_hex(table.open.catalogue)},
                    {"parameters", table.open.parameters},
                    {"currency", table.open.currency},
                    {"min", table.open.min},
                    {"max", table.open.max},
                    {"state", table_state(table)},
                    {"rounds", table.rounds_count},
                    {"shoes", table.shoes_count},
                    {"variant", table.open.variant},
                    {"turn", table.next_turn()},
                    {"head", to_hex(table.heads.back().head)},
                    {"last", table.heads.back().seq}};
  if (table.open_call) view["call"] = table.open_call->seq;
  if (table.open_call && table.open_call->others > 0) view["open_call"] = table.open_call->seq;
  view["policy"] = policy_view(table.open.policy);
  view["contributors"] = contributors_view(table.panel);
  if (const auto* order = standing_order(table))
    view["again"] = json::Object{{"object", order->object}, {"order", order->order.to_json()}};
  if (!table.open.meters.empty()) {
    json::Object meters;
    for (const auto& [word, id] : table.open.meters) meters[word] = id;
    view["meters"] = std::move(meters);
  }
  if (!table.open.continues.empty()) view["continues"] = table.open.continues;
  if (table.live_shoe) {
    const auto* shoe = world.shoe(*table.live_shoe);
    view["shoe"] = certs::object_id("shoe", *table.live_shoe);
    if (shoe != nullptr) view["position"] = shoe->progress.dealt;
    if (shoe != nullptr && shoe->progress.mix_due) view["mix_due"] = true;
  }
  if (table.live_round) view["round"] = certs::object_id("round", *table.live_round);
  json::Array batches;
  for (const auto batch : table.open_batches)
    batches.emplace_back(certs::object_id("batch", batch));
  view["batches"] = std::move(batches);
  if (table.rules) {
    view["needs"] = games::to_json(table.needs());
    view["state_digest"] = state_digest_of(hashes, table);
    const auto warnings = table.rules->warnings();
    if (!warnings.empty()) view["warnings"] = in_both_languages(warnings);
    view["view"] = table.engine().view(*table.rules, *table.state, viewer);
  }
  return view;
}

json::Object shoe_view(const Shoe& shoe) {
  json::Object view{{"id", shoe.id},
                    {"table", shoe.commit.table},
                    {"number", shoe.commit.number},
                    {"state", stage_name(shoe.stage)},
                    {"cards", shoe.commit.cards},
                    {"deck", shoe.commit.deck},
                    {"root", to_hex(shoe.commit.root)},
                    {"stop_depth", shoe.commit.stop_depth},
                    {"position", shoe.progress.dealt},
                    {"stop_card_out", shoe.stop_out}};
  if (!shoe.replaced.empty()) view["recommits"] = shoe.replaced.size();
  if (shoe.progress.mix) view["mixed"] = shoe.mix_seq;
  if (shoe.live() && shoe.progress.mix_due) view["mix_due"] = true;
  if (shoe.live() && shoe.unpicked()) view["candidates"] = shoe.candidates;
  if (shoe.live() && shoe.spoiled) view["must_close"] = true;
  if (shoe.release) view["release"] = release_view(*shoe.release);
  return view;
}

json::Object release_view(const Release& release) {
  json::Object view{{"seq", release.seq},
                    {"machine", release.body.machine},
                    {"form", certs::form_name(release.body.form)},
                    {"order_known_to", to_hex(release.body.key)},
                    {"ciphertext_digest", to_hex(release.body.ciphertext)}};
  if (release.body.form == certs::ReleaseForm::targets) view["targets"] = release.targets;
  if (release.body.form == certs::ReleaseForm::shelf) {
    view["compartments"] = release.body.compartments;
    view["reverses"] = release.body.reverses;
  }
  if (release.report) view["report"] = release.report->to_json();
  return view;
}

json::Object meter_view(const SharedMeter& meter, json::Array tables) {
  json::Object view{{"id", meter.id},
                    {"meter", meter.open.meter},
                    {"catalogue", to_hex(meter.open.catalogue)},
                    {"game", meter.open.game},
                    {"currency", meter.open.currency},
                    {"unit", meter.open.unit},
                    {"terms", meter.open.terms},
                    {"value", meter.value},
                    {"tables", std::move(tables)},
                    {"state", meter.closed ? "closed" : "open"}};
  if (!meter.open.continues.empty()) view["continues"] = meter.open.continues;
  return view;
}

json::Object batch_view(const Batch& batch) {
  return {{"id", batch.id},
          {"table", batch.commit->table},
          {"root", to_hex(batch.commit->root)},
          {"count", batch.commit->count},
          {"index", batch.progress.next},
          {"expires", batch.commit->expires_us},
          {"state", batch.progress.closed ? "closed" : "open"}};
}

json::Array results_json(const std::vector<games::Settlement>& results) {
  json::Array out;
  for (const auto& result : results) out.push_back(certs::settlement_result(result).to_json());
  return out;
}

json::Object round_view(const HashSuite& hashes, const Overlay& world, const Round& round,
                        const games::Viewer& viewer) {
  json::Object view{{"id", round.id},
                    {"table", round.open.table},
                    {"number", round.open.number},
                    {"state", round_state(round)},
                    {"results", results_json(round.results)}};
  json::Array cards(round.cards.begin(), round.cards.end());
  view["cards"] = std::move(cards);
  view["bets"] = certs::bets_json(round.bets_closed ? round.bets : round.draft.bets);
  json::Array withdrawn;
  for (const auto& id : round.draft.withdrawn) withdrawn.emplace_back(id);
  view["withdrawn"] = std::move(withdrawn);
  if (round.outcome) view["outcome"] = *round.outcome;
  if (round.settlement) view["settlement"] = *round.settlement;
  const auto* table = world.table(round.table);
  if (table != nullptr && table->rules) {
    view["needs"] = games::to_json(table->needs());
    view["state_digest"] = state_digest_of(hashes, *table);
    view["view"] = table->engine().view(*table->rules, *table->state, viewer);
  }
  return view;
}

}  // namespace talla::core
