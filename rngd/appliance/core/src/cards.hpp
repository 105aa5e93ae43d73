/// \file
/// One card at a time: CARD_DEAL (open, covered, unseen) and CARD_OPEN, with the copies that seats
/// may read.
///
/// Errors:  secret_unusable; no_seat_key (a covered card for a seat without key); those of the
///          records.
/// Secrecy: a covered card leaves the shoe only encrypted; its ciphertexts are sealed in the same
///          group and given to the client alone whose key they are for.
#pragma once

#include "command.hpp"
#include "format/game_events.hpp"

namespace talla::core {

/// Where a card goes.
struct DealTo {
  std::string place;
  certs::Face face = certs::Face::open;
  std::vector<games::Seat> seats{};  ///< covered: who may look
};

/// One CARD_DEAL; what may be said of it ({position, place, face, card?, recommits?}) goes into
/// `cards`.
[[nodiscard]] Status deal_one(const Call& call, ObjectSeq shoe, const DealTo& to,
                              json::Array& cards);
/// CARD_OPEN of a covered card that can be opened, under its own root; {position, place, card,
/// recommits?}.
[[nodiscard]] Result<json::Value> add_card_open(const Call& call, ObjectSeq shoe, const CardAt& at);

/// The copies of a covered card that this client's key opens: {seat, ciphertext}. From the sealed
/// ledger.
/// Errors: forbidden (none is for it), secret_unusable.
[[nodiscard]] Result<json::Array> read_copies(const certs::Ledger& ledger,
                                              const certs::Sealer& sealer, std::string_view origin,
                                              const Shoe& shoe, const CoveredCard& card,
                                              const Client& client);

}  // namespace talla::core
