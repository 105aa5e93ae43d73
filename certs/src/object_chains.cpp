#include "object_chains.hpp"

#include <fmt/format.h>

namespace talla::certs {

namespace {

/// What ends an open CALL.
bool answers_call(Kind kind) {
  return kind == Kind::draw || kind == Kind::shoe_mix || kind == Kind::void_call;
}

/// Whether it may stand without one: a VOID answers also a core that became no CALL.
bool stands_alone(Kind kind) {
  return kind == Kind::void_call;
}

Status open_object(const LedgerRecord& record, ObjectStates& states) {
  if (record.prev || record.object != object_id(kind_object(record.kind), record.seq)) {
    return fail(Errc::group_refused,
                fmt::format("record {} does not open {}", record.seq, record.object));
  }
  states[record.object] = {.id = record.object, .opened = record.seq, .last = record.seq};
  return {};
}

Status continue_object(const LedgerRecord& record, ObjectState& state) {
  if (record.prev != state.last) {
    return fail(Errc::group_refused, fmt::format("record {} does not follow {} of {}", record.seq,
                                                 state.last, record.object));
  }
  if (state.closed) {
    return fail(Errc::group_refused,
                fmt::format("record {}: {} is closed", record.seq, record.object));
  }
  if (answers_call(record.kind) && !stands_alone(record.kind) && state.pending == 0) {
    return fail(Errc::group_refused,
                fmt::format("record {}: {} has no open CALL", record.seq, record.object));
  }
  if (state.pending > 0 && (record.kind == Kind::call || kind_closes(record.kind))) {
    return fail(Errc::group_refused,
                fmt::format("record {}: {} has an open CALL", record.seq, record.object));
  }
  if (record.kind == Kind::call) ++state.pending;
  if (answers_call(record.kind) && state.pending > 0) --state.pending;
  state.closed = state.closed || kind_closes(record.kind);
  state.last = record.seq;
  return {};
}

}  // namespace

Result<ObjectStates> advance_objects(std::uint64_t size, std::span<const LedgerRecord> records,
                                     const ObjectLookup& lookup) {
  ObjectStates states;
  for (const LedgerRecord& record : records) {
    if (record.seq != size) {
      return fail(Errc::group_refused, fmt::format("record {} where {} is next", record.seq, size));
    }
    ++size;
    if (record.object.empty()) {
      if (record.prev)
        return fail(Errc::group_refused, fmt::format("record {}: prev without object", record.seq));
      continue;
    }
    if (kind_opens(record.kind)) {
      TALLA_TRY_STATUS(open_object(record, states));
      continue;
    }
    auto known = states.find(record.object);
    if (known == states.end()) {
      TALLA_TRY(auto stored, lookup(record.object));
      if (!stored) {
        return fail(Errc::group_refused,
                    fmt::format("record {}: no object {}", record.seq, record.object));
      }
      known = states.emplace(record.object, std::move(*stored)).first;
    }
    TALLA_TRY_STATUS(continue_object(record, known->second));
  }
  return states;
}

}  // namespace talla::certs
