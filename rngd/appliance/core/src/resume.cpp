#include "resume.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "core/errc.hpp"
#include "editing.hpp"

namespace talla::core {
namespace {

constexpr std::int64_t version = 6;
constexpr std::array shoe_stages{ShoeStage::committed, ShoeStage::mixed, ShoeStage::in_play,
                                 ShoeStage::last_round};

tl::unexpected<Error> unfit(const std::string& what) {
  return fail(Errc::replay_failed, "resume point: " + what);
}

/// Each leaf as two bytes, the most significant first.
std::string mix_text(const certs::Mix& mix) {
  Bytes bytes;
  bytes.reserve(2 * mix.size());
  for (const std::uint16_t leaf : mix) {
    bytes.push_back(static_cast<std::uint8_t>(leaf >> 8U));
    bytes.push_back(static_cast<std::uint8_t>(leaf & 0xffU));
  }
  return to_base64(bytes);
}

Result<certs::Mix> read_mix(const std::string& text, std::uint32_t cards) {
  TALLA_TRY(const Bytes bytes, from_base64(text));
  certs::Mix mix;
  std::vector<bool> there(cards);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto leaf = static_cast<std::uint16_t>((bytes[i] << 8U) | bytes[i + 1]);
    if (leaf >= cards || there[leaf]) return unfit("a damaged mix");
    there[leaf] = true;
    mix.push_back(leaf);
  }
  if (bytes.size() != 2 * std::size_t{cards}) return unfit("a damaged mix");
  return mix;
}

json::Value shoe_json(const Shoe& shoe) {
  json::Array places;
  for (const auto& card : shoe.laid.back()) places.emplace_back(card.place);
  json::Object out{{"id", shoe.id},
                   {"last", shoe.last_seq},
                   {"dealt", shoe.progress.dealt},
                   {"mixed", shoe.mix_seq},
                   {"mix_due", shoe.progress.mix_due},
                   {"stop_out", shoe.stop_out},
                   {"called", shoe.called},
                   {"stage", stage_name(shoe.stage)},
                   {"places", std::move(places)}};
  if (shoe.progress.mix) out["mix"] = mix_text(*shoe.progress.mix);
  return json::Value(std::move(out));
}

Status read_shoe(const json::Value& from, Editing& edit) {
  json::Reader reader(from, "shoe");
  TALLA_TRY(const auto id, reader.string("id"));
  TALLA_TRY(const auto seq, certs::object_seq("shoe", id));
  auto* shoe = edit.shoe(seq);
  if (shoe == nullptr) return unfit("its shoe is not there");
  const std::int64_t cards = shoe->commit.cards;
  TALLA_TRY(const auto last,
            reader.integer("last", static_cast<std::int64_t>(seq), json::integer_max));
  TALLA_TRY(const auto dealt, reader.integer("dealt", 0, cards));
  TALLA_TRY(const auto mixed, reader.integer("mixed", 0, json::integer_max));
  TALLA_TRY(shoe->stop_out, reader.boolean("stop_out"));
  TALLA_TRY(const bool mix_due, reader.boolean("mix_due"));
  TALLA_TRY(shoe->called, reader.boolean("called"));
  TALLA_TRY(const auto stage, reader.string("stage"));
  TALLA_TRY(const auto* places, reader.array("places"));
  if (reader.has("mix")) {
    TALLA_TRY(const auto text, reader.string("mix"));
    TALLA_TRY(auto mix, read_mix(text, shoe->commit.cards));
    shoe->progress.take(std::move(mix));
  }
  if (!mix_due && !shoe->progress.mix) return unfit("a shoe without its mix");
  shoe->progress.mix_due = mix_due;
  TALLA_TRY_STATUS(reader.finish());
  const auto* found =
      std::ranges::find_if(shoe_stages, [&](ShoeStage one) { return stage_name(one) == stage; });
  if (found == shoe_stages.end() || places->size() != static_cast<std::size_t>(dealt))
    return unfit("a damaged shoe");
  shoe->laid.assign(1, {});
  for (const auto& place : *places) {
    if (!place.is_string()) return unfit("a damaged place");
    shoe->laid.back().push_back({place.string(), false});
  }
  shoe->last_seq = static_cast<std::uint64_t>(last);
  shoe->progress.dealt = static_cast<std::uint32_t>(dealt);
  shoe->mix_seq = static_cast<std::uint64_t>(mixed);
  shoe->stage = *found;
  return {};
}

Status read_batch(const json::Value& from, Editing& edit) {
  json::Reader reader(from, "batch");
  TALLA_TRY(const auto id, reader.string("id"));
  TALLA_TRY(const auto seq, certs::object_seq("batch", id));
  auto* batch = edit.batch(seq);
  if (batch == nullptr) return unfit("its batch is not there");
  TALLA_TRY(const auto last,
            reader.integer("last", static_cast<std::int64_t>(seq), json::integer_max));
  TALLA_TRY(const auto next, reader.integer("next", 0, batch->commit->count));
  TALLA_TRY_STATUS(reader.finish());
  batch->last_seq = static_cast<std::uint64_t>(last);
  batch->progress.next = static_cast<std::uint32_t>(next);
  return {};
}

json::Array heads_json(const std::vector<ChainHead>& heads) {
  json::Array out;
  for (const auto& one : heads)
    out.emplace_back(
        json::Object{{"seq", one.seq}, {"head", to_hex(one.head)}, {"object", one.object}});
  return out;
}

Result<std::vector<ChainHead>> read_heads(const json::Array& from) {
  std::vector<ChainHead> heads;
  for (const auto& one : from) {
    json::Reader reader(one, "head");
    TALLA_TRY(const auto seq, reader.integer("seq", 0, json::integer_max));
    TALLA_TRY(const auto hex, reader.string("head"));
    TALLA_TRY(auto object, reader.string("object"));
    TALLA_TRY_STATUS(reader.finish());
    const auto head = digest_from_hex(hex);
    if (!head) return unfit("a damaged head");
    heads.push_back({static_cast<std::uint64_t>(seq), *head, std::move(object)});
  }
  if (heads.empty()) return unfit("no head");
  return heads;
}

Result<certs::PlaceCounts> read_counts(json::Reader& reader) {
  TALLA_TRY(const auto turns, reader.integer("turns", 0, json::integer_max));
  TALLA_TRY(const auto voids, reader.integer("voids", 0, json::integer_max));
  TALLA_TRY(const auto early_closes, reader.integer("early_closes", 0, json::integer_max));
  return certs::PlaceCounts{static_cast<std::uint64_t>(turns), static_cast<std::uint64_t>(voids),
                            static_cast<std::uint64_t>(early_closes)};
}

Result<std::map<std::string, std::int64_t>> read_meters(const json::Value& from) {
  std::map<std::string, std::int64_t> out;
  for (const auto& [name, value] : from.object()) {
    if (!value.is_integer()) return unfit("a damaged meter");
    out[name] = value.integer();
  }
  return out;
}

}  // namespace

