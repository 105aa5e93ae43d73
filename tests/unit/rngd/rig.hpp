/// \file
/// A whole appliance on simulated time: real ledger and keys in a temporary folder, a generator
/// that replays a fixed stream, no thread. `restart` is a crash and a new start on the same folder.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "certs/anchor.hpp"
#include "certs/log.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/seal.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "format/mix.hpp"
#include "verify/caller.hpp"
#include "verify/verdict.hpp"

namespace talla::core::test {

inline constexpr const char* rig_origin = "talla.test/rig";

/// Full-entropy bits from SHA-256 of a counter; alarms and latches on demand.
class FakeSupply final : public EntropySupply {
 public:
  explicit FakeSupply(Clock& clock) : clock_(clock) {}
  [[nodiscard]] Result<entropy::FullEntropy> full_entropy(std::size_t n_bytes) override;
  [[nodiscard]] std::size_t ready_bits() const override { return latched_ ? 0 : 4096; }
  [[nodiscard]] Result<entropy::GivenAway> give_away(std::size_t n_bytes) override;
  [[nodiscard]] std::size_t spare_bits() const override { return latched_ ? 0 : spare_bytes * 8; }
  [[nodiscard]] Status set_raw_aside(std::optional<std::size_t> source) override;
  [[nodiscard]] Result<SecretBytes> take_raw() override;
  [[nodiscard]] entropy::Evidence evidence() const override;
  [[nodiscard]] entropy::Metrics metrics() const override { return {}; }
  [[nodiscard]] std::optional<entropy::LatchReason> latched() const override { return latched_; }
  [[nodiscard]] std::vector<entropy::Event> take_events() override {
    return std::exchange(events, {});
  }
  void latch(entropy::LatchReason reason) override;
  void forget_latch() {
    latched_.reset();
    resetting_ = false;
    events.clear();
  }
  void begin_reset() override;
  void begin_test() override;
  [[nodiscard]] std::optional<Status> take_reset() override;

  std::vector<entropy::Event> events;
  bool pool_empty = false;
  /// What the start-up tests of a reset say; nothing: they run on.
  std::optional<bool> reset_passes = true;
  int resets = 0;
  /// The known answers of a test on demand hold; its sources are tested until `end_test`.
  bool answers_hold = true;
  int tests = 0;
  bool testing = false;
  std::string model = "rig";
  /// Every byte is this one: a generator gone as wrong as it can.
  std::optional<std::uint8_t> stuck;
  /// All bytes given out, in order: what no file and no reply may hold before its opening.
  Bytes given;
  /// What the outlet may give, and all that it gave, in order.
  std::size_t spare_bytes = 4096;
  Bytes given_away;
  /// Of which source raw samples are set aside, whether a run is ready, and all that were given.
  std::optional<std::size_t> raw_of;
  bool raw_ready = true;
  Bytes raw_given;

 private:
  Clock& clock_;
  std::uint64_t counter_ = 0;
  std::optional<entropy::LatchReason> latched_;
  bool resetting_ = false;
};

/// A client with a key and a certificate of its own, which all rigs share.
[[nodiscard]] Client table_client(const std::string& id);
/// The same, a person with that role.
[[nodiscard]] Client person_client(const std::string& id, Role role);
/// The key of that client's calls.
[[nodiscard]] std::shared_ptr<const certs::CallKey> table_call_key(const std::string& id);
/// That client's private key, PKCS#8 PEM.
[[nodiscard]] std::string table_key_pem(const std::string& id);
/// The signature of that client's key over a core.
[[nodiscard]] std::string sign_core(const Client& client, const std::string& core);

/// What is to be drawn at a table now, by its view.
[[nodiscard]] json::Value specification_due(const json::Value& view);
/// The records of a reply become the caller's.
void take_reply(certs::Caller& caller, const std::string& body);

struct Got {
  int status = 0;
  std::string body;
  json::Value json;
  std::optional<unsigned> retry_after_s;

