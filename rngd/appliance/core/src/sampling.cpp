// Samples for a laboratory, set aside beside play by order of two persons.
#include "sampling.hpp"

#include <algorithm>
#include <charconv>
#include <new>

#include "acts.hpp"
#include "catalogues.hpp"
#include "format/merkle.hpp"
#include "games/odds.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "questions.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

/// An order ends within it, and what it took is kept for as long.
constexpr std::int64_t order_ns = 86'400'000'000'000;
/// Of the outlet, at once.
constexpr std::size_t bytes_at_once = 4096;
constexpr std::size_t outlet_unit = 64;

/// Of a table's outcome: its bits in hex, its values and what stands between; a little more where
/// words may be refused.
std::size_t line_bytes_about(const certs::LabTable& table) {
  constexpr std::size_t card_bytes = 3;
  constexpr std::size_t values_bytes = 16;
  const auto* deck = table.shoe();
  return 2 * table.outcome_bytes() +
         (deck != nullptr ? card_bytes * deck->cards_count() + outlet_unit : values_bytes);
}
/// The enrolled key of that laboratory; nothing: it is none, or nobody has this id.
std::optional<std::string> key_of_laboratory(const std::vector<EnrolledClient>& clients,
                                             const std::string& id) {
  const auto found = std::ranges::find(clients, id, &EnrolledClient::id);
  if (found == clients.end()) return std::nullopt;
  const auto lab = role_name(Role::lab);
  if (std::ranges::find(found->roles, lab) == found->roles.end()) return std::nullopt;
  return found->spki;
}

/// The table is what that game of the catalogue draws or deals at its own settings.
Status check_table(const Call& call, const std::string& samples) {
  const auto table = certs::LabTable::parse(samples);
  if (!table)
    return fail(Errc::malformed_request,
                "samples: expected lab/CATALOGUE/GAME/ and wheel-N, dice-KxS, lots-B or shoe-DECK");
  auto catalogue = call.parts.catalogues.by_id(table->catalogue);
  if (!catalogue) return tl::unexpected(call.parts.catalogues.unknown(table->catalogue));
  TALLA_TRY(const auto played,
            games::odds_table(std::move(catalogue), table->game, json::Object{}));
  std::string known;
  for (const bool shoe : {true, false}) {
    const auto one = certs::LabTable::of(played, table->catalogue, shoe);
    if (one && one->text() == samples) return {};
    if (one) known += (known.empty() ? "" : ", ") + one->text();
  }
  if (known.empty())
    return fail(Errc::not_settled_here, table->game + " has neither a shoe nor a draw");
  return fail(Errc::malformed_request, "samples: expected " + known);
}

}  // namespace

Result<std::string> sampling_object(const Call& call) {
  const auto& samples = call.body.text("samples");
  const bool of_table = certs::names_lab_table(samples);
  if (!of_table && std::ranges::count(certs::sample_names(), samples) == 0)
    return fail(Errc::malformed_request, "samples: expected bits, raw-N or lab/...");
  const auto* number = of_table ? "count" : "bytes";
  if (!call.body.has(number) || call.body.has(of_table ? "bytes" : "count"))
    return fail(Errc::malformed_request,
                std::string(number) + ": expected with samples " + samples);
  const certs::SampleOrder order{
      .samples = samples, .count = call.body.integer(number), .client = call.body.text("object")};
  if (of_table) TALLA_TRY_STATUS(check_table(call, samples));
  auto object = order.text();
  if (!certs::SampleOrder::parse(object)) {
    const auto table = order.table();
    const certs::Between most = table ? table->counts() : certs::sample_bytes;
    return fail(Errc::malformed_request, std::string(number) + ": from " +
                                             std::to_string(most.min) + " to " +
                                             std::to_string(most.max) + " can be ordered");
  }
  return object;
}

Status sampling_possible(const Call& call, const Act& act) {
  if (call.parts.settings.sampling_bytes_per_second == 0)
    return fail(Errc::wrong_state,
                "no samples are set aside here: laboratory.bytes_per_second is 0");
  const auto wish = certs::SampleOrder::parse(act.object);
  const auto& clients = call.world().clients();
  if (!wish || std::ranges::find(clients, wish->client, &EnrolledClient::id) == clients.end())
    return fail(Errc::not_found, "no enrolled client has this id");
  if (!key_of_laboratory(clients, wish->client))
    return fail(Errc::wrong_state, wish->client + " has not the role lab");
  const auto source = certs::raw_source_of(wish->samples);
  if (source && *source >= call.parts.supply.evidence().sources.size())
    return fail(Errc::not_found, "samples: there is no such source");
  for (const auto* other : call.world().open_acts()) {
    if (other->kind == ActKind::sampling_order && other->stage == ActStage::confirmed)
      return fail(Errc::wrong_state, other->id + " is under way: one sampling order at a time");
  }
  if (call.parts.supply.latched()) return tl::unexpected<Error>(latched_error());
  return {};
}

