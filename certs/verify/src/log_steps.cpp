// Checks the order of a bundle's records, their place in the log and the chains of their objects.
#include <algorithm>
#include <set>

#include "evidence.hpp"
#include "format/merkle.hpp"
#include "key_chain.hpp"

namespace talla::certs {
namespace {

Status check_order(const Evidence& evidence) {
  const Record* before = nullptr;
  for (const Record& record : evidence.records) {
    if (before != nullptr && record.time_us < before->time_us)
      return refuse(VerifyErrc::time_back, record, "time goes back");
    if (before != nullptr && record.boot < before->boot)
      return refuse(VerifyErrc::boot_back, record, "the boot counter goes back");
    before = &record;
  }
  return {};
}

/// A record whose kind nobody reads could be any outcome under another name.
Status check_kinds(const Evidence& evidence) {
  for (const Record& record : evidence.records) {
    if (record.kind == Kind::unknown)
      return fail(VerifyErrc::unknown_kind, name_of(record) + ": of a kind that is not known");
  }
  return {};
}

/// Of a meter that tables share the file holds what this table did, and what others did may be left
/// out; what is there stands in the order that the meter's own records name.
Status check_meter_chain(const std::string& meter, const std::vector<const Record*>& chain) {
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (*chain[i]->meter_prev >= chain[i - 1]->seq) continue;
    return fail(VerifyErrc::meter_passed,
                name_of(*chain[i]) + ": passes over a record of " + meter);
  }
  return {};
}

/// A meter that the table shares: TABLE_OPEN names it and cites its opening, which is of the same
/// game and money.
Status check_meter_of_table(const Evidence& evidence, const Record& opening) {
  TALLA_TRY(const auto body, MeterOpenBody::from_json(opening.body));
  const auto& table = evidence.table;
  const auto named = table.meters.find(body.meter);
  if (named == table.meters.end() || named->second != opening.object)
    return fail(VerifyErrc::meter_foreign, opening.object + ": is no meter of the claim's table");
  const auto& cites = evidence.table_record->cites;
  if (!std::binary_search(cites.begin(), cites.end(), opening.seq))
    return fail(VerifyErrc::meter_foreign,
                name_of(*evidence.table_record) + ": does not cite " + opening.object);
  const bool same = body.catalogue == table.catalogue && body.game == table.game &&
                    body.variant == table.variant && body.currency == table.currency &&
                    body.unit == table.unit;
  return same ? Status()
              : Status(fail(VerifyErrc::meter_terms,
                            opening.object + ": is of another game or money"));
}

/// The table of each other object must be the claim's, so that nothing foreign is smuggled in.
Status check_tables(const Evidence& evidence) {
  for (const auto& [object, chain] : evidence.objects) {
    const Record& opening = *chain.front();
    if (opening.kind == Kind::meter_open) {
      TALLA_TRY_STATUS(check_meter_of_table(evidence, opening));
      continue;
    }
    if (opening.kind == Kind::table_open && opening.object != evidence.table_record->object) {
      return fail(VerifyErrc::object_foreign, object + ": is not the table of the claim");
    }
    if (opening.table != evidence.table_record->object)
      return fail(VerifyErrc::object_foreign, object + ": belongs to another table");
  }
  return {};
}

}  // namespace

Status check_log(Evidence& evidence, const LogKeyStatement& statement) {
  TALLA_TRY_STATUS(
      check_log_signature_of(evidence.hashes, evidence.checkpoint, statement, "checkpoint"));
  evidence.checked(Note::head_signed,
                   {{"records", std::to_string(evidence.checkpoint.checkpoint.size)}});
  const Checkpoint& head = evidence.checkpoint.checkpoint;
  for (std::size_t i = 0; i < evidence.records.size(); ++i) {
    const Record& record = evidence.records[i];
    const BundleRecord& entry = evidence.bundle.records[i];
    if (record.origin != head.origin)
      return fail(VerifyErrc::wrong_origin, name_of(record) + ": of another log");
    const auto included =
        verify_inclusion(evidence.hashes, {.index = record.seq, .size = head.size},
                         leaf_hash(evidence.hashes, as_bytes(entry.record)), entry.path, head.root);
    if (!included)
      return fail(VerifyErrc::not_included, name_of(record) + ": " + included.error().detail);
  }
  TALLA_TRY_STATUS(check_order(evidence));
  evidence.checked(Note::records_included, {{"records", std::to_string(evidence.records.size())}});
  return {};
}

Status check_chains(Evidence& evidence) {
  TALLA_TRY_STATUS(check_kinds(evidence));
  for (const auto& [object, chain] : evidence.objects) {
    if (chain.front()->kind == Kind::meter_open) TALLA_TRY_STATUS(check_meter_chain(object, chain));
  }
  TALLA_TRY_STATUS(check_tables(evidence));
  // Every commitment, draw and settlement of the chains is checked below; what stays open is said
  // there.
  return {};
}

}  // namespace talla::certs
