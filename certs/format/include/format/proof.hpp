/// \file
/// C2SP tlog-proof text of one record, and the receipt that carries record and proof (FORMAT.md
/// sections 3 and 4).
///
/// Errors: FormatErrc::malformed_proof, malformed_receipt, malformed_record and those of a
///         checkpoint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/checkpoint.hpp"
#include "format/record.hpp"

namespace talla::certs {

struct TlogProof {
  std::uint64_t index = 0;
  std::vector<Digest> path;
  std::string checkpoint;  ///< the whole signed note
};
/// The text of a proof (C2SP tlog-proof).
[[nodiscard]] std::string format_proof(const TlogProof& proof);
/// Refuses an `extra` line (ours have none), a wrong base64 spelling and an index with leading
/// zeros.
[[nodiscard]] Result<TlogProof> parse_proof(std::string_view text);

/// A record and its proof that it is in the log.
struct Receipt {
  std::string proof;   ///< tlog-proof text
  std::string record;  ///< record bytes
};
/// Canonical JSON `{"proof": .., "record": ..}`.
[[nodiscard]] std::string format_receipt(const Receipt& receipt);
[[nodiscard]] Result<Receipt> parse_receipt(std::string_view text);

/// A receipt taken apart, with index = seq and origin = origin checked; no hash or signature is
/// checked here.
struct OpenedReceipt {
  Record record;
  TlogProof proof;
  SignedCheckpoint checkpoint;
};
[[nodiscard]] Result<OpenedReceipt> open_receipt(const Receipt& receipt);

}  // namespace talla::certs
