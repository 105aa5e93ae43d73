/// \file
/// The rollback anchor: last committed size, root and boot counter, kept outside the ledger.
///
/// `local` is a file beside the data; a ledger behind it or with another history is refused at start. Who can
/// restore both together is not stopped by it, hence `rollback_protection: "local"`.
/// Errors: anchor_malformed, ledger_io. Threads: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

struct AnchorState {
  std::string origin;
  std::uint64_t size = 0;
  Digest root{};
  std::uint64_t boot = 0;
  bool operator==(const AnchorState&) const = default;
};

class Anchor {
 public:
  Anchor() = default;
  Anchor(const Anchor&) = delete;
  Anchor& operator=(const Anchor&) = delete;
  virtual ~Anchor() = default;
  /// Nothing when it was never written.
  [[nodiscard]] virtual Result<std::optional<AnchorState>> read() = 0;
  [[nodiscard]] virtual Status write(const AnchorState& state) = 0;
};

/// Canonical JSON in one file, replaced in one durable step.
class FileAnchor final : public Anchor {
 public:
  explicit FileAnchor(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] Result<std::optional<AnchorState>> read() override;
  [[nodiscard]] Status write(const AnchorState& state) override;

 private:
  std::string path_;
};

}  // namespace talla::certs
