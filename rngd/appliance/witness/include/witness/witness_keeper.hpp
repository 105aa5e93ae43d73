/// \file
/// Pushes the log's checkpoints to its witnesses from a thread of its own and keeps what they
/// cosigned; as an outer anchor it refuses a log that a witness has seen further, or otherwise.
///
/// At start:   every witness is sent the present checkpoint. One that has cosigned more, or another
///             history, ends the start. `answers_at_start` of them must have cosigned it; those
///             that do not answer are told of.
/// Running:    each `interval_ms`, when the log has grown; a witness that fails is left alone for
///             twice as long each time, up to five minutes. Draws never wait for it.
/// Second history: a checkpoint that a key of this log signed and this log does not contain ends
///             the daemon; a witness's word alone does not.
/// Errors:     anchor_unreachable, ledger_shorter, ledger_different, witness_state. Threads: any.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "certs/anchor.hpp"
#include "certs/openssl_hashes.hpp"
#include "witness/cosigned_store.hpp"
#include "witness/witness_peer.hpp"

namespace talla::rngd {

class WitnessKeeper final : public certs::OuterAnchor {
 public:
  struct Options {
    std::string origin;
    std::string store_path;
    std::vector<WitnessEndpoint> witnesses;
    std::int64_t interval_ms = 10'000;
    unsigned timeout_seconds = 5;
    std::size_t answers_at_start = 1;  ///< 0: none needs to answer
  };
  struct Events {
    std::function<void(const std::string& event, const std::string& detail)> say;
  };
  WitnessKeeper(Options options, Events events);
  ~WitnessKeeper() override;

  [[nodiscard]] std::string_view kind() const override { return "witness"; }
  [[nodiscard]] Result<std::uint64_t> compare(certs::Prover& prover, const Terms& terms) override;
  [[nodiscard]] Status write(const certs::AnchorState& state) override;
  void post(const certs::AnchorState& state) override;
  [[nodiscard]] std::uint64_t written_size() const override { return written_size_; }
  [[nodiscard]] std::uint64_t failures() const override { return failures_; }

  /// After `compare`. `second_history` is called at most once, from the keeper's thread.
  void start(std::function<void()> second_history);
  /// Ends the thread; what is being sent ends first.
  void stop();
  [[nodiscard]] std::optional<CosignedNote> covering(std::optional<std::uint64_t> seq) const {
    return store_.covering(seq);
  }
  void add_metrics(std::map<std::string, double>& counters,
                   std::map<std::string, double>& gauges) const;

 private:
  struct Member {
    std::unique_ptr<WitnessPeer> peer;
    std::int64_t retry_ms = 0;  ///< not before
    unsigned failed_rounds = 0;
    // metrics_mutex_
    std::uint64_t size = 0;
    std::uint64_t cosigned = 0;
    std::uint64_t failures = 0;
    std::uint64_t conflicts = 0;
  };
  void run();
  /// Pushes the present checkpoint; `all`: also those that wait after a failure. How many have
  /// cosigned it.
  [[nodiscard]] Result<std::size_t> round(bool all);
  [[nodiscard]] Status push(Member& member, const PushedHead& head);
  void failed(Member& member, const Error& error);
  [[nodiscard]] bool proven_second_history(Member& member);

  Options options_;
  Events events_;
  certs::OpensslHashes hashes_;
  CosignedStore store_;
  certs::Prover* prover_ = nullptr;
  std::mutex send_mutex_;             // one round at a time
  std::vector<Member> members_;       // send_mutex_, but for the metrics
  mutable std::mutex metrics_mutex_;  // inside send_mutex_
  std::function<void()> second_history_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // mutex_
  bool posted_ = false;    // mutex_
  std::atomic<std::uint64_t> written_size_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::thread thread_;
};

}  // namespace talla::rngd
