// Asks a running appliance by the command lines of talla, and judges what verifies here.
#include "lab_submit/field.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "child.hpp"
#include "field_paper.hpp"
#include "folder.hpp"
#include "format/cosignature.hpp"
#include "format/key_change.hpp"
#include "format/log_end.hpp"
#include "format/log_key.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "lab_kit/manifest.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::lab::submit {
namespace {

namespace fs = std::filesystem;

constexpr int child_good = 0;

std::uint64_t number_at(const json::Value& value, std::string_view key) {
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_integer() && found->integer() > 0
             ? static_cast<std::uint64_t>(found->integer())
             : 0;
}

/// A claim that verified, or did not.
struct Claim {
  bool verified = false;
  std::uint64_t seq = 0;
  json::Value said;
};

class Inspection {
 public:
  explicit Inspection(const FieldWish& wish)
      : wish_(wish), out_(fs::absolute(wish.out).lexically_normal().string()) {
    while (out_.size() > 1 && out_.back() == '/') out_.pop_back();
    std::error_code error;
    talla_ = (fs::read_symlink("/proc/self/exe", error).parent_path() / "talla").string();
  }

  [[nodiscard]] Result<json::Value> made() {
    std::error_code error;
    if (fs::exists(out_, error))
      return fail(SubmitErrc::submit_refused, out_ + ": is there; a new folder is expected");
    TALLA_TRY_STATUS(read_keys());
    TALLA_TRY_STATUS(read_since());
    TALLA_TRY_STATUS(certs::create_folder(out_));
    for (const char* part : {"records", "rounds"}) fs::create_directories(out_ + "/" + part);
    software();
    if (status()) {
      records();
      since();
      rounds();
    }
    return whole();
  }

 private:
  void check(const std::string& name, const std::string& verdict, const std::string& words) {
    if (verdict == "bad") bad_ = true;
    checks_.emplace_back(json::Object{{"name", name}, {"verdict", verdict}, {"words", words}});
  }
  /// The inspector's own keys of the log, and its origin.
  [[nodiscard]] Status read_keys() {
    TALLA_TRY(const std::string text, content_of(fs::absolute(wish_.log_key).string()));
    std::vector<certs::LogKey> known;
    if (const auto all = certs::parse_log_keys(text)) {
      for (const certs::KeyChange& change : all->changes) known.push_back(change.log_key);
      known.push_back(all->log_key);
    } else {
      TALLA_TRY(const json::Value value, json::parse(text));
      TALLA_TRY(known.emplace_back(), certs::LogKey::from_json(value));
    }
    for (const certs::LogKey& one : known) {
      TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(one.statement));
      origin_ = statement.origin;
      keys_.push_back(certs::make_verifier_key(hashes_, statement.origin, certs::KeyType::log,
                                               statement.public_key));
    }
    return {};
  }
  /// What an earlier visit kept: it counts when a key that the inspector knows has signed it.
  [[nodiscard]] Status read_since() {
    if (wish_.since.empty()) return {};
    TALLA_TRY(const std::string text, content_of(fs::absolute(wish_.since).string()));
    const auto refused = [this](const std::string& why) {
      return fail(SubmitErrc::submit_refused, wish_.since + ": " + why);
    };
    const auto note = certs::parse_note(text);
    if (!note) return refused("no checkpoint: " + note.error().detail);
    const auto checkpoint = certs::parse_checkpoint_text(note->text);
    if (!checkpoint) return refused("no checkpoint: " + checkpoint.error().detail);
    if (checkpoint->origin != origin_)
      return refused("is of " + checkpoint->origin + ", not of " + origin_);
    const certs::BotanEd25519 verifier;
    if (std::ranges::none_of(keys_, [&](const certs::VerifierKey& key) {
          return certs::check_log_signature(*note, key, verifier) == certs::Signed::valid;
        }))
      return refused("no key of --log-key has signed it; talla log keys --out has all of a log");
    if (checkpoint->size == 0) return refused("is of a log without records");
    since_ = *checkpoint;
    return {};
  }
  /// A command line of talla; its standard output lies in `file`, what it says beside it.
  int ask(std::vector<std::string> arguments, const std::string& file) {
    arguments.insert(arguments.begin(),
                     {"--json", "--client", fs::absolute(wish_.client).string()});
    return run_child({.program = talla_,
                      .arguments = std::move(arguments),
                      .folder = out_,
                      .out = out_ + "/" + file,
                      .messages = out_ + "/" + messages_file});
  }
  /// The last line of what was said on standard error, or the error of the reply.
  [[nodiscard]] std::string said(const std::string& file) const {
    const auto reply = content_of(out_ + "/" + file);
    if (reply) {
      const std::size_t end = reply->find_last_not_of('\n');
      const std::size_t begin = end == std::string::npos ? end : reply->rfind('\n', end);
      const std::string last =
          end == std::string::npos
              ? ""
              : reply->substr(begin == std::string::npos ? 0 : begin + 1, end + 1);
      std::string detail = text_at(last, "/detail");
      if (!detail.empty()) return detail;
      const std::string error = text_at(last, "/error");
      if (!error.empty()) return error;
    }
    auto text = content_of(out_ + "/" + messages_file);
    if (!text) return "no answer";
    while (!text->empty() && text->back() == '\n') text->pop_back();
    const std::size_t line = text->rfind('\n');
    return text->substr(line == std::string::npos ? 0 : line + 1);
  }
  [[nodiscard]] std::vector<json::Value> lines(const std::string& file) const {
    std::vector<json::Value> out;
    const auto text = content_of(out_ + "/" + file);
    for (std::size_t at = 0; text && at < text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      if (auto one = json::parse(std::string_view(*text).substr(at, end - at)))
        out.push_back(std::move(*one));
      at = end + 1;
    }
    return out;
  }

