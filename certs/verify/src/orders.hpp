/// \file
/// What of a table two persons have to order, and whether they did: a VOID by order, a shoe or
/// table that is ended before the rules end it (FORMAT.md section 6, "Orders"). And what the first
/// call of a shoe rests on: the end of the one before. Private to certs_verify.
///
/// Errors:  void_order, early_close; shoe_before.
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence.hpp"
#include "heads.hpp"

namespace talla::certs {

/// Fed with the records of one table in order.
class Orders {
 public:
  explicit Orders(const Evidence& evidence) : evidence_(evidence) {}

  /// Records of the table are missing before the next one.
  void forget();
  /// The next record. `heads`: of those before it.
  [[nodiscard]] Status step(const Record& record, const Heads& heads);

 private:
  /// An act that may stand behind a record, and the object that it is about.
  struct Act {
    std::string_view name;
    std::string object;
  };
  /// What a record wants of the order that it cites.
  struct Wanted {
    VerifyErrc errc = VerifyErrc::early_close;
    std::vector<Act> acts;
    std::vector<std::string> by{};        ///< as the record names them; empty: it does not
    std::optional<std::uint64_t> call{};  ///< the CALL that is ended
  };
  [[nodiscard]] Status void_call(const Record& record, const Heads& heads);
  [[nodiscard]] Status shoe_close(const Record& record, const Heads& heads);
  [[nodiscard]] Status check(const Record& record, const Heads& heads, const Wanted& wanted);
  [[nodiscard]] Status check_persons(const Record& record, const Record& confirmed, const Act& act,
                                     const Wanted& wanted, const Heads& heads) const;
  [[nodiscard]] const Record* access_of(const Record& record) const;

  const Evidence& evidence_;
  std::optional<std::uint64_t> run_;  // the ACCESS that the records before rest on
  bool reported_ = false;             // the record before says that the order is not the machine's
  bool begins_ = false;               // nothing is known of the record before
  bool left_ = false;                 // the record before ended a shoe early, without an order
};

/// The end of the shoe before, which the first call of a shoe cites.
class ShoesBefore {
 public:
  void forget();
  [[nodiscard]] Status take(const Record& record);
  /// A CALL, before it is taken.
  [[nodiscard]] Status check(const Record& record, const CallCore& core);

 private:
  std::optional<std::uint64_t> close_;  // the newest SHOE_CLOSE
  std::string shoe_;                    // the newest SHOE_COMMIT of this file
  std::uint64_t number_ = 0;
  std::optional<std::uint64_t> before_;  // the SHOE_CLOSE before it
  bool called_ = false;
};

}  // namespace talla::certs
