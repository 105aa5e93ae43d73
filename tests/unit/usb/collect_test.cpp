// Goal: data sets are what SP 800-90B asks for or are refused: consecutive, raw, right after a
//       restart, whole or not there.
// Method: emulated generators on a bus of the house, ports that are switched, reset, refused or
//         lied about; simulated time.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "conformance.hpp"
#include "lab_kit/manifest.hpp"
#include "support/openssl_hashes.hpp"
#include "support/wiped.hpp"

using namespace talla;
using namespace talla::lab;
using emulator::BenchEntry;
namespace fs = std::filesystem;

namespace {

const BenchEntry& entry(std::string_view name) {
  for (const BenchEntry& each : emulator::bench()) {
    if (each.name == name) return each;
  }
  std::abort();
}

/// A port whose device comes back as another power-up: another seed, another address.
class Ports final : public usb::PortControl {
 public:
  Ports(emulator::EmulatedBus& bus, const BenchEntry& about) : bus_(bus), about_(about) { on(); }
  [[nodiscard]] Result<usb::HubPort> switchable_port(const usb::DeviceInfo& /*info*/) override {
    if (!switches) return fail(usb::UsbErrc::unsupported, "all ports together");
    return usb::HubPort{.bus = 1, .hub_address = 1, .port = 3};
  }
  [[nodiscard]] Status set_power(const usb::HubPort& port, bool wanted) override {
    EXPECT_EQ(port.port, 3);
    ++requests;
    if (lies) return {};
    if (!wanted && models.back() != nullptr) bus_.unplug(*models.back());
    if (wanted && comes_back) on();
    return {};
  }
  [[nodiscard]] Status reset(const usb::DeviceInfo& /*info*/) override {
    ++resets;
    if (!resettable) return fail(usb::UsbErrc::access_denied, "not this user");
    return {};
  }
  bool switches = true;
  bool lies = false;
  bool comes_back = true;
  bool resettable = true;
  int requests = 0;
  int resets = 0;
  std::vector<emulator::DeviceModel*> models;

 private:
  void on() { models.push_back(&bus_.plug(about_.make({.noise = {.seed = ++seed_}}))); }
  emulator::EmulatedBus& bus_;
  const BenchEntry& about_;
  std::uint64_t seed_ = 0;
};

struct Bench {
  explicit Bench(std::string_view name) : ports(bus, entry(name)) {}
  emulator::DeviceModel& model() { return *ports.models.back(); }
  Result<Collection> collect_it(const Wish& wish) {
    return collect(
        wish,
        {.transport = transport,
         .registry = usb::builtin_registry(),
         .ports = ports,
         .clock = bus.clock(),
         .sleep = [this](unsigned ms) { bus.clock().advance_ns(std::int64_t{ms} * 1'000'000); },
         .cancelled = [this] { return cancelled; },
         .progress = [this](std::size_t done) { progress(done); }});
  }
  emulator::EmulatedBus bus;
  emulator::EmulatedTransport transport{bus};
  Ports ports;
  bool cancelled = false;
  std::function<void(std::size_t)> progress = [](std::size_t) {};
};

/// A stall whenever about so many bytes have come.
struct StallEvery {
  StallEvery(Bench& bench, std::uint64_t bytes) {
    bench.model().set_faults({.stall_after = bytes});
    bench.progress = [&bench, bytes, due = bytes](std::size_t /*done*/) mutable {
      constexpr std::uint64_t noticed = 4096;  // by then the one before has struck
      if (bench.model().sent() < due + noticed) return;
      due = bench.model().sent() + bytes;
      bench.model().set_faults({.stall_after = due});
    };
  }
};

Wish some(std::size_t samples) {
  Wish wish;
  wish.samples = samples;
  return wish;
}
Wish matrix(std::size_t rows, std::size_t columns) {
  Wish wish;
  wish.purpose = Purpose::restart;
  wish.rows = rows;
  wish.columns = columns;
  return wish;
}

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "talla-lab-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Collect, the_buffer_of_the_reads_is_wiped_whole_whatever_came_of_it) {
  Bench bench("ChaosKey");
  EXPECT_EQ(test::wiped_by([&] { EXPECT_FALSE(bench.collect_it(some(0))); }), 65'536U);
}

}  // namespace

