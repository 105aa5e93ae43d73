/// \file The request under way and the seeds of open tables, in memory and in a file that outlives
/// this program. The file is replaced whole and synced before the request's first byte leaves; mode
/// 0600.
///
/// Errors: client::Errc::journal_failed with path and reason.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"

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
  /// What the tables of this client keep of their calls (certs::Caller::kept), by table.
  [[nodiscard]] const json::Object& calls() const { return calls_; }
  [[nodiscard]] Status keep(Asked asked, json::Object calls);
  /// The request was answered or refused.
  [[nodiscard]] Status forget(json::Object calls);

 private:
  explicit Journal(std::string path) : path_(std::move(path)) {}
  std::string path_;
  [[nodiscard]] Status write() const;

  std::optional<Asked> pending_;
  json::Object calls_;
};

}  // namespace talla::client
