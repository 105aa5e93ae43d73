/// \file
/// The commands of the interface; rngd/docs/api.md has their bodies.
///
/// Each returns the reply's body without receipts, or a refusal after which nothing has changed.
#pragma once

#include "command.hpp"

namespace talla::core {

[[nodiscard]] Outcome open_table(const Call& call);
[[nodiscard]] Outcome close_table(const Call& call, const std::string& table_id);

/// A meter that several tables feed and win from. Errors: malformed_request, limit_exceeded,
/// meter_in_use, those of games.
[[nodiscard]] Outcome open_meter(const Call& call);
/// Errors: not_found, meter_in_use.
[[nodiscard]] Outcome close_meter(const Call& call, const std::string& meter_id);
/// The meters that a TABLE_OPEN names are open, of its game and money, and on the terms that its
/// rules give them; what it cites of them. Errors: not_found, malformed_request,
/// meter_terms_differ.
[[nodiscard]] Result<std::vector<std::uint64_t>> check_meters(const Call& call,
                                                              const games::Table& rules,
                                                              const certs::TableOpenBody& open);
/// METER of each shared meter that the round must read now: compared and set in this transaction.
[[nodiscard]] Status read_meters(Transaction& tx, ObjectSeq round);

[[nodiscard]] Outcome new_shoe(const Call& call, const std::string& table_id);
/// SHOE_RECOMMIT where the rules ask for a shuffle; its mix comes next. Errors: wrong_state,
/// limit_exceeded, shoe_*.
[[nodiscard]] Outcome recommit_shoe(const Call& call, const std::string& shoe_id);
[[nodiscard]] Outcome mix_shoe(const Call& call, const std::string& shoe_id);
/// The SHOE_MIX of the shoe's open CALL, behind which everybody has opened; the transaction's
/// author is that of the CALL.
[[nodiscard]] Status complete_mix(Transaction& tx, ObjectSeq shoe);
[[nodiscard]] Outcome deal_cards(const Call& call, const std::string& shoe_id);
[[nodiscard]] Outcome open_card(const Call& call, const std::string& shoe_id);
/// SHOE_RELEASE: the whole order, once, to one enrolled machine. Errors: wrong_state (not mixed, in
/// play, released before), no_seat_key (no enrolled shuffler has this key, or it is the table's).
[[nodiscard]] Outcome release_shoe(const Call& call, const std::string& shoe_id);
/// The next target of a machine that takes one at a time; the one before must be confirmed. No
/// record: how many were given is durable before the answer. Errors: wrong_position, wrong_card.
[[nodiscard]] Outcome next_target(const Call& call, const std::string& shoe_id);
/// SHUFFLE_REPORT of the machine, signed by it. What is no match voids the shoe, or suspends the
/// table where a hand is on it. Errors: report_signature.
[[nodiscard]] Outcome report_shuffle(const Call& call, const std::string& shoe_id);
/// ACCESS of an auditor who reads the openings of a closed covered shoe. Errors: wrong_state,
/// not_found.
[[nodiscard]] Outcome ask_openings(const Call& call, const std::string& shoe_id);
[[nodiscard]] Outcome close_shoe(const Call& call, const std::string& shoe_id);
/// SHOE_CLOSE with everything a public shoe opens. `stopped`: the stop card was asked for and ends
/// it now.
/// Errors: secret_unusable.
[[nodiscard]] Status add_shoe_close(Transaction& tx, ObjectSeq shoe, bool stopped = false);
/// The same, by order of two persons (`ordered`: their ACCESS), or as its machine reported.
[[nodiscard]] Status add_shoe_void(Transaction& tx, ObjectSeq shoe,
                                   std::optional<std::uint64_t> ordered = {});
/// A shoe that may be closed by order of two persons before the rules end it. Errors: not_found,
/// not_settled_here, wrong_state, turn_open, round_open, those of the rules.
[[nodiscard]] Status shoe_closable(const Call& call, const std::string& shoe_id);
/// Closes it. `ordered`: their ACCESS.
[[nodiscard]] Status close_early(const Call& call, const std::string& shoe_id,
                                 std::uint64_t ordered);

[[nodiscard]] Outcome new_round(const Call& call, const std::string& table_id);
[[nodiscard]] Outcome put_bets(const Call& call, const std::string& round_id);
[[nodiscard]] Outcome close_bets(const Call& call, const std::string& round_id);
/// A decision of a seat.
[[nodiscard]] Outcome take_action(const Call& call, const std::string& round_id);
[[nodiscard]] Outcome misdeal(const Call& call, const std::string& round_id);
/// Staff confirm the complete hand of a table with `settle_on = "confirmation"`: it is settled.
[[nodiscard]] Outcome confirm_hand(const Call& call, const std::string& round_id);
/// ROUND_END with the counts of the place.
[[nodiscard]] Status add_round_end(Transaction& tx, ObjectSeq round, const Digest& state_after);
/// TABLE_CLOSE alone; its seq. `voided`: by two persons, their ACCESS.
[[nodiscard]] Result<std::uint64_t> add_table_end(Transaction& tx, ObjectSeq table,
                                                  std::optional<std::uint64_t> voided = {});
/// SETTLEMENT and ROUND_END when the rules say that the round is over.
[[nodiscard]] Status finish_round(const Parts& parts, Transaction& tx, ObjectSeq round);

/// Acts of two persons (act.hpp): one asks, another confirms within the time limit.
/// Errors: forbidden, same_person, act_pending, act_over, limit_exceeded, and what stands against
///         the act itself.
[[nodiscard]] Outcome ask_act(const Call& call);
[[nodiscard]] Outcome confirm_act(const Call& call, const std::string& act_id);
/// By who asked, or whoever could have confirmed.
[[nodiscard]] Outcome withdraw_act(const Call& call, const std::string& act_id);
/// One person stops new commitments at once; two end it. Errors: wrong_state when latched already.
[[nodiscard]] Outcome latch_generator(const Call& call);
[[nodiscard]] Outcome test_generator(const Call& call);

[[nodiscard]] Outcome new_batch(const Call& call, const std::string& table_id);
/// BATCH_CLOSE with every unused secret. Errors: secret_unusable.
[[nodiscard]] Status add_batch_close(Transaction& tx, ObjectSeq batch,
                                     certs::BatchCloseReason reason);
/// CALL; the DRAW follows in the next group, or with the last of its further contributors.
[[nodiscard]] Outcome start_draw(const Call& call);
/// Who may contribute at a table by a link (PROTOCOL section 5b); no record.
[[nodiscard]] Outcome invite(const Call& call, const std::string& table_id);
/// What somebody will contribute, ahead; no record.
[[nodiscard]] Outcome hand_in_commitments(const Call& call, const std::string& table_id);
/// What somebody contributes behind a CALL; durable before the reply, and no record of its own.
[[nodiscard]] Outcome open_contribution(const Call& call, const std::string& call_seq);

/// ANSWER: what a client of this appliance opens behind a call of another log, before it is sent.
/// Errors: malformed_request (this log's own call), opening_signature, commit_mismatch,
/// answered_otherwise.
[[nodiscard]] Outcome record_answer(const Call& call);

/// The DRAW of an open CALL with what follows from it (settlement, end of round).
/// The transaction's author is that of the CALL.
[[nodiscard]] Result<json::Object> complete_draw(const Parts& parts, Transaction& tx,
                                                 ObjectSeq batch, std::uint64_t call_seq);

}  // namespace talla::core