  void software() {
    std::vector<std::string> arguments{"software", "challenge"};
    if (!wish_.manifest.empty()) {
      arguments.insert(arguments.end(), {"--manifest", fs::absolute(wish_.manifest).string()});
      for (const std::string& one : wish_.signers)
        arguments.insert(arguments.end(), {"--signer", one});
      if (!wish_.reference.empty())
        arguments.insert(arguments.end(), {"--reference", fs::absolute(wish_.reference).string()});
    }
    const int exit = ask(std::move(arguments), "challenge.json");
    const auto replies = lines("challenge.json");
    if (!replies.empty())
      if (const json::Value* challenge = replies.front().find("challenge"))
        answer_ = text_of(*challenge, "answer");
    if (exit != child_good) return check("software", "bad", said("challenge.json"));
    if (wish_.manifest.empty())
      return check("software", "not-looked-at", "no manifest and reference were given");
    check("software", "good", "the reference gives the same answer, " + answer_);
  }
  [[nodiscard]] bool status() {
    const int exit = ask({"status"}, "status.json");
    const auto replies = lines("status.json");
    if (exit != child_good || replies.empty()) {
      check("answers", "bad", said("status.json"));
      return false;
    }
    size_ = number_at(replies.front(), "size");
    const std::string origin = text_of(replies.front(), "origin");
    if (size_ == 0 || (!origin.empty() && origin != origin_)) {
      check("answers", "bad",
            size_ == 0 ? "it says that its log has no records"
                       : "it says that it is " + origin + ", and the key is that of " + origin_);
      return false;
    }
    check("answers", "good", "as " + origin_ + " with " + std::to_string(size_) + " records");
    return true;
  }
  /// KIND=FILE, the file absolute.
  [[nodiscard]] static std::string certification_root(const std::string& given) {
    const std::size_t at = given.find('=');
    return at == std::string::npos
               ? given
               : given.substr(0, at + 1) + fs::absolute(given.substr(at + 1)).string();
  }
  /// Of each file what talla verify says.
  std::map<std::string, Claim> verify(const std::vector<std::string>& files,
                                      const std::vector<std::string>& how,
                                      const std::string& file) {
    std::map<std::string, Claim> claims;
    if (files.empty()) return claims;
    // Files first: options that take several values would take them too.
    std::vector<std::string> arguments{"verify"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    arguments.insert(arguments.end(), {"--root", fs::absolute(wish_.root).string()});
    arguments.insert(arguments.end(), how.begin(), how.end());
    static_cast<void>(ask(std::move(arguments), file));
    unjudged_ = said(file);
    for (json::Value& line : lines(file)) {
      Claim claim{.verified = line.find("verified") != nullptr,
                  .seq = number_at(line, "claim"),
                  .said = {}};
      const std::string of = text_of(line, "file");
      claim.said = std::move(line);
      if (!of.empty()) claims.emplace(of, std::move(claim));
    }
    return claims;
  }
  /// Why a file is not the claim that was asked for; empty: it is.
  [[nodiscard]] std::string wrong(const std::map<std::string, Claim>& claims,
                                  const std::string& file, std::uint64_t seq) const {
    const auto found = claims.find(file);
    const std::string record = "record " + std::to_string(seq) + ": ";
    if (found == claims.end()) return record + "it could not be judged: " + unjudged_;
    const Claim& claim = found->second;
    if (!claim.verified) return record + text_of(claim.said, "detail");
    if (claim.seq != seq)
      return record + "evidence of record " + std::to_string(claim.seq) + " came";
    const std::string origin = text_of(claim.said, "origin");
    if (origin != origin_) return record + "is of " + origin + ", not of " + origin_;
    return {};
  }

  void records() {
    const std::uint64_t first = size_ - std::min<std::uint64_t>(size_, wish_.records);
    std::vector<std::string> files;
    std::string why;
    for (std::uint64_t seq = first; seq < size_; ++seq) {
      const std::string file = "records/" + std::to_string(seq) + ".json";
      if (ask({"log", "record", std::to_string(seq), "--out", file}, "asked.json") != child_good &&
          why.empty())
        why = "record " + std::to_string(seq) + ": " + said("asked.json");
      if (fs::exists(out_ + "/" + file)) files.push_back(file);
    }
    const auto claims =
        verify(files, {"--log-key", fs::absolute(wish_.log_key).string()}, "receipts.json");
    for (std::uint64_t seq = first; seq < size_ && why.empty(); ++seq)
      why = wrong(claims, "records/" + std::to_string(seq) + ".json", seq);
    check("records", why.empty() ? "good" : "bad",
          why.empty() ? "records " + std::to_string(first) + " to " + std::to_string(size_ - 1)
                      : why);
    bool alive = false;
    for (std::uint64_t seq = first; seq < size_; ++seq) {
      const std::string file = "records/" + std::to_string(seq) + ".json";
      if (wrong(claims, file, seq).empty()) alive |= take(file, seq);
    }
    const std::string newest = "records/" + std::to_string(size_ - 1) + ".json";
    if (wrong(claims, newest, size_ - 1).empty()) take_head(newest);
    check("alive", alive ? "good" : "bad",
          alive ? "record of the challenge" : "no new record has the answer that was given");
  }
  /// A record that verified; whether it is that of our challenge.
  bool take(const std::string& file, std::uint64_t seq) {
    const auto text = content_of(out_ + "/" + file);
    const auto receipt = text ? json::parse(*text) : Result<json::Value>(json::Value());
    const auto record =
        receipt ? json::parse(text_of(*receipt, "record")) : Result<json::Value>(json::Value());
    if (!text || !receipt || !record) return false;
    const std::string kind = text_of(*record, "kind");
    if (kind == "SETTLEMENT" || kind == "DRAW") played_.insert(seq);
    const json::Value* body = record->find("body");
    return kind == "ACCESS" && body != nullptr && text_of(*body, "what") == "software-challenge" &&
           !answer_.empty() && text_of(*body, "object") == answer_;
  }

  /// The checkpoint of a receipt that verified: what the appliance has signed of now.
  void take_head(const std::string& file) {
    const auto text = content_of(out_ + "/" + file);
    const auto receipt = certs::parse_receipt(text ? *text : std::string());
    if (!receipt) return;
    const auto proof = certs::parse_proof(receipt->proof);
    const auto note = certs::parse_note(proof ? proof->checkpoint : std::string());
    const auto head = certs::parse_checkpoint_text(note ? note->text : std::string());
    if (!head) return;
    head_ = *head;
    static_cast<void>(certs::replace_file(out_ + "/checkpoint", proof->checkpoint));
  }
  /// What was there at an earlier visit must be the beginning of what is there now.
  void since() {
    if (!since_)
      return check("since", "not-looked-at", "no checkpoint of an earlier visit was given");
    if (!head_)
      return check("since", "bad", "the newest record does not verify: nothing was compared");
    const std::string then = std::to_string(since_->size) + " records of then";
    const std::string now = std::to_string(head_->size) + " of now";
    if (head_->size < since_->size)
      return check("since", "bad", "the log is shorter than it was: " + then + ", " + now);
    std::vector<Digest> path;
    if (head_->size > since_->size) {
      if (ask({"log", "consistency", std::to_string(since_->size), "--to",
               std::to_string(head_->size), "--out", "consistency.json"},
              "asked.json") != child_good)
        return check("since", "bad", "no proof came: " + said("asked.json"));
      const auto text = content_of(out_ + "/consistency.json");
      auto proof = certs::parse_consistency(text ? *text : std::string());
      if (!proof) return check("since", "bad", "what came is no proof: " + proof.error().detail);
      path = std::move(proof->proofs.front().path);
    }
    // Roots are those of the two checkpoints, whatever the proof says of them.
    const bool same = certs::verify_consistency(hashes_, {since_->size, since_->root},
                                                {head_->size, head_->root}, path)
                          .has_value();
    check("since", same ? "good" : "bad",
          same ? "the " + then + " are the beginning of the " + now
               : "another history: the " + then + " are not the beginning of the " + now);
  }

  /// Older rounds are those that the appliance names: none of them is believed before it verifies.
  void find_older() {
    if (played_.size() >= wish_.rounds) return;
    for (const char* kind : {"SETTLEMENT", "DRAW"}) {
      static_cast<void>(ask(
          {"log", "tail", "--kind", kind, "--limit", std::to_string(wish_.rounds)}, "older.json"));
      for (const json::Value& one : lines("older.json"))
        if (const std::uint64_t seq = number_at(one, "seq"); seq != 0) played_.insert(seq);
    }
  }
  void rounds() {
    find_older();
    while (played_.size() > wish_.rounds) played_.erase(played_.begin());
    std::vector<std::string> files;
    std::string why;
    for (const std::uint64_t seq : played_) {
      const std::string file = "rounds/" + std::to_string(seq) + ".talla";
      if (ask({"log", "bundle", std::to_string(seq), "--out", file}, "asked.json") != child_good &&
          why.empty())
        why = "record " + std::to_string(seq) + ": " + said("asked.json");
      if (fs::exists(out_ + "/" + file)) files.push_back(file);
    }
    std::vector<std::string> how;
    for (const std::string& one : wish_.catalogues)
      how.insert(how.end(), {"--catalogue", fs::absolute(one).string()});
    if (!wish_.policy.empty())
      how.insert(how.end(), {"--policy", fs::absolute(wish_.policy).string()});
    for (const std::string& one : wish_.certification_roots)
      how.insert(how.end(), {"--certification-root", certification_root(one)});
    const auto claims = verify(files, how, "verified.json");
    for (const std::uint64_t seq : played_)
      if (why.empty()) why = wrong(claims, "rounds/" + std::to_string(seq) + ".talla", seq);
    if (played_.empty()) {
      check("settlements", "not-looked-at", "no round was settled and nothing was drawn");
    } else {
      check("settlements", why.empty() ? "good" : "bad",
            why.empty() ? std::to_string(played_.size()) + " verified" : why);
    }
    judge_claims(claims, played_.empty() || !why.empty());
  }
  void judge_claims(const std::map<std::string, Claim>& claims, bool nothing) {
    std::string rules;
    std::string uncertified;
    bool witnessed = true;
    for (const auto& [file, claim] : claims) {
      if (rules.empty()) rules = text_of(claim.said, "unknown_catalogue");
      if (text_of(claim.said, "class") != "certified" && uncertified.empty())
        uncertified = file + ": " + text_of(claim.said, "class");
      const json::Value* one = claim.said.find("witnessed");
      witnessed &= one != nullptr && *one == json::Value(true);
    }
    const std::string no_rounds = "no round verified that it could be seen of";
    if (nothing) {
      check("rules", "not-looked-at", no_rounds);
    } else {
      check("rules", rules.empty() ? "good" : "bad",
            rules.empty() ? "known to this program" : "unknown here: catalogue " + rules);
    }
    if (wish_.certification_roots.empty() || nothing) {
      check("certification", "not-looked-at",
            nothing ? no_rounds : "no roots of laboratory and regulator were given");
    } else {
      check("certification", uncertified.empty() ? "good" : "bad",
            uncertified.empty() ? "every commitment is covered" : uncertified);
    }
    if (wish_.policy.empty() || nothing) {
      check("witnesses", "not-looked-at", nothing ? no_rounds : "no policy was given");
    } else {
      check("witnesses", witnessed ? "good" : "bad",
            witnessed ? "the policy is satisfied" : "the policy is not satisfied");
    }
  }

  [[nodiscard]] Result<json::Value> whole() {
    TALLA_TRY(const auto files, files_below(out_, {}));
    json::Value found = json::Object{{"checks", std::move(checks_)},
                                     {"files", fact_list(files)},
                                     {"files_sha256", to_hex(result_of(files))},
                                     {"format", 1},
                                     {"inspector", wish_.inspector},
                                     {"kind", "talla-lab inspection"},
                                     {"origin", origin_},
                                     {"size", std::to_string(size_)},
                                     {"time", utc_text(now_us())},
                                     {"verdict", bad_ ? "bad" : "good"}};
    TALLA_TRY_STATUS(certs::replace_file(out_ + "/inspection.json", json::canonical(found) + "\n"));
    for (const std::string language : {"en", "es"}) {
      TALLA_TRY_STATUS(
          certs::replace_file(out_ + "/page-" + language + ".html", field_html(found, language)));
      TALLA_TRY_STATUS(
          certs::replace_file(out_ + "/page-" + language + ".pdf", field_pdf(found, language)));
    }
    return found;
  }
  [[nodiscard]] static std::int64_t now_us() {
    using namespace std::chrono;  // NOLINT(google-build-using-namespace)
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
  }

  const FieldWish& wish_;
  certs::OpensslHashes hashes_;
  std::vector<certs::VerifierKey> keys_;    // of the log, that the inspector knows
  std::optional<certs::Checkpoint> since_;  // of an earlier visit
  std::optional<certs::Checkpoint> head_;   // under the newest record
  std::string out_, talla_, origin_, answer_;
  std::string unjudged_;            // what was said last where nothing was judged
  std::uint64_t size_ = 0;          // records that it says it has
  std::set<std::uint64_t> played_;  // settlements and draws
  json::Array checks_;
  bool bad_ = false;
};

}  // namespace

Result<json::Value> inspect_appliance(const FieldWish& wish) {
  return Inspection(wish).made();
}

}  // namespace talla::lab::submit