Status Sampling::end_interrupted() {
  const auto* act = running_act(appliance_.world(), ActKind::sampling_order);
  if (act == nullptr) return {};
  auto tx = appliance_.begin();
  TALLA_TRY_STATUS(add_step(tx, *act, ActStage::failed));
  tx.keep();
  return {};
}

void Sampling::on_written(std::uint64_t group) {
  const auto* act = running_act(appliance_.world(), ActKind::sampling_order);
  if (act == nullptr || due_with_ || (order_ && order_->act == act->seq)) return;
  due_with_ = group;
}

void Sampling::on_durable(std::uint64_t group) {
  if (!due_with_ || group < *due_with_) return;
  due_with_.reset();
  const auto* act = running_act(appliance_.world(), ActKind::sampling_order);
  if (act != nullptr && !appliance_.failed()) begin(*act);
}

void Sampling::begin(const Act& act) {
  Order order{
      .act = act.seq, .id = act.id, .wish = *certs::SampleOrder::parse(act.object), .spki = {}};
  order.spki = key_of_laboratory(appliance_.world().clients, order.wish.client).value_or("");
  order.until_ns = appliance_.effects.clock.monotonic_ns() + order_ns;
  order.source = certs::raw_source_of(order.wish.samples);
  order.table = order.wish.table();
  order.asked = certs::leaf_hash(appliance_.effects.hashes, as_bytes(act.text));
  if (order.table) order.wanted = order.table->outcome_bytes();
  order_.reset();  // what the one before took goes first
  if (order.source && !appliance_.effects.supply.set_raw_aside(order.source)) order.until_ns = 0;
  try {
    const auto each = order.table ? line_bytes_about(*order.table) : 1;
    order.taken.reserve(static_cast<std::size_t>(order.wish.count) * each);
  } catch (const std::bad_alloc&) {  // no more memory may be locked
    order.until_ns = 0;
  }
  order_ = std::move(order);
}

bool Sampling::must_fail(std::int64_t now_ns) const {
  const auto key = key_of_laboratory(appliance_.world().clients, order_->wish.client);
  return now_ns >= order_->until_ns || key != order_->spki ||
         appliance_.effects.supply.latched().has_value();
}

void Sampling::on_pause() {
  if (!order_ || appliance_.failed()) return;
  const auto now_ns = appliance_.effects.clock.monotonic_ns();
  if (order_->stage != ActStage::confirmed) {
    if (now_ns >= order_->until_ns) order_->taken = SecretBytes();
    return;
  }
  if (must_fail(now_ns)) return end(ActStage::failed);
  if (now_ns >= order_->next_ns) take(now_ns);
  if (whole()) end(ActStage::done);
}

bool Sampling::whole() const {
  return (order_->table ? order_->made : static_cast<std::int64_t>(order_->taken.size())) ==
         order_->wish.count;
}

std::size_t Sampling::bytes_left() const {
  const auto count = static_cast<std::size_t>(order_->wish.count);
  if (!order_->table) return count - order_->taken.size();
  const auto behind = count - static_cast<std::size_t>(order_->made) - 1;
  return behind * order_->table->outcome_bytes() + order_->wanted - order_->bits.size();
}

/// No faster than the setting allows; where the outlet has none to spare, later.
void Sampling::take(std::int64_t now_ns) {
  const auto left = bytes_left();
  auto& supply = appliance_.effects.supply;
  auto some = order_->source ? supply.take_raw().value_or(SecretBytes()) : next_bits(left);
  if (some.empty()) return;
  some.resize(std::min(some.size(), left));
  auto& into = order_->table ? order_->bits : order_->taken;
  into.insert(into.end(), some.begin(), some.end());
  order_->next_ns = now_ns + static_cast<std::int64_t>(some.size()) * 1'000'000'000 /
                                 appliance_.settings.sampling_bytes_per_second;
  appliance_.metrics.count("talla_samples_bytes_total", static_cast<double>(some.size()));
  if (order_->table && !map_outcomes()) end(ActStage::failed);
}

Status Sampling::map_outcomes() {
  auto& order = *order_;
  std::size_t used = 0;
  while (order.made < order.wish.count && order.bits.size() - used >= order.wanted) {
    const auto bits = ByteView(order.bits).subspan(used, order.wanted);
    const auto outcome =
        certs::lab_outcome(appliance_.effects.hashes, *order.table, bits, *order.asked);
    if (!outcome && outcome.error().is(shuffle::Errc::tape_exhausted)) {  // a word was refused
      order.wanted += sizeof(std::uint64_t);
      continue;
    }
    if (!outcome) return tl::unexpected<Error>(outcome.error());
    const auto line = certs::lab_line(bits, *outcome);
    order.taken.insert(order.taken.end(), line.begin(), line.end());
    used += order.wanted;
    order.wanted = order.table->outcome_bytes();
    ++order.made;
  }
  order.bits.erase(order.bits.begin(), order.bits.begin() + static_cast<std::ptrdiff_t>(used));
  return {};
}

