/// \file
/// Rounds of several tables in a ledger of memory, watched by the monitors: played by the engine,
/// recorded as an appliance records them, with lies where a test asks for them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../payments/watched_box.hpp"
#include "../payments/watched_table.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_shoe.hpp"
#include "format/game_events.hpp"
#include "format/parts.hpp"
#include "monitor/monitors.hpp"

namespace talla::rngd::test {

/// Keeps records, chains and the list of monitors; all else is not asked for.
class MemoryLedger final : public certs::Ledger {
 public:
  std::uint64_t add(certs::Kind kind, std::string object, const std::string& table,
                    json::Value body, std::vector<std::uint64_t> cites = {},
                    const std::string& client = {}) {
    certs::Record record;
    if (!client.empty()) record.client = certs::Client{.id = client};
    record.origin = "talla.test/house";
    record.seq = records_.size();
    record.kind = kind;
    record.object = std::move(object);
    record.cites = std::move(cites);
    record.body = std::move(body);
    if (!table.empty()) {
      record.table = table;
      record.link = Digest{};
      if (kind != certs::Kind::table_open) record.prev = record.seq - 1;
    }
    auto bytes = certs::write_record(record);
    if (!bytes) {
      ADD_FAILURE() << bytes.error().text();
      std::abort();
    }
    chains_[record.object].push_back(record.seq);
    certs::LedgerRecord stored;
    stored.seq = record.seq;
    stored.kind = kind;
    stored.object = record.object;
    stored.bytes = std::move(*bytes);
    records_.push_back(std::move(stored));
    return record.seq;
  }
  /// Rounds of long ago are not asked for any more: their bytes go.
  void forget_before(std::uint64_t seq) {
    for (; forgotten_ < seq; ++forgotten_) {
      if (records_[forgotten_].kind != certs::Kind::table_open) records_[forgotten_].bytes.clear();
    }
  }
  std::map<Digest, std::string> catalogues;
  std::string monitors;

  [[nodiscard]] std::uint64_t size() const override { return records_.size(); }
  [[nodiscard]] Result<certs::LedgerRecord> record(std::uint64_t seq) const override {
    if (seq >= records_.size()) return fail(certs::Errc::not_found, "no such record");
    return records_[seq];
  }
  [[nodiscard]] Result<std::vector<certs::LedgerRecord>> records(std::uint64_t from,
                                                                 std::uint64_t to) const override {
    std::vector<certs::LedgerRecord> all;
    for (auto seq = from; seq < std::min<std::uint64_t>(to, records_.size()); ++seq)
      all.push_back(records_[seq]);
    return all;
  }
  [[nodiscard]] Result<std::vector<certs::LedgerRecord>> chain(
      std::string_view object) const override {
    std::vector<certs::LedgerRecord> all;
    const auto found = chains_.find(std::string(object));
    if (found == chains_.end()) return all;
    for (const auto seq : found->second) all.push_back(records_[seq]);
    return all;
  }
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest) const override {
    const auto found = catalogues.find(digest);
    return found == catalogues.end() ? std::optional<std::string>() : found->second;
  }
  [[nodiscard]] Result<std::optional<std::string>> document(
      const certs::DocumentName& /*name*/) const override {
    return monitors.empty() ? std::optional<std::string>() : monitors;
  }

  [[nodiscard]] Result<std::uint64_t> write(
      std::shared_ptr<const certs::Group> /*group*/) override {
    return fail(certs::Errc::ledger_io, "nothing is written");
  }
  [[nodiscard]] Status sync() override { return {}; }
  [[nodiscard]] std::uint64_t durable_groups() const override { return 0; }
  [[nodiscard]] Result<std::optional<certs::StoredReply>> staging_reply(
      const certs::ReplyKey& /*id*/) override {
    return std::optional<certs::StoredReply>();
  }
  [[nodiscard]] bool latched() const override { return false; }
  [[nodiscard]] Status leaves(std::uint64_t /*from*/, std::uint64_t /*to*/,
                              const std::function<void(const Digest&)>& /*sink*/) const override {
    return {};
  }
  [[nodiscard]] Status group_ends(
      const std::function<void(std::uint64_t)>& /*sink*/) const override {
    return {};
  }
  [[nodiscard]] Result<std::optional<certs::ObjectState>> object(
      std::string_view /*id*/) const override {
    return std::optional<certs::ObjectState>();
  }
  [[nodiscard]] Result<std::vector<certs::ObjectState>> open_objects() const override {
    return std::vector<certs::ObjectState>();
  }
  [[nodiscard]] Result<std::vector<certs::SealedSecret>> sealed(
      std::string_view /*object*/) const override {
    return std::vector<certs::SealedSecret>();
  }
  [[nodiscard]] Result<std::optional<certs::StoredReply>> reply(
      const certs::ReplyKey& /*id*/) const override {
    return std::optional<certs::StoredReply>();
  }
  [[nodiscard]] Result<std::vector<certs::StoredReply>> replies(
      std::string_view /*client*/, std::string_view /*key*/) const override {
    return std::vector<certs::StoredReply>();
  }
  [[nodiscard]] Result<std::uint64_t> group_end(std::uint64_t seq) const override {
    return seq + 1;
  }
  [[nodiscard]] Result<std::uint64_t> disk_free_bytes() const override { return 0; }

