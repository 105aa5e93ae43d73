/// \file
/// What stands around a simulated appliance beside its disk, and fails: the rollback anchor, which
/// is away, forgets or lies; older copies of the disk, which somebody puts in its place; the folder
/// of the tiles, which takes nothing or loses what no checkpoint covers.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "certs/anchor.hpp"
#include "disk.hpp"
#include "random.hpp"
#include "rig.hpp"
#include "witness_side.hpp"

namespace talla::sim {

/// An anchor in memory.
class SimAnchor final : public certs::Anchor {
 public:
  [[nodiscard]] Result<std::optional<certs::AnchorState>> read() override;
  [[nodiscard]] Status write(const certs::AnchorState& state) override;

  bool away = false;
  bool read_only = false;  ///< away for who writes
  /// What is read instead of the newest state.
  std::optional<certs::AnchorState> shown;
  /// Oldest first; the last one is the newest.
  std::deque<certs::AnchorState> states;
  std::uint64_t failed = 0;  ///< writes while it was away
};

struct AroundCounts {
  /// Starts that were refused as they must be: the anchor away, another history in it, an older
  /// copy of the disk.
  std::uint64_t anchors_away = 0, anchors_lying = 0, copies_refused = 0;
  std::uint64_t anchors_forgetful = 0;  ///< starts behind an anchor that was set back
  std::uint64_t anchor_writes_failed = 0;
  std::uint64_t tiles_blocked = 0;  ///< times that the folder took nothing, or no checkpoint
  std::uint64_t tiles_torn = 0, tiles_read = 0;
  /// Checkpoints that a witness was not there for; second histories that it refused; starts on an
  /// older copy of disk and anchor together, which it alone can tell.
  std::uint64_t witness_away = 0, histories_refused = 0, witness_refused = 0;
  void add(const AroundCounts& other);
};

class Around {
 public:
  /// `anchor` and `random` outlive it.
  Around(SimAnchor& anchor, Random& random) : anchor_(&anchor), random_(&random) {}

  /// From the next start on a witness is asked too.
  void call_witness(core::test::Rig& rig);
  /// Something that goes wrong in the turns that follow, or ends.
  void plan(core::test::Rig& rig);
  /// All is well from here on.
  void calm();
  /// With the rig closed. Starts that must be refused are tried, and throw Failure when they are
  /// not; then all is there for a start that must succeed.
  void before_start(core::test::Rig& rig, bool power_lost);
  /// The rig is open: the anchor is what it was.
  void started() { anchor_->shown.reset(); }
  /// Of a log that was stopped: every tile holds what it must. Throws Failure.
  void check_tiles(core::test::Rig& rig);
  [[nodiscard]] AroundCounts counts() const;

 private:
  void refuse(core::test::Rig& rig, certs::Errc errc, const char* what);
  void put_old_copy(core::test::Rig& rig);
  void watch_anchor(core::test::Rig& rig);
  void plan_witness();
  void block_tiles(const std::string& folder);
  void free_tiles();
  void tear_tiles(const std::string& folder);

  SimAnchor* anchor_;
  Random* random_;
  struct Copy {
    std::uint64_t size = 0;  ///< records
    Disk::Files files;
    certs::AnchorState anchor;  ///< of that day
  };
  std::optional<Copy> copy_;
  /// The log as it was seen then; the anchor must have come so far within its interval.
  struct Seen {
    std::int64_t since_us = 0;
    std::uint64_t size = 0;  ///< records
    int turns_left = 0;      ///< with its time over
  };
  std::optional<Seen> seen_;
  std::string blocked_;                  // path that lies under the name with `.away`; empty: none
  std::unique_ptr<SimWitness> witness_;  // null: none
  AroundCounts counts_;
};

}  // namespace talla::sim
