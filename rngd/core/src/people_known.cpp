#include "core.hpp"
#include "people.hpp"

namespace talla::core {

Status Service::Core::load_people() {
  TALLA_TRY(const auto clients, effects_.log.ledger().draft(enrolment_document));
  if (clients && !clients->empty()) {
    TALLA_TRY(world_.clients, enrolment_from(*clients));
  }
  TALLA_TRY(const auto approvals, effects_.log.ledger().draft(approvals_document));
  world_.approvals.clear();
  if (approvals && !approvals->empty()) {
    TALLA_TRY(world_.approvals, approvals_from(*approvals));
  }
  return {};
}

std::optional<Service::Core::People> Service::Core::changed_people() {
  if (!std::exchange(world_.clients_changed, false)) return std::nullopt;
  return people_now();
}

Service::Core::People Service::Core::people_now() const {
  People people;
  for (const auto& enrolled : world_.clients) {
    Client client{.id = enrolled.id, .spki = enrolled.spki, .roles = {}, .public_key = {}};
    for (const auto& name : enrolled.roles) {
      if (const auto role = role_from(name)) client.roles.add(*role);
    }
    people.emplace(enrolled.id, std::move(client));
  }
  return people;
}

void Service::Core::publish_people(People people) {
  const std::scoped_lock lock(people_mutex_);
  people_ = std::move(people);
}

std::optional<Client> Service::Core::enrolled(const std::string& id, const std::string& spki) const {
  const std::scoped_lock lock(people_mutex_);
  const auto found = people_.find(id);
  return found != people_.end() && found->second.spki == spki ? std::optional(found->second) : std::nullopt;
}

}  // namespace talla::core
