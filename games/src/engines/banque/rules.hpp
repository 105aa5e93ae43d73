/// \file
/// Family "banque": the law of chemin de fer and of banque with two cloths, read from a catalogue's
/// data blocks and a table's parameters (games/catalogues/docs/families/banque.md).
///
/// Errors: Errc::catalogue_malformed from check_rules; afterwards reading cannot fail. Threads:
///         plain values.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engines/baccarat/points.hpp"
#include "games/table.hpp"

namespace talla::games::banque {

/// What the bank's chart says for one total against one third card.
enum class Cell : std::uint8_t { stand, draw, optional };

struct Law {
  std::size_t cloths = 1;  ///< hands against the bank: 1 chemin de fer, 2 banque
  bool open_bank = false;  ///< the banker answers for every stake
  baccarat::Points points;
  std::array<bool, 10> punto_draws{};            ///< must ask for a card
  std::array<bool, 10> punto_free{};             ///< may ask or stand; all others must stand
  std::array<std::array<Cell, 11>, 10> chart{};  ///< [bank's total][third card 0-9; 10: stood]

  Fraction commission;
  std::int64_t players_min = 4;  ///< at the table, or at each cloth
  std::int64_t refusals = 0;     ///< refusals of the bank in a row that cost the seat
  std::string associates;        ///< "matching": a sum equal to the bank; "any"; "none"
  /// Whose bank the next banker must match: "lost-or-abandoned", "abandoned".
  std::string taker_matches;
  /// Bank passed by a standing player goes to "first-seat" or "last-seated".
  std::string standing_pass;
  bool retake = false;      ///< who passed the bank may take it back when nobody wants it
  std::string table_share;  ///< banco con la mesa: "at-least-half" or "half" of the bank
  /// Garage once "bank" or "winnings" pass the threshold; "none": no garage.
  std::string garage_test;
  std::int64_t garage_threshold = 0;  ///< in table minimums
  bool garage_improper = false;       ///< what passes the bank's maximum leaves the bank by itself
  bool garage_waiver = false;         ///< "todo va" in a bank without maximum
  bool whole_makes_banco = false;  ///< a stake of the whole bank is banco, whatever it was called
  bool halves_in_chips = false;    ///< a stake on both cloths is halved in chips, else in units
  std::string refill;              ///< broken bank: "any" amount or at least the "initial" one
  std::string leave;               ///< bank given up: "auction-from-bank" or "offer-initial"
  bool winner_barred = false;      ///< who leaves with a win takes no bank in the same shoe

  std::uint32_t reserve = 0;  ///< cards behind the stop card

