// Resume points in the life of the service: written now and then and at a clean stop, read at a
// start.
#include "resume_points.hpp"

#include <algorithm>
#include <limits>

#include "route.hpp"

namespace talla::core {
namespace {

constexpr std::string_view sealed_kind = "resume-point";
constexpr std::size_t points_of_a_group = 16;
/// With more tables than this each writes its point less often, so that points stay a small part of
/// what is written.
constexpr std::size_t tables_at_full_rate = 128;
/// A table that was busy when its point was due is looked at again after one record for so many
/// tables: with the next group or so. (Play in step may have it busy in every second group: after a
/// longer while it would be busy again.)
constexpr std::uint64_t tables_per_look = 8;

}  // namespace

void ResumePoints::stage(bool all) {
  const auto seq = appliance_.effects.log.next_seq();
  if (!all && seq < check_) return;
  const auto every =
      appliance_.settings.resume_interval *
      std::max<std::uint64_t>(1, appliance_.world().tables.size() / tables_at_full_rate);
  check_ = seq + std::max<std::uint64_t>(1, every / 16);
  bool busy = false;
  auto left = all ? std::numeric_limits<std::size_t>::max() : points_of_a_group;
  for (const auto& [opened, table] : appliance_.world().tables) {
    auto& before = written_.try_emplace(opened, opened).first->second;
    if (seq - before < (all ? 1 : every)) continue;
    if (!can_resume(appliance_.world(), table)) {
      busy = true;
      continue;
    }
    if (left-- == 0) {
      check_ = seq;  // the rest with the next group
      return;
    }
    const auto text = resume_text(appliance_.world(), table, seq);
    const auto sealed = appliance_.effects.sealer.seal(
        {appliance_.effects.log.origin(), seq, sealed_kind, table.id}, as_bytes(text));
    if (!sealed) return;  // no point is better than a wrong one
    appliance_.effects.log.group().documents.push_back(
        {certs::documents::resume_point(table.id), std::to_string(seq) + ":" + to_base64(*sealed)});
    before = seq;
  }
  if (busy)
    check_ = seq + std::max<std::uint64_t>(1, appliance_.world().tables.size() / tables_per_look);
}

Result<ResumePoint> ResumePoints::read(const std::string& table) const {
  TALLA_TRY(const auto text,
            appliance_.effects.log.ledger().document(certs::documents::resume_point(table)));
  if (!text) return fail(Errc::not_found, "no resume point");
  const auto colon = text->find(':');
  if (colon == std::string::npos) return fail(Errc::replay_failed, "resume point: damaged");
  TALLA_TRY(const auto seq, parse_number(text->substr(0, colon), json::integer_max));
  TALLA_TRY(const auto sealed, from_base64(text->substr(colon + 1)));
  TALLA_TRY(const auto plain,
            appliance_.effects.sealer.unseal(
                {appliance_.effects.log.origin(), seq, sealed_kind, table}, sealed));
  TALLA_TRY(auto point, ResumePoint::parse(std::string(plain.begin(), plain.end()), table));
  if (point.seq() != seq || seq > appliance_.effects.log.size())
    return fail(Errc::replay_failed, "resume point: of another log");
  return point;
}

bool ResumePoints::told(ObjectSeq table, std::uint64_t seq) const {
  const auto found = written_.find(table);
  return found != written_.end() && seq < found->second;
}

std::vector<ObjectSeq> ResumePoints::told_of(std::uint64_t seq) const {
  std::vector<ObjectSeq> tables;
  for (const auto& [table, point] : written_) {
    if (seq < point) tables.push_back(table);
  }
  return tables;
}

void ResumePoints::prune() {
  std::erase_if(written_, [this](const auto& item) {
    return !appliance_.world().tables.contains(item.first);
  });
}

}  // namespace talla::core
