/// \file
/// Acts that need two persons (PROTOCOL section 8): one asks, another confirms within a time limit, both in the log.
///
/// Each step is an ACCESS record whose `what` is ACT.STEP (certs/FORMAT.md section 6): `latch-reset.asked` by the one who
/// asks; `.confirmed` by both, citing it; then `.done` or `.failed` where the act takes time; `.withdrawn` and
/// `.expired` end it without effect. The id of a request is `act-N`, N the seq of its first record.
/// Threads: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/roles.hpp"
#include "format/record.hpp"

namespace talla::core {

enum class ActKind : std::uint8_t {
  latch_reset,   ///< "latch-reset": security officer and inspector
  draw_void,     ///< "draw-void", of one open INTENT: security officer and inspector
  table_finish,  ///< "table-finish", a suspended table goes on: inspector and operator or security officer
  table_void,    ///< "table-void", what a suspended table has open is void: the same
};
[[nodiscard]] std::string_view act_name(ActKind kind);
[[nodiscard]] std::optional<ActKind> act_from(std::string_view name);

enum class ActStage : std::uint8_t {
  asked,      ///< Waits for the second person.
  confirmed,  ///< Under way; where nothing takes time, over.
  done,
  failed,
  expired,
  withdrawn,
};
[[nodiscard]] std::string_view stage_name(ActStage stage);

/// The two roles of an act: one person has one of the first, the other one of the second.
struct ActRoles {
  RoleSet one;
  RoleSet other;

  [[nodiscard]] bool takes(RoleSet person) const { return person.meets(one) || person.meets(other); }
  [[nodiscard]] bool takes(RoleSet first, RoleSet second) const {
    return (first.meets(one) && second.meets(other)) || (first.meets(other) && second.meets(one));
  }
};
[[nodiscard]] ActRoles roles_of(ActKind kind);

struct Act {
  std::uint64_t seq = 0;  ///< of its first record
  std::string id;         ///< "act-17"
  ActKind kind = ActKind::latch_reset;
  ActStage stage = ActStage::asked;
  std::string object;        ///< "batch-17", "table-9"; empty for latch_reset
  std::uint64_t intent = 0;  ///< draw_void: seq of the INTENT
  certs::Client asked_by;
  std::string second;         ///< client id of who confirmed; empty before
  std::int64_t asked_us = 0;  ///< recorded time

  /// Waits, or is under way: a reset takes time, everything else happens with its confirmation.
  [[nodiscard]] bool open() const {
    return stage == ActStage::asked || (stage == ActStage::confirmed && kind == ActKind::latch_reset);
  }
};

/// One step of an act as an ACCESS says it; nothing for every other ACCESS.
struct ActStep {
  ActKind kind = ActKind::latch_reset;
  ActStage stage = ActStage::asked;
};
[[nodiscard]] std::optional<ActStep> step_of(const certs::Record& record);
/// The body of that record. `by`: client ids of the persons; `object` may be empty.
[[nodiscard]] json::Object step_body(const ActStep& step, const std::vector<std::string>& by,
                                     const std::string& object);

}  // namespace talla::core
