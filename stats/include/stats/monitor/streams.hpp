/// \file
/// The streams of the appliance and what is asked of each: finite alphabets, shoes, conditioned
/// bits, raw noise.
///
/// Threads: one object belongs to one thread at a time. Determinism: same observations, same
///          doubles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/monitor/cells.hpp"
#include "stats/monitor/claim.hpp"
#include "stats/monitor/dirichlet.hpp"
#include "stats/monitor/predictors.hpp"
#include "stats/monitor/process.hpp"

namespace talla::stats::monitor {

/// Is a symbol too frequent? Half of the stake on the Dirichlet mixture, half on single symbols.
class Frequency final : public Process {
 public:
  Frequency(std::string name, const std::vector<double>& probabilities);
  /// Precondition: symbol < number of probabilities.
  void observe(std::size_t symbol);
  [[nodiscard]] std::uint64_t steps() const override { return steps_; }
  [[nodiscard]] double e() const override { return 0.5 * (mixture_.e() + cells_.e()); }
  [[nodiscard]] double log_e() const override;
  [[nodiscard]] double detector() const override { return cells_.detector(); }
  [[nodiscard]] double log_detector() const override;
  void begin_epoch() override;
  void restart_detector() override { cells_.restart_detector(); }
  void freeze_e(bool frozen) override;
  void freeze_detector(bool frozen) override { cells_.freeze_detector(frozen); }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  std::vector<double> inverse_;
  Dirichlet mixture_;
  CellTable cells_;
  std::uint64_t steps_ = 0;
  bool frozen_ = false;
};

/// Bets on the cells of one or two tables, in equal parts.
class Tables final : public Process {
 public:
  Tables(std::string name, const std::vector<CellTable::Options>& tables);
  /// One observation of a table; `step` counts it.
  void observe(std::size_t table, std::size_t row, std::size_t column, double inverse_q,
               const std::uint16_t* gone = nullptr) {
    tables_[table].observe(row, column, inverse_q, gone);
  }
  /// Gives back what is owed (cells.hpp): now, or at every `rounds`th call.
  void credit() { credit_every(1); }
  void credit_every(std::uint32_t rounds);
  /// One table, at every `rounds`th call of `credit_every`.
  void credit_table(std::size_t table, std::uint32_t rounds) {
    if (rounds_ % rounds == 0) tables_[table].credit();
  }
  void fetch(std::size_t table, std::size_t row, std::size_t column) const {
    tables_[table].fetch(row, column);
  }
  void step() { steps_ += frozen_ ? 0 : 1; }
  [[nodiscard]] std::uint64_t steps() const override { return steps_; }
  [[nodiscard]] double e() const override;
  [[nodiscard]] double log_e() const override;
  [[nodiscard]] double detector() const override;
  [[nodiscard]] double log_detector() const override;
  void begin_epoch() override;
  void restart_detector() override;
  void freeze_e(bool frozen) override;
  void freeze_detector(bool frozen) override;
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  std::vector<CellTable> tables_;
  std::uint64_t steps_ = 0;
  std::uint32_t rounds_ = 0;  // since the last credit
  bool frozen_ = false;
};

/// Wheel numbers, throws of dice, lots: symbols 0 to n - 1, all equally likely.
///   frequency  a symbol too frequent
///   pairs      a symbol too frequent behind another one (alphabets above 64 in 64 parts of known
///              size)
class Alphabet final : public Group {
 public:
  /// `size`: 2 to 4096. `unit` in the plural.
  Alphabet(std::size_t size, std::string unit);
  /// Precondition: symbol < size.
  void observe(std::size_t symbol);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<Process* const> processes() const override { return processes_; }
  [[nodiscard]] std::string_view unit() const override { return unit_; }
  /// The symbol before is not known any more: the next one is no pair. Called where the stream was
  /// not seen.
  void forget() { previous_.reset(); }

 private:
  std::size_t size_;
  std::string unit_;
  Frequency frequency_;
  Tables pairs_;
  std::vector<std::size_t> part_;     // of a symbol
  std::vector<double> part_inverse_;  // 1 / probability of a part
  std::optional<std::size_t> previous_;
  std::vector<Process*> processes_;
};

/// Shoes of one deck, each known from its first dealt position on; cards drawn without replacement,
/// exact conditional probabilities.
///   position   a card too frequent at a place of the shoe
///   neighbour  a card too frequent behind another one, or a distance in the order of a new deck
///              too frequent
class Shoe final : public Group {
 public:
  /// `copies` of each kind of card, in the order of a new deck: 2 to 256 kinds, 2 to 1024 cards.
  explicit Shoe(std::vector<std::uint32_t> copies);
  /// Kinds of the dealt positions 0, 1, ...: all of the shoe, or a beginning whose end was fixed
  /// without knowledge of its cards. Refuses, and changes nothing, when a kind is unknown or comes
  /// more often than the deck has it.
  [[nodiscard]] bool observe(std::span<const std::uint16_t> kinds);
  /// Gives back what was staked on cards that were used up (cells.hpp); done by itself after every
  /// 64 shoes, for distances after every fourth.
  void credit();
  [[nodiscard]] std::size_t cards_count() const { return cards_; }
  [[nodiscard]] std::span<Process* const> processes() const override { return processes_; }
  [[nodiscard]] std::string_view unit() const override { return "cards"; }

