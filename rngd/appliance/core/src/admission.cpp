// What is looked at before anything else of a request.
#include "admission.hpp"

#include <algorithm>
#include <charconv>

#include "calls.hpp"
#include "format/domain.hpp"
#include "operations.hpp"
#include "problem.hpp"

namespace talla::core {
namespace {

/// The body of a request: an object; none is an empty one.
Result<json::Value> body_of(const Request& request) {
  auto body =
      json::parse(request.body.empty() ? std::string_view("{}") : std::string_view(request.body));
  if (!body) return fail(Errc::malformed_request, body.error().text());
  if (!body->is_object()) return fail(Errc::malformed_request, "the body must be a JSON object");
  return std::move(*body);
}

/// What a record may come to hold is printable ASCII; a reason goes there in base64url.
Status check_characters(const json::Value& value, const std::string& path) {
  if (json::is_ascii(value)) return {};
  if (path == "reason") return {};
  if (value.is_string())
    return fail(Errc::malformed_request, path + ": printable ASCII is expected");
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.array().size(); ++i)
      TALLA_TRY_STATUS(check_characters(value.array()[i], path + "[" + std::to_string(i) + "]"));
    return {};
  }
  for (const auto& [name, member] : value.object()) {
    if (!json::is_ascii(json::Value(name)))
      return fail(Errc::malformed_request, path + ": a member whose name is no printable ASCII");
    TALLA_TRY_STATUS(check_characters(member, path.empty() ? name : path + "." + name));
  }
  return {};
}

/// The text of a query: a number where it is one.
json::Value query_value(const std::string& text) {
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const bool whole = read.ec == std::errc{} && read.ptr == end && std::to_string(number) == text &&
                     number >= -json::integer_max && number <= json::integer_max;
  return whole ? json::Value(number) : json::Value(text);
}

}  // namespace

Status check_query(const Route& route) {
  const Operation& operation = *route.operation;
  for (const auto& [name, text] : route.query) {
    const auto known = std::ranges::find(operation.query, name, &SchemaMember::name);
    if (known == operation.query.end()) {
      // What no JSON text may hold is not said back.
      const bool printable = std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
      return fail(Errc::malformed_request,
                  "query." + (printable ? name.substr(0, 40) : "?") + ": is not known here");
    }
    Status fits = known->schema.check(query_value(text), "query." + name);
    if (!fits && !known->schema.check(json::Value(text), "query." + name)) return fits;
    if (!json::is_ascii(json::Value(text)))
      return fail(Errc::malformed_request, "query." + name + ": printable ASCII is expected");
  }
  for (const auto& one : operation.query) {
    if (one.required && !route.query.contains(one.name))
      return fail(Errc::malformed_request, "query." + one.name + ": is missing");
  }
  return {};
}

Result<Admitted> Admission::take_apart(Request request, Route route) {
  const Operation& operation = *route.operation;
  if (!rate_limit_.take(request.client.id, appliance_.effects.clock.monotonic_ns()))
    return fail(Errc::too_many_requests, "slow down");
  TALLA_TRY_STATUS(check_query(route));
  Admitted out;
  if (operation.row.makes_record) {
    if (request.idempotency_key.empty())
      return fail(Errc::key_missing, "send a fresh Idempotency-Key with this request");
    if (!certs::idempotency_key_valid(request.idempotency_key))
      return fail(Errc::key_malformed, "1 to 64 characters of A-Z a-z 0-9 . _ -");
    out.digest = certs::request_digest(appliance_.context.hashes, request.method, request.path,
                                       request.body);
  }
  if (operation.body) {
    TALLA_TRY(out.body, body_of(request));
    TALLA_TRY_STATUS(operation.body->check(out.body, {}));
    TALLA_TRY_STATUS(check_characters(out.body, {}));
  }
  if (operation.makes_call) {
    TALLA_TRY(auto made, signed_call_of(appliance_.context.hashes, request.client, out.body));
    out.signed_call = std::make_shared<const SignedCall>(std::move(made));
  }
  out.route = std::move(route);
  out.request = std::move(request);
  return out;
}

tl::expected<Admitted, Reply> Admission::admit(Request request) {
  appliance_.metrics.count("talla_requests_total");
  const auto refused = [this](const Refusal& why) {
    appliance_.metrics.count("talla_refusals_total{code=\"" + std::string(why.error.code) + "\"}");
    return tl::unexpected<Reply>(problem_reply(why));
  };
  auto route = find_route(request.method, request.path);
  if (!route) return refused(route.error());
  const RoleSet needed = route->operation->row.roles;
  const Client& client = request.client;
  if (client.invitation &&
      std::ranges::find(invited_operations, route->operation->row.id) == invited_operations.end())
    return refused(Error(Errc::forbidden, "the invitation is for other operations"));
  if (client.id.empty() || !client.roles.meets(needed))
    return refused({Error(Errc::forbidden, "no role of this client may do this"),
                    roles_told(needed, client.roles)});
  auto admitted = take_apart(std::move(request), std::move(*route));
  if (admitted) return std::move(*admitted);
  return refused(admitted.error());
}

}  // namespace talla::core
