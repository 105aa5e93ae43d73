// Wheels and hands: one name a line, a series of independent results. Dice: faces of one throw a
//                   line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "format/bounds.hpp"
#include "hands.hpp"
#include "input.hpp"
#include "outcomes.hpp"
#include "stats/outcome/cells.hpp"
#include "stats/outcome/interplay.hpp"
#include "stats/outcome/stream.hpp"

namespace talla::lab {
namespace {

using stats::outcome::Alphabet;
using stats::outcome::Interplay;
using stats::outcome::Row;
using stats::outcome::StreamTests;

constexpr std::size_t together = 4096;

std::optional<std::size_t> number_within(std::string_view text, certs::Between bounds) {
  return number_from(text, static_cast<std::size_t>(bounds.min),
                     static_cast<std::size_t>(bounds.max));
}

/// Results of one wheel, or hands.
class Series final : public GameTests {
 public:
  Series(StreamTests tests, std::string results, bool wheel)
      : tests_(std::move(tests)), results_(std::move(results)), wheel_(wheel) {
    const auto& names = tests_.alphabet().names;
    for (std::size_t i = 0; i < names.size(); ++i)
      places_.emplace(names[i], static_cast<std::uint16_t>(i));
  }
  stats::Result<bool> add_line(std::string_view line) override {
    const auto found = places_.find(std::string(line));
    if (found == places_.end())
      return stats::refuse(fmt::format("\"{}\" is no result of this game", line.substr(0, 40)));
    add(found->second);
    return true;
  }
  bool add_pocket(std::uint64_t pocket, std::uint64_t pockets) override {
    if (!wheel_ || pockets != places_.size() || pocket >= pockets) return false;
    add(static_cast<std::uint16_t>(pocket));
    return true;
  }
  std::uint64_t count() const override { return tests_.count() + waiting_.size(); }
  std::string results() const override { return results_; }
  std::vector<Row> rows() override {
    tests_.add(waiting_);
    waiting_.clear();
    return tests_.rows();
  }

