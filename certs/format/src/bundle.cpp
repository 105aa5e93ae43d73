#include "format/bundle.hpp"

#include "fields.hpp"
#include "hash_list.hpp"

namespace talla::certs {
namespace {
constexpr std::size_t records_max = 20'000;
constexpr const char* bundle_type = "talla-bundle";
constexpr const char* laboratory_type = "talla-laboratory";

Result<BundleRecord> bundle_record_from_json(const json::Value& value) {
  Fields in(value, "records[]", FormatErrc::malformed_bundle);
  BundleRecord out;
  out.record = in.filled_text("record");
  out.path = hash_list(in, "path");
  return in.finish(std::move(out));
}

/// A withdrawal certifies nothing and has no place beside the evidence that it is about.
Result<SignedCertification> certification_from_json(const json::Value& value) {
  TALLA_TRY(SignedCertification file, SignedCertification::from_json(value));
  TALLA_TRY(const CertificationKind kind, certification_kind_of(file.statement));
  if (kind == CertificationKind::withdrawal)
    return fail(FormatErrc::malformed_certification, "certifications[]: is a withdrawal");
  return file;
}
}  // namespace

std::string format_bundle(const Bundle& bundle) {
  json::Array records;
  for (const BundleRecord& entry : bundle.records) {
    records.emplace_back(
        json::Object{{"path", hash_list_json(entry.path)}, {"record", entry.record}});
  }
  json::Object value{{"checkpoint", bundle.checkpoint},
                     {"claim", bundle.claim},
                     {"log_key", bundle.log_key.to_json()},
                     {"records", std::move(records)},
                     {"type", bundle.laboratory ? laboratory_type : bundle_type},
                     {"v", format_version}};
  if (!bundle.key_changes.empty())
    value.emplace("key_changes", key_changes_json(bundle.key_changes));
  if (bundle.catalogue) value.emplace("catalogue", *bundle.catalogue);
  if (bundle.state_before) value.emplace("state_before", *bundle.state_before);
  if (!bundle.certifications.empty()) {
    json::Array certifications;
    for (const SignedCertification& one : bundle.certifications)
      certifications.push_back(one.to_json());
    value.emplace("certifications", std::move(certifications));
  }
  if (bundle.outcomes) value.emplace("outcomes", *bundle.outcomes);
  return json::canonical(value);
}

Result<Bundle> parse_bundle(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(FormatErrc::malformed_bundle, "bundle: " + value.error().detail);
  Fields in(*value, "bundle", FormatErrc::malformed_bundle);
  Bundle out;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  const std::string type = in.text("type");
  out.laboratory = type == laboratory_type;
  in.require(out.laboratory || type == bundle_type, "type",
             "must be `talla-bundle` or `talla-laboratory`");
  out.claim = in.count("claim");
  out.checkpoint = in.text("checkpoint");
  if (const json::Value* log_key = in.object("log_key"))
    out.log_key = in.nested(LogKey::from_json(*log_key));
  if (const json::Value* changes = in.optional("key_changes"))
    out.key_changes = in.nested(key_changes_from(*changes));
  if (const json::Array* records = in.array("records")) {
    in.require(!records->empty() && records->size() <= records_max, "records",
               "1 to 20,000 records are expected");
    for (const auto& record : *records)
      out.records.push_back(in.nested(bundle_record_from_json(record)));
  }
  if (out.laboratory) {
    if (in.has("outcomes")) out.outcomes = in.text("outcomes");
    return in.finish(std::move(out));  // nothing of play
  }
  if (in.has("catalogue")) out.catalogue = in.text("catalogue");
  if (in.has("state_before")) {
    if (const json::Value* state = in.object("state_before")) out.state_before = *state;
  }
  if (in.has("certifications")) {
    if (const json::Array* all = in.array("certifications")) {
      in.require(!all->empty() && all->size() <= bundle_certifications_max, "certifications",
                 "1 to 16 are expected");
      for (const json::Value& one : *all)
        out.certifications.push_back(in.nested(certification_from_json(one)));
    }
  }
  return in.finish(std::move(out));
}

}  // namespace talla::certs