bool can_resume(const World& world, const Table& table) {
  if (table.closed || table.live_round || table.open_call) return false;
  if (table.live_shoe) {
    const auto shoe = world.shoes.find(*table.live_shoe);
    if (shoe == world.shoes.end() || !shoe->second.secrets || !shoe->second.replaced.empty() ||
        !shoe->second.covered.empty() || shoe->second.release || shoe->second.candidates > 1) {
      return false;
    }
  }
  return std::ranges::all_of(table.open_batches,
                             [&](ObjectSeq seq) {
                               const auto batch = world.batches.find(seq);
                               return batch != world.batches.end() && batch->second.secrets &&
                                      batch->second.open_calls.empty();
                             }) &&
         std::ranges::none_of(world.batches, [&](const auto& entry) {
           return entry.second.table == table.seq && !entry.second.open_calls.empty();
         });
}

std::string resume_text(const World& world, const Table& table, std::uint64_t seq) {
  TALLA_CHECK(can_resume(world, table));
  json::Object meters;
  for (const auto& [name, value] : table.meters) meters[name] = value;
  json::Array batches;
  for (const auto open : table.open_batches) {
    const auto& batch = world.batches.at(open);
    batches.emplace_back(
        json::Object{{"id", batch.id}, {"last", batch.last_seq}, {"next", batch.progress.next}});
  }
  json::Object out{{"v", version},
                   {"table", table.id},
                   {"seq", seq},
                   {"last", table.last_seq},
                   {"rounds", table.rounds_count},
                   {"shoes", table.shoes_count},
                   {"meters", std::move(meters)},
                   {"turns", table.counts.turns},
                   {"voids", table.counts.voids},
                   {"early_closes", table.counts.early_closes},
                   {"suspended", table.suspended},
                   {"heads", heads_json(table.heads)},
                   {"counted", table.panel.counted_json()},
                   {"calls", table.calls.to_json()},
                   {"batches", std::move(batches)}};
  if (table.state) out["state"] = table.state->to_json();
  if (table.last_round_end) out["round_end"] = *table.last_round_end;
  if (table.last_shoe_close) out["shoe_close"] = *table.last_shoe_close;
  if (table.live_shoe) out["shoe"] = shoe_json(world.shoes.at(*table.live_shoe));
  return json::canonical(json::Value(std::move(out)));
}

