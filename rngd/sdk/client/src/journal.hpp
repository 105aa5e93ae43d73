/// \file
/// The request under way, in memory and in a file that outlives this program. The file is replaced
/// whole and synced before the request's first byte leaves; mode 0600.
///
/// Errors: client::Errc::journal_failed with path and reason.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"

namespace talla::client {

/// A POST as it is sent, every time the same.
struct Asked {
  std::string path;
  std::string body;
  std::string key;
};

class Journal {
 public:
  /// Reads what an earlier life left; an empty path keeps it in memory alone.
  [[nodiscard]] static Result<Journal> open(std::string path);
  [[nodiscard]] const std::optional<Asked>& pending() const { return pending_; }
  [[nodiscard]] Status keep(Asked asked);
  [[nodiscard]] Status forget();

 private:
  explicit Journal(std::string path) : path_(std::move(path)) {}
  std::string path_;
  std::optional<Asked> pending_;
};

}  // namespace talla::client