/// Whole blocks of the outlet, but for the last one. Empty: nothing to spare now, or a latch, which
/// the next pause finds.
SecretBytes Sampling::next_bits(std::size_t left) const {
  auto& supply = appliance_.effects.supply;
  auto n_bytes = std::min({left, bytes_at_once, supply.spare_bits() / 8});
  if (n_bytes < left) n_bytes -= n_bytes % outlet_unit;
  if (n_bytes == 0) return {};
  auto given = supply.give_away(n_bytes);
  return given ? std::move(given->bytes) : SecretBytes();
}

void Sampling::end(ActStage stage) {
  order_->stage = stage;
  order_->bits = SecretBytes();
  if (order_->source) static_cast<void>(appliance_.effects.supply.set_raw_aside(std::nullopt));
  if (stage == ActStage::done) {
    order_->digest = appliance_.effects.hashes.sha256({order_->taken});
    order_->until_ns = appliance_.effects.clock.monotonic_ns() + order_ns;
  } else {
    order_->taken = SecretBytes();
  }
  const auto found = appliance_.world().acts.find(order_->act);
  if (found == appliance_.world().acts.end()) return;
  Act act = found->second;
  act.digest = order_->digest;
  auto tx = appliance_.begin();
  const auto seq = add_step(tx, act, stage);
  if (!seq) {  // without its record nothing is given
    order_.reset();
    return appliance_.lose_event();
  }
  order_->ended = *seq;
  tx.keep();
  appliance_.metrics.count("talla_sampling_orders_total{result=\"" +
                           std::string(stage_name(stage)) + "\"}");
}

Result<json::Object> Sampling::view(const Client& client, std::string_view act,
                                    std::int64_t offset) const {
  if (!order_ || order_->id != act || client.id != order_->wish.client ||
      client.spki != order_->spki)
    return fail(Errc::not_found, "no such sampling order of this laboratory");
  const auto taken = static_cast<std::int64_t>(order_->taken.size());
  const bool ended =
      order_->stage != ActStage::confirmed && order_->ended < appliance_.effects.log.size();
  json::Object view{{"act", order_->id},
                    {"samples", order_->wish.samples},
                    {"bytes", order_->table ? taken : order_->wish.count},
                    {"state", stage_name(ended ? order_->stage : ActStage::confirmed)},
                    {"taken", taken}};
  if (order_->table) view["count"] = order_->wish.count;
  const auto sources = appliance_.effects.supply.evidence().sources;
  if (order_->source && *order_->source < sources.size())
    view["bits_per_sample"] = sources[*order_->source].bits_per_sample;
  if (ended) view["record"] = order_->ended;
  if (!ended || order_->stage != ActStage::done) return view;
  view["digest"] = to_hex(*order_->digest);
  if (taken == 0) return fail(Errc::not_found, "these samples were kept for a day and are wiped");
  if (offset >= taken)
    return fail(Errc::malformed_request,
                "query.offset: expected less than " + std::to_string(taken));
  const auto from = static_cast<std::size_t>(offset);
  const auto piece = ByteView(order_->taken).subspan(from);
  view["offset"] = offset;
  view["data"] = to_base64(piece.first(std::min(piece.size(), piece_bytes)));
  return view;
}

Result<json::Object> Questions::samples(const Request& request, const Route& route) const {
  TALLA_TRY(auto view,
            sampling_.view(request.client, route.argument("act"), number_of(route, "offset", 0)));
  return json::Object{{"samples", std::move(view)}};
}

std::vector<Operation> sample_operations() {
  const auto samples = Schema::named(
      "Samples",
      Schema::object(
          {required("act", Schema::id("act")),
           required("samples", Schema::text(1, samples_name_most).about("as they were ordered")),
           optional("bits_per_sample", Schema::integer(1, 8).about("of raw samples, one a byte")),
           required("bytes", Schema::number().about("that were ordered; of a table's outcomes: "
                                                    "so far")),
           optional("count", Schema::number().about("outcomes of a table that were ordered")),
           required("state", Schema::one_of({"confirmed", "done", "failed"})
                                 .about("confirmed: they are being taken")),
           required("taken", Schema::number().about("bytes, so far")),
           optional("record", Schema::number().about("seq of the ACCESS that ended the order")),
           optional("digest", Schema::digest().about("of all bytes; that ACCESS says it too")),
           optional("offset", Schema::number()),
           optional("data", Schema::base64().about("from there on, at most 65,536 bytes"))}));
  return {
      {.row = {"getSamples", "GET", "/v1/samples/{act}", {Role::lab}, false},
       .handler = &Questions::samples,
       .words = {"people", "Samples that two persons ordered for this laboratory",
                 "A piece of them once the order is done; for a day, until the next order, and "
                 "not over a restart. Nobody else gets them."},
       .body = {},
       .query = {optional("offset", Schema::number().otherwise(0))},
       .replies = {{reply_of("SamplesReply", "samples", samples)}},
       .example_body = {},
       .example_reply =
           R"({"samples":{"act":"act-9","bytes":64,"samples":"bits","state":"confirmed","taken":0}})"},
  };
}

}  // namespace talla::core
