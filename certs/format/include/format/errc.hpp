/// \file
/// What can be wrong with evidence: one stable number and name each.
///
/// Range: 500-549 (format), 600-649 (verification),
/// 550-599 (certification, verify/certified.hpp), inside the module's 500-699.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::certs {

enum class FormatErrc : std::uint16_t {
  malformed_record = 500,         ///< envelope: bytes, members, types, ranges
  unknown_version = 501,          ///< `v` is not 2
  record_too_long = 502,          ///< above 60,000 bytes
  malformed_body = 503,           ///< body: members, types, ranges of the kind
  malformed_context = 504,        ///< the `context` of a commitment or draw
  index_out_of_range = 505,       ///< leaf index or tree size outside the tree
  proof_length = 506,             ///< a Merkle proof has too few or too many hashes
  wrong_root = 507,               ///< a Merkle proof leads to another root
  malformed_note = 508,           ///< signed note: text, line, name or signature spelling
  malformed_checkpoint = 509,     ///< checkpoint text
  malformed_proof = 510,          ///< tlog-proof text
  malformed_receipt = 511,        ///< receipt JSON, or its parts disagree
  malformed_tile = 512,           ///< tile path or entry bundle
  malformed_specification = 513,  ///< draw specification or outcome space of 2^128 and more
  malformed_mix = 514,            ///< nonce, number of cards or account of a mix
  malformed_statement = 515,      ///< log key statement
  malformed_bundle = 516,         ///< bundle JSON
  unknown_kind = 517,             ///< the writer was asked for a kind version 2 does not have
  malformed_key = 518,            ///< verifier key: spelling, type or key id
  malformed_cosignature = 519,    ///< a witness's signature: length or time
  malformed_policy = 520,         ///< trust policy: a line, a name, the quorum
  malformed_submission = 521,     ///< add-checkpoint request of a witness
  malformed_certification = 522,  ///< a certification, or its withdrawal
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(FormatErrc errc);

}  // namespace talla::certs