Result<ResumePoint> ResumePoint::parse(std::string_view text, const std::string& table_id) {
  ResumePoint out;
  TALLA_TRY(out.document_, json::parse_canonical(text));
  const auto* v = out.document_.find("v");
  const auto* table = out.document_.find("table");
  const auto* seq = out.document_.find("seq");
  const auto* batches = out.document_.find("batches");
  if (v == nullptr || *v != json::Value(version) || table == nullptr ||
      *table != json::Value(table_id) || seq == nullptr || !seq->is_integer() ||
      batches == nullptr || !batches->is_array()) {
    return unfit("not one of " + table_id);
  }
  TALLA_TRY(out.table_, certs::object_seq("table", table_id));
  out.seq_ = static_cast<std::uint64_t>(seq->integer());
  const auto add = [&](std::string_view object_class, const json::Value& object) -> Status {
    const auto* id = object.find("id");
    if (id == nullptr || !id->is_string()) return unfit("an object without id");
    TALLA_TRY(const auto opening, certs::object_seq(object_class, id->string()));
    out.openings_.push_back(opening);
    return {};
  };
  for (const auto& batch : batches->array()) TALLA_TRY_STATUS(add("batch", batch));
  if (const auto* shoe = out.document_.find("shoe")) TALLA_TRY_STATUS(add("shoe", *shoe));
  std::ranges::sort(out.openings_);
  return out;
}

Status ResumePoint::begin(Overlay& world) const {
  Editing edit(world);
  auto* table = edit.table(table_);
  if (table == nullptr) return unfit("its table is not there");
  const bool shoe = document_.find("shoe") != nullptr;
  const auto* shoes = document_.find("shoes");
  if (shoes == nullptr || !shoes->is_integer() || shoes->integer() < (shoe ? 1 : 0))
    return unfit("a damaged count");
  table->shoes_count = static_cast<std::uint64_t>(shoes->integer()) - (shoe ? 1 : 0);
  return {};
}

Status ResumePoint::finish(Overlay& world) const {
  Editing edit(world);
  auto* table = edit.table(table_);
  if (table == nullptr) return unfit("its table is not there");
  json::Reader reader(document_, "resume point");
  for (const auto* known : {"v", "table", "seq", "shoes"})
    static_cast<void>(reader.optional(known));
  TALLA_TRY(const auto last, reader.integer("last", 0, json::integer_max));
  TALLA_TRY(const auto rounds, reader.integer("rounds", 0, json::integer_max));
  TALLA_TRY(table->counts, read_counts(reader));
  TALLA_TRY(const auto* meters, reader.object("meters"));
  TALLA_TRY(table->suspended, reader.boolean("suspended"));
  TALLA_TRY(const auto* heads, reader.array("heads"));
  TALLA_TRY(table->heads, read_heads(*heads));
  TALLA_TRY(const auto* counted, reader.array("counted"));
  TALLA_TRY_STATUS(table->panel.take_counted_json(*counted));
  TALLA_TRY(const auto* calls, reader.object("calls"));
  TALLA_TRY(table->calls, certs::CallSubjects::from_json(*calls));
  TALLA_TRY(const auto* batches, reader.array("batches"));
  if (reader.has("round_end")) {
    TALLA_TRY(const auto end, reader.integer("round_end", 0, json::integer_max));
    table->last_round_end = static_cast<std::uint64_t>(end);
  }
  if (reader.has("shoe_close")) {
    TALLA_TRY(const auto close, reader.integer("shoe_close", 0, json::integer_max));
    table->last_shoe_close = static_cast<std::uint64_t>(close);
  }
  const auto* state = reader.optional("state");
  if ((state != nullptr) != (table->rules != nullptr))
    return unfit("a state where none belongs, or none");
  if (state != nullptr) {
    TALLA_TRY(auto restored, table->engine().restore(*table->rules, *state));
    table->state = std::move(restored);
  }
  TALLA_TRY(table->meters, read_meters(*meters));
  table->last_seq = static_cast<std::uint64_t>(last);
  table->rounds_count = static_cast<std::uint64_t>(rounds);
  if (const auto* shoe = reader.optional("shoe")) TALLA_TRY_STATUS(read_shoe(*shoe, edit));
  for (const auto& batch : *batches) TALLA_TRY_STATUS(read_batch(batch, edit));
  return reader.finish();
}

}  // namespace talla::core
