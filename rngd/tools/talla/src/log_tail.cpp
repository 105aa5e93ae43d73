// talla log tail: the newest records, in words or as they stand, and those that come.
#include "log_tail.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <thread>

#include "log_words.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

constexpr std::int64_t events_at_once = 1000;
constexpr auto pause_between_looks = std::chrono::milliseconds(500);

struct TailOptions {
  std::int64_t after = -2;  // -2: the last ones
  std::int64_t limit = 20;
  std::string table;
  std::string kind;
  bool follow = false;
  bool raw = false;
};

struct Page {
  json::Array events;
  std::int64_t next = -1;  // the next page begins behind it
  bool more = false;       // records behind it are there already
};

/// One page behind `after`, of the table and kind that were asked for; perhaps empty.
Result<Page> page_of_events(Session& session, const TailOptions& options, std::int64_t after,
                            std::int64_t limit) {
  std::string path = "/v1/events?after=" + std::to_string(after) +
                     "&limit=" + std::to_string(std::min(limit, events_at_once));
  if (!options.table.empty()) path += "&table=" + options.table;
  if (!options.kind.empty()) path += "&kind=" + options.kind;
  TALLA_TRY(const json::Value reply, session.get(path));
  const json::Value* events = reply.find("events");
  const json::Value* more = reply.find("more");
  if (events == nullptr || !events->is_array() || more == nullptr || !more->is_bool())
    return fail(CliErrc::appliance_refused, "the reply has no events");
  Page page{.events = events->array(), .next = after, .more = more->boolean()};
  TALLA_TRY(page.next, integer_at(reply, {"next"}));
  if (page.next < after || (page.more && page.next == after))
    return fail(CliErrc::appliance_refused, "the reply leads nowhere");
  return page;
}

/// Of the event's table; of a draw there the numbers of its wheel too.
const TableFacts& facts_of(TableBook& book, const json::Value& event) {
  static const TableFacts machine;
  const json::Value* table = event.find("table");
  const json::Value* kind = event.find("kind");
  if (table == nullptr || !table->is_string() || table->string().empty()) return machine;
  const bool drawn = kind != nullptr && *kind == json::Value("DRAW");
  return drawn ? book.with_wheel(table->string()) : book.facts(table->string());
}

Status print_event(const App& app, TableBook& book, const TailOptions& options,
                   const json::Value& event) {
  TALLA_TRY(const std::string bytes, text_at(event, {"record"}));
  if (options.raw) {
    app.say(bytes);
  } else if (!app.json) {
    TALLA_TRY(const json::Value record, json::parse(bytes));
    app.say(event_line(event, record, facts_of(book, event)));
  }
  app.emit(event);
  return {};
}

/// The newest of what is asked for, oldest first: windows are looked through from the end of the
/// log on, each twice as wide as the one before.
Result<std::deque<json::Value>> newest_events(Session& session, const TailOptions& options,
                                              std::int64_t to) {
  std::deque<json::Value> found;
  const auto wanted = static_cast<std::size_t>(options.limit);
  for (std::int64_t width = events_at_once; to > 0 && found.size() < wanted; width *= 2) {
    const std::int64_t from = std::max<std::int64_t>(0, to - width);
    std::deque<json::Value> window;
    for (std::int64_t after = from - 1; after + 1 < to;) {
      TALLA_TRY(const Page page, page_of_events(session, options, after, events_at_once));
      for (const json::Value& event : page.events) {
        TALLA_TRY(const std::int64_t seq, integer_at(event, {"seq"}));
        if (seq >= to) break;
        window.push_back(event);
        if (window.size() > wanted) window.pop_front();
      }
      if (!page.more) break;
      after = page.next;
    }
    found.insert(found.begin(), window.begin(), window.end());
    to = from;
  }
  while (found.size() > wanted) found.pop_front();
  return found;
}

/// Prints what comes until the appliance ends the connection for good or the user the command.
Status follow_events(const App& app, Session& session, TableBook& book, const TailOptions& options,
                     std::int64_t after) {
  while (true) {
    TALLA_TRY(const Page page, page_of_events(session, options, after, events_at_once));
    for (const json::Value& event : page.events)
      TALLA_TRY_STATUS(print_event(app, book, options, event));
    after = page.next;
    if (!page.more) std::this_thread::sleep_for(pause_between_looks);
  }
}

/// Those behind `options.after`, oldest first; how far was looked.
Result<std::int64_t> print_behind(const App& app, Session& session, TableBook& book,
                                  const TailOptions& options) {
  std::int64_t after = options.after;
  for (std::int64_t left = options.limit; left > 0;) {
    TALLA_TRY(const Page page, page_of_events(session, options, after, left));
    for (const json::Value& event : page.events)
      TALLA_TRY_STATUS(print_event(app, book, options, event));
    left -= static_cast<std::int64_t>(page.events.size());
    after = page.next;
    if (!page.more) break;
  }
  return after;
}

/// They become part of a request's line.
Status check_words(const TailOptions& options) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  if (std::ranges::all_of(options.table, is_word) && std::ranges::all_of(options.kind, is_word))
    return {};
  return fail(CliErrc::usage, "--table takes an id like table-9, --kind a word like DRAW");
}

Status print_tail(const App& app, Session& session, const TailOptions& options) {
  TALLA_TRY_STATUS(check_words(options));
  TableBook book(session);
  std::int64_t last = -1;
  if (options.after < -1) {
    TALLA_TRY(const json::Value status, session.get("/v1/status"));
    TALLA_TRY(const std::int64_t size, integer_at(status, {"size"}));
    TALLA_TRY(const auto newest, newest_events(session, options, size));
    for (const json::Value& event : newest)
      TALLA_TRY_STATUS(print_event(app, book, options, event));
    last = size - 1;
  } else {
    TALLA_TRY(last, print_behind(app, session, book, options));
  }
  if (!options.follow) return {};
  return follow_events(app, session, book, options, last);
}

}  // namespace

void add_log_tail(commandline::Command& log, App& app) {
  auto options = std::make_shared<TailOptions>();
  auto* tail = log.add_subcommand("tail", "the newest records this client may see, in words");
  tail->add_option("--after", options->after,
                   "instead of the newest those after this sequence number; -1: from the first");
  tail->add_option("--limit", options->limit, "at most so many")
      ->range<std::int64_t>(1, events_at_once)
      ->capture_default_str();
  tail->add_option("--table", options->table, "of this table alone, e.g. table-9");
  tail->add_option("--kind", options->kind, "of this kind alone, e.g. DRAW");
  tail->add_flag("--follow", options->follow, "go on with those that come, until interrupted");
  tail->add_flag("--raw", options->raw, "the records themselves instead of words");
  tail->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_tail(app, session, *options); });
  });
}

}  // namespace talla::cli
