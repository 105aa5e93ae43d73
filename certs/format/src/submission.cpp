#include "format/submission.hpp"

#include <algorithm>

#include "decimal.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view old_word = "old ";

tl::unexpected<Error> malformed_submission(const std::string& what) {
  return fail(FormatErrc::malformed_submission, "add-checkpoint: " + what);
}

Result<std::uint64_t> parse_old(std::string_view line) {
  if (!line.starts_with(old_word))
    return malformed_submission("the first line is not `old <size>`");
  line.remove_prefix(old_word.size());
  const auto size = decimal_number(line);
  if (!size) return malformed_submission("the old size is no number");
  return *size;
}

}  // namespace

std::string format_submission(const Submission& submission) {
  std::string body(old_word);
  body.append(std::to_string(submission.old_size)) += '\n';
  for (const Digest& hash : submission.proof) body.append(to_base64(hash)) += '\n';
  body += '\n';
  return body.append(submission.note);
}

Result<OpenedSubmission> open_submission(std::string_view body) {
  OpenedSubmission opened;
  const std::size_t first = body.find('\n');
  if (first == std::string_view::npos)
    return malformed_submission("the first line is not `old <size>`");
  TALLA_TRY(opened.submission.old_size, parse_old(body.substr(0, first)));
  body.remove_prefix(first + 1);
  while (true) {
    const std::size_t end = body.find('\n');
    if (end == std::string_view::npos) return malformed_submission("cut short");
    const std::string_view line = body.substr(0, end);
    body.remove_prefix(end + 1);
    if (line.empty()) break;
    const auto hash = from_base64(line);
    if (!hash || hash->size() != Digest{}.size())
      return malformed_submission("a proof line is not the base64 of 32 bytes");
    if (opened.submission.proof.size() == submission_hashes_max)
      return malformed_submission("more than 63 proof lines");
    std::copy(hash->begin(), hash->end(), opened.submission.proof.emplace_back().begin());
  }
  opened.submission.note = std::string(body);
  TALLA_TRY(opened.note, parse_note(body));
  TALLA_TRY(opened.checkpoint, parse_checkpoint_text(opened.note.text));
  return opened;
}

}  // namespace talla::certs
