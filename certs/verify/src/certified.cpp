// Judges certifications, and whether they cover what a commitment rested on.
#include "verify/certified.hpp"

#include <algorithm>

#include "chain.hpp"
#include "format/bounds.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

using Errc = CertificationErrc;

/// Which check of a signer failed, in the words of certifications.
Errc errc_of(SignerFault fault) {
  switch (fault) {
    case SignerFault::chain:
      return Errc::certification_untrusted;
    case SignerFault::name:
      return Errc::certification_name;
    case SignerFault::usage:
      return Errc::certification_usage;
    case SignerFault::signature:
      return Errc::certification_signature;
  }
  return Errc::certification_untrusted;
}

Result<Signer> signer_of(const SignedCertification& file, CertificationKind kind,
                         const CertificationHead& head, std::string_view roots) {
  const std::string what = std::string(certification_kind_name(kind)) + " certification " +
                           head.number + " of " + head.issuer;
  if (roots.empty())
    return fail(Errc::certification_untrusted, what + ": no root for such texts was given");
  SignerFault fault = SignerFault::chain;
  const SignedText text{.chain = file.chain,
                        .signature = file.signature,
                        .message = certification_message(file.statement),
                        .uri = certification_uri(kind, head.issuer),
                        .what = what,
                        .form = SignatureForm::pair,
                        .fault = &fault};
  auto signer = verify_signer(text, roots, head.made_us);
  if (signer || signer.error().is(VerifyErrc::bad_root_file)) return signer;
  return fail(errc_of(fault), what + ": " + signer.error().detail);
}

bool lists(const std::vector<Digest>& digests, const Digest& one) {
  return std::ranges::binary_search(digests, one);
}

bool names(const std::vector<std::string>& words, const std::string& one) {
  return std::ranges::binary_search(words, one);
}

/// What counts as noise of a device.
bool credited(const SourceUse& source) {
  const bool physical =
      source.source_class == "raw_physical" || source.source_class == "conditioned_physical";
  return physical && source.millibits > 0;
}

/// The sources of a commitment against what laboratory and inspector have found.
std::optional<Errc> source_objection(const HashSuite& hashes, const TypeCertification& type,
                                     const InstallationCertification& installation,
                                     const Context& context) {
  if (context.uncertified || !context.may_be_certified()) return Errc::certification_uncertified;
  std::vector<const SourceUse*> used;
  for (const SourceUse& source : context.sources) {
    if (credited(source)) used.push_back(&source);
  }
  std::vector<const CertifiedSource*> found;
  for (const SourceUse* use : used) {
    const auto at = std::ranges::find_if(type.sources, [&](const CertifiedSource& one) {
      return one.model == use->model && one.source_class == use->source_class &&
             use->millibits <= one.millibits;
    });
    if (at == type.sources.end()) return Errc::certification_source;
    found.push_back(&*at);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    const bool listed =
        used[i]->documented() &&
        (std::ranges::binary_search(found[i]->assessments, used[i]->assessment_digest) ||
         lists(installation.assessments, used[i]->assessment_digest));
    if (!listed) return Errc::certification_assessment;
  }
  const auto serial_of = [&](const SourceUse& use) {
    return serial_digest(hashes, use.model, use.serial);
  };
  for (const SourceUse* use : used) {
    if (use->serial.empty() || !lists(installation.serials, serial_of(*use)))
      return Errc::certification_serial;
  }
  for (const SourceUse* use : used) {
    if (used.size() > 1 && !lists(installation.independent, serial_of(*use)))
      return Errc::certification_independent;
  }
  return std::nullopt;
}

/// Whether a shoe's table asks at least this of its mixes.
bool reaches(const CertifiedFloor& floor, const CoverQuestion::Shoe& shoe) {
  if (!shoe.policy) return false;
  if (floor.mix == MixRule::round && shoe.policy->mix != MixRule::round) return false;
  return !shoe.covered || shoe.policy->candidates >= floor.candidates;
}

}  // namespace

