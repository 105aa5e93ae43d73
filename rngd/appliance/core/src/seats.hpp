/// \file
/// Clients that sit at a table: a seat's client is the one whose key the round's ROUND_OPEN names.
#pragma once

#include <optional>

#include "command.hpp"
#include "games/engine.hpp"

namespace talla::core {

/// The seat that this client (role seat) has in the round; nothing when it has none.
[[nodiscard]] std::optional<std::int64_t> seat_of(const Client& client, const Round& round);
[[nodiscard]] std::optional<std::int64_t> seat_of(const HashSuite& hashes, const Client& client,
                                                  const certs::RoundOpenBody& open);

/// The order of the shoe's newest root was released to this client (role shuffler), under its key.
[[nodiscard]] bool released_to(const Shoe& shoe, const Client& client);
/// A machine that an order may be released to: an enrolled shuffler of that id with this P-256 key.
/// Errors: no_seat_key.
[[nodiscard]] Status check_machine(const Call& call, const std::string& machine, const Bytes& spki);

/// How this client looks at a round (null: at a table between rounds): inspector, its seat, or the
/// public.
[[nodiscard]] games::Viewer viewer_of(const Client& client, const Round* round);

/// A key that a new round may name: P-256, of an enrolled client with the role seat. Errors:
/// no_seat_key.
[[nodiscard]] Status check_named_key(const Call& call, const certs::SeatKey& key);

}  // namespace talla::core
