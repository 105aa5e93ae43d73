// talla status: state of the appliance, for people and scripts.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "members.hpp"
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
    return latch->find(name) == nullptr ? std::string() : word_in(*latch, name);
  };
  const std::string by = text("by");
  const std::string words = text("note");
  const auto since = number_in(*latch, "since");
  const auto record = number_in(*latch, "record");
  app.say("  latched by " + (by.empty() ? std::string("the appliance itself") : by) + ": " +
          latch_reason_words(text("reason")) + " (" + text("reason") + ")" +
          (words.empty() ? "" : ", \"" + words + "\"") +
          (since ? ", since " + both_times_text(*since) : "") +
          (record ? ", record " + std::to_string(*record) : ""));
}

/// The first line says whether the house can play; where not, what hinders and the next step.
void show_readiness(const App& app, const json::Value& status) {
  if (says(status, "ready")) return app.say("READY: new shoes and batches are taken");
  std::string why;
  std::string next;
  for (const json::Value& reason : list_in(status, "reasons")) {
    const std::string code = word_of(reason);
    const auto* known = std::ranges::find(hindrances, code, &Hindrance::code);
    const bool is_known = known != hindrances.end();
    why += (why.empty() ? "" : "; ") + (is_known ? std::string(known->why) : code);
    if (is_known && next.empty()) next = known->next;
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
std::string tenths_in(const json::Value& of, std::string_view name) {
  const auto milli = number_in(of, name);
  return milli ? tenths(*milli) : std::string(not_told);
}

/// What one side of a monitor says, in plain words. One that does not say it is no good sign.
std::string side_words(const json::Value& side) {
  const json::Value& alarm = member_in(side, "alarm");
  const std::string words = !alarm.is_bool()  ? std::string(not_told)
                            : alarm.boolean() ? "ALARM"
                                              : "none that counts";
  return words + " (" + tenths_in(side, "log_e_milli") + ", alarm at " +
         tenths_in(side, "alarm_at_milli") + ")";
}

/// `none` where it is told that no alarm stands.
std::string alarm_words(const json::Value& of, const std::string& none, const std::string& some) {
  const auto standing = number_in(of, "alarms_standing");
  return standing == 0 ? none : number_text(of, "alarms_standing") + some;
}

void show_monitors(const App& app, const json::Value& status) {
  const json::Value* monitors = status.find("monitors");
  if (monitors == nullptr) return app.say("monitors: switched off");
  const auto& watching = list_in(*monitors, "watching");
  app.say("monitors: " + std::to_string(watching.size()) + " watch, " +
          alarm_words(*monitors, "no alarm stands", " ALARMS STAND, see the HEALTH records") +
          "; false alarms of all together in the whole life: at most " +
          word_in(*monitors, "alpha"));
  for (const auto& one : watching) {
    app.say("  " + word_in(one, "name") + ": " + number_text(one, "seen") + " " +
            word_in(one, "unit") +
            " seen; evidence of bias: " + side_words(member_in(one, "process")) +
            "; of a change: " + side_words(member_in(one, "detector")));
  }
}

/// One line for each window of a measure with an alarm.
void show_measure(const App& app, const json::Value& measure) {
  for (const std::string window : {"short", "long"}) {
    const std::string alarm = word_in(measure, window + "_alarm");
    if (alarm == "none") continue;
    const auto share = number_in(measure, window + "_ppm");
    app.say("    " + word_in(measure, "name") + ", " + window + " window: " +
            (alarm == "claim"    ? "more than the claim allows"
             : alarm == not_told ? std::string(not_told)
                                 : "beyond its own past") +
            (share ? ", now " + tenths(*share / 10) + " %" : ""));
  }
}

/// Each source in one line, and one more for each measure with an alarm.
void show_quality(const App& app, const json::Value& status) {
  for (const auto& source : list_in(member_in(status, "monitors"), "quality")) {
    app.say("  quality of " + word_in(source, "source") + ": " + number_text(source, "samples") +
            " samples looked at, " + alarm_words(source, "no alarm", " ALARMS"));
    for (const auto& measure : list_in(source, "measures")) show_measure(app, measure);
  }
}

/// One line that nobody overlooks when nobody vouches for the software.
void show_software(const App& app, const json::Value& status) {
  const json::Value* software = status.find("software");
  const json::Value* state = software == nullptr ? nullptr : software->find("state");
  if (state == nullptr) return;
  const auto word = [software](const char* name) {
    return software->find(name) == nullptr ? std::string() : word_in(*software, name);
  };
  if (software->find("signers") == nullptr) {
    app.say("software: UNSIGNED, no manifest says what it must be (development only)");
  } else {
    std::string signers;
    for (const auto& one : list_in(*software, "signers"))
      signers += (signers.empty() ? "" : ", ") + word_of(one);
    app.say(
        "software: " +
        std::string(word_of(*state) == "signed" ? "as signed" : "NOT AS SIGNED OR NOT APPROVED") +
        ", version " + word("version") + ", build " + word("build") + ", by " + signers +
        "; manifest " + word("manifest"));
  }
  const auto& findings = list_in(*software, "findings");
  if (findings.empty()) return;
  for (const auto& one : findings)
    app.say("  " + word_in(one, "path") + ": " + word_in(one, "what"));
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
