// Resume points in the life of the service: written now and then and at a clean stop, read at a start.
#include <algorithm>
#include <limits>

#include "core.hpp"
#include "resume.hpp"

namespace talla::core {
namespace {

constexpr std::string_view sealed_kind = "resume-point";
constexpr std::size_t points_of_a_group = 16;
/// With more tables than this each writes its point less often, so that points stay a small part of what is written.
constexpr std::size_t tables_at_full_rate = 128;
/// A table that was busy when its point was due is looked at again after one record for so many tables: with the next
/// group or so. (Play in step may have it busy in every second group: after a longer while it would be busy again.)
constexpr std::uint64_t tables_per_look = 8;

}  // namespace

void Service::Core::stage_resume_points(bool all) {
  const auto seq = effects_.log.next_seq();
  if (!all && seq < resume_check_) return;
  const auto every =
      settings_.resume_interval * std::max<std::uint64_t>(1, world_.tables.size() / tables_at_full_rate);
  resume_check_ = seq + std::max<std::uint64_t>(1, every / 16);
  bool busy = false;
  auto left = all ? std::numeric_limits<std::size_t>::max() : points_of_a_group;
  for (const auto& [opened, table] : world_.tables) {
    auto& before = resume_points_.try_emplace(opened, opened).first->second;
    if (seq - before < (all ? 1 : every)) continue;
    if (!can_resume(world_, table)) {
      busy = true;
      continue;
    }
    if (left-- == 0) {
      resume_check_ = seq;  // the rest with the next group
      return;
    }
    const auto text = resume_text(world_, table, seq);
    const auto sealed =
        effects_.sealer.seal({effects_.log.origin(), seq, sealed_kind, table.id}, as_bytes(text));
    if (!sealed) return;  // no point is better than a wrong one
    effects_.log.group().drafts.push_back(
        {resume_document(table.id), std::to_string(seq) + ":" + to_base64(*sealed)});
    before = seq;
  }
  if (busy) resume_check_ = seq + std::max<std::uint64_t>(1, world_.tables.size() / tables_per_look);
}

Result<ResumePoint> Service::Core::resume_point(const std::string& table) {
  TALLA_TRY(const auto text, effects_.log.ledger().draft(resume_document(table)));
  if (!text) return fail(Errc::not_found, "no resume point");
  const auto colon = text->find(':');
  if (colon == std::string::npos) return fail(Errc::replay_failed, "resume point: damaged");
  TALLA_TRY(const auto seq, parse_number(text->substr(0, colon), json::integer_max));
  TALLA_TRY(const auto sealed, from_base64(text->substr(colon + 1)));
  TALLA_TRY(const auto plain,
            effects_.sealer.unseal({effects_.log.origin(), seq, sealed_kind, table}, sealed));
  TALLA_TRY(auto point, ResumePoint::parse(std::string(plain.begin(), plain.end()), table));
  if (point.seq() != seq || seq > effects_.log.size())
    return fail(Errc::replay_failed, "resume point: of another log");
  return point;
}

/// The seq from which the log has to be read for this table.
std::uint64_t Service::Core::resume_table(const certs::ObjectState& table) {
  const auto point = resume_point(table.id);
  if (!point) {
    if (!point.error().is(Errc::not_found)) count("talla_resume_points_refused_total");
    return table.opened;
  }
  Overlay overlay(world_);
  const auto resumed = [&]() -> Status {
    TALLA_TRY_STATUS(fold(table.opened, overlay));
    TALLA_TRY_STATUS(point->begin(overlay));
    for (const auto opening : point->openings()) TALLA_TRY_STATUS(fold(opening, overlay));
    return point->finish(overlay);
  }();
  if (!resumed) {
    count("talla_resume_points_refused_total");
    return table.opened;
  }
  overlay.keep();
  resume_points_[table.opened] = point->seq();
  return point->seq();
}

/// Whether a resume point has told what this record did.
bool Service::Core::told(ObjectSeq table, std::uint64_t seq) const {
  const auto found = resume_points_.find(table);
  return found != resume_points_.end() && seq < found->second;
}

}  // namespace talla::core
