// The names of roles, and who may do what.
#include "core/roles.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::core {

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
    case Role::contributor:
      return "contributor";
  }
  return "unknown";
}

std::optional<Role> role_from(std::string_view name) {
  for (const Role role : every_role) {
    if (role_name(role) == name) return role;
  }
  return std::nullopt;
}

bool may(RoleSet roles, std::string_view operation) {
  const auto rows = operations();
  const auto found = std::ranges::find(rows, operation, &OperationRow::id);
  TALLA_CHECK(found != rows.end());
  return roles.meets(found->roles);
}

}  // namespace talla::core