  /// Of a refusal, or why the core of a call lapsed; else empty.
  [[nodiscard]] std::string code() const;
  [[nodiscard]] bool lapsed() const { return json.find("lapsed") != nullptr; }
  /// The member at a path of keys; the test fails when it is not there.
  [[nodiscard]] const json::Value& at(std::initializer_list<std::string_view> keys) const;
  [[nodiscard]] std::string text(std::initializer_list<std::string_view> keys) const {
    return at(keys).string();
  }
  [[nodiscard]] std::int64_t number(std::initializer_list<std::string_view> keys) const {
    return at(keys).integer();
  }
  /// The records of the receipts.
  [[nodiscard]] std::vector<certs::Record> records() const;
  /// The last one of that kind; the test fails when there is none.
  [[nodiscard]] certs::Record record(certs::Kind kind) const;
};

/// The folder and the keys of an appliance: what outlives its crash. Removed with it.
class RigDisk {
 public:
  /// `vfs` is the ledger's file system; empty: SQLite's own. `anchor`: null is a file of the
  /// folder.
  explicit RigDisk(std::string vfs, std::unique_ptr<certs::Anchor> anchor = nullptr);
  RigDisk(const RigDisk&) = delete;
  RigDisk& operator=(const RigDisk&) = delete;
  ~RigDisk();

  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// The bytes of every file of the folder: where no secret may be found.
  [[nodiscard]] std::string all_files() const;
  /// Of the development keys that all rigs share: ca.pem, log-certificate.pem, log-certificate.key,
  /// log.key, log-key.json.
  [[nodiscard]] static std::string keys();
  /// From the next opening on another sealing key: what was sealed opens no more.
  void lose_seals();
  [[nodiscard]] const certs::Sealer& sealer() const { return *sealer_; }
  /// All of that kind in the log, oldest first.
  [[nodiscard]] std::vector<certs::Record> records(certs::Kind kind);

  /// Beside the anchor, from the next opening on; null: none.
  certs::OuterAnchor* outer = nullptr;
  /// Opens ledger and log with the key among these that signs it now.
  [[nodiscard]] Result<certs::ChosenLogKey> open_log_with(
      Clock& clock, const std::vector<certs::LogKeySource>& log_keys);
  void close_log();
  // Preconditions of these: the log is open.
  [[nodiscard]] certs::Log& log() { return *log_; }
  [[nodiscard]] certs::Ledger& ledger() { return *ledger_; }
  [[nodiscard]] const certs::OpensslHashes& hashes() const { return hashes_; }

 private:
  std::string folder_;
  std::string vfs_;
  certs::OpensslHashes hashes_;
  std::shared_ptr<certs::Ed25519Signer> signer_;
  std::optional<certs::Sealer> sealer_;
  std::unique_ptr<certs::Anchor> anchor_;
  std::unique_ptr<certs::Ledger> ledger_;
  std::unique_ptr<certs::Log> log_;
};

/// What a service is opened with, from the next opening on.
struct RigParts {
  ManualClock clock;
  FakeSupply supply{clock};
  Settings settings;
  /// Where log keys are, as a configuration names them; the second one is what a rotation takes.
  std::vector<certs::LogKeySource> log_keys;
  /// Folder of tile files; empty: none are written.
  std::string tiles;
  std::optional<certs::TileWriter> tile_writer;
  /// Makes the monitors; they must outlive the service.
  std::function<MonitorHook*(certs::Ledger&)> monitors;
  SoftwareHook* software = nullptr;
  CertificationHook* certification = nullptr;
};

class Rig : public RigDisk, public RigParts {
 public:
  /// As for RigDisk.
  explicit Rig(Settings settings = {}, std::string vfs = {},
               std::unique_ptr<certs::Anchor> anchor = nullptr);
  ~Rig();

  /// Drops the service without a clean stop, opens ledger, log and service again.
  void restart();
  /// Only drops it.
  void crash();
  /// The log of the folder opened without a service, for parts of one: behind a crash.
  [[nodiscard]] Effects open_log();
  void open();
  /// The same, but a start that is refused is told and leaves the rig without a service.
  void try_open(const std::function<void(const Error&)>& refused);

