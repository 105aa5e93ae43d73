/// \file
/// Roles of enrolled certificates (PROTOCOL section 8, as far as the present games need them) and
/// what each may do, as data.
///
/// The matrix says which role may use which operation; a client may do what any of its roles may. A
/// client without one of the roles `auditor`, `operator`, `security-officer` and `inspector` sees
/// only tables that it opened itself, and what belongs to them. A `seat` is the client whose key a
/// ROUND_OPEN names: it sees that round and its shoe, reads the cards that are for its key, and
/// acts for its seat. A `shuffler` is a machine: it sees the shoes whose order was released to it,
/// and reports on them. A `lab` (a test laboratory) has the generator tested, reads what the
/// appliance says of itself, and gets the samples that two persons ordered for it; it sees no
/// table. A `contributor` puts numbers of its own into calls of tables (PROTOCOL section 5b):
/// another appliance, or whoever a table has invited. It sees all
/// tables (a first commitment binds TABLE_OPEN), or the one that invited it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace talla::core {

enum class Role : std::uint8_t {
  table,
  auditor,
  operator_,
  seat,
  security_officer,
  inspector,
  shuffler,
  lab,
  contributor
};
/// Every role once, in the order of the enum.
inline constexpr std::array all_roles{
    Role::table,     Role::auditor,  Role::operator_, Role::seat,       Role::security_officer,
    Role::inspector, Role::shuffler, Role::lab,       Role::contributor};
/// "table", "auditor", "operator", "seat", "security-officer", "inspector", "shuffler", "lab",
/// "contributor".
[[nodiscard]] std::string_view role_name(Role role);
/// The role of that name; nothing for an unknown one.
[[nodiscard]] std::optional<Role> role_from(std::string_view name);

/// A set of roles.
class RoleSet {
 public:
  constexpr RoleSet() = default;
  constexpr RoleSet(std::initializer_list<Role> roles) {
    for (const Role role : roles) add(role);
  }
  /// One more role; whether one is in it.
  constexpr void add(Role role) {
    bits_ = static_cast<std::uint16_t>(bits_ | (1U << static_cast<unsigned>(role)));
  }
  [[nodiscard]] constexpr bool has(Role role) const {
    return ((bits_ >> static_cast<unsigned>(role)) & 1U) != 0;
  }
  /// Some role is in both.
  [[nodiscard]] constexpr bool meets(RoleSet other) const { return (bits_ & other.bits_) != 0; }
  /// What is in either.
  [[nodiscard]] constexpr RoleSet with(RoleSet other) const {
    RoleSet both;
    both.bits_ = static_cast<std::uint16_t>(bits_ | other.bits_);
    return both;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const RoleSet&) const = default;

 private:
  std::uint16_t bits_ = 0;
};

/// All of them.
inline constexpr std::array every_role{
    Role::table,     Role::auditor,  Role::operator_, Role::seat,       Role::security_officer,
    Role::inspector, Role::shuffler, Role::lab,       Role::contributor};

/// Those who see every table and the whole log.
inline constexpr RoleSet overseers{Role::auditor, Role::operator_, Role::security_officer,
                                   Role::inspector};

/// Everybody who plays, watches or oversees.
inline constexpr RoleSet people_roles{Role::table, Role::auditor,          Role::operator_,
                                      Role::seat,  Role::security_officer, Role::inspector};
/// Those who may put a number of their own into a table's call.
inline constexpr RoleSet contributors{Role::seat, Role::contributor};
/// Those who may ask about tables: their own, or every one.
inline constexpr RoleSet staff_roles{Role::table, Role::auditor, Role::operator_,
                                     Role::security_officer, Role::inspector};
/// What the appliance says of itself, without a table in it.
inline constexpr RoleSet whoever_is_enrolled{
    Role::table,     Role::auditor,  Role::operator_, Role::seat,       Role::security_officer,
    Role::inspector, Role::shuffler, Role::lab,       Role::contributor};

/// What the outside must know of an operation; the whole row stands in the file that answers it.
struct OperationRow {
  std::string_view id;      ///< OpenAPI operationId, e.g. "openTable".
  std::string_view method;  ///< "GET" or "POST".
  std::string_view path;    ///< Template, e.g. "/v1/tables/{table}/close".
  RoleSet roles;            ///< Who may.
  bool makes_record;        ///< Needs an idempotency key.
};
/// What is open to who has an invitation instead of a certificate (PROTOCOL section 5b), at the
/// table that invited: what it says is this list's alone.
inline constexpr std::array<std::string_view, 9> invited_operations{
    "handInCommitments", "openContribution", "getCall",   "getTable",  "getEvents",
    "getReceipt",        "getProof",         "getBundle", "getLogKeys"};
/// One row per operation; ids and pairs of method and path stand once.
[[nodiscard]] std::span<const OperationRow> operations();
/// Precondition (checked): there is one of this id.
[[nodiscard]] bool may(RoleSet roles, std::string_view operation);

}  // namespace talla::core
