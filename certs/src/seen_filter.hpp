/// \file
/// Says of a digest that it was never added, or that it may have been (Bloom, CACM 13, 1970).
/// Private to certs: spares the ledger a look-up for every key that is new.
///
/// A digest is 16 or more uniform bytes; the first 16 count. Four probes at 16 bits an entry or
/// more: at most one new digest in 400 is taken for a known one. Grows by further tables, each
/// twice the last.
/// Threads: one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace talla::certs {

class SeenFilter {
 public:
  SeenFilter();
  void add(ByteView digest);
  /// False: never added.
  [[nodiscard]] bool maybe(ByteView digest) const;

 private:
  struct Table {
    std::vector<std::uint64_t> words;  ///< a power of two
    std::size_t room = 0;              ///< entries it still takes
  };
  void grow(std::size_t words);

  std::vector<Table> tables_;
};

}  // namespace talla::certs
