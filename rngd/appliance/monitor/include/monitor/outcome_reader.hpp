/// \file
/// Committed records to outcomes: which stream a DRAW or a closed shoe belongs to, and what it
/// says.
///
/// Streams: `wheel-N`; `dice-KxF` (the throw as a whole, up to 1,296 different ones) and `die-F`
/// (each die of any throw); `lots-B` (each lot below B; above 4,096 in 64 equal parts, the few
/// values beyond them left out); `shoe-DECK`.
/// Threads: one. Secrecy: reads committed records alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "certs/ledger.hpp"
#include "format/draw_format.hpp"
#include "stats/monitor/board.hpp"

namespace talla::rngd {

class OutcomeReader {
 public:
  OutcomeReader(const certs::Ledger& ledger, stats::monitor::Board& board)
      : ledger_(ledger), board_(board) {}
  /// Feeds what the record opens; alarms are added to `found`.
  void read(const certs::LedgerRecord& record, std::int64_t now_us,
            std::vector<stats::monitor::Finding>& found);
  /// Outcomes that no monitor looks at: too many different streams, or a record that does not fit.
  [[nodiscard]] std::uint64_t unwatched() const { return unwatched_; }

  /// The group of a stream's key; null for an unknown key.
  [[nodiscard]] static std::unique_ptr<stats::monitor::Group> make(const std::string& key);

 private:
  void draw(const certs::LedgerRecord& record);
  void see(const certs::DrawSpecification& specification, const certs::Outcome& outcome);
  void see_dice(const certs::DiceDraw& dice, const std::vector<std::uint32_t>& values);
  void see_lot(std::uint32_t bound, std::uint32_t value);
  void symbol(const std::string& key, std::size_t symbol);
  void shoe(const certs::LedgerRecord& record);

  const certs::Ledger& ledger_;
  stats::monitor::Board& board_;
  std::map<std::uint64_t, certs::DrawSpecification> calls_;  // by seq, until their DRAW
  std::uint64_t unwatched_ = 0;
  std::int64_t now_us_ = 0;
  std::vector<stats::monitor::Finding>* found_ = nullptr;
};

}  // namespace talla::rngd
