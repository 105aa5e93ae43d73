/// \file
/// Who may come in: the enrolled clients as KEY records say it, and as a start finds them.
///
/// Two ways lead in (PROTOCOL section 8): the list that a start reads, and acts of two persons at
/// the running appliance. Both leave KEY records, and the ledger keeps the list that follows from
/// them. A start takes from its file what changed in it since the last start, so that neither way
/// undoes the other. Threads: plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "act.hpp"
#include "base/hash.hpp"
#include "core/settings.hpp"
#include "format/log_key.hpp"

namespace talla::core {

class Transaction;
class Overlay;
class Editing;

/// Documents of the ledger: the clients enrolled now, and those of the file that the last start
/// read.

/// Body of the KEY that enrols this client, or revokes it.
[[nodiscard]] json::Object client_key(const EnrolledClient& client, bool enrol);
/// Body of the KEY that announces this log key.
[[nodiscard]] json::Value log_key_body(const certs::LogKey& log_key);
/// The client of such a body. Errors: replay_failed.
[[nodiscard]] Result<EnrolledClient> client_of_key(const json::Value& body);
/// H(D("key") || canonical(body)): the digest of an act that asks for this KEY.
[[nodiscard]] Digest key_digest(const HashSuite& hashes, const json::Value& body);

/// Two different clients of it, one an officer and the other an inspector: without them nothing can
/// be approved.
[[nodiscard]] bool can_approve(const std::vector<EnrolledClient>& clients);

/// One KEY of purpose `client` folded into the list.
[[nodiscard]] Status apply_client_key(Editing& edit, const certs::Record& record);

[[nodiscard]] std::string enrolment_text(const std::vector<EnrolledClient>& clients);
/// Errors: replay_failed.
[[nodiscard]] Result<std::vector<EnrolledClient>> enrolment_from(const std::string& text);

/// What the file of this start adds and takes away: KEY records that cite `cites`, and both
/// documents.
[[nodiscard]] Status take_enrolment_file(Transaction& tx, const std::vector<EnrolledClient>& before,
                                         const std::vector<EnrolledClient>& now,
                                         const std::vector<std::uint64_t>& cites);

/// The client of a request that fits its schema (client_to_enrol_schema). Errors:
/// malformed_request.
[[nodiscard]] Result<EnrolledClient> client_of_request(const json::Value& value);
/// The act's client may be enrolled or revoked now. Errors: wrong_state (nothing would change, its
/// key is another client's, or nobody would be left to confirm anything), not_found.
[[nodiscard]] Status key_change_possible(const Overlay& world, const Act& act);
/// KEY records of a confirmed act, which they cite.
[[nodiscard]] Status change_key(Transaction& tx, const Act& act, std::uint64_t confirmed);

}  // namespace talla::core
