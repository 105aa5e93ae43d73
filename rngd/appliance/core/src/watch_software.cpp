// Checks of the software: what was found goes into the log, latches, and answers who challenged it.
#include "watch_software.hpp"

#include "ended.hpp"
#include "problem.hpp"

namespace talla::core {
namespace {

using certs::Kind;

constexpr std::string_view challenge_path = "/v1/software/challenge";
/// Of one check so many findings get a record of their own.
constexpr std::size_t findings_max = 16;
constexpr std::size_t nonce_min = 16;
constexpr std::size_t nonce_max = 64;

Result<Bytes> read_nonce(const std::string& text) {
  const auto body = json::parse(text);
  if (!body || !body->is_object())
    return fail(Errc::malformed_request, "the body must be a JSON object");
  json::Reader reader(*body, "challenge");
  TALLA_TRY(const auto hex, reader.string("nonce"));
  TALLA_TRY_STATUS(reader.finish());
  const auto nonce = from_hex(hex);
  if (!nonce || nonce->size() < nonce_min || nonce->size() > nonce_max)
    return fail(Errc::nonce_malformed, "16 to 64 bytes in hex");
  return *nonce;
}

}  // namespace

Status SoftwareWatch::take_challenge(const Request& request, Answer& answer) {
  if (appliance_.settings.ended)
    return tl::unexpected<Error>(ended_error(*appliance_.settings.ended));
  TALLA_TRY(const auto nonce, read_nonce(request.body));
  if (appliance_.effects.software == nullptr || !appliance_.effects.software->manifest())
    return fail(Errc::software_unsigned,
                "no manifest is configured: there is nothing to compare with");
  if (!appliance_.effects.software->challenge(request.client, nonce, answer))
    return fail(Errc::too_busy, "other challenges wait; ask again");
  return {};
}

bool SoftwareWatch::challenged(const Request& request, Answer& answer) {
  const auto path = std::string_view(request.path).substr(0, request.path.find('?'));
  if (appliance_.failed() || request.method != "POST" || path != challenge_path) return false;
  const auto route = find_route(request.method, request.path);
  if (auto reply = admission_.turned_away(request, route)) {
    answer(std::move(*reply));
  } else if (const Status taken = take_challenge(request, answer); !taken) {
    appliance_.metrics.count("talla_refusals_total{code=\"" + std::string(taken.error().code) +
                             "\"}");
    answer(problem_reply(Refusal(taken.error())));
  } else {
    appliance_.metrics.count("talla_commands_total{operation=\"" + std::string(route->row->id) +
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
    return json::Object{{"test", test}, {"result", passed ? "pass" : "fail"}, {"count", n}};
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
    const json::Object body{{"what", "software-challenge"},
                            {"result", good ? "allowed" : "refused"},
                            {"object", to_hex(check.answer)},
                            {"by", json::Array{check.client->id}}};
    TALLA_TRY(seq, tx.add({Kind::access, {}, {}, body}));
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

}  // namespace talla::core
