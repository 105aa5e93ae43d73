#include "witnessed.hpp"

#include <array>
#include <ctime>

#include "format/policy.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/notes.hpp"

namespace talla::certs {
namespace {

std::string utc_text(std::uint64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&time, &parts) == nullptr ||
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
    return std::to_string(seconds);
  }
  return text.data();
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all.empty() ? "nobody" : all;
}

}  // namespace

Status check_witnesses(const HashSuite& hashes, const SignedCheckpoint& checkpoint,
                       std::string_view policy, Verdict& verdict) {
  const std::size_t others = checkpoint.note.signatures.size() - 1;
  if (policy.empty()) {
    if (others > 0) {
      verdict.not_checked.push_back(
          note_line(Note::others_signed, {{"count", std::to_string(others)}}));
    }
    return {};
  }
  TALLA_TRY(const Policy rules, parse_policy(hashes, policy));
  TALLA_TRY(const PolicyFinding finding, judge_note(rules, checkpoint.note, BotanEd25519()));
  if (!finding.log_known)
    return fail(VerifyErrc::wrong_signature,
                "policy: the checkpoint is signed by no log that it lists");
  if (!finding.quorum) {
    return fail(VerifyErrc::unwitnessed, "policy: the quorum " + rules.quorum +
                                             " is not met; the checkpoint is cosigned by " +
                                             joined(finding.cosigned));
  }
  verdict.witnesses = finding.cosigned;
  verdict.witnessed_s = finding.earliest_s;
  verdict.witnessed = !rules.quorum.empty();
  if (!verdict.witnessed) return {};
  verdict.checked.push_back(note_line(Note::witnessed, {{"quorum", rules.quorum},
                                                        {"names", joined(finding.cosigned)},
                                                        {"time", utc_text(finding.earliest_s)}}));
  return {};
}

}  // namespace talla::certs
