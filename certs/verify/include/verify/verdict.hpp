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
  /// The claim, the TABLE_OPEN of its table or the opening record of an object is not there.
  gap = 605,
  wrong_citation = 606,     ///< a SETTLEMENT does not cite what it rests on
  wrong_commitment = 607,   ///< a shuffle that was opened does not give the root
  wrong_opening = 608,      ///< a card does not open its leaf
  wrong_position = 609,     ///< position, leaf and mix of a card disagree
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
  void_order = 647,         ///< a VOID that no two persons ordered as it says
  early_close = 648,        ///< a shoe or table ended early without the order of two persons
  shoe_before = 649,        ///< the first call of a shoe does not cite the end of the one before
  dealt_wrong = 666,        ///< a ROUND_END counts other cards than were dealt
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
  // One rule each (FORMAT.md section 9).
  deal_order = 900,          ///< a card is not dealt at the next position, or behind the last card
  report_missing = 901,      ///< a card of a released root before its machine has reported
  not_covered = 902,         ///< a card is opened where none lies covered
  card_gone = 903,           ///< a card is opened that went back into the shoe
  root_index = 904,          ///< a root is named that was not replaced before
  card_excess = 905,         ///< more of a card lies open than the deck has
  copy_key = 906,            ///< a covered card is encrypted to another key than its seat's
  returned_wrong = 907,      ///< a card goes back that was not dealt, or that went back before
  recommit_early = 908,      ///< a root is replaced under which nothing was dealt
  recommit_root = 909,       ///< another root is replaced than the newest
  recommit_shoe = 910,       ///< a shoe is another one after it was shuffled again
  recommit_count = 911,      ///< a root has another number of cards than are left and went back
  recommit_often = 912,      ///< a shoe is shuffled again more often than it may be
  deck_cards = 913,          ///< a shoe has another number of cards than its deck
  deck_other = 914,          ///< a shoe has another deck than its table is opened for
  mix_root = 915,            ///< a mix says another root than is mixed
  mix_at = 916,              ///< the call of a mix says another number of cards dealt
  release_twice = 917,       ///< an order is released twice
  release_late = 918,        ///< an order is released in play
  release_form = 919,        ///< a shelf machine is fed what is no new deck
  report_undue = 920,        ///< a report where no machine has the order
  report_client = 921,       ///< another client reports than has the order
  report_count = 922,        ///< a report of other counts than its release allows
  report_seen = 923,         ///< a match is of another order than the opened one
  close_count = 924,         ///< a close says another number of cards dealt
  ended_early = 925,         ///< a shoe is ended while cards of it could still come
  disclosure_wrong = 926,    ///< a close opens what it must not, or not what it must
  roots_opened = 927,        ///< not each root of a shoe is opened
  tape_wrong = 928,          ///< key and tape are not those under the tape's MAC
  tape_digest = 929,         ///< the digest of an opened tape is another one
  tape_account = 930,        ///< an opened tape is not exactly what the shuffle took
  openings_other = 931,      ///< an auditor's openings are not of this shoe
  batch_client = 932,        ///< a call is of another client than its batch
  secret_order = 933,        ///< a call, or a core that opens, is not of the next secret
  batch_expired = 934,       ///< a call of a batch that has expired
  range_other = 935,         ///< a draw has another range than its table is opened for
  draw_index = 936,          ///< a draw has another index than its call
  secret_wrong = 937,        ///< an opened secret is not the committed one
  unused_count = 939,        ///< a close has not exactly the unused secrets
  unused_wrong = 940,        ///< the unused secrets do not lead to the root
  call_none = 941,           ///< a result of no call that is open
  call_uncited = 942,        ///< a result does not cite its call
  request_other = 943,       ///< a result repeats another request than its call's
  lapsed_cites = 944,        ///< a core that lapsed cites something
  void_persons = 945,        ///< an order to void of fewer than two persons
  round_uncited = 946,       ///< a round does not cite its table, or the end of the one before
  bets_uncited = 947,        ///< the first card behind the bets does not cite them
  mixed_late = 948,          ///< a card is from a shoe that was mixed behind the bets
  object_foreign = 949,      ///< a record of another table
  object_closed = 950,       ///< a record behind the close of its object
  object_before = 951,       ///< a round is played from a shoe from before the file
  cited_missing = 952,       ///< a record that a settlement cites is not there
  meter_foreign = 953,       ///< a meter that the table does not share
  meter_terms = 954,         ///< a meter of other rules or money than the table
  meter_over = 955,          ///< a meter that was closed is moved
  meter_stood = 956,         ///< a meter stood elsewhere before
  meter_passed = 957,        ///< a record of a meter is passed over
  catalogue_other = 958,     ///< the rules are not those that the table was opened with
  parameters_missing = 959,  ///< a table does not name every parameter of its game
  bets_digest = 960,         ///< the digest of the bets is another one
  context_other = 961,       ///< a commitment is under other rules than its table
  state_other = 962,         ///< the state before is another one
  seq_order = 963,           ///< the records of a bundle do not ascend
  time_back = 964,           ///< time goes back
  boot_back = 965,           ///< the boot counter goes back
  key_change = 966,          ///< a log does not go on from the change of its key
  part_missing = 967,        ///< a numbered part is missing
  bets_twice = 968,          ///< the bets of a round are closed twice
  bets_missing = 969,        ///< a round is settled whose bets were not closed
  predecessor_wrong = 970,   ///< an opening goes on from no place that the log before is known by
  client_other = 971,        ///< a record of the table that another client than its own asked for
  tape_other = 972,          ///< a result states another account of its tape
  outcome_undue = 973,       ///< a VOID states an outcome where not every number is opened
  event_wrong = 974,         ///< the rules do not take a record, or not so
  state_left = 975,          ///< the rules leave another state than a settlement says
  report_signature = 976,    ///< a report that its machine did not sign for this release
  report_number = 977,       ///< a report that is not the next one of its release
  report_key = 978,          ///< a report names another key than the order was released to
  release_own = 979,         ///< an order is released to the table's own key
  report_uncited = 980,      ///< a report does not cite its release
  access_key = 981,          ///< what a person signed is of another key than that client's
  access_signature = 982,    ///< a step of an act is not signed as its record has it
  access_head = 983,         ///< a person signed another request than the record's
  access_person = 984,       ///< a step of an act is not of the persons that it names
  access_step = 985,         ///< a confirmation is of no request, or of one that was over
  access_digest = 986,       ///< the digest of a request is not of the KEY that it asks for
  lab_order = 987,     ///< an order of samples names none, or another act a laboratory's table
  lab_file = 988,      ///< a laboratory file is not the three steps of one order for a table
  lab_outcomes = 989,  ///< the outcomes of a laboratory's table are not those of the log
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
  bool lab_table = false;    ///< it is of a laboratory's table, not of play; class lab
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
  std::vector<std::string> proven;       ///< what is, clause by clause (verify/summary.hpp)
  std::vector<std::string> not_proven;   ///< what is not
  std::vector<std::string> checked;      ///< in order
  std::vector<std::string> not_checked;  ///< never empty
};

}  // namespace talla::certs
