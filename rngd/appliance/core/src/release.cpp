// A shoe's order for a shuffling machine, target by target where it takes one at a time, and what
// the machine reports.
#include <algorithm>

#include "certs/call_key.hpp"
#include "commands.hpp"
#include "documents.hpp"
#include "format/body_machine.hpp"
#include "format/game_events.hpp"
#include "format/openings.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "schemas.hpp"
#include "seats.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

using certs::ReleaseForm;
using certs::ShuffleResult;

/// Somewhat more than the largest shoe: a machine may count too many.
constexpr std::size_t seen_max = 1088;

struct Wish {
  std::string machine;
  Bytes spki;
  ReleaseForm form = ReleaseForm::order;
  shuffle::ShelfMachine shelf;
};

Wish read_wish(const Asked& body) {
  Wish wish;
  wish.machine = body.text("machine");
  if (auto spki = from_base64(body.text("key"))) wish.spki = std::move(*spki);
  const auto form = body.text_or("form", certs::form_name(ReleaseForm::order));
  if (form == certs::form_name(ReleaseForm::targets)) wish.form = ReleaseForm::targets;
  if (form != certs::form_name(ReleaseForm::shelf)) return wish;
  wish.form = ReleaseForm::shelf;
  wish.shelf.compartments = body.u32("compartments");
  wish.shelf.reverses = body.flag("reverses");
  return wish;
}