  /// One request, run until nothing is left to do. POSTs get a fresh key unless one is given.
  Got post(const std::string& path, const std::string& body = "{}", std::string key = {});
  Got get(const std::string& path);
  /// The same as another client.
  Got post_as(const Client& who, const std::string& path, const std::string& body = "{}",
              std::string key = {});
  /// What a person signs of an act on an object at a head, in base64; `digest`: hex.
  [[nodiscard]] static std::string order_signature(const Client& who, const std::string& act,
                                                   const std::string& object,
                                                   const std::string& head,
                                                   const std::string& digest = {});
  /// An act on an object of that table, asked for by a person; `more`: further members.
  Got ask_order(const Client& who, const std::string& act, const std::string& object,
                const std::string& table, json::Object more = {});
  /// Confirmed by another one.
  Got confirm_order(const Client& who, const Got& asked);
  /// Security officer and inspector reset the latch.
  Got reset_latch();
  Got ask(Request request);
  /// Queues it; the reply appears in the result after the next turns.
  std::shared_ptr<std::optional<Reply>> send(Request request);
  [[nodiscard]] Request request(std::string method, std::string path, std::string body = {},
                                std::string key = {});

  /// Steps of a table in one call each; they fail the test when refused.
  std::string open_table(const std::string& body);
  Got deal_ready_shoe(const std::string& table);
  /// 32 bytes in hex that were not given before.
  [[nodiscard]] std::string nonce();
  struct OpenBatch {
    std::string table, id, root;
  };
  OpenBatch open_batch(const std::string& table, int count = 16);
  [[nodiscard]] std::string draw_body(const OpenBatch& batch, int index,
                                      const std::string& round = {});
  /// The call that mixes the newest root of a shoe.
  [[nodiscard]] std::string mix_body(const std::string& shoe);
  /// What a call of the table says now, but for what `draw_body` and `mix_body` add.
  [[nodiscard]] json::Object core_of(const std::string& table, const std::string& round = {});
  /// The core of that mix.
  [[nodiscard]] json::Object mix_core(const std::string& shoe);
  /// Body of a request: the core, signed by the key of the rig's client.
  [[nodiscard]] std::string signed_core(json::Object core);
  /// The table's side of its calls, for who may ask nothing between them; it opened it just now.
  [[nodiscard]] certs::Caller caller(const std::string& table);
  /// An alarm of level 1 over everything committed so far; the next turn takes it.
  void alarm();
  /// Verifies the bundle of a record against the rig's own root.
  void verify(std::uint64_t seq);
  /// The same with an auditor's openings, or without; the verdict or the verifier's refusal.
  Result<certs::Verdict> judge(std::uint64_t seq, const std::string& openings = {});

  [[nodiscard]] Service& service() { return *service_; }

  /// Opens tables and signs their calls.
  Client client = table_client("talla:table-1");
  // Enrolled in the settings.
  const Client officer = person_client("talla:officer-1", Role::security_officer);
  const Client inspector = person_client("talla:inspector-1", Role::inspector);
  const Client operator_ = person_client("talla:operator-1", Role::operator_);

 private:
  [[nodiscard]] Result<Effects> effects();
  std::unique_ptr<Service> service_;
  std::uint64_t keys_ = 0;
  std::uint64_t nonces_ = 0;
};

/// A spin of a wheel_table: the body of its request.
[[nodiscard]] std::string wheel_call(certs::Caller& caller, const Rig::OpenBatch& batch, int index);

/// Tables of tests try again as often as a policy can allow.
inline const std::string roulette_table =
    R"({"catalogue":"es-1977","game":"french-roulette","table":{"currency":"ESP","unit":1,"min":25},)"
    R"("max_voids":16})";
inline const std::string craps_table =
    R"({"catalogue":"es-1977","game":"craps","table":{"currency":"ESP","unit":1,"min":25},)"
    R"("max_voids":16})";
inline const std::string punto_table =
    R"({"catalogue":"es-1977","game":"punto-banco","table":{"currency":"ESP","unit":1,"min":100},)"
    R"("max_voids":16})";
inline const std::string shoe_table =
    R"({"settled_by":"client","deck":"french52x8","max_voids":16})";
inline const std::string wheel_table =
    R"({"settled_by":"client","range":{"kind":"wheel","pockets":37},"max_voids":16})";

/// The mix that the reply's SHOE_MIX stands for.
[[nodiscard]] certs::Mix mix_in(const Got& reply);

}  // namespace talla::core::test