std::string_view errc_name(CertificationErrc errc) {
  switch (errc) {
    case Errc::certification_missing:
      return "certification_missing";
    case Errc::certification_untrusted:
      return "certification_untrusted";
    case Errc::certification_name:
      return "certification_name";
    case Errc::certification_usage:
      return "certification_usage";
    case Errc::certification_signature:
      return "certification_signature";
    case Errc::certification_nothing:
      return "certification_nothing";
    case Errc::certification_origin:
      return "certification_origin";
    case Errc::certification_key:
      return "certification_key";
    case Errc::certification_type:
      return "certification_type";
    case Errc::certification_record:
      return "certification_record";
    case Errc::certification_development:
      return "certification_development";
    case Errc::certification_unnamed:
      return "certification_unnamed";
    case Errc::certification_late:
      return "certification_late";
    case Errc::certification_clock:
      return "certification_clock";
    case Errc::certification_time:
      return "certification_time";
    case Errc::certification_withdrawn:
      return "certification_withdrawn";
    case Errc::certification_serial_twice:
      return "certification_serial_twice";
    case Errc::certification_manifest:
      return "certification_manifest";
    case Errc::certification_settings:
      return "certification_settings";
    case Errc::certification_format:
      return "certification_format";
    case Errc::certification_catalogue:
      return "certification_catalogue";
    case Errc::certification_uncertified:
      return "certification_uncertified";
    case Errc::certification_source:
      return "certification_source";
    case Errc::certification_assessment:
      return "certification_assessment";
    case Errc::certification_serial:
      return "certification_serial";
    case Errc::certification_independent:
      return "certification_independent";
    case Errc::certification_policy:
      return "certification_policy";
    case Errc::certification_table:
      return "certification_table";
  }
  return "unknown";
}

Status Certifications::add(const SignedCertification& file, const CertificationTrust& trust) {
  TALLA_TRY(const CertificationKind kind, certification_kind_of(file.statement));
  const Digest digest = certification_digest(*hashes_, file.statement);
  const auto keep = [&](auto& into, auto text, std::string_view roots) -> Status {
    auto signer = signer_of(file, kind, text.head, roots);
    if (!signer && signer.error().is(VerifyErrc::bad_root_file)) return pass(std::move(signer));
    if (!signer) {
      faults_.push_back({.kind = kind, .error = signer.error()});
      return {};
    }
    const bool known = std::ranges::any_of(
        into, [&](const auto& one) { return one.digest == digest && one.signer == signer->spki; });
    if (!known)
      into.push_back({.text = std::move(text),
                      .digest = digest,
                      .signer = signer->spki,
                      .development = signer->any_development});
    return {};
  };
  switch (kind) {
    case CertificationKind::type: {
      TALLA_TRY(TypeCertification text, parse_type_certification(file.statement));
      return keep(types_, std::move(text), trust.type_roots);
    }
    case CertificationKind::installation: {
      TALLA_TRY(InstallationCertification text, parse_installation_certification(file.statement));
      return keep(installations_, std::move(text), trust.installation_roots);
    }
    case CertificationKind::withdrawal:
      break;
  }
  return fail(FormatErrc::malformed_certification, "certification: a withdrawal certifies nothing");
}

Status Certifications::add_withdrawal(std::string_view file, const CertificationTrust& trust) {
  TALLA_TRY(const SignedCertification parsed, parse_certification_file(file));
  TALLA_TRY(CertificationWithdrawal text, parse_certification_withdrawal(parsed.statement));
  const std::string_view roots =
      text.of == CertificationKind::type ? trust.type_roots : trust.installation_roots;
  TALLA_TRY([[maybe_unused]] const Signer signer,
            signer_of(parsed, CertificationKind::withdrawal, text.head, roots));
  withdrawals_.push_back(std::move(text));
  return {};
}

Result<Certifications> Certifications::judge(const HashSuite& hashes,
                                             std::span<const SignedCertification> files,
                                             const CertificationTrust& trust,
                                             std::string_view log_roots) {
  for (const std::string_view roots : {trust.type_roots, trust.installation_roots}) {
    TALLA_TRY(const bool shared, share_a_root(roots, log_roots));
    if (shared)
      return fail(VerifyErrc::bad_root_file,
                  "certification roots: a root of the log's own keys certifies nothing");
  }
  Certifications all(hashes);
  for (const SignedCertification& file : files) TALLA_TRY_STATUS(all.add(file, trust));
  for (const std::string& text : trust.more) {
    TALLA_TRY(const SignedCertification file, parse_certification_file(text));
    TALLA_TRY_STATUS(all.add(file, trust));
  }
  for (const std::string& text : trust.withdrawals)
    TALLA_TRY_STATUS(all.add_withdrawal(text, trust));
  return all;
}

template <class Text>
bool Certifications::withdrawn(const Good<Text>& text, CertificationKind kind,
                               std::int64_t time_us) const {
  return std::ranges::any_of(withdrawals_, [&](const CertificationWithdrawal& one) {
    if (one.of != kind || one.head.issuer != text.text.head.issuer) return false;
    switch (one.reason) {
      case WithdrawalReason::superseded:
        return one.certification == text.digest && time_us >= one.from_us;
      case WithdrawalReason::wrong:
        return one.certification == text.digest;
      case WithdrawalReason::stolen:
        break;
    }
    return one.key == text.signer && !lists(one.counts, text.digest);
  });
}

