#include "act.hpp"

#include <array>

namespace talla::core {
namespace {

constexpr std::array kinds{ActKind::latch_reset, ActKind::draw_void, ActKind::table_finish,
                           ActKind::table_void};
constexpr std::array stages{ActStage::asked,  ActStage::confirmed, ActStage::done,
                            ActStage::failed, ActStage::expired,   ActStage::withdrawn};

template <class All, class Name>
auto find_name(const All& all, std::string_view wanted, Name name)
    -> std::optional<typename All::value_type> {
  for (const auto one : all) {
    if (name(one) == wanted) return one;
  }
  return std::nullopt;
}

}  // namespace

std::string_view act_name(ActKind kind) {
  switch (kind) {
    case ActKind::latch_reset:
      return "latch-reset";
    case ActKind::draw_void:
      return "draw-void";
    case ActKind::table_finish:
      return "table-finish";
    case ActKind::table_void:
      return "table-void";
  }
  return "unknown";
}

std::optional<ActKind> act_from(std::string_view name) {
  return find_name(kinds, name, act_name);
}

std::string_view stage_name(ActStage stage) {
  switch (stage) {
    case ActStage::asked:
      return "asked";
    case ActStage::confirmed:
      return "confirmed";
    case ActStage::done:
      return "done";
    case ActStage::failed:
      return "failed";
    case ActStage::expired:
      return "expired";
    case ActStage::withdrawn:
      return "withdrawn";
  }
  return "unknown";
}

ActRoles roles_of(ActKind kind) {
  switch (kind) {
    case ActKind::latch_reset:
    case ActKind::draw_void:
      break;
    case ActKind::table_finish:
    case ActKind::table_void:
      return {{Role::inspector}, {Role::operator_, Role::security_officer}};
  }
  return {{Role::security_officer}, {Role::inspector}};
}

std::optional<ActStep> step_of(const certs::Record& record) {
  const auto* what = record.body.find("what");
  if (record.kind != certs::Kind::access || what == nullptr || !what->is_string()) return std::nullopt;
  const std::string_view text = what->string();
  const auto dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto kind = act_from(text.substr(0, dot));
  const auto stage = find_name(stages, text.substr(dot + 1), [](ActStage one) { return stage_name(one); });
  if (!kind || !stage) return std::nullopt;
  return ActStep{*kind, *stage};
}

json::Object step_body(const ActStep& step, const std::vector<std::string>& by, const std::string& object) {
  const bool allowed =
      step.stage == ActStage::asked || step.stage == ActStage::confirmed || step.stage == ActStage::done;
  json::Array persons;
  for (const auto& id : by) persons.emplace_back(id);
  json::Object body{{"what", std::string(act_name(step.kind)) + "." + std::string(stage_name(step.stage))},
                    {"result", allowed ? "allowed" : "refused"},
                    {"by", std::move(persons)}};
  if (!object.empty()) body["object"] = object;
  return body;
}

}  // namespace talla::core
