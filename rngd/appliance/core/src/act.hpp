/// \file
/// Acts that need two persons (PROTOCOL section 8): one asks, another confirms within a time limit,
/// both in the log.
///
/// Each step is an ACCESS record whose `what` is ACT.STEP (certs/FORMAT.md section 6):
/// `latch-reset.asked` by the one who asks; `.confirmed` by both, citing it; then `.done` or
/// `.failed` where the act takes time; `.withdrawn` and `.expired` end it without effect. The id of
/// a request is `act-N`, N the seq of its first record. What exactly is asked for, where the kind
/// leaves that open, is bound by a digest that every step repeats.
/// Threads: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "core/roles.hpp"
#include "format/body_machine.hpp"
#include "format/record.hpp"

namespace talla::core {

enum class ActKind : std::uint8_t {
  latch_reset,  ///< "latch-reset": security officer and inspector
  draw_void,    ///< "draw-void", of one open CALL: security officer and inspector
  /// "table-finish", a suspended table goes on: inspector and operator or security officer.
  table_finish,
  table_void,  ///< "table-void", what a suspended table has open is void: the same
  /// "call-again", a round, shoe or batch is called for again behind its VOIDs: the same.
  call_again,
  /// "shoe-close", a shoe is closed before the rules end it: the same.
  shoe_close,
  // From here on security officer and inspector.
  log_key_rotate,    ///< "log-key-rotate": the configured next key signs the log from then on
  client_enrol,      ///< "client-enrol": a client certificate with its roles, at once
  client_revoke,     ///< "client-revoke": it is out, at once
  enrolment_change,  ///< "enrolment-change": approves a list of clients that the next start reads
  config_change,     ///< "config-change": approves a configuration file that the next start reads
  /// "software-update": approves the software of that manifest for a start; while nothing is open.
  software_update,
  restore,         ///< "restore": approves a backup, named by its digest
  sampling_order,  ///< "sampling-order": samples for one laboratory (sampling.hpp)
};
[[nodiscard]] std::string_view act_name(ActKind kind);
[[nodiscard]] std::optional<ActKind> act_from(std::string_view name);
/// All of them.
[[nodiscard]] std::vector<std::string> act_names();

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

  [[nodiscard]] RoleSet both() const { return one.with(other); }
  [[nodiscard]] bool takes(RoleSet person) const {
    return person.meets(one) || person.meets(other);
  }
  [[nodiscard]] bool takes(RoleSet first, RoleSet second) const {
    return (first.meets(one) && second.meets(other)) || (first.meets(other) && second.meets(one));
  }
};
[[nodiscard]] ActRoles roles_of(ActKind kind);

/// It is carried out later, by whoever finds the approval (approval.hpp): the confirmation only
/// approves a digest.
[[nodiscard]] bool approves(ActKind kind);
/// It goes on for a while after its confirmation and ends done or failed.
[[nodiscard]] bool takes_time(ActKind kind);
/// Both persons sign it, for one state of a table: what follows stands in the table's chain.
[[nodiscard]] bool is_signed(ActKind kind);
/// It changes who has which key: its first record holds the KEY body that it asks for.
[[nodiscard]] bool changes_key(ActKind kind);

struct Act {
  std::uint64_t seq = 0;  ///< of its first record
  std::string id;         ///< "act-17"
  ActKind kind = ActKind::latch_reset;
  ActStage stage = ActStage::asked;
  /// "batch-17", "table-9", id of a client, text of a sampling order; empty for the others.
  std::string object;
  /// Of what is asked for, where `approves` or `changes_key`; of what a sampling order gave.
  std::optional<Digest> digest;
  std::optional<json::Value> key;  ///< where `changes_key`: body of the KEY record that it asks for
  /// What the newest step's person has signed: always where `is_signed`, else who can.
  std::optional<certs::AccessOrder> order;
  std::string text;        ///< the record that asks: who confirms signs its leaf hash
  std::uint64_t call = 0;  ///< draw_void: seq of the CALL
  certs::Client asked_by;
  std::string second;         ///< client id of who confirmed; empty before
  std::int64_t asked_us = 0;  ///< recorded time

  /// Waits, or is under way: a reset, a rotation and a sampling order take time, everything else
  /// happens with its confirmation.
  [[nodiscard]] bool open() const {
    return stage == ActStage::asked || (stage == ActStage::confirmed && takes_time(kind));
  }
};

/// One step of an act as an ACCESS says it; nothing for every other ACCESS.
struct ActStep {
  ActKind kind = ActKind::latch_reset;
  ActStage stage = ActStage::asked;
};
[[nodiscard]] std::optional<ActStep> step_of(const certs::Record& record);
/// The body of that record. `by`: client ids of the persons.
[[nodiscard]] json::Object step_body(const Act& act, ActStage stage,
                                     const std::vector<std::string>& by);

}  // namespace talla::core
