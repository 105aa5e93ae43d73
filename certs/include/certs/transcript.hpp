/// \file
/// The transcript of a key ceremony: plain text that people read, sign and keep, each entry closed
/// by a digest of all that stands before it.
///
/// An entry is `N. TIME ACT`, lines of `   what: value`, and `   digest: HEX`: SHA-256 over every
/// byte of the file before that line. A witness signs the file, e.g.
/// `openssl dgst -sha256 -sign witness.key transcript.txt`.
/// Errors:  key_malformed (a digest that does not fit, with its entry), key_file_missing,
///          ledger_io.
/// Threads: one caller.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

struct TranscriptEntry {
  std::int64_t now_us = 0;
  std::string act;                                         ///< one line
  std::vector<std::pair<std::string, std::string>> facts;  ///< name and value, one line each
};
/// Checks what is there, then adds; the first entry makes the file. Control characters in values
/// are written as '?'.
[[nodiscard]] Status add_to_transcript(const std::string& path, const TranscriptEntry& entry);

/// A transcript that was read and whose digests are right.
struct TranscriptView {
  std::string text;
  std::size_t entries = 0;  ///< 1 or more
  Digest digest{};          ///< of the whole file
};
[[nodiscard]] Result<TranscriptView> check_transcript(const std::string& path);

}  // namespace talla::certs
