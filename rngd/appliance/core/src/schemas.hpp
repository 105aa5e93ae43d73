/// \file
/// What answers hold: the objects of the interface as schemas, each with its name in the OpenAPI
/// document. How they are made stands in views.hpp and in the files of the operations.
///
/// Threads: pure functions.
#pragma once

#include "schema.hpp"

namespace talla::core {

// Play (schemas_play.cpp).
/// Currency, unit, limits and parameters of a table that the appliance settles.
[[nodiscard]] Schema table_settings_schema();
/// Range of a draw (certs/FORMAT.md section 8).
[[nodiscard]] Schema specification_schema();
/// A card's or a stake's place on the table.
[[nodiscard]] Schema place_schema();
[[nodiscard]] Schema bet_schema();
/// What a table waits for.
[[nodiscard]] Schema needs_schema();
[[nodiscard]] Schema table_schema();
[[nodiscard]] Schema shoe_schema();
[[nodiscard]] Schema dealt_card_schema();
[[nodiscard]] Schema revealed_card_schema();
[[nodiscard]] Schema round_schema();
[[nodiscard]] Schema result_schema();
[[nodiscard]] Schema batch_schema();
[[nodiscard]] Schema outcome_schema();
[[nodiscard]] Schema meter_schema();
/// A call and who contributes to it (call_view.cpp), with an example of it.
[[nodiscard]] Schema call_view_schema();
[[nodiscard]] std::string_view call_view_example();

// The log and what it proves (schemas_log.cpp).
/// One reply: this member, and receipts where it made records.
[[nodiscard]] Schema reply_of(const std::string& name, const std::string& member,
                              const Schema& object, std::vector<SchemaMember> more = {});
/// The object as it is, or what its records tell of a closed one.
[[nodiscard]] Schema reply_or_past(const std::string& member, const Schema& reply);
[[nodiscard]] SchemaMember receipts_member();
[[nodiscard]] Schema receipt_schema();
[[nodiscard]] Schema bundle_schema();
/// Of a record, by name.
[[nodiscard]] Schema kind_schema();
[[nodiscard]] Schema events_schema();
[[nodiscard]] Schema log_keys_schema();
[[nodiscard]] Schema consistency_schema();
[[nodiscard]] Schema openings_schema();
[[nodiscard]] Schema release_schema();
[[nodiscard]] Schema shuffle_report_schema();
[[nodiscard]] Schema act_schema();
/// A role by name.
[[nodiscard]] Schema role_schema();
/// The act that ends a latch, and whose it is.
[[nodiscard]] Schema ended_by_schema();
[[nodiscard]] Schema client_to_enrol_schema();

// What the appliance says of itself (schemas_status.cpp).
[[nodiscard]] Schema status_schema();
/// An e-process or a change detector as it stands.
[[nodiscard]] Schema monitor_side_schema();
[[nodiscard]] Schema software_schema();
[[nodiscard]] Schema findings_schema();

/// Every refusal (problem.hpp).
[[nodiscard]] Schema problem_schema();

// Parts of requests that several have.
/// 16 to 64 bytes that the client has not given before. Errors: nonce_malformed.
[[nodiscard]] Schema nonce_schema();
/// An empty body.
[[nodiscard]] Schema nothing_schema();
/// A P-256 key: base64 of the DER SubjectPublicKeyInfo.
[[nodiscard]] Schema key_schema();

}  // namespace talla::core
