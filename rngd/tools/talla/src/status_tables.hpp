/// \file
/// What stands behind the first line of `talla status`, as small tables: sources, generator, clock,
/// log and anchor, witnesses, appliance.
/// Threads: pure functions, but for what they say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app.hpp"

namespace talla::cli {

/// Why the generator is latched, in words; a reason that is not known here: as it is.
[[nodiscard]] std::string latch_reason_words(std::string_view reason);

/// The tables of a reply of GET /v1/status. `cosigned` is the newest checkpoint that witnesses
/// signed, a C2SP signed note; empty: there is none; nothing: this client is not shown it.
void show_status_tables(const App& app, const json::Value& status,
                        const std::optional<std::string>& cosigned);

}  // namespace talla::cli
