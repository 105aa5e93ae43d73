// A shoe's order for a shuffling machine, target by target where it takes one at a time, and what
// the machine reports.
#include <algorithm>

#include "commands.hpp"
#include "format/game_events.hpp"
#include "format/openings.hpp"
#include "play.hpp"
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

/// {machine, key, form?, compartments?, reverses?}
Result<Wish> read_wish(const json::Value& body) {
  json::Reader reader(body, "release");
  Wish wish;
  TALLA_TRY(wish.machine, reader.string("machine"));
  TALLA_TRY(const auto key, reader.string("key"));
  auto spki = from_base64(key);
  if (!spki) return fail(Errc::malformed_request, "key: expected base64 of a SubjectPublicKeyInfo");
  wish.spki = std::move(*spki);
  if (reader.has("form")) {
    TALLA_TRY(const auto form, reader.string("form"));
    if (form == certs::form_name(ReleaseForm::targets)) {
      wish.form = ReleaseForm::targets;
    } else if (form == certs::form_name(ReleaseForm::shelf)) {
      wish.form = ReleaseForm::shelf;
    } else if (form != certs::form_name(ReleaseForm::order)) {
      return fail(Errc::malformed_request, "form: expected order, targets or shelf");
    }
  }
  if (wish.form == ReleaseForm::shelf) {
    TALLA_TRY(const auto compartments, reader.integer("compartments", 2, 256));
    wish.shelf.compartments = static_cast<std::uint32_t>(compartments);
    if (reader.has("reverses")) {
      TALLA_TRY(wish.shelf.reverses, reader.boolean("reverses"));
    }
  }
  TALLA_TRY_STATUS(reader.finish());
  return wish;
}

/// The order may go out now. Errors: shoe_finished, wrong_state, shoe_not_cut, secret_unusable.
Status releasable(const Shoe& shoe, const Wish& wish) {
  if (!shoe.live()) return fail(Errc::shoe_finished, "the shoe is closed");
  if (shoe.release)
    return fail(Errc::wrong_state, "the order was released before, once and for all");
  if (shoe.progress.dealt != 0) return fail(Errc::wrong_state, "cards were dealt already");
  if (!shoe.progress.offset && shoe.commit.cut != certs::CutMode::none)
    return fail(Errc::shoe_not_cut, "cut the shoe first");
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

/// 32 characters of hex; empty: not recognised.
Result<std::optional<certs::SeenCode>> read_code(const json::Value& value) {
  const auto malformed = [] {
    return fail(Errc::malformed_request, "seen: expected codes of 32 hex digits, or empty texts");
  };
  if (!value.is_string()) return malformed();
  if (value.string().empty()) return std::nullopt;
  const auto bytes = from_hex(value.string());
  if (!bytes || bytes->size() != certs::seen_code_bytes) return malformed();
  certs::SeenCode code{};
  std::ranges::copy(*bytes, code.begin());
  return code;
}

struct Report {
  std::optional<std::vector<std::optional<certs::SeenCode>>> seen;
  bool jam = false;
  bool lid = false;
};

Result<Report> read_report(const json::Value& body) {
  json::Reader reader(body, "report");
  Report report;
  if (reader.has("seen")) {
    TALLA_TRY(const auto* list, reader.array("seen"));
    if (list->size() > seen_max) return fail(Errc::malformed_request, "seen: at most 1088 places");
    report.seen.emplace();
    for (const auto& value : *list) {
      TALLA_TRY(const auto code, read_code(value));
      report.seen->push_back(code);
    }
  }
  if (reader.has("jam")) {
    TALLA_TRY(report.jam, reader.boolean("jam"));
  }
  if (reader.has("lid")) {
    TALLA_TRY(report.lid, reader.boolean("lid"));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (!report.seen && !report.jam && !report.lid)
    return fail(Errc::malformed_request, "a report says what was seen, or a jam, or an open lid");
  return report;
}

certs::ShuffleReportBody judged(const Shoe& shoe, const Report& report) {
  certs::ShuffleReportBody body;
  if (report.seen) body = shoe.secrets->judge(shoe.progress, *report.seen);
  if (report.jam) body.result = ShuffleResult::jam;
  if (report.lid) body.result = ShuffleResult::lid;
  if (shoe.release->body.form == ReleaseForm::targets) body.targets = shoe.release->targets;
  return body;
}

/// A target that was not given before; the one before it must lie in its place.
Status give_target(const Call& call, const Shoe& shoe, std::uint32_t target,
                   const std::optional<certs::SeenCode>& seen) {
  if (target > 0 && !(seen && shoe.secrets->right_card(shoe.progress, target - 1, *seen)))
    return fail(Errc::wrong_card, "seen: confirm target " + std::to_string(target - 1) +
                                      "; if another card lies there, report it");
  const json::Object given{{"release", shoe.release->seq}, {"targets", target + 1}};
  call.tx.group().documents.push_back(
      {certs::documents::targets(shoe.id), json::canonical(json::Value(given))});
  call.world().edit_shoe(shoe.seq)->release->targets = target + 1;
  call.parts.count("talla_shuffle_targets_total");
  return {};
}

}  // namespace

Outcome release_shoe(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  TALLA_TRY_STATUS(table_works(*call.world().table(shoe->table)));
  TALLA_TRY(const auto wish, read_wish(call.body));
  TALLA_TRY_STATUS(releasable(*shoe, wish));
  TALLA_TRY_STATUS(check_machine(call, wish.machine, wish.spki));
  TALLA_TRY(const auto made, shoe->secrets->release(shoe->progress, {.origin = call.tx.origin(),
                                                                     .machine = wish.machine,
                                                                     .spki = wish.spki,
                                                                     .recommits = shoe->recommits(),
                                                                     .form = wish.form,
                                                                     .shelf = wish.shelf}));
  const auto seq = shoe->seq;
  const SecretBytes sealed(made.ciphertext.begin(), made.ciphertext.end());
  TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::shoe_release, sealed, shoe_id));
  TALLA_TRY_STATUS(call.tx.record({certs::Kind::shoe_release, shoe_id, {}, made.body.to_json()}));
  call.parts.count("talla_shoe_releases_total");
  return Done{{{"shoe", shoe_view(*call.world().shoe(seq))}}, 200, {}};
}

