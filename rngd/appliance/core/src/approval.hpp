/// \file
/// What two persons have approved and nobody has carried out yet (PROTOCOL section 8:
/// configuration, software, restore).
///
/// A confirmed act of a kind that `approves` leaves an approval: kind and digest, at most one of
/// each kind, the newest. Who carries it out asks for it (`find_approval`) and lets the machine
/// record that says so (CONFIG, SOFTWARE, KEY) cite its `seq`: that record spends it. The ledger
/// keeps what is open in one document, so that the next start finds it.
/// Threads: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "act.hpp"
#include "core/settings.hpp"

namespace talla::core {

class Transaction;
class Overlay;
class Editing;

struct Approval {
  ActKind kind = ActKind::config_change;
  Digest digest{};
  std::uint64_t seq = 0;  ///< of the ACCESS that confirmed it
};

/// The open approval of exactly this; nothing otherwise.
[[nodiscard]] std::optional<Approval> find_approval(const Overlay& world, ActKind kind,
                                                    const Digest& digest);
/// A confirmed act of an approving kind, folded in: an older one of its kind is over.
void add_approval(Editing& edit, const Act& act, std::uint64_t confirmed);
/// A machine record that cites approvals spends them.
void spend_approvals(Editing& edit, const certs::Record& record);
/// The list as it is now goes with the running group.
void keep_approvals(Transaction& tx);

/// What the record of a change since the last start cites: its approval. Errors: not_approved in
/// production, where an officer and an inspector are enrolled whom one could have asked; else the
/// change needs nobody.
[[nodiscard]] Result<std::vector<std::uint64_t>> approved_change(Transaction& tx,
                                                                 const Settings& settings,
                                                                 ActKind kind, const Digest& digest,
                                                                 const std::string& what);

[[nodiscard]] Result<std::vector<Approval>> approvals_from(const std::string& text);
[[nodiscard]] json::Object approval_view(const Approval& approval);

}  // namespace talla::core