/// The order may go out now, and stays what it is. Errors: shoe_finished, wrong_state,
/// shoe_not_mixed, secret_unusable.
Status releasable(const Table& table, const Shoe& shoe, const Wish& wish) {
  if (table.open.policy.mix == certs::MixRule::round)
    return fail(Errc::wrong_state,
                "this table mixes the shoe again in each round: no machine is given its order");
  if (!shoe.live()) return fail(Errc::shoe_finished, "the shoe is closed");
  if (shoe.release)
    return fail(Errc::wrong_state, "the order was released before, once and for all");
  if (shoe.progress.dealt != 0) return fail(Errc::wrong_state, "cards were dealt already");
  if (!shoe.progress.mix) return fail(Errc::shoe_not_mixed, "mix the shoe first");
  if (wish.form == ReleaseForm::shelf && shoe.recommits() != 0)
    return fail(Errc::wrong_state,
                "a shelf machine is fed a new deck, not what was shuffled before");
  if (!shoe.secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  return {};
}

/// The shoe whose order was released to this machine. Errors: not_found, also for other machines'
/// shoes.
Result<const Shoe*> released_shoe(const Call& call, const std::string& id) {
  const auto seq = certs::object_seq("shoe", id);
  const auto* shoe = seq ? call.world().shoe(*seq) : nullptr;
  if (shoe == nullptr || !released_to(*shoe, call.client))
    return fail(Errc::not_found, "no open shoe of this id was released to this machine");
  if (!shoe->secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  return shoe;
}

/// Nothing: not recognised.
std::optional<certs::SeenCode> read_code(const json::Value& value) {
  const auto bytes = from_hex(value.string());
  if (!bytes || bytes->size() != certs::seen_code_bytes) return std::nullopt;
  certs::SeenCode code{};
  std::ranges::copy(*bytes, code.begin());
  return code;
}

struct Report {
  std::optional<std::vector<std::optional<certs::SeenCode>>> seen;
  bool jam = false;
  bool lid = false;
};

Result<Report> read_report(const Asked& body) {
  Report report;
  if (body.has("seen")) {
    report.seen.emplace();
    for (const auto& value : body.list("seen")) report.seen->push_back(read_code(value));
  }
  report.jam = body.flag("jam");
  report.lid = body.flag("lid");
  if (!report.seen && !report.jam && !report.lid)
    return fail(Errc::malformed_request, "a report says what was seen, or a jam, or an open lid");
  return report;
}

/// What the appliance finds in a report; the machine finds the same, and signs it.
certs::ShuffleReportBody judged(const Shoe& shoe, const Report& report) {
  certs::ShuffleReportBody body;
  if (report.seen) body = certs::ShoeForMachine(*shoe.secrets).judge(shoe.progress, *report.seen);
  if (report.jam) body.result = ShuffleResult::jam;
  if (report.lid) body.result = ShuffleResult::lid;
  if (shoe.release->body.form == ReleaseForm::targets) body.targets = shoe.release->targets;
  const auto& last = shoe.release->report;
  body.number = last ? last->number + 1 : 1;
  return body;
}

/// The machine's signature over the report as it will stand in the log. Errors: report_signature.
tl::expected<void, Failure> take_signature(const Call& call, const Shoe& shoe,
                                           certs::ShuffleReportBody& body) {
  const auto key = as_bytes(call.client.public_key);
  body.key.assign(key.begin(), key.end());
  const auto signature = from_base64(call.body.text("signature"));
  const bool fits = signature && signature->size() == body.signature.size();
  if (fits) std::ranges::copy(*signature, body.signature.begin());
  const auto table = certs::object_id("table", shoe.table);
  const auto statement =
      certs::report_statement({call.tx.origin(), table, shoe.id, shoe.release->head}, body);
  if (fits && certs::call_signature_holds(body.key, statement, body.signature)) return {};
  json::Value found = body.to_json();
  found.object().erase("key");
  found.object().erase("signature");
  return tl::unexpected<Failure>(Refusal(
      Error(Errc::report_signature,
            "signature: not of this machine's key over what the appliance finds in its report"),
      {{"report", std::move(found)}}));
}

/// A target that was not given before; the one before it must lie in its place.
Status give_target(const Call& call, const Shoe& shoe, std::uint32_t target,
                   const std::optional<certs::SeenCode>& seen) {
  if (target > 0 &&
      !(seen && certs::ShoeForMachine(*shoe.secrets).right_card(shoe.progress, target - 1, *seen)))
    return fail(Errc::wrong_card, "seen: confirm target " + std::to_string(target - 1) +
                                      "; if another card lies there, report it");
  const json::Object given{{"release", shoe.release->seq}, {"targets", target + 1}};
  call.tx.group().documents.push_back(
      {certs::documents::targets(shoe.id), json::canonical(json::Value(given))});
  Documents::take_targets(call.world(), shoe.seq, target + 1);
  call.parts.count("talla_shuffle_targets_total");
  return {};
}

}  // namespace

Outcome release_shoe(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  TALLA_TRY_STATUS(table_works(*call.world().table(shoe->table)));
  const auto wish = read_wish(call.body);
  TALLA_TRY_STATUS(releasable(*call.world().table(shoe->table), *shoe, wish));
  TALLA_TRY_STATUS(check_machine(call, wish.machine, wish.spki));
  if (call.world().table(shoe->table)->open.key == wish.spki)
    return fail(Errc::no_seat_key, "the machine has the key of the table itself");
  TALLA_TRY(const auto made, certs::ShoeForMachine(*shoe->secrets)
                                 .release(shoe->progress, {.origin = call.tx.origin(),
                                                           .machine = wish.machine,
                                                           .spki = wish.spki,
                                                           .recommits = shoe->recommits(),
                                                           .form = wish.form,
                                                           .shelf = wish.shelf}));
  const auto seq = shoe->seq;
  const SecretBytes sealed(made.ciphertext.begin(), made.ciphertext.end());
  TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::shoe_release, sealed, shoe_id));
  TALLA_TRY_STATUS(call.tx.add({certs::Kind::shoe_release, shoe_id, {}, made.body.to_json()}));
  call.parts.count("talla_shoe_releases_total");
  return Done{{{"shoe", shoe_view(*call.world().shoe(seq))}}, 200, {}};
}

