#include "certs/log.hpp"

#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/check.hpp"

namespace talla::certs {

namespace {

bool is_refusal(const Error& error) {
  return error.is(Errc::duplicate_key) || error.is(Errc::group_refused);
}

/// Of a document that a group writes several times the last one counts: the others never reach the
/// disk.
void keep_last(std::vector<Document>& documents) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::size_t> last;
  for (std::size_t i = documents.size(); i-- > 0;) {
    if (seen.insert(documents[i].name.text()).second) last.push_back(i);
  }
  if (last.size() == documents.size()) return;
  std::vector<Document> kept;
  kept.reserve(last.size());
  for (auto i = last.rbegin(); i != last.rend(); ++i) kept.push_back(std::move(documents[*i]));
  documents = std::move(kept);
}

}  // namespace

Log::Log(const Effects& effects, Options options)
    : hashes_(effects.hashes),
      ledger_(effects.ledger),
      anchors_(effects.anchor, effects.outer),
      options_(std::move(options)),
      prover_({effects.hashes, effects.ledger, effects.signer}, options_.origin),
      stage_(effects.hashes, effects.ledger, effects.clock) {}

Result<Appended> Log::append(RecordDraft draft) {
  if (latched()) return fail(Errc::ledger_latched, "the log takes no more records");
  return stage_.append({.origin = options_.origin, .boot = boot_, .seq = next_seq()},
                       std::move(draft));
}

Result<Written> Log::write() {
  if (latched()) {
    stage_.drop();
    return fail(Errc::ledger_latched, "the log takes no more records");
  }
  const auto group = std::make_shared<Group>(stage_.take());
  keep_last(group->documents);
  auto number = ledger_.write(group);
  if (!number) {
    unsigned_ = unsigned_ || !is_refusal(number.error());
    stage_.drop();
    return pass(std::move(number));
  }
  const Written written{.number = *number, .records = group->records.size()};
  if (!group->records.empty()) {
    written_size_ += group->records.size();
    written_.push_back({*number, group});
  }
  stage_.keep();
  return written;
}

Result<std::string> Log::settle(std::uint64_t number) {
  std::string last;
  while (!written_.empty() && written_.front().number <= number) {
    prover_.add_group(std::move(written_.front().group->records));  // durable: ours alone
    written_.pop_front();
    auto note = prover_.checkpoint(size());
    if (!note) {
      unsigned_ = true;
      return pass(std::move(note));
    }
    last = std::move(*note);
  }
  return last;
}

Result<Signature64> Log::sign_ahead() {
  TALLA_CHECK(written_.empty());
  return prover_.sign_ahead(stage_.group().records);
}

Result<Committed> Log::commit() {
  const std::uint64_t before = written_size_;
  const bool empty = stage_.group().empty();
  TALLA_TRY(const Written written, write());
  if (Status synced = empty ? Status() : sync(); !synced) {
    unsigned_ = true;
    return pass(std::move(synced));
  }
  TALLA_TRY(std::string note, settle(written.number));
  static_cast<void>(tidy());  // a failure latches, but this group is durable
  return Committed{.size_before = before, .size = written_size_, .checkpoint = std::move(note)};
}

}  // namespace talla::certs
