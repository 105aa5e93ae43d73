/// \file
/// Domain strings of every hash and MAC, and the digests that are taken over canonical JSON.
///
/// FORMAT.md section 1. D("name") is "talla/v2/name" and one zero byte; each view below includes
/// that byte.
#pragma once

#include <string_view>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"

namespace talla::certs {

namespace domain {
using namespace std::string_view_literals;
/// One for each thing that is hashed or keyed; what it begins with is hashed for nothing else.
inline constexpr std::string_view parameters = "talla/v2/parameters\0"sv;
inline constexpr std::string_view bets = "talla/v2/bets\0"sv;
inline constexpr std::string_view state = "talla/v2/state\0"sv;
inline constexpr std::string_view request = "talla/v2/request\0"sv;
inline constexpr std::string_view key = "talla/v2/key\0"sv;
inline constexpr std::string_view log_key = "talla/v2/log-key\0"sv;
inline constexpr std::string_view log_end = "talla/v2/log-end\0"sv;
inline constexpr std::string_view shoe_salt = "talla/v2/shoe-salt\0"sv;
inline constexpr std::string_view shoe_leaf = "talla/v2/shoe-leaf\0"sv;
inline constexpr std::string_view shoe_tape = "talla/v2/shoe-tape\0"sv;
inline constexpr std::string_view shoe_roots = "talla/v2/shoe-roots\0"sv;
inline constexpr std::string_view batch_leaf = "talla/v2/batch-leaf\0"sv;
inline constexpr std::string_view core = "talla/v2/core\0"sv;
inline constexpr std::string_view call = "talla/v2/call\0"sv;
inline constexpr std::string_view contribution = "talla/v2/contribution\0"sv;
inline constexpr std::string_view contribution_commit = "talla/v2/contribution-commit\0"sv;
inline constexpr std::string_view order = "talla/v2/order\0"sv;
inline constexpr std::string_view request_key = "talla/v2/request-key\0"sv;
inline constexpr std::string_view opening = "talla/v2/opening\0"sv;
inline constexpr std::string_view covered_card = "talla/v2/covered-card\0"sv;
inline constexpr std::string_view covered_again = "talla/v2/covered-card-again\0"sv;
inline constexpr std::string_view shoe_release = "talla/v2/shoe-release\0"sv;
inline constexpr std::string_view shuffle_report = "talla/v2/shuffle-report\0"sv;
inline constexpr std::string_view report = "talla/v2/report\0"sv;
inline constexpr std::string_view shuffle_seen = "talla/v2/shuffle-seen\0"sv;
inline constexpr std::string_view shuffle_seen_list = "talla/v2/shuffle-seen-list\0"sv;
inline constexpr std::string_view seal = "talla/v2/seal\0"sv;
inline constexpr std::string_view link = "talla/v2/link\0"sv;
inline constexpr std::string_view archive = "talla/v2/archive\0"sv;
inline constexpr std::string_view certification = "talla/v2/certification\0"sv;
inline constexpr std::string_view certification_text = "talla/v2/certification-text\0"sv;
inline constexpr std::string_view certification_serial = "talla/v2/certification-serial\0"sv;
inline constexpr std::string_view settings = "talla/v2/settings\0"sv;
}  // namespace domain

/// H(bytes of the catalogue file). Where no catalogue is used, callers take `Digest{}` (32 zero
/// bytes).
[[nodiscard]] Digest catalogue_digest(const HashSuite& hashes, std::string_view file);
/// The `parameters` object of TABLE_OPEN.
[[nodiscard]] Digest parameters_digest(const HashSuite& hashes, const json::Value& parameters);
/// The `bets` array of BETS_CLOSED; `json::Array{}` for a client without bets.
[[nodiscard]] Digest bets_digest(const HashSuite& hashes, const json::Value& bets);
/// An engine's state between two events.
[[nodiscard]] Digest state_digest(const HashSuite& hashes, const json::Value& state);
/// What the chain of a table is with a record: H(D("link") || its link || its leaf hash). It is the
/// `link` of the record behind it.
[[nodiscard]] Digest chain_head(const HashSuite& hashes, const Digest& link, const Digest& leaf);
/// An HTTP request as received.
[[nodiscard]] Digest request_digest(const HashSuite& hashes, std::string_view method,
                                    std::string_view path, std::string_view body);

}  // namespace talla::certs
