/// \file
/// Requests of two persons in the appliance: folding their records, keeping the list of open ones,
/// showing them.
#pragma once

#include <optional>
#include <string>

#include "command.hpp"
#include "editing.hpp"

namespace talla::core {

/// Documents of the ledger: open acts (a restart replays from the oldest), and why the generator is
/// latched.

/// One ACCESS folded into the world.
[[nodiscard]] Status apply_access(Editing& edit, const certs::Record& record);
/// Adds one step of an act; the list of open acts follows in the same group. `by`: all persons so
/// far.
[[nodiscard]] Result<std::uint64_t> add_step(Transaction& tx, const Act& act, ActStage stage);
/// The oldest of the list, from its document. Errors: replay_failed.
[[nodiscard]] Result<std::optional<std::uint64_t>> first_of(
    const std::optional<std::string>& document);

/// A confirmed act of that kind that is not ended; null: none.
[[nodiscard]] const Act* running_act(const World& world, ActKind kind);

[[nodiscard]] json::Object act_view(const Act& act, const Settings& settings);
/// Past its time limit.
[[nodiscard]] bool act_late(const Act& act, const Settings& settings, std::int64_t now_us);

}  // namespace talla::core
