#include "software_watch.hpp"

#include <algorithm>

#include "certs/files.hpp"
#include "software/running.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::rngd {
namespace {

using software::FileKind;
using software::Finding;

constexpr std::size_t waiting_max = 8;
constexpr std::size_t named_max = 4;

Status refuse(const std::vector<Finding>& findings) {
  if (findings.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), named_max); ++i)
    text += (i == 0 ? "" : ", ") + findings[i].path + " (" + findings[i].what + ")";
  if (findings.size() > named_max)
    text += " and " + std::to_string(findings.size() - named_max) + " more";
  return fail(software::Errc::mismatch, "not as the manifest says: " + text);
}

}  // namespace

Result<std::unique_ptr<SoftwareWatch>> SoftwareWatch::create(SoftwareOptions options,
                                                             const HashSuite& hashes,
                                                             Clock& clock) {
  std::unique_ptr<SoftwareWatch> watch(new SoftwareWatch(std::move(options), hashes, clock));
  if (watch->options_.manifest.empty()) return watch;
  TALLA_TRY_STATUS(watch->open());
  return watch;
}

SoftwareWatch::~SoftwareWatch() {
  stop();
}

Status SoftwareWatch::open() {
  TALLA_TRY(note_, certs::read_file(options_.manifest));
  std::vector<certs::VerifierKey> keys;
  for (const auto& text : options_.signers) {
    TALLA_TRY(auto key, certs::parse_verifier_key(hashes_, text));
    keys.push_back(std::move(key));
  }
  TALLA_TRY(signed_, software::open_manifest(hashes_, certs::BotanEd25519(), note_, keys));
  if (signed_->manifest.version != options_.version) {
    return fail(software::Errc::mismatch, options_.manifest + ": is of version " +
                                              signed_->manifest.version + ", this is " +
                                              options_.version);
  }
  TALLA_TRY_STATUS(refuse(must_be_listed()));
  TALLA_TRY_STATUS(refuse(check({}).findings));
  const std::scoped_lock lock(mutex_);
  checked_us_ = clock_.utc_us();
  finished_.push_back({.files = signed_->manifest.files.size()});
  ++checks_["start"];
  return {};
}

std::vector<Finding> SoftwareWatch::must_be_listed() const {
  std::vector<Finding> findings;
  const auto& manifest = signed_->manifest;
  for (const auto& program : options_.programs) {
    const auto* file = manifest.find(program);
    if (file == nullptr || file->kind != FileKind::program)
      findings.push_back({program, software::found_not_listed});
  }
  for (const auto& [id, digest] : options_.catalogues) {
    const bool listed =
        std::ranges::any_of(manifest.files, [&](const software::ManifestFile& file) {
          return file.kind == FileKind::catalogue && file.sha256 == digest;
        });
    if (!listed) findings.push_back({"catalogue " + id, software::found_not_listed});
  }
  return findings;
}

Status SoftwareWatch::check_running() const {
  if (!signed_) return {};
  TALLA_TRY(const auto mapped, software::mapped_code());
  TALLA_TRY_STATUS(refuse(software::compare_mapped(signed_->manifest, mapped)));
  return refuse(software::compare_memory());
}

/// Files alone before the thread runs; with it the running code too.
software::CheckReport SoftwareWatch::check(ByteView nonce) {
  const auto go_on = [this, nonce] {
    std::unique_lock lock(mutex_);
    if (running_ && nonce.empty() && asked_.empty())
      wake_.wait_for(lock, options_.pause, [this] { return stopping_ || !asked_.empty(); });
    return !stopping_;
  };
  auto report =
      software::check_files(hashes_, *signed_, {.root = {}, .nonce = nonce, .go_on = go_on});
  if (!report.whole || !thread_.joinable()) return report;
  auto add = [&report](std::vector<Finding> more) {
    report.findings.insert(report.findings.end(), more.begin(), more.end());
  };
  if (const auto mapped = software::mapped_code()) {
    add(software::compare_mapped(signed_->manifest, *mapped));
  } else {
    add({{"/proc/self/maps", software::found_unreadable}});
  }
  add(software::compare_memory());
  return report;
}

void SoftwareWatch::start(std::function<void(const std::vector<Finding>&)> changed) {
  if (!signed_) return;
  changed_ = std::move(changed);
  const std::scoped_lock lock(mutex_);
  running_ = true;
  thread_ = std::thread([this] { run(); });
}

