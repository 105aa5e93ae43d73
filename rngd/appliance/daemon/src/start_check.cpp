// What `rngd --check` looks at beyond the configuration's text.
#include "start_check.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/clock.hpp"
#include "certification.hpp"
#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/secret_source.hpp"
#include "certs/succession.hpp"
#include "config/enrolment.hpp"
#include "format/log_key.hpp"
#include "http/tls_check.hpp"
#include "log_end.hpp"
#include "software_setup.hpp"
#include "start_settings.hpp"
#include "witness/anchor_choice.hpp"

namespace talla::rngd {

namespace {

constexpr std::string_view credentials_folder = "/run/credentials/";

/// A key that the unit's LoadCredential= brings, and has not brought yet.
bool comes_later(const std::string& source) {
  if (certs::is_credential(source))
    return std::getenv("CREDENTIALS_DIRECTORY") == nullptr;  // NOLINT(*-mt-unsafe): never written
  if (!source.starts_with(credentials_folder)) return false;
  std::error_code error;
  return !std::filesystem::exists(std::filesystem::path(source).parent_path(), error);
}

class StartLook {
 public:
  explicit StartLook(const Config& config) : config_(config) {}

  StartCheck all() {
    if (!config_.software.manifest.empty() || config_.profile == Profile::production)
      look("software.manifest", software());
    keys();
    interface();
    look("data", folder(config_.data_folder));
    if (!config_.tiles_folder.empty()) look("tiles", folder(config_.tiles_folder));
    anchor();
    certification();
    ended();
    return std::move(found_);
  }

 private:
  void look(const std::string& setting, const Status& how) {
    if (how) {
      found_.good.push_back(setting);
    } else {
      found_.wrong.push_back({setting, how.error().text()});
    }
  }
  /// True: it is not there yet, and that is said.
  bool later(const std::string& setting, const std::string& source) {
    if (!comes_later(source)) return false;
    found_.later.push_back({setting, source + " is handed over by the service manager"});
    return true;
  }
  [[nodiscard]] static Status private_file(const std::string& source) {
    TALLA_TRY(const SecretBytes content, certs::read_secret(source));
    static_cast<void>(content);
    return {};
  }

  [[nodiscard]] Status software() {
    TALLA_TRY(const auto watch, open_software(config_, hashes_, clock_));
    static_cast<void>(watch);
    return {};
  }

  void keys() {
    const bool log_later = later("keys.log_key", config_.keys.log_key);
    bool seal_later = later("keys.sealing_key", config_.keys.sealing_key);
    if (!config_.keys.passphrase.empty() && later("keys.passphrase", config_.keys.passphrase))
      seal_later = true;
    if (log_later || seal_later) {
      look("keys.log_statement", statement_alone());
      if (!log_later) look("keys.log_key", log_key_alone());
    } else {
      look("keys", both_keys());
    }
    if (config_.keys.next_log_key.empty() || later("keys.next_log_key", config_.keys.next_log_key))
      return;
    look("keys.next_log_key", next_key());
  }

  /// As a start opens them: key and statement belong together, and production takes them.
  [[nodiscard]] Status both_keys() {
    TALLA_TRY(const certs::OpenedKeys keys, certs::open_keys(key_sources(config_)));
    TALLA_TRY(log_key_, certs::load_log_key(config_.keys.log_statement, config_.origin,
                                            keys.signer->public_key()));
    return refuse_development(config_, *log_key_, keys.sealing);
  }

  [[nodiscard]] Status log_key_alone() {
    TALLA_TRY(const auto signer, certs::open_log_signer(config_.keys.log_key));
    TALLA_TRY(log_key_, certs::load_log_key(config_.keys.log_statement, config_.origin,
                                            signer->public_key()));
    return {};
  }

  /// Without the key: whether it can be read, and is of this log.
  [[nodiscard]] Status statement_alone() {
    TALLA_TRY(const std::string text, certs::read_file(config_.keys.log_statement));
    TALLA_TRY(const json::Value value, json::parse_canonical(text));
    TALLA_TRY(certs::LogKey log_key, certs::LogKey::from_json(value));
    TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(log_key.statement));
    if (statement.origin != config_.origin)
      return fail(certs::Errc::key_malformed, config_.keys.log_statement + ": is of the log " +
                                                  statement.origin + ", not of " + config_.origin);
    log_key_ = std::move(log_key);
    return {};
  }

