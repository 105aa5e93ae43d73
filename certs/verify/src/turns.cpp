// The turns of one table: one call after the other, each with its result before the next.
#include "turns.hpp"

#include <algorithm>

#include "evidence.hpp"

namespace talla::certs {
namespace {

/// A member of the core, whose form was checked with the record.
const json::Value& core_member(const Record& record, std::string_view name) {
  return *record.body.find("core")->find(name);
}

std::string waits_for(const Turns::OpenCall& call) {
  return "record " + std::to_string(call.seq) + " (CALL) has no result yet";
}

}  // namespace

bool ends_turn(const Record& record) {
  return record.kind == Kind::draw || record.kind == Kind::shoe_mix ||
         (record.kind == Kind::void_call && record.body.find("core") == nullptr);
}

void Turns::open() {
  turns_ = 0;
  known_ = true;
}

void Turns::forget(std::uint64_t begin) {
  turns_.reset();
  known_ = false;
  begin_ = begin;
  open_.reset();
}

Status Turns::next(const Record& record) {
  if (open_) return refuse(VerifyErrc::turn_open, record, waits_for(*open_));
  const auto turn = static_cast<std::uint64_t>(core_member(record, "turn").integer());
  if (turns_ && turn != *turns_ + 1)
    return refuse(
        VerifyErrc::turn_gap, record,
        "is turn " + std::to_string(turn) + " where " + std::to_string(*turns_ + 1) + " is next");
  turns_ = turn;
  known_ = true;
  return {};
}

void Turns::call(const Record& record) {
  open_ = OpenCall{.seq = record.seq,
                   .object = record.object,
                   .client = record.client,
                   .key = record.key,
                   .request = record.request,
                   .time_us = record.time_us,
                   .mixes = core_member(record, "use") == json::Value("mix"),
                   .round = core_member(record, "round").string()};
}

/// While a call is open nobody decides anything that it is about, and nothing of it ends: the
/// appliance could know the result already.
Status Turns::undisturbed(const Record& record, MixRule mix) const {
  if (!open_) return {};
  // A mix that is called for before the bets are closed is none that follows them.
  const bool bets = record.kind == Kind::bets_closed && open_->mixes && mix == MixRule::round;
  const bool object_ends = record.kind == Kind::shoe_close || record.kind == Kind::batch_close ||
                           record.kind == Kind::shoe_recommit;
  const bool of_round = kind_object(record.kind) == kind_object(Kind::round_open);
  const bool ends = record.kind == Kind::table_close || bets ||
                    (object_ends && record.object == open_->object) ||
                    (of_round && record.object == open_->round);
  if (!ends) return {};
  return refuse(VerifyErrc::turn_open, record, waits_for(*open_));
}

Status Turns::ends(const Record& record) const {
  const auto call = static_cast<std::uint64_t>(record.body.find("call")->integer());
  const bool mix = record.kind == Kind::shoe_mix;
  const auto none = mix ? VerifyErrc::mix_early : VerifyErrc::call_none;
  if (!open_) {
    if (!known_ && call < begin_) return {};
    return refuse(none, record, "no CALL is open");
  }
  if (call != open_->seq || record.object != open_->object)
    return refuse(none, record, "is of another CALL than the open one");
  if (!std::binary_search(record.cites.begin(), record.cites.end(), call))
    return refuse(VerifyErrc::call_uncited, record, "does not cite its CALL");
  const bool same = record.client == open_->client && record.key == open_->key &&
                    record.request == open_->request;
  if (record.kind != Kind::void_call && !same)
    return refuse(VerifyErrc::request_other, record, "answers another request than its CALL");
  return {};
}

void Turns::end() {
  open_.reset();
  known_ = true;
}

bool Turns::agree(std::uint64_t turns) {
  if (turns_ && *turns_ != turns) return false;
  turns_ = turns;
  return true;
}

}  // namespace talla::certs
