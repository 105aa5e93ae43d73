// Who sees what.
#include "sight.hpp"

#include <algorithm>

#include "contributions.hpp"
#include "seats.hpp"

namespace talla::core {

tl::unexpected<Error> not_found(std::string_view what) {
  return fail(Errc::not_found, "no such " + std::string(what));
}

const Round* live_round(const World& world, const Table& table) {
  const auto found = table.live_round ? world.rounds.find(*table.live_round) : world.rounds.end();
  return found == world.rounds.end() ? nullptr : &found->second;
}

bool sees(const World& world, const Client& client, const Table& table) {
  if (client.invitation) return is_invited(client, table);
  if (table.client == client.id || client.roles.meets(overseers)) return true;
  // A first commitment binds TABLE_OPEN, which a partner reads before it has handed in anything.
  if (client.roles.has(Role::contributor)) return true;
  if (client.roles.meets(contributors) && table.panel.guests().clients.contains(client.id))
    return true;
  const auto* round = live_round(world, table);
  return round != nullptr && seat_of(client, *round).has_value();
}

bool was_dealt_to(const Shoe& shoe, const Client& client) {
  if (!client.roles.has(Role::seat) || client.spki.empty()) return false;
  return std::ranges::any_of(shoe.covered, [&](const auto& entry) {
    return std::ranges::any_of(entry.second.copies,
                               [&](const auto& copy) { return to_hex(copy.key) == client.spki; });
  });
}

}  // namespace talla::core
