/// \file
/// The rollback anchor: last committed size, root and boot counter, kept outside the ledger
///                      (PROTOCOL section 2).
///
/// `local` is a file beside the data; a ledger behind it or with another history is refused at
/// start. Who can restore both together is not stopped by it, hence `rollback_protection: "local"`.
/// An outer anchor (TPM, HSM, witness) stands beside it and is not restored with the disk.
/// Errors: anchor_malformed, anchor_unreachable, anchor_foreign, ledger_io, ledger_shorter,
///         ledger_different.
/// Threads: an `Anchor` belongs to one thread; an `OuterAnchor` as its members say.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/bytes.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

struct AnchorState {
  std::string origin;
  std::uint64_t size = 0;  ///< records
  Digest root{};
  std::uint64_t boot = 0;
  bool operator==(const AnchorState&) const = default;
};

/// Where the last head of the log is kept against rollback.
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

class Prover;

/// The one text of a state: canonical JSON, also inside a file or an object of an HSM.
[[nodiscard]] std::string anchor_text(const AnchorState& state);
/// Errors: anchor_malformed, with `where` in front.
[[nodiscard]] Result<AnchorState> parse_anchor(const std::string& text, const std::string& where);
/// Refuses a log that is not what the anchor has seen, or more of it. Errors: ledger_foreign,
/// ledger_shorter, ledger_different.
[[nodiscard]] Status compare_with_anchor(const Prover& prover, const std::string& origin,
                                         const AnchorState& state);

/// An anchor that an older copy of the disk does not bring back with it.
class OuterAnchor {
 public:
  struct Terms {
    std::string origin;
    bool adopt = false;  ///< takes a log with records of which the anchor knows nothing
  };
  OuterAnchor() = default;
  OuterAnchor(const OuterAnchor&) = delete;
  OuterAnchor& operator=(const OuterAnchor&) = delete;
  virtual ~OuterAnchor() = default;
  /// `tpm`, `hsm` or `witness`: the record's `rollback_protection`.
  [[nodiscard]] virtual std::string_view kind() const = 0;
  /// Once, before the first write: refuses a log behind the anchor or with another history. Gives
  /// the boot counter that the anchor knows, 0 when it knows none. The prover outlives the anchor's
  /// use.
  [[nodiscard]] virtual Result<std::uint64_t> compare(Prover& prover, const Terms& terms) = 0;
  /// Waits until it is outside.
  [[nodiscard]] virtual Status write(const AnchorState& state) = 0;
  /// Returns at once; the newest one is written by a thread of the anchor's own.
  virtual void post(const AnchorState& state) = 0;
  /// Newest size known to be outside; any thread.
  [[nodiscard]] virtual std::uint64_t written_size() const = 0;
  /// Writes that failed since the start; any thread.
  [[nodiscard]] virtual std::uint64_t failures() const = 0;
};

/// A device that keeps one state (TPM, HSM), written by a thread of its own so that no draw waits
/// for it.
class DeviceAnchor final : public OuterAnchor {
 public:
  DeviceAnchor(std::unique_ptr<Anchor> device, std::string kind);
  ~DeviceAnchor() override;
  [[nodiscard]] std::string_view kind() const override { return kind_; }
  [[nodiscard]] Result<std::uint64_t> compare(Prover& prover, const Terms& terms) override;
  [[nodiscard]] Status write(const AnchorState& state) override;
  void post(const AnchorState& state) override;
  [[nodiscard]] std::uint64_t written_size() const override { return written_size_; }
  [[nodiscard]] std::uint64_t failures() const override { return failures_; }

 private:
  void run();
  std::unique_ptr<Anchor> device_;  // device_mutex_
  std::string kind_;
  std::mutex device_mutex_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<AnchorState> posted_;  // mutex_
  bool stopping_ = false;              // mutex_
  std::atomic<std::uint64_t> written_size_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::thread thread_;
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
