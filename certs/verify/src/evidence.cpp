#include "evidence.hpp"

#include <algorithm>

#include "format/domain.hpp"
#include "format/merkle.hpp"

namespace talla::certs {
namespace {

bool supported_claim(Kind kind) {
  switch (kind) {
    case Kind::card_deal:
    case Kind::card_open:
    case Kind::shoe_mix:
    case Kind::shoe_close:
    case Kind::draw:
    case Kind::void_call:
    case Kind::batch_close:
    case Kind::settlement:
      return true;
    default:
      return kind_opens(kind) && kind != Kind::meter_open;
  }
}

/// Objects whose opening is not in the file were opened before what it holds of the table, or it is
/// incomplete.
Status leave_headless(Evidence& evidence) {
  std::uint64_t begin = 0;  // of what the file holds of the table behind TABLE_OPEN
  for (const Record& record : evidence.records) {
    if (record.table != evidence.claim->table || record.kind == Kind::table_open) continue;
    begin = record.seq;
    break;
  }
  for (auto at = evidence.objects.begin(); at != evidence.objects.end();) {
    const Record& first = *at->second.front();
    if (kind_opens(first.kind)) {
      ++at;
      continue;
    }
    const auto opened = object_seq(class_of_object(first.kind, first.body), at->first);
    if (!kind_chained(first.kind) || !opened || *opened >= begin ||
        at->first == evidence.claim->object || first.table != evidence.claim->table)
      return fail(VerifyErrc::gap, at->first + ": its opening record is not in the bundle");
    at = evidence.objects.erase(at);
  }
  return {};
}

Status find_table(Evidence& evidence) {
  const auto found = evidence.objects.find(evidence.claim->table);
  if (found == evidence.objects.end() || found->second.front()->kind != Kind::table_open) {
    return fail(VerifyErrc::gap, "the bundle does not hold the TABLE_OPEN of its claim");
  }
  evidence.table_record = found->second.front();
  TALLA_TRY(evidence.table, TableOpenBody::from_json(evidence.table_record->body));
  return {};
}

}  // namespace

const Record* Evidence::find(std::uint64_t seq) const {
  const auto at = std::lower_bound(
      records.begin(), records.end(), seq,
      [](const Record& record, std::uint64_t value) { return record.seq < value; });
  return at != records.end() && at->seq == seq ? &*at : nullptr;
}

Digest Evidence::leaf_of(const Record& record) const {
  const auto index = static_cast<std::size_t>(&record - records.data());
  return leaf_hash(hashes, as_bytes(bundle.records[index].record));
}

void Evidence::not_checked(Note note, const games::RefusalValues& values) {
  auto what = note_line(note, values);
  auto& list = verdict.not_checked;
  if (std::find(list.begin(), list.end(), what) == list.end()) list.push_back(std::move(what));
}

Status Evidence::take_context(const Context& context, const Record& record) {
  context_seen = true;
  lab = lab || context.lab();
  const bool same = context.catalogue == table.catalogue && context.game == table.game &&
                    context.variant == table.variant &&
                    context.parameters == parameters_digest(hashes, table.parameters);
  if (!same)
    return fail(VerifyErrc::context_other,
                name_of(record) + ": its context has other rules than the table");
  return {};
}

std::string name_of(const Record& record) {
  const std::string kind =
      record.kind == Kind::unknown ? record.unknown_kind : std::string(kind_name(record.kind));
  return "record " + std::to_string(record.seq) + " (" + kind + ")";
}

Status refuse(VerifyErrc errc, const Record& record, std::string_view why) {
  return fail(errc, name_of(record) + ": " + std::string(why));
}

Result<Evidence> open_evidence(const HashSuite& hashes, std::string_view bundle) {
  Evidence evidence(hashes);
  TALLA_TRY(evidence.bundle, parse_bundle(bundle));
  TALLA_TRY(evidence.checkpoint, parse_cosigned_checkpoint(evidence.bundle.checkpoint));
  evidence.records.reserve(evidence.bundle.records.size());
  for (const BundleRecord& entry : evidence.bundle.records) {
    TALLA_TRY(Record record, parse_record(entry.record));
    if (!evidence.records.empty() && evidence.records.back().seq >= record.seq) {
      return fail(VerifyErrc::seq_order, name_of(record) + ": the records do not ascend");
    }
    evidence.records.push_back(std::move(record));
  }
  evidence.claim = evidence.find(evidence.bundle.claim);
  const Record* claimed = evidence.claim;
  for (const Record& record : evidence.records) {
    if (record.object.empty()) continue;
    // A TABLE_CLOSE that the TABLE_OPEN cites is of another table, which is not looked at.
    const bool place_before =
        record.kind == Kind::table_close && claimed != nullptr && record.table != claimed->table;
    if (!place_before) evidence.objects[record.object].push_back(&record);
  }
  if (evidence.claim == nullptr)
    return fail(VerifyErrc::gap, "the bundle does not hold the record it claims");
  const bool provable = evidence.bundle.laboratory ? evidence.claim->kind == Kind::access
                                                   : supported_claim(evidence.claim->kind);
  if (!provable) {
    return fail(VerifyErrc::unsupported_claim,
                name_of(*evidence.claim) + ": a bundle cannot prove this kind");
  }
  if (evidence.bundle.laboratory) return evidence;
  TALLA_TRY_STATUS(find_table(evidence));
  TALLA_TRY_STATUS(leave_headless(evidence));
  return evidence;
}

}  // namespace talla::certs
