// Goal: the monitors of a running appliance see what is open and nothing else, an alarm becomes a
// HEALTH record and, where configured, a latch, and their state survives restarts, crashes and
// damage as monitor/monitors.hpp says.
// Method: a whole appliance on simulated time (rig.hpp); the monitors stepped by hand; sources and
// supplies gone wrong on purpose.
#include "monitor/monitors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "entropy_lab/model_source.hpp"
#include "watched.hpp"

namespace talla::rngd {
namespace {

using test::Watched;

TEST(Monitors, see_each_draw_once_and_a_shoe_only_behind_its_close) {
  Watched w;
  w.spin(12);
  const auto craps =
      w.rig.open_table(R"({"settled_by":"client","range":{"kind":"dice","count":2,"faces":6}})");
  const auto dice = w.rig.open_batch(craps, 3);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(w.rig.post("/v1/draws", w.rig.draw_body(dice, i)).status, 200);
  const auto drawn = w.rig.open_table(
      R"({"settled_by":"client","range":{"kind":"lots","bounds":[5,4294967295]}})");
  const auto lots = w.rig.open_batch(drawn, 2);
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(w.rig.post("/v1/draws", w.rig.draw_body(lots, i)).status, 200);
  const auto table = w.rig.open_table(core::test::shoe_table);
  const auto shoe = w.rig.deal_ready_shoe(table).text({"shoe", "id"});
  ASSERT_EQ(w.rig
                .post("/v1/shoes/" + shoe + "/deal",
                      R"({"expected":0,"place":"a","face":"open","until":40})")
                .status,
            200);
  w.step();
  EXPECT_EQ(w.seen("wheel-37/frequency"), 12);
  EXPECT_EQ(w.seen("wheel-37/pairs"), 11);
  EXPECT_EQ(w.seen("dice-2x6/frequency"), 3);
  EXPECT_EQ(w.seen("die-6/frequency"), 6);
  EXPECT_EQ(w.seen("lots-5/frequency"), 2);
  EXPECT_EQ(w.seen("lots-4294967295/frequency"), 2);
  EXPECT_EQ(w.seen("shoe-french52x8/position"), -1) << "an open shoe is nobody's business";
  ASSERT_EQ(w.rig.post("/v1/shoes/" + shoe + "/close").status, 200);
  w.step();
  EXPECT_EQ(w.seen("shoe-french52x8/position"), 416)
      << "a public shoe is known as a whole when it closes";
  EXPECT_EQ(w.seen("shoe-french52x8/neighbour"), 415);
  w.step();
  EXPECT_EQ(w.seen("wheel-37/frequency"), 12);
  EXPECT_TRUE(w.records(certs::Kind::health).empty());
}

/// What players turn up of a covered shoe is chosen by what it is; only what was dealt open before
/// the first covered card counts.
TEST(Monitors, take_the_open_beginning_of_a_covered_shoe_and_no_more) {
  Watched w;
  const auto table = w.rig.open_table(R"({"settled_by":"client","deck":"french52x1"})");
  const auto made = w.rig.post("/v1/tables/" + table + "/shoes", R"({"disclosure":"covered"})");
  const auto shoe = made.text({"shoe", "id"});
  ASSERT_EQ(w.rig.post("/v1/shoes/" + shoe + "/mix", w.rig.mix_body(shoe)).status, 200);
  const auto deal = [&](int expected, int count, const std::string& face) {
    const auto dealt =
        w.rig.post("/v1/shoes/" + shoe + "/deal",
                   R"({"expected":)" + std::to_string(expected) + R"(,"place":"p","until":)" +
                       std::to_string(count) + R"(,"face":")" + face + "\"}");
    ASSERT_EQ(dealt.status, 200) << dealt.body;
  };
  deal(0, 3, "open");
  deal(3, 2, "unseen");
  deal(5, 6, "open");
  ASSERT_EQ(w.rig.post("/v1/shoes/" + shoe + "/close").status, 200);
  w.step();
  EXPECT_EQ(w.seen("shoe-french52x1/position"), 3);
}

/// A state that is stored, and one that is behind a log that was not: both come back with what was
/// there.
TEST(Monitors, a_restart_and_a_crash_change_nothing_of_what_was_seen) {
  for (const bool stored : {true, false}) {
    Watched w;
    w.spin(10);
    w.step();
    const auto before = w.row("wheel-37/frequency");
    EXPECT_EQ(w.seen("wheel-37/frequency"), 10);
    if (stored) {
      ASSERT_TRUE(w.monitors->save());
    }
    w.rig.restart();
    EXPECT_EQ(json::canonical(w.row("wheel-37/frequency")), json::canonical(before))
        << (stored ? "stored" : "read again");
    w.spin(7);
    w.step();
    EXPECT_EQ(w.seen("wheel-37/frequency"), 17);
    EXPECT_TRUE(w.records(certs::Kind::selftest).empty());
  }
}

/// The state file after a change of it, as the next start finds it.
void refuse_state(const std::string& words,
                  const std::function<void(Watched&, const std::string& path)>& change) {
  Watched w;
  w.spin(5);
  w.step();
  ASSERT_TRUE(w.monitors->save());
  change(w, w.options.state_file);
  w.rig.restart();
  const auto refused = std::ranges::find_if(
      w.said, [](const auto& line) { return line.starts_with("monitor_state_refused"); });
  ASSERT_NE(refused, w.said.end());
  EXPECT_NE(refused->find(w.options.state_file), std::string::npos) << "by name";
  EXPECT_NE(refused->find(words), std::string::npos) << *refused;
  w.step();
  const auto tests = w.records(certs::Kind::selftest);
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(tests[0].body.find("test")->string(), "monitor-state");
  EXPECT_EQ(tests[0].body.find("result")->string(), "fail");
  EXPECT_EQ(tests[0].body.find("count")->integer(), 2);
  EXPECT_EQ(w.seen("wheel-37/frequency"), 0) << "a fresh epoch begins here and now";
  EXPECT_EQ(w.side("wheel-37/frequency", "process", "epoch"), 2);
  EXPECT_EQ(w.side("wheel-37/pairs", "process", "epoch"), 2);
  w.spin(3);
  w.step();
  EXPECT_EQ(w.seen("wheel-37/frequency"), 3);
  w.rig.restart();
  EXPECT_EQ(w.side("wheel-37/frequency", "process", "epoch"), 2) << "the new state is good";
}

TEST(Monitors, a_damaged_state_is_refused_by_name_and_counted_as_a_reset) {
  refuse_state("checksum", [](Watched&, const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200);
    file.put('\x55');
  });
  refuse_state("cut short",
               [](Watched&, const std::string& path) { std::filesystem::resize_file(path, 100); });
  refuse_state("missing", [](Watched&, const std::string& path) { std::filesystem::remove(path); });
  refuse_state("another alpha", [](Watched& w, const std::string&) { w.options.alpha = 0.005; });
}

