// talla-lab collect: data sets of a generator for SP 800-90B, with their manifest.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include "app.hpp"
#include "certs/openssl_hashes.hpp"
#include "device_options.hpp"
#include "lab_kit/manifest.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::lab {
namespace {

struct CollectOptions {
  bool raw = false;
  bool conditioned = false;
  bool restart = false;
  std::string out;
  std::string method = "auto";
  DeviceChoice device;
  Wish wish;
};

Status complete(CollectOptions& options) {
  Wish& wish = options.wish;
  wish.purpose = options.restart       ? Purpose::restart
                 : options.conditioned ? Purpose::conditioned
                                       : Purpose::sequential;
  wish.selector = options.device.selector;
  TALLA_TRY(wish.options, driver_options(options.device));
  for (const RestartMethod method :
       {RestartMethod::port_power, RestartMethod::port_reset, RestartMethod::reopen}) {
    if (options.method == method_name(method)) wish.method = method;
  }
  return {};
}

void say(const Wish& wish, const Collection& got, const std::string& out) {
  const auto& description = got.device.description;
  fmt::print("{}: {} {} samples of {} bit{} from {} {}\n", out, got.samples.size(),
             wish.purpose == Purpose::conditioned ? "conditioned" : "raw",
             description.bits_per_sample, description.bits_per_sample == 1 ? "" : "s",
             got.device.info.product, got.device.info.serial);
  if (wish.purpose != Purpose::restart) {
    fmt::print("{} consecutive set{}, {} thrown away because of a gap\n", got.pieces.size(),
               got.pieces.size() == 1 ? "" : "s", got.begun_again);
    if (got.samples.size() < sequential_samples)
      fmt::print("fewer than the 1,000,000 samples that SP 800-90B 3.1.1 asks for\n");
    return;
  }
  fmt::print("{} restarts x {} samples by {}: {}\n", wish.rows, wish.columns,
             method_name(*got.method), restart_set_words(*got.method));
  if (!got.weaker_because.empty()) fmt::print("no stronger restart: {}\n", got.weaker_because);
  if (wish.rows != restart_rows || wish.columns != restart_columns)
    fmt::print("SP 800-90B 3.1.4 asks for 1,000 restarts x 1,000 samples\n");
}

Status run_collect(CollectOptions& options, const App& app) {
  TALLA_TRY_STATUS(complete(options));
  TALLA_TRY_STATUS(check_absent(options.out));
  TALLA_TRY_STATUS(check_absent(manifest_path(options.out)));
  TALLA_TRY(const auto transport, usb::make_libusb_transport());
  TALLA_TRY(const auto ports, usb::make_libusb_port_control());
  SystemClock clock;
  const Wish& wish = options.wish;
  Progress progress(app, "samples",
                    wish.purpose == Purpose::restart ? wish.rows * wish.columns : wish.samples);
  const StopSignals signals;
  TALLA_TRY(
      const Collection collection,
      collect(
          wish,
          {.transport = *transport,
           .registry = usb::builtin_registry(),
           .ports = *ports,
           .clock = clock,
           .sleep = [](unsigned ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); },
           .cancelled = [] { return StopSignals::came(); },
           .progress = [&progress](std::size_t done) { progress.show(done); }}));
  const certs::OpensslHashes hashes;
  const json::Value manifest =
      manifest_of(wish, collection, std::filesystem::path(options.out).filename().string(), hashes);
  TALLA_TRY_STATUS(write_evidence(options.out, collection.samples, manifest));
  if (app.json) {
    fmt::print("{}\n", json::canonical(manifest));
  } else {
    say(wish, collection, options.out);
  }
  return {};
}

}  // namespace

void add_collect(commandline::Command& root, App& app) {
  auto options = std::make_shared<CollectOptions>();
  auto* command = root.add_subcommand(
      "collect", "data sets of a USB generator for SP 800-90B: FILE and FILE.manifest.json");
  auto* raw = command->add_flag("--raw", options->raw, "consecutive raw samples (3.1.1)");
  auto* restart = command->add_flag("--restart", options->restart,
                                    "samples right after restarts, row after row (3.1.4)");
  auto* conditioned =
      command->add_flag("--conditioned", options->conditioned,
                        "consecutive output of a device's own conditioning (3.1.5.2)");
  raw->excludes(restart)->excludes(conditioned);
  restart->excludes(conditioned);
  command
      ->add_option("--out", options->out,
                   "file for the samples; neither it nor its manifest may exist")
      ->required();
  add_device_options(*command, options->device);
  auto* samples =
      command->add_option("--samples", options->wish.samples, "how many consecutive ones")
          ->range(piece_samples_min, samples_max)
          ->capture_default_str();
  auto* pieces = command->add_flag(
      "--pieces", options->wish.pieces,
      "with --raw: after a gap go on with another set of at least 1,000 instead of starting over");
  samples->excludes(restart);
  pieces->excludes(restart);
  command->add_option("--rows", options->wish.rows, "restarts")
      ->range(1, 100'000)
      ->capture_default_str()
      ->needs(restart);
  command->add_option("--columns", options->wish.columns, "samples after each restart")
      ->range(1, 100'000)
      ->capture_default_str()
      ->needs(restart);
  command
      ->add_option(
          "--method", options->method,
          "how to restart: auto takes the first that works of port-power, port-reset, reopen")
      ->one_of({"auto", "port-power", "port-reset", "reopen"})
      ->capture_default_str()
      ->needs(restart);
  command->add_option("--off-ms", options->wish.off_ms, "port-power: how long the power is away")
      ->range(10, 60'000)
      ->capture_default_str()
      ->needs(restart);
  command->callback([options, &app] {
    if (!options->raw && !options->restart && !options->conditioned)
      commandline::fail_required("one of --raw, --restart, --conditioned");
    if (const auto done = run_collect(*options, app); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
