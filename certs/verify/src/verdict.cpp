#include "verify/verdict.hpp"

namespace talla::certs {

// NOLINTNEXTLINE(readability-function-size): one name for each code
std::string_view errc_name(VerifyErrc errc) {
  switch (errc) {
    case VerifyErrc::untrusted_chain:
      return "untrusted_chain";
    case VerifyErrc::wrong_statement:
      return "wrong_statement";
    case VerifyErrc::wrong_signature:
      return "wrong_signature";
    case VerifyErrc::wrong_origin:
      return "wrong_origin";
    case VerifyErrc::not_included:
      return "not_included";
    case VerifyErrc::gap:
      return "gap";
    case VerifyErrc::wrong_citation:
      return "wrong_citation";
    case VerifyErrc::wrong_commitment:
      return "wrong_commitment";
    case VerifyErrc::wrong_opening:
      return "wrong_opening";
    case VerifyErrc::wrong_position:
      return "wrong_position";
    case VerifyErrc::wrong_mapping:
      return "wrong_mapping";
    case VerifyErrc::wrong_settlement:
      return "wrong_settlement";
    case VerifyErrc::unsupported_claim:
      return "unsupported_claim";
    case VerifyErrc::bad_root_file:
      return "bad_root_file";
    case VerifyErrc::rules_unavailable:
      return "rules_unavailable";
    case VerifyErrc::unwitnessed:
      return "unwitnessed";
    case VerifyErrc::log_ended:
      return "log_ended";
    case VerifyErrc::contradicting_ends:
      return "contradicting_ends";
    case VerifyErrc::link_gap:
      return "link_gap";
    case VerifyErrc::place_gap:
      return "place_gap";
    case VerifyErrc::two_rounds:
      return "two_rounds";
    case VerifyErrc::two_live:
      return "two_live";
    case VerifyErrc::totals_wrong:
      return "totals_wrong";
    case VerifyErrc::number_gap:
      return "number_gap";
    case VerifyErrc::unknown_kind:
      return "unknown_kind";
    case VerifyErrc::turn_gap:
      return "turn_gap";
    case VerifyErrc::turn_open:
      return "turn_open";
    case VerifyErrc::core_mismatch:
      return "core_mismatch";
    case VerifyErrc::head_wrong:
      return "head_wrong";
    case VerifyErrc::root_unknown:
      return "root_unknown";
    case VerifyErrc::call_signature:
      return "call_signature";
    case VerifyErrc::table_key:
      return "table_key";
    case VerifyErrc::mix_missing:
      return "mix_missing";
    case VerifyErrc::mix_early:
      return "mix_early";
    case VerifyErrc::mix_twice:
      return "mix_twice";
    case VerifyErrc::lapsed_wrong:
      return "lapsed_wrong";
    case VerifyErrc::others_order:
      return "others_order";
    case VerifyErrc::duplicate:
      return "duplicate";
    case VerifyErrc::t_gap:
      return "t_gap";
    case VerifyErrc::commit_mismatch:
      return "commit_mismatch";
    case VerifyErrc::opening_signature:
      return "opening_signature";
    case VerifyErrc::openings_count:
      return "openings_count";
    case VerifyErrc::required_missing:
      return "required_missing";
    case VerifyErrc::missing_wrong:
      return "missing_wrong";
    case VerifyErrc::withheld_early:
      return "withheld_early";
    case VerifyErrc::not_mine:
      return "not_mine";
    case VerifyErrc::release_early:
      return "release_early";
    case VerifyErrc::round_settled:
      return "round_settled";
    case VerifyErrc::round_unfinished:
      return "round_unfinished";
    case VerifyErrc::stop_card_early:
      return "stop_card_early";
    case VerifyErrc::card_undue:
      return "card_undue";
    case VerifyErrc::answer_twice:
      return "answer_twice";
    case VerifyErrc::answer_back:
      return "answer_back";
    case VerifyErrc::answer_signature:
      return "answer_signature";
    case VerifyErrc::answer_own:
      return "answer_own";
    case VerifyErrc::order_wrong:
      return "order_wrong";
    case VerifyErrc::void_limit:
      return "void_limit";
    case VerifyErrc::contributor_dropped:
      return "contributor_dropped";
    case VerifyErrc::state_jump:
      return "state_jump";
    case VerifyErrc::state_first:
      return "state_first";
    case VerifyErrc::stake_before:
      return "stake_before";
    case VerifyErrc::batch_missing:
      return "batch_missing";
    case VerifyErrc::certificate_form:
      return "certificate_form";
    case VerifyErrc::candidate_wrong:
      return "candidate_wrong";
  }
  return "unknown";
}

std::string_view verdict_class_name(VerdictClass verdict_class) {
  switch (verdict_class) {
    case VerdictClass::certified:
      return "certified";
    case VerdictClass::uncertified:
      return "uncertified";
    case VerdictClass::lab:
      return "lab";
  }
  return "unknown";
}

int exit_code(VerdictClass verdict_class) {
  switch (verdict_class) {
    case VerdictClass::certified:
      return exit_certified;
    case VerdictClass::uncertified:
      return exit_uncertified;
    case VerdictClass::lab:
      return exit_lab;
  }
  return exit_invalid;
}

}  // namespace talla::certs
