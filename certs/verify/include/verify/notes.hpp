/// \file
/// The lines of a verdict: what it is about, what was checked and what was not, each line once, in
/// two languages.
///
/// A verdict holds its lines in English (`Verdict::claim_text`, `Verdict::checked`,
/// `Verdict::not_checked`). They are made here and nowhere else, so that they can be read back and
/// said in the reader's language. Ids, kinds of records and codes are the same in both.
/// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "games/refusal.hpp"

namespace talla::certs {

/// The lines there are; what each says stands in notes.cpp.
enum class Note : std::uint8_t {
  key_bound,
  keys_follow,
  head_signed,
  records_included,
  record_included,
  chain_whole,
  log_follows,
  log_ended,
  log_ended_followed,
  witnessed,
  calls_signed,
  calls_joined,
  mine,
  draws_follow,
  order_follows,
  candidate_picked,
  candidates_opened,
  mixed_each_round,
  cards_opened,
  shuffled_again,
  shuffle_rerun,
  shuffle_rerun_opened,
  shuffles_rerun,
  shuffles_rerun_opened,
  machine_matched,
  released,
  released_by_card,
  rules_give,
  others_signed,
  receipt_only,
  steps_alone,
  unwitnessed,
  revocation,
  no_randomness,
  deck_of_catalogue,
  taken_over,
  chain_before,
  place_before,
  place_succeeded,
  place_first,
  counts_stated,
  turns_before,
  state_changed,
  catalogue_unknown,
  meter_before,
  earlier_rounds,
  table_key_owner,
  joined_owners,
  dropped,
  deck_of_rules,
  draw_of_rules,
  ciphertexts,
  whose_keys,
  own_key,
  bets_missing,
  unrecoverable,
  lapse_unexplained,
  draws_open,
  cards_went_back,
  burns,
  composition,
  composition_odds,
  one_root_again,
  order_known,
  release_ciphertext,
  no_report,
  match_reported,
  mismatch_goes_on,
  mismatch_void,
  archive_key_bound,
  archive_records,
  archive_states,
  archive_chains,
  archive_chains_before,
  archive_chains_unread,
  archive_follows,
  archive_before,
  archive_unread,
  archive_unknown_kinds,
  archive_outcomes,
  claim_span,
  claim_record,
  claim_pocket,
  claim_number,
  claim_dice,
  claim_lots,
  claim_card,
  claim_card_covered,
  claim_closed,
  claim_closed_whole,
  claim_parts,
  claim_bet,
  claim_no_bet,
  claim_shoe,
  claim_mixed,
  claim_secrets,
  claim_void,
  claim_void_open,
  claim_void_unknown,
  claim_withheld,
  claim_lapsed,
  claim_recorded,
  claim_laboratory,
  outcomes_follow,
  outcomes_not_shown,
  certified,
  certification_not_asked,
  certification_refused,
  certification_elsewhere,
  as_stated,
  software_as_stated,
  withdrawals,
  seats_keyless,
  // What a verdict says first (verify/summary.hpp).
  proven_card,
  proven_place,
  proven_mix,
  proven_close,
  proven_draw,
  proven_void,
  proven_unused,
  proven_settled,
  proven_cited,
  proven_recorded,
  proven_logged,
  proven_laboratory,
  proven_alone,
  proven_joined,
  proven_witnessed,
  proven_certified,
  unproven_follows,
  unproven_together,
  unproven_people,
  unproven_rules,
  unproven_catalogue,
  unproven_cards,
  unproven_before,
  unproven_later,
  unproven_history,
  unproven_unasked,
  unproven_uncertified,
  unproven_elsewhere,
  unproven_lab,
  unproven_lab_table,
  unproven_development,
};
inline constexpr std::size_t notes_count = static_cast<std::size_t>(Note::unproven_development) + 1;

/// What the line says in both languages, with the names of its values in braces.
[[nodiscard]] const games::RefusalForm& note_form(Note note);
/// The line in English. Precondition (checked): every name of the form has a value.
[[nodiscard]] std::string note_line(Note note, const games::RefusalValues& values = {});
/// A line of a verdict in "es" or "en". A line that is none of these stays as it is.
[[nodiscard]] std::string note_text(std::string_view line, std::string_view language);
/// What a verdict is about (`Verdict::claim_text`) in "es" or "en": the record's kind and object
/// stay in front, the sentences behind them are said one by one. What is none of these stays as it
/// is.
[[nodiscard]] std::string claim_in(std::string_view line, std::string_view language);

}  // namespace talla::certs