  Citation award_cite;
  Citation commission_cite;
  Citation garage_cite;
  Citation players_cite;
  Citation stakes_cite;
  Citation hand_cite;
  Citation tie_cite;
  Citation stop_cite;
};

/// Everything above; `params` may be null while a catalogue is loaded.
[[nodiscard]] Result<Law> read_law(const GameRules& rules, const Params* params);
/// The law of a table, read once when it opens.
struct PreparedLaw final : Prepared {
  Law law;
};
/// The table's choice; `absent` where the file is of an edition that did not have the parameter.
[[nodiscard]] std::string_view choice_of(const Table& table, std::string_view id,
                                         std::string_view absent);
/// The law of an open table.
[[nodiscard]] const Law& law_of(const Table& table);

/// Refuses data, parameters, bets, places and errors this family cannot play.
[[nodiscard]] Status check_rules(const GameRules& rules);

/// What an entry of the error table does to the hand. One word each in a catalogue's `effect`.
enum class Effect : std::uint8_t {
  play_on,       ///< nothing changes
  discard_next,  ///< the next card of the shoe is laid aside, open
  void_hand,     ///< all stakes are free
  /// The card at the place is open; both sides are bound; both of punto's: chart, optionals drawn.
  expose,
  /// The card and the bank's matching one are open; both: the bank follows the chart.
  expose_matching,
  /// "carta" announced for "no": the bank takes the first card drawn with 0-5, the rest is laid
  /// aside.
  croupier_card,
  fifth_card,  ///< the bank must draw if punto stands
  bank_zero,   ///< surplus card of the bank laid aside, its two cards count zero
  two_thirds,  ///< a second third card to the place: the better for punto, the worse for the bank
  punto_shows_nine,   ///< punto counts as showing 9
  punto_counts_nine,  ///< punto's total is 9; the bank may draw unless it has 7
  withdraw_stakes,    ///< the bank is shown early: stakes may be taken back
  bank_keeps_silent,  ///< the bank may no longer show
  bank_loses,
  punto_loses,
  cards_pass,          ///< another bettor takes the cards
  follow_chart,        ///< outside advice: freedom is lost on both sides
  bank_decides,        ///< the banker gives or refuses the card
  forgot_to_show,      ///< punto's cards are turned; with 8 or 9 and "carta" the banker decides
  rectify,             ///< the hand is put right by punto's true total
  restored,            ///< the banker's duties of restored hands bind; the fault was not his
  restored_bank,       ///< the same, the fault was his
  cloth_exposed,       ///< both cards of a cloth open; restored, the fault was not the banker's
  cloth_exposed_bank,  ///< the same, the fault was his
  void_cloth,          ///< the cloth of the place is void; place of the bank: all are
  counts_zero,         ///< the hand at the place counts zero
  keep_turn,           ///< the cloth's next hand goes to the player who was passed over
  bank_misannounced,   ///< restored by the banker's fault, once a cloth has shown
};
[[nodiscard]] Result<Effect> effect_from(std::string_view name);

/// Place ids: "punto-1".."punto-3" (one cloth), "pano1-1".."pano2-3" (two), "banca-1".."banca-3",
///            "descarte".
[[nodiscard]] std::string cloth_place(std::size_t cloths, std::size_t cloth, std::size_t card);
[[nodiscard]] std::string bank_place(std::size_t card);
inline constexpr std::string_view discard_place = "descarte";

// Parameters. Those of the first list every game has; the others stand with the number of cloths
// that reads them.
inline constexpr std::string_view p_seats = "seats";        ///< numbered places (of a cloth)
inline constexpr std::string_view p_bank_min = "bank_min";  ///< in table minimums
inline constexpr std::string_view p_bank_max = "bank_max";  ///< in table minimums; 0: none
/// shoe-over | one-last-hand.
inline constexpr std::string_view p_stop_card_first = "stop_card_first";
inline constexpr std::string_view p_excess = "excess_stake_rule";
/// bound | whole-bank | with-table.
inline constexpr std::string_view p_banco_freedom = "banco_freedom";
inline constexpr std::string_view p_exposed = "exposed_card_rule";      ///< circle | punto-banca
inline constexpr std::string_view p_wrong_word = "wrong_word";          ///< stands | rectified
inline constexpr std::string_view p_suivi_rank = "banco_seguido_rank";  ///< first | seat-order
/// bank-at-start | amount-lost | not-required.
inline constexpr std::string_view p_lost_bank = "lost_bank";
inline constexpr std::string_view p_initial_min = "initial_stake_min";
inline constexpr std::string_view p_initial_max = "initial_stake_max";
inline constexpr std::string_view p_deduction = "deduction_base";  ///< net | gross
inline constexpr std::string_view p_natural_binds = "natural_binds_banker";
inline constexpr std::string_view p_bank_zero = "banker_zero";      ///< must-draw | free
inline constexpr std::string_view p_natural_nine = "natural_nine";  ///< beats-three-cards | ties
inline constexpr std::string_view p_natural_unshown = "natural_unshown";  ///< keeps-rank | by-total
inline constexpr std::string_view p_bank_shoes = "bank_shoes";
inline constexpr std::string_view p_garage_gains = "garage_gains";  ///< sum | last-hand
/// who-made-banco | former-banker.
inline constexpr std::string_view p_cards_right = "cards_after_larger_bank";

}  // namespace talla::games::banque
