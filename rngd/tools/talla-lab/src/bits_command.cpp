// talla-lab bits: conditioned blocks of a recording, or output of the DRBG, for the tests of bits.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "certs/openssl_hashes.hpp"
#include "lab_kit/manifest.hpp"
#include "lab_sample/bits.hpp"
#include "software/check.hpp"

namespace talla::lab {
namespace {

constexpr std::uint64_t bits_bytes_most = std::uint64_t{1} << 30U;

struct BitsOptions {
  std::string recording, out;
  ConditionWish condition;
  DrbgWish drbg;
};

Status run_bits(const App& app, BitsOptions& options) {
  if (options.recording.empty() == options.drbg.kind.empty())
    commandline::fail_required("either --recording or --drbg");
  TALLA_TRY_STATUS(check_absent(options.out));
  const certs::OpensslHashes hashes;
  Bytes samples;
  MadeBits made;
  if (options.drbg.kind.empty()) {
    TALLA_TRY(samples, software::read_plain_file(options.recording));
    options.condition.samples = samples;
    TALLA_TRY(made, conditioned_bits(options.condition));
    made.about.emplace("recording_sha256", to_hex(hashes.sha256({samples})));
  } else {
    TALLA_TRY(made, drbg_bits(options.drbg));
  }
  made.about.emplace("bytes", made.bytes.size());
  made.about.emplace("sha256", to_hex(hashes.sha256({made.bytes})));
  TALLA_TRY_STATUS(write_new(options.out, made.bytes));
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Value(std::move(made.about))));
  } else {
    fmt::print("{}: {} bytes; judge them by talla-lab battery {}\n", options.out, made.bytes.size(),
               options.out);
  }
  return {};
}

}  // namespace

void add_bits(commandline::Command& root, App& app) {
  auto options = std::make_shared<BitsOptions>();
  auto* command = root.add_subcommand("bits",
                                      "bits of the generator's parts, made by its own functions: "
                                      "conditioned blocks of a recording, "
                                      "or output of the DRBG from a seed");
  auto* recording = command->add_option("--recording", options->recording,
                                        "samples of talla-lab collect --raw, one a byte");
  command
      ->add_option("--assessed-millibits", options->condition.assessed_millibits,
                   "with --recording: the claim for a sample")
      ->range(1U, 8000U)
      ->needs(recording);
  command
      ->add_option("--conditioner", options->condition.conditioner,
                   "with --recording: sha-512 or hmac-sha-512")
      ->needs(recording)
      ->capture_default_str();
  auto* drbg =
      command->add_option("--drbg", options->drbg.kind, "ctr-drbg-aes-256-df or hmac-drbg-sha-512");
  command->add_option("--seed", options->drbg.seed, "with --drbg: 64 hex digits")->needs(drbg);
  command->add_option("--bytes", options->drbg.bytes, "with --drbg: how many")
      ->range(std::uint64_t{1}, bits_bytes_most)
      ->needs(drbg);
  command->add_option("--out", options->out, "file of the bits, which may not exist")->required();
  drbg->excludes(recording);
  command->callback([options, &app] {
    if (const auto done = run_bits(app, *options); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
