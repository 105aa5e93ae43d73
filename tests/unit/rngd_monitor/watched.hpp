/// \file
/// A whole appliance on simulated time with its monitors.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "monitor/monitors.hpp"
#include "rig.hpp"

namespace talla::rngd::test {

using core::test::Rig;

/// The appliance and its monitors, which are stepped by hand.
class Watched {
 public:
  explicit Watched(MonitorOptions wanted = {}) : options(std::move(wanted)) {
    options.state_file = rig.folder() + "/monitors.state";
    options.quality_file = rig.folder() + "/quality.state";
    options.curves_folder = rig.folder() + "/curves";
    options.origin = "talla.test/rig";
    rig.monitors = [this](certs::Ledger& ledger) -> core::MonitorHook* {
      auto made = Monitors::create(options, {.clock = rig.clock,
                                             .ledger = ledger,
                                             .say = [this](const auto& event, const auto& detail) {
                                               said.push_back(event + " " + detail);
                                             }});
      EXPECT_TRUE(made.has_value()) << made.error().text();
      monitors = std::move(*made);
      return monitors.get();
    };
    rig.restart();
  }
  ~Watched() { rig.crash(); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  /// Monitors look, their reports go into the log, and they see them there.
  void step() {
    monitors->step(bits ? &rig.supply : nullptr);
    rig.service().run_until_idle();
    monitors->step(nullptr);
  }
  /// One monitor of the status page; null when nobody of that name watches.
  json::Value row(const std::string& name) {
    const auto status = monitors->status();
    for (const auto& one : status.at("watching").array()) {
      if (one.find("name")->string() == name) return one;
    }
    return json::Value(json::Object{});
  }
  std::int64_t seen(const std::string& name) {
    const auto found = row(name);
    return found.find("seen") == nullptr ? -1 : found.find("seen")->integer();
  }
  std::int64_t side(const std::string& name, const char* part, const char* member) {
    return row(name).find(part)->find(member)->integer();
  }
  /// Records of that kind in the whole log, but for what each start says of the latch.
  std::vector<certs::Record> records(certs::Kind kind) {
    std::vector<certs::Record> all;
    const auto whole = rig.ledger().records(0, 100'000);
    for (const auto& stored : *whole) {
      if (stored.kind == kind) all.push_back(*certs::parse_record(stored.bytes));
    }
    std::erase_if(all, [](const certs::Record& one) {
      const auto* test = one.body.find("test");
      return one.kind == certs::Kind::selftest && test->string().starts_with("latch:");
    });
    return all;
  }
  /// HEALTH records of that source.
  std::vector<certs::Record> health_of(std::string_view source) {
    auto all = records(certs::Kind::health);
    std::erase_if(
        all, [&](const certs::Record& one) { return one.body.find("source")->string() != source; });
    return all;
  }
  void spin(int count) {
    const auto table = rig.open_table(core::test::wheel_table);
    const auto batch = rig.open_batch(table, count);
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(rig.post("/v1/draws", rig.draw_body(batch, i)).status, 200);
  }
  /// A whole shoe, mixed, a few cards dealt, closed.
  void play_shoe(const std::string& table, int dealt = 10) {
    const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
    if (dealt > 0) {
      const auto cards = rig.post(
          "/v1/shoes/" + shoe + "/deal",
          R"({"expected":0,"place":"a","face":"open","until":)" + std::to_string(dealt) + "}");
      ASSERT_EQ(cards.status, 200) << cards.body;
    }
    step();
    ASSERT_EQ(rig.post("/v1/shoes/" + shoe + "/close").status, 200);
  }

  Rig rig;
  MonitorOptions options;
  std::unique_ptr<Monitors> monitors;
  std::vector<std::string> said;
  bool bits = false;
};

}  // namespace talla::rngd::test
