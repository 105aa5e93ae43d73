// Goal: the appliance itself keeps what the curves were, for whoever asks, over a restart and a
//   crash; damage to it is told and costs the damaged time alone.
// Method: an appliance on simulated time with its monitors; the answers of GET
//   /v1/monitors/history, the files on the disk, many threads at once.
#include "monitor/curves.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "entropy_lab/model_source.hpp"
#include "watched.hpp"

namespace talla::rngd {
namespace {

using test::Watched;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr const char* wheel = "wheel-37/frequency";

/// One answer.
json::Value asked(Watched& w, const std::string& query = {}) {
  const auto got = w.rig.get("/v1/monitors/history" + (query.empty() ? query : "?" + query));
  EXPECT_EQ(got.status, 200) << got.body;
  return got.json;
}

std::int64_t number(const json::Value& answer, const char* member) {
  return answer.find(member)->integer();
}

/// Stretches of one curve; none: an empty list.
json::Array stretches(const json::Value& answer, std::string_view name, std::string_view side) {
  for (const auto& one : answer.find("curves")->array()) {
    if (one.find("name")->string() == name && one.find("side")->string() == side)
      return one.find("stretches")->array();
  }
  return {};
}

/// All values of a member of these stretches.
std::vector<std::int64_t> values(const json::Array& of, const char* member) {
  std::vector<std::int64_t> all;
  for (const auto& one : of) {
    for (const auto& value : one.find(member)->array()) all.push_back(value.integer());
  }
  return all;
}

/// So many minutes, the first of them with a number drawn, looked at four times a minute.
void minutes(Watched& w, int count) {
  w.spin(1);
  for (int i = 0; i < count; ++i) {
    for (int quarter = 0; quarter < 4; ++quarter) {
      w.step();
      w.rig.clock.advance_ns(15 * second_ns);
    }
  }
}

TEST(Curves, the_past_of_a_monitor_is_what_its_status_was) {
  Watched w;
  std::vector<std::int64_t> told;
  for (int i = 0; i < 5; ++i) {
    minutes(w, 1);
    told.push_back(w.side(wheel, "process", "log_e_milli"));
  }
  const auto answer = asked(w);
  EXPECT_TRUE(answer.find("watched")->boolean());
  EXPECT_EQ(number(answer, "step"), 60'000'000);
  EXPECT_FALSE(answer.find("more")->boolean());
  const auto got = stretches(answer, wheel, "process");
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(values(got, "last"), told);
  EXPECT_EQ(got[0].find("from")->integer(), number(answer, "oldest"));
  const auto hours = asked(w, "step=hour");
  EXPECT_EQ(number(hours, "step"), 3'600'000'000);
  EXPECT_EQ(values(stretches(hours, wheel, "process"), "last").back(), told.back());
  EXPECT_EQ(stretches(answer, wheel, "detector").size(), 1U);
  EXPECT_TRUE(stretches(answer, wheel, "short").empty());
}

TEST(Curves, an_excursion_between_two_looks_stays_to_be_seen) {
  Curves curves;
  stats::monitor::BoardRow row;
  row.monitor = "wheel-37/frequency";
  row.process.log_value = 0.1;
  row.process.log_greatest = 6.5;
  curves.see(0, 0, {row}, {});
  row.process.log_value = -0.3;
  row.process.log_greatest = -0.3;
  curves.see(50'000, 50'000'000, {row}, {});
  const auto answer = json::Value(curves.history({.to_us = json::integer_max}));
  const auto got = stretches(answer, wheel, "process");
  EXPECT_EQ(values(got, "high"), std::vector<std::int64_t>{6500});
  EXPECT_EQ(values(got, "last"), std::vector<std::int64_t>{-300});
  EXPECT_EQ(values(got, "low"), std::vector<std::int64_t>{-300});
}

TEST(Curves, shares_of_a_source_are_kept_window_by_window) {
  Watched w;
  entropy::ModelOptions model;
  model.description.assessed_millibits_per_sample = 7900;
  auto tap = w.monitors->watch(std::make_unique<entropy::ModelSource>(model));
  std::vector<std::uint8_t> buffer(4096);
  const std::string name = "model-0-7900/ones of bit 3";
  w.step();
  EXPECT_TRUE(stretches(asked(w), name, "short").empty()) << "no whole window, no point";
  for (std::size_t done = 0; done < 400'000;) done += tap->read(buffer, 1).value();
  w.step();
  const auto answer = asked(w, "name=model-0-7900%2Fones%20of%20bit%203");
  ASSERT_EQ(answer.find("curves")->array().size(), 1U) << "no long window yet";
  const auto low = values(stretches(answer, name, "short"), "low");
  const auto high = values(stretches(answer, name, "short"), "high");
  ASSERT_EQ(low.size(), 1U);
  EXPECT_LT(low[0], high[0]) << "three windows between two looks, and both ends are told";
  EXPECT_NEAR(static_cast<double>(low[0]), 500'000, 8000);
}

/// A device that comes back under another name each time.
TEST(Curves, a_device_that_renames_itself_makes_nothing_grow_without_end_and_hides_nobody) {
  Watched w;
  minutes(w, 1);
  std::vector<std::uint8_t> buffer(4096);
  for (int name = 0; name < 200; ++name) {
    entropy::ModelOptions model;
    model.description.serial = "liar-" + std::to_string(name);
    model.description.assessed_millibits_per_sample = 7900;
    auto tap = w.monitors->watch_again(std::make_unique<entropy::ModelSource>(model));
    for (int i = 0; i < 33; ++i) static_cast<void>(tap->read(buffer, 1).value());
    w.monitors->step(nullptr);
  }
  minutes(w, 1);
  const auto answer = asked(w);
  std::size_t liars = 0;
  for (const auto& one : answer.find("curves")->array())
    liars += one.find("name")->string().find("liar-") != std::string::npos ? 1U : 0U;
  EXPECT_GT(liars, 0U);
  EXPECT_LE(liars, 64U * 2U) << "as many streams as a board takes, two figures each";
  EXPECT_EQ(number(answer, "left_out"), 0);
  EXPECT_GE(values(stretches(answer, wheel, "process"), "last").size(), 2U);
}

TEST(Curves, of_payments_nothing_is_told) {
  Watched w;
  minutes(w, 2);
  const auto answer = asked(w);
  EXPECT_FALSE(answer.find("curves")->array().empty());
  for (const auto& one : answer.find("curves")->array())
    EXPECT_EQ(one.find("name")->string().find("payments"), std::string::npos);
}

TEST(Curves, a_restart_shows_the_old_points_and_a_gap) {
  Watched w;
  minutes(w, 3);
  const auto before = values(stretches(asked(w), wheel, "process"), "last");
  w.monitors->step(nullptr);
  w.monitors->stop();
  w.rig.restart();
  w.rig.clock.advance_ns(60 * second_ns);
  minutes(w, 2);
  const auto got = stretches(asked(w), wheel, "process");
  ASSERT_GE(got.size(), 2U);
  const auto after = values(got, "last");
  ASSERT_GE(after.size(), before.size() + 2);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
}

TEST(Curves, a_crash_costs_a_minute_at_most) {
  Watched w;
  w.options.save_interval_ns = 60 * second_ns;
  minutes(w, 5);
  const auto before = values(stretches(asked(w), wheel, "process"), "last");
  w.rig.restart();  // nobody said stop
  w.step();
  const auto after = values(stretches(asked(w), wheel, "process"), "last");
  ASSERT_GE(after.size(), before.size() - 1);
  EXPECT_TRUE(std::equal(before.begin(), before.end() - 2, after.begin()));
}

TEST(Curves, a_stepped_clock_is_a_gap_and_erases_nothing) {
  Watched w;
  minutes(w, 3);
  const auto before = values(stretches(asked(w), wheel, "process"), "last");
  w.rig.clock.step_utc_us(-120'000'000);
  for (int i = 0; i < 8; ++i) {
    w.monitors->step(nullptr);
    w.rig.clock.advance_ns(15 * second_ns);
  }
  const auto got = stretches(asked(w), wheel, "process");
  ASSERT_EQ(got.size(), 2U);
  EXPECT_LT(got[1].find("from")->integer(), got[0].find("from")->integer() + 3 * 60'000'000);
  EXPECT_EQ(values(json::Array{got[0]}, "last"), before);
}

TEST(Curves, a_damaged_file_is_told_by_name_and_only_its_time_is_lost) {
  Watched w;
  minutes(w, 62);
  w.monitors->stop();
  const std::string first = w.options.curves_folder + "/minutes-00";
  const std::string second = w.options.curves_folder + "/minutes-01";
  ASSERT_TRUE(std::filesystem::exists(second));
  const auto damage = [&](const std::string& file) {
    std::fstream open(file, std::ios::in | std::ios::out | std::ios::binary);
    open.seekp(200);
    open.put('\x55');
  };
  damage(first);
  w.said.clear();
  w.rig.restart();
  const bool told = std::ranges::any_of(w.said, [&](const std::string& line) {
    return line.starts_with("curves_refused " + first) && line.find("gap") != std::string::npos;
  });
  EXPECT_TRUE(told);
  const auto answer = asked(w, "name=wheel-37%2Ffrequency&limit=1500");
  EXPECT_EQ(number(answer, "refused"), 1);
  EXPECT_GE(values(stretches(answer, wheel, "process"), "last").size(), 2U);
  EXPECT_EQ(w.monitors->status().at("states_refused").integer(), 0)
      << "no monitor begins anew for it";
  EXPECT_TRUE(w.records(certs::Kind::selftest).empty()) << "nothing rests on it";
}

TEST(Curves, whatever_lies_in_the_folder_stops_no_start) {
  Watched w;
  minutes(w, 1);
  w.monitors->stop();
  const auto& folder = w.options.curves_folder;
  std::filesystem::create_directory(folder + "/minutes-07");
  std::filesystem::create_symlink("/dev/zero", folder + "/minutes-08");
  std::filesystem::create_symlink("minutes-09", folder + "/minutes-09");
  ASSERT_EQ(::mkfifo((folder + "/minutes-10").c_str(), 0600), 0);
  std::ofstream(folder + "/minutes-11") << "";
  std::ofstream(folder + "/minutes-99") << "not one of ours";
  std::filesystem::copy_file(folder + "/minutes-00", folder + "/hours-00",
                             std::filesystem::copy_options::overwrite_existing);
  w.rig.restart();
  w.step();
  EXPECT_GE(number(asked(w), "refused"), 5);
  EXPECT_FALSE(stretches(asked(w), wheel, "process").empty());
  w.monitors->stop();
  std::filesystem::remove_all(folder);
  std::ofstream(folder) << "a file where the folder was";
  w.said.clear();
  w.rig.restart();
  w.step();
  EXPECT_TRUE(std::ranges::any_of(w.said, [](const std::string& line) {
    return line.starts_with("monitor_state_not_stored");
  }));
  EXPECT_FALSE(stretches(asked(w), wheel, "process").empty()) << "in memory it goes on";
}

TEST(Curves, the_past_of_another_log_is_refused) {
  Watched w;
  minutes(w, 1);
  w.monitors->stop();
  w.options.origin = "talla.test/another";
  w.said.clear();
  w.rig.restart();
  EXPECT_TRUE(std::ranges::any_of(w.said, [](const std::string& line) {
    return line.starts_with("curves_refused") && line.find("another log") != std::string::npos;
  }));
}

TEST(Curves, bounds_of_the_question) {
  Watched w;
  minutes(w, 3);
  for (const auto* bad : {"limit=0", "limit=1501", "limit=x", "step=second", "step=", "from=-1",
                          "to=x", "name=", "names=wheel", "by=minute"})
    EXPECT_EQ(w.rig.get(std::string("/v1/monitors/history?") + bad).code(), "malformed_request")
        << bad;
  EXPECT_EQ(w.rig.get("/v1/monitors/history?name=" + std::string(257, 'a')).code(),
            "malformed_request");
  const auto one = asked(w, "limit=1");
  EXPECT_TRUE(one.find("more")->boolean());
  EXPECT_EQ(values(stretches(one, wheel, "process"), "last").size(), 1U);
  EXPECT_TRUE(asked(w, "name=nobody").find("curves")->array().empty());
  EXPECT_TRUE(asked(w, "from=9007199254740991").find("curves")->array().empty());
  EXPECT_TRUE(asked(w, "to=0").find("curves")->array().empty());
  minutes(w, 63);
  EXPECT_EQ(values(stretches(asked(w, "limit=1500"), wheel, "process"), "last").size(), 60U)
      << "of all curves an hour at a time";
  EXPECT_TRUE(asked(w, "limit=1500").find("more")->boolean());
  EXPECT_GE(
      values(stretches(asked(w, "limit=1500&name=wheel-37%2Ffrequency"), wheel, "process"), "last")
          .size(),
      66U);
}

TEST(Curves, an_appliance_without_monitors_says_so) {
  core::test::Rig rig;
  const auto got = rig.get("/v1/monitors/history");
  ASSERT_EQ(got.status, 200);
  EXPECT_FALSE(got.at({"watched"}).boolean());
  EXPECT_TRUE(got.at({"curves"}).array().empty());
}

/// The monitors look, four ask and one stores at the same time.
TEST(Curves, who_asks_and_who_looks_do_not_wait_for_each_others_end) {
  core::test::Rig rig;
  Curves curves;
  EXPECT_TRUE(curves.keep_in(rig.folder() + "/curves", "one").empty());
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  std::atomic<std::size_t> points{0};
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([&, hours = i % 2 == 1] {
      while (!over) {
        const json::Value answer(
            curves.history({.hours = hours, .to_us = json::integer_max, .limit = 1500}));
        points += values(stretches(answer, wheel, "process"), "high").size();
      }
    });
  }
  others.emplace_back([&] {
    while (!over) EXPECT_TRUE(curves.save(1, 0).has_value());
  });
  stats::monitor::BoardRow row;
  row.monitor = wheel;
  for (std::int64_t i = 0; i < 3000 || points == 0; ++i)
    curves.see(i * 15'000'000, i * 15 * second_ns, {row}, {});
  over = true;
  for (auto& one : others) one.join();
  EXPECT_GT(points, 0U);
  EXPECT_TRUE(curves.save(1, 0).has_value());
  Curves later;
  EXPECT_EQ(later.keep_in(rig.folder() + "/curves", "one"), std::vector<std::string>());
  EXPECT_EQ(json::canonical(json::Value(later.history({.to_us = json::integer_max}))),
            json::canonical(json::Value(curves.history({.to_us = json::integer_max}))));
}

/// As many figures as there may be, for longer than anything is kept.
TEST(Curves, a_full_past_stays_below_48_megabytes) {
  std::vector<stats::monitor::BoardRow> rows(224);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].monitor = "a-monitor-with-a-long-name-" + std::to_string(i) + "/frequency";
  std::vector<QualityWatch::Shares> sources(10);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    sources[i].source = "a-source-with-a-long-name-" + std::to_string(i);
    for (int measure = 0; measure < 24; ++measure) {
      QualityWatch::Quality::Row row;
      row.measure = "lag " + std::to_string(measure);
      row.share = {0.5, 0.5};
      sources[i].rows.push_back(row);
    }
  }
  const auto before = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
  Curves curves;
  std::int64_t now_s = 0;
  for (int i = 0; i < 800; ++i, now_s += 3600)
    curves.see(now_s * 1'000'000, now_s * second_ns, rows, sources);
  for (int i = 0; i < 1600; ++i, now_s += 60)
    curves.see(now_s * 1'000'000, now_s * second_ns, rows, sources);
  const auto after = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
  EXPECT_LT(after - before, 48'000'000U);
  for (const bool hours : {false, true}) {
    const auto answer =
        curves.history({.hours = hours, .to_us = json::integer_max, .limit = 100'000});
    std::size_t points = 0;
    for (const auto& curve : answer.at("curves").array())
      points += values(curve.find("stretches")->array(), "last").size();
    EXPECT_EQ(answer.at("curves").array().size(), 896U) << "448 of each family";
    EXPECT_EQ(answer.at("left_out").integer(), 10 * 48 - 448);
    EXPECT_LE(points, 896U * (hours ? 768U : 1500U));
    EXPECT_GE(points, 896U * (hours ? 744U : 1440U));
  }
}

}  // namespace
}  // namespace talla::rngd
