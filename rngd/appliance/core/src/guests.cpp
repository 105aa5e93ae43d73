// Who may contribute at which table.
#include "guests.hpp"

#include <utility>

namespace talla::core {

Guests::Known Guests::known_now() const {
  Known known;
  for (const auto& [seq, table] : appliance_.world().tables) {
    if (table.closed || table.panel.guests_edition() == nullptr) continue;
    const auto& guests = table.panel.guests();
    for (const auto& [seat, token] : guests.tokens)
      known.invited.emplace(token, Invitation{table.id, seat, token});
    if (!guests.clients.empty()) known.at.emplace(table.id, guests.clients);
  }
  return known;
}

void Guests::publish(Known known) {
  const std::scoped_lock lock(mutex_);
  known_ = std::move(known);
}

void Guests::publish() {
  told_ = appliance_.world().guests_edition;
  publish(known_now());
}

std::optional<Client> Guests::invited(const Digest& token) const {
  const std::scoped_lock lock(mutex_);
  const auto found = known_.invited.find(token);
  if (found == known_.invited.end()) return std::nullopt;
  const Invitation& one = found->second;
  Client client{
      .id = one.table + "/" + seat_id(one.seat), .spki = {}, .roles = {Role::contributor}};
  client.invitation = one;
  return client;
}

bool Guests::takes_part(const std::string& client, const std::string& table) const {
  const std::scoped_lock lock(mutex_);
  const auto found = known_.at.find(table);
  return found != known_.at.end() && found->second.contains(client);
}

void Guests::on_written(std::uint64_t group) {
  const auto edition = appliance_.world().guests_edition;
  if (std::exchange(told_, edition) != edition) changed_.emplace(group, known_now());
}

void Guests::on_durable(std::uint64_t group) {
  while (!changed_.empty() && changed_.begin()->first <= group)
    publish(std::move(changed_.extract(changed_.begin()).mapped()));
}

}  // namespace talla::core
