/// \file
/// The inside of the service: queue, sequencer, group, replies.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "acts.hpp"
#include "commands.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "events.hpp"
#include "rate_limit.hpp"
#include "resume.hpp"
#include "route.hpp"

namespace talla::core {

class Service::Core {
 public:
  Core(Settings settings, Effects effects, std::unique_ptr<Catalogues> catalogues);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  /// Replay, machine records, open INTENTs (restart.cpp).
  [[nodiscard]] Status begin();

  void submit(Request request, Answer answer);
  void start();
  void stop();
  bool turn();
  void run_until_idle();

  [[nodiscard]] Readiness ready() const;
  [[nodiscard]] bool failed() const { return failed_; }
  void fail_now() { failed_ = true; }
  [[nodiscard]] std::uint64_t turns() const { return turns_; }
  [[nodiscard]] MetricsSnapshot metrics() const;
  [[nodiscard]] Events& events() { return events_; }

 private:
  struct Waiting {
    Request request;
    Answer answer;
    bool admitted = false;  ///< Role and rate were looked at: in an earlier group.
  };
  /// A keyed request under way, with everybody who waits for its reply.
  struct Running {
    Digest request{};
    std::vector<Answer> answers;
  };
  struct PendingDraw {
    ObjectSeq batch = 0;
    std::uint64_t intent = 0;
    std::string path;
    // Of its request, so that it can be answered when the INTENT is gone.
    certs::ReplyKey id{};
    Digest request{};
    std::string round{};
  };
  struct PlainReply {
    Answer answer;
    Reply reply;
  };

  // One turn (sequencer.cpp).
  [[nodiscard]] std::deque<Waiting> take();
  /// Waits a moment for those who were just answered, so that they share one group.
  void gather(std::unique_lock<std::mutex>& lock);
  /// Role and rate. Any thread.
  [[nodiscard]] std::optional<Reply> turned_away(const Request& request, const Result<Route>& route);
  void handle(Waiting waiting);
  void answer_now(Answer answer, Reply reply) { plain_.push_back({std::move(answer), std::move(reply)}); }
  void command(Waiting waiting, const Route& route);
  [[nodiscard]] Outcome run_command(const Call& call, const Route& route);
  /// True when the key is known: the stored reply, a join, or a refusal is on its way.
  [[nodiscard]] bool known_key(Waiting& waiting, const certs::ReplyKey& id, const Digest& digest);
  void store_reply(const certs::ReplyKey& id, const Digest& digest, int status, const json::Object& body,
                   const std::vector<std::uint64_t>& seqs);
  void complete_draws();
  /// A draw of a suspended table waits for the people who judge it (voids.cpp); false when it may go on.
  [[nodiscard]] bool hold(const PendingDraw& pending);
  /// Answers what was voided by order; false when its INTENT is open.
  [[nodiscard]] bool answer_voided(const PendingDraw& pending);
  void complete_one(const PendingDraw& pending);
  void expire_batches();
  void commit_group();
  void give_answers();
  void fail_everything();
  void prune();
  void keep_house();
  [[nodiscard]] Reply failed_reply() const;

  // Questions (queries.cpp).
  /// The reply to a question that rests on committed records alone; nothing for any other. Any thread.
  [[nodiscard]] std::optional<Reply> proof_query(const Request& request);
  [[nodiscard]] Reply query(const Request& request, const Route& route);
  [[nodiscard]] Result<json::Object> query_object(const Request& request, const Route& route);
  [[nodiscard]] Result<json::Object> object_view(const Request& request, const Route& route);
  [[nodiscard]] Result<json::Object> past_view(const Request& request, std::string_view object_class,
                                               const std::string& id);
  [[nodiscard]] Result<Reply> text_query(const Request& request, const Route& route);
  [[nodiscard]] Result<std::string> bundle(const Request& request, std::uint64_t seq);
  [[nodiscard]] Result<Reply> stored_request(const Request& request, const Route& route);
  [[nodiscard]] json::Object status_view() const;
  [[nodiscard]] bool sees(const Client& client, const Table& table) const;
  [[nodiscard]] const Round* live_round(const Table& table) const;
  [[nodiscard]] bool seated(const Client& client, const certs::LedgerRecord& stored) const;
  [[nodiscard]] Result<json::Object> card_view(const Request& request, const Route& route, const Shoe& shoe);

  // What was played and what is open (history.cpp).
  /// Rounds of one table, the newest first: query `limit` (10, at most 100), `before` (id of a round).
  [[nodiscard]] Result<json::Object> rounds_view(const Request& request, const Route& route);
  [[nodiscard]] Result<std::string> newest_round(const Table& table) const;
  /// Every round this client may see that is not ended.
  [[nodiscard]] json::Object incomplete_view(const Request& request);

