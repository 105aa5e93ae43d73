// Every operation of the interface, gathered from the files that answer them.
#include "operations.hpp"

#include <iterator>

#include "base/check.hpp"

namespace talla::core {
namespace {

std::vector<Operation> gathered() {
  std::vector<Operation> all;
  for (const auto list :
       {table_operations,        shoe_operations,       deal_operations,
        release_operations,      round_operations,      draw_operations,
        contribution_operations, answer_operations,     meter_operations,
        act_operations,          table_list_operations, question_operations,
        object_operations,       machine_operations,    history_operations,
        status_operations,       return_operations,     monitor_history_operations,
        software_operations,     proof_operations,      month_operations,
        sample_operations}) {
    auto some = list();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const Operation> all_operations() {
  static const auto all = gathered();
  return all;
}

std::span<const OperationRow> operations() {
  static const auto rows = [] {
    std::vector<OperationRow> all;
    for (const auto& one : all_operations()) all.push_back(one.row);
    return all;
  }();
  return rows;
}

Outcome run_command(const Call& call, const Route& route) {
  const Handler& handler = route.operation->handler;
  if (const auto* whole = std::get_if<Command>(&handler)) return (*whole)(call);
  if (const auto* of_object = std::get_if<CommandOfObject>(&handler)) {
    TALLA_CHECK(route.arguments.size() == 1);
    return (*of_object)(call, route.arguments.begin()->second);
  }
  return refuse(Errc::method_not_allowed, "not a command");
}

}  // namespace talla::core
