#include "book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "certs/files.hpp"
#include "failure.hpp"
#include "format/record.hpp"
#include "verify/verify.hpp"

namespace talla::sim {
namespace {

using certs::Kind;

constexpr std::size_t asked_again = 12;     // after each start
constexpr std::size_t claims_checked = 24;  // at the end, of each kind

std::string text_of(std::uint64_t seq) {
  return "record " + std::to_string(seq);
}

/// What one pass over the log keeps.
struct Pass {
  std::map<std::pair<std::string, std::string>, Digest> requests;  // by client and key
  std::map<std::pair<std::string, std::string>, std::uint64_t> calls;
  std::map<std::uint64_t, bool> answered;  // CALL -> whether its result followed
  bool latched = false;

  void take(const certs::Record& record) {
    if (record.client && !record.key.empty() && record.request) key(record);
    if (record.kind == Kind::call) answered[record.seq] = false;
    if (record.kind == Kind::draw || record.kind == Kind::void_call ||
        record.kind == Kind::shoe_mix)
      answer(record);
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

void Book::check_contributed(core::test::Rig& rig, Random& random) {
  random.shuffle(contributed_);
  const auto root = certs::read_file(core::test::Rig::keys() + "/ca.pem");
  require(root.has_value(), "no root certificate");
  for (std::size_t i = 0; i < std::min(contributed_.size(), claims_checked); ++i) {
    const auto& one = contributed_[i];
    const auto bundle = rig.get("/v1/bundles/" + std::to_string(one.seq));
    certs::VerifyOptions options;
    options.mine = one.key;
    const auto verdict = certs::verify_bundle(bundle.body, *root, options);
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

void Book::check_after_start(core::test::Rig& rig, Random& random) const {
  for (const auto& [seq, text] : records_) {
    const auto stored = rig.ledger().record(seq);
    require(stored.has_value(),
            [&] { return text_of(seq) + ", acknowledged, is lost: " + stored.error().text(); });
    require(stored->bytes == text,
            [&] { return text_of(seq) + ", acknowledged, has other contents"; });
  }
  if (replies_.empty()) return;
  for (std::size_t i = 0; i < asked_again; ++i) {
    auto at = replies_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random.below(replies_.size())));
    ask_again(rig, at->second);
  }
}

void Book::check_log(core::test::Rig& rig) {
  Pass pass;
  const auto size = rig.log().size();
  for (std::uint64_t seq = 0; seq < size; ++seq) {
    const auto stored = rig.ledger().record(seq);
    require(stored.has_value(), [&] { return text_of(seq) + " is missing"; });
    const auto record = certs::parse_record(stored->bytes);
    require(record.has_value() && record->seq == seq,
            [&] { return text_of(seq) + " does not parse"; });
    pass.take(*record);
  }
  for (const auto& [call, answered] : pass.answered) {
    require(answered,
            [&, seq = call] { return "the CALL " + text_of(seq) + " was never answered"; });
  }
}

void Book::check_all(core::test::Rig& rig, Random& random) {
  check_after_start(rig, random);
  for (const auto& [id, given] : replies_) ask_again(rig, given);
  check_log(rig);
  std::map<Kind, std::vector<std::uint64_t>> claims;
  const auto size = rig.log().size();
  for (std::uint64_t seq = 0; seq < size; ++seq) {
    const auto kind = rig.ledger().record(seq)->kind;
    if (kind == Kind::settlement || kind == Kind::draw || kind == Kind::shoe_close ||
        kind == Kind::card_deal)
      claims[kind].push_back(seq);
  }
  for (auto& [kind, seqs] : claims) {
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
  check_contributed(rig, random);
  check_secrecy(rig);
}

void Book::check_secrecy(const core::test::Rig& rig) {
  constexpr std::size_t window = 8;
  const auto word_at = [](const char* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, window);
    return word;
  };
  // Most places of a file are passed by a table of what the words end in.
  std::vector<bool> ends(std::size_t{1} << 24U);
  const auto end_of = [&](std::uint64_t word) { return word & (ends.size() - 1); };
  std::vector<std::uint64_t> given;
  const auto& bytes = rig.supply.given;
  for (std::size_t at = 0; at + window <= bytes.size(); at += window) {
    given.push_back(word_at(reinterpret_cast<const char*>(bytes.data() + at)));
    ends[end_of(given.back())] = true;
  }
  std::ranges::sort(given);
  for (const auto& file : std::filesystem::directory_iterator(rig.folder())) {
    if (!file.path().filename().string().starts_with("ledger.sqlite")) continue;
    std::string text(file.file_size(), '\0');
    std::ifstream(file.path(), std::ios::binary)
        .read(text.data(), static_cast<std::streamsize>(text.size()));
    for (std::size_t at = 0; at + window <= text.size(); ++at) {
      const auto word = word_at(text.data() + at);
      require(!ends[end_of(word)] || !std::ranges::binary_search(given, word), [&] {
        return file.path().filename().string() + " holds the generator's bits in clear";
      });
    }
  }
}

}  // namespace talla::sim
