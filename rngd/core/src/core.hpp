/// \file
/// The inside of the service: queue, sequencer, group, replies.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "acts.hpp"
#include "aside.hpp"
#include "commands.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "events.hpp"
#include "pace.hpp"
#include "rate_limit.hpp"
#include "resume.hpp"
#include "route.hpp"
#include "syncs.hpp"

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
  void note_refused(RefusedCertificate refused);
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
  [[nodiscard]] std::optional<Client> enrolled(const std::string& id, const std::string& spki) const;
  void serving() { serving_ = true; }

 private:
  static constexpr auto asleep = static_cast<std::size_t>(-1);
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
  struct KeyHash {
    std::size_t operator()(const certs::ReplyKey& id) const {
      const std::hash<std::string_view> hash;
      return hash(id.key) ^ (hash(id.client) * 31);
    }
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
  /// Something that stops new commitments and ends by itself.
  struct Condition {
    const char* name;   ///< of its SELFTEST
    bool told = false;  ///< what the log says of it in this boot
  };
  struct PlainReply {
    Answer answer;
    Reply reply;
  };

  using People = std::map<std::string, Client, std::less<>>;  ///< Enrolled clients by id.
  /// A group that is written, and what waits until it is durable.
  struct Flight {
    std::uint64_t number = 0;
    bool reset = false;  ///< a reset of the latch is confirmed in it or before it
    std::vector<certs::StoredReply> finished;
    std::vector<PlainReply> plain;
    std::vector<PendingDraw> draws;  ///< of its INTENTs
    std::optional<People> people;    ///< enrolled from it on, where it changes that
  };

  // One turn (sequencer.cpp).
  [[nodiscard]] std::deque<Waiting> take();
  /// Role and rate. Any thread.
  [[nodiscard]] std::optional<Reply> turned_away(const Request& request, const Result<Route>& route);
  void handle(Waiting waiting);
  bool turn_ended();
  /// Precondition: the log has ended.
  [[nodiscard]] Error ended_error() const;
  void answer_now(Answer answer, Reply reply) { plain_.push_back({std::move(answer), std::move(reply)}); }
  void command(Waiting waiting, const Route& route);
  [[nodiscard]] Outcome run_command(const Call& call, const Route& route);
  /// True when the key is known: the stored reply, a join, or a refusal is on its way.
  [[nodiscard]] bool known_key(Waiting& waiting, const certs::ReplyKey& id, const Digest& digest);
  void store_reply(const certs::ReplyKey& id, const Digest& digest, int status, json::Object body,
                   const std::vector<std::uint64_t>& seqs);
  /// How many got their outcome.
  std::size_t complete_draws();
  /// A draw of a suspended table waits for the people who judge it (voids.cpp); false when it may go on.
  [[nodiscard]] bool hold(const PendingDraw& pending);
  /// Answers what was voided by order; false when its INTENT is open.
  [[nodiscard]] bool answer_voided(const PendingDraw& pending);
  void complete_one(const PendingDraw& pending);
  void expire_batches();
  void prune();
  /// Disk, anchor, tiles, gauges. In every turn without work, and in one of `house_every` with work.
  void keep_house();
  void write_tiles();
  static constexpr std::uint64_t house_every = 16;
  void watch_disk();
  void tell(Condition& condition, bool stands);

  // Groups on their way to the disk (flights.cpp).
  /// mutex_
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] std::size_t group_room() const;
  /// Waits a moment for those who were just answered, so that they share one group.
  void gather(std::unique_lock<std::mutex>& lock);
  /// Writes the staged group. What waits for it is done when it has landed: answers, and outcomes of its INTENTs.
  void commit_group();
  [[nodiscard]] bool work_waits();
  /// Ends when a sync did. Without threads of its own it syncs itself.
  void await_landing();
  void await_all();
  /// Takes in what became durable.
  void land();
  void give_answers(Flight flight);
  static void answer(std::vector<PlainReply> replies);
  void fail_everything();
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
  [[nodiscard]] Result<std::string> newest_proof(certs::LedgerRecord record);
  [[nodiscard]] Result<std::string> bundle(const Request& request, std::uint64_t seq);
  [[nodiscard]] Result<Reply> stored_request(const Request& request, const Route& route);
  [[nodiscard]] json::Object status_view() const;
  [[nodiscard]] bool sees(const Client& client, const Table& table) const;
  [[nodiscard]] json::Object shared_meter_view(const Client& client, const SharedMeter& meter) const;
  [[nodiscard]] const Round* live_round(const Table& table) const;
  [[nodiscard]] bool seated(const Client& client, const certs::LedgerRecord& stored) const;
  [[nodiscard]] Result<json::Object> card_view(const Request& request, const Route& route, const Shoe& shoe);

  // Machines and auditors (release_view.cpp).
  [[nodiscard]] Result<json::Object> release_of(const Request& request, const Shoe& shoe);
  [[nodiscard]] Result<SecretBytes> unsealed(const std::string& object, std::uint64_t seq);
  [[nodiscard]] Result<certs::Openings> openings(const std::string& shoe);
  /// The file, for an auditor whose ACCESS is in the log.
  [[nodiscard]] Result<Reply> openings_reply(const Request& request, const Route& route);

  // What was played and what is open (history.cpp).
  /// Rounds of one table, the newest first: query `limit` (10, at most 100), `before` (id of a round).
  [[nodiscard]] Result<json::Object> rounds_view(const Request& request, const Route& route);
  [[nodiscard]] Result<std::string> newest_round(const Table& table) const;
  /// Every round this client may see that is not ended.
  [[nodiscard]] json::Object incomplete_view(const Request& request);

  // The machine's own records (machine.cpp).
  [[nodiscard]] Status add_start_records();
  /// The clients and approvals that the ledger knows.
  [[nodiscard]] Status load_people();
  [[nodiscard]] Status add_config_record(Transaction& tx);
  /// From the first turn on in which the appliance serves, a start with the same configuration needs no approval.
  void keep_config();
  [[nodiscard]] Status add_client_records(Transaction& tx);
  /// What the record of a change since the last start cites: its approval; without one it is refused in production.
  [[nodiscard]] Result<std::vector<std::uint64_t>> approved_change(Transaction& tx, ActKind kind,
                                                                   const Digest& digest,
                                                                   const std::string& what) const;
  [[nodiscard]] People people_now() const;
  /// What the running group changes of it.
  [[nodiscard]] std::optional<People> changed_people();
  /// Lets others know who is enrolled, once that is durable.
  void publish_people(People people);
  void record_events();
  void record_monitor_reports();
  [[nodiscard]] Status record_report(const MonitorReport& report);
  [[nodiscard]] Status record_event(const entropy::Event& event);
  [[nodiscard]] Status record_alarm(const entropy::Event& event, const entropy::Evidence& evidence);
  [[nodiscard]] std::vector<std::string> overlapping(std::int64_t from_ns, std::int64_t to_ns) const;
  void watch_clock();
  void watch_anchor();
  /// ACCESS records of certificates that are over.
  void record_refused();

  // Software identity (software.cpp, update.cpp).
  /// SOFTWARE of this start. Another manifest than the last one needs its approval, and that nothing is open; else it latches.
  [[nodiscard]] Status add_software_record(Transaction& tx);
  [[nodiscard]] Status update_possible(const Digest& manifest) const;
  /// True when it was a challenge of the software: taken or refused, and never the sequencer's work. Any thread.
  [[nodiscard]] bool software_challenge(const Request& request, Answer& answer);
  [[nodiscard]] Status take_challenge(const Request& request, Answer& answer);
  /// Checks that are over: their records, the latch, the answers.
  void record_software();
  [[nodiscard]] Result<std::uint64_t> record_check(const SoftwareCheck& check);
  /// Those that wait for their record get this instead.
  void refuse_challenges(const Reply& reply);
  [[nodiscard]] json::Object software_view() const;

  // Latch and acts of two persons (latch.cpp).
  /// A latch outlives the process: the ledger keeps it until its reset is recorded.
  [[nodiscard]] Result<std::optional<entropy::LatchReason>> latch_of_log() const;
  [[nodiscard]] Status load_latch();
  /// What stands when this start begins, for the restart after it.
  [[nodiscard]] Status add_latch_record(Transaction& tx) const;
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
  /// A confirmed act of that kind that is not ended.
  [[nodiscard]] const Act* running(ActKind kind) const;
  void expire_acts();
  [[nodiscard]] Result<json::Object> acts_view(const Route& route) const;
  [[nodiscard]] Status commitments_allowed() const;

  // Rotation of the log key (rotation.cpp).
  /// The next key as configured. Errors: wrong_state (none, unreadable, of another log, or it does not follow the present one).
  [[nodiscard]] Result<NextLogKey> next_log_key() const;
  /// Of a confirmed rotation: signs the ends of groups, a piece in each turn; with the last piece the KEY, which ends the
  /// group. True while there is work.
  bool prepare_rotation();
  [[nodiscard]] Status sign_ends(std::uint64_t groups);
  void stage_signatures();
  void skip_signed(std::uint64_t groups);
  [[nodiscard]] Status announce(const Act& act, NextLogKey next);
  void end_rotation(const Act& act, ActStage stage);
  /// No record was added behind a KEY that announces a key: the old key's last signature is over that KEY.
  [[nodiscard]] bool rotation_whole() const;
  /// When the group with the KEY is durable: the new key signs from here on.
  void finish_rotation();
  struct LogKeysNow {
    certs::LogKey present;
    std::vector<certs::RetiredKey> retired;
  };
  /// Of every size that was committed before the call. From any thread.
  [[nodiscard]] LogKeysNow log_keys() const;
  [[nodiscard]] Result<Reply> log_keys_reply();

  // Restart (restart.cpp).
  [[nodiscard]] Status replay();
  [[nodiscard]] Status replay_record(const certs::LedgerRecord& stored, const std::set<std::string>& open);
  [[nodiscard]] std::optional<ObjectSeq> table_of_known(std::string_view object) const;
  /// The same for a record; a METER of a meter that tables share belongs to the table of its round.
  [[nodiscard]] std::optional<ObjectSeq> table_of_known(const certs::LedgerRecord& stored) const;
  /// A meter that tables share, as its newest record leaves it.
  [[nodiscard]] Status load_meter(const certs::ObjectState& object);
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
  std::deque<Waiting> queue_;               // mutex_
  bool stopping_ = false;                   // mutex_
  std::deque<RefusedCertificate> refused_;  // mutex_
  bool landed_ = false;                     // mutex_; a sync has ended
  std::size_t wake_at_ = asleep;            // mutex_; the sequencer sleeps until so many wait

  // The sequencer's own.
  World world_;
  std::map<ObjectSeq, std::uint64_t> resume_points_;  // of open tables: the seq of the newest one
  std::uint64_t resume_check_ = 0;                    // no point is due before the log is so long
  RateLimit rate_limit_;
  std::deque<Waiting> deferred_;
  std::unordered_map<certs::ReplyKey, Running, KeyHash> running_;
  std::vector<PendingDraw> pending_draws_;  // of the staged group's INTENTs
  std::vector<PendingDraw> due_draws_;      // of INTENTs that are durable
  std::vector<PendingDraw> held_draws_;
  std::vector<certs::StoredReply> finished_;
  std::vector<PlainReply> plain_;
  std::deque<Flight> flights_;    // oldest first
  std::unique_ptr<Syncs> syncs_;  // none: the sequencer syncs itself
  bool landed_one_ = false;       // since turns were counted last
  Pace pace_;
  std::size_t flights_max_ = 1;  // groups that may be written and not durable, in this turn
  std::int64_t waited_ns_ = 0;   // by this turn, for company or the disk
  std::map<std::string, std::int64_t> refused_ns_;  // key and reason: when the last ACCESS said so
  std::set<ObjectSeq> unusable_;                    // objects whose seal did not open
  std::size_t answered_ = 0;                        // by the last group: as many are expected back
  std::int64_t gather_until_ns_ = 0;
  std::int64_t clock_offset_us_ = 0;
  bool reset_runs_ = false;
  bool monitor_latched_ = false;  // by a monitor whose alarm stands until the next start
  std::int64_t anchored_ns_ = 0;
  std::int64_t anchor_good_ns_ = 0;  // when the anchor was last seen without lag, or to move
  std::uint64_t anchor_seen_ = 0;    // how far it was then
  std::int64_t tiles_ns_ = 0;
  std::unique_ptr<Aside> tiles_aside_;  // none: the sequencer writes tiles itself
  std::uint64_t busy_turns_ = 0;
  bool clean_before_ = false;
  bool config_known_ = false;  // the ledger knows that this configuration served
  bool ended_ = false;

  std::atomic<bool> failed_{false};
  std::atomic<bool> serving_{false};
  std::atomic<std::uint64_t> turns_{0};
  std::atomic<bool> clock_stepped_{false};
  std::atomic<bool> latch_stands_{false};  // as the ledger has it
  Condition disk_told_{"disk-reserve"};
  Condition anchor_told_{"rollback-anchor"};
  std::atomic<bool> disk_low_{false};
  std::atomic<bool> anchor_lost_{false};
  std::atomic<bool> software_bad_{false};  // by the last check
  std::optional<Digest> software_counts_;  // manifest of the last start in order; set at the start
  std::optional<SoftwareCheck::Finding> software_held_;  // a changed manifest that the start did not take
  mutable std::mutex metrics_mutex_;
  std::map<std::string, double> counters_;  // metrics_mutex_
  std::map<std::string, double> gauges_;    // metrics_mutex_
  struct Rotation {
    NextLogKey next;
    std::uint64_t announced = 0;  ///< seq of the KEY in the running group
  };
  std::optional<Rotation> rotation_;  // the sequencer's: the KEY is staged or on its way
  std::uint64_t signed_groups_ = 0;   // the sequencer's: ends of groups that are signed for a rotation
  std::vector<certs::Signature64> signatures_;  // the sequencer's: of the document that is not whole yet
  mutable std::mutex log_keys_mutex_;
  LogKeysNow log_keys_;  // log_keys_mutex_
  mutable std::mutex people_mutex_;
  People people_;  // people_mutex_
  std::thread thread_;
};

}  // namespace talla::core
