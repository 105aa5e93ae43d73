#include "book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "certs/archive.hpp"
#include "certs/files.hpp"
#include "disk.hpp"
#include "failure.hpp"
#include "format/record.hpp"
#include "spent.hpp"
#include "verify/archive.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

namespace talla::sim {
namespace {

using certs::Kind;

constexpr std::size_t records_newest = 48;  // looked at after each start; at the end all are
constexpr std::size_t asked_again = 4;      // after each start
constexpr std::size_t again_one_of = 4;     // and at the end
constexpr std::size_t claims_checked = 4;   // at the end, of each kind

std::string text_of(std::uint64_t seq) {
  return "record " + std::to_string(seq);
}

/// The reply to a deal shows no card but those that lie open.
void check_dealt(const json::Value& cards) {
  for (const auto& card : cards.array())
    require(card.find("face")->string() == "open" || card.find("card") == nullptr,
            [&] { return "a card that nobody may see is shown: " + json::canonical(card); });
}

/// What one pass over the log keeps.
struct Pass {
  std::map<std::pair<std::string, std::string>, Digest> requests;  // by client and key
  std::map<std::pair<std::string, std::string>, std::uint64_t> calls;
  std::map<std::uint64_t, bool> answered;  // CALL -> whether its result followed
  std::map<Kind, std::vector<std::uint64_t>> claims;
  bool latched = false;
  std::uint64_t boot = 0;  // of the last start

  void take(const certs::Record& record) {
    if (record.client && !record.key.empty() && record.request) key(record);
    if (record.kind == Kind::call) answered[record.seq] = false;
    if (record.kind == Kind::draw || record.kind == Kind::void_call ||
        record.kind == Kind::shoe_mix)
      answer(record);
    if (record.kind == Kind::settlement || record.kind == Kind::draw ||
        record.kind == Kind::shoe_close || record.kind == Kind::card_deal)
      claims[record.kind].push_back(record.seq);
    if (record.kind == Kind::power) power(record);
    if (record.kind == Kind::selftest) self_test(record);
    if (record.kind == Kind::access) access(record);
    const bool commits = record.kind == Kind::shoe_commit || record.kind == Kind::shoe_recommit ||
                         record.kind == Kind::batch_commit;
    require(!commits || !latched,
            [&] { return text_of(record.seq) + " commits while the latch stands"; });
  }

