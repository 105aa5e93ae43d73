#include "certs/key_history.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certs/errc.hpp"
#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "format/record.hpp"

namespace talla::certs {
namespace {

constexpr std::uint64_t records_per_search_step = 1000;

std::optional<LogKeyStatement> announced_by(const LedgerRecord& stored) {
  if (stored.kind != Kind::key) return std::nullopt;
  const auto record = parse_record(stored.bytes);
  const json::Value* log_key = record ? record->body.find("log_key") : nullptr;
  const auto key =
      log_key != nullptr ? LogKey::from_json(*log_key) : Result<LogKey>(fail(Errc::not_found, ""));
  const auto statement =
      key ? parse_statement(key->statement) : Result<LogKeyStatement>(tl::unexpected(key.error()));
  return statement ? std::optional(*statement) : std::nullopt;
}

/// Of the first KEY of purpose `log`; nothing in a log without one.
Result<std::optional<Digest>> first_key(const Ledger& ledger) {
  for (std::uint64_t from = 0; from < ledger.size(); from += records_per_search_step) {
    TALLA_TRY(const auto records,
              ledger.records(from, std::min(ledger.size(), from + records_per_search_step)));
    for (const LedgerRecord& record : records) {
      if (const auto statement = announced_by(record)) return std::optional(statement->public_key);
    }
  }
  return std::optional<Digest>();
}

Result<std::shared_ptr<Ed25519Signer>> opened(const LogKeySource& source) {
  if (source.signer) return source.signer;
  auto signer = open_log_signer(source.key);
  if (signer) return std::shared_ptr<Ed25519Signer>(std::move(*signer));
  Error error = signer.error();
  error.detail = source.key + ": " + error.detail;
  return tl::unexpected<Error>(std::move(error));
}

Result<std::vector<RetiredKey>> parse_retired(const std::string& text) {
  TALLA_TRY(const auto value, json::parse(text));
  if (!value.is_array()) return fail(Errc::ledger_damaged, "the list of log keys");
  std::vector<RetiredKey> keys;
  for (const auto& one : value.array()) {
    json::Reader reader(one, "log-keys");
    TALLA_TRY(const auto announced, reader.integer("announced", 0, json::integer_max));
    TALLA_TRY(const auto* log_key, reader.object("log_key"));
    TALLA_TRY(LogKey key, LogKey::from_json(*log_key));
    keys.push_back({static_cast<std::uint64_t>(announced), std::move(key)});
  }
  return keys;
}

}  // namespace

std::string_view errc_name(LogKeyErrc errc) {
  return errc == LogKeyErrc::wrong_log_key ? "wrong_log_key" : "unknown";
}

std::string retired_keys_text(const std::vector<RetiredKey>& keys) {
  json::Array all;
  for (const RetiredKey& key : keys)
    all.emplace_back(
        json::Object{{"announced", key.announced}, {"log_key", key.log_key.to_json()}});
  return json::canonical(json::Value(std::move(all)));
}

Result<RetiredKeys> load_retired_keys(const Ledger& ledger) {
  RetiredKeys retired;
  TALLA_TRY(const auto text, ledger.document(documents::log_keys()));
  if (!text || text->empty()) return retired;
  TALLA_TRY(retired.keys, parse_retired(*text));
  for (const RetiredKey& key : retired.keys) {
    TALLA_TRY(const LogKeyStatement own, parse_statement(key.log_key.statement));
    TALLA_TRY(const LedgerRecord record, ledger.record(key.announced));
    const auto next = announced_by(record);
    if (!next || (retired.announced && own.public_key != *retired.announced) ||
        next->previous != own.public_key)
      return fail(Errc::ledger_damaged,
                  fmt::format("record {} does not announce a log key", key.announced));
    retired.announced = next->public_key;
  }
  return retired;
}

Result<ChosenLogKey> choose_log_key(const Ledger& ledger, const std::string& origin,
                                    const std::vector<LogKeySource>& sources) {
  TALLA_TRY(RetiredKeys retired, load_retired_keys(ledger));
  std::optional<Digest> present = retired.announced;
  if (!present) {
    TALLA_TRY(present, first_key(ledger));
  }
  for (const LogKeySource& source : sources) {
    TALLA_TRY(auto signer, opened(source));
    if (present && signer->public_key() != *present) continue;
    TALLA_TRY(LogKey log_key, load_log_key(source.statement, origin, signer->public_key()));
    return ChosenLogKey{.signer = std::move(signer),
                        .log_key = std::move(log_key),
                        .source = source,
                        .retired = std::move(retired.keys)};
  }
  return fail(
      LogKeyErrc::wrong_log_key,
      "keys.log_key: the log is signed by another key; it changes by two persons (talla act ask "
      "log-key-rotate)");
}

std::string signatures_text(const std::vector<Signature64>& signatures) {
  Bytes all;
  for (const Signature64& one : signatures) all.insert(all.end(), one.begin(), one.end());
  return to_base64(all);
}

Result<std::vector<Signature64>> stored_signatures(const Ledger& ledger, std::uint64_t number) {
  TALLA_TRY(const auto text, ledger.document(documents::signatures(number)));
  std::vector<Signature64> signatures;
  if (!text || text->empty()) return signatures;
  TALLA_TRY(const Bytes all, from_base64(*text));
  if (all.size() % Signature64{}.size() != 0)
    return fail(Errc::ledger_damaged, documents::signatures(number).text());
  for (std::size_t at = 0; at < all.size(); at += Signature64{}.size()) {
    auto& one = signatures.emplace_back();
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), one.size(), one.begin());
  }
  return signatures;
}

Result<Signature64> stored_signature(const Ledger& ledger, std::uint64_t group) {
  TALLA_TRY(const auto page, stored_signatures(ledger, group / signatures_per_document));
  const std::uint64_t place = group % signatures_per_document;
  if (place >= page.size())
    return fail(Errc::ledger_damaged, fmt::format("group {} has no stored signature", group));
  return page[place];
}

}  // namespace talla::certs
