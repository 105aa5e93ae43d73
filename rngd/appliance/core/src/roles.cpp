#include "core/roles.hpp"

#include <array>

#include "base/check.hpp"

namespace talla::core {
namespace {

constexpr std::array all_roles{
    Role::table,     Role::auditor,  Role::operator_, Role::seat, Role::security_officer,
    Role::inspector, Role::shuffler, Role::lab};

}  // namespace

std::string_view role_name(Role role) {
  switch (role) {
    case Role::table:
      return "table";
    case Role::auditor:
      return "auditor";
    case Role::operator_:
      return "operator";
    case Role::seat:
      return "seat";
    case Role::security_officer:
      return "security-officer";
    case Role::inspector:
      return "inspector";
    case Role::shuffler:
      return "shuffler";
    case Role::lab:
      return "lab";
  }
  return "unknown";
}

std::optional<Role> role_from(std::string_view name) {
  for (const Role role : all_roles) {
    if (role_name(role) == name) return role;
  }
  return std::nullopt;
}

bool may(RoleSet roles, Operation operation) {
  const auto& row = operations()[static_cast<std::size_t>(operation)];
  TALLA_CHECK(row.operation == operation);
  for (const Role role : all_roles) {
    if (roles.has(role) && row.roles.has(role)) return true;
  }
  return false;
}

}  // namespace talla::core
