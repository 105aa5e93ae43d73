/// \file
/// Watches over the software of this appliance: at the start, every few hours and on challenge,
/// against the signed manifest.
///
/// A check reads every file of the manifest, and compares the code that is mapped into this process
/// with the list and, in memory, with its files. Without a manifest nothing is checked and the
/// state is "unsigned".
/// Errors:  those of software/errc.hpp; at a start everything that is not as signed refuses it
///          (Errc::mismatch).
/// Threads: one of its own, at a moment's pause between files unless somebody waits; the members of
///          SoftwareHook as there.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "base/clock.hpp"
#include "core/software_hook.hpp"
#include "software/check.hpp"

namespace talla::rngd {

struct SoftwareOptions {
  std::string manifest;               ///< path of the signed manifest; empty: none
  std::vector<std::string> signers;   ///< verifier keys that must all have signed it
  std::string version;                ///< that the manifest must be of
  std::vector<std::string> programs;  ///< paths that must be among its programs
  /// Id and digest of what is built in: each must be among its catalogues.
  std::map<std::string, Digest> catalogues;
  std::chrono::milliseconds between{std::chrono::hours(24)};
  std::chrono::milliseconds pause{20};  ///< between two files of a check for which nobody waits
};

class SoftwareWatch final : public core::SoftwareHook {
 public:
  /// Opens the manifest and checks signatures, files and what must be listed; not yet the running
  /// code.
  [[nodiscard]] static Result<std::unique_ptr<SoftwareWatch>> create(SoftwareOptions options,
                                                                     const HashSuite& hashes,
                                                                     Clock& clock);
  ~SoftwareWatch() override;
  /// The code of this process, when all libraries are loaded. Errors: Errc::mismatch.
  [[nodiscard]] Status check_running() const;
  /// Starts the thread. `changed` is called from it whenever a check found something.
  void start(std::function<void(const std::vector<software::Finding>&)> changed);
  /// Ends it; challenges that wait are handed over as cut short. Before the service ends.
  void stop();
  void add_metrics(std::map<std::string, double>& counters,
                   std::map<std::string, double>& gauges) const;

  [[nodiscard]] std::optional<Digest> manifest() const override;
  [[nodiscard]] std::vector<core::SoftwareCheck> take_checks() override;
  [[nodiscard]] json::Object status() const override;
  [[nodiscard]] std::string signed_manifest() const override { return note_; }
  [[nodiscard]] bool challenge(const core::Client& client, const Bytes& nonce,
                               core::Answer& respond) override;

 private:
  struct Asked {
    core::Client client;
    Bytes nonce;
    core::Answer respond;
  };
  SoftwareWatch(SoftwareOptions options, const HashSuite& hashes, Clock& clock)
      : options_(std::move(options)), hashes_(hashes), clock_(clock) {}
  [[nodiscard]] Status open();
  [[nodiscard]] std::vector<software::Finding> must_be_listed() const;
  [[nodiscard]] software::CheckReport check(ByteView nonce);
  void run();
  void finish(const software::CheckReport& report, Asked asked);
  [[nodiscard]] json::Object challenge_reply(const software::CheckReport& report,
                                             const Asked& asked) const;

  SoftwareOptions options_;
  const HashSuite& hashes_;
  Clock& clock_;
  std::string note_;
  std::optional<software::SignedManifest> signed_;
  std::function<void(const std::vector<software::Finding>&)> changed_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool running_ = false;                       // mutex_
  bool stopping_ = false;                      // mutex_
  std::deque<Asked> asked_;                    // mutex_
  std::vector<core::SoftwareCheck> finished_;  // mutex_
  std::vector<software::Finding> findings_;    // mutex_; of the last check
  std::int64_t checked_us_ = 0;                // mutex_
  std::map<std::string, double> checks_;       // mutex_; by cause
  double mismatches_ = 0;                      // mutex_
  std::thread thread_;
};

}  // namespace talla::rngd