void SoftwareWatch::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SoftwareWatch::run() {
  auto due = std::chrono::steady_clock::now() + options_.between;
  for (;;) {
    Asked asked;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, due, [this] { return stopping_ || !asked_.empty(); });
      if (stopping_) {
        for (auto& one : std::exchange(asked_, {}))
          finished_.push_back({.cut_short = true, .respond = std::move(one.respond)});
        return;
      }
      if (!asked_.empty()) {
        asked = std::move(asked_.front());
        asked_.pop_front();
      }
    }
    if (asked.nonce.empty()) due = std::chrono::steady_clock::now() + options_.between;
    const auto report = check(asked.nonce);
    if (report.whole) {
      finish(report, std::move(asked));
    } else if (asked.respond) {
      const std::scoped_lock lock(mutex_);
      finished_.push_back({.cut_short = true, .respond = std::move(asked.respond)});
    }
  }
}

void SoftwareWatch::finish(const software::CheckReport& report, Asked asked) {
  core::SoftwareCheck done{.files = report.files.size(), .answer = report.answer};
  for (const auto& one : report.findings) done.findings.push_back({one.path, one.what});
  if (asked.respond) {
    done.reply = challenge_reply(report, asked);
    done.client = asked.client;
    done.respond = std::move(asked.respond);
  }
  if (!report.findings.empty() && changed_) changed_(report.findings);
  const std::scoped_lock lock(mutex_);
  findings_ = report.findings;
  checked_us_ = clock_.utc_us();
  ++checks_[done.client ? "challenge" : "timer"];
  if (!report.findings.empty()) ++mismatches_;
  finished_.push_back(std::move(done));
}

json::Object SoftwareWatch::challenge_reply(const software::CheckReport& report,
                                            const Asked& asked) const {
  json::Array files;
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const auto& file = signed_->manifest.files[i];
    files.emplace_back(json::Object{{"path", file.path},
                                    {"kind", software::kind_name(file.kind)},
                                    {"sha256", to_hex(report.files[i].sha256)},
                                    {"answer", to_hex(report.files[i].answer)}});
  }
  return {{"challenge", json::Object{{"nonce", to_hex(asked.nonce)},
                                     {"manifest", to_hex(signed_->digest)},
                                     {"version", signed_->manifest.version},
                                     {"build", signed_->manifest.build},
                                     {"result", report.findings.empty() ? "good" : "mismatch"},
                                     {"answer", to_hex(report.answer)},
                                     {"time", clock_.utc_us()},
                                     {"files", std::move(files)},
                                     {"findings", software::finding_list(report.findings)}}}};
}

std::optional<Digest> SoftwareWatch::manifest() const {
  return signed_ ? std::optional(signed_->digest) : std::nullopt;
}

std::vector<core::SoftwareCheck> SoftwareWatch::take_checks() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(finished_, {});
}

bool SoftwareWatch::challenge(const core::Client& client, const Bytes& nonce,
                              core::Answer& respond) {
  {
    const std::scoped_lock lock(mutex_);
    if (!running_ || stopping_ || asked_.size() >= waiting_max) return false;
    asked_.push_back({client, nonce, std::move(respond)});
  }
  wake_.notify_all();
  return true;
}

json::Object SoftwareWatch::status() const {
  if (!signed_) return {{"state", "unsigned"}};
  json::Array signers;
  for (const auto& name : signed_->signers) signers.emplace_back(name);
  const std::scoped_lock lock(mutex_);
  return {{"state", findings_.empty() ? "signed" : "mismatch"},
          {"manifest", to_hex(signed_->digest)},
          {"version", signed_->manifest.version},
          {"build", signed_->manifest.build},
          {"signers", std::move(signers)},
          {"files", signed_->manifest.files.size()},
          {"checked", checked_us_},
          {"findings", software::finding_list(findings_)}};
}

void SoftwareWatch::add_metrics(std::map<std::string, double>& counters,
                                std::map<std::string, double>& gauges) const {
  gauges["talla_software_signed"] = signed_ ? 1.0 : 0.0;
  if (!signed_) return;
  const std::scoped_lock lock(mutex_);
  gauges["talla_software_mismatch"] = findings_.empty() ? 0.0 : 1.0;
  gauges["talla_software_files"] = static_cast<double>(signed_->manifest.files.size());
  gauges["talla_software_checked_seconds"] = static_cast<double>(checked_us_) / 1e6;
  counters["talla_software_mismatches_total"] = mismatches_;
  for (const char* cause : {"start", "timer", "challenge"}) {
    const auto found = checks_.find(cause);
    counters[std::string("talla_software_checks_total{cause=\"") + cause + "\"}"] =
        found == checks_.end() ? 0.0 : found->second;
  }
}

}  // namespace talla::rngd
