// Runs the steps of a plan, keeps those that are whole, and goes on where an earlier run ended.
#include "lab_submit/run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "certs/files.hpp"
#include "child.hpp"
#include "folder.hpp"
#include "lab_kit/manifest.hpp"
#include "leftovers.hpp"
#include "report.hpp"
#include "seal_folder.hpp"

namespace talla::lab::submit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t said_most = 4000;

std::int64_t steady_ms() {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

std::int64_t utc_us() {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

std::string time_words(std::int64_t ms) {
  constexpr std::int64_t minute = 60'000;
  return ms < minute ? fmt::format("{}.{} s", ms / 1000, ms % 1000 / 100)
                     : fmt::format("{} min", (ms + minute / 2) / minute);
}

/// One run at a time in a folder; the lock goes with the process.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : descriptor_(::open((folder + "/" + lock_file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)),
        held_(descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {}
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (descriptor_ >= 0) static_cast<void>(::close(descriptor_));
  }
  [[nodiscard]] bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

/// The steps of one plan in one folder.
class Run {
 public:
  Run(const RunWish& wish, PlanFile plan)
      : wish_(wish),
        out_(fs::absolute(wish.out).lexically_normal().string()),
        plan_(std::move(plan)),
        steps_(steps_of(plan_)) {
    while (out_.size() > 1 && out_.back() == '/') out_.pop_back();
  }

  [[nodiscard]] Status programs() {
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error);
    for (const char* name : {"talla-lab", "talla"}) {
      const std::string path = (own.parent_path() / name).string();
      TALLA_TRY(const FileFact fact, file_fact(path, path));
      programs_[name] = fact;
    }
    return {};
  }
  [[nodiscard]] Status all() {
    if (!wish_.only.empty() &&
        !std::ranges::any_of(steps_, [&](const Step& one) { return one.id() == wish_.only; }))
      return fail(SubmitErrc::submit_refused, "--only " + wish_.only + ": the plan has no such " +
                                                  "step; there are " + step_names());
    std::size_t number = 0;
    for (const Step& step : steps_) {
      ++number;
      TALLA_TRY(StepState state, one(step, number));
      states_.push_back(std::move(state));
    }
    return {};
  }
  [[nodiscard]] const std::vector<StepState>& states() const { return states_; }
  [[nodiscard]] const PlanFile& plan() const { return plan_; }
  [[nodiscard]] const std::string& out() const { return out_; }

 private:
  [[nodiscard]] std::string step_names() const {
    std::string names;
    for (const Step& one : steps_) names += (names.empty() ? "" : ", ") + one.id();
    return names;
  }
  void say(const std::string& words) const {
    if (wish_.say) wish_.say(words);
  }
  [[nodiscard]] std::string place(const Step& step) const { return out_ + "/" + step.id(); }
  [[nodiscard]] std::string failed_place(const Step& step) const {
    return out_ + "/" + step.id() + std::string(failed_ending);
  }
  /// {"program": sha256} of those that the step runs.
  [[nodiscard]] json::Value programs_of(const Step& step) const {
    json::Value out = json::Object{};
    for (const Command& command : step.commands)
      if (const auto found = programs_.find(command.program); found != programs_.end())
        out[command.program] = to_hex(found->second.sha256);
    return out;
  }
  [[nodiscard]] Result<json::Value> inputs_of(const Step& step) const {
    json::Value out = json::Object{};
    for (const std::string& path : step.inputs) {
      TALLA_TRY(const Digest digest, input_digest(path));
      out[path] = to_hex(digest);
    }
    return out;
  }
  /// Empty: a step that is read is not there.
  [[nodiscard]] std::string missing_need(const Step& step, json::Value& needs) const {
    for (const std::string& id : step.needs) {
      const auto found = results_.find(id);
      if (found == results_.end()) return id;
      needs[id] = found->second;
    }
    return {};
  }
  /// Whether the step is there, whole and the same; `state` then says what came of it.
  [[nodiscard]] bool is_whole(const Step& step, const Digest& key, StepState& state) {
    const auto record = step_record(place(step));
    if (!record || text_of(*record, "key") != to_hex(key)) return false;
    const auto said = facts_from(record->find("outputs"));
    const auto files = files_below(place(step), {step_file});
    if (!said || !files || *said != *files) return false;
    state.verdict = verdict_name(verdict_of(step, exits_of(*record)));
    results_[step.id()] = to_hex(result_of(*files));
    return true;
  }

  [[nodiscard]] Result<StepState> one(const Step& step, std::size_t number) {
    StepState state{step.id(), "not-run", ""};
    const bool asked = wish_.only.empty() || wish_.only == step.id();
    json::Value needs = json::Object{};
    if (const std::string missing = missing_need(step, needs); !missing.empty()) {
      state.why = "it reads " + missing + ", which is not there";
      fs::remove_all(place(step));
      return state;
    }
    auto inputs = inputs_of(step);
    if (!inputs) {
      state.verdict = verdict_name(Verdict::failed);
      state.why = inputs.error().detail;
      fs::remove_all(place(step));
      TALLA_TRY_STATUS(write_failed(step, state.why, {}));
      say(fmt::format("step {} of {}: {} failed: {}", number, steps_.size(), step.id(), state.why));
      return state;
    }
    const json::Value used = programs_of(step);
    const Digest key = key_of(step, used, *inputs, needs);
    if ((!asked || !step.anew) && is_whole(step, key, state)) {
      fs::remove(failed_place(step));
      return state;
    }
    if (!asked) {
      state.why = "--only " + wish_.only;
      return state;
    }
    say(fmt::format("step {} of {}: {}{}", number, steps_.size(), step.id(), time_left(number)));
    const std::int64_t began = steady_ms();
    TALLA_TRY_STATUS(execute(step, {key, used, *inputs, needs}, state));
    spent_ms_ += steady_ms() - began;
    ++spent_steps_;
    say(fmt::format("  {}, {}{}", state.verdict, time_words(steady_ms() - began),
                    state.why.empty() ? "" : ": " + state.why));
    return state;
  }
  [[nodiscard]] std::string time_left(std::size_t number) const {
    if (spent_steps_ == 0) return "";
    const auto left = static_cast<std::int64_t>(steps_.size() - number + 1);
    return ", about " + time_words(spent_ms_ / spent_steps_ * left) + " left";
  }

  struct Identity {
    Digest key{};
    json::Value programs, inputs, needs;
  };
  [[nodiscard]] Status execute(const Step& step, const Identity& identity, StepState& state) {
    const std::string part = out_ + "/" + step.part + "/." + step.name + ".part";
    fs::remove_all(part);
    fs::create_directories(part);
    const std::int64_t began = utc_us();
    const std::int64_t steady = steady_ms();
    std::vector<int> exits;
    std::string why;
    for (const Command& command : step.commands) {
      exits.push_back(run_command(command, part, why));
      std::vector<int> so_far = exits;
      so_far.resize(step.commands.size());
      if (verdict_of(step, so_far) == Verdict::failed) break;
    }
    const Verdict verdict = verdict_of(step, exits);
    state.verdict = verdict_name(verdict);
    if (verdict == Verdict::failed) {
      if (why.empty()) why = fmt::format("command {} ended with {}", exits.size(), exits.back());
      const auto said = content_of(part + "/" + messages_file);
      if (said && !said->empty())
        why += ": " + said->substr(said->size() - std::min(said->size(), said_most));
      while (!why.empty() && why.back() == '\n') why.pop_back();
      state.why = why;
      fs::remove_all(part);
      fs::remove_all(place(step));
      return write_failed(step, why, exits);
    }
    TALLA_TRY(const auto outputs, files_below(part, {}));
    json::Array codes;
    for (const int one : exits) codes.emplace_back(one);
    const json::Value record{json::Object{{"began", utc_text(began)},
                                          {"commands", command_list(step)},
                                          {"ended", utc_text(utc_us())},
                                          {"exits", std::move(codes)},
                                          {"format", 1},
                                          {"inputs", identity.inputs},
                                          {"key", to_hex(identity.key)},
                                          {"kind", "talla-lab step"},
                                          {"ms", steady_ms() - steady},
                                          {"needs", identity.needs},
                                          {"outputs", fact_list(outputs)},
                                          {"programs", identity.programs},
                                          {"step", step.id()},
                                          {"verdict", state.verdict}}};
    TALLA_TRY_STATUS(certs::replace_file(part + "/" + step_file, json::canonical(record) + "\n"));
    const int folder = ::open(part.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      static_cast<void>(::syncfs(folder));
      static_cast<void>(::close(folder));
    }
    fs::remove_all(place(step));
    fs::rename(part, place(step));
    fs::remove(failed_place(step));
    results_[step.id()] = to_hex(result_of(outputs));
    return {};
  }

  [[nodiscard]] int run_command(const Command& command, const std::string& part,
                                std::string& why) const {
    std::error_code error;
    if (command.program == "copy") {
      const fs::path target = fs::path(part) / command.arguments[1];
      fs::create_directories(target.parent_path(), error);
      fs::copy_file(command.arguments[0], target, error);
      if (error) why = command.arguments[0] + ": " + error.message();
      return error ? 1 : 0;
    }
    std::vector<std::string> arguments;
    for (const std::string& one : command.arguments) {
      arguments.push_back(value_of(one));
      if (arguments.back().empty() && !one.empty()) {
        why = one + ": there is no such number";
        return 1;
      }
    }
    const bool by_path = command.program.starts_with('/');
    return run_child({.program = by_path ? command.program : programs_.at(command.program).name,
                      .arguments = std::move(arguments),
                      .folder = part,
                      .out = command.out.empty() ? "" : part + "/" + command.out,
                      .messages = part + "/" + messages_file});
  }
  /// The argument, or the number of an earlier step that it stands for.
  [[nodiscard]] std::string value_of(const std::string& argument) const {
    const std::size_t sharp = argument.find('#');
    if (!argument.starts_with('{') || !argument.ends_with('}') || sharp == std::string::npos)
      return argument;
    const auto text = content_of(out_ + "/" + argument.substr(1, sharp - 1));
    return text ? text_at(*text, argument.substr(sharp + 1, argument.size() - sharp - 2))
                : std::string();
  }
  [[nodiscard]] Status write_failed(const Step& step, const std::string& why,
                                    const std::vector<int>& exits) const {
    json::Array codes;
    for (const int one : exits) codes.emplace_back(one);
    fs::create_directories(out_ + "/" + step.part);
    return certs::replace_file(failed_place(step),
                               json::canonical(json::Object{{"commands", command_list(step)},
                                                            {"exits", std::move(codes)},
                                                            {"format", 1},
                                                            {"kind", "talla-lab failed step"},
                                                            {"step", step.id()},
                                                            {"why", why}}) +
                                   "\n");
  }

  const RunWish& wish_;
  std::string out_;
  PlanFile plan_;
  std::vector<Step> steps_;
  std::vector<StepState> states_;
  std::map<std::string, FileFact> programs_;
  std::map<std::string, std::string> results_;  // of the steps that are whole, by id
  std::int64_t spent_ms_ = 0;
  std::int64_t spent_steps_ = 0;
};

/// Removes what earlier plans and killed runs left. Errors: something lies here that no run made;
/// nothing is removed then.
Status clear_leftovers(const std::string& out, const Leftovers& found) {
  if (!found.foreign.empty())
    return fail(SubmitErrc::submit_refused,
                out + "/" + found.foreign.front() +
                    ": no run made this; take it away, or name another folder");
  std::error_code error;
  for (const std::string& one : found.stale) fs::remove_all(out + "/" + one, error);
  return {};
}

}  // namespace

