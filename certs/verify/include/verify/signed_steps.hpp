/// \file
/// What persons asked for and confirmed of the acts that a log holds (FORMAT.md section 6, ACCESS):
/// who they are, that each confirmation is of one request, and what they signed.
///
/// Errors:  access_key, access_signature, access_head, access_person, access_step,
///          access_digest, lab_order.
/// Threads: one at a time. Memory: one entry for each request.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/result.hpp"
#include "format/body_machine.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// The steps of one log, in their order. One without `order` came over the connection alone.
class SignedSteps {
 public:
  /// The next record that the reader has, of any kind; `leaf`: its leaf hash.
  [[nodiscard]] Status take(const HashSuite& hashes, const Record& record, const Digest& leaf);

  /// How many of those taken nobody has signed: only the appliance says who it was.
  [[nodiscard]] std::uint64_t alone() const { return alone_; }

 private:
  struct Asked {
    Digest leaf{};  ///< leaf hash of its record
    Client client;
    AccessBody body;
    bool over = false;  ///< confirmed, or ended without
  };
  struct Step;
  [[nodiscard]] Status check_persons(const Step& step) const;
  [[nodiscard]] Status check_confirmed(const Step& step);
  [[nodiscard]] Status check_head(const HashSuite& hashes, const Step& step);
  [[nodiscard]] bool given(std::uint64_t seq) const;

  std::map<std::uint64_t, Asked> asked_;  ///< steps that ask, by seq
  /// SPKI digest of who asked, and what that person has signed: each serves once.
  std::set<std::pair<Digest, Digest>> heads_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      runs_;  ///< first and last seq of those taken
  std::uint64_t alone_ = 0;
};

}  // namespace talla::certs
