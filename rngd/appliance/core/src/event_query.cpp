// What a request asks of the log's events: of GET /v1/events and of its streams alike.
#include "core/event_query.hpp"

#include "admission.hpp"
#include "questions.hpp"

namespace talla::core {

EventQuery event_query_of(const Route& route) {
  const auto text = [&route](std::string_view name) {
    const auto found = route.query.find(name);
    return found == route.query.end() ? std::string() : found->second;
  };
  EventQuery query;
  query.after = number_of(route, "after", query.after);
  query.limit =
      static_cast<std::size_t>(number_of(route, "limit", static_cast<std::int64_t>(query.limit)));
  query.table = text("table");
  if (const auto kind = text("kind"); !kind.empty())
    query.kinds.push_back(certs::kind_from_name(kind));
  return query;
}

Result<EventQuery> event_query(std::string_view path) {
  TALLA_TRY(const auto route, find_route("GET", path));
  TALLA_TRY_STATUS(check_query(route));
  return event_query_of(route);
}

}  // namespace talla::core
