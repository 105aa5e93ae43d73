// Every operation of the interface: its route, who may, whether it makes a record, and who answers
// it.
#include "operations.hpp"

#include <array>

#include "base/check.hpp"
#include "commands.hpp"
#include "proofs.hpp"
#include "questions.hpp"

namespace talla::core {
namespace {

constexpr RoleSet table_only{Role::table};
constexpr RoleSet operators{Role::operator_};
constexpr RoleSet players{Role::table, Role::seat};
constexpr RoleSet dealers{Role::table, Role::operator_};
constexpr RoleSet persons{Role::operator_, Role::security_officer, Role::inspector};
constexpr RoleSet staff{Role::table, Role::auditor, Role::operator_, Role::security_officer,
                        Role::inspector};
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

struct Row {
  OperationRow row;
  Handler handler;
};

using O = Operation;
using Watched = std::monostate;
constexpr std::array<Row, 53> table{{
    {{O::open_table, "openTable", "POST", "/v1/tables", table_only, true}, open_table},
    {{O::list_tables, "listTables", "GET", "/v1/tables", staff, false}, &Questions::tables},
    {{O::get_table, "getTable", "GET", "/v1/tables/{table}", everybody, false}, &Questions::table},
    {{O::close_table, "closeTable", "POST", "/v1/tables/{table}/close", table_only, true},
     close_table},
    {{O::new_shoe, "newShoe", "POST", "/v1/tables/{table}/shoes", table_only, true}, new_shoe},
    {{O::get_shoe, "getShoe", "GET", "/v1/shoes/{shoe}", people_and_machines, false},
     &Questions::shoe},
    {{O::cut_shoe, "cutShoe", "POST", "/v1/shoes/{shoe}/cut", table_only, true}, cut_shoe},
    {{O::recommit_shoe, "recommitShoe", "POST", "/v1/shoes/{shoe}/recommit", table_only, true},
     recommit_shoe},
    {{O::deal, "deal", "POST", "/v1/shoes/{shoe}/deal", table_only, true}, deal_cards},
    {{O::open_card, "openCard", "POST", "/v1/shoes/{shoe}/open", table_only, true}, open_card},
    {{O::get_card, "getCard", "GET", "/v1/shoes/{shoe}/cards/{position}", players, false},
     &Questions::card},
    {{O::release_shoe, "releaseShoe", "POST", "/v1/shoes/{shoe}/release", table_only, true},
     release_shoe},
    {{O::get_release, "getRelease", "GET", "/v1/shoes/{shoe}/release", machines, false},
     &Questions::release},
    {{O::next_target, "nextTarget", "POST", "/v1/shoes/{shoe}/targets", machines, false},
     next_target},
    {{O::report_shuffle, "reportShuffle", "POST", "/v1/shoes/{shoe}/report", machines, true},
     report_shuffle},
    {{O::ask_openings, "askOpenings", "POST", "/v1/shoes/{shoe}/openings", auditors, true},
     ask_openings},
    {{O::get_openings, "getOpenings", "GET", "/v1/shoes/{shoe}/openings", auditors, false},
     &Questions::openings},
    {{O::close_shoe, "closeShoe", "POST", "/v1/shoes/{shoe}/close", table_only, true}, close_shoe},
    {{O::new_round, "newRound", "POST", "/v1/tables/{table}/rounds", table_only, true}, new_round},
    {{O::list_rounds, "listRounds", "GET", "/v1/tables/{table}/rounds", staff, false},
     &Questions::rounds},
    {{O::get_incomplete, "getIncomplete", "GET", "/v1/incomplete", staff, false},
     &Questions::incomplete},
    {{O::get_round, "getRound", "GET", "/v1/rounds/{round}", everybody, false}, &Questions::round},
    {{O::bets, "bets", "POST", "/v1/rounds/{round}/bets", table_only, false}, put_bets},
    {{O::close_bets, "closeBets", "POST", "/v1/rounds/{round}/close-bets", table_only, true},
     close_bets},
    {{O::action, "action", "POST", "/v1/rounds/{round}/actions", players, true}, act},
    {{O::misdeal, "misdeal", "POST", "/v1/rounds/{round}/misdeal", dealers, true}, misdeal},
    {{O::confirm_hand, "confirmHand", "POST", "/v1/rounds/{round}/confirm", dealers, true},
     confirm_hand},
    {{O::new_batch, "newBatch", "POST", "/v1/tables/{table}/batches", table_only, true}, new_batch},
    {{O::draw, "draw", "POST", "/v1/draws", table_only, true}, start_draw},
    {{O::get_request, "getRequest", "GET", "/v1/requests/{key}", whoever_is_enrolled, false},
     &Proofs::stored_request},
    {{O::get_receipt, "getReceipt", "GET", "/v1/receipts/{seq}", everybody, false},
     &Proofs::receipt},
    {{O::get_bundle, "getBundle", "GET", "/v1/bundles/{seq}", everybody, false}, &Proofs::bundle},
    {{O::get_events, "getEvents", "GET", "/v1/events", log_readers, false}, &Questions::events},
    {{O::get_catalogues, "getCatalogues", "GET", "/v1/catalogues", everybody, false},
     &Questions::catalogues},
    {{O::get_game, "getGame", "GET", "/v1/catalogues/{catalogue}/{game}", everybody, false},
     &Questions::game},
    {{O::get_status, "getStatus", "GET", "/v1/status", whoever_is_enrolled, false},
     &Questions::status},
    {{O::get_checkpoint, "getCheckpoint", "GET", "/v1/checkpoint", whoever_is_enrolled, false},
     &Proofs::checkpoint},
    {{O::get_cosigned, "getCosignedCheckpoint", "GET", "/v1/checkpoint/cosigned", everybody, false},
     &Proofs::cosigned},
    {{O::get_proof, "getProof", "GET", "/v1/proofs/{seq}", everybody, false}, &Proofs::proof},
    {{O::get_log_keys, "getLogKeys", "GET", "/v1/log-keys", whoever_is_enrolled, false},
     &Proofs::log_keys},
    {{O::ask_act, "askAct", "POST", "/v1/acts", persons, true}, ask_act},
    {{O::list_acts, "listActs", "GET", "/v1/acts", overseers, false}, &Questions::acts},
    {{O::get_act, "getAct", "GET", "/v1/acts/{act}", overseers, false}, &Questions::act},
    {{O::confirm_act, "confirmAct", "POST", "/v1/acts/{act}/confirm", persons, true}, confirm_act},
    {{O::withdraw_act, "withdrawAct", "POST", "/v1/acts/{act}/withdraw", persons, true},
     withdraw_act},
    {{O::latch_generator, "latchGenerator", "POST", "/v1/generator/latch", persons, true},
     latch_generator},
    {{O::open_meter, "openMeter", "POST", "/v1/meters", operators, true}, open_meter},
    {{O::list_meters, "listMeters", "GET", "/v1/meters", staff, false}, &Questions::meters},
    {{O::get_meter, "getMeter", "GET", "/v1/meters/{meter}", staff, false}, &Questions::meter},
    {{O::close_meter, "closeMeter", "POST", "/v1/meters/{meter}/close", operators, true},
     close_meter},
    {{O::get_software, "getSoftware", "GET", "/v1/software", overseers, false},
     &Questions::software},
    {{O::challenge_software, "challengeSoftware", "POST", "/v1/software/challenge", overseers,
      false},
     Watched{}},
    {{O::test_generator, "testGenerator", "POST", "/v1/generator/test", testers, true},
     test_generator},
}};

}  // namespace

std::span<const OperationRow> operations() {
  static const auto rows = [] {
    std::array<OperationRow, table.size()> all;
    for (std::size_t i = 0; i < table.size(); ++i) all.at(i) = table.at(i).row;
    return all;
  }();
  return rows;
}

const Handler& handler_of(Operation operation) {
  const auto& row = table.at(static_cast<std::size_t>(operation));
  TALLA_CHECK(row.row.operation == operation);
  return row.handler;
}

Outcome run_command(const Call& call, const Route& route) {
  const Handler& handler = handler_of(route.row->operation);
  if (const auto* whole = std::get_if<Command>(&handler)) return (*whole)(call);
  if (const auto* of_object = std::get_if<CommandOfObject>(&handler)) {
    TALLA_CHECK(route.arguments.size() == 1);
    return (*of_object)(call, route.arguments.begin()->second);
  }
  return refuse(Errc::method_not_allowed, "not a command");
}

}  // namespace talla::core