Outcome next_target(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, released_shoe(call, shoe_id));
  TALLA_TRY_STATUS(table_works(*call.world().table(shoe->table)));
  const auto target = call.body.u32("target");
  const auto* code = call.body.find("seen");
  const auto seen = code == nullptr ? std::nullopt : read_code(*code);
  const Release& release = *shoe->release;
  if (release.body.form != ReleaseForm::targets)
    return refuse(Errc::wrong_state,
                  "the machine has the whole order: there are no single targets");
  if (target > release.targets || target >= shoe->commit.cards)
    return refuse(Errc::wrong_position, "not the next target", {{"target", release.targets}});
  if (!call.tx.durable(release.seq)) return defer();
  TALLA_TRY(const auto whole, call.parts.unsealed(shoe_id, release.seq));
  const auto cipher = to_base64(certs::release_target(whole, target));
  if (target == release.targets) {
    if (auto given = give_target(call, *shoe, target, seen); !given)
      return refuse(static_cast<Errc>(given.error().number), given.error().detail,
                    {{"target", release.targets}});
  }
  return Done{{{"target", target}, {"ciphertext", cipher}}, 200, {}};
}

Outcome report_shuffle(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, released_shoe(call, shoe_id));
  TALLA_TRY(const auto report, read_report(call.body));
  if (!call.tx.durable(shoe->release->seq)) return defer();
  const auto& last = shoe->release->report;
  if (last && last->result != ShuffleResult::match && call.world().table(shoe->table)->suspended)
    return refuse(Errc::wrong_state,
                  "two persons judge what was reported: nothing more is taken until then");
  auto body = judged(*shoe, report);
  const bool match = body.result == ShuffleResult::match;
  if (match && last && last->result == ShuffleResult::match)
    return refuse(Errc::wrong_state, "this shuffle was reported before");
  if (match && body.targets.value_or(shoe->commit.cards) != shoe->commit.cards)
    return refuse(Errc::wrong_position, "not all targets were given",
                  {{"target", shoe->release->targets}});
  if (auto fits = take_signature(call, *shoe, body); !fits)
    return tl::unexpected(std::move(fits.error()));
  const auto seq = shoe->seq;
  const bool goes = !match && shoe_may_go(*call.world().table(shoe->table), *shoe);
  TALLA_TRY_STATUS(
      call.tx.add({certs::Kind::shuffle_report, shoe_id, {shoe->release->seq}, body.to_json()}));
  call.parts.count("talla_shuffle_reports_total{result=\"" +
                   std::string(certs::result_name(body.result)) + "\"}");
  if (goes) TALLA_TRY_STATUS(add_shoe_void(call.tx, seq));
  return Done{{{"shoe", shoe_view(*call.world().shoe(seq))}, {"report", body.to_json()}}, 200, {}};
}

Outcome ask_openings(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto file, call.parts.openings(shoe_id));
  certs::AccessBody body;
  body.what = "openings";
  body.object = shoe_id;
  body.by = {call.client.id};
  TALLA_TRY(const auto added, call.tx.add({certs::Kind::access, {}, {file.close}, body.to_json()}));
  call.parts.count("talla_openings_total");
  return Done{{{"access", added}, {"shoe", shoe_id}}, 201, {}};
}

namespace {

/// An order, single targets, or the passes of a shelf machine.
Schema wish_schema() {
  const auto to = [](std::vector<SchemaMember> more) {
    std::vector<SchemaMember> members{
        required("machine", Schema::text(1, 128).about("enrolled id of the machine")),
        required("key", key_schema())};
    std::ranges::move(more, std::back_inserter(members));
    return Schema::object(std::move(members));
  };
  return Schema::either(
      {to({optional("form", Schema::one_of({"order", "targets"})
                                .about("order: all of it at once; targets: one at a time")
                                .otherwise("order"))}),
       to({required("form", Schema::exactly("shelf")),
           required("compartments", Schema::integer(certs::shelf_compartments)),
           optional("reverses", Schema::flag().about("its compartments give cards back last in, "
                                                     "first out"))})});
}

}  // namespace

