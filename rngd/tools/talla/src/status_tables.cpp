// The tables of talla status.
#include "status_tables.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "columns.hpp"
#include "times.hpp"

namespace talla::cli {

namespace {

struct CodeWords {
  std::string_view code;
  std::string_view text;
};

constexpr std::array reasons{
    CodeWords{"health_permanent", "a needed source failed a health test for good"},
    CodeWords{"source_failed", "a needed source is gone"},
    CodeWords{"drbg_failed", "a call of the generator's own arithmetic failed"},
    CodeWords{"seed_failed", "system or processor gave no share of a seed"},
    CodeWords{"self_test_failed", "a known answer was not reproduced"},
    CodeWords{"startup_timeout", "the start-up test did not end in time"},
    CodeWords{"operator_request", "a person stopped it"},
    CodeWords{"clock_step", "the clock stepped"},
    CodeWords{"fork", "it was used in another process"},
    CodeWords{"software_mismatch", "the software is not what its manifest says"},
    CodeWords{"machine_copied", "the machine was resumed from a snapshot, or is a copy"},
    CodeWords{"other", "the appliance found its state not in order"},
};

constexpr std::array qualities{
    CodeWords{"synced", "synchronised"},
    CodeWords{"holdover", "was synchronised, goes by itself now"},
    CodeWords{"unset", "NOT synchronised"},
};

template <std::size_t n>
std::string words_of(const std::array<CodeWords, n>& book, std::string_view code) {
  const auto* known = std::ranges::find(book, code, &CodeWords::code);
  return std::string(known == book.end() ? code : known->text);
}

std::string joined(const json::Value& value, std::string_view name) {
  std::string all;
  const json::Value* found = value.find(name);
  if (found == nullptr || !found->is_array()) return all;
  for (const json::Value& one : found->array()) {
    all += all.empty() ? "" : ", ";
    all += one.is_string() ? one.string() : json::canonical(one);
  }
  return all;
}

std::string or_none(const std::string& words) {
  return words.empty() ? "-" : words;
}

void show_sources(const App& app, const json::Value& generator) {
  const json::Value* sources = generator.find("sources");
  if (sources == nullptr || !sources->is_array()) return;
  std::vector<Cells> rows{{"model", "serial", "state", "needed", "credited", "samples", "alarms"}};
  for (const json::Value& source : sources->array()) {
    rows.push_back({shown(source, "model"), or_none(shown(source, "serial")),
                    shown(source, "lost") == "true" ? "LOST" : shown(source, "verdict"),
                    shown(source, "required") == "true" ? "yes" : "no",
                    shown(source, "credited") == "true" ? "yes" : "no", shown(source, "samples"),
                    shown(source, "alarms")});
  }
  say_columns(app, "sources", rows);
}

void show_generator(const App& app, const json::Value& generator) {
  const bool uncertified = shown(generator, "uncertified") == "true";
  say_pairs(
      app, "generator",
      {{"state", shown(generator, "state")},
       {"construction", shown(generator, "construction")},
       {"certified source", uncertified ? "NO, and every record says so: uncertified" : "yes"},
       {"given",
        shown(generator, "generates") + " times, from " + shown(generator, "reseeds") + " seeds"}});
}

void show_clock(const App& app, const json::Value& status) {
  const json::Value* time = status.find("time");
  if (time == nullptr || !time->is_integer()) return;
  say_pairs(app, "clock",
            {{"time", both_times_text(time->integer())},
             {"quality", words_of(qualities, shown(status, "time_quality"))}});
}

void show_log(const App& app, const json::Value& status) {
  say_pairs(app, "log and rollback anchor",
            {{"log", shown(status, "origin")},
             {"records",
              shown(status, "size") + ", in run " + shown(status, "boot") + " of the appliance"},
             {"anchor", shown(status, "rollback_protection") + ", " + shown(status, "anchor_lag") +
                            " records behind"}});
}

/// The names that signed a note behind its text, each once, the log's first; and its size.
struct NoteFacts {
  std::string size;
  std::vector<std::string> signers;
};

NoteFacts facts_of_note(const std::string& note) {
  constexpr std::string_view dash = "\xE2\x80\x94 ";
  NoteFacts facts;
  std::istringstream lines(note);
  std::string line;
  for (int number = 0; std::getline(lines, line); ++number) {
    if (number == 1) facts.size = line;
    if (!line.starts_with(dash)) continue;
    line.erase(0, dash.size());
    const std::string name = line.substr(0, line.find(' '));
    if (std::ranges::find(facts.signers, name) == facts.signers.end())
      facts.signers.push_back(name);
  }
  return facts;
}

void show_witnesses(const App& app, const json::Value& status,
                    const std::optional<std::string>& cosigned) {
  if (!cosigned) return;
  const NoteFacts facts = facts_of_note(*cosigned);
  if (facts.signers.size() < 2)
    return say_pairs(app, "witnesses",
                     {{"none",
                       "nobody beside the appliance signed: a second history of this log "
                       "is not excluded"}});
  std::vector<Cells> rows{{"name", "signed", "of"}};
  for (std::size_t i = 1; i < facts.signers.size(); ++i)
    rows.push_back({facts.signers[i], facts.size + " records", shown(status, "size")});
  say_columns(app, "witnesses", rows);
}

void show_appliance(const App& app, const json::Value& status) {
  std::vector<Cells> rows{{"version", shown(status, "version")},
                          {"profile", shown(status, "profile")},
                          {"sealing", shown(status, "sealing")},
                          {"open tables", shown(status, "tables") + " (talla tables)"}};
  if (const json::Value* certification = status.find("certification")) {
    rows.push_back({"certification", shown(*certification, "covers") == "true"
                                         ? "covers commitments made now"
                                         : "does NOT cover: " + shown(*certification, "code")});
  }
  if (const json::Value* client = status.find("client"))
    rows.push_back({"you are", shown(*client, "id") + " (" + joined(*client, "roles") + ")"});
  say_pairs(app, "appliance", rows);
}

}  // namespace

std::string latch_reason_words(std::string_view reason) {
  return words_of(reasons, reason);
}

void show_status_tables(const App& app, const json::Value& status,
                        const std::optional<std::string>& cosigned) {
  if (const json::Value* generator = status.find("generator")) {
    show_sources(app, *generator);
    show_generator(app, *generator);
  }
  show_clock(app, status);
  show_log(app, status);
  show_witnesses(app, status, cosigned);
  show_appliance(app, status);
}

}  // namespace talla::cli