 private:
  std::vector<certs::LedgerRecord> records_;
  std::map<std::string, std::vector<std::uint64_t>> chains_;
  std::uint64_t forgotten_ = 0;
};

using games::test::Coups;
using games::test::Spins;
using Results = std::vector<certs::SettlementResult>;

/// Tables of a catalogue and the monitors that watch them.
class PaidHouse {
 public:
  /// What is recorded instead of what the engine settled.
  using Lie = std::function<void(Results&)>;

  explicit PaidHouse(std::string_view catalogue = "es-1977") {
    static int houses = 0;
    folder_ = (std::filesystem::temp_directory_path() /
               ("talla-paid-" + std::to_string(::getpid()) + "-" + std::to_string(houses++)))
                  .string();
    std::filesystem::create_directories(folder_);
    for (const auto& file : games::embedded_catalogues()) {
      if (file.id != catalogue) continue;
      digest_ = hashes_.sha256({file.bytes});
      ledger.catalogues[digest_] = std::string(as_text(file.bytes));
    }
    start();
  }
  ~PaidHouse() {
    monitors.reset();
    std::filesystem::remove_all(folder_);
  }
  PaidHouse(const PaidHouse&) = delete;
  PaidHouse& operator=(const PaidHouse&) = delete;

  /// A new process: with the state of the last save, or after a crash.
  void start() {
    MonitorOptions options;
    options.state_file = folder_ + "/monitors.state";
    options.origin = "talla.test/house";
    monitors.reset();
    auto made = Monitors::create(
        options,
        {.clock = clock_, .ledger = ledger, .say = [this](const auto& event, const auto& detail) {
           said.push_back(event + " " + detail);
         }});
    if (!made) {
      ADD_FAILURE() << made.error().text();
      std::abort();
    }
    monitors = std::move(*made);
    take_reports();
  }
  void step() {
    monitors->step(nullptr);
    take_reports();
  }

  /// TABLE_OPEN of that game at that place; its id. `continues`: a table that was closed.
  std::string open(const std::string& place, const games::Table& table,
                   const std::string& client = {}, const std::string& continues = {}) {
    certs::TableOpenBody body;
    body.place = place;
    body.continues = continues;
    body.key = Bytes{1};
    body.chain = {Bytes{1}};
    body.game = table.rules().id;
    body.catalogue = digest_;
    body.parameters = games::to_json(table.config()).find("params") == nullptr
                          ? json::Value(json::Object())
                          : *games::to_json(table.config()).find("params");
    body.currency = "EUR";
    body.min = table.config().min;
    const std::string id = "table-" + std::to_string(ledger.size());
    std::vector<std::uint64_t> cites;
    if (closed_.contains(place)) cites.push_back(closed_[place]);
    ledger.add(certs::Kind::table_open, id, id, body.to_json(), cites, client);
    return id;
  }
  /// TABLE_CLOSE; it cites the end of its own last round alone.
  void close(const std::string& place, const std::string& table) {
    certs::TableCloseBody body;
    body.place = place;
    std::vector<std::uint64_t> cites;
    if (ended_.contains(table)) cites.push_back(ended_[table]);
    closed_[place] = ledger.add(certs::Kind::table_close, table, table, body.to_json(), cites);
  }
  /// A whole round of that table as it is recorded. `shown`: cards that it was played with;
  /// `events`: bets, cards and decisions of a game of choices instead.
  void round(const std::string& table, const std::vector<games::Bet>& bets, Results results,
             const std::string& shoe = {}, const std::vector<shuffle::Card>& shown = {},
             const std::vector<games::Event>& events = {}) {
    const std::string id = "round-" + std::to_string(ledger.size());
    certs::RoundOpenBody opening;
    opening.table = table;
    opening.number = ++rounds_[table];
    opening.shoe = shoe;
    std::vector<std::uint64_t> cites;
    if (ended_.contains(table)) cites.push_back(ended_[table]);
    ledger.add(certs::Kind::round_open, id, table, opening.to_json(), cites);
    certs::BetsClosedBody closed;
    for (const auto& bet : bets) {
      certs::Bet recorded;
      recorded.id = bet.id;
      recorded.seat = bet.seat;
      recorded.kind = bet.kind;
      recorded.stake = bet.stake;
      recorded.on = bet.on;
      closed.bets.push_back(std::move(recorded));
    }
    for (const auto& event : events) {
      const auto* bet = std::get_if<games::PlaceBet>(&event);
      if (bet == nullptr) continue;
      certs::Bet recorded;
      recorded.id = bet->id;
      recorded.seat = bet->seat;
      recorded.kind = bet->kind;
      recorded.stake = bet->stake;
      closed.bets.push_back(std::move(recorded));
    }
    add_parts(certs::Kind::bets_closed, id, table, std::move(closed));
    for (const auto card : shown) deal(id, table, shoe, "p", card);
    for (const auto& event : events) {
      if (const auto* card = std::get_if<games::CardDealt>(&event))
        deal(id, table, shoe, card->place, *card->card);
      const auto* act = std::get_if<games::Act>(&event);
      if (act == nullptr) continue;
      certs::ActionBody decided;
      decided.seat = act->seat;
      decided.action = act->action;
      ledger.add(certs::Kind::action, id, table, decided.to_json());
    }
    certs::SettlementBody settled;
    settled.results = std::move(results);
    add_parts(certs::Kind::settlement, id, table, std::move(settled));
    ended_[table] = ledger.add(certs::Kind::round_end, id, table, certs::RoundEndBody().to_json());
  }
  /// The settlements as records hold them.
  static Results results_of(const std::vector<games::Settlement>& settled) {
    Results all;
    for (const auto& one : settled) all.push_back(certs::settlement_result(one));
    return all;
  }
  void spin(const std::string& table, Spins& spins, const std::vector<Spins::Stake>& stakes,
            const std::string& pocket, const Lie& lie = {}) {
    auto results = results_of(spins.play(stakes, pocket));
    if (lie) lie(results);
    round(table, spins.bets(), std::move(results));
  }
  /// A coup from the shoe of `coups`; a new shoe has a new id.
  void coup(const std::string& table, Coups& coups,
            const std::vector<std::pair<std::string, games::Units>>& stakes, const Lie& lie = {}) {
    if (coups.last()) coups.shoe();
    const auto before = coups.gone();
    // Any record before it may be a shoe's beginning: nobody reads it here.
    if (before.empty()) shoe_ = "shoe-" + std::to_string(ledger.size() - 1);
    auto results = results_of(coups.play(stakes));
    if (lie) lie(results);
    const auto gone = coups.gone();
    round(table, coups.bets(), std::move(results), shoe_,
          {gone.begin() + static_cast<std::ptrdiff_t>(before.size()), gone.end()});
  }