/// A state of an earlier day would spend a share of alpha a second time.
TEST(Monitors, a_state_older_than_the_ledgers_list_is_refused) {
  Watched w;
  w.spin(5);
  w.step();
  ASSERT_TRUE(w.monitors->save());
  std::filesystem::copy_file(w.options.state_file, w.options.state_file + ".old");
  std::filesystem::remove(w.options.state_file);
  w.rig.restart();
  w.step();
  std::filesystem::rename(w.options.state_file + ".old", w.options.state_file);
  w.rig.restart();
  EXPECT_NE(w.said.back().find("older"), std::string::npos) << w.said.back();
  EXPECT_EQ(w.side("wheel-37/frequency", "process", "epoch"), 3);
}

/// An emulated generator whose claim does not hold.
std::unique_ptr<entropy::NoiseSource> source(entropy::Illness illness) {
  entropy::ModelOptions model;
  model.description.assessed_millibits_per_sample = 7900;
  model.illness = illness;
  model.strength_permille = 20;
  return std::make_unique<entropy::ModelSource>(model);
}

void read(entropy::NoiseSource& source, std::size_t samples) {
  std::vector<std::uint8_t> buffer(4096);
  for (std::size_t done = 0; done < samples;) done += source.read(buffer, 1).value();
}

constexpr const char* noise_name = "model-0-7900/prediction";

