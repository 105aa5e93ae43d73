// The last step for a bundle: whether certifications cover each of its commitments.
#include "certified_steps.hpp"

#include <algorithm>

#include "format/body_shoe.hpp"
#include "verify/notes.hpp"

namespace talla::certs {
namespace {

/// The context of a commitment; nothing for another kind.
Result<std::optional<Context>> context_of(const Record& record) {
  std::optional<Context> none;
  if (record.kind != Kind::shoe_commit && record.kind != Kind::shoe_recommit &&
      record.kind != Kind::batch_commit)
    return none;
  const json::Value* member = record.body.find("context");
  if (member == nullptr) return none;
  TALLA_TRY(Context context, Context::from_json(*member));
  return std::optional(std::move(context));
}

/// The one record of a kind among those that a commitment cites; nullptr for none or two.
const Record* cited(const Evidence& evidence, const Record& commitment, Kind kind) {
  const Record* found = nullptr;
  for (const std::uint64_t seq : commitment.cites) {
    const Record* one = evidence.find(seq);
    if (one == nullptr || one->kind != kind) continue;
    if (found != nullptr) return nullptr;
    found = one;
  }
  return found;
}

/// CONFIG and SOFTWARE of the same start, of the digests that the context names.
std::optional<CoverQuestion::Start> start_of(const Evidence& evidence, const Record& commitment,
                                             const Context& context) {
  const Record* config = cited(evidence, commitment, Kind::config);
  const Record* software = cited(evidence, commitment, Kind::software);
  if (config == nullptr || software == nullptr || config->boot != commitment.boot ||
      software->boot != commitment.boot)
    return std::nullopt;
  auto body = ConfigBody::from_json(config->body);
  const auto program = SoftwareBody::from_json(software->body);
  if (!body || !program || body->digest != context.config || program->digest != context.software)
    return std::nullopt;
  return CoverQuestion::Start{
      .config = std::move(*body), .config_us = config->time_us, .manifest = program->manifest};
}

/// What the floor of a type is held against; nothing for a batch of draws.
std::optional<CoverQuestion::Shoe> shoe_of(const Evidence& evidence, const Record& commitment) {
  if (commitment.kind == Kind::batch_commit) return std::nullopt;
  CoverQuestion::Shoe shoe;
  const Record* table = evidence.table_record;
  if (table != nullptr && commitment.table == table->object) shoe.policy = evidence.table.policy;
  const json::Value* disclosure = commitment.body.find("disclosure");
  shoe.covered = disclosure != nullptr && *disclosure == json::Value("covered");
  return shoe;
}

void refuse_certified(Evidence& evidence, const Error& why, const std::string& where) {
  evidence.verdict.certification = why.code;
  evidence.not_checked(Note::certification_refused,
                       {{"code", std::string(why.code)}, {"where", where}});
  evidence.not_checked(Note::as_stated);
}

}  // namespace

Status check_certified(Evidence& evidence, const std::vector<KeyEpoch>& keys,
                       std::string_view log_roots, const VerifyOptions& options) {
  evidence.certified = false;
  if (!options.certification.asked()) {
    evidence.not_checked(Note::certification_not_asked);
    evidence.not_checked(Note::as_stated);
    return {};
  }
  TALLA_TRY(const Certifications all,
            Certifications::judge(evidence.hashes, evidence.bundle.certifications,
                                  options.certification, log_roots));
  CoverQuestion question;
  question.origin = evidence.claim->origin;
  question.development = evidence.verdict.development;
  for (const KeyEpoch& key : keys) question.log_keys.push_back(key.statement.public_key);
  std::optional<CoveredBy> by;
  for (const Record& record : evidence.records) {
    TALLA_TRY(const auto context, context_of(record));
    if (!context) continue;
    question.context = &*context;
    question.shoe = shoe_of(evidence, record);
    question.start = start_of(evidence, record, *context);
    question.time_us = record.time_us;
    question.time_quality = record.time_quality;
    auto covered = all.covers(question);
    if (!covered) {
      refuse_certified(evidence, covered.error(), name_of(record));
      return {};
    }
    by = std::move(*covered);
  }
  if (!by) {
    refuse_certified(evidence,
                     {CertificationErrc::certification_nothing, "no commitment is in the file"},
                     name_of(*evidence.claim));
    return {};
  }
  evidence.certified = true;
  evidence.checked(Note::certified, {{"type", by->type.number},
                                     {"laboratory", by->type.issuer},
                                     {"installation", by->installation.number},
                                     {"regulator", by->installation.issuer}});
  if (options.certification.withdrawals.empty()) evidence.not_checked(Note::withdrawals);
  evidence.not_checked(Note::software_as_stated);
  return {};
}

}  // namespace talla::certs
