// talla status: state of the appliance, for people and scripts.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "status_tables.hpp"
#include "steps.hpp"
#include "times.hpp"

namespace talla::cli {

namespace {

/// What stands against new commitments: its code, why, and what to do next.
struct Hindrance {
  std::string_view code;
  std::string_view why;
  std::string_view next;
};
constexpr std::array hindrances{
    Hindrance{"entropy_latched", "the generator is latched",
              "find the cause (talla log tail); then a security officer asks, talla act ask "
              "latch-reset, and an inspector confirms, talla act confirm ACT"},
    Hindrance{"entropy_not_ready", "the generator is not ready yet",
              "wait; if it stays so, look at the sources below"},
    Hindrance{"clock_stepped", "the clock stepped",
              "set the clock right; then two persons reset as behind a latch"},
    Hindrance{"disk_reserve", "free disk space is below the reserve", "make room on the disk"},
    Hindrance{"anchor_lost", "the rollback anchor is not written",
              "see to the TPM, the token or the witnesses of [anchor]"},
    Hindrance{"software_mismatch", "the software is not as signed and approved",
              "see the findings below; install what the manifest says"},
    Hindrance{"log_ended", "the root has ended this log, it is read-only",
              "play goes on at the log that follows it"},
    Hindrance{"ledger_failed", "the ledger failed", "read the journal of rngd"},
};

/// Who stopped it, why and since when.
void show_latch(const App& app, const json::Value& status) {
  const json::Value* latch = status.find("latch");
  if (latch == nullptr || !latch->is_object()) return;
  const auto text = [latch](const char* name) {
    const json::Value* found = latch->find(name);
    return found != nullptr && found->is_string() ? found->string() : std::string();
  };
  const std::string by = text("by");
  const std::string words = text("note");
  const json::Value* since = latch->find("since");
  const json::Value* record = latch->find("record");
  app.say("  latched by " + (by.empty() ? std::string("the appliance itself") : by) + ": " +
          latch_reason_words(text("reason")) + " (" + text("reason") + ")" +
          (words.empty() ? "" : ", \"" + words + "\"") +
          (since == nullptr ? "" : ", since " + both_times_text(since->integer())) +
          (record == nullptr ? "" : ", record " + std::to_string(record->integer())));
}

/// The first line says whether the house can play; where not, what hinders and the next step.
void show_readiness(const App& app, const json::Value& status) {
  const json::Value* ready = status.find("ready");
  if (ready != nullptr && ready->is_bool() && ready->boolean())
    return app.say("READY: new shoes and batches are taken");
  std::string why;
  std::string next;
  const json::Value* reasons = status.find("reasons");
  if (reasons != nullptr && reasons->is_array()) {
    for (const json::Value& reason : reasons->array()) {
      const auto* known = std::ranges::find(hindrances, reason.string(), &Hindrance::code);
      const bool is_known = known != hindrances.end();
      why += (why.empty() ? "" : "; ") + (is_known ? std::string(known->why) : reason.string());
      if (is_known && next.empty()) next = known->next;
    }
  }
  app.say("NOT READY because " + (why.empty() ? std::string("it does not say why") : why));
  show_latch(app, status);
  if (!next.empty()) app.say("  next: " + next);
}

/// Thousandths as a number with one decimal.
std::string tenths(std::int64_t milli) {
  const std::int64_t rounded = (milli >= 0 ? milli + 50 : milli - 50) / 100;
  const std::int64_t size = rounded < 0 ? -rounded : rounded;
  return (rounded < 0 ? "-" : "") + std::to_string(size / 10) + "." + std::to_string(size % 10);
}

/// What one side of a monitor says, in plain words.
std::string side_words(const json::Value& side, const std::string& good, const std::string& alarm) {
  const std::string figures = " (" + tenths(side.find("log_e_milli")->integer()) + ", alarm at " +
                              tenths(side.find("alarm_at_milli")->integer()) + ")";
  return (side.find("alarm")->boolean() ? alarm : good) + figures;
}

void show_monitors(const App& app, const json::Value& status) {
  const json::Value* monitors = status.find("monitors");
  if (monitors == nullptr) return app.say("monitors: switched off");
  const auto standing = monitors->find("alarms_standing")->integer();
  const auto& watching = monitors->find("watching")->array();
  app.say("monitors: " + std::to_string(watching.size()) + " watch, " +
          (standing == 0 ? "no alarm stands"
                         : std::to_string(standing) + " ALARMS STAND, see the HEALTH records") +
          "; false alarms of all together in the whole life: at most " +
          monitors->find("alpha")->string());
  for (const auto& one : watching) {
    app.say("  " + one.find("name")->string() + ": " + std::to_string(one.find("seen")->integer()) +
            " " + one.find("unit")->string() + " seen; evidence of bias: " +
            side_words(*one.find("process"), "none that counts", "ALARM") +
            "; of a change: " + side_words(*one.find("detector"), "none that counts", "ALARM"));
  }
}

/// Each source in one line, and one more for each measure with an alarm.
void show_quality(const App& app, const json::Value& status) {
  const json::Value* monitors = status.find("monitors");
  const json::Value* quality = monitors == nullptr ? nullptr : monitors->find("quality");
  if (quality == nullptr) return;
  for (const auto& source : quality->array()) {
    const auto standing = source.find("alarms_standing")->integer();
    app.say("  quality of " + source.find("source")->string() + ": " +
            std::to_string(source.find("samples")->integer()) + " samples looked at, " +
            (standing == 0 ? "no alarm" : std::to_string(standing) + " ALARMS"));
    for (const auto& measure : source.find("measures")->array()) {
      for (const std::string window : {"short", "long"}) {
        const auto& alarm = measure.find(window + "_alarm")->string();
        if (alarm == "none") continue;
        const json::Value* share = measure.find(window + "_ppm");
        app.say("    " + measure.find("name")->string() + ", " + window + " window: " +
                (alarm == "claim" ? "more than the claim allows" : "beyond its own past") +
                (share == nullptr ? "" : ", now " + tenths(share->integer() / 10) + " %"));
      }
    }
  }
}

/// One line that nobody overlooks when nobody vouches for the software.
void show_software(const App& app, const json::Value& status) {
  const json::Value* software = status.find("software");
  const json::Value* state = software == nullptr ? nullptr : software->find("state");
  if (state == nullptr) return;
  const auto word = [software](const char* name) {
    const json::Value* value = software->find(name);
    return value == nullptr ? std::string() : value->string();
  };
  const json::Value* by = software->find("signers");
  if (by == nullptr) {
    app.say("software: UNSIGNED, no manifest says what it must be (development only)");
  } else {
    std::string signers;
    for (const auto& one : by->array()) signers += (signers.empty() ? "" : ", ") + one.string();
    app.say(
        "software: " +
        std::string(state->string() == "signed" ? "as signed" : "NOT AS SIGNED OR NOT APPROVED") +
        ", version " + word("version") + ", build " + word("build") + ", by " + signers +
        "; manifest " + word("manifest"));
  }
  const json::Value* findings = software->find("findings");
  if (findings == nullptr) return;
  for (const auto& one : findings->array())
    app.say("  " + one.find("path")->string() + ": " + one.find("what")->string());
  if (const auto approved = word("approved"); approved != word("manifest") && !approved.empty())
    app.say("  approved is the manifest " + approved);
}

struct Told {
  json::Value status;
  std::optional<std::string> cosigned;  // as show_status_tables takes it
};

Result<Told> ask_status(const App& app) {
  TALLA_TRY(Session session, Session::open(app));
  Told told;
  TALLA_TRY(told.status, session.get("/v1/status"));
  if (app.json) return told;
  auto cosigned = session.get_text("/v1/checkpoint/cosigned");
  if (cosigned) {
    told.cosigned = std::move(*cosigned);
  } else if (cosigned.error().detail.starts_with("not_found")) {
    told.cosigned.emplace();
  }
  return told;
}

void run_status(App& app, int wait_seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wait_seconds);
  while (true) {
    const auto told = ask_status(app);
    if (told) {
      show_readiness(app, told->status);
      show_software(app, told->status);
      show_status_tables(app, told->status, told->cosigned);
      show_monitors(app, told->status);
      show_quality(app, told->status);
      return app.emit(told->status);
    }
    if (code_of(told.error()) != exit_unreachable || std::chrono::steady_clock::now() >= end) {
      return app.refuse(told.error(), code_of(told.error()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace

void add_status(commandline::Command& root, App& app) {
  auto wait = std::make_shared<int>(0);
  auto* command =
      root.add_subcommand("status", "state of the appliance: source, generator, log, limits");
  command->add_option("--wait", *wait, "seconds to wait until it answers")
      ->range(0, 3600)
      ->capture_default_str();
  command->callback([&app, wait] { run_status(app, *wait); });
}

}  // namespace talla::cli