TEST(Monitors, a_biased_source_is_recorded_once_and_the_next_epoch_begins_at_the_next_start) {
  Watched w;
  auto tap = w.monitors->watch(source(entropy::Illness::biased));
  w.step();
  EXPECT_EQ(w.seen(noise_name), 0);
  read(*tap, 90'000);
  w.step();
  EXPECT_EQ(w.seen(noise_name), 0) << "nothing is shown of fewer than 100,000 samples";
  read(*tap, 2'000'000);
  w.step();
  const auto health = w.health_of("monitor:noise");
  ASSERT_EQ(health.size(), 2U) << "the e-process and the detector";
  EXPECT_EQ(health[1].body.find("test")->string(), "e-detector:model-0-7900/prediction:1");
  EXPECT_EQ(health[0].body.find("source")->string(), "monitor:noise");
  EXPECT_EQ(health[0].body.find("test")->string(), "e-process:model-0-7900/prediction:1");
  EXPECT_EQ(health[0].body.find("level")->integer(), 1);
  EXPECT_TRUE(health[0].body.find("overlapping")->array().empty())
      << "never a reason to shuffle again";
  EXPECT_FALSE(w.rig.supply.latched());
  const auto seen = w.seen(noise_name);
  read(*tap, 1'000'000);
  w.step();
  EXPECT_EQ(w.seen(noise_name), seen) << "what stands learns no more";
  EXPECT_EQ(w.health_of("monitor:noise").size(), 2U);
  tap.reset();
  w.rig.restart();
  tap = w.monitors->watch(source(entropy::Illness::healthy));
  EXPECT_EQ(w.side(noise_name, "process", "epoch"), 2);
  read(*tap, 1'000'000);
  w.step();
  EXPECT_EQ(w.health_of("monitor:noise").size(), 2U) << "no alarm comes twice";
  EXPECT_LT(w.side(noise_name, "process", "log_e_milli"), 1000);
  EXPECT_EQ(w.side(noise_name, "process", "alarms"), 1);
}

TEST(Monitors, where_configured_an_alarm_latches_and_committed_shoes_go_on) {
  MonitorOptions options;
  options.noise = Severity::latch;
  Watched w(options);
  const auto table = w.rig.open_table(core::test::shoe_table);
  const auto shoe = w.rig.deal_ready_shoe(table).text({"shoe", "id"});
  auto tap = w.monitors->watch(source(entropy::Illness::biased));
  read(*tap, 3'000'000);
  w.step();
  const auto health = w.records(certs::Kind::health);
  ASSERT_FALSE(health.empty());
  EXPECT_EQ(health[0].body.find("level")->integer(), 2);
  ASSERT_TRUE(w.rig.supply.latched());
  EXPECT_FALSE(w.rig.service().ready().ready);
  EXPECT_EQ(w.rig.post("/v1/tables/" + w.rig.open_table(core::test::shoe_table) + "/shoes").status,
            503);
  EXPECT_EQ(w.rig
                .post("/v1/shoes/" + shoe + "/deal",
                      R"({"expected":0,"place":"a","face":"open","until":5})")
                .status,
            200);
}

TEST(Monitors, quality_is_shown_of_whole_windows_recorded_once_and_ends_by_itself) {
  Watched w;
  entropy::ModelOptions model;
  model.description.assessed_millibits_per_sample = 7900;
  auto made = std::make_unique<entropy::ModelSource>(model);
  entropy::ModelSource& noise = *made;
  auto tap = w.monitors->watch(std::move(made));
  const auto quality = [&w] { return w.monitors->status().at("quality").array().at(0); };
  const auto measure = [&](std::string_view name) {
    const json::Value all = quality();
    for (const auto& one : all.find("measures")->array()) {
      if (one.find("name")->string() == name) return one;
    }
    return json::Value(json::Object{});
  };
  read(*tap, 100'000);
  EXPECT_EQ(quality().find("source")->string(), "model-0-7900");
  EXPECT_EQ(quality().find("samples")->integer(), 0);
  EXPECT_EQ(measure("lag 1").find("short_ppm"), nullptr)
      << "nothing is shown of fewer than 131,072 samples";
  read(*tap, 200'000);
  EXPECT_EQ(quality().find("samples")->integer(), 2 * 131'072);
  EXPECT_NEAR(static_cast<double>(measure("lag 1").find("short_ppm")->integer()), 1e6 / 256, 700);
  EXPECT_NEAR(static_cast<double>(measure("ones of bit 3").find("short_ppm")->integer()), 500'000,
              7000);
  noise.set_illness(entropy::Illness::biased, 20);
  read(*tap, 131'072 * 4);
  w.step();
  const auto health = w.health_of("monitor:quality");
  ASSERT_EQ(health.size(), 2U)
      << "the value that comes too often is also what most often follows each other";
  EXPECT_EQ(health[0].body.find("test")->string(),
            "quality:model-0-7900/most-common-value:short:claim:1");
  EXPECT_EQ(health[1].body.find("test")->string(), "quality:model-0-7900/successor:short:claim:2");
  EXPECT_EQ(health[0].body.find("level")->integer(), 1);
  EXPECT_EQ(measure("most common value").find("short_alarm")->string(), "claim");
  EXPECT_GE(w.monitors->status().at("alarms_standing").integer(), 1);
  std::map<std::string, double> counters;
  std::map<std::string, double> gauges;
  w.monitors->add_metrics(counters, gauges);
  const std::string label = R"({source="model-0-7900",measure="most common value",window="short"})";
  EXPECT_EQ(gauges.at("talla_quality_alarm" + label), 1);
  EXPECT_GT(gauges.at("talla_quality_share" + label), 0.02);
  EXPECT_EQ(counters.at(
                R"(talla_quality_alarms_total{source="model-0-7900",measure="most common value"})"),
            1);
  noise.set_illness(entropy::Illness::healthy);
  read(*tap, 131'072 * 10);
  w.step();
  EXPECT_EQ(measure("most common value").find("short_alarm")->string(), "none");
  EXPECT_EQ(w.health_of("monitor:quality").size(), 2U);
  EXPECT_TRUE(std::ranges::any_of(w.said, [](const std::string& line) {
    return line.starts_with(
        "monitor_alarm_ended quality:model-0-7900/most-common-value:short:claim:");
  }));
  EXPECT_FALSE(w.rig.supply.latched());
}

TEST(Monitors, the_quality_of_a_source_is_not_forgotten_by_a_restart) {
  Watched w;
  auto tap = w.monitors->watch(source(entropy::Illness::biased));
  read(*tap, 131'072 * 4 + 1000);
  w.step();
  const auto records = w.health_of("monitor:quality").size();
  ASSERT_GT(records, 0U);
  const auto before = w.monitors->status().at("quality");
  EXPECT_GT(before.array().at(0).find("alarms_standing")->integer(), 0);
  tap.reset();
  for (const bool damaged : {false, true}) {
    if (damaged) {
      std::fstream file(w.options.quality_file, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(300);
      file.put('\x55');
    }
    w.said.clear();
    w.rig.restart();
    tap = w.monitors->watch(source(entropy::Illness::healthy));
    const auto now = w.monitors->status().at("quality");
    const bool refused = std::ranges::any_of(w.said, [&](const std::string& line) {
      return line.starts_with("quality_state_refused " + w.options.quality_file) &&
             line.find("checksum") != std::string::npos;
    });
    EXPECT_EQ(refused, damaged);
    if (damaged) {
      EXPECT_EQ(now.array().at(0).find("samples")->integer(), 0);
    } else {
      EXPECT_EQ(json::canonical(now), json::canonical(before)) << "windows, alarms, counts";
    }
    w.step();
    EXPECT_EQ(w.health_of("monitor:quality").size(), records)
        << "an old alarm is not recorded again";
    EXPECT_TRUE(w.records(certs::Kind::selftest).empty()) << "no bound rests on it";
    tap.reset();
  }
}

TEST(Monitors, an_alarm_of_quality_latches_where_configured) {
  MonitorOptions options;
  options.quality = Severity::latch;
  Watched w(options);
  auto tap = w.monitors->watch(source(entropy::Illness::biased));
  read(*tap, 131'072 * 3);
  w.step();
  const auto health = w.health_of("monitor:quality");
  ASSERT_FALSE(health.empty());
  EXPECT_EQ(health[0].body.find("level")->integer(), 2);
  EXPECT_TRUE(w.rig.supply.latched());
}

/// A generator that repeats itself commits to the same order for every shoe; the mix alone moves,
/// and the monitor looks at what was committed to.
TEST(Monitors, shoes_that_repeat_are_found_by_their_neighbours) {
  Watched w;
  const auto table = w.rig.open_table(core::test::shoe_table);
  for (int i = 0; i < 3; ++i) w.play_shoe(table);
  w.step();
  EXPECT_TRUE(w.records(certs::Kind::health).empty());
  const auto calm = w.side("shoe-french52x8/neighbour", "process", "log_e_milli");
  EXPECT_LT(calm, 5000);
  w.rig.supply.stuck = 0x5a;
  const auto is_alarm = [](const certs::Record& record) {
    return record.body.find("source")->string() == "monitor:outcomes" &&
           record.body.find("test")->string() == "e-process:shoe-french52x8/neighbour:1";
  };
  bool alarm = false;
  for (int i = 0; i < 60 && !alarm; ++i) {
    w.play_shoe(table, 1);
    w.step();
    alarm = std::ranges::any_of(w.records(certs::Kind::health), is_alarm);
  }
  EXPECT_TRUE(alarm);
}

/// The alarm came up, the process died before its record was committed, or before the monitors saw
/// it: recorded once, never lost.
TEST(Monitors, an_alarm_is_neither_lost_nor_recorded_twice_by_a_crash) {
  Watched w;
  const auto table = w.rig.open_table(core::test::shoe_table);
  w.rig.supply.stuck = 0x5a;
  int shoes = 0;
  for (; shoes < 40 && w.monitors->status().at("alarms_standing").integer() == 0; ++shoes) {
    w.play_shoe(table, 1);
    w.monitors->step(nullptr);  // not recorded: nobody takes the reports
  }
  ASSERT_GT(w.monitors->status().at("alarms_standing").integer(), 0);
  const auto before = w.records(certs::Kind::health).size();
  ASSERT_EQ(before, 0U);
  w.rig.restart();  // the alarm was stored when it came up, its record never reached the log
  w.step();
  const auto recorded = w.records(certs::Kind::health).size();
  EXPECT_GE(recorded, 1U);
  EXPECT_EQ(w.monitors->status().at("alarms_standing").integer(), 0)
      << "the start began new epochs";
  w.rig.restart();
  w.step();
  EXPECT_EQ(w.records(certs::Kind::health).size(), recorded);
}

TEST(Monitors, sacrificed_bits_are_their_own_and_a_bias_in_them_is_found) {
  Watched w;
  w.bits = true;
  w.rig.supply.stuck = 0x10;
  for (int i = 0; i < 10; ++i) {
    w.rig.clock.advance_ns(2'000'000'000);
    w.step();
  }
  const auto health = w.records(certs::Kind::health);
  ASSERT_GE(health.size(), 2U) << "ones and bytes at least";
  for (const auto& one : health) EXPECT_EQ(one.body.find("source")->string(), "monitor:bits");
  EXPECT_EQ(w.rig.supply.given.size() % 512, 0U)
      << "blocks of their own, asked for by the monitors alone";
}

TEST(Monitors, their_metrics_are_there) {
  Watched w;
  w.spin(4);
  w.step();
  std::map<std::string, double> counters;
  std::map<std::string, double> gauges;
  w.monitors->add_metrics(counters, gauges);
  const std::string label = R"({class="outcomes",monitor="wheel-37/frequency"})";
  EXPECT_EQ(gauges.at("talla_monitor_steps" + label), 4);
  EXPECT_EQ(gauges.at("talla_monitor_process_epoch" + label), 1);
  EXPECT_EQ(gauges.at("talla_monitor_process_alarm" + label), 0);
  EXPECT_GT(gauges.at("talla_monitor_process_log_threshold" + label), 8);
  EXPECT_EQ(counters.at("talla_monitor_detector_alarms_total" + label), 0);
  EXPECT_EQ(counters.at("talla_monitor_outcomes_unwatched_total"), 0);
}

}  // namespace
}  // namespace talla::rngd
