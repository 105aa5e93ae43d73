/// \file
/// A call as those see it who contribute to it: core and receipt, who has opened and who is
/// missing, what it ended in.
///
/// It rests on what is durable alone: the board of those that wait (call_board.hpp), and records.
/// Threads: any, but for `open_call_of`.
#pragma once

#include <map>
#include <mutex>

#include "appliance.hpp"
#include "call_board.hpp"
#include "core/request.hpp"
#include "events.hpp"

namespace talla::core {

/// The open call of a table with its request's words; null: none.
[[nodiscard]] const OpenCall* open_call_of(const Overlay& world, const Table& table);

class CallViews {
 public:
  struct Around {
    const CallBoard& board;
    const Events& events;
    const Guests& guests;
  };
  CallViews(const Appliance& appliance, const Around& around)
      : appliance_(appliance), around_(around) {}

  /// A CALL as the log has it, read once for all that is asked about it.
  struct Made {
    certs::LedgerRecord stored;
    certs::Record record;
  };
  /// Errors: not_found (no CALL of that seq is durable), the ledger's own.
  [[nodiscard]] Result<Made> made(std::uint64_t seq) const;
  [[nodiscard]] Result<json::Object> view(Made call) const;
  /// The same as a reply; of an error its problem.
  [[nodiscard]] Reply reply(Result<Made> call) const;
  /// What is durable says that this client may see calls of that table. False: the state may know
  /// more (who sits in its round).
  [[nodiscard]] bool shown_to(const Client& client, const std::string& table) const;
  /// What the result of an ended call says that this id opened.
  [[nodiscard]] std::optional<certs::CallOpening> opened(std::uint64_t seq,
                                                         const std::string& id) const;

 private:
  struct Ended {
    certs::LedgerRecord stored;
    std::vector<std::string> missing;  ///< of a VOID
  };
  /// Of a result; empty for a VOID.
  [[nodiscard]] Result<std::vector<certs::CallOpening>> openings_of(
      const certs::LedgerRecord& result) const;
  [[nodiscard]] Result<json::Object> receipt(certs::LedgerRecord stored) const;
  /// Seconds, by the TABLE_OPEN of that table.
  [[nodiscard]] Result<std::uint32_t> open_within_of(const std::string& table) const;
  /// What ended it, of the first `size` records; nothing: it is open.
  [[nodiscard]] Result<std::optional<Ended>> end_of(const certs::Record& call,
                                                    std::uint64_t size) const;

  const Appliance& appliance_;
  const Around around_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::uint32_t> open_within_;  // mutex_; by table
};

}  // namespace talla::core