TEST(Collect, every_raw_device_gives_consecutive_samples) {
  for (const BenchEntry& each : emulator::bench()) {
    if (!each.raw) continue;
    Bench bench(each.name);
    const auto got = bench.collect_it(some(30'000));
    ASSERT_TRUE(got) << each.name << got.error().text();
    EXPECT_EQ(got->samples.size(), 30'000U) << each.name;
    EXPECT_EQ(got->device.description.bits_per_sample, each.bits);
    EXPECT_EQ(got->pieces, std::vector<std::size_t>{30'000}) << each.name;
    EXPECT_EQ(usb::test::segments(got->samples, bench.model().truth()), 1U) << each.name;
  }
}

TEST(Collect, a_conditioned_stream_is_no_raw_noise_and_a_raw_one_no_conditioned_output) {
  Bench quantis("Quantis");
  const auto refused = quantis.collect_it(some(2000));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(LabErrc::wrong_stream)) << refused.error().text();
  Wish conditioned = some(2000);
  conditioned.purpose = Purpose::conditioned;
  EXPECT_TRUE(quantis.collect_it(conditioned));
  Bench chaoskey("ChaosKey");
  EXPECT_TRUE(chaoskey.collect_it(conditioned).error().is(LabErrc::wrong_stream));
  Wish whitened = some(2000);
  whitened.options.settings = {{"noise", "processed"}};
  EXPECT_TRUE(Bench("SwiftRng").collect_it(whitened).error().is(LabErrc::wrong_stream));
}

TEST(Collect, a_gap_begins_the_set_anew_and_nothing_of_the_old_one_stays) {
  Bench bench("ChaosKey");
  bench.model().set_faults({.stall_after = 20'000});
  const auto got = bench.collect_it(some(50'000));
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(got->begun_again, 1U);
  EXPECT_EQ(got->pieces, std::vector<std::size_t>{50'000});
  EXPECT_EQ(got->stream.stalls, 1U);
  EXPECT_EQ(usb::test::segments(got->samples, bench.model().truth()), 1U);
}

TEST(Collect, pieces_are_sets_of_at_least_a_thousand_each_without_a_gap) {
  Bench bench("ChaosKey");
  const StallEvery stalls(bench, 9000);
  Wish wish = some(40'000);
  wish.pieces = true;
  const auto got = bench.collect_it(wish);
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_GE(got->samples.size(), 40'000U);
  EXPECT_GT(got->pieces.size(), 1U);
  std::size_t all = 0;
  for (const std::size_t piece : got->pieces) {
    EXPECT_GE(piece, piece_samples_min);
    const Bytes part(got->samples.begin() + static_cast<std::ptrdiff_t>(all),
                     got->samples.begin() + static_cast<std::ptrdiff_t>(all + piece));
    EXPECT_EQ(usb::test::segments(part, bench.model().truth()), 1U);
    all += piece;
  }
  EXPECT_EQ(all, got->samples.size());
}

TEST(Collect, a_stream_with_gaps_again_and_again_is_given_up) {
  Bench bench("ChaosKey");
  const StallEvery stalls(bench, 9000);
  const auto got = bench.collect_it(some(50'000));
  ASSERT_FALSE(got);
  EXPECT_TRUE(got.error().is(LabErrc::not_consecutive)) << got.error().text();
  EXPECT_NE(got.error().detail.find("--pieces"), std::string::npos);
}

TEST(Collect, a_short_device_is_an_error_that_says_how_far_it_came) {
  Bench silent("ChaosKey");
  silent.model().set_faults({.silent_after = 20'000});
  const auto got = silent.collect_it(some(50'000));
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().detail.find("after"), std::string::npos) << got.error().text();
  Bench gone("ChaosKey");
  gone.model().set_faults({.gone_after = 20'000});
  const auto left = gone.collect_it(some(50'000));
  ASSERT_FALSE(left);
  EXPECT_TRUE(left.error().is(usb::UsbErrc::gone)) << left.error().text();
  EXPECT_NE(left.error().detail.find("nothing was written"), std::string::npos)
      << left.error().text();
}

TEST(Collect, an_interruption_ends_it) {
  Bench bench("ChaosKey");
  bench.progress = [&bench](std::size_t done) { bench.cancelled = done > 10'000; };
  EXPECT_TRUE(bench.collect_it(some(50'000)).error().is(LabErrc::interrupted));
}

TEST(Collect, counts_outside_their_ranges_are_refused) {
  Bench bench("ChaosKey");
  EXPECT_TRUE(bench.collect_it(some(999)).error().is(LabErrc::bad_wish));
  EXPECT_TRUE(bench.collect_it(some(samples_max + 1)).error().is(LabErrc::bad_wish));
  EXPECT_TRUE(bench.collect_it(matrix(0, 10)).error().is(LabErrc::bad_wish));
  EXPECT_TRUE(bench.collect_it(matrix(100'000, 100'000)).error().is(LabErrc::bad_wish));
}

TEST(Restarts, each_row_is_the_beginning_of_another_power_up) {
  Bench bench("ChaosKey");
  const auto got = bench.collect_it(matrix(20, 300));
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(got->method, RestartMethod::port_power);
  EXPECT_TRUE(got->weaker_because.empty());
  EXPECT_EQ(got->samples.size(), 6000U);
  ASSERT_EQ(bench.ports.models.size(),
            21U);  // the first one was plugged in before the first restart
  for (std::size_t row = 0; row < 20; ++row) {
    const Bytes& truth = bench.ports.models[row + 1]->truth();
    EXPECT_TRUE(std::equal(truth.begin(), truth.begin() + 300,
                           got->samples.begin() + static_cast<std::ptrdiff_t>(300 * row)))
        << row;
  }
}

TEST(Restarts, a_hub_that_switches_nothing_or_lies_is_found_out_and_the_result_is_labelled) {
  Bench plain("ChaosKey");
  plain.ports.switches = false;
  const auto reset = plain.collect_it(matrix(5, 100));
  ASSERT_TRUE(reset) << reset.error().text();
  EXPECT_EQ(reset->method, RestartMethod::port_reset);
  EXPECT_EQ(plain.ports.resets, 5);
  EXPECT_NE(reset->weaker_because.find("port-power"), std::string::npos);
  EXPECT_EQ(restart_set_verdict(*reset->method), "undecided");

  Bench liar("ChaosKey");
  liar.ports.lies = true;
  liar.ports.resettable = false;
  const auto reopened = liar.collect_it(matrix(5, 100));
  ASSERT_TRUE(reopened) << reopened.error().text();
  EXPECT_EQ(reopened->method, RestartMethod::reopen);
  EXPECT_EQ(liar.ports.requests, 2) << "off and on again, once";
  EXPECT_NE(reopened->weaker_because.find("the device stayed"), std::string::npos)
      << reopened->weaker_because;
  EXPECT_NE(reopened->weaker_because.find("port-reset"), std::string::npos)
      << reopened->weaker_because;
  EXPECT_EQ(restart_set_verdict(*reopened->method), "no");
  EXPECT_NE(restart_set_words(*reopened->method).find("not a 90B restart set"), std::string::npos);
}

TEST(Restarts, a_method_that_was_asked_for_is_never_replaced) {
  Bench bench("ChaosKey");
  bench.ports.switches = false;
  Wish wish = matrix(3, 100);
  wish.method = RestartMethod::port_power;
  EXPECT_TRUE(bench.collect_it(wish).error().is(usb::UsbErrc::unsupported));
  wish.method = RestartMethod::port_reset;
  bench.ports.resettable = false;
  EXPECT_TRUE(bench.collect_it(wish).error().is(usb::UsbErrc::access_denied));
}

TEST(Restarts, a_device_that_does_not_come_back_is_an_error) {
  Bench bench("ChaosKey");
  bench.ports.comes_back = false;
  const auto got = bench.collect_it(matrix(3, 100));
  ASSERT_FALSE(got);
  EXPECT_TRUE(got.error().is(LabErrc::no_restart)) << got.error().text();
}

TEST(Restarts, twins_are_refused) {
  Bench bench("ChaosKey");
  bench.bus.plug(entry("ChaosKey").make({}));
  EXPECT_TRUE(bench.collect_it(matrix(3, 100)).error().is(LabErrc::ambiguous));
}

TEST(Restarts, a_row_with_a_gap_is_made_again) {
  Bench bench("ChaosKey");
  int left = 1;
  bench.progress = [&](std::size_t done) {
    if (done < 3000 && left-- == 1)
      bench.model().set_faults({.stall_after = bench.model().sent() + 100});
  };
  const auto got = bench.collect_it(matrix(3, 4000));
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(got->begun_again, 1U);
  EXPECT_EQ(got->pieces, (std::vector<std::size_t>{4000, 4000, 4000}));
}

TEST(Manifest, names_device_settings_counts_and_digests) {
  Bench bench("BitBabblerWhite");
  Wish wish = some(4000);
  wish.options.settings = {{"mask", "3"}};
  wish.options.assessed_millibits_per_sample = 2500;
  const auto got = bench.collect_it(wish);
  ASSERT_TRUE(got) << got.error().text();
  const test::OpenSslHashes hashes;
  const json::Value manifest = manifest_of(wish, *got, "noise.bin", hashes);
  const auto text = [&](const char* group, const char* key) {
    return manifest.find(group)->find(key)->string();
  };
  EXPECT_EQ(text("device", "model"), "bitbabbler");
  EXPECT_EQ(text("device", "serial"), "0123");
  EXPECT_EQ(text("device", "usb_id"), "0403:7840");
  EXPECT_EQ(text("device", "assessment_origin"), "configured at this site");
  EXPECT_EQ(manifest.find("device")->find("assessed_millibits_per_sample")->integer(), 2500);
  EXPECT_EQ(text("settings", "mask"), "3");
  EXPECT_EQ(text("file", "sha256"), to_hex(hashes.sha256({got->samples})));
  EXPECT_EQ(text("file", "name"), "noise.bin");
  EXPECT_EQ(manifest.find("samples")->find("count")->integer(), 4000);
  EXPECT_EQ(manifest.find("samples")->find("width_bits")->integer(), 8);
  EXPECT_FALSE(manifest.find("as_the_standard_asks")->boolean());
  EXPECT_EQ(text("software", "sha256").size(), 64U);
  EXPECT_EQ(manifest.find("restarts"), nullptr);
  EXPECT_TRUE(json::is_ascii(manifest));
}

TEST(Manifest, says_how_restarts_were_made) {
  Bench bench("ChaosKey");
  Wish wish = matrix(3, 1000);
  wish.method = RestartMethod::reopen;
  const auto got = bench.collect_it(wish);
  ASSERT_TRUE(got) << got.error().text();
  const json::Value manifest = manifest_of(wish, *got, "rows.bin", test::OpenSslHashes());
  EXPECT_EQ(manifest.find("restarts")->find("method")->string(), "reopen");
  EXPECT_EQ(manifest.find("restarts")->find("sp800_90b_restart_set")->string(), "no");
  EXPECT_EQ(manifest.find("samples")->find("rows")->integer(), 3);
  EXPECT_FALSE(manifest.find("as_the_standard_asks")->boolean());
}

TEST(Manifest, times_are_written_in_utc) {
  EXPECT_EQ(utc_text(1'767'225'600'000'042), "2026-01-01T00:00:00.000042Z");
}

TEST(Evidence, is_written_whole_or_not_at_all_and_never_overwritten) {
  const Folder folder;
  const std::string path = (folder.path / "noise.bin").string();
  const Bytes data{1, 2, 3};
  ASSERT_TRUE(write_evidence(path, data, json::Object{{"a", 1}}));
  EXPECT_EQ(content(path), "\1\2\3");
  EXPECT_EQ(content(manifest_path(path)), "{\"a\":1}\n");
  EXPECT_TRUE(write_evidence(path, Bytes{9}, json::Object{}).error().is(LabErrc::file_exists));
  EXPECT_EQ(content(path), "\1\2\3");
  // A manifest that stands there already: no new data beside it.
  const std::string other = (folder.path / "other.bin").string();
  std::ofstream(manifest_path(other)) << "old";
  EXPECT_TRUE(write_evidence(other, data, json::Object{}).error().is(LabErrc::file_exists));
  EXPECT_FALSE(fs::exists(other));
  EXPECT_TRUE(write_evidence((folder.path / "absent" / "x").string(), data, json::Object{})
                  .error()
                  .is(LabErrc::file_io));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 3)
      << "no parts are left";
}
