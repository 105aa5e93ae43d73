#include "core/errc.hpp"

namespace talla::core {

// NOLINTNEXTLINE(readability-function-size): one name for each code
std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::malformed_request:
      return "malformed_request";
    case Errc::not_found:
      return "not_found";
    case Errc::method_not_allowed:
      return "method_not_allowed";
    case Errc::forbidden:
      return "forbidden";
    case Errc::key_missing:
      return "key_missing";
    case Errc::key_malformed:
      return "key_malformed";
    case Errc::key_reused:
      return "key_reused";
    case Errc::too_many_requests:
      return "too_many_requests";
    case Errc::too_busy:
      return "too_busy";
    case Errc::wrong_position:
      return "wrong_position";
    case Errc::wrong_state:
      return "wrong_state";
    case Errc::wrong_index:
      return "wrong_index";
    case Errc::wrong_root:
      return "wrong_root";
    case Errc::nonce_malformed:
      return "nonce_malformed";
    case Errc::call_signature:
      return "call_signature";
    case Errc::shoe_live:
      return "shoe_live";
    case Errc::no_shoe:
      return "no_shoe";
    case Errc::shoe_not_mixed:
      return "shoe_not_mixed";
    case Errc::shoe_finished:
      return "shoe_finished";
    case Errc::batch_expired:
      return "batch_expired";
    case Errc::bets_open:
      return "bets_open";
    case Errc::bets_not_open:
      return "bets_not_open";
    case Errc::table_closed:
      return "table_closed";
    case Errc::table_suspended:
      return "table_suspended";
    case Errc::not_settled_here:
      return "not_settled_here";
    case Errc::entropy_latched:
      return "entropy_latched";
    case Errc::entropy_not_ready:
      return "entropy_not_ready";
    case Errc::disk_reserve:
      return "disk_reserve";
    case Errc::anchor_lost:
      return "anchor_lost";
    case Errc::ledger_failed:
      return "ledger_failed";
    case Errc::stopping:
      return "stopping";
    case Errc::limit_exceeded:
      return "limit_exceeded";
    case Errc::round_open:
      return "round_open";
    case Errc::secret_unusable:
      return "secret_unusable";
    case Errc::replay_failed:
      return "replay_failed";
    case Errc::card_not_covered:
      return "card_not_covered";
    case Errc::no_seat_key:
      return "no_seat_key";
    case Errc::clock_stepped:
      return "clock_stepped";
    case Errc::same_person:
      return "same_person";
    case Errc::act_pending:
      return "act_pending";
    case Errc::act_over:
      return "act_over";
    case Errc::cause_persists:
      return "cause_persists";
    case Errc::place_taken:
      return "place_taken";
    case Errc::turn_gap:
      return "turn_gap";
    case Errc::turn_open:
      return "turn_open";
    case Errc::core_mismatch:
      return "core_mismatch";
    case Errc::head_wrong:
      return "head_wrong";
    case Errc::no_table_key:
      return "no_table_key";
    case Errc::contributor_unknown:
      return "contributor_unknown";
    case Errc::t_gap:
      return "t_gap";
    case Errc::commit_mismatch:
      return "commit_mismatch";
    case Errc::opening_signature:
      return "opening_signature";
    case Errc::required_missing:
      return "required_missing";
    case Errc::others_order:
      return "others_order";
    case Errc::duplicate:
      return "duplicate";
    case Errc::answered_otherwise:
      return "answered_otherwise";
    case Errc::meter_in_use:
      return "meter_in_use";
    case Errc::meter_terms_differ:
      return "meter_terms_differ";
    case Errc::not_approved:
      return "not_approved";
    case Errc::not_at_rest:
      return "not_at_rest";
    case Errc::software_mismatch:
      return "software_mismatch";
    case Errc::software_unsigned:
      return "software_unsigned";
    case Errc::log_ended:
      return "log_ended";
    case Errc::wrong_card:
      return "wrong_card";
    case Errc::not_your_seat:
      return "not_your_seat";
  }
  return "unknown";
}

bool said_by_rules(const Error& error) {
  return error.number >= 300 && error.number < 500;  // the numbers of games
}

}  // namespace talla::core
