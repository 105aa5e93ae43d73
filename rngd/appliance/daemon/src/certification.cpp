// Keeps the certifications of this appliance and says whether they cover it.
#include "certification.hpp"

#include <algorithm>
#include <filesystem>

#include "certs/files.hpp"
#include "format/bounds.hpp"
#include "log.hpp"

namespace talla::rngd {
namespace {

/// Every `.json` of the folder, in order of their names.
Result<std::vector<std::string>> files_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == ".json") names.push_back(at->path().string());
  if (error)
    return fail(ConfigErrc::bad_configuration,
                "certification.folder: " + folder + " cannot be read: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Result<std::shared_ptr<const CertificationKeeper::Read>> CertificationKeeper::read() const {
  TALLA_TRY(const std::string type_roots, certs::read_file(config_.certification.type_root));
  TALLA_TRY(const std::string installation_roots,
            certs::read_file(config_.certification.installation_root));
  TALLA_TRY(const std::string log_roots, certs::read_file(config_.api.client_roots));
  TALLA_TRY(const auto names, files_of(config_.certification.folder));
  std::vector<certs::SignedCertification> files;
  std::vector<std::string> withdrawals;
  std::vector<core::KeptCertification> kept;
  for (const std::string& name : names) {
    TALLA_TRY(std::string text, certs::read_file(name));
    auto file = certs::parse_certification_file(text);
    if (!file) return fail(ConfigErrc::bad_configuration, name + ": " + file.error().detail);
    TALLA_TRY(const auto kind, certs::certification_kind_of(file->statement));
    if (kind == certs::CertificationKind::withdrawal) {
      withdrawals.push_back(std::move(text));
      continue;
    }
    kept.push_back(
        {.digest = certs::certification_digest(hashes_, file->statement), .file = std::move(text)});
    files.push_back(std::move(*file));
  }
  const certs::CertificationTrust trust{.type_roots = type_roots,
                                        .installation_roots = installation_roots,
                                        .more = {},
                                        .withdrawals = withdrawals};
  TALLA_TRY(certs::Certifications judged,
            certs::Certifications::judge(hashes_, files, trust, log_roots));
  for (const auto& fault : judged.faults())
    log(Level::warning, "certification_refused", {{"reason", fault.error.text()}});
  // What does not hold is shown to nobody.
  const auto good = judged.digests();
  std::erase_if(kept, [&](const core::KeptCertification& one) {
    return !std::ranges::binary_search(good, one.digest);
  });
  std::ranges::sort(kept, {}, &core::KeptCertification::digest);
  const auto twice = std::ranges::unique(kept, {}, &core::KeptCertification::digest);
  kept.erase(twice.begin(), twice.end());
  if (kept.size() > certs::bundle_certifications_max)
    return fail(ConfigErrc::bad_configuration,
                config_.certification.folder +
                    ": more than 16 certifications; take out those that "
                    "are over");
  return std::make_shared<const Read>(Read{std::move(judged), std::move(kept)});
}

Result<std::unique_ptr<CertificationKeeper>> CertificationKeeper::open(
    const Config& config, const HashSuite& hashes, const std::vector<certs::LogKey>& keys) {
  std::unique_ptr<CertificationKeeper> keeper(new CertificationKeeper(config, hashes));
  for (const certs::LogKey& key : keys) {
    TALLA_TRY(const auto statement, certs::parse_statement(key.statement));
    keeper->log_keys_.push_back(statement.public_key);
    keeper->development_ = keeper->development_ || statement.development;
  }
  if (!config.certification.folder.empty()) TALLA_TRY_STATUS(keeper->reload());
  return keeper;
}

Status CertificationKeeper::reload() {
  if (config_.certification.folder.empty()) return {};
  TALLA_TRY(auto fresh, read());
  for (const auto& kept : fresh->kept)
    log(Level::notice, "certification", {{"digest", to_hex(kept.digest)}});
  const std::lock_guard guard(lock_);
  read_ = std::move(fresh);
  changed_ = true;
  return {};
}

std::shared_ptr<const CertificationKeeper::Read> CertificationKeeper::now() const {
  const std::lock_guard guard(lock_);
  return read_;
}

std::vector<core::KeptCertification> CertificationKeeper::kept() const {
  const auto read = now();
  return read ? read->kept : std::vector<core::KeptCertification>();
}

bool CertificationKeeper::changed() {
  const std::lock_guard guard(lock_);
  return std::exchange(changed_, false);
}

std::optional<std::string> CertificationKeeper::objection(
    const core::CertificationQuestion& question) const {
  const auto read = now();
  certs::CoverQuestion asked;
  asked.origin = config_.origin;
  asked.log_keys = log_keys_;
  asked.development = development_;
  asked.context = &question.context;
  asked.any_catalogue = question.any_catalogue;
  if (question.policy)
    asked.shoe = certs::CoverQuestion::Shoe{.policy = question.policy, .covered = question.covered};
  asked.start = certs::CoverQuestion::Start{};
  asked.start->config.production = question.production;
  asked.start->config.settings = question.settings;
  asked.start->config_us = question.config_us;
  asked.start->manifest = question.manifest;
  asked.time_us = question.now_us;
  asked.time_quality = question.time_quality;
  if (!read) return std::string(errc_name(certs::CertificationErrc::certification_missing));
  for (const auto& one : read->kept) asked.start->config.certifications.push_back(one.digest);
  const auto covered = read->judged.covers(asked);
  if (covered) return std::nullopt;
  return std::string(covered.error().code);
}

}  // namespace talla::rngd