  // The machine's own records (machine.cpp).
  [[nodiscard]] Status add_start_records();
  [[nodiscard]] Status add_client_records(Transaction& tx);
  void record_events();
  void record_monitor_reports();
  [[nodiscard]] Status record_report(const MonitorReport& report);
  [[nodiscard]] Status record_event(const entropy::Event& event);
  [[nodiscard]] Status record_alarm(const entropy::Event& event, const entropy::Evidence& evidence);
  [[nodiscard]] std::vector<std::string> overlapping(std::int64_t from_ns, std::int64_t to_ns) const;
  void watch_clock();

  // Latch and acts of two persons (latch.cpp).
  /// A latch outlives the process: the ledger keeps it until its reset is recorded.
  [[nodiscard]] Status load_latch();
  [[nodiscard]] Status reset_allowed() const;
  /// A shoe or batch that must go on has no usable secret.
  [[nodiscard]] bool secrets_lost() const;
  /// Records events, and how a reset ended behind the events that led to it.
  void watch_reset();
  [[nodiscard]] Status record_reset(const Status& ended);
  /// Starts the reset whose confirmation is durable.
  void begin_due_reset();
  /// Resets that a crash interrupted have failed: the latch stands.
  [[nodiscard]] Status end_interrupted_resets();
  [[nodiscard]] const Act* running_reset() const;
  void expire_acts();
  [[nodiscard]] Result<json::Object> acts_view(const Route& route) const;
  [[nodiscard]] Status commitments_allowed() const;

  // Restart (restart.cpp).
  [[nodiscard]] Status replay();
  [[nodiscard]] Status replay_record(const certs::LedgerRecord& stored, const std::set<std::string>& open);
  [[nodiscard]] std::optional<ObjectSeq> table_of_known(std::string_view object) const;
  [[nodiscard]] bool is_wanted(const certs::Record& record, const std::set<std::string>& open) const;
  [[nodiscard]] Status fold(const certs::Record& record, Overlay& overlay);
  [[nodiscard]] Status fold(std::uint64_t seq, Overlay& overlay);
  /// What a table that continues another took over; null for every other record.
  [[nodiscard]] Result<std::shared_ptr<const json::Value>> carried_over(const certs::Record& record) const;
  [[nodiscard]] Result<Secrets> unseal(const certs::Record& record);
  void latch_lost_secrets();
  [[nodiscard]] Status load_drafts();
  [[nodiscard]] Status complete_open_intents();

  // Resume points (resume_points.cpp).
  /// Into the running group: of tables whose last one is old; `all`: of every table at rest.
  void stage_resume_points(bool all);
  [[nodiscard]] Result<ResumePoint> resume_point(const std::string& table);
  [[nodiscard]] std::uint64_t resume_table(const certs::ObjectState& table);
  [[nodiscard]] bool told(ObjectSeq table, std::uint64_t seq) const;

  [[nodiscard]] Transaction::Effects tx_effects() const { return {context_, effects_.log, effects_.sealer}; }
  [[nodiscard]] Parts make_parts();
  void run();
  void count(const std::string& name, double by = 1.0);

  Settings settings_;
  Effects effects_;
  std::unique_ptr<Catalogues> catalogues_;
  ApplyContext context_;
  Parts parts_;
  Events events_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Waiting> queue_;              // mutex_
  bool stopping_ = false;                  // mutex_
  std::size_t wake_at_ = std::size_t(-1);  // mutex_; the sequencer sleeps until so many wait

  // The sequencer's own.
  World world_;
  std::map<ObjectSeq, std::uint64_t> resume_points_;  // of open tables: the seq of the newest one
  std::uint64_t resume_check_ = 0;                    // no point is due before the log is so long
  RateLimit rate_limit_;
  std::deque<Waiting> deferred_;
  std::map<certs::ReplyKey, Running> running_;
  std::vector<PendingDraw> pending_draws_;
  std::vector<PendingDraw> held_draws_;
  std::vector<certs::StoredReply> finished_;
  std::vector<PlainReply> plain_;
  std::set<ObjectSeq> unusable_;  // objects whose seal did not open
  std::size_t answered_ = 0;      // by the last group: as many are expected back
  std::int64_t gather_until_ns_ = 0;
  std::int64_t clock_offset_us_ = 0;
  bool reset_runs_ = false;
  bool monitor_latched_ = false;  // by a monitor whose alarm stands until the next start
  std::int64_t anchored_ns_ = 0;
  std::int64_t tiles_ns_ = 0;
  bool clean_before_ = false;
  bool ended_ = false;

  std::atomic<bool> failed_{false};
  std::atomic<std::uint64_t> turns_{0};
  std::atomic<bool> clock_stepped_{false};
  std::atomic<bool> latch_stands_{false};  // as the ledger has it
  std::atomic<bool> disk_low_{false};
  mutable std::mutex metrics_mutex_;
  std::map<std::string, double> counters_;  // metrics_mutex_
  std::map<std::string, double> gauges_;    // metrics_mutex_
  std::thread thread_;
};

}  // namespace talla::core
