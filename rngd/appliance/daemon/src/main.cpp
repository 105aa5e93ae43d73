// The daemon of the appliance: keys, generator, log, API. It runs until SIGTERM or SIGINT, or until
// its ledger fails; SIGHUP has it read the API's TLS files and certifications again.
#include <csignal>
#include <ctime>
#include <iostream>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "certs/errc.hpp"
#include "certs/files.hpp"
#include "commandline/command.hpp"
#include "core/openapi.hpp"
#include "entropy/openssl_memory.hpp"
#include "hardening.hpp"
#include "known_answers.hpp"
#include "ledger_open.hpp"
#include "log.hpp"
#include "runtime.hpp"
#include "sources.hpp"
#include "start_check.hpp"
#include "supervisor.hpp"

namespace talla::rngd {
namespace {

constexpr int exit_refused = 1;
constexpr int exit_ledger_failed = 3;
constexpr int exit_ledger_fenced = 4;
constexpr int exit_answer_differs = 3;

void renew_tls(Runtime& runtime) {
  if (const Status renewed = runtime.renew_tls(); !renewed) {
    log(Level::error, "tls_files_refused",
        {{"reason", renewed.error().text()},
         {"meaning", "certificate, roots and revoked stay as they were"}});
    return;
  }
  log(Level::notice, "tls_files_read", {{"meaning", "clients connect again and are judged anew"}});
}

void renew_certification(Runtime& runtime) {
  if (const Status renewed = runtime.renew_certification(); !renewed)
    log(Level::error, "certification_files_refused",
        {{"reason", renewed.error().text()}, {"meaning", "those read before stay"}});
}

/// Signals are blocked in every thread and taken here.
int wait_for_end(Runtime& runtime, Supervisor& supervisor, const sigset_t& signals) {
  SystemClock clock;
  while (true) {
    const timespec step{.tv_sec = 0, .tv_nsec = 200'000'000};
    const int signal = ::sigtimedwait(&signals, nullptr, &step);
    if (signal == SIGTERM || signal == SIGINT) return 0;
    if (signal == SIGHUP) {
      renew_tls(runtime);
      renew_certification(runtime);
    }
    if (runtime.failed() && runtime.fenced()) {
      log(Level::error, "ledger_fenced",
          {{"meaning",
            "another daemon has taken this log over; the process ends and is not to be started "
            "again"}});
      return exit_ledger_fenced;
    }
    if (runtime.failed()) {
      log(Level::error, "ledger_failed",
          {{"meaning", "nothing more can be acknowledged; the process ends"}});
      return exit_ledger_failed;
    }
    supervisor.look(runtime.turns(), clock.monotonic_ns(), runtime.readiness().reasons);
  }
}

/// Every file and key that a start would need; each fault in a line of its own.
int say_check(const std::string& path, const Config& config) {
  const StartCheck check = check_start(config);
  for (const std::string& setting : check.good) std::cout << "  " << setting << ": good\n";
  for (const auto& one : check.later)
    std::cout << "  " << one.setting << ": not looked at, " << one.words << "\n";
  for (const auto& one : check.wrong)
    log(Level::error, "configuration_refused",
        {{"reason", path + ": " + one.setting + ": " + one.words}});
  if (!check.wrong.empty()) return exit_refused;
  std::cout << path << ": good\n";
  return 0;
}

/// The known answers of a start as one JSON object; nothing is started.
int say_known_answers() {
  const auto asked = ask_known_answers();
  if (!asked) {
    std::cerr << "rngd: " << asked.error().text() << "\n";
    return exit_refused;
  }
  std::cout << json::canonical(asked->told) << "\n";
  return asked->passed ? 0 : exit_answer_differs;
}

int serve(const std::string& path, const std::string& source_socket, bool check_only,
          const Status& openssl_secrets) {
  auto config = load_config(path);
  if (!config) {
    log(Level::error, "configuration_refused", {{"reason", config.error().text()}});
    return exit_refused;
  }
  config->source.socket = source_socket;
  const auto text = certs::read_file(path);
  if (!text) return exit_refused;
  if (const Status setting = check_ledger_setting(*config); !setting) {
    log(Level::error, "configuration_refused",
        {{"reason", path + ": ledger." + setting.error().detail}});
    return exit_refused;
  }
  if (const Status assessed = check_assessments(*config); check_only && !assessed) {
    log(Level::error, "configuration_refused", {{"reason", path + ": " + assessed.error().detail}});
    return exit_refused;
  }
  if (check_only) return say_check(path, *config);
  sigset_t signals;
  static_cast<void>(sigemptyset(&signals));
  static_cast<void>(sigaddset(&signals, SIGTERM));
  static_cast<void>(sigaddset(&signals, SIGINT));
  static_cast<void>(sigaddset(&signals, SIGHUP));
  static_cast<void>(::pthread_sigmask(SIG_BLOCK, &signals, nullptr));
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  if (const Status hardened = harden_process(config->profile, openssl_secrets); !hardened) {
    log(Level::error, "start_refused", {{"reason", hardened.error().text()}});
    return exit_refused;
  }
  auto runtime = Runtime::create(*config, *text);
  if (!runtime) {
    if (end_is_asked_for()) return 0;
    log(Level::error, "start_refused", {{"reason", runtime.error().text()}});
    return runtime.error().is(certs::Errc::ledger_unreachable) ? exit_ledger_failed : exit_refused;
  }
  Supervisor supervisor;
  supervisor.ready();
  log(Level::notice, "ready");
  const int code = wait_for_end(**runtime, supervisor, signals);
  supervisor.stopping();
  (*runtime)->stop();
  log(Level::notice, "stopped");
  return code;
}

}  // namespace
}  // namespace talla::rngd

int main(int argc, char** argv) {
  const talla::Status openssl_secrets =
      talla::entropy::keep_openssl_secrets();  // before OpenSSL is called
  talla::commandline::Program app{"rngd: the daemon of a Talla appliance"};
  app.version("rngd " TALLA_VERSION);
  std::string config;
  bool check = false;
  app.add_option("--config", config, "configuration file (TOML); a start needs it");
  std::string source_socket;
  app.add_option("--source-socket", source_socket,
                 "where the service manager starts an rngd-source for each connection");
  app.add_flag(
      "--check", check,
      "read the configuration, open every file and key that a start needs, say what is wrong, "
      "start nothing");
  bool openapi = false;
  app.add_flag("--openapi", openapi, "print the OpenAPI document of the API, start nothing");
  bool known_answers = false;
  app.add_flag("--known-answers", known_answers,
               "run every known-answer test of a start, print each with its result and the files "
               "that computed it, start nothing; exit 3: one failed");
  app.callback([&] {
    if (config.empty() && !openapi && !known_answers) talla::commandline::fail_required("--config");
  });
  app.footer(
      "Exit codes: 0 stopped by a signal; 1 refused to start; 2 wrong usage; 3 the ledger failed, "
      "or its "
      "server "
      "does not answer; 4 another daemon has taken the log over.");
  try {
    if (const auto code = app.parse(argc, argv)) return *code == 0 ? 0 : 2;
    if (openapi) {
      std::cout << talla::core::openapi_document();
      return 0;
    }
    if (known_answers) return talla::rngd::say_known_answers();
    return talla::rngd::serve(config, source_socket, check, openssl_secrets);
  } catch (const std::exception& error) {
    std::cerr << "rngd: " << error.what() << "\n";
    return talla::rngd::exit_refused;
  }
}