int exit_of(const std::vector<StepState>& steps) {
  constexpr int not_consistent = 3;
  constexpr int more_data = 4;
  int code = 0;
  for (const StepState& one : steps) {
    if (one.verdict == "failed" || one.verdict == "not-run") return 1;
    if (one.verdict == "not-passed") code = not_consistent;
    if (one.verdict == "more-data" && code == 0) code = more_data;
  }
  return code;
}

Result<RunResult> run(const RunWish& wish) {
  TALLA_TRY(const std::string text, content_of(wish.plan));
  const std::string plan_path = fs::absolute(wish.plan).lexically_normal().string();
  TALLA_TRY(PlanFile plan, rngd::parse_plan_file(text, plan_path));
  const auto steps = steps_of(plan);
  TALLA_TRY_STATUS(clear_leftovers(wish.out, {{}, leftovers_in(wish.out, steps).foreign}));
  TALLA_TRY_STATUS(certs::create_folder(wish.out));
  const FolderLock lock(wish.out);
  if (!lock.held())
    return fail(SubmitErrc::submit_refused, wish.out + ": another run works in this folder");
  Run run(wish, std::move(plan));
  TALLA_TRY_STATUS(run.programs());
  TALLA_TRY_STATUS(clear_leftovers(run.out(), leftovers_in(run.out(), steps)));
  TALLA_TRY_STATUS(certs::replace_file(run.out() + "/" + plan_copy, text));
  TALLA_TRY_STATUS(run.all());
  TALLA_TRY_STATUS(write_reports(run.out(), run.plan()));
  TALLA_TRY(std::string manifest, seal_folder(run.out(), plan_path, run.plan()));
  return RunResult{run.states(), std::move(manifest)};
}

}  // namespace talla::lab::submit
