// From the operation of a route to its command.
#include "dispatch.hpp"

#include "commands.hpp"

namespace talla::core {

Outcome run_command(const Call& call, const Route& route) {
  switch (route.row->operation) {
    case Operation::open_table:
      return open_table(call);
    case Operation::close_table:
      return close_table(call, route.argument("table"));
    case Operation::open_meter:
      return open_meter(call);
    case Operation::close_meter:
      return close_meter(call, route.argument("meter"));
    case Operation::new_shoe:
      return new_shoe(call, route.argument("table"));
    case Operation::cut_shoe:
      return cut_shoe(call, route.argument("shoe"));
    case Operation::recommit_shoe:
      return recommit_shoe(call, route.argument("shoe"));
    case Operation::deal:
      return deal_cards(call, route.argument("shoe"));
    case Operation::open_card:
      return open_card(call, route.argument("shoe"));
    case Operation::release_shoe:
      return release_shoe(call, route.argument("shoe"));
    case Operation::next_target:
      return next_target(call, route.argument("shoe"));
    case Operation::report_shuffle:
      return report_shuffle(call, route.argument("shoe"));
    case Operation::ask_openings:
      return ask_openings(call, route.argument("shoe"));
    case Operation::close_shoe:
      return close_shoe(call, route.argument("shoe"));
    case Operation::new_round:
      return new_round(call, route.argument("table"));
    case Operation::bets:
      return put_bets(call, route.argument("round"));
    case Operation::close_bets:
      return close_bets(call, route.argument("round"));
    case Operation::action:
      return act(call, route.argument("round"));
    case Operation::misdeal:
      return misdeal(call, route.argument("round"));
    case Operation::confirm_hand:
      return confirm_hand(call, route.argument("round"));
    case Operation::new_batch:
      return new_batch(call, route.argument("table"));
    case Operation::draw:
      return start_draw(call);
    case Operation::ask_act:
      return ask_act(call);
    case Operation::confirm_act:
      return confirm_act(call, route.argument("act"));
    case Operation::withdraw_act:
      return withdraw_act(call, route.argument("act"));
    case Operation::latch_generator:
      return latch_generator(call);
    case Operation::test_generator:
      return test_generator(call);
    default:
      break;
  }
  return refuse(Errc::method_not_allowed, "not a command");
}

}  // namespace talla::core
