// Refusals of described objects: how they grow from the inside out, and where members stand.
#include "describe.hpp"

namespace talla::certs {

Problem refused(std::string why) {
  return std::make_unique<Refusal>(Refusal{.where = {}, .why = std::move(why), .errc = {}});
}

Problem expected(std::string_view words) {
  return refused(std::string(words) + " is expected");
}

Problem missing() {
  return refused("is missing");
}

Problem out_of_place(std::string_view condition) {
  return refused("stands only " + std::string(condition));
}

Problem refused_at(std::string_view name, Problem problem) {
  const bool direct = problem->where.empty() || problem->where.front() == '[';
  problem->where = std::string(name) + (direct ? "" : ".") + problem->where;
  return problem;
}

Error error_of(std::string_view object, FormatErrc errc, const Refusal& refusal) {
  std::string where(object);
  if (!refusal.where.empty()) where += (refusal.where.front() == '[' ? "" : ".") + refusal.where;
  return {refusal.errc.value_or(errc), where + ": " + refusal.why};
}

Problem find_members(const json::Value& value, std::span<const NamedRow> names, Found found) {
  if (!value.is_object()) return expected("an object");
  auto row = names.begin();
  for (const auto& [name, member] : value.object()) {
    while (row != names.end() && row->name < name) ++row;
    if (row == names.end() || row->name != name)
      return refused_at(name, refused("is no member of it"));
    found[row->row] = &member;
  }
  return nullptr;
}

}  // namespace talla::certs
