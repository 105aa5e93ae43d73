/// \file
/// Who answers an operation: the last column of the one table of operations (operations.cpp).
///
/// Adding an operation: its name in core/roles.hpp, its row, and what answers it.
#pragma once

#include <variant>

#include "command.hpp"
#include "route.hpp"

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

[[nodiscard]] const Handler& handler_of(Operation operation);
/// Errors: those of the command; method_not_allowed for a question.
[[nodiscard]] Outcome run_command(const Call& call, const Route& route);

}  // namespace talla::core
