/// \file
/// The calls that wait for further contributors, as the durable state has them, for every thread:
/// what each binds and who has opened.
///
/// A call stands here from when its CALL is durable until what ended it is. Who does not find one
/// here and looks at the log behind that finds its end there.
/// Threads: `find` any; the rest is the sequencer's.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "duty.hpp"
#include "format/call.hpp"
#include "panel.hpp"

namespace talla::core {

/// What an opening is checked against.
struct PostedCall {
  certs::CallCore core;
  Digest digest{};            ///< C
  Digest opening{};           ///< leaf hash of the table's TABLE_OPEN
  std::int64_t until_us = 0;  ///< when who has not opened may be left out, UTC
};

class CallBoard : public Duty {
 public:
  struct Posted {
    std::shared_ptr<const PostedCall> call;        ///< never null
    std::shared_ptr<const CallOpenings> openings;  ///< durable; null: nobody has opened
  };
  explicit CallBoard(Appliance& appliance) : appliance_(appliance) {}

  /// At a start: what the state has is durable.
  void publish();
  /// Nothing: no call of that seq waits.
  [[nodiscard]] std::optional<Posted> find(std::uint64_t seq) const;
  /// Calls whose end became durable since the last time.
  [[nodiscard]] std::vector<std::uint64_t> take_ended() { return std::exchange(ended_, {}); }

  void on_written(std::uint64_t group) override;
  void on_durable(std::uint64_t group) override;

 private:
  /// What a group changes.
  struct Change {
    std::uint64_t call = 0;
    std::optional<Posted> posted;  ///< nothing: it ended
  };
  void note_changes(std::vector<Change>& changes);
  [[nodiscard]] std::shared_ptr<const PostedCall> posted_of(const Table& table) const;
  void take(std::vector<Change> changes);

  Appliance& appliance_;
  std::map<ObjectSeq, Change> told_;                      // by table: what was noted last
  std::map<std::uint64_t, std::vector<Change>> changed_;  // by group
  std::vector<std::uint64_t> ended_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Posted> posted_;  // mutex_; by seq of the CALL
};

}  // namespace talla::core
