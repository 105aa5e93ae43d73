/// \file
/// What a verification ends in: a class, the claim in plain words, what was checked and what was
/// not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace talla::certs {

enum class VerifyErrc : std::uint16_t {
  untrusted_chain = 600,  ///< X.509: foreign root, expired at recorded time, wrong name, damaged
  wrong_statement = 601,  ///< log key statement: signature, name, development mark
  wrong_signature = 602,  ///< checkpoint signature or key id
  wrong_origin = 603,     ///< a record, checkpoint and statement name different logs
  not_included = 604,     ///< a record is not in the tree of the checkpoint
  /// Opening record or TABLE_OPEN missing, a numbered part, sequence or time going back.
  gap = 605,
  /// A record the claim rests on is not there, not older, or of the wrong kind.
  wrong_citation = 606,
  /// Root, tape MAC or parameters digest differs.
  wrong_commitment = 607,
  wrong_opening = 608,      ///< a card or secret does not open its leaf
  wrong_position = 609,     ///< position, leaf and mix disagree, or a position is dealt twice
  wrong_mapping = 610,      ///< the outcome does not follow from the secret
  wrong_settlement = 611,   ///< the engine gives other results or states
  unsupported_claim = 612,  ///< the claim's kind cannot be proven by a bundle
  bad_root_file = 613,      ///< the trusted roots cannot be read
  rules_unavailable = 614,  ///< the catalogue in the bundle cannot be loaded
  unwitnessed = 615,        ///< the policy's quorum of witnesses has not cosigned the checkpoint
  log_ended = 616,  ///< the root ended this log, and the evidence is not shown to be of what counts
  contradicting_ends = 617,  ///< two statements about the end of one log disagree
  link_gap =
      618,  ///< a record of the table is missing, or its `link` is not that of the one before
  place_gap = 619,          ///< an opening does not follow the one before at its place
  two_rounds = 620,         ///< a round while another one is open, or a record of none that is
  two_live = 621,           ///< a shoe while another one is live, or a record of none that is
  totals_wrong = 622,       ///< running counts are not those of the chain
  number_gap = 623,         ///< rounds or shoes of the table do not count up by one
  unknown_kind = 624,       ///< a record of a kind that is not known
  turn_gap = 625,           ///< a CALL is not the next turn of its table
  turn_open = 626,          ///< something that waits for the result of an open CALL
  core_mismatch = 627,      ///< a core says something else than the records of its table
  head_wrong = 628,         ///< a core rests on another state of its table
  root_unknown = 629,       ///< a core names a root that is not that of its object
  call_signature = 630,     ///< a core is not signed by the key of its table
  table_key = 631,          ///< the key of a table is none, or not its client's
  mix_missing = 632,        ///< a card, or an order given away, before the mix that it needs
  mix_early = 633,          ///< a mix without the CALL that it follows from
  mix_twice = 634,          ///< a root is mixed again before its bets are closed
  lapsed_wrong = 635,       ///< a core that lapsed could stand, or its next secret was kept closed
  others_order = 636,       ///< contributors of a core do not ascend
  duplicate = 637,          ///< a contributor or key is named twice, or for two
  t_gap = 638,              ///< a contributor does not count on
  commit_mismatch = 639,    ///< a number that was opened is not the committed one
  opening_signature = 640,  ///< a number that was opened is not signed by its key
  openings_count = 641,     ///< not one opening for each contributor
  required_missing = 642,   ///< a call leaves out a key that the table requires
  missing_wrong = 643,      ///< a VOID names one who was not to open
  withheld_early = 644,     ///< a VOID says that contributors do not open before their time is up
  not_mine = 645,           ///< the key that was asked for has no part in what the claim rests on
  release_early = 646,      ///< an order given away that is mixed again in each round
  round_settled = 580,      ///< something of a table between SETTLEMENT and ROUND_END of its round
  round_unfinished = 581,   ///< a SETTLEMENT before the rules are done with the round
  stop_card_early = 582,    ///< a shoe closed by its stop card before that can have come
  card_undue = 583,         ///< a card outside rounds that no rules burn, or a burn left out
  state_jump = 584,         ///< a state does not go on from the one before it at its table
  state_first = 585,        ///< the first round does not begin with the state the rules begin with
  stake_before = 586,       ///< stakes stand before the bets that the rules keep for no round
  batch_missing = 587,      ///< a call of the round is of a batch whose opening is not there
  certificate_form = 588,   ///< a certificate that is of another form than FORMAT.md section 5 has
  answer_twice = 590,       ///< an ANSWER for a turn or count that was answered before
  answer_back = 591,        ///< an ANSWER behind the one before, or for another table or id
  answer_signature = 592,   ///< what an ANSWER opens is not signed by its key
  answer_own = 593,         ///< an ANSWER to a call of its own log
  candidate_wrong = 594,    ///< roots to pick from, the pick or what the others open is wrong
  order_wrong = 597,        ///< an order to call again that two persons did not sign so
  void_limit = 598,         ///< a call behind too many VOIDs that no two persons have ordered
  contributor_dropped = 599,  ///< a call behind a VOID leaves out one who was not missing
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(VerifyErrc errc);

/// How far the evidence reaches. Certified: certifications of both kinds, under roots that the
/// reader named, cover every commitment (FORMAT.md section 14); the records' own words never do.
enum class VerdictClass : std::uint8_t { certified, uncertified, lab };
[[nodiscard]] std::string_view verdict_class_name(VerdictClass verdict_class);

/// Exit codes of `talla verify`.
inline constexpr int exit_certified = 0;
inline constexpr int exit_invalid = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_uncertified = 3;
inline constexpr int exit_lab = 4;
[[nodiscard]] int exit_code(VerdictClass verdict_class);

/// How a verification ended.
struct Verdict {
  VerdictClass verdict_class = VerdictClass::uncertified;
  bool development = false;  ///< the certificates are development certificates
  /// Code of why it is not certified although a certification root was given; else empty.
  std::string certification;
  std::string origin;
  std::uint64_t claim = 0;   ///< seq
  std::string kind;          ///< of the claim's record
  std::int64_t time_us = 0;  ///< recorded time of the claim
  std::string time_quality;
  std::uint64_t tree_size = 0;  ///< of the checkpoint
  bool witnessed = false;  ///< the quorum of the policy that was given is met, and is not `none`
  std::vector<std::string> witnesses;  ///< names in the policy of those whose cosignature verified
  std::uint64_t witnessed_s = 0;       ///< the earliest of their times, POSIX seconds
  std::string ended;  ///< why the root ended this log; empty: no statement about it was given
  std::uint64_t ended_size = 0;  ///< records of it that count
  std::string successor;         ///< origin of the log that follows, where the root names one
  /// Digest of the catalogue, when it is none that is known here (hex); empty: known, or none used.
  std::string unknown_catalogue;
  std::string claim_text;                ///< in plain words, one line
  std::vector<std::string> checked;      ///< in order
  std::vector<std::string> not_checked;  ///< never empty
};

}  // namespace talla::certs
