/// \file
/// A C2SP witness: cosigns the checkpoints of the logs it is told of, and never two histories of
/// one.
///
/// Standards:  C2SP tlog-witness (add-checkpoint, checkpoint of a monitor), tlog-cosignature
///             (Ed25519 `cosignature/v1`).
/// Durability: the state file is replaced and synced before a cosignature leaves (temporary file,
///             fsync, rename, fsync of the folder); after a failed write nothing is cosigned until
///             a restart. A lock file keeps a second process out. A missing state file is refused:
///             only `create_state` makes one.
/// Evidence:   a checkpoint that the log signed and that contradicts what was cosigned is kept in
///             `conflicts_folder`.
/// Errors:     witness_state, key_exists, ledger_io, FormatErrc of keys and notes. Threads: any
///             thread; one lock.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "certs/errc.hpp"
#include "format/cosignature.hpp"
#include "format/submission.hpp"

namespace talla::certs {

/// A log whose checkpoints are cosigned.
struct WitnessedLog {
  std::string origin;
  std::vector<VerifierKey> keys;  ///< any of them may sign; at least one
  /// The last checkpoint that counts, where the root ended the log (FORMAT.md section 5): nothing
  /// else is cosigned any more.
  std::optional<Checkpoint> last{};
};

/// What a witness answers over HTTP.
struct WitnessReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

/// One witness with its key and its store.
class Witness {
 public:
  struct Effects {
    const HashSuite& hashes;
    const Ed25519Verifier& verifier;
    Ed25519Signer& signer;
    Clock& clock;
    /// One line about what happened: event, origin, words. May be empty.
    std::function<void(std::string_view event, std::string_view origin, std::string_view words)>
        say;
  };
  struct Options {
    std::string name;        ///< of the witness: its key name
    std::string state_path;  ///< file; `<state_path>.lock` beside it
    std::string conflicts_folder;
    std::vector<WitnessedLog> logs;
  };
  struct LogFigures {
    std::string origin;
    std::uint64_t size = 0;       ///< records of the newest checkpoint
    std::uint64_t cosigned = 0;   ///< since the start
    std::uint64_t conflicts = 0;  ///< since the start: two roots of one size, signed by the log
    std::uint64_t unproven = 0;   ///< since the start: no proof that the new checkpoint follows
    /// Since the start: other checkpoints than the last one of a log that has ended.
    std::uint64_t after_end = 0;
    std::uint64_t time_s = 0;  ///< of the last cosignature, also of earlier runs; 0: none
  };
  struct Figures {
    std::vector<LogFigures> logs;
    std::map<unsigned, std::uint64_t> replies;  ///< by HTTP status
    bool failed = false;
  };

  /// An empty state. Refuses to replace one (key_exists).
  [[nodiscard]] static Status create_state(const HashSuite& hashes, const std::string& path,
                                           const VerifierKey& key);
  /// Takes the lock, reads the state and checks every signature in it.
  [[nodiscard]] static Result<std::unique_ptr<Witness>> open(const Effects& effects,
                                                             Options options);
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness();

  [[nodiscard]] const VerifierKey& key() const { return key_; }
  /// POST <submission prefix>/add-checkpoint.
  [[nodiscard]] WitnessReply add_checkpoint(std::string_view body);
  /// GET <monitoring prefix>/<origin hash>/checkpoint; the hash is hex.
  [[nodiscard]] WitnessReply checkpoint(std::string_view origin_hash);
  [[nodiscard]] Figures figures() const;

 private:
  struct Entry {
    WitnessedLog log;
    Checkpoint head;   ///< size 0 and empty root: never cosigned
    std::string note;  ///< as cosigned; empty: never
    LogFigures figures;
  };
  Witness(const Effects& effects, Options options);
  [[nodiscard]] Status lock();
  [[nodiscard]] Status load();
  [[nodiscard]] Status load_entry(const std::string& origin, const std::string& note);
  [[nodiscard]] WitnessReply answer(std::string_view body);
  /// The log's own signature lines of the note, or nothing when none verifies or one is wrong.
  [[nodiscard]] std::optional<std::string> trusted_lines(const Entry& entry,
                                                         const SignedNote& note) const;
  /// What add-checkpoint answers before anything is written; nothing: it may be cosigned.
  [[nodiscard]] std::optional<WitnessReply> judge(Entry& entry, const OpenedSubmission& opened);
  [[nodiscard]] WitnessReply cosign_head(Entry& entry, const OpenedSubmission& opened,
                                         const std::string& log_lines);
  /// Keeps both statements of the log as a file; bounded.
  void keep_evidence(const Entry& entry, const OpenedSubmission& opened) const;
  [[nodiscard]] Status store(const std::string& origin, const std::string& note);
  void say(std::string_view event, std::string_view origin, std::string_view words) const;

  Effects effects_;
  Options options_;
  VerifierKey key_;
  int lock_fd_ = -1;
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;        // mutex_; by origin
  std::map<std::string, std::string, std::less<>> origins_;  // origin by its hash; constant
  std::map<std::string, std::string, std::less<>>
      other_notes_;                            // mutex_; of logs no longer configured
  std::map<unsigned, std::uint64_t> replies_;  // mutex_
  std::uint64_t last_time_s_ = 0;              // mutex_
  bool failed_ = false;                        // mutex_; a write failed
};

}  // namespace talla::certs
