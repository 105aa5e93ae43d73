/// \file
/// Resume points in the life of the service: written now and then and at a clean stop, read at a
/// start.
///
/// Threads: the sequencer's.
#pragma once

#include <map>

#include "appliance.hpp"
#include "resume.hpp"

namespace talla::core {

class ResumePoints {
 public:
  explicit ResumePoints(Appliance& appliance) : appliance_(appliance) {}

  /// Into the running group: of tables whose last one is old; `all`: of every table at rest.
  void stage(bool all);
  /// That of a table. Errors: not_found, replay_failed (it does not fit), those of the sealing.
  [[nodiscard]] Result<ResumePoint> read(const std::string& table) const;
  /// The table stands as its point of that seq says.
  void resumed(ObjectSeq table, std::uint64_t seq) { written_[table] = seq; }
  /// Whether a resume point has told what this record did.
  [[nodiscard]] bool told(ObjectSeq table, std::uint64_t seq) const;
  /// Tables whose point has told what this record did.
  [[nodiscard]] std::vector<ObjectSeq> told_of(std::uint64_t seq) const;
  /// Tables that are closed have none.
  void prune();

 private:
  Appliance& appliance_;
  std::map<ObjectSeq, std::uint64_t> written_;  // of open tables: the seq of the newest one
  std::uint64_t check_ = 0;                     // no point is due before the log is so long
};

}  // namespace talla::core
