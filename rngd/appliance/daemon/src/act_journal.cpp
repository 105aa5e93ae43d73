// Acts of persons and latches as lines of the journal.
#include "act_journal.hpp"

#include <algorithm>
#include <chrono>

#include "base/bytes.hpp"
#include "log.hpp"

namespace talla::rngd {

namespace {

/// Lines need not come at once: a busy log is looked through in long pieces.
constexpr auto gathered_for = std::chrono::milliseconds(250);
constexpr std::int64_t told_again_us = 60'000'000;
/// Records at most, of that minute.
constexpr std::int64_t looked_back = 10'000;
constexpr const char* ended_by_two = "a security officer and an inspector: latch-reset";

std::string member_of(const certs::Record& record, std::string_view name) {
  const auto* found = record.body.find(name);
  return found != nullptr && found->is_string() ? found->string() : std::string();
}

std::string persons_of(const certs::Record& record) {
  std::string all;
  const auto* by = record.body.find("by");
  if (by == nullptr || !by->is_array()) return all;
  for (const auto& id : by->array()) {
    if (id.is_string()) all += (all.empty() ? "" : " and ") + id.string();
  }
  return all;
}

std::string words_of(const certs::Record& record) {
  const auto words = from_base64url(record.note);
  return words ? std::string(words->begin(), words->end()) : std::string();
}

void tell_access(const certs::Record& record) {
  const std::string what = member_of(record, "what");
  const std::string seq = std::to_string(record.seq);
  if (what == "generator-latch") {
    rngd::log(Level::warning, "latched",
              {{"by", persons_of(record)},
               {"reason", "operator_request"},
               {"words", words_of(record)},
               {"record", seq},
               {"ended_by", ended_by_two}});
    return;
  }
  rngd::log(Level::notice, "act",
            {{"what", what},
             {"by", persons_of(record)},
             {"result", member_of(record, "result")},
             {"object", member_of(record, "object")},
             {"record", seq}});
}

/// Of tests only what latches, and what stands at a start.
void tell_selftest(const certs::Record& record) {
  if (member_of(record, "result") != "fail") return;
  const std::string test = member_of(record, "test");
  constexpr std::string_view happened = "generator-";
  constexpr std::string_view stands = "latch:";
  const bool now = test.starts_with(happened) && test != "generator-known-answers";
  if (!now && !test.starts_with(stands)) return;
  const std::string reason = test.substr(now ? happened.size() : stands.size());
  const std::string seq = std::to_string(record.seq);
  if (now) {
    return rngd::log(Level::error, "latched",
                     {{"by", "the appliance itself"},
                      {"reason", reason},
                      {"record", seq},
                      {"ended_by", ended_by_two}});
  }
  rngd::log(Level::error, "latched_still",
            {{"reason", reason}, {"record", seq}, {"ended_by", ended_by_two}});
}

}  // namespace

void ActJournal::start(std::uint64_t records, std::int64_t now_us) {
  since_us_ = now_us - told_again_us;
  query_ = {
      .after = std::max<std::int64_t>(static_cast<std::int64_t>(records) - looked_back, 0) - 1,
      .limit = 1000,
      .table = {},
      .kinds = {certs::Kind::access, certs::Kind::selftest}};
  watching_ = service_.subscribe([this] {
    const std::scoped_lock lock(mutex_);
    woken_ = true;
    changed_.notify_one();
  });
  woken_ = true;
  thread_ = std::thread([this] { run(); });
}

void ActJournal::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (!thread_.joinable()) return;
  thread_.join();
  watching_.reset();
  tell_new();
}

void ActJournal::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return woken_ || stopping_; });
    if (stopping_) return;
    changed_.wait_for(lock, gathered_for, [this] { return stopping_; });
    if (stopping_) return;
    woken_ = false;
    lock.unlock();
    tell_new();
    lock.lock();
  }
}

void ActJournal::tell_new() {
  const core::Client overseer{.id = "talla:journal", .spki = {}, .roles = {core::Role::auditor}};
  while (true) {
    const auto page = service_.events(overseer, query_);
    query_.after = page.next;
    for (const auto& event : page.events) {
      const auto record = certs::parse_record(event.record);
      if (!record || record->time_us < since_us_) continue;
      if (record->kind == certs::Kind::access) {
        tell_access(*record);
      } else {
        tell_selftest(*record);
      }
    }
    if (!page.more) return;
  }
}

}  // namespace talla::rngd
