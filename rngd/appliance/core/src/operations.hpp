/// \file
/// The one table of operations. A row holds all of one: route, roles, whether it makes a record,
/// who answers it, and what requests and replies are, by which requests are checked and from which
/// the OpenAPI document is written.
///
/// Adding an operation: its row, in the list of the file that answers it.
/// Threads: built once; read from any.
#pragma once

#include <span>
#include <variant>

#include "command.hpp"
#include "route.hpp"
#include "schema.hpp"

namespace talla::core {

class Proofs;
class Questions;

using Command = Outcome (*)(const Call& call);
/// The path names one object: its id.
using CommandOfObject = Outcome (*)(const Call& call, const std::string& id);
/// About the state; JSON, or a file.
using Question = Result<json::Object> (Questions::*)(const Request& request,
                                                     const Route& route) const;
using FileQuestion = Result<Reply> (Questions::*)(const Request& request, const Route& route) const;
/// Of committed records alone: on any thread.
using Proof = Result<Reply> (Proofs::*)(const Request& request, const Route& route) const;
/// Nothing: a duty takes it before it is queued (watch_software.hpp).
using Handler =
    std::variant<std::monostate, Command, CommandOfObject, Question, FileQuestion, Proof>;

/// What it is, for people.
struct OperationWords {
  std::string_view tag;      ///< heading of the description
  std::string_view summary;  ///< one line
  std::string_view description;
};

struct OperationReply {
  Schema body;
  int status = 200;
  std::string_view content_type = "application/json";
};

struct Operation {
  OperationRow row;
  Handler handler;
  OperationWords words;
  /// Of a POST: what its body may be.
  std::optional<Schema> body;
  /// What its query may hold.
  std::vector<SchemaMember> query;
  /// Those of a request that is not refused.
  std::vector<OperationReply> replies;
  /// JSON texts: a body (of a POST), and the first reply to it.
  std::string_view example_body;
  std::string_view example_reply;
  /// Its body is what a table signed (calls.hpp).
  bool makes_call = false;
  /// Its body is an opening (opening_check.hpp).
  bool opens_call = false;
  /// A question that rests on the state, and on records that it names: it is answered while groups
  /// are on their way to the disk, and its reply waits for the last of them. Others wait before
  /// they look.
  bool beside_flights = false;
};

[[nodiscard]] std::span<const Operation> all_operations();
/// Errors: those of the command; method_not_allowed for a question.
[[nodiscard]] Outcome run_command(const Call& call, const Route& route);

// The lists, each in the file that answers its operations.
[[nodiscard]] std::vector<Operation> table_operations();
[[nodiscard]] std::vector<Operation> shoe_operations();
[[nodiscard]] std::vector<Operation> deal_operations();
[[nodiscard]] std::vector<Operation> release_operations();
[[nodiscard]] std::vector<Operation> round_operations();
[[nodiscard]] std::vector<Operation> draw_operations();
[[nodiscard]] std::vector<Operation> contribution_operations();
[[nodiscard]] std::vector<Operation> answer_operations();
[[nodiscard]] std::vector<Operation> meter_operations();
[[nodiscard]] std::vector<Operation> act_operations();
[[nodiscard]] std::vector<Operation> table_list_operations();
[[nodiscard]] std::vector<Operation> question_operations();
[[nodiscard]] std::vector<Operation> object_operations();
[[nodiscard]] std::vector<Operation> machine_operations();
[[nodiscard]] std::vector<Operation> history_operations();
[[nodiscard]] std::vector<Operation> status_operations();
[[nodiscard]] std::vector<Operation> return_operations();
[[nodiscard]] std::vector<Operation> monitor_history_operations();
[[nodiscard]] std::vector<Operation> software_operations();
[[nodiscard]] std::vector<Operation> proof_operations();
[[nodiscard]] std::vector<Operation> month_operations();
[[nodiscard]] std::vector<Operation> sample_operations();

}  // namespace talla::core
