// Who sees what.
#include "sight.hpp"

#include <algorithm>

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
  if (table.client == client.id || client.roles.meets(overseers)) return true;
  const auto* round = live_round(world, table);
  return round != nullptr && seat_of(client, *round).has_value();
}

bool was_seated(const Appliance& appliance, const Client& client,
                const certs::LedgerRecord& stored) {
  if (!client.roles.has(Role::seat)) return false;
  const auto record = certs::parse_record(stored.bytes);
  if (!record) return false;
  const auto* named = record->body.find("round");
  const std::string id = named != nullptr && named->is_string() ? named->string() : record->object;
  const auto seq = certs::object_seq("round", id);
  const auto opening = seq ? appliance.effects.log.ledger().record(*seq)
                           : Result<certs::LedgerRecord>(not_found("round"));
  const auto opened =
      opening ? certs::parse_record(opening->bytes) : Result<certs::Record>(not_found("round"));
  if (!opened || opened->kind != certs::Kind::round_open) return false;
  const auto body = certs::RoundOpenBody::from_json(opened->body);
  return body && seat_of(appliance.context.hashes, client, *body).has_value();
}

bool was_dealt_to(const Shoe& shoe, const Client& client) {
  if (!client.roles.has(Role::seat) || client.spki.empty()) return false;
  return std::ranges::any_of(shoe.covered, [&](const auto& entry) {
    return std::ranges::any_of(entry.second.copies,
                               [&](const auto& copy) { return to_hex(copy.key) == client.spki; });
  });
}

}  // namespace talla::core