 private:
  void key(const certs::Record& record) {
    const std::pair id(record.client->id, record.key);
    const auto [known, fresh] = requests.emplace(id, *record.request);
    require(fresh || known->second == *record.request,
            [&] { return text_of(record.seq) + ": its key belongs to another request"; });
    if (record.kind != Kind::call) return;
    require(calls.emplace(id, record.seq).second,
            [&] { return text_of(record.seq) + ": a repeated request was answered by two calls"; });
  }
  void answer(const certs::Record& record) {
    if (record.body.find("core") != nullptr) return;  // it answers a core that became no CALL
    const auto call = static_cast<std::uint64_t>(record.body.find("call")->integer());
    const auto open = answered.find(call);
    require(open != answered.end() && !open->second,
            [&] { return text_of(record.seq) + " answers a CALL twice, or none"; });
    open->second = true;
  }
  void power(const certs::Record& record) {
    if (record.body.find("event")->string() != "start") return;
    require(record.boot > boot,
            [&] { return text_of(record.seq) + " is of a start that was counted before"; });
    boot = record.boot;
  }
  void self_test(const certs::Record& record) {
    const bool of_generator = record.body.find("test")->string().starts_with("generator-");
    if (of_generator && record.body.find("result")->string() == "fail") latched = true;
  }
  void access(const certs::Record& record) {
    const auto* what = record.body.find("what");
    if (what != nullptr && what->string() == "latch-reset.done") latched = false;
  }
};

}  // namespace

void Book::acknowledged(const core::Request& request, const core::Reply& reply) {
  if (request.idempotency_key.empty() || reply.status >= 300) return;
  const auto value = json::parse(reply.body);
  require(value.has_value(), "a reply is no JSON");
  if (const auto* cards = value->find("cards")) check_dealt(*cards);
  const auto* receipts = value->find("receipts");
  if (receipts == nullptr) return;  // it rests on no record: a draft of bets
  const auto [known, fresh] = replies_.try_emplace({request.client.id, request.idempotency_key},
                                                   Given{request, reply.body});
  require(fresh || known->second.body == reply.body, [&] {
    return request.path + " " + request.idempotency_key + ": answered otherwise before";
  });
  for (const auto& receipt : receipts->array()) {
    const auto& text = receipt.find("record")->string();
    const auto record = certs::parse_record(text);
    require(record.has_value(),
            [&] { return "a receipt without a record: " + record.error().text(); });
    const auto& given = records_.try_emplace(record->seq, text).first->second;
    require(given == text, [&] { return text_of(record->seq) + " was given with other contents"; });
  }
}

void Book::contributed(const std::vector<Contributed>& ended) {
  contributed_.insert(contributed_.end(), ended.begin(), ended.end());
}

void Book::check_contributed(core::test::Rig& rig, const std::string& roots, Random& random) {
  const Spending mine(Part::claims);
  random.shuffle(contributed_);
  for (std::size_t i = 0; i < std::min(contributed_.size(), claims_checked); ++i) {
    const auto& one = contributed_[i];
    const auto bundle = rig.get("/v1/bundles/" + std::to_string(one.seq));
    certs::VerifyOptions options;
    options.mine = one.key;
    const auto verdict = certs::verify_bundle(bundle.body, roots, options);
    require(verdict.has_value() == one.in, [&] {
      return text_of(one.seq) + ": a number is " + (one.in ? "not " : "") +
             "in it: " + (verdict ? std::string("accepted") : verdict.error().text());
    });
    ++verified_;
  }
}

void Book::ask_again(core::test::Rig& rig, const Given& given) {
  const auto got = rig.ask(given.request);
  require(got.body == given.body, [&] {
    return given.request.path + " " + given.request.idempotency_key + " asked again: " + got.body +
           "\ninstead of\n" + given.body;
  });
}

void Book::check_record(core::test::Rig& rig, std::uint64_t seq, const std::string& text) {
  const auto stored = rig.ledger().record(seq);
  require(stored.has_value(),
          [&] { return text_of(seq) + ", acknowledged, is lost: " + stored.error().text(); });
  require(stored->bytes == text,
          [&] { return text_of(seq) + ", acknowledged, has other contents"; });
}

void Book::check_records(core::test::Rig& rig) const {
  for (const auto& [seq, text] : records_) check_record(rig, seq, text);
}

void Book::check_after_start(core::test::Rig& rig, Random& random) {
  std::size_t newest = 0;
  for (auto at = records_.rbegin(); at != records_.rend() && newest < records_newest;
       ++at, ++newest)
    check_record(rig, at->first, at->second);
  if (replies_.empty()) return;
  std::vector<const Given*> asked;
  std::size_t left = replies_.size();
  for (const auto& [id, given] : replies_) {
    if (random.below(left--) < asked_again - asked.size()) asked.push_back(&given);
    if (asked.size() == asked_again) break;
  }
  for (const auto* given : asked) ask_again(rig, *given);
  const auto* other = asked.empty() ? nullptr : another_of(*asked.front());
  if (other != nullptr) ask_under_its_key(rig, *asked.front(), *other);
}

const Book::Given* Book::another_of(const Given& given) const {
  const auto& key = given.request.idempotency_key;
  auto at = replies_.lower_bound({given.request.client.id, {}});
  for (; at != replies_.end() && at->first.first == given.request.client.id; ++at) {
    const auto& other = at->second.request;
    if (at->first.second != key && other.path == given.request.path &&
        other.body != given.request.body)
      return &at->second;
  }
  return nullptr;
}

void Book::ask_under_its_key(core::test::Rig& rig, const Given& given, const Given& other) {
  auto asked = other.request;
  asked.idempotency_key = given.request.idempotency_key;
  const auto got = rig.ask(asked);
  require(got.code() == "key_reused" || got.status >= 500, [&] {
    return asked.path + " under the key " + asked.idempotency_key +
           " of another request: " + got.body;
  });
}

/// Sealed into an archive, and read once by the independent verifier: every record in its place,
/// the tree, the key, the chains of all tables.
void Book::check_log(core::test::Rig& rig, const std::string& roots) {
  const Spending mine(Part::log);
  const auto size = rig.log().size();
  const auto held = [](const auto& result, const char* what) {
    require(result.has_value(), [&] { return std::string(what) + ": " + result.error().text(); });
  };
  const auto statement = certs::read_file(core::test::Rig::keys() + "/log-key.json");
  held(statement, "the statement of the log's key");
  const auto words = json::parse(*statement);
  held(words, "the statement of the log's key");
  const auto log_key = certs::LogKey::from_json(*words);
  held(log_key, "the statement of the log's key");
  const auto checkpoint = rig.log().prover().checkpoint(size);
  held(checkpoint, "the last checkpoint");
  const auto path = rig.folder() + "/life.archive";
  held(certs::seal_archive({.ledger = rig.ledger(),
                            .origin = core::test::rig_origin,
                            .checkpoint = *checkpoint,
                            .log_keys = {*log_key},
                            .file = path},
                           certs::BotanEd25519()),
       "the log makes no archive");
  const auto file = certs::FileSource::open(path);
  held(file, "the archive");
  Pass pass;
  certs::ArchiveVerifier verifier(roots, {});
  const auto verdict =
      verifier.verify(**file, {.judge = [&](const certs::Record& record, const Digest&) {
        pass.take(record);
        return Status();
      }});
  held(verdict, "the log does not verify");
  require(verdict->verdict.claim + 1 == size, "the archive does not hold the whole log");
  for (const auto& [call, answered] : pass.answered) {
    require(answered,
            [&, seq = call] { return "the CALL " + text_of(seq) + " was never answered"; });
  }
  claims_ = std::move(pass.claims);
}

void Book::check_all(core::test::Rig& rig, Random& random) {
  check_records(rig);
  {
    const Spending mine(Part::again);
    for (const auto& [id, given] : replies_) {
      if (random.once_in(again_one_of)) ask_again(rig, given);
    }
  }
  const auto roots = certs::read_file(core::test::Rig::keys() + "/ca.pem");
  require(roots.has_value(), "no root certificate");
  check_log(rig, *roots);
  check_claims(rig, random);
  check_contributed(rig, *roots, random);
  check_secrecy(rig);
}

void Book::check_claims(core::test::Rig& rig, Random& random) {
  const Spending mine(Part::claims);
  for (auto& [kind, seqs] : claims_) {
    random.shuffle(seqs);
    seqs.resize(std::min(seqs.size(), claims_checked));
    for (const auto seq : seqs) {
      rig.verify(seq);
      require(!::testing::Test::HasFailure(), [&, what = kind] {
        return std::string(certs::kind_name(what)) + " " + text_of(seq) + " does not verify";
      });
      ++verified_;
    }
  }
}

void Book::check_secrecy(const core::test::Rig& rig) {
  const Spending mine(Part::secrecy);
  constexpr std::size_t window = 8;
  const auto word_at = [](const std::uint8_t* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, window);
    return word;
  };
  // Most places of a file are passed by a table of what the words end in.
  constexpr std::size_t ends_of = std::size_t{1} << 22U;
  std::vector<std::uint64_t> ends(ends_of / 64);
  const auto end_of = [&](std::uint64_t word) -> std::uint64_t& {
    return ends[(word & (ends_of - 1)) / 64];
  };
  const auto bit_of = [](std::uint64_t word) { return std::uint64_t{1} << (word & 63U); };
  std::vector<std::uint64_t> given;
  const auto& bytes = rig.supply.given;
  for (std::size_t at = 0; at + window <= bytes.size(); at += window) {
    given.push_back(word_at(bytes.data() + at));
    end_of(given.back()) |= bit_of(given.back());
  }
  std::ranges::sort(given);
  const auto search = [&](const std::string& name, ByteView text) {
    for (std::size_t at = 0; at + window <= text.size(); ++at) {
      const auto word = word_at(text.data() + at);
      require((end_of(word) & bit_of(word)) == 0 || !std::ranges::binary_search(given, word),
              [&] { return name + " holds the generator's bits in clear"; });
    }
  };
  Disk::instance().each([&](const auto& path, const auto& text) { search(path, text); });
  for (const auto& file : std::filesystem::recursive_directory_iterator(rig.folder())) {
    if (!file.is_regular_file()) continue;
    std::string text(file.file_size(), '\0');
    std::ifstream(file.path(), std::ios::binary)
        .read(text.data(), static_cast<std::streamsize>(text.size()));
    search(file.path().filename().string(), as_bytes(text));
  }
}

}  // namespace talla::sim