 private:
  void add(std::uint16_t result) {
    waiting_.push_back(result);
    if (waiting_.size() < together) return;
    tests_.add(waiting_);
    waiting_.clear();
  }
  StreamTests tests_;
  std::string results_;
  bool wheel_;
  std::unordered_map<std::string, std::uint16_t> places_;
  std::vector<std::uint16_t> waiting_;
};

/// Each die, their sum, the throw as a whole, and what two dice have to do with each other.
class Dice final : public GameTests {
 public:
  Dice(std::size_t dice, std::size_t faces) : dice_(dice), faces_(faces), waiting_(dice) {
    const Alphabet die = Alphabet::uniform(faces, 1);
    std::vector<double> sums = {1.0};
    for (std::size_t d = 0; d < dice; ++d) {
      series_.push_back(*StreamTests::create(die, fmt::format("die {}", d + 1)));
      std::vector<double> more(sums.size() + faces - 1);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        for (std::size_t f = 0; f < faces; ++f) more[i + f] += sums[i] / static_cast<double>(faces);
      }
      sums = std::move(more);
      throw_count_ *= faces;
    }
    if (dice > 1) {
      Alphabet sum = Alphabet::uniform(sums.size(), dice);
      sum.probabilities = std::move(sums);
      series_.push_back(*StreamTests::create(std::move(sum), "sum"));
      throws_.resize(throw_count_ <= throws_most ? throw_count_ : 0);
    }
    for (std::size_t a = 0; a < dice; ++a) {
      for (std::size_t b = 0; b < dice; ++b) {
        if (a < b)
          pairs_.push_back(
              {a, b, false, Interplay(die, die, fmt::format("die {} and die {}", a + 1, b + 1))});
        if (a != b)
          pairs_.push_back(
              {a, b, true,
               Interplay(die, die, fmt::format("die {} before, then die {}", a + 1, b + 1))});
      }
    }
  }
  stats::Result<bool> add_line(std::string_view line) override {
    std::vector<std::uint64_t> faces;
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(' '), line.size());
      const auto face = number_from(line.substr(0, end), 1, faces_);
      if (!face)
        return stats::refuse(fmt::format("\"{}\" is no face from 1 to {}",
                                         line.substr(0, std::min<std::size_t>(end, 40)), faces_));
      faces.push_back(*face);
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (faces.size() != dice_)
      return stats::refuse(fmt::format("{} dice instead of {}", faces.size(), dice_));
    add(faces);
    return true;
  }
  bool add_dice(const std::vector<std::uint64_t>& faces, std::uint64_t sides) override {
    if (faces.size() != dice_ || sides != faces_) return false;
    if (std::any_of(faces.begin(), faces.end(), [&](std::uint64_t face) { return face > faces_; }))
      return false;
    add(faces);
    return true;
  }
  std::uint64_t count() const override { return series_[0].count() + waiting_[0].size(); }
  std::string results() const override { return "throws"; }
  std::vector<Row> rows() override {
    flush();
    std::vector<Row> rows;
    for (const auto& series : series_) {
      auto more = series.rows();
      rows.insert(rows.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
    }
    for (const auto& pair : pairs_) pair.interplay.rows(rows);
    if (!throws_.empty()) {
      std::vector<std::string> names(throws_.size());
      const std::vector<double> shares(throws_.size(), 1.0 / static_cast<double>(throws_.size()));
      stats::outcome::add_frequency_rows(rows, {"frequency", "", "whole throw"}, names, shares,
                                         throws_, false);
    }
    return rows;
  }

 private:
  struct Pair {
    std::size_t a, b;
    bool before;
    Interplay interplay;
  };
  static constexpr std::size_t throws_most = 10'000;

  void add(const std::vector<std::uint64_t>& faces) {
    std::size_t index = 0;
    for (std::size_t d = 0; d < dice_; ++d) {
      waiting_[d].push_back(static_cast<std::uint16_t>(faces[d] - 1));
      index = index * faces_ + faces[d] - 1;
    }
    if (!throws_.empty()) ++throws_[index];
    if (waiting_[0].size() >= together) flush();
  }
  void flush() {
    const std::size_t n = waiting_[0].size();
    if (n == 0) return;
    std::vector<std::uint16_t> sums(n);
    for (std::size_t d = 0; d < dice_; ++d) {
      series_[d].add(waiting_[d]);
      for (std::size_t i = 0; i < n; ++i)
        sums[i] = static_cast<std::uint16_t>(sums[i] + waiting_[d][i]);
    }
    if (dice_ > 1) series_.back().add(sums);
    for (auto& [a, b, before, interplay] : pairs_) {
      const std::span<const std::uint16_t> first(waiting_[a]), second(waiting_[b]);
      if (!before) {
        interplay.add(first, second);
      } else {
        if (!last_.empty()) interplay.add({&last_[a], 1}, second.first(1));
        interplay.add(first.first(n - 1), second.subspan(1));
      }
    }
    last_.resize(dice_);
    for (std::size_t d = 0; d < dice_; ++d) {
      last_[d] = waiting_[d].back();
      waiting_[d].clear();
    }
  }
  std::size_t dice_, faces_;
  std::vector<StreamTests> series_;  // each die, then the sum
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::uint16_t>> waiting_;
  std::vector<std::uint16_t> last_;
  std::size_t throw_count_ = 1;
  std::vector<std::uint64_t> throws_;
};

stats::Result<Alphabet> wheel_from(const std::string& what) {
  if (what.find(',') != std::string::npos) {
    Alphabet wheel;
    for (std::size_t begin = 0; begin <= what.size();) {
      const std::size_t end = std::min(what.find(',', begin), what.size());
      wheel.names.push_back(what.substr(begin, end - begin));
      if (std::count(wheel.names.begin(), wheel.names.end(), wheel.names.back()) > 1 ||
          wheel.names.back().empty()) {
        return stats::refuse(
            fmt::format("wheel: pocket \"{}\" has no name of its own", wheel.names.back()));
      }
      begin = end + 1;
    }
    wheel.probabilities.assign(wheel.names.size(), 1.0 / static_cast<double>(wheel.names.size()));
    return wheel;
  }
  const std::size_t colon = std::min(what.find(':'), what.size());
  const auto pockets = number_within(what.substr(0, colon), certs::wheel_pockets);
  const auto first = colon == what.size() ? std::optional<std::size_t>(0)
                                          : number_from(what.substr(colon + 1), 0, 1);
  if (!pockets || !first)
    return stats::refuse(fmt::format("wheel: \"{}\" is no number of pockets from {}", what,
                                     certs::bounds_text(certs::wheel_pockets)));
  Alphabet wheel = Alphabet::uniform(*pockets, *first);
  if (*pockets == 38 && *first == 0) wheel.names.back() = "00";
  return wheel;
}

/// Lines of a name and a weight.
stats::Result<Alphabet> own_hands(const std::string& path) {
  if (path.empty())
    return stats::refuse("hands:own needs --odds FILE with a name and a weight a line");
  auto input = Input::open(path);
  if (!input) return tl::unexpected(input.error());
  auto bytes = input->read_all(std::size_t{1} << 20);
  if (!bytes) return tl::unexpected(bytes.error());
  Alphabet hands;
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  double sum = 0.0;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view now = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!now.empty() && (now.back() == '\r' || now.back() == ' ')) now.remove_suffix(1);
    if (now.empty() || now.front() == '#') continue;
    const std::size_t space = now.rfind(' ');
    double weight = 0.0;
    const char* last = now.data() + now.size();
    const char* begin = space == std::string_view::npos ? last : now.data() + space + 1;
    const auto read = std::from_chars(begin, last, weight);
    if (read.ec != std::errc() || read.ptr != last || !(weight > 0.0) || !std::isfinite(weight)) {
      return stats::refuse(fmt::format("{}, line {}: no name and weight above 0", path, line));
    }
    hands.names.emplace_back(now.substr(0, space));
    if (std::count(hands.names.begin(), hands.names.end(), hands.names.back()) > 1) {
      return stats::refuse(
          fmt::format("{}, line {}: \"{}\" comes twice", path, line, hands.names.back()));
    }
    hands.probabilities.push_back(weight);
    sum += weight;
  }
  for (double& probability : hands.probabilities) probability /= sum;
  return hands;
}

