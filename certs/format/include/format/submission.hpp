/// \file
/// C2SP tlog-witness: the body of an `add-checkpoint` request.
///
/// Lines: `old <size>`, at most 63 base64 hashes, an empty line, then the signed checkpoint.
/// Errors: FormatErrc::malformed_submission, malformed_note, malformed_checkpoint. Threads: pure
/// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/checkpoint.hpp"

namespace talla::certs {

/// The most hashes of a consistency proof.
inline constexpr std::size_t submission_hashes_max = 63;

struct Submission {
  std::uint64_t old_size = 0;  ///< records of the checkpoint that the witness has; 0: none
  std::vector<Digest> proof;   ///< RFC 6962 section 2.1.2, from `old_size` to the checkpoint's size
  std::string note;            ///< the signed checkpoint
};

/// A submission with its note and checkpoint parsed.
struct OpenedSubmission {
  Submission submission;
  SignedNote note;
  Checkpoint checkpoint;
};

/// The body of a request to a witness, written and read.
[[nodiscard]] std::string format_submission(const Submission& submission);
[[nodiscard]] Result<OpenedSubmission> open_submission(std::string_view body);

}  // namespace talla::certs
