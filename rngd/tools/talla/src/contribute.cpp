// talla contribute: a number of one's own in the draws and shoes of an appliance's tables.
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>

#include "contributing.hpp"
#include "steps.hpp"

namespace talla::cli {
namespace {

constexpr long look_every_ns = 200'000'000;

/// Takes part until SIGTERM or SIGINT; a connection that breaks is made again.
Status contribute(const App& app, Session& session, const ContributeOptions& options) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  TALLA_TRY(Contributing contributing, Contributing::open(app, session, options));
  app.say(contributing.id() + " contributes at " + session.where());
  app.emit(json::Object{{"event", "contributes"}, {"id", contributing.id()}});
  const timespec pause{.tv_sec = 0, .tv_nsec = look_every_ns};
  bool away = false;
  do {
    const Status looked = contributing.look();
    if (!looked && !away) app.say("no answer: " + looked.error().text() + "; it is asked again");
    away = !looked;
  } while (::sigtimedwait(&signals, nullptr, &pause) < 0);
  return {};
}

}  // namespace

void add_contribute(commandline::Command& root, App& app) {
  auto options = std::make_shared<ContributeOptions>();
  auto* command = root.add_subcommand(
      "contribute",
      "put a number of one's own into every call of an appliance's tables, until SIGTERM");
  command
      ->add_option(
          "--state", options->state,
          "folder of its own for what must not be lost, and never be used from a copy: one "
          "file a table")
      ->required();
  command->add_option(
      "--record", options->record,
      "folder with client.toml of the own appliance: nothing is opened that its log does not hold "
      "first");
  command->add_option("--table", options->tables, "this table alone; may stand several times");
  command->callback([&app, options] {
    with_session(app,
                 [&app, &options](Session& session) { return contribute(app, session, *options); });
  });
}

}  // namespace talla::cli