bool Certifications::serial_twice(const Good<InstallationCertification>& own,
                                  std::int64_t time_us) const {
  return std::ranges::any_of(installations_, [&](const Good<InstallationCertification>& other) {
    if (other.text.origin == own.text.origin || !other.text.term.holds(time_us)) return false;
    if (withdrawn(other, CertificationKind::installation, time_us)) return false;
    return std::ranges::any_of(
        other.text.serials, [&](const Digest& serial) { return lists(own.text.serials, serial); });
  });
}

std::optional<Errc> Certifications::objection(const Good<TypeCertification>& type,
                                              const Good<InstallationCertification>& installation,
                                              const CoverQuestion& question) const {
  const TypeCertification& of_type = type.text;
  const InstallationCertification& here = installation.text;
  if (here.origin != question.origin) return Errc::certification_origin;
  if (std::ranges::find(question.log_keys, here.log_key) == question.log_keys.end())
    return Errc::certification_key;
  if (!lists(here.types, type.digest)) return Errc::certification_type;
  if (!question.start) return Errc::certification_record;
  const CoverQuestion::Start& start = *question.start;
  if (question.development || !start.config.production || type.development ||
      installation.development)
    return Errc::certification_development;
  const auto& named = start.config.certifications;
  if (std::ranges::find(named, type.digest) == named.end() ||
      std::ranges::find(named, installation.digest) == named.end())
    return Errc::certification_unnamed;
  if (of_type.head.made_us > start.config_us || here.head.made_us > start.config_us)
    return Errc::certification_late;
  if (question.time_quality == TimeQuality::unset) return Errc::certification_clock;
  if (!of_type.term.holds(question.time_us) || !here.term.holds(question.time_us))
    return Errc::certification_time;
  if (withdrawn(type, CertificationKind::type, question.time_us) ||
      withdrawn(installation, CertificationKind::installation, question.time_us))
    return Errc::certification_withdrawn;
  if (serial_twice(installation, question.time_us)) return Errc::certification_serial_twice;
  if (!start.manifest || !lists(of_type.manifests, *start.manifest) ||
      !lists(here.manifests, *start.manifest))
    return Errc::certification_manifest;
  if (!start.config.settings || !lists(here.settings, *start.config.settings))
    return Errc::certification_settings;
  const Context& context = *question.context;
  if (std::ranges::find(of_type.formats, format_version) == of_type.formats.end() ||
      !names(of_type.mappings, context.mapping))
    return Errc::certification_format;
  if (!question.any_catalogue && !lists(of_type.catalogues, context.catalogue))
    return Errc::certification_catalogue;
  if (const auto why = source_objection(*hashes_, of_type, here, context)) return why;
  if (!names(of_type.rollback, context.rollback_protection) ||
      !names(of_type.sealing, context.sealing))
    return Errc::certification_policy;
  if (question.shoe && !reaches(of_type.policy, *question.shoe)) return Errc::certification_table;
  return std::nullopt;
}

Error Certifications::absent(CertificationKind kind) const {
  const Fault* furthest = nullptr;
  for (const Fault& fault : faults_) {
    if (fault.kind == kind && (furthest == nullptr || fault.error.number > furthest->error.number))
      furthest = &fault;
  }
  if (furthest != nullptr) return furthest->error;
  return {Errc::certification_missing,
          "no " + std::string(certification_kind_name(kind)) + " certification is there"};
}

Result<CoveredBy> Certifications::covers(const CoverQuestion& question) const {
  if (types_.empty()) return tl::unexpected<Error>(absent(CertificationKind::type));
  if (installations_.empty()) return tl::unexpected<Error>(absent(CertificationKind::installation));
  auto furthest = Errc::certification_missing;
  for (const auto& installation : installations_) {
    for (const auto& type : types_) {
      const auto why = objection(type, installation, question);
      if (!why) return CoveredBy{type.text.head, installation.text.head};
      furthest = std::max(furthest, *why);
    }
  }
  return fail(furthest, "not covered");
}

std::vector<Digest> Certifications::digests() const {
  std::vector<Digest> all;
  for (const auto& one : types_) all.push_back(one.digest);
  for (const auto& one : installations_) all.push_back(one.digest);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<std::int64_t> Certifications::next_change(std::int64_t time_us) const {
  std::optional<std::int64_t> next;
  const auto take = [&](std::int64_t at) {
    if (at > time_us && (!next || at < *next)) next = at;
  };
  const auto take_term = [&](const CertificationTerm& term) {
    take(term.from_us);
    take(term.until_us);
  };
  for (const auto& one : types_) take_term(one.text.term);
  for (const auto& one : installations_) take_term(one.text.term);
  for (const auto& one : withdrawals_) take(one.from_us);
  return next;
}

}  // namespace talla::certs
