/// \file
/// Errors of the service core, 700 to 799. Names are the `code` of problem documents and never
/// change.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::core {

enum class Errc : std::uint16_t {
  malformed_request = 700,   ///< Body or query is not what the operation takes.
  not_found = 701,           ///< No such resource, or not this client's.
  method_not_allowed = 702,  ///< The path exists, the method does not.
  forbidden = 703,           ///< No role of the client may do this.
  key_missing = 704,         ///< A POST that makes a record came without Idempotency-Key.
  key_malformed = 705,       ///< 1 to 64 characters of A-Z a-z 0-9 . _ -
  key_reused = 706,          ///< The key was used with another request.
  too_many_requests = 707,   ///< The client's rate limit.
  too_busy = 708,            ///< The queue of the sequencer is full.
  wrong_position = 709,      ///< `expected` is not the next dealt position.
  wrong_state = 710,  ///< `expected_state` is not the present state, or the act does not fit it.
  wrong_index = 711,  ///< The draw index is not the next unused secret.
  wrong_root = 712,   ///< The root named is not that of the shoe or batch.
  nonce_malformed = 713,  ///< 16 to 64 bytes in hex.
  call_signature = 714,   ///< A call is not signed by the key of its table.
  shoe_live = 715,        ///< The table has a live shoe.
  no_shoe = 716,          ///< The round needs a shoe.
  shoe_not_mixed = 717,
  shoe_finished = 718,  ///< No card left, or the stop card ended the shoe.
  batch_expired = 719,  ///< Or used up.
  bets_open = 720,      ///< Bets are not closed yet.
  bets_not_open = 721,  ///< Bets are closed, or not due.
  table_closed = 722,
  table_suspended = 723,  ///< A health alarm overlaps a commitment of the table.
  /// The table is settled by the client, or by the appliance: other operations apply.
  not_settled_here = 724,
  entropy_latched = 725,    ///< No new commitments until an authorised reset.
  entropy_not_ready = 726,  ///< Start-up tests or the pool: later.
  disk_reserve = 727,       ///< Free space is below the reserve: no new commitments.
  ledger_failed = 728,      ///< A commit failed: nothing is answered as done any more.
  stopping = 729,
  limit_exceeded = 730,    ///< A count is beyond what the configuration allows.
  round_open = 731,        ///< The table has an open round or open draws.
  secret_unusable = 732,   ///< A sealed secret does not open: latches.
  replay_failed = 733,     ///< The ledger does not replay: the service does not start.
  card_not_covered = 734,  ///< The position was not dealt covered, or is open already.
  clock_stepped = 735,     ///< The wall clock moved by more than its bound: no new commitments.
  /// A covered card is for a seat whose key is not known, or a key that may not be named.
  no_seat_key = 736,
  same_person = 737,  ///< Who asked cannot confirm: another client with another certificate must.
  act_pending = 738,  ///< The same act is asked for already.
  act_over = 739,     ///< The request is confirmed, withdrawn or expired.
  cause_persists = 740,  ///< What latched the generator is still there: no reset.
  meter_in_use = 741,    ///< Open tables share the meter.
  /// The table would feed the meter on other terms than it was opened on.
  meter_terms_differ = 742,
  anchor_lost = 745,  ///< The rollback anchor was not written for too long: no new commitments.
  /// A change that takes two persons, and they have not approved it: no start.
  not_approved = 746,
  not_at_rest = 747,  ///< Shoes, rounds or draws are open: no change of the software.
  /// The software is not as signed, or not as approved: no new commitments.
  software_mismatch = 748,
  software_unsigned = 749,  ///< No manifest is configured.
  wrong_card = 750,         ///< The machine confirms another card than the one that belongs there.
  /// The root ended this log: it is read-only for ever, and what is behind its end proves nothing.
  log_ended = 751,
  not_your_seat = 752,  ///< The client sits in this round, but not on that seat.
  place_taken = 753,    ///< Another table is open at this place of the house.
  turn_gap = 754,       ///< The call is of a later turn than the next.
  turn_open = 755,      ///< The call before has no result yet.
  core_mismatch = 756,  ///< Another core of this turn stands, or the core does not fit its table.
  head_wrong = 757,     ///< The head that a call names is not the table's.
  no_table_key = 758,   ///< A table is opened with a certificate whose key is on P-256.
  // Contributors beside the table (PROTOCOL section 5b).
  contributor_unknown = 759,  ///< The table, or the call, knows none of this id and key.
  t_gap = 760,                ///< Commitments and calls count on for each key, without gap.
  commit_mismatch = 761,      ///< Another commitment for this t, or a number that is not committed.
  opening_signature = 762,    ///< A number is not signed by the key of its contributor.
  required_missing = 763,     ///< A call leaves out a key that the table's policy requires.
  others_order = 764,         ///< The contributors of a core do not ascend by id.
  duplicate = 765,            ///< A key or a token belongs to somebody else already.
  answered_otherwise = 766,   ///< Another answer of the key stands for the turn or count, or later.
  // Calls behind a VOID (PROTOCOL section 5b).
  void_limit = 777,           ///< A call behind too many VOIDs that no two persons have ordered.
  contributor_dropped = 778,  ///< A call leaves out one whom the VOID before does not name missing.
  order_signature = 779,      ///< An order is not signed by the key of who gives it.
  early_close = 780,          ///< The rules play on from a shoe that no two persons have closed.
  report_signature = 781,     ///< A report is not signed by its machine as the appliance finds it.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

/// An error of `games`: the rules refuse what was asked of them.
[[nodiscard]] bool said_by_rules(const Error& error);

}  // namespace talla::core
