// The three texts of talla-lab certify, from options to signed file.
#include <algorithm>
#include <charconv>
#include <memory>

#include "certify.hpp"
#include "certs/certification.hpp"
#include "certs/files.hpp"
#include "config/certified_settings.hpp"
#include "format/bounds.hpp"
#include "format/key_change.hpp"
#include "format/log_key.hpp"

namespace talla::lab {
namespace {

struct TypeOptions {
  CertifyOptions common;
  std::vector<std::string> manifests;
  std::vector<std::string> catalogues;
  bool without_catalogue = false;
  std::vector<std::string> sources;
  std::vector<std::string> assessments;
  std::vector<std::string> rollback;
  std::vector<std::string> sealing;
  std::string mix = "shoe";
  std::uint32_t candidates = 1;
};

std::vector<std::string> ordered(std::vector<std::string> words) {
  std::ranges::sort(words);
  const auto twice = std::ranges::unique(words);
  words.erase(twice.begin(), twice.end());
  return words;
}

/// MODEL:CLASS:MILLIBITS.
Result<certs::CertifiedSource> source_of(const std::string& given) {
  certs::CertifiedSource source;
  const std::size_t last = given.rfind(':');
  const std::size_t first = last == std::string::npos ? last : given.rfind(':', last - 1);
  if (first != std::string::npos && first > 0) {
    const char* end = given.data() + given.size();
    const auto parsed = std::from_chars(given.data() + last + 1, end, source.millibits);
    source.model = given.substr(0, first);
    source.source_class = given.substr(first + 1, last - first - 1);
    if (parsed.ec == std::errc{} && parsed.ptr == end && source.millibits > 0) return source;
  }
  return fail(CertifyErrc::certify_refused, "--source " + given +
                                                ": MODEL:CLASS:MILLIBITS is expected, as in "
                                                "chaoskey:raw_physical:6000");
}

Status certify_type(const App& app, const TypeOptions& options) {
  certs::TypeCertification text;
  TALLA_TRY(text.head, head_of(options.common));
  TALLA_TRY(text.term, term_of(options.common));
  TALLA_TRY(text.manifests, digests_of(options.manifests, manifest_digest));
  TALLA_TRY(text.catalogues, digests_of(options.catalogues, file_sha256));
  if (options.without_catalogue && !std::ranges::binary_search(text.catalogues, Digest{}))
    text.catalogues.insert(text.catalogues.begin(), Digest{});
  TALLA_TRY(const auto assessments, digests_of(options.assessments, file_sha256));
  for (const std::string& one : options.sources) {
    TALLA_TRY(certs::CertifiedSource source, source_of(one));
    source.assessments = assessments;
    text.sources.push_back(std::move(source));
  }
  text.formats = {certs::format_version};
  text.mappings = {"talla-map-v1"};
  text.rollback = ordered(options.rollback);
  text.sealing = ordered(options.sealing);
  text.policy.mix = options.mix == "round" ? certs::MixRule::round : certs::MixRule::shoe;
  text.policy.candidates = options.candidates;
  return sign_and_write(app, options.common, certs::format_certification(text));
}

struct InstallationOptions {
  CertifyOptions common;
  std::vector<std::string> types;
  std::string log_key;
  std::vector<std::string> serials;
  std::vector<std::string> independent;
  std::vector<std::string> assessments;
  std::vector<std::string> manifests;
  std::vector<std::string> settings;
  std::vector<std::string> issued;
};

Result<certs::LogKeyStatement> log_key_in(const std::string& path) {
  TALLA_TRY(const std::string text, certs::read_file(path));
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  if (value.find("type") != nullptr) {
    TALLA_TRY(const certs::LogKeys keys, certs::parse_log_keys(text));
    return certs::parse_statement(keys.log_key.statement);
  }
  TALLA_TRY(const certs::LogKey key, certs::LogKey::from_json(value));
  return certs::parse_statement(key.statement);
}

Result<Digest> settings_of(const std::string& path) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(path));
  return certs::settings_digest(certs::OpensslHashes(), rngd::certified_settings(config));
}

