/// \file
/// The suite that every ledger passes: parameterised over a factory. The cases are in
/// ledger_suite.cpp.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "certs/ledger.hpp"
#include "fixture.hpp"

namespace talla::certs::testing {

struct Backend {
  std::string name;
  /// The ledger of that folder, made or opened again.
  std::function<Result<std::unique_ptr<Ledger>>(const Folder&)> open;
  int groupings = 100;  ///< so many random ledgers
};
inline void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

/// A record whose bytes are the test's own: the ledger does not read them.
inline LedgerRecord record_of(std::uint64_t seq, Kind kind = Kind::access,
                              const std::string& object = "",
                              std::optional<std::uint64_t> prev = {}) {
  const std::string bytes = "record " + std::to_string(seq);
  return {.seq = seq,
          .kind = kind,
          .object = object,
          .prev = prev,
          .bytes = bytes,
          .leaf = leaf_hash(OpensslHashes(), as_bytes(bytes))};
}
inline Group group_of(std::vector<LedgerRecord> records) {
  Group group;
  group.records = std::move(records);
  return group;
}

class LedgerSuite : public ::testing::TestWithParam<Backend> {
 protected:
  void reopen() {
    ledger_.reset();
    ledger_ = must(GetParam().open(folder_));
  }
  Ledger& ledger() {
    if (!ledger_) reopen();
    return *ledger_;
  }
  Result<std::uint64_t> take(Group group) {
    return ledger().write(std::make_shared<const Group>(std::move(group)));
  }
  Folder folder_;
  std::unique_ptr<Ledger> ledger_;
};

}  // namespace talla::certs::testing
