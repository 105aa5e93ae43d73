/// \file
/// Who sees what is in the state.
///
/// Threads: the sequencer's.
#pragma once

#include "appliance.hpp"
#include "core/request.hpp"

namespace talla::core {

/// For what is not there, and for what is not to be seen.
[[nodiscard]] tl::unexpected<Error> not_found(std::string_view what);
/// The round that is under way at this table; null: none.
[[nodiscard]] const Round* live_round(const World& world, const Table& table);
/// Whoever opened it, overseers, and who sits in its round.
[[nodiscard]] bool sees(const World& world, const Client& client, const Table& table);
/// A copy of one of its covered cards is for the key of this seat, also when the round is over
/// (PROTOCOL section 4.3).
[[nodiscard]] bool was_dealt_to(const Shoe& shoe, const Client& client);

}  // namespace talla::core
