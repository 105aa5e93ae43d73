/// \file
/// What the software is: the SOFTWARE record of a start, checks of its files, and answers to who
/// challenges it.
///
/// A change is taken by a start alone, after two persons approved its manifest and while nothing is
/// open (PROTOCOL section 8); a start with any other one latches. A check that finds something
/// latches.
#pragma once

#include "admission.hpp"
#include "core/software_hook.hpp"
#include "duty.hpp"
#include "replies.hpp"

namespace talla::core {

class SoftwareWatch : public Duty {
 public:
  SoftwareWatch(Appliance& appliance, Replies& replies)
      : appliance_(appliance), replies_(replies) {}

  /// True when it was a challenge of the software: taken or refused, and never a command. Any
  /// thread.
  [[nodiscard]] bool challenged(const Admitted& asked, Answer& answer);
  /// Those who wait for the record of their challenge get this instead.
  void refuse_challenges(const Reply& reply);
  /// Refuses an update to the software of that manifest: it counts already (wrong_state), or
  /// something is open (not_at_rest).
  [[nodiscard]] Status update_possible(const Digest& manifest) const;
  [[nodiscard]] json::Object view() const;

  /// SOFTWARE. Another manifest than the one that counts needs its approval, and that nothing is
  /// open; else it latches.
  [[nodiscard]] Status on_start(Transaction& tx) override;
  /// Checks that are over: their records, the latch, the answers.
  void on_turn() override;
  void on_ended_turn() override;
  void on_pause() override;
  [[nodiscard]] std::optional<Error> objection() const override;
  [[nodiscard]] std::string cause() const override;

 private:
  [[nodiscard]] Status take_challenge(const Admitted& asked, Answer& answer);
  [[nodiscard]] Result<std::uint64_t> record_check(const SoftwareCheck& check);

  Appliance& appliance_;
  Replies& replies_;
  std::atomic<bool> bad_{false};  // by the last check
  std::optional<Digest> counts_;  // manifest of the last start in order; set at the start
  std::optional<SoftwareCheck::Finding> held_;  // a changed manifest that the start did not take
};

}  // namespace talla::core
