// The records that a call may name as what it rests on.
#include "heads.hpp"

#include <algorithm>

#include "evidence.hpp"

namespace talla::certs {
namespace {

/// Kinds that may stand between the record whose head a core names and its CALL, when they are of
/// other objects: nothing that a result of this call rests on.
bool may_stand_between(Kind kind) {
  return kind == Kind::shoe_commit || kind == Kind::shoe_release || kind == Kind::shuffle_report ||
         kind == Kind::batch_commit || kind == Kind::batch_close;
}

}  // namespace

void Heads::reach(const Record& record) {
  if (!begin_) begin_ = record.seq;
}

void Heads::take(const Record& record, const Digest& head) {
  if (!may_stand_between(record.kind)) behind_.clear();
  behind_.push_back({record.seq, record.kind, record.object, head});
}

void Heads::forget() {
  begin_.reset();
  behind_.clear();
}

Result<bool> Heads::check(const Record& call, const CallCore& core) const {
  const bool ordered = call.body.find("order") != nullptr;
  const std::size_t before = before_shoe(call, core).size();
  if (before > 1 || call.cites.size() - before != (ordered ? 2U : 1U))
    return tl::unexpected(
        refuse(VerifyErrc::head_wrong, call, "cites more or less than the record of its head")
            .error());
  for (auto at = behind_.rbegin(); at != behind_.rend(); ++at) {
    if (std::ranges::binary_search(call.cites, at->seq)) {
      if (at->head == core.head) return true;
      return tl::unexpected(
          refuse(VerifyErrc::head_wrong, call, "its head is not that of the record it cites")
              .error());
    }
    if (may_stand_between(at->kind) && at->object != call.object) continue;
    return tl::unexpected(refuse(VerifyErrc::head_wrong, call,
                                 "record " + std::to_string(at->seq) + " (" +
                                     std::string(kind_name(at->kind)) +
                                     ") stands between its head and it")
                              .error());
  }
  return false;
}

std::span<const std::uint64_t> Heads::before_shoe(const Record& call, const CallCore& core) {
  const auto own = object_seq(kind_object(Kind::shoe_commit), core.object);
  if (core.use != CallUse::mix || !own) return {};
  const auto end = std::ranges::lower_bound(call.cites, *own);
  return {call.cites.begin(), end};
}

bool Heads::stands(const Digest& head) const {
  if (std::ranges::find(behind_, head, &Behind::head) != behind_.end()) return true;
  return behind_.empty() || may_stand_between(behind_.front().kind);  // behind a gap: not known
}

}  // namespace talla::certs