Outcome next_target(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, released_shoe(call, shoe_id));
  TALLA_TRY_STATUS(table_works(*call.world().table(shoe->table)));
  json::Reader reader(call.body, "target");
  TALLA_TRY(const auto wanted, reader.integer("target", 0, 1023));
  const auto target = static_cast<std::uint32_t>(wanted);
  std::optional<certs::SeenCode> seen;
  if (const auto* code = reader.optional("seen")) {
    TALLA_TRY(seen, read_code(*code));
  }
  TALLA_TRY_STATUS(reader.finish());
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
  const auto body = judged(*shoe, report);
  const bool match = body.result == ShuffleResult::match;
  if (match && last && last->result == ShuffleResult::match)
    return refuse(Errc::wrong_state, "this shuffle was reported before");
  if (match && body.targets.value_or(shoe->commit.cards) != shoe->commit.cards)
    return refuse(Errc::wrong_position, "not all targets were given",
                  {{"target", shoe->release->targets}});
  const auto seq = shoe->seq;
  const bool goes = !match && shoe_may_go(*call.world().table(shoe->table), *shoe);
  TALLA_TRY_STATUS(
      call.tx.record({certs::Kind::shuffle_report, shoe_id, {shoe->release->seq}, body.to_json()}));
  call.parts.count("talla_shuffle_reports_total{result=\"" +
                   std::string(certs::result_name(body.result)) + "\"}");
  if (goes) TALLA_TRY_STATUS(add_shoe_void(call.tx, seq));
  return Done{{{"shoe", shoe_view(*call.world().shoe(seq))}, {"report", body.to_json()}}, 200, {}};
}

Outcome ask_openings(const Call& call, const std::string& shoe_id) {
  TALLA_TRY_STATUS(json::Reader(call.body, "openings").finish());
  TALLA_TRY(const auto file, call.parts.openings(shoe_id));
  const json::Object body{{"what", "openings"},
                          {"result", "allowed"},
                          {"object", shoe_id},
                          {"by", json::Array{call.client.id}}};
  TALLA_TRY(const auto added, call.tx.add({certs::Kind::access, {}, {file.close}, body}));
  call.parts.count("talla_openings_total");
  return Done{{{"access", added}, {"shoe", shoe_id}}, 201, {}};
}

}  // namespace talla::core