 private:
  std::vector<std::uint32_t> copies_;
  std::size_t cards_;
  Tables position_;
  Tables neighbour_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint16_t>
      gone_;  // 1: none left; twice in a row, so that it can be read from any kind on
  std::vector<Process*> processes_;
};

/// Ones among bits: Beta mixtures over four strengths; the detector bets on shares of 0.501, 0.51
/// and 0.6, both ways, a step a block.
class Ones final : public Process {
 public:
  explicit Ones(std::string name) : Process(std::move(name)) { Ones::begin_epoch(); }
  void observe(std::uint64_t ones, std::uint64_t bits);
  /// Counted in bytes.
  [[nodiscard]] std::uint64_t steps() const override { return bits_ / 8; }
  [[nodiscard]] double e() const override;
  [[nodiscard]] double log_e() const override { return log_e_; }
  [[nodiscard]] double detector() const override;
  [[nodiscard]] double log_detector() const override;
  void begin_epoch() override;
  void restart_detector() override { log_detectors_.fill(0); }
  void freeze_e(bool frozen) override { frozen_ = frozen; }
  void freeze_detector(bool frozen) override { detector_frozen_ = frozen; }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  void value();
  std::uint64_t ones_ = 0;
  std::uint64_t bits_ = 0;
  double log_e_ = 0;
  std::array<double, 6> log_detectors_{};
  bool frozen_ = false;
  bool detector_frozen_ = false;
};

/// Conditioned bits, in blocks of bytes.
///   ones     a bit that prefers a value
///   bytes    a byte too frequent
///   nibbles  four bits too frequent behind four others
class ConditionedBits final : public Group {
 public:
  ConditionedBits();
  void observe(std::span<const std::uint8_t> block);
  [[nodiscard]] std::span<Process* const> processes() const override { return processes_; }
  [[nodiscard]] std::string_view unit() const override { return "bytes"; }

 private:
  Ones ones_;
  Frequency bytes_;
  Tables nibbles_;
  std::vector<Process*> processes_;
};

/// All predictors against one claim: their mean. A step is one chunk.
class Prediction final : public Process {
 public:
  Prediction(std::string name, std::uint32_t millibits);
  void observe(const Predictors::Scores& scores, std::uint64_t samples);
  [[nodiscard]] std::uint64_t steps() const override { return samples_; }
  [[nodiscard]] double e() const override;
  [[nodiscard]] double log_e() const override { return log_e_; }
  [[nodiscard]] double detector() const override;
  [[nodiscard]] double log_detector() const override { return log_detector_; }
  /// Of one predictor.
  [[nodiscard]] const ClaimBet& bet(std::size_t predictor) const { return bets_[predictor]; }
  void begin_epoch() override;
  void restart_detector() override;
  void freeze_e(bool frozen) override;
  void freeze_detector(bool frozen) override;
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  void value();
  std::vector<ClaimBet> bets_;
  std::uint64_t samples_ = 0;
  double log_e_ = 0;
  double log_detector_ = 0;
  bool frozen_ = false;
};

/// Raw samples of one source against its assessed min-entropy.
///   prediction  a predictor right more often than the claim allows
/// Everything that can be seen from outside changes in chunks of 131,072 samples only.
class RawNoise final : public Group {
 public:
  static constexpr std::size_t chunk_samples = 32 * Predictors::block_samples;
  /// `millibits`: claimed min-entropy of a sample, 1 to 8000.
  explicit RawNoise(std::uint32_t millibits);
  /// True when at least one chunk was completed.
  bool observe(std::span<const std::uint8_t> samples);
  [[nodiscard]] const Prediction& prediction() const { return prediction_; }
  [[nodiscard]] std::span<Process* const> processes() const override { return processes_; }
  [[nodiscard]] std::string_view unit() const override { return "samples"; }

 private:
  Predictors predictors_;
  Predictors::Scores scores_{};
  std::size_t blocks_ = 0;
  Prediction prediction_;
  std::vector<Process*> processes_;
};

}  // namespace talla::stats::monitor
