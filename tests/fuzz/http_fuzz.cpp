// Goal: no sequence of requests ends the appliance, makes it answer "internal error" or gives a
//       reply that is no JSON.
// Method: one input is a conversation: requests separated by a line "--", each a line "METHOD
//         TARGET [KEY]" and a body. The words
//   @table @shoe @round @batch @root @position @index @state are the newest value of that member
//   among the replies, @nonce is fresh, @mixing and @drawing are bodies of honest calls for the
//   newest shoe and batch, so that mutated conversations still reach dealt shoes, drawn rounds and
//   settlements. The table has a key of its own: cards are dealt covered, and
//   players choose (poker, chemin de fer).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.hpp"
#include "rig.hpp"

namespace {

using talla::core::test::Got;
using talla::core::test::Rig;
namespace json = talla::json;

constexpr std::size_t requests_max = 40;
/// A new appliance after so many inputs: its ledger grows.
constexpr int inputs_max = 200;

/// Ledgers of a fuzz run belong into memory, where there is a file system for it.
void prefer_memory() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  if (std::filesystem::exists("/dev/shm")) static_cast<void>(::setenv("TMPDIR", "/dev/shm", 0));
}

class Conversation {
 public:
  explicit Conversation(Rig& rig) : rig_(rig) {}

  void run(std::string_view text) {
    for (std::size_t count = 0; count < requests_max && !text.empty(); ++count) {
      const auto end = text.find("\n--\n");
      one(text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 4);
    }
  }

 private:
  void one(std::string_view text) {
    const auto line_end = text.find('\n');
    std::string head = filled(text.substr(0, line_end));
    const std::string body =
        line_end == std::string_view::npos ? std::string() : filled(text.substr(line_end + 1));
    std::string key = "fresh-" + std::to_string(++keys_);
    const auto space = head.find(' ');
    if (space == std::string::npos) return;
    std::string target = head.substr(space + 1);
    if (const auto second = target.find(' '); second != std::string::npos) {
      key = target.substr(second + 1);
      target.resize(second);
    }
    const Got got = rig_.ask(rig_.request(head.substr(0, space), target, body, key));
    judge(got, target);
  }

  void judge(const Got& got, const std::string& target) {
    TALLA_CHECK(!rig_.service().failed());
    const bool answered = got.status >= 200 && got.status < 600 && got.status != 500;
    if (!answered)
      static_cast<void>(
          std::fprintf(stderr, "%s: %d %s\n", target.c_str(), got.status, got.body.c_str()));
    TALLA_CHECK(answered);
    if (target.starts_with("/v1/checkpoint") && got.status == 200) return;
    TALLA_CHECK(json::parse(got.body).has_value());
    if (got.status >= 300) {
      TALLA_CHECK(!got.code().empty());
      return;
    }
    for (const auto* name : {"table", "shoe", "round", "batch"}) {
      const auto* object = got.json.find(name);
      if (object == nullptr) continue;
      keep(*object, "id", name);
      for (const auto* member : {"root", "position", "index"}) keep(*object, member, member);
      keep(*object, "state_digest", "state");
    }
  }

  void keep(const json::Value& object, std::string_view member, std::string_view word) {
    const auto* value = object.find(member);
    if (value == nullptr) return;
    words_[std::string(word)] = value->is_string() ? value->string() : json::canonical(*value);
  }

  /// The body of a call, where what it is for is there.
  std::string called(std::string_view word) {
    const auto known = [this](const char* name, std::string_view path) {
      return words_.contains(name) && rig_.get(std::string(path) + words_[name]).status == 200;
    };
    if (word == "mixing")
      return known("shoe", "/v1/shoes/") &&
                     rig_.get("/v1/shoes/" + words_["shoe"]).json.find("shoe")->find("root")
                 ? rig_.mix_body(words_["shoe"])
                 : "{}";
    if (!known("table", "/v1/tables/") || !words_.contains("batch")) return "{}";
    const auto view = rig_.get("/v1/tables/" + words_["table"]);
    if (view.json.find("table")->find("turn") == nullptr) return "{}";  // it is closed
    const auto* round = view.json.find("table")->find("round");
    return rig_.draw_body({words_["table"], words_["batch"], words_["root"]},
                          // NOLINTNEXTLINE(cert-err34-c): what is no number is 0
                          std::atoi(words_["index"].c_str()),
                          round == nullptr ? std::string() : round->string());
  }

  std::string filled(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const auto at = text.find('@');
      out += text.substr(0, at);
      if (at == std::string_view::npos) break;
      text.remove_prefix(at + 1);
      std::size_t length = 0;
      while (length < text.size() && text[length] >= 'a' && text[length] <= 'z') ++length;
      const std::string word(text.substr(0, length));
      const auto found = words_.find(word);
      if (word == "nonce") {
        out += rig_.nonce();
      } else if (word == "mixing" || word == "drawing") {
        out += called(word);
      } else {
        out += found != words_.end() ? found->second : "@" + word;
      }
      text.remove_prefix(length);
    }
    return out;
  }

  Rig& rig_;
  std::map<std::string, std::string> words_;
  static inline std::uint64_t keys_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Rig> rig;
  static int inputs = inputs_max;
  if (inputs++ == inputs_max) {
    prefer_memory();
    rig.reset();
    rig = std::make_unique<Rig>();
    inputs = 1;
  }
  Conversation(*rig).run({reinterpret_cast<const char*>(data), size});
  return 0;
}