  [[nodiscard]] Status next_key() {
    TALLA_TRY(const auto next, open_next(config_));
    static_cast<void>(next);
    return {};
  }

  void interface() {
    look("api.enrolment", enrolment());
    const Config::Public& open = config_.public_listener;
    if (open.enabled && !open.key.empty() && !later("public.key", open.key))
      look("public", own_public(open));
    if (!later("api.key", config_.api.key)) {
      look("api", api());
      return;
    }
    look("api.certificate", certificate(config_.api.certificate));
    look("api.client_roots", http::check_roots(config_.api.client_roots));
  }

  [[nodiscard]] Status api() {
    TALLA_TRY_STATUS(private_file(config_.api.key));
    return http::check_server_files({.certificate = config_.api.certificate,
                                     .key = config_.api.key,
                                     .trusted = config_.api.client_roots,
                                     .revoked = config_.api.revoked});
  }

  [[nodiscard]] static Status own_public(const Config::Public& open) {
    TALLA_TRY_STATUS(private_file(open.key));
    return http::check_server_files(
        {.certificate = open.certificate, .key = open.key, .trusted = {}, .revoked = {}});
  }

  [[nodiscard]] static Status certificate(const std::string& path) {
    TALLA_TRY(const auto views, certs::view_certificates(path));
    static_cast<void>(views);
    return {};
  }

  [[nodiscard]] Status enrolment() {
    TALLA_TRY(const auto clients, load_enrolment(config_.api.enrolment));
    static_cast<void>(clients);
    return {};
  }

  /// It is a folder that this user may write in, or one that can be made.
  [[nodiscard]] static Status folder(const std::string& path) {
    const std::filesystem::path wanted(path);
    std::error_code error;
    if (std::filesystem::exists(wanted, error)) {
      if (!std::filesystem::is_directory(wanted, error))
        return fail(certs::Errc::ledger_io, path + ": is no folder");
      if (::access(path.c_str(), R_OK | W_OK | X_OK) != 0)
        return fail(certs::Errc::ledger_io, path + ": this user may not write there");
      return {};
    }
    const auto parent = wanted.has_parent_path() ? wanted.parent_path() : ".";
    if (::access(parent.c_str(), W_OK | X_OK) != 0)
      return fail(certs::Errc::ledger_io, path + ": is not there, and cannot be made");
    return {};
  }

  void anchor() {
    if (!config_.anchor.tpm_auth.empty() && !later("anchor.tpm_auth", config_.anchor.tpm_auth))
      look("anchor.tpm_auth", private_file(config_.anchor.tpm_auth));
    if (config_.witnesses.empty()) return;
    look("witness", witnesses());
  }

  [[nodiscard]] Status witnesses() {
    for (const Config::Witness& one : config_.witnesses) {
      if (!one.roots.empty()) TALLA_TRY_STATUS(http::check_roots(one.roots));
    }
    TALLA_TRY(const auto keeper, make_witnesses(config_, {}));
    static_cast<void>(keeper);
    return {};
  }

  void certification() {
    if (config_.certification.folder.empty()) return;
    if (!log_key_) {
      found_.later.push_back({"certification", "it is judged with the log's key"});
      return;
    }
    const auto keeper = CertificationKeeper::open(config_, hashes_, {*log_key_});
    look("certification", keeper ? Status() : Status(tl::unexpected(keeper.error())));
  }

  /// What the root says about the end of this log, if it says anything.
  void ended() {
    const auto end = load_log_end(config_);
    if (!end) {
      found_.wrong.push_back({"end of the log", end.error().text()});
    } else if (*end) {
      found_.good.emplace_back("end of the log");
    } else if (const auto retired = certs::refuse_retired(config_.data_folder, config_.origin);
               !retired) {
      found_.wrong.push_back({"data", retired.error().text()});
    }
  }

  const Config& config_;
  certs::OpensslHashes hashes_;
  SystemClock clock_;
  std::optional<certs::LogKey> log_key_;  // once it could be read
  StartCheck found_;
};

}  // namespace

StartCheck check_start(const Config& config) {
  return StartLook(config).all();
}

}  // namespace talla::rngd
