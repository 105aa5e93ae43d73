// talla log rounds, talla log incomplete: what was played at a table, and what is not finished.
#include "history.hpp"

#include <memory>
#include <optional>

#include "format/record.hpp"
#include "members.hpp"
#include "steps.hpp"
#include "times.hpp"

namespace talla::cli {
namespace {

constexpr int page_max = 100;

struct HistoryOptions {
  std::string table;
  std::string from;
  std::string to;
  int last = 10;
};

/// "; drawn 24; 200 staked, 195 returned; seat 2 wins 95": nothing of a round that is not settled.
std::string result_words(const json::Value& row) {
  std::string line;
  if (const auto* outcome = row.find("outcome"); outcome != nullptr && outcome->is_array()) {
    line += "; drawn";
    for (const auto& value : outcome->array())
      line += " " + (value.is_string() ? value.string() : "?");
  }
  const auto* winners = row.find("winners");
  if (winners == nullptr || !winners->is_array()) return line;
  line +=
      "; " + number_text(row, "staked") + " staked, " + number_text(row, "returned") + " returned";
  for (const auto& one : winners->array())
    line += "; seat " + number_text(one, "seat") + " wins " + number_text(one, "net");
  return line;
}

std::string round_line(const json::Value& row) {
  std::string line = "round " + number_text(row, "number") + " (" + word_in(row, "id") + "), " +
                     word_in(row, "state");
  if (const auto opened = number_in(row, "opened")) line += ", opened " + local_time_text(*opened);
  if (const auto ended = number_in(row, "ended")) line += ", ended " + local_time_text(*ended);
  if (row.find("settlement") != nullptr)
    line += ", settlement in record " + number_text(row, "settlement");
  return line + result_words(row);
}

Status print_rounds(const App& app, const HistoryOptions& options, Session& session) {
  int left = options.last;
  TALLA_TRY(const std::string span, range_query(options.from, options.to));
  const RoundPages pages{options.table, span, std::min(left, page_max)};
  TALLA_TRY_STATUS(each_round(session, pages, [&](const json::Value& row) {
    app.say(round_line(row));
    app.emit(row);
    return --left > 0;
  }));
  if (left == options.last)
    app.say("no round was opened at " + options.table + (span.empty() ? "" : " then"));
  return {};
}

Status print_incomplete(const App& app, Session& session) {
  TALLA_TRY(const json::Value reply, session.get("/v1/incomplete"));
  const auto* rounds = reply.find("rounds");
  if (rounds == nullptr || !rounds->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no rounds");
  for (const auto& row : rounds->array()) {
    std::string waits;
    if (const auto* needs = row.find("needs"); needs != nullptr && needs->is_array()) {
      for (const auto& need : needs->array())
        waits += (waits.empty() ? "" : ", ") + word_in(need, "need");
    }
    app.say(word_in(row, "table") + " (" + word_in(row, "game") + "): " + round_line(row) +
            ", waits for: " + (waits.empty() ? "nothing" : waits) + "; newest record " +
            number_text(row, "last"));
    app.emit(row);
  }
  if (rounds->array().empty()) app.say("every round that was opened is ended");
  return {};
}

}  // namespace

Status each_round(Session& session, const RoundPages& pages,
                  const std::function<bool(const json::Value&)>& each) {
  std::string before;
  std::uint64_t before_seq = UINT64_MAX;
  for (bool more = true; more;) {
    TALLA_TRY(const json::Value reply, session.get("/v1/tables/" + pages.table + "/rounds?limit=" +
                                                   std::to_string(pages.size) + pages.span +
                                                   (before.empty() ? "" : "&before=" + before)));
    const auto* rounds = reply.find("rounds");
    const auto* rest = reply.find("more");
    if (rounds == nullptr || !rounds->is_array() || rest == nullptr || !rest->is_bool())
      return fail(CliErrc::appliance_refused, "the reply is no list of rounds");
    for (const auto& row : rounds->array()) {
      if (!each(row)) return {};
    }
    more = rest->boolean();
    if (!more) break;
    const std::string next = word_in(reply, "next");
    const auto seq = certs::object_seq("round", next);
    if (!seq || *seq >= before_seq)
      return fail(CliErrc::appliance_refused,
                  "the reply leads nowhere: older rounds before " + next);
    before = next;
    before_seq = *seq;
  }
  return {};
}

Result<json::Value> find_round(Session& session, const std::string& table,
                               const std::string& round) {
  std::optional<json::Value> found;
  TALLA_TRY_STATUS(each_round(session, {table, {}, page_max}, [&](const json::Value& row) {
    if (number_text(row, "number") != round && word_in(row, "id") != round) return true;
    found = row;
    return false;
  }));
  if (!found) return fail(CliErrc::usage, table + " has no round " + round);
  return std::move(*found);
}

void add_log_history(commandline::Command& log, App& app) {
  auto options = std::make_shared<HistoryOptions>();
  auto* rounds = log.add_subcommand("rounds", "the newest rounds of a table, open or closed");
  rounds->add_option("--table", options->table, "table, e.g. table-17")->required();
  rounds->add_option("--from", options->from,
                     "opened then or later: 23:10, 2026-11-25T23:10 (of this machine's clock) or "
                     "2026-11-25T22:10:00Z");
  rounds->add_option("--to", options->to, "opened before");
  rounds->add_option("--last", options->last, "so many")->range(1, 100'000)->capture_default_str();
  rounds->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_rounds(app, *options, session); });
  });
  auto* incomplete =
      log.add_subcommand("incomplete", "rounds that are not ended, and what each waits for");
  incomplete->callback([&app] {
    with_session(app, [&](Session& session) { return print_incomplete(app, session); });
  });
}

}  // namespace talla::cli
