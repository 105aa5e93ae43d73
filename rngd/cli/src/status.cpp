// talla status: state of the appliance, for people and scripts.
#include <chrono>
#include <memory>
#include <thread>

#include "steps.hpp"

namespace talla::cli {

namespace {

void show(const App& app, const json::Value& value, const std::string& prefix) {
  for (const auto& [key, member] : value.object()) {
    if (key == "receipts") continue;
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (member.is_object()) {
      show(app, member, name);
    } else {
      app.say("  " + name + ": " + (member.is_string() ? member.string() : json::canonical(member)));
    }
  }
}

Result<json::Value> ask(const App& app) {
  TALLA_TRY(Session session, Session::open(app));
  return session.get("/v1/status");
}

void run(App& app, int wait_seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wait_seconds);
  while (true) {
    const auto status = ask(app);
    if (status) {
      app.say("the appliance answers:");
      show(app, *status, "");
      return app.emit(*status);
    }
    if (code_of(status.error()) != exit_unreachable || std::chrono::steady_clock::now() >= end) {
      return app.refuse(status.error(),
                        status.error().is(CliErrc::usage) ? exit_usage : code_of(status.error()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace

void add_status(CLI::App& root, App& app) {
  auto wait = std::make_shared<int>(0);
  CLI::App* command = root.add_subcommand("status", "state of the appliance: source, generator, log, limits");
  command->add_option("--wait", *wait, "seconds to wait until it answers")
      ->check(CLI::Range(0, 3600))
      ->capture_default_str();
  command->callback([&app, wait] { run(app, *wait); });
}

}  // namespace talla::cli
