/// \file
/// Health alarms of a simulated appliance and the two persons who judge the tables that they
/// suspend: finished, or voided with all that was committed. Until then nothing is played there,
/// behind no start either.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "random.hpp"
#include "rig.hpp"

namespace talla::sim {

struct JudgeCounts {
  std::uint64_t alarms = 0, suspended = 0, finished = 0, voided = 0;
  void add(const JudgeCounts& other);
};

class Judges {
 public:
  /// `random` must outlive it.
  explicit Judges(Random& random) : random_(&random) {}

  /// Everything committed so far is suspect; the next turn takes it.
  void alarm(core::test::Rig& rig);
  /// Looks whether this table is suspended, and judges it now and then.
  void look(core::test::Rig& rig, const std::string& table);
  /// An acknowledged reply to that table's client. Throws Failure when it tells of play while the
  /// table was known to be suspended.
  void answered(const std::string& table, const core::Reply& reply) const;
  /// Behind a start: who was suspended still is. Throws Failure.
  void check_after_start(core::test::Rig& rig) const;
  [[nodiscard]] const JudgeCounts& counts() const { return counts_; }

 private:
  void judge(core::test::Rig& rig, const std::string& table);

  Random* random_;
  std::size_t looks_ = 0;                           // that are left after the last alarm
  std::map<std::string, std::uint64_t> suspended_;  // table -> records when it was seen so
  JudgeCounts counts_;
};

}  // namespace talla::sim