  /// A round of blackjack from the shoe of `boxes`, with its cards and decisions as they came.
  void box(const std::string& table, games::test::Boxes& boxes,
           const std::vector<games::Units>& stakes, const games::test::Strategy& play,
           const Lie& lie = {}) {
    if (boxes.last()) boxes.shoe();
    if (boxes.gone().empty()) shoe_ = "shoe-" + std::to_string(ledger.size() - 1);
    const auto played = boxes.play(stakes, play);
    auto results = results_of(played.settled);
    if (lie) lie(results);
    round(table, {}, std::move(results), shoe_, {}, played.events);
  }

  /// What a place's bet came to; an empty object when there is none.
  json::Value sums(const std::string& place, const std::string& bet) {
    const auto returns = monitors->returns();
    for (const auto& one : returns.at("bets").array())
      if (one.find("place")->string() == place && one.find("bet")->string() == bet) return one;
    return json::Value(json::Object{});
  }
  /// Tests of the HEALTH records that were asked for, of e-processes.
  std::vector<std::string> alarms() const {
    std::vector<std::string> all;
    for (const auto& one : health_)
      if (one.starts_with("e-process:")) all.push_back(one);
    return all;
  }

  MemoryLedger ledger;
  std::unique_ptr<Monitors> monitors;
  std::vector<std::string> said;

 private:
  void deal(const std::string& round, const std::string& table, const std::string& shoe,
            const std::string& place, shuffle::Card card) {
    certs::CardDealBody body;
    body.position = dealt_[shoe]++;
    body.place = place;
    body.round = round;
    body.opening.emplace();
    body.opening->card = card.text();
    ledger.add(certs::Kind::card_deal, shoe, table, body.to_json());
  }
  template <class Body>
  void add_parts(certs::Kind kind, const std::string& id, const std::string& table, Body whole) {
    const auto parts = certs::in_parts(std::move(whole));
    ASSERT_TRUE(parts) << parts.error().text();
    for (const auto& part : *parts) ledger.add(kind, id, table, part.to_json());
  }
  void take_reports() {
    for (const auto& one : monitors->take_reports()) {
      if (!one.registry.empty()) ledger.monitors = one.registry;
      if (one.kind == certs::Kind::health) {
        EXPECT_EQ(one.body.find("source")->string(), "monitor:payments");
        health_.push_back(one.body.find("test")->string());
        ledger.add(one.kind, {}, {}, one.body);
      }
    }
  }
  certs::OpensslHashes hashes_;
  ManualClock clock_;
  Digest digest_{};
  std::string folder_;
  std::map<std::string, std::uint64_t> rounds_;
  std::map<std::string, std::uint64_t> ended_;
  std::map<std::string, std::uint64_t> closed_;
  std::map<std::string, std::uint32_t> dealt_;
  std::string shoe_;
  std::vector<std::string> health_;
};

}  // namespace talla::rngd::test
