#include "core/roles.hpp"

#include <array>

#include "base/check.hpp"

namespace talla::core {
namespace {

constexpr RoleSet table_only{Role::table};
constexpr RoleSet operators{Role::operator_};
constexpr RoleSet players{Role::table, Role::seat};
constexpr RoleSet dealers{Role::table, Role::operator_};
constexpr RoleSet persons{Role::operator_, Role::security_officer, Role::inspector};
constexpr RoleSet staff{Role::table, Role::auditor, Role::operator_, Role::security_officer, Role::inspector};
constexpr RoleSet everybody{Role::table, Role::auditor,          Role::operator_,
                            Role::seat,  Role::security_officer, Role::inspector};
constexpr RoleSet machines{Role::shuffler};
constexpr RoleSet auditors{Role::auditor};
constexpr RoleSet people_and_machines{Role::table,   Role::auditor,          Role::operator_,
                                      Role::seat,    Role::security_officer, Role::inspector,
                                      Role::shuffler};
/// What the appliance says of itself, without a table in it.
constexpr RoleSet whoever_is_enrolled{
    Role::table,     Role::auditor,  Role::operator_, Role::seat, Role::security_officer,
    Role::inspector, Role::shuffler, Role::lab};
/// Each sees what it may see: a laboratory no record of a table.
constexpr RoleSet log_readers{Role::table,     Role::auditor,
                              Role::operator_, Role::security_officer,
                              Role::inspector, Role::lab};
constexpr RoleSet testers{Role::operator_, Role::lab};
constexpr std::array all_roles{
    Role::table,     Role::auditor,  Role::operator_, Role::seat, Role::security_officer,
    Role::inspector, Role::shuffler, Role::lab};

using O = Operation;
constexpr std::array<OperationRow, 53> operation_rows{{
    {O::open_table, "openTable", "POST", "/v1/tables", table_only, true},
    {O::list_tables, "listTables", "GET", "/v1/tables", staff, false},
    {O::get_table, "getTable", "GET", "/v1/tables/{table}", everybody, false},
    {O::close_table, "closeTable", "POST", "/v1/tables/{table}/close", table_only, true},
    {O::new_shoe, "newShoe", "POST", "/v1/tables/{table}/shoes", table_only, true},
    {O::get_shoe, "getShoe", "GET", "/v1/shoes/{shoe}", people_and_machines, false},
    {O::cut_shoe, "cutShoe", "POST", "/v1/shoes/{shoe}/cut", table_only, true},
    {O::recommit_shoe, "recommitShoe", "POST", "/v1/shoes/{shoe}/recommit", table_only, true},
    {O::deal, "deal", "POST", "/v1/shoes/{shoe}/deal", table_only, true},
    {O::open_card, "openCard", "POST", "/v1/shoes/{shoe}/open", table_only, true},
    {O::get_card, "getCard", "GET", "/v1/shoes/{shoe}/cards/{position}", players, false},
    {O::release_shoe, "releaseShoe", "POST", "/v1/shoes/{shoe}/release", table_only, true},
    {O::get_release, "getRelease", "GET", "/v1/shoes/{shoe}/release", machines, false},
    {O::next_target, "nextTarget", "POST", "/v1/shoes/{shoe}/targets", machines, false},
    {O::report_shuffle, "reportShuffle", "POST", "/v1/shoes/{shoe}/report", machines, true},
    {O::ask_openings, "askOpenings", "POST", "/v1/shoes/{shoe}/openings", auditors, true},
    {O::get_openings, "getOpenings", "GET", "/v1/shoes/{shoe}/openings", auditors, false},
    {O::close_shoe, "closeShoe", "POST", "/v1/shoes/{shoe}/close", table_only, true},
    {O::new_round, "newRound", "POST", "/v1/tables/{table}/rounds", table_only, true},
    {O::list_rounds, "listRounds", "GET", "/v1/tables/{table}/rounds", staff, false},
    {O::get_incomplete, "getIncomplete", "GET", "/v1/incomplete", staff, false},
    {O::get_round, "getRound", "GET", "/v1/rounds/{round}", everybody, false},
    {O::bets, "bets", "POST", "/v1/rounds/{round}/bets", table_only, false},
    {O::close_bets, "closeBets", "POST", "/v1/rounds/{round}/close-bets", table_only, true},
    {O::action, "action", "POST", "/v1/rounds/{round}/actions", players, true},
    {O::misdeal, "misdeal", "POST", "/v1/rounds/{round}/misdeal", dealers, true},
    {O::confirm_hand, "confirmHand", "POST", "/v1/rounds/{round}/confirm", dealers, true},
    {O::new_batch, "newBatch", "POST", "/v1/tables/{table}/batches", table_only, true},
    {O::draw, "draw", "POST", "/v1/draws", table_only, true},
    {O::get_request, "getRequest", "GET", "/v1/requests/{key}", whoever_is_enrolled, false},
    {O::get_receipt, "getReceipt", "GET", "/v1/receipts/{seq}", everybody, false},
    {O::get_bundle, "getBundle", "GET", "/v1/bundles/{seq}", everybody, false},
    {O::get_events, "getEvents", "GET", "/v1/events", log_readers, false},
    {O::get_catalogues, "getCatalogues", "GET", "/v1/catalogues", everybody, false},
    {O::get_game, "getGame", "GET", "/v1/catalogues/{catalogue}/{game}", everybody, false},
    {O::get_status, "getStatus", "GET", "/v1/status", whoever_is_enrolled, false},
    {O::get_checkpoint, "getCheckpoint", "GET", "/v1/checkpoint", whoever_is_enrolled, false},
    {O::get_cosigned, "getCosignedCheckpoint", "GET", "/v1/checkpoint/cosigned", everybody, false},
    {O::get_proof, "getProof", "GET", "/v1/proofs/{seq}", everybody, false},
    {O::get_log_keys, "getLogKeys", "GET", "/v1/log-keys", whoever_is_enrolled, false},
    {O::ask_act, "askAct", "POST", "/v1/acts", persons, true},
    {O::list_acts, "listActs", "GET", "/v1/acts", overseers, false},
    {O::get_act, "getAct", "GET", "/v1/acts/{act}", overseers, false},
    {O::confirm_act, "confirmAct", "POST", "/v1/acts/{act}/confirm", persons, true},
    {O::withdraw_act, "withdrawAct", "POST", "/v1/acts/{act}/withdraw", persons, true},
    {O::latch_generator, "latchGenerator", "POST", "/v1/generator/latch", persons, true},
    {O::open_meter, "openMeter", "POST", "/v1/meters", operators, true},
    {O::list_meters, "listMeters", "GET", "/v1/meters", staff, false},
    {O::get_meter, "getMeter", "GET", "/v1/meters/{meter}", staff, false},
    {O::close_meter, "closeMeter", "POST", "/v1/meters/{meter}/close", operators, true},
    {O::get_software, "getSoftware", "GET", "/v1/software", overseers, false},
    {O::challenge_software, "challengeSoftware", "POST", "/v1/software/challenge", overseers,
     false},
    {O::test_generator, "testGenerator", "POST", "/v1/generator/test", testers, true},
}};

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

std::span<const OperationRow> operations() {
  return operation_rows;
}

bool may(RoleSet roles, Operation operation) {
  const auto& row = operation_rows.at(static_cast<std::size_t>(operation));
  TALLA_CHECK(row.operation == operation);
  for (const Role role : all_roles) {
    if (roles.has(role) && row.roles.has(role)) return true;
  }
  return false;
}

}  // namespace talla::core
