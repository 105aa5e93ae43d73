// Checks of the software: what was found goes into the log, latches, and answers who challenged it.
#include "watch_software.hpp"

#include "ended.hpp"
#include "format/body_machine.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "questions.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// Of one check so many findings get a record of their own.
constexpr std::size_t findings_max = 16;

}  // namespace

Status SoftwareWatch::take_challenge(const Admitted& asked, Answer& answer) {
  if (appliance_.settings.ended)
    return tl::unexpected<Error>(ended_error(*appliance_.settings.ended));
  TALLA_TRY(const auto nonce, from_hex(asked.body.find("nonce")->string()));
  if (appliance_.effects.software == nullptr || !appliance_.effects.software->manifest())
    return fail(Errc::software_unsigned,
                "no manifest is configured: there is nothing to compare with");
  if (!appliance_.effects.software->challenge(asked.request.client, nonce, answer))
    return fail(Errc::too_busy, "other challenges wait; ask again");
  return {};
}

bool SoftwareWatch::challenged(const Admitted& asked, Answer& answer) {
  const auto& operation = *asked.route.operation;
  if (!std::holds_alternative<std::monostate>(operation.handler)) return false;
  if (const Status taken = take_challenge(asked, answer); !taken) {
    appliance_.metrics.count("talla_refusals_total{code=\"" + std::string(taken.error().code) +
                             "\"}");
    answer(problem_reply(Refusal(taken.error())));
  } else {
    appliance_.metrics.count("talla_commands_total{operation=\"" + std::string(operation.row.id) +
                             "\"}");
  }
  return true;
}

/// A SELFTEST for the whole check and for what was found, an ACCESS for who challenged; the seq of
/// the last.
Result<std::uint64_t> SoftwareWatch::record_check(const SoftwareCheck& check) {
  Author author;
  if (check.client) {
    author.client.emplace();
    author.client->id = check.client->id;
    if (const auto spki = digest_from_hex(check.client->spki)) author.client->spki = *spki;
  }
  auto tx = appliance_.begin(std::move(author));
  const bool good = check.findings.empty();
  const auto selftest = [](const std::string& test, bool passed, std::uint64_t n) {
    return certs::SelftestBody{.test = test, .failed = !passed, .count = n}.to_json();
  };
  TALLA_TRY(auto seq,
            tx.add({Kind::selftest, {}, {}, selftest("software-manifest", good, check.files)}));
  const auto named = std::min(check.findings.size(), findings_max);
  for (std::size_t i = 0; i < named; ++i) {
    const auto& one = check.findings[i];
    TALLA_TRY(
        seq,
        tx.add(
            {Kind::selftest, {}, {}, selftest("software-" + one.what + ":" + one.path, false, 1)}));
  }
  if (check.client) {
    certs::AccessBody body;
    body.what = "software-challenge";
    body.refused = !good;
    body.object = to_hex(check.answer);
    body.by = {check.client->id};
    TALLA_TRY(seq, tx.add({Kind::access, {}, {}, body.to_json()}));
  }
  tx.keep();
  return seq;
}

void SoftwareWatch::on_turn() {
  if (appliance_.effects.software == nullptr) return;
  for (auto& check : appliance_.effects.software->take_checks()) {
    if (check.cut_short) {
      replies_.answer_now(std::move(check.respond),
                          problem_reply(Error(Errc::stopping, "the appliance is stopping")));
      continue;
    }
    bad_ = !check.findings.empty();
    if (bad_) appliance_.effects.supply.latch(entropy::LatchReason::software_mismatch);
    const auto seq = record_check(check);
    if (!seq) appliance_.lose_event();
    if (!check.respond) continue;
    check.reply["seq"] = seq.value_or(0);
    Reply reply;
    reply.body = json::canonical(json::Value(std::move(check.reply)));
    replies_.answer_now(std::move(check.respond), std::move(reply));
  }
}

void SoftwareWatch::on_ended_turn() {
  if (appliance_.effects.software != nullptr)
    static_cast<void>(appliance_.effects.software->take_checks());
}

void SoftwareWatch::refuse_challenges(const Reply& reply) {
  if (appliance_.effects.software == nullptr) return;
  for (auto& check : appliance_.effects.software->take_checks()) {
    if (check.respond) check.respond(reply);
  }
}

void SoftwareWatch::on_pause() {
  appliance_.metrics.set("talla_software_not_approved", held_ ? 1.0 : 0.0);
}

std::optional<Error> SoftwareWatch::objection() const {
  if (bad_)
    return Error(Errc::software_mismatch,
                 "the software is not what its manifest says; /v1/software names what");
  if (held_)
    return Error(Errc::software_mismatch, "the software changed, and this start did not take it: " +
                                              held_->path + " " + held_->what);
  return std::nullopt;
}

std::string SoftwareWatch::cause() const {
  if (bad_) return "the software is still not what its manifest says";
  return held_ ? "this start did not take the changed software" : "";
}

json::Object SoftwareWatch::view() const {
  json::Object view{{"state", "unsigned"}};
  if (appliance_.effects.software != nullptr) view = appliance_.effects.software->status();
  if (counts_) view["approved"] = to_hex(*counts_);
  if (!held_) return view;
  view["state"] = "mismatch";
  auto& findings = view.emplace("findings", json::Array()).first->second;
  findings.array().emplace_back(json::Object{{"path", held_->path}, {"what", held_->what}});
  return view;
}

std::vector<Operation> software_operations() {
  const auto file = Schema::object(
      {required("path", Schema::text()),
       required("kind", Schema::one_of({"program", "library", "catalogue", "unit", "data"})),
       required("sha256", Schema::digest()), required("answer", Schema::digest())});
  const auto challenge = Schema::object(
      {required("nonce", Schema::text()), required("manifest", Schema::digest()),
       required("version", Schema::text()), required("build", Schema::text()),
       required("result", Schema::one_of({"good", "mismatch"})),
       required("answer", Schema::digest()), required("time", Schema::number()),
       required("files", Schema::list(file)), required("findings", findings_schema())});
  return {
      {.row = {"getSoftware", "GET", "/v1/software", overseers.with({Role::lab}), false},
       .handler = &Questions::software,
       .words = {"software", "The software that runs, and its signed manifest",
                 "What the last check found."},
       .body = {},
       .query = {},
       .replies = {{reply_of("SoftwareReply", "software", software_schema())}},
       .example_body = {},
       .example_reply = R"({"software":{"state":"unsigned"}})"},
      {.row = {"challengeSoftware", "POST", "/v1/software/challenge", overseers.with({Role::lab}),
               false},
       .handler = std::monostate{},
       .words = {"software", "Challenge the software: every file is hashed with this nonce",
                 "It is hashed anew each time, so it needs no key; `seq` is the ACCESS that this "
                 "leaves."},
       .body = Schema::object({required("nonce", nonce_schema())}),
       .query = {},
       .replies = {{reply_of("ChallengeReply", "challenge", challenge,
                             {required("seq", Schema::number())})}},
       .example_body = R"({"nonce":"00112233445566778899aabbccddeeff"})",
       .example_reply =
           R"()"
           R"({"challenge":{"answer":)"
           R"("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("build":"1","files":[],"findings":[],)"
           R"("manifest":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("nonce":"00112233445566778899aabbccddeeff","result":"good",)"
           R"("time":1767225600000000,"version":"1.0"},"seq":40})"},
  };
}

}  // namespace talla::core