/// One device stands in one house: what was issued for another log and is not over must not name
/// it.
Status check_alone(const certs::InstallationCertification& text,
                   const std::vector<std::string>& issued) {
  TALLA_TRY(const auto files, certifications_in(issued));
  std::vector<Digest> withdrawn;
  for (const auto& file : files) {
    TALLA_TRY(const auto kind, certs::certification_kind_of(file.statement));
    if (kind != certs::CertificationKind::withdrawal) continue;
    TALLA_TRY(const auto one, certs::parse_certification_withdrawal(file.statement));
    const bool ended =
        one.reason == certs::WithdrawalReason::wrong ||
        (one.reason == certs::WithdrawalReason::superseded && one.from_us <= text.term.from_us);
    if (ended) withdrawn.push_back(one.certification);
  }
  for (const auto& file : files) {
    TALLA_TRY(const auto kind, certs::certification_kind_of(file.statement));
    if (kind != certs::CertificationKind::installation) continue;
    TALLA_TRY(const auto other, certs::parse_installation_certification(file.statement));
    const Digest digest = certs::certification_digest(certs::OpensslHashes(), file.statement);
    const bool over = other.term.until_us <= text.term.from_us ||
                      text.term.until_us <= other.term.from_us ||
                      std::ranges::find(withdrawn, digest) != withdrawn.end();
    if (over || other.origin == text.origin) continue;
    for (const Digest& serial : other.serials) {
      if (std::ranges::binary_search(text.serials, serial))
        return fail(CertifyErrc::certify_refused,
                    "a device of this installation is certified as that of " + other.origin + " (" +
                        other.head.number + "): withdraw that first");
    }
  }
  return {};
}

Status certify_installation(const App& app, const InstallationOptions& options) {
  certs::InstallationCertification text;
  TALLA_TRY(text.head, head_of(options.common));
  TALLA_TRY(text.term, term_of(options.common));
  TALLA_TRY(text.types, digests_of(options.types, text_digest));
  TALLA_TRY(const certs::LogKeyStatement key, log_key_in(options.log_key));
  text.origin = key.origin;
  text.log_key = key.public_key;
  TALLA_TRY(text.serials, digests_of(options.serials, device_digest));
  TALLA_TRY(text.independent, digests_of(options.independent, device_digest));
  TALLA_TRY(text.assessments, digests_of(options.assessments, file_sha256));
  TALLA_TRY(text.manifests, digests_of(options.manifests, manifest_digest));
  TALLA_TRY(text.settings, digests_of(options.settings, settings_of));
  TALLA_TRY_STATUS(check_alone(text, options.issued));
  return sign_and_write(app, options.common, certs::format_certification(text));
}

struct WithdrawOptions {
  CertifyOptions common;
  std::string certification;
  std::string reason;
  std::string from;
  std::string of;
  std::string stolen;
  std::vector<std::string> counts;
};

Status withdraw(const App& app, const WithdrawOptions& options) {
  certs::CertificationWithdrawal text;
  TALLA_TRY(text.head, head_of(options.common));
  text.reason = options.reason == "superseded" ? certs::WithdrawalReason::superseded
                : options.reason == "false"    ? certs::WithdrawalReason::wrong
                                               : certs::WithdrawalReason::stolen;
  if (text.reason == certs::WithdrawalReason::stolen) {
    if (options.stolen.empty() || options.of.empty() || !options.certification.empty())
      return fail(
          CertifyErrc::certify_refused,
          "stolen needs --of, --stolen CERTIFICATE and the texts that still count, --counts");
    text.of = options.of == "type" ? certs::CertificationKind::type
                                   : certs::CertificationKind::installation;
    TALLA_TRY(text.key, certs::certificate_spki(options.stolen));
    TALLA_TRY(text.counts, digests_of(options.counts, text_digest));
    return sign_and_write(app, options.common, certs::format_certification(text));
  }
  if (options.certification.empty())
    return fail(CertifyErrc::certify_refused, "--certification FILE is missing");
  TALLA_TRY(const auto files, certifications_in({options.certification}));
  TALLA_TRY(text.of, certs::certification_kind_of(files.front().statement));
  if (text.of == certs::CertificationKind::withdrawal)
    return fail(CertifyErrc::certify_refused,
                options.certification + ": is a withdrawal, which stands for good");
  text.certification = certs::certification_digest(certs::OpensslHashes(), files.front().statement);
  text.from_us = text.head.made_us;
  if (!options.from.empty()) {
    TALLA_TRY(text.from_us, day_us("--from", options.from));
  }
  return sign_and_write(app, options.common, certs::format_certification(text));
}

}  // namespace

