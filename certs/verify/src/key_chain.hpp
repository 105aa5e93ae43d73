/// \file
/// Step 1 for a log whose key was rotated: from its first key each announces the next in the log
/// (FORMAT.md section 5).
///
/// Every statement is judged by its certificates at the recorded time of the KEY that it signed
/// for, or that announced it.
/// Errors: those of chain.hpp; wrong_statement (another order of keys, or the announcements are
///         missing), wrong_signature, not_included, wrong_origin, gap (the log does not go on from
///         the announcement).
#pragma once

#include <vector>

#include "base/hash.hpp"
#include "chain.hpp"
#include "format/checkpoint.hpp"
#include "format/key_change.hpp"

namespace talla::certs {

/// The signature of this key on that checkpoint. Errors: wrong_origin, wrong_signature, with
/// `where` in front.
[[nodiscard]] Status check_log_signature_of(const HashSuite& hashes,
                                            const SignedCheckpoint& checkpoint,
                                            const LogKeyStatement& statement,
                                            const std::string& where);

struct KeyEpoch {
  LogKey log_key;
  LogKeyStatement statement;
  std::int64_t from_us = 0;  ///< recorded time of the KEY that announced it; 0: the first
  std::uint64_t begin = 0;   ///< it signs sizes above this
  std::uint64_t end = 0;     ///< and up to this; 0: the present key
  bool development = false;  ///< as in TrustedKey; of the present key only after it was judged
};
/// Is the key of `known` (a statement or all keys of a log, as text; empty: not asked for) one of
/// these? Errors: wrong_statement.
[[nodiscard]] Status check_known(std::string_view known, const std::vector<KeyEpoch>& epochs);
/// Every key from the first to `log_key`, which is judged at the later of `time_us` and its
/// announcement. `head` is a checkpoint signed by it; its own signature is not checked here.
[[nodiscard]] Result<std::vector<KeyEpoch>> verify_key_chain(
    const HashSuite& hashes, const std::vector<KeyChange>& changes, const LogKey& log_key,
    const Checkpoint& head, std::string_view roots_pem, std::int64_t time_us);

}  // namespace talla::certs
