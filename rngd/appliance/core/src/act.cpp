#include "act.hpp"

#include <array>
#include <string>

namespace talla::core {
namespace {

constexpr std::array kinds{
    ActKind::latch_reset,      ActKind::draw_void,     ActKind::table_finish,
    ActKind::table_void,       ActKind::call_again,    ActKind::shoe_close,
    ActKind::log_key_rotate,   ActKind::client_enrol,  ActKind::client_revoke,
    ActKind::enrolment_change, ActKind::config_change, ActKind::software_update,
    ActKind::restore,          ActKind::sampling_order};
constexpr std::array act_stages{ActStage::asked,  ActStage::confirmed, ActStage::done,
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
      return certs::draw_void_act;
    case ActKind::table_finish:
      return "table-finish";
    case ActKind::table_void:
      return certs::table_void_act;
    case ActKind::call_again:
      return certs::call_again_act;
    case ActKind::shoe_close:
      return certs::shoe_close_act;
    case ActKind::log_key_rotate:
      return "log-key-rotate";
    case ActKind::client_enrol:
      return "client-enrol";
    case ActKind::client_revoke:
      return "client-revoke";
    case ActKind::enrolment_change:
      return "enrolment-change";
    case ActKind::config_change:
      return "config-change";
    case ActKind::software_update:
      return "software-update";
    case ActKind::restore:
      return "restore";
    case ActKind::sampling_order:
      return "sampling-order";
  }
  return "unknown";
}

std::vector<std::string> act_names() {
  std::vector<std::string> names;
  for (const ActKind kind : kinds) names.emplace_back(act_name(kind));
  return names;
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

bool approves(ActKind kind) {
  return kind == ActKind::enrolment_change || kind == ActKind::config_change ||
         kind == ActKind::software_update || kind == ActKind::restore;
}

bool is_signed(ActKind kind) {
  return certs::orders_table(act_name(kind));
}

bool changes_key(ActKind kind) {
  return kind == ActKind::client_enrol || kind == ActKind::client_revoke ||
         kind == ActKind::log_key_rotate;
}

bool takes_time(ActKind kind) {
  return kind == ActKind::latch_reset || kind == ActKind::log_key_rotate ||
         kind == ActKind::sampling_order;
}

ActRoles roles_of(ActKind kind) {
  if (kind == ActKind::table_finish || kind == ActKind::table_void || kind == ActKind::call_again ||
      kind == ActKind::shoe_close)
    return {{Role::inspector}, {Role::operator_, Role::security_officer}};
  return {{Role::security_officer}, {Role::inspector}};
}

std::optional<ActStep> step_of(const certs::Record& record) {
  const auto* what = record.body.find("what");
  if (record.kind != certs::Kind::access || what == nullptr || !what->is_string())
    return std::nullopt;
  const std::string_view text = what->string();
  const auto dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto kind = act_from(text.substr(0, dot));
  const auto stage =
      find_name(act_stages, text.substr(dot + 1), [](ActStage one) { return stage_name(one); });
  if (!kind || !stage) return std::nullopt;
  return ActStep{*kind, *stage};
}

json::Object step_body(const Act& act, ActStage stage, const std::vector<std::string>& by) {
  const bool allowed =
      stage == ActStage::asked || stage == ActStage::confirmed || stage == ActStage::done;
  json::Array persons;
  for (const auto& id : by) persons.emplace_back(id);
  json::Object body{
      {"what", std::string(act_name(act.kind)) + "." + std::string(stage_name(stage))},
      {"result", allowed ? "allowed" : "refused"},
      {"by", std::move(persons)}};
  if (!act.object.empty()) body["object"] = act.object;
  if (act.digest) body["digest"] = to_hex(*act.digest);
  if (act.key && stage == ActStage::asked) body["key"] = *act.key;
  if (act.order && (stage == ActStage::asked || stage == ActStage::confirmed)) {
    body["order"] = json::Object{{"head", to_hex(act.order->head)},
                                 {"key", to_base64(act.order->key)},
                                 {"signature", to_base64(act.order->signature)}};
  }
  return body;
}

}  // namespace talla::core
