#include "format/policy.hpp"

#include <algorithm>
#include <charconv>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t policy_bytes_max = 65'536;
constexpr std::size_t items_max = 64;
constexpr std::string_view none = "none";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = line.find_first_of(" \t");
    words.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end);
  }
}

class Reader {
 public:
  explicit Reader(const HashSuite& hashes) : hashes_(hashes) {}

  Status line(std::string_view text) {
    ++number_;
    for (const char c : text) {
      const auto byte = static_cast<std::uint8_t>(c);
      if ((byte < 0x20 && c != '\t') || byte == 0x7F) return refuse("a control character");
    }
    const auto words = words_of(text);
    if (words.empty() || words.front().starts_with('#')) return {};
    if (words[0] == "log") return log(words);
    if (words[0] == "witness") return witness(words);
    if (words[0] == "group") return group(words);
    if (words[0] == "quorum") return quorum(words);
    return refuse("log, witness, group or quorum is expected");
  }

  Result<Policy> finish() {
    if (!quorum_seen_) return fail(FormatErrc::malformed_policy, "policy: no quorum line");
    return std::move(policy_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& what) const {
    return fail(FormatErrc::malformed_policy,
                "policy: line " + std::to_string(number_) + ": " + what);
  }

  Result<VerifierKey> key(std::string_view text, KeyType type) {
    auto parsed = parse_verifier_key(hashes_, text);
    if (!parsed) return refuse(parsed.error().detail);
    if (parsed->type != type) {
      return refuse(type == KeyType::log ? "a log's key has signature type 0x01"
                                         : "a witness's key has signature type 0x04");
    }
    return parsed;
  }

  Status log(const std::vector<std::string_view>& words) {
    if (words.size() < 2 || words.size() > 3) return refuse("log <vkey> [<url>] is expected");
    if (policy_.logs.size() == items_max) return refuse("too many logs");
    PolicyLog entry;
    TALLA_TRY(entry.key, key(words[1], KeyType::log));
    for (const PolicyLog& other : policy_.logs) {
      if (other.key.public_key == entry.key.public_key) return refuse("this key is listed already");
    }
    if (words.size() == 3) entry.url = std::string(words[2]);
    policy_.logs.push_back(std::move(entry));
    return {};
  }

  Status witness(const std::vector<std::string_view>& words) {
    if (words.size() < 3 || words.size() > 4)
      return refuse("witness <name> <vkey> [<url>] is expected");
    if (policy_.witnesses.size() == items_max) return refuse("too many witnesses");
    TALLA_TRY_STATUS(define(words[1]));
    PolicyWitness entry{.name = std::string(words[1]), .key = {}, .url = {}};
    TALLA_TRY(entry.key, key(words[2], KeyType::witness));
    for (const PolicyWitness& other : policy_.witnesses) {
      if (other.key.public_key == entry.key.public_key) return refuse("this key is listed already");
    }
    if (words.size() == 4) entry.url = std::string(words[3]);
    policy_.witnesses.push_back(std::move(entry));
    return {};
  }

  Status group(const std::vector<std::string_view>& words) {
    if (words.size() < 4) return refuse("group <name> all|any|<k> <name>... is expected");
    if (policy_.groups.size() == items_max) return refuse("too many groups");
    PolicyGroup entry{.name = std::string(words[1]), .threshold = 1, .members = {}};
    const std::size_t count = words.size() - 3;
    for (std::size_t i = 3; i < words.size(); ++i) {
      if (!names_.contains(words[i]))
        return refuse(std::string(words[i]) + " is not defined before");
      if (!members_.emplace(words[i]).second)
        return refuse(std::string(words[i]) + " is a member already; each name counts once");
      entry.members.emplace_back(words[i]);
    }
    TALLA_TRY_STATUS(define(words[1]));
    if (words[2] == "all") {
      entry.threshold = count;
    } else if (words[2] != "any") {
      const auto [end, error] =
          std::from_chars(words[2].data(), words[2].data() + words[2].size(), entry.threshold);
      const bool whole = error == std::errc{} && end == words[2].data() + words[2].size();
      if (!whole || entry.threshold < 1 || entry.threshold > count)
        return refuse("the threshold is all, any, or 1 to the number of members");
    }
    policy_.groups.push_back(std::move(entry));
    return {};
  }

  Status quorum(const std::vector<std::string_view>& words) {
    if (words.size() != 2) return refuse("quorum <name> is expected");
    if (quorum_seen_) return refuse("a second quorum");
    quorum_seen_ = true;
    if (words[1] == none) return {};
    if (!names_.contains(words[1])) return refuse(std::string(words[1]) + " is not defined before");
    policy_.quorum = std::string(words[1]);
    return {};
  }

  Status define(std::string_view name) {
    if (name == none) return refuse("none is a name of its own");
    if (!names_.emplace(name).second) return refuse(std::string(name) + " is defined already");
    return {};
  }

  const HashSuite& hashes_;
  Policy policy_;
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> members_;
  bool quorum_seen_ = false;
  std::size_t number_ = 0;
};

}  // namespace

bool Policy::satisfied(const std::set<std::string>& cosigned) const {
  if (quorum.empty()) return true;
  std::set<std::string> met = cosigned;
  for (const PolicyGroup& group : groups) {
    const auto count =
        static_cast<std::size_t>(std::count_if(group.members.begin(), group.members.end(),
                                               [&](const auto& m) { return met.contains(m); }));
    if (count >= group.threshold) met.insert(group.name);
  }
  return met.contains(quorum);
}

Result<Policy> parse_policy(const HashSuite& hashes, std::string_view text) {
  if (text.size() > policy_bytes_max)
    return fail(FormatErrc::malformed_policy, "policy: longer than 64 KiB");
  if (text.empty() || text.back() != '\n')
    return fail(FormatErrc::malformed_policy, "policy: the last line does not end");
  Reader reader(hashes);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    TALLA_TRY_STATUS(reader.line(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  return reader.finish();
}

Result<PolicyFinding> judge_note(const Policy& policy, const SignedNote& note,
                                 const Ed25519Verifier& verifier) {
  PolicyFinding finding;
  finding.log_known = policy.logs.empty();
  TALLA_TRY(const Checkpoint checkpoint, parse_checkpoint_text(note.text));
  for (const PolicyLog& log : policy.logs) {
    if (log.key.name != checkpoint.origin) continue;
    const Signed state = check_log_signature(note, log.key, verifier);
    if (state == Signed::wrong)
      return fail(FormatErrc::malformed_cosignature,
                  "the signature of log " + log.key.name + " is wrong");
    finding.log_known = finding.log_known || state == Signed::valid;
  }
  for (const PolicyWitness& witness : policy.witnesses) {
    const CheckedCosignature checked = check_cosignature(note, witness.key, verifier);
    if (checked.state == Signed::wrong)
      return fail(FormatErrc::malformed_cosignature,
                  "the cosignature of " + witness.key.name + " is wrong");
    if (checked.state == Signed::absent) continue;
    finding.cosigned.push_back(witness.name);
    finding.earliest_s =
        finding.earliest_s == 0 ? checked.time_s : std::min(finding.earliest_s, checked.time_s);
  }
  finding.quorum = policy.satisfied({finding.cosigned.begin(), finding.cosigned.end()});
  return finding;
}

}  // namespace talla::certs
