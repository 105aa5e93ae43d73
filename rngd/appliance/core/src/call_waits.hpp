/// \file
/// Who waits until a call has ended, by GET /v1/calls/{call}?wait=: answered when its end is
/// durable, or when the time that was asked for is over.
///
/// A client has a share of all that may wait; who finds it full is answered at once, as without
/// `wait`.
/// Threads: `answer` any; the rest is the sequencer's, but for its own, which tells.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "admission.hpp"
#include "aside.hpp"
#include "call_board.hpp"
#include "call_view.hpp"

namespace talla::core {

class CallWaits : public Duty {
 public:
  /// All together, and of one client.
  static constexpr std::size_t most = 4096;
  static constexpr std::size_t most_of_one = 512;

  /// So long one may wait.
  static constexpr std::int64_t seconds_max = 20;

  CallWaits(Appliance& appliance, CallBoard& board, const CallViews& views)
      : appliance_(appliance), board_(board), views_(views) {}

  /// GET /v1/calls/{call}: answered now or later, where durable records show it to this client.
  /// False, and `answer` is left as it was: another question, or one for the sequencer.
  [[nodiscard]] bool answer(const Admitted& asked, Answer& answer);
  /// From here on a thread of its own tells them; without it the sequencer does.
  void start_thread();
  /// Everybody is told what stands, and nobody waits any more.
  void end();
  /// Everybody is answered so.
  void fail(const Reply& reply);

  /// Those whose time is over.
  void on_turn() override;
  void on_ended_turn() override { on_turn(); }
  void on_durable(std::uint64_t group) override;

 private:
  struct Wait {
    Client client;
    std::int64_t until_ns = 0;
    Answer answer;
  };
  using Waits = std::multimap<std::uint64_t, Wait>;  // by seq of the CALL
  /// False: the call does not wait for anybody, or too many do.
  [[nodiscard]] bool park(std::uint64_t call, const Client& client, std::int64_t seconds,
                          Answer& answer);
  void forget_one(const std::string& client);
  /// Moves one of those who wait to those who are to be told; mutex_ is held.
  void tell_next(Waits::iterator wait);
  void tell_over();
  void told_now();

  Appliance& appliance_;
  CallBoard& board_;
  const CallViews& views_;
  std::mutex mutex_;
  bool closed_ = false;                           // mutex_
  Waits waits_;                                   // mutex_
  Waits over_;                                    // mutex_; to be told
  std::map<std::string, std::size_t> of_client_;  // mutex_; how many wait
  std::int64_t next_ns_ = 0;                      // mutex_; no time is over before it
  std::unique_ptr<Aside> thread_;                 // the last member: its end waits for its work
};

}  // namespace talla::core