std::vector<Operation> release_operations() {
  const auto code =
      Schema::hex(certs::seen_code_bytes, certs::seen_code_bytes)
          .or_empty()
          .about("code of a card that the machine saw (certs/FORMAT.md); empty: not recognised");
  const auto shoe = reply_of("ShoeReply", "shoe", shoe_schema(), {receipts_member()});
  return {
      {.row = {"releaseShoe", "POST", "/v1/shoes/{shoe}/release", {Role::table}, true},
       .handler = release_shoe,
       .words = {"machines", "Release the order of a shoe to one shuffling machine",
                 "Once for each root, before its first card, encrypted to the machine's key. From "
                 "then on the machine knows the order: the log says so."},
       .body = wish_schema(),
       .query = {},
       .replies = {{shoe}},
       .example_body =
           R"({"key":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE","machine":"talla:shuffler-1"})",
       .example_reply =
           R"({)"
           R"("shoe":{"cards":40,"deck":"spanish40x1",)"
           R"("id":"shoe-5","number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("mixed":6,"state":"mixed","stop_card_out":false,"stop_depth":0,"table":"table-4"})"
           R"(,)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"nextTarget", "POST", "/v1/shoes/{shoe}/targets", {Role::shuffler}, false},
       .handler = next_target,
       .words = {"machines", "The next target of a machine that takes one card at a time",
                 "`seen` confirms the card before it. What was given before is given again; how "
                 "many were given is durable before the answer."},
       .body = Schema::object(
           {required("target", Schema::integer(certs::shoe_positions)), optional("seen", code)}),
       .query = {},
       .replies = {{Schema::named("Target",
                                  Schema::object({required("target", Schema::number()),
                                                  required("ciphertext", Schema::base64())}))}},
       .example_body = R"({"target":0})",
       .example_reply = R"({"ciphertext":"BGAhKz3d","target":0})"},
      {.row = {"reportShuffle", "POST", "/v1/shoes/{shoe}/report", {Role::shuffler}, true},
       .handler = report_shuffle,
       .words = {"machines", "What the machine saw lie in its places, or why it stopped",
                 "No card is dealt before a match. What is none voids the shoe, or suspends the "
                 "table where a hand is on it. A report that is not signed as the appliance finds "
                 "it changes nothing."},
       .body = Schema::object(
           {optional("seen", Schema::list(code, 0, seen_max).about("by place")),
            optional("jam", Schema::flag()), optional("lid", Schema::flag()),
            required("signature",
                     Schema::base64().about("r || s of the machine's P-256 key over its report "
                                            "(certs/FORMAT.md section 7)"))}),
       .query = {},
       .replies = {{reply_of("ReportReply", "report", shuffle_report_schema(),
                             {required("shoe", shoe_schema()), receipts_member()})}},
       .example_body = R"({"jam":true,"signature":"MEUCIQDx"})",
       .example_reply =
           R"({"report":{"key":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE","number":1,)"
           R"("recognised":0,"result":"jam","signature":"MEUCIQDx"},)"
           R"("shoe":{"cards":40,"deck":"spanish40x1",)"
           R"("id":"shoe-5","number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("mixed":6,"state":"mixed","stop_card_out":false,"stop_depth":0,"table":"table-4"})"
           R"(,)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"askOpenings", "POST", "/v1/shoes/{shoe}/openings", {Role::auditor}, true},
       .handler = ask_openings,
       .words = {"evidence", "Ask for the openings of a closed covered shoe",
                 "The ACCESS that this records is shown with the question that reads them, within "
                 "the hour."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{Schema::named(
                        "AccessReply",
                        Schema::object({required("access", Schema::number()),
                                        required("shoe", Schema::id("shoe")), receipts_member()})),
                    201}},
       .example_body = "{}",
       .example_reply = R"({"access":31,"shoe":"shoe-5",)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core
