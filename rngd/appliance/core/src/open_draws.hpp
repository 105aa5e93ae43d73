/// \file
/// Draws between their CALL and their outcome (PROTOCOL section 5).
///
/// A CALL goes to disk with its group; when it is durable the outcome is computed from the
/// committed secret. A draw of a suspended table is held until two persons have judged it.
#pragma once

#include "command.hpp"
#include "duty.hpp"
#include "replies.hpp"

namespace talla::core {

struct OpenDraw {
  ObjectSeq batch = 0;
  std::uint64_t call = 0;
  std::string path;
  // Of its request, so that it can be answered when the CALL is gone.
  certs::ReplyKey id{};
  Digest request{};
  std::string round{};
};

class OpenDraws : public Duty {
 public:
  OpenDraws(Appliance& appliance, const Parts& parts, Replies& replies)
      : appliance_(appliance), parts_(parts), replies_(replies) {}

  /// The CALL is in the running group; `path` is that of its request.
  void begin(ObjectSeq batch, std::uint64_t call, std::string path);
  /// CALLs that a start finds open are completed, held, or void where their secret is lost, which
  /// latches.
  /// Errors: replay_failed.
  [[nodiscard]] Status complete_found();
  /// Outcomes of those that are durable.
  void on_turn() override;

  /// How many got their outcome in the last turn.
  [[nodiscard]] std::size_t completed() const { return completed_; }
  /// CALLs of the running group.
  [[nodiscard]] std::size_t begun() const { return begun_.size(); }
  [[nodiscard]] std::vector<OpenDraw> take() { return std::exchange(begun_, {}); }
  /// Their group is durable.
  void landed(std::vector<OpenDraw> draws);
  [[nodiscard]] bool any_due() const { return !due_.empty(); }
  /// The service has failed: a restart completes them.
  void drop();

 private:
  /// Waits for the people who judge its table; false when it may go on.
  [[nodiscard]] bool hold(const OpenDraw& draw);
  /// Answers what was voided by order; false when its CALL is open.
  [[nodiscard]] bool answer_voided(const OpenDraw& draw);
  void complete(const OpenDraw& draw);
  [[nodiscard]] Status void_lost(const OpenDraw& draw);

  Appliance& appliance_;
  const Parts& parts_;
  Replies& replies_;
  std::vector<OpenDraw> begun_;  // of the running group's CALLs
  std::vector<OpenDraw> due_;    // of CALLs that are durable
  std::vector<OpenDraw> held_;
  std::size_t completed_ = 0;
};

}  // namespace talla::core
