/// \file
/// The tile files of the log (C2SP tlog-tiles), derived from the ledger: the missing tail is
/// written at start.
///
/// Files: <folder>/checkpoint, <folder>/tile/<L>/<N>[.p/<W>], <folder>/tile/entries/<N>[.p/<W>].
/// The checkpoint is replaced last, so that what it covers is there. Partial tiles stay; readers
/// may ask for them. A published folder and all in it are readable for everybody (0755, 0644),
/// whatever the umask; else for the process alone.
/// Errors:  tiles_io, the log's. A failure of tiles never stops the log: `update` is tried again
///          later.
/// Threads: one at a time, beside the log's.
#pragma once

#include <string>

#include "certs/log.hpp"

namespace talla::certs {

class TileWriter {
 public:
  /// Reads the checkpoint of the folder to learn up to which size tiles are there; a checkpoint
  /// that is not this log's, or is ahead of it, is refused (ledger_different, ledger_shorter).
  [[nodiscard]] static Result<TileWriter> open(Log& log, std::string folder,
                                               bool published = false);
  /// Writes what is missing up to the log's committed size.
  [[nodiscard]] Status update();
  /// Writes every tile again from the ledger (`talla log rebuild`).
  [[nodiscard]] Status rebuild();
  [[nodiscard]] std::uint64_t written_size() const { return written_size_; }

 private:
  TileWriter(Log& log, std::string folder, bool published)
      : log_(&log), folder_(std::move(folder)), published_(published) {}
  [[nodiscard]] Status write_range(std::uint64_t from, std::uint64_t to);
  Log* log_;
  std::string folder_;
  bool published_;
  std::uint64_t written_size_ = 0;
};

}  // namespace talla::certs