void add_certify_type(commandline::Command& certify, App& app) {
  auto options = std::make_shared<TypeOptions>();
  auto& command = *certify.add_subcommand(
      "type", "a laboratory: software, rules and sources that were examined and belong together");
  add_certify_options(command, options->common);
  add_term_options(command, options->common);
  command
      .add_option("--manifest", options->manifests,
                  "signed manifest of the software (talla software), or its digest")
      ->required();
  command.add_option("--catalogue", options->catalogues, "catalogue file, or its digest");
  command.add_flag("--without-catalogue", options->without_catalogue,
                   "tables without a catalogue are covered too");
  command
      .add_option("--source", options->sources,
                  "MODEL:CLASS:MILLIBITS: the greatest figure a sample may be credited with")
      ->required();
  command.add_option("--assessment", options->assessments,
                     "document behind these figures, or its SHA-256; without one each installation "
                     "names the report on its units");
  command
      .add_option("--rollback", options->rollback,
                  "what may keep older ledgers out: local, tpm, hsm, witness")
      ->required();
  command
      .add_option("--sealing", options->sealing,
                  "where the sealing key may be: file, credential, tpm, hsm, passphrase")
      ->required();
  command
      .add_option("--mix", options->mix,
                  "how often tables must mix a shoe at least: once (shoe), or behind the bets of "
                  "each round (round)")
      ->one_of({"shoe", "round"});
  command.add_option("--candidates", options->candidates,
                     "out of how many roots the first mix of a covered shoe must pick at least");
  command.callback([&app, options] { finish(app, certify_type(app, *options)); });
}

void add_certify_installation(commandline::Command& certify, App& app) {
  auto options = std::make_shared<InstallationOptions>();
  auto& command = *certify.add_subcommand(
      "installation", "a regulator or inspector: one appliance, in one house, of certified types");
  add_certify_options(command, options->common);
  add_term_options(command, options->common);
  command.add_option("--type", options->types, "type certification, or the digest of its text")
      ->required();
  command
      .add_option("--log-key", options->log_key,
                  "log-key.json of the appliance, which names origin and key")
      ->required();
  command.add_option("--serial", options->serials, "MODEL:SERIAL of each device that was found")
      ->required();
  command.add_option("--independent", options->independent,
                     "MODEL:SERIAL of devices whose entropy adds up; some of --serial");
  command.add_option("--assessment", options->assessments,
                     "report on one of these units, or its SHA-256");
  command
      .add_option("--manifest", options->manifests,
                  "signed manifest of the software that is installed, or its digest")
      ->required();
  command
      .add_option("--settings", options->settings,
                  "configuration of the appliance (rngd.toml), or the digest of its settings")
      ->required();
  command.add_option("--issued", options->issued,
                     "what was certified and withdrawn so far, files or folders: a device is "
                     "certified in one house alone");
  command.callback([&app, options] { finish(app, certify_installation(app, *options)); });
}

void add_certify_withdraw(commandline::Command& certify, App& app) {
  auto options = std::make_shared<WithdrawOptions>();
  auto& command = *certify.add_subcommand(
      "withdraw", "the issuer takes back a certification, or what a stolen key has signed");
  add_certify_options(command, options->common);
  command.add_option("--certification", options->certification, "the file that counts no more");
  command
      .add_option("--reason", options->reason,
                  "superseded (from a day on), false (it never counted), stolen (the key)")
      ->required()
      ->one_of({"superseded", "false", "stolen"});
  command.add_option("--from", options->from, "superseded: from this day on, UTC (default: now)");
  command.add_option("--of", options->of, "stolen: type or installation")
      ->one_of({"type", "installation"});
  command.add_option("--stolen", options->stolen, "stolen: certificate of the key, PEM");
  command.add_option("--counts", options->counts,
                     "stolen: certifications under that key that still count");
  command.callback([&app, options] { finish(app, withdraw(app, *options)); });
}

}  // namespace talla::lab
