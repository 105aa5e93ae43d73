/// \file
/// Refusals as problem documents (RFC 9457): stable `code`, what to do with the same request
/// (`retry`), the current position where one was expected.
#pragma once

#include <span>

#include "base/json.hpp"
#include "core/errc.hpp"
#include "core/request.hpp"

namespace talla::core {

/// same: send it again unchanged, now or after a lost connection. after: later, see Retry-After.
/// never: it will be refused again as it stands.
enum class Retry : std::uint8_t { same, after, never };

struct ProblemRow {
  Errc errc;
  int status;
  Retry retry;
  unsigned retry_after_s;  ///< 0: no header.
  std::string_view title;
};
[[nodiscard]] std::string_view retry_name(Retry retry);
/// One row per Errc.
[[nodiscard]] std::span<const ProblemRow> all_problems();
[[nodiscard]] const ProblemRow& problem_row(Errc errc);

/// A refusal with what the client needs to go on.
struct Refusal {
  Error error;
  json::Object current;  ///< Extra members: `position`, `state`, `index`, ...; may be empty.

  Refusal(Error from) : error(std::move(from)) {}  // NOLINT: the usual way in
  Refusal(Error from, json::Object now) : error(std::move(from)), current(std::move(now)) {}
};

/// By name.
[[nodiscard]] json::Array role_names(RoleSet roles);
/// What a refusal for want of a role says: `needed_roles`, any of which would do, and `own_roles`.
[[nodiscard]] json::Object roles_told(RoleSet needed, RoleSet own);
/// Who ends a latch: the act, the roles of one person and those of the other.
[[nodiscard]] json::Object latch_ended_by();
/// The same of the limit of VOIDs.
[[nodiscard]] json::Object limit_ended_by();
/// The act that closes a shoe before the rules end it.
[[nodiscard]] json::Object close_ended_by();
/// entropy_latched, with who ends it.
[[nodiscard]] Error latched_error();

/// Errors of this module by their row; of games as 422 with their own code; of what reads bodies as
/// malformed_request;
/// the rest as 500 without detail.
[[nodiscard]] Reply problem_reply(const Refusal& refusal);

}  // namespace talla::core
