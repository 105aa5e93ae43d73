#include "stats/outcome/stream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "outcome/stream_parts.hpp"

namespace talla::stats::outcome {
namespace {

constexpr std::size_t size_most = 1024;
constexpr std::size_t each_most = 128;  // results that get a row of their own
constexpr std::size_t chunk_most = 4096;

}  // namespace

Alphabet Alphabet::uniform(std::size_t size, std::size_t first) {
  Alphabet alphabet;
  for (std::size_t i = 0; i < size; ++i) alphabet.names.push_back(std::to_string(first + i));
  alphabet.probabilities.assign(size, 1.0 / static_cast<double>(size));
  return alphabet;
}

struct StreamTests::Impl {
  Impl(Alphabet given, std::string name)
      : alphabet(std::move(given)),
        series(std::move(name)),
        serial(alphabet, series),
        runs(alphabet, series),
        waits(alphabet, series),
        blocks(alphabet, series),
        windows(alphabet, series) {}

  void add(std::span<const std::uint16_t> results) {
    buffer.insert(buffer.end(), results.begin(), results.end());
    const Chunk chunk{buffer.data() + past, results.size(), past};
    serial.add(chunk);
    runs.add(chunk);
    waits.add(chunk);
    blocks.add(chunk);
    windows.add(chunk);
    n += results.size();
    const std::size_t keep = std::min(past_most, buffer.size());
    buffer.erase(buffer.begin(), buffer.end() - static_cast<std::ptrdiff_t>(keep));
    past = keep;
  }

  Alphabet alphabet;
  std::string series;
  Serial serial;
  Runs runs;
  Waits waits;
  Blocks blocks;
  Windows windows;
  std::vector<std::uint16_t> buffer;
  std::size_t past = 0;
  std::uint64_t n = 0;
};

Result<StreamTests> StreamTests::create(Alphabet alphabet, std::string series) {
  const std::size_t size = alphabet.probabilities.size();
  if (size < 2 || size > size_most) {
    return refuse(std::to_string(size) + " different results: 2 to " + std::to_string(size_most) +
                  " can be tested");
  }
  if (alphabet.names.size() != size) return refuse("as many names as probabilities are needed");
  double sum = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    if (!(alphabet.probabilities[i] > 0.0))
      return refuse("result " + alphabet.names[i] + " has no probability above 0");
    sum += alphabet.probabilities[i];
  }
  if (std::abs(sum - 1.0) > 1e-9)
    return refuse("the probabilities sum to " + std::to_string(sum) + ", not to 1");
  return StreamTests(std::make_unique<Impl>(std::move(alphabet), std::move(series)));
}

StreamTests::StreamTests(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StreamTests::StreamTests(StreamTests&&) noexcept = default;
StreamTests& StreamTests::operator=(StreamTests&&) noexcept = default;
StreamTests::~StreamTests() = default;

void StreamTests::add(std::span<const std::uint16_t> results) {
  while (!results.empty()) {
    const std::size_t now = std::min(results.size(), chunk_most);
    impl_->add(results.first(now));
    results = results.subspan(now);
  }
}

std::uint64_t StreamTests::count() const {
  return impl_->n;
}

const Alphabet& StreamTests::alphabet() const {
  return impl_->alphabet;
}

std::vector<std::uint64_t> StreamTests::frequencies() const {
  return impl_->windows.totals();
}

std::vector<Row> StreamTests::rows() const {
  const auto counts = frequencies();
  const Alphabet& alphabet = impl_->alphabet;
  std::vector<Row> rows;
  add_frequency_rows(rows, {"frequency", "", impl_->series}, alphabet.names, alphabet.probabilities,
                     counts, counts.size() <= each_most);
  impl_->serial.rows(rows, counts, impl_->n);
  impl_->runs.rows(rows, impl_->n);
  impl_->waits.rows(rows, impl_->n);
  impl_->blocks.rows(rows, impl_->n);
  impl_->windows.rows(rows, impl_->n);
  return rows;
}

std::vector<double> StreamTests::window_p_values() const {
  return impl_->windows.p_values();
}

}  // namespace talla::stats::outcome
