#include "seats.hpp"

#include <algorithm>

#include "certs/covered.hpp"

namespace talla::core {

std::optional<std::int64_t> seat_of(const Client& client, const Round& round) {
  if (!client.roles.has(Role::seat) || client.spki.empty()) return std::nullopt;
  for (const auto& [seat, key] : round.seat_keys) {
    if (to_hex(key) == client.spki) return seat;
  }
  return std::nullopt;
}

std::optional<std::int64_t> seat_of(const HashSuite& hashes, const Client& client,
                                    const certs::RoundOpenBody& open) {
  if (!client.roles.has(Role::seat) || client.spki.empty()) return std::nullopt;
  for (const auto& key : open.keys) {
    if (to_hex(hashes.sha256({key.spki})) == client.spki) return key.seat;
  }
  return std::nullopt;
}

games::Viewer viewer_of(const Client& client, const Round* round) {
  if (client.roles.has(Role::auditor)) return {games::Viewer::Kind::inspector, 0};
  const auto seat = round != nullptr ? seat_of(client, *round) : std::nullopt;
  if (seat) return {games::Viewer::Kind::seat, static_cast<games::Seat>(*seat)};
  return {};
}

Status check_named_key(const Call& call, const certs::SeatKey& key) {
  if (auto known = certs::check_seat_key(key.spki); !known)
    return fail(Errc::no_seat_key, known.error().detail);
  const auto digest = to_hex(call.parts.hashes.sha256({key.spki}));
  const bool enrolled =
      std::ranges::any_of(call.world().clients(), [&](const EnrolledClient& client) {
        return client.spki == digest &&
               std::ranges::find(client.roles, role_name(Role::seat)) != client.roles.end();
      });
  if (!enrolled) return fail(Errc::no_seat_key, "no enrolled seat has this key");
  return {};
}

bool released_to(const Shoe& shoe, const Client& client) {
  return shoe.release && client.roles.has(Role::shuffler) &&
         client.id == shoe.release->body.machine && client.spki == to_hex(shoe.release->body.key);
}

Status check_machine(const Call& call, const std::string& machine, const Bytes& spki) {
  if (auto known = certs::check_seat_key(spki); !known)
    return fail(Errc::no_seat_key, known.error().detail);
  const auto digest = to_hex(call.parts.hashes.sha256({spki}));
  const bool enrolled =
      std::ranges::any_of(call.world().clients(), [&](const EnrolledClient& client) {
        return client.id == machine && client.spki == digest &&
               std::ranges::find(client.roles, role_name(Role::shuffler)) != client.roles.end();
      });
  if (!enrolled) return fail(Errc::no_seat_key, "no enrolled shuffler of this id has this key");
  return {};
}

}  // namespace talla::core
