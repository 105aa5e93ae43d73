/// \file
/// One record: the envelope of FORMAT.md section 2 with its one canonical writer and its strict
///             parser.
///
/// Limits:  60,000 bytes; strings and keys printable ASCII; integers below 2^53.
/// Errors:  FormatErrc::malformed_record, unknown_version, record_too_long, malformed_body,
///          unknown_kind.
/// Threads: plain data and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/json.hpp"

namespace talla::certs {

/// The longest record, bytes.
inline constexpr std::size_t record_bytes_max = 60'000;

enum class Kind : std::uint8_t {
  unknown,
  power,
  software,
  config,
  key,
  selftest,
  health,
  reseed,
  access,
  answer,
  table_open,
  table_close,
  round_open,
  bets_closed,
  action,
  misdeal,
  hand_confirmed,
  settlement,
  round_end,
  meter,
  shoe_commit,
  shoe_mix,
  card_deal,
  card_open,
  shoe_recommit,
  shoe_release,
  shuffle_report,
  shoe_close,
  batch_commit,
  call,
  draw,
  void_call,
  batch_close,
  meter_open,
  meter_close,
};
/// The record's spelling ("SHOE_COMMIT"; void_call is "VOID"); empty for Kind::unknown.
[[nodiscard]] std::string_view kind_name(Kind kind);
[[nodiscard]] Kind kind_from_name(std::string_view name);

/// The class of object a kind belongs to: "table", "shoe", "batch", "round", "meter", or "" for the
/// machine's kinds. A CALL for a mix belongs to its shoe (class_of_object), not to a batch.
[[nodiscard]] std::string_view kind_object(Kind kind);
/// The same for one record: a METER that names its round is of a shared meter, others of a table; a
/// CALL is of its shoe or batch, as is its VOID; that of a core that opens no secret of the table.
[[nodiscard]] std::string_view class_of_object(Kind kind, const json::Value& body);
/// TABLE_OPEN, ROUND_OPEN, SHOE_COMMIT, BATCH_COMMIT, METER_OPEN: `object` names their own `seq`.
[[nodiscard]] bool kind_opens(Kind kind);
/// Kinds whose records stand in the chain of a table: those of tables, rounds, shoes and batches,
/// and METER. The machine's, METER_OPEN and METER_CLOSE stand in none.
[[nodiscard]] bool kind_chained(Kind kind);
/// "shoe-17" from ("shoe", 17).
[[nodiscard]] std::string object_id(std::string_view object_class, std::uint64_t seq);
/// The number of an id of that class; refuses any other spelling (leading zeros included).
[[nodiscard]] Result<std::uint64_t> object_seq(std::string_view object_class, std::string_view id);

/// Who sent the request behind a record.
struct Client {
  std::string id;  ///< enrolled id, printable ASCII
  Digest spki{};   ///< SHA-256 of the certificate's SubjectPublicKeyInfo
  bool operator==(const Client& other) const = default;
};

/// One record, parsed: what its bytes say, and nothing more.
struct Record {
  std::string origin;
  std::uint64_t seq = 0;
  Kind kind = Kind::unknown;
  std::string unknown_kind;  ///< the spelling, when kind is unknown; otherwise empty
  std::int64_t time_us = 0;
  TimeQuality time_quality = TimeQuality::unset;
  std::uint64_t boot = 1;
  std::optional<Client> client;
  std::string key;  ///< idempotency key, empty: none
  std::optional<Digest> request;
  std::string object;  ///< object id, empty: none
  std::string table;   ///< whose chain it stands in, empty: none
  /// The record before it in that chain; none in TABLE_OPEN.
  std::optional<std::uint64_t> prev;
  std::optional<Digest> link;  ///< what that chain is up to it (chain_head); with `table`
  /// Of a meter that tables share: the record of it before this one.
  std::optional<std::uint64_t> meter_prev;
  std::vector<std::uint64_t> cites;  ///< ascending, each below seq
  json::Value body;
  std::string note;  ///< base64url of UTF-8, empty: none
  bool operator==(const Record& other) const = default;
};

/// The canonical bytes, after all checks of `parse_record`; refuses Kind::unknown.
[[nodiscard]] Result<std::string> write_record(const Record& record);
/// Accepts exactly the bytes `write_record` gives, and records of unknown kind, whose body may be
/// any object.
[[nodiscard]] Result<Record> parse_record(std::string_view bytes);
/// The body has exactly the members of its kind, in type and range. Errors: malformed_body,
/// malformed_context.
[[nodiscard]] Status check_body(Kind kind, const json::Value& body);
/// 1 to 64 characters of A-Z a-z 0-9 . _ -
[[nodiscard]] bool idempotency_key_valid(std::string_view key);

}  // namespace talla::certs
