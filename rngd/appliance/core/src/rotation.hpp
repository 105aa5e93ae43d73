/// \file
/// The log key, and its rotation by two persons: announced in the log under the present key, then
/// the next one signs.
///
/// Behind the confirmation a piece is done in each turn, also after a crash: the ends of all groups
/// are signed once more, then one group ends with the KEY and has the last signature. Nothing is
/// staged behind the KEY.
#pragma once

#include <functional>
#include <mutex>

#include "core/request.hpp"
#include "duty.hpp"

namespace talla::core {

struct Act;
enum class ActStage : std::uint8_t;

struct LogKeysNow {
  certs::LogKey present;
  std::vector<certs::RetiredKey> retired;  ///< oldest first
};

class LogKeyRotation : public Duty {
 public:
  /// `await_all`: ends when every group that was written is durable, or the service has failed.
  LogKeyRotation(Appliance& appliance, std::function<void()> await_all);

  /// The next key as configured. Errors: wrong_state (none, unreadable, of another log, or it does
  /// not follow the present one).
  [[nodiscard]] Result<NextLogKey> next_log_key() const;
  /// A piece of a confirmed rotation, behind the turn's commands; the last one ends the group with
  /// the KEY. True while there is work.
  [[nodiscard]] bool go_on();
  /// No record was added behind a KEY that announces a key: the old key's last signature is over
  /// that KEY.
  [[nodiscard]] bool whole() const;

  /// The KEY of the first start of a log.
  [[nodiscard]] Status on_start(Transaction& tx) override;
  /// When the group with the KEY is durable the new key signs from here on.
  void on_durable(std::uint64_t group) override;

  /// Of every size that was committed before the call. Any thread.
  [[nodiscard]] LogKeysNow log_keys() const;
  /// The same, proven. Any thread.
  [[nodiscard]] Result<Reply> log_keys_reply() const;

 private:
  struct Announced {
    NextLogKey next;
    std::uint64_t seq = 0;  // of the KEY in the running group
  };
  [[nodiscard]] Status sign_ends(std::uint64_t groups);
  void stage_signatures();
  void skip_signed(std::uint64_t groups);
  [[nodiscard]] Status announce(const Act& act, NextLogKey next);
  void finish(const Act& act, ActStage stage);

  Appliance& appliance_;
  std::function<void()> await_all_;
  std::optional<Announced> announced_;          // the KEY is staged or on its way
  std::uint64_t signed_groups_ = 0;             // ends of groups that are signed for a rotation
  std::vector<certs::Signature64> signatures_;  // of the document that is not whole yet
  mutable std::mutex mutex_;
  LogKeysNow keys_;  // mutex_
};

}  // namespace talla::core
