#include "problem.hpp"

#include <algorithm>
#include <array>

#include "act.hpp"
#include "base/check.hpp"
#include "certs/errc.hpp"
#include "format/errc.hpp"
#include "shuffle/errors.hpp"

namespace talla::core {
namespace {

using E = Errc;
constexpr auto never = Retry::never;
constexpr auto after = Retry::after;
constexpr std::array<ProblemRow, 70> problem_rows{{
    {E::malformed_request, 400, never, 0, "The request is malformed"},
    {E::not_found, 404, never, 0, "No such resource"},
    {E::method_not_allowed, 405, never, 0, "The resource does not take this method"},
    {E::forbidden, 403, never, 0, "The certificate has no role for this"},
    {E::key_missing, 400, never, 0, "An Idempotency-Key header is needed"},
    {E::key_malformed, 400, never, 0, "The Idempotency-Key is malformed"},
    {E::key_reused, 422, never, 0, "The Idempotency-Key belongs to another request"},
    {E::too_many_requests, 429, after, 1, "Too many requests"},
    {E::too_busy, 503, after, 1, "The appliance is busy"},
    {E::wrong_position, 409, never, 0, "Not the next position"},
    {E::wrong_state, 409, never, 0, "Not the present state"},
    {E::wrong_index, 409, never, 0, "Not the next index"},
    {E::wrong_root, 409, never, 0, "Not the root of this object"},
    {E::nonce_malformed, 400, never, 0, "The nonce is malformed"},
    {E::call_signature, 422, never, 0, "The call is not signed by its table"},
    {E::shoe_live, 409, never, 0, "The table has a live shoe"},
    {E::no_shoe, 409, never, 0, "The table has no shoe"},
    {E::shoe_not_mixed, 409, never, 0, "The shoe is not mixed"},
    {E::shoe_finished, 409, never, 0, "The shoe is finished"},
    {E::batch_expired, 409, never, 0, "The batch is closed"},
    {E::bets_open, 409, never, 0, "Bets are still open"},
    {E::bets_not_open, 409, never, 0, "Bets are not open"},
    {E::table_closed, 409, never, 0, "The table is closed"},
    {E::table_suspended, 503, after, 60, "The table is suspended"},
    {E::not_settled_here, 409, never, 0, "Not an operation of this kind of table"},
    {E::entropy_latched, 503, after, 60, "The generator is latched: no new commitments"},
    {E::entropy_not_ready, 503, after, 1, "The generator is not ready"},
    {E::disk_reserve, 503, after, 60, "Disk space is below the reserve: no new commitments"},
    {E::ledger_failed, 503, Retry::same, 10, "The ledger failed; the appliance restarts"},
    {E::stopping, 503, Retry::same, 10, "The appliance is stopping"},
    {E::limit_exceeded, 422, never, 0, "Beyond a limit"},
    {E::round_open, 409, never, 0, "Something of it is still open"},
    {E::secret_unusable, 503, after, 60, "A sealed secret does not open"},
    {E::replay_failed, 500, never, 0, "The ledger does not replay"},
    {E::card_not_covered, 409, never, 0, "No covered card at this position"},
    {E::clock_stepped, 503, after, 60, "The clock stepped: no new commitments"},
    {E::no_seat_key, 422, never, 0, "The seat has no key for covered cards"},
    {E::same_person, 403, never, 0, "A second person must confirm"},
    {E::act_pending, 409, never, 0, "The act is asked for already"},
    {E::act_over, 409, never, 0, "The request is over"},
    {E::meter_in_use, 409, never, 0, "Open tables share the meter"},
    {E::meter_terms_differ, 422, never, 0, "The meter runs on other terms"},
    {E::cause_persists, 409, after, 60, "What latched the generator is still there"},
    {E::anchor_lost, 503, after, 60, "The rollback anchor is not written: no new commitments"},
    {E::not_approved, 403, never, 0, "Two persons have not approved it"},
    {E::not_at_rest, 409, after, 60, "Shoes, rounds or draws are open"},
    {E::software_mismatch, 503, after, 60,
     "The software is not as signed and approved: no new commitments"},
    {E::software_unsigned, 409, never, 0, "The software has no manifest"},
    {E::log_ended, 409, never, 0, "The log has ended: it is read-only"},
    {E::wrong_card, 409, never, 0, "Another card belongs there"},
    {E::not_your_seat, 403, never, 0, "Not your seat"},
    {E::place_taken, 409, never, 0, "Another table is open there"},
    {E::turn_gap, 409, never, 0, "Not the next turn"},
    {E::turn_open, 409, never, 0, "The call before has no result yet"},
    {E::core_mismatch, 409, never, 0, "The call does not fit its table"},
    {E::head_wrong, 409, never, 0, "Not the head of the table"},
    {E::no_table_key, 422, never, 0, "The table has no key on P-256"},
    {E::contributor_unknown, 409, never, 0, "No such contributor here"},
    {E::t_gap, 409, never, 0, "Not the next number of this key"},
    {E::commit_mismatch, 409, never, 0, "Not the number that was committed to"},
    {E::opening_signature, 422, never, 0, "The number is not signed by its contributor"},
    {E::required_missing, 409, never, 0, "A required contributor is missing"},
    {E::others_order, 409, never, 0, "The contributors do not ascend"},
    {E::duplicate, 409, never, 0, "It is somebody else's already"},
    {E::answered_otherwise, 409, never, 0, "Another answer of this key is recorded"},
    {E::void_limit, 409, never, 0, "Two persons have to order another call"},
    {E::contributor_dropped, 409, never, 0, "A contributor who was not missing is left out"},
    {E::order_signature, 422, never, 0, "The order is not signed by who gives it"},
    {E::early_close, 409, never, 0, "Two persons have to order this close"},
    {E::report_signature, 422, never, 0, "The report is not signed by its machine"},
}};

struct Shape {
  int status;
  Retry retry;
  unsigned retry_after_s;
  std::string_view title;
};

Shape shape_of(const Error& error) {
  if (error.number >= 700 && error.number < 800) {
    const auto& row = problem_row(static_cast<Errc>(error.number));
    return {row.status, row.retry, row.retry_after_s, row.title};
  }
  if (said_by_rules(error)) return {422, never, 0, "Refused by the rules"};
  if (error.number >= 100 && error.number < 150)
    return {503, after, 1, "The generator gives nothing"};
  return {500, after, 1, "Internal error"};
}

/// Readers further in have their own words for a body they cannot take; for clients it is one code.
Error for_client(const Error& error) {
  using certs::FormatErrc;
  using Shuffle = shuffle::Errc;
  const bool body = error.is(FormatErrc::malformed_body) ||
                    error.is(FormatErrc::malformed_specification) ||
                    error.is(FormatErrc::malformed_mix);
  const bool cards = error.is(Shuffle::malformed_deck) || error.is(Shuffle::malformed_card) ||
                     error.is(Shuffle::bound_out_of_range) ||
                     error.is(Shuffle::count_out_of_range) ||
                     error.is(Shuffle::outcome_space_too_large);
  if (error.number < 100 || body || cards) return {Errc::malformed_request, error.detail};
  if (error.is(certs::Errc::not_found)) return {Errc::not_found, error.detail};
  // A sync failed while the command ran: nothing of it will be there.
  if (error.is(certs::Errc::ledger_latched)) return {Errc::ledger_failed, error.detail};
  return error;
}

}  // namespace

std::string_view retry_name(Retry retry) {
  return retry == Retry::same ? "same" : retry == Retry::after ? "after" : "never";
}

std::span<const ProblemRow> all_problems() {
  return problem_rows;
}

json::Array role_names(RoleSet roles) {
  json::Array names;
  for (const Role role : all_roles) {
    if (roles.has(role)) names.emplace_back(role_name(role));
  }
  return names;
}

json::Object roles_told(RoleSet needed, RoleSet own) {
  return {{"needed_roles", role_names(needed)}, {"own_roles", role_names(own)}};
}

namespace {

json::Object ended_by(ActKind kind) {
  const auto roles = roles_of(kind);
  return {{"act", act_name(kind)},
          {"roles", json::Array{role_names(roles.one), role_names(roles.other)}}};
}

}  // namespace

json::Object latch_ended_by() {
  return ended_by(ActKind::latch_reset);
}

json::Object limit_ended_by() {
  return ended_by(ActKind::call_again);
}

json::Object close_ended_by() {
  return ended_by(ActKind::shoe_close);
}

Error latched_error() {
  const auto roles = roles_of(ActKind::latch_reset);
  const auto one = role_names(roles.one);
  const auto other = role_names(roles.other);
  return {Errc::entropy_latched,
          "the generator is latched; " + one.front().string() + " and " + other.front().string() +
              " end it together: " + std::string(act_name(ActKind::latch_reset))};
}

const ProblemRow& problem_row(Errc errc) {
  const auto* found = std::ranges::find(problem_rows, errc, &ProblemRow::errc);
  TALLA_CHECK(found != problem_rows.end());
  return *found;
}

Reply problem_reply(const Refusal& refusal) {
  const Error error = for_client(refusal.error);
  const Shape shape = shape_of(error);
  json::Object body = refusal.current;
  body["type"] = "urn:talla:problem:" + std::string(error.code);
  body["title"] = shape.title;
  body["status"] = shape.status;
  body["code"] = error.code;
  if (shape.status < 500 || shape.status == 503) body["detail"] = error.detail;
  body["retry"] = retry_name(shape.retry);
  if (error.is(Errc::entropy_latched)) body["ended_by"] = latch_ended_by();
  if (error.is(Errc::void_limit)) body["ended_by"] = limit_ended_by();
  if (error.is(Errc::early_close)) body["ended_by"] = close_ended_by();
  Reply reply;
  reply.status = shape.status;
  reply.content_type = problem_type;
  reply.body = json::canonical(json::Value(std::move(body)));
  if (shape.retry_after_s != 0) reply.retry_after_s = shape.retry_after_s;
  return reply;
}

}  // namespace talla::core
