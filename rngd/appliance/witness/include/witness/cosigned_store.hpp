/// \file
/// Checkpoints of the log with the cosignatures that witnesses gave them, newest kept, in one file.
///
/// Errors:  witness_state (the file is damaged), ledger_io. Threads: any; one lock.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "certs/errc.hpp"
#include "format/checkpoint.hpp"

namespace talla::rngd {

struct CosignedNote {
  std::uint64_t size = 0;  ///< records
  std::string note;        ///< the log's signature first, cosignatures behind it
};

/// Cosigned checkpoints, kept in a file.
class CosignedStore {
 public:
  CosignedStore(std::string path, std::string origin)
      : path_(std::move(path)), origin_(std::move(origin)) {}
  /// Reads the file; none is an empty store.
  [[nodiscard]] Status load();
  /// Every kept note, smallest first.
  [[nodiscard]] std::vector<CosignedNote> notes() const;
  /// The size that this witness (by its verifier key) cosigned last; nothing when it never did.
  [[nodiscard]] std::optional<std::uint64_t> size_of(const std::string& witness) const;
  /// `line` is the witness's signature line for the signed checkpoint `note` of `size`.
  void add(const std::string& witness, std::uint64_t size, const std::string& note,
           const std::string& line);
  [[nodiscard]] Status save() const;
  /// Of the notes that cover record `seq` (any, without one) that with the most cosignatures, the
  /// newest of equals.
  [[nodiscard]] std::optional<CosignedNote> covering(std::optional<std::uint64_t> seq) const;

 private:
  struct Entry {
    std::string note;                          // as the log signed it
    std::map<std::string, std::string> lines;  // by name and key id
    [[nodiscard]] std::string text() const;
  };
  std::string path_;
  std::string origin_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Entry> entries_;      // mutex_; by size
  std::map<std::string, std::uint64_t> sizes_;  // mutex_; by verifier key
};

}  // namespace talla::rngd