stats::Result<Alphabet> hands_from(const std::string& what, const std::string& odds) {
  const std::size_t colon = std::min(what.find(':'), what.size());
  const std::string name = what.substr(0, colon);
  if (what == "poker") return poker_hands();
  if (what == "own") return own_hands(odds);
  const auto decks =
      colon == what.size() ? std::nullopt : number_from(what.substr(colon + 1), 1, 8);
  if (name == "baccarat" && decks) return baccarat_hands(static_cast<std::uint32_t>(*decks));
  if (name == "trente" && decks) return trente_rows(static_cast<std::uint32_t>(*decks));
  if (name == "blackjack" && decks) return blackjack_naturals(static_cast<std::uint32_t>(*decks));
  return stats::refuse(fmt::format(
      "hands:{}: known are baccarat:DECKS, trente:DECKS, blackjack:DECKS (1 to 8), poker, and "
      "own with --odds",
      what));
}

}  // namespace

stats::Result<std::unique_ptr<GameTests>> make_series(const std::string& kind,
                                                      const std::string& what,
                                                      const std::string& odds) {
  auto alphabet = kind == "wheel" ? wheel_from(what) : hands_from(what, odds);
  if (!alphabet) return tl::unexpected(alphabet.error());
  auto tests = StreamTests::create(std::move(*alphabet));
  if (!tests) return stats::refuse(kind + ": " + tests.error().detail);
  return std::make_unique<Series>(std::move(*tests), kind == "wheel" ? "spins" : "hands",
                                  kind == "wheel");
}

stats::Result<std::unique_ptr<GameTests>> make_dice(const std::string& what) {
  const std::size_t by = std::min(what.find('x'), what.size());
  const auto dice = number_within(what.substr(0, by), certs::dice_counts);
  const auto faces =
      by == what.size() ? std::nullopt : number_within(what.substr(by + 1), certs::die_faces);
  if (!dice || !faces)
    return stats::refuse(fmt::format("dice:{}: not of the form 2x6, {} dice of {} faces", what,
                                     certs::bounds_text(certs::dice_counts),
                                     certs::bounds_text(certs::die_faces)));
  return std::make_unique<Dice>(*dice, *faces);
}

}  // namespace talla::lab
