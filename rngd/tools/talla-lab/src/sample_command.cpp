// talla-lab sample: results of a game from a stated seed, for the statistical tests.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "app.hpp"
#include "commandline/typed.hpp"
#include "lab_kit/errc.hpp"
#include "lab_kit/manifest.hpp"
#include "lab_sample/sampler.hpp"

namespace talla::lab {
namespace {

constexpr std::uint64_t sample_results_most = 100'000'000;
constexpr std::uint64_t progress_every = 4096;

struct SampleOptions {
  SampleWish wish;
  std::vector<std::string> parameters;
  std::uint64_t count = 0;
  std::string out;
};

/// A file that comes to its name whole or not at all, and over no other.
class SampleFile {
 public:
  explicit SampleFile(std::string path)
      : path_(std::move(path)), part_(path_ + ".part"), file_(std::fopen(part_.c_str(), "wbe")) {}
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile() {
    if (file_ == nullptr) return;
    static_cast<void>(std::fclose(file_));
    static_cast<void>(::unlink(part_.c_str()));
  }
  [[nodiscard]] Status write(const std::string& text) {
    if (file_ == nullptr || std::fwrite(text.data(), 1, text.size(), file_) != text.size())
      return refused(part_);
    return {};
  }
  [[nodiscard]] Status finish() {
    if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) return refused(part_);
    // A hard link does not replace what came into being meanwhile.
    if (::link(part_.c_str(), path_.c_str()) != 0) return refused(path_);
    return {};
  }

 private:
  [[nodiscard]] static Status refused(const std::string& path) {
    return fail(LabErrc::file_io, path + ": cannot be written");
  }
  std::string path_, part_;
  std::FILE* file_;
};

Result<json::Value> sample_parameters(const std::vector<std::string>& texts) {
  json::Value out = json::Object{};
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(SampleErrc::sample_refused, "--param " + text + ": NAME=VALUE is expected");
    out[text.substr(0, equals)] = commandline::typed_value(text.substr(equals + 1));
  }
  return out;
}

Status run_sample(const App& app, SampleOptions& options) {
  TALLA_TRY(options.wish.parameters, sample_parameters(options.parameters));
  TALLA_TRY_STATUS(check_absent(options.out));
  TALLA_TRY(Sampler sampler, Sampler::open(options.wish));
  if (options.count == 0) options.count = sampler.usual_count();
  const std::string manifest = json::canonical(sampler.manifest(options.count));
  SampleFile file(options.out);
  TALLA_TRY_STATUS(file.write("# " + manifest + "\n"));
  Progress progress(app, "results", options.count);
  std::string lines;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    TALLA_TRY_STATUS(sampler.next(lines));
    if ((i + 1) % progress_every != 0 && i + 1 != options.count) continue;
    TALLA_TRY_STATUS(file.write(lines));
    lines.clear();
    progress.show(i + 1);
  }
  TALLA_TRY_STATUS(file.finish());
  if (app.json) {
    fmt::print("{}\n", manifest);
  } else {
    fmt::print("{}: {} results of {} {}; judge them by talla-lab outcomes {}\n", options.out,
               options.count, options.wish.catalogue, options.wish.game, options.out);
  }
  return {};
}

}  // namespace

void add_sample(commandline::Command& root, App& app) {
  auto options = std::make_shared<SampleOptions>();
  auto* command = root.add_subcommand(
      "sample",
      "results of a game from a stated seed, by the functions that the appliance draws with; no "
      "keys, no noise");
  command->add_option("CATALOGUE", options->wish.catalogue, "e.g. es-1977")->required();
  command->add_option("GAME", options->wish.game, "e.g. french-roulette")->required();
  command
      ->add_option("--count", options->count,
                   "spins, throws or shoes; left out: as many as laboratories look at, 10,000,000 "
                   "draws or 2,500,000 shoes")
      ->range(std::uint64_t{1}, sample_results_most);
  command
      ->add_option("--seed", options->wish.seed,
                   "64 hex digits; the same ones give the same bytes everywhere")
      ->required();
  command->add_option("--out", options->out, "file of the results, which may not exist")
      ->required();
  command->add_option("--param", options->parameters,
                      "NAME=VALUE, a parameter of the game (see talla catalogue show)");
  command->add_option("--first", options->wish.first, "shoes: so many cards of each line only")
      ->range(2U, 1024U);
  command->add_flag("--draw", options->wish.draw,
                    "the dice of a game that has a shoe too (pai gow)");
  command->footer(
      "The first line is # and a JSON object: game, parameters, seed, count, and what talla-lab "
      "outcomes calls these results.");
  command->callback([options, &app] {
    if (const auto done = run_sample(app, *options); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
