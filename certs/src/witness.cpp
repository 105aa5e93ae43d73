#include "certs/witness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certs/files.hpp"
#include "format/merkle.hpp"

namespace talla::certs {
namespace {

constexpr std::uint64_t conflict_files_max = 100;

WitnessReply refusal(unsigned status, const std::string& why) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = why + "\n"};
}

/// RFC 6962 section 2.1.2, and what tlog-witness says of the empty tree.
Status consistent(const HashSuite& hashes, const Checkpoint& before, const Checkpoint& head,
                  const std::vector<Digest>& proof) {
  if (before.size > 0) {
    return verify_consistency(hashes, {.size = before.size, .root = before.root},
                              {.size = head.size, .root = head.root}, proof);
  }
  if (!proof.empty()) return fail(Errc::witness_state, "the empty tree takes no proof");
  if (head.size == 0 && head.root != empty_root(hashes))
    return fail(Errc::witness_state, "size 0 has the root of the empty tree");
  return {};
}

}  // namespace

void Witness::say(std::string_view event, std::string_view origin, std::string_view words) const {
  if (effects_.say) effects_.say(event, origin, words);
}

std::optional<std::string> Witness::trusted_lines(const Entry& entry,
                                                  const SignedNote& note) const {
  std::string lines;
  for (const VerifierKey& key : entry.log.keys) {
    const Signed state = check_log_signature(note, key, effects_.verifier);
    if (state == Signed::wrong) return std::nullopt;
    if (state == Signed::absent) continue;
    for (const NoteSignature& line : note.signatures) {
      if (line.name == key.name && line.key_id == key.key_id)
        lines += signature_line(line.name, line.key_id, line.signature);
    }
  }
  return lines.empty() ? std::nullopt : std::optional(lines);
}

void Witness::keep_evidence(const Entry& entry, const OpenedSubmission& opened) const {
  if (options_.conflicts_folder.empty() ||
      entry.figures.conflicts + entry.figures.unproven > conflict_files_max) {
    return;
  }
  const std::string text =
      "# cosigned\n" + entry.note + "\n# refused\n" + format_submission(opened.submission);
  const std::string digest = to_hex(effects_.hashes.sha256({as_bytes(text)})).substr(0, 16);
  const std::string path = fmt::format("{}/{}-{}.txt", options_.conflicts_folder,
                                       effects_.clock.utc_us() / 1'000'000, digest);
  const Status kept = create_public_file(path, text);
  if (!kept && !kept.error().is(Errc::key_exists))
    say("conflict_not_kept", entry.log.origin, kept.error().text());
}

std::optional<WitnessReply> Witness::judge(Entry& entry, const OpenedSubmission& opened) {
  const std::uint64_t old_size = opened.submission.old_size;
  const Checkpoint& head = opened.checkpoint;
  if (entry.log.last && head != *entry.log.last) {
    ++entry.figures.after_end;
    const std::string why =
        fmt::format("the root ended this log with {} records: nothing else of it is cosigned",
                    entry.log.last->size);
    say("after_end", entry.log.origin, fmt::format("size {} was refused: {}", head.size, why));
    return refusal(403, why);
  }
  if (old_size > head.size) return refusal(400, "the old size is above that of the checkpoint");
  if (old_size != entry.head.size) {
    return WitnessReply{.status = 409,
                        .content_type = "text/x.tlog.size",
                        .body = std::to_string(entry.head.size) + "\n"};
  }
  if (old_size == head.size && !entry.note.empty() && head.root != entry.head.root) {
    ++entry.figures.conflicts;
    const std::string why = fmt::format("another root at the size {} that was cosigned", head.size);
    say("conflict", entry.log.origin, why);
    keep_evidence(entry, opened);
    return refusal(422, why);
  }
  const Status follows = consistent(effects_.hashes, entry.head, head, opened.submission.proof);
  if (follows) return std::nullopt;
  ++entry.figures.unproven;
  say("unproven", entry.log.origin,
      fmt::format("size {} after {}: {}", head.size, old_size, follows.error().detail));
  keep_evidence(entry, opened);
  return refusal(422, "consistency proof: " + follows.error().detail);
}

WitnessReply Witness::cosign_head(Entry& entry, const OpenedSubmission& opened,
                                  const std::string& log_lines) {
  const auto now_s =
      static_cast<std::uint64_t>(std::max<std::int64_t>(effects_.clock.utc_us() / 1'000'000, 1));
  last_time_s_ = std::max(last_time_s_, now_s);
  const auto line = cosign(opened.note.text, key_, last_time_s_, effects_.signer);
  if (!line) return refusal(500, "the cosignature could not be made");
  std::string note = opened.note.text + "\n" + log_lines + *line;
  if (const Status stored = store(entry.log.origin, note); !stored) {
    failed_ = true;  // what the disk holds is not known: nothing more until a restart reads it
    say("state_not_written", entry.log.origin, stored.error().text());
    return refusal(
        503,
        "the state could not be written; this witness cosigns nothing until it is started again");
  }
  entry.head = opened.checkpoint;
  entry.note = std::move(note);
  entry.figures.size = entry.head.size;
  entry.figures.time_s = last_time_s_;
  ++entry.figures.cosigned;
  return {.status = 200, .content_type = "text/plain; charset=utf-8", .body = *line};
}

WitnessReply Witness::answer(std::string_view body) {
  const auto opened = open_submission(body);
  if (!opened) return refusal(400, opened.error().detail);
  const auto found = entries_.find(opened->checkpoint.origin);
  if (found == entries_.end()) return refusal(404, "this log is not known here");
  Entry& entry = found->second;
  const auto log_lines = trusted_lines(entry, opened->note);
  if (!log_lines) return refusal(403, "no valid signature of a key that is trusted for this log");
  if (failed_) return refusal(503, "an earlier write failed; this witness must be started again");
  if (auto refused = judge(entry, *opened)) return *refused;
  return cosign_head(entry, *opened, *log_lines);
}

WitnessReply Witness::add_checkpoint(std::string_view body) {
  const std::scoped_lock lock(mutex_);
  WitnessReply reply = answer(body);
  ++replies_[reply.status];
  return reply;
}

WitnessReply Witness::checkpoint(std::string_view origin_hash) {
  const std::scoped_lock lock(mutex_);
  const auto origin = origins_.find(origin_hash);
  const auto found = origin == origins_.end() ? entries_.end() : entries_.find(origin->second);
  if (found == entries_.end() || found->second.note.empty())
    return refusal(404, "no checkpoint of this log was cosigned here");
  return {.status = 200, .content_type = "text/plain; charset=utf-8", .body = found->second.note};
}

Witness::Figures Witness::figures() const {
  const std::scoped_lock lock(mutex_);
  Figures all;
  for (const auto& [origin, entry] : entries_) all.logs.push_back(entry.figures);
  all.replies = replies_;
  all.failed = failed_;
  return all;
}

}  // namespace talla::certs
