/// \file
/// What a log says that its appliance contributes to the calls of other logs (ANSWER, FORMAT.md
/// section 8): each is signed, and no turn and no count is answered twice.
///
/// Errors:  answer_signature, commit_mismatch, answer_own, answer_twice, answer_back.
/// Threads: one at a time. Memory: one entry for each key and opening of a table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/record.hpp"

namespace talla::certs {

class Answers {
 public:
  /// The next record of the log that the reader has; kinds other than ANSWER are left alone.
  [[nodiscard]] Status take(const HashSuite& hashes, const Record& record);

 private:
  /// Key of the contributor, leaf hash of TABLE_OPEN, origin of its log.
  using Series = std::tuple<Bytes, Digest, std::string>;
  struct Last {
    std::uint32_t turn = 0;
    std::uint32_t t = 0;
    std::string id;
  };
  std::map<Series, Last> last_;
};

}  // namespace talla::certs
