/// \file
/// The keys that have signed a log before the present one, and what they leave behind: the
/// signatures of their checkpoints.
///
/// A retired key is not needed any more from the moment on that its announcement of the next one is
/// durable: before it, the ends of all groups are signed once more, in documents of 512 that go
/// with other groups; the group of the announcement itself holds the rest, and the signature over
/// that group too. So a reply given under a retired key is rebuilt to the same bytes for ever.
/// Documents: `log-keys` (the retired statements, each with the `seq` of the KEY that announced the
/// next one) and `signatures-N` (base64 of 64 bytes for each of the groups N * 512 to N * 512 +
/// 511).
/// Errors:  ledger_damaged. Threads: reads from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "certs/errc.hpp"
#include "certs/ledger.hpp"
#include "format/checkpoint.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

/// 684 of the module's numbers; the others stand in errc.hpp.
enum class LogKeyErrc : std::uint16_t {
  /// The log is signed by another key, or the next one does not follow the present one.
  wrong_log_key = 684
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(LogKeyErrc errc);

/// Groups whose signatures stand in one document.
inline constexpr std::uint64_t signatures_per_document = 512;

/// A key that signs no more, and the record that ended it.
struct RetiredKey {
  /// Seq of the KEY that announced the next key: the last record under this one.
  std::uint64_t announced = 0;
  LogKey log_key;
};
[[nodiscard]] std::string retired_keys_text(const std::vector<RetiredKey>& keys);

/// All keys of the log before the present one.
struct RetiredKeys {
  std::vector<RetiredKey> keys;     ///< oldest first; empty: the log has its first key
  std::optional<Digest> announced;  ///< the key that the last of them announced
};
/// From the document, each compared with the KEY record that it names. Errors: ledger_damaged also
/// when that record does not announce the next key.
[[nodiscard]] Result<RetiredKeys> load_retired_keys(const Ledger& ledger);

/// Where a log key is (key_sources.hpp), and the path of its statement.
struct LogKeySource {
  std::string key;
  std::string statement;
  std::shared_ptr<Ed25519Signer> signer{};  ///< of `key`, where it is open already
};
struct ChosenLogKey {
  std::shared_ptr<Ed25519Signer> signer;
  LogKey log_key;
  LogKeySource source;
  std::vector<RetiredKey> retired;
};
/// The one of these that signs the log now, as the log itself says: a key that nobody announced
/// signs nothing. An empty log takes the first. Later ones are opened only when the first is not
/// it. Errors: wrong_log_key, those of the keys.
[[nodiscard]] Result<ChosenLogKey> choose_log_key(const Ledger& ledger, const std::string& origin,
                                                  const std::vector<LogKeySource>& sources);

/// Signature of one group's end, from its document. Errors: ledger_damaged when it is not there.
[[nodiscard]] Result<Signature64> stored_signature(const Ledger& ledger, std::uint64_t group);
/// Text of a document.
[[nodiscard]] std::string signatures_text(const std::vector<Signature64>& signatures);
[[nodiscard]] Result<std::vector<Signature64>> stored_signatures(const Ledger& ledger,
                                                                 std::uint64_t number);

}  // namespace talla::certs
