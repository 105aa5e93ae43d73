// Opens the sealed secrets of a log that ended in a backup, each compared with its commitment.
#include <algorithm>
#include <map>
#include <utility>

#include "certs/batch.hpp"
#include "certs/succession.hpp"
#include "format/openings.hpp"
#include "format/shoe_format.hpp"

namespace talla::certs {

namespace {

tl::unexpected<Error> unusable(const std::string& object) {
  return fail(SuccessionErrc::secret_unusable,
              object + ": its sealed secret does not open, or is not what its record committed to");
}

/// Collects the bodies of one object after the other.
class Opener {
 public:
  Opener(const HashSuite& hashes, const Ledger& ledger, std::string origin, const Sealer* sealer)
      : hashes_(hashes), ledger_(ledger), origin_(std::move(origin)), sealer_(sealer) {}

  Status shoe(const ObjectState& object);
  Status batch(const ObjectState& object);
  [[nodiscard]] std::vector<json::Value> take() { return std::move(bodies_); }

 private:
  json::Value& add(const std::string& object, std::uint64_t commit, const char* result) {
    bodies_.emplace_back(json::Object{{"purpose", "predecessor"},
                                      {"origin", origin_},
                                      {"object", object},
                                      {"commit", commit},
                                      {"result", result}});
    return bodies_.back();
  }
  Result<SecretBytes> unseal(const SealedSecret& one) const {
    auto plain = sealer_->unseal({origin_, one.seq, one.kind, one.object}, one.sealed);
    if (!plain) return unusable(one.object);
    return plain;
  }
  Status root(const SealedSecret& one, const Record& record);
  Status open_batch(const SealedSecret& one, const std::vector<LedgerRecord>& chain, bool closed);

  const HashSuite& hashes_;
  const Ledger& ledger_;
  std::string origin_;
  const Sealer* sealer_;
  std::vector<json::Value> bodies_;
};

/// The secrets of one root, compared with what SHOE_COMMIT or SHOE_RECOMMIT says of them.
Status Opener::root(const SealedSecret& one, const Record& record) {
  ShoeCommitBody commit;
  if (record.kind == Kind::shoe_recommit) {
    TALLA_TRY(ShoeRecommitBody body, ShoeRecommitBody::from_json(record.body));
    commit = std::move(body.commit);
  } else {
    TALLA_TRY(commit, ShoeCommitBody::from_json(record.body));
  }
  TALLA_TRY(const SecretBytes plain, unseal(one));
  const auto roots = Openings::roots_of(plain);
  if (!roots || roots->size() != 1) return unusable(one.object);
  const RootOpening& opened = roots->front();
  const ShoeKey key(hashes_, std::span<const std::uint8_t, 32>(opened.key), one.object);
  if (key.tape_mac(opened.tape) != commit.tape_mac) return unusable(one.object);
  add(one.object, one.seq, "opened")["root"] =
      json::Object{{"key", to_hex(opened.key)}, {"tape", to_base64(opened.tape)}};
  return {};
}

Status Opener::shoe(const ObjectState& object) {
  TALLA_TRY(const auto chain, ledger_.chain(object.id));
  TALLA_TRY(const auto sealed, ledger_.sealed(object.id));
  if (chain.empty()) return unusable(object.id);
  TALLA_TRY(const Record opening, parse_record(chain.front().bytes));
  TALLA_TRY(const ShoeCommitBody commit, ShoeCommitBody::from_json(opening.body));
  for (const LedgerRecord& stored : chain) {
    if (stored.kind != Kind::shoe_commit && stored.kind != Kind::shoe_recommit) continue;
    const auto found = std::ranges::find(sealed, stored.seq, &SealedSecret::seq);
    if (commit.covered && found != sealed.end()) {
      add(object.id, stored.seq, "kept");
    } else if (sealer_ == nullptr || found == sealed.end()) {
      add(object.id, stored.seq, "lost");
    } else {
      TALLA_TRY(const Record record, parse_record(stored.bytes));
      TALLA_TRY_STATUS(root(*found, record));
    }
  }
  return {};
}

/// What an open CALL gives is what it gives after any crash, where all its numbers are known: its
/// outcome is stated. The unused secrets follow.
Status Opener::open_batch(const SealedSecret& one, const std::vector<LedgerRecord>& chain,
                          bool closed) {
  TALLA_TRY(const Record opening, parse_record(chain.front().bytes));
  TALLA_TRY(const BatchCommitBody commit, BatchCommitBody::from_json(opening.body));
  TALLA_TRY(const SecretBytes plain, unseal(one));
  const auto batch = SecretBatch::restore(hashes_, one.object, plain, commit.root);
  if (!batch) return unusable(one.object);
  BatchProgress progress;
  std::map<std::uint64_t, CallBody> open;
  for (const LedgerRecord& stored : chain) {
    TALLA_TRY(const Record record, parse_record(stored.bytes));
    if (stored.kind == Kind::call) {
      TALLA_TRY(CallBody call, CallBody::from_json(record.body));
      progress.take(call, stored.seq);
      open.emplace(stored.seq, std::move(call));
    } else if (stored.kind == Kind::draw) {
      TALLA_TRY(const DrawBody draw, DrawBody::from_json(record.body));
      if (open.erase(draw.call) == 0) return unusable(one.object);
      progress.take(draw);
    } else if (stored.kind == Kind::void_call) {
      TALLA_TRY(const VoidBody ended, VoidBody::from_json(record.body));
      if (!ended.lapsed && open.erase(ended.call) == 0) return unusable(one.object);
      progress.take(ended);
    }
  }
  for (const auto& [seq, call] : open) {
    TALLA_TRY(const DrawBody draw, batch->draw(progress, seq, call));
    add(one.object, one.seq, "opened")["draw"] = draw.to_json();
    progress.take(draw);
  }
  if (closed) return {};
  TALLA_TRY(const BatchCloseBody close, batch->close(progress, BatchCloseReason::closed));
  add(one.object, one.seq, "opened")["close"] = close.to_json();
  return {};
}

Status Opener::batch(const ObjectState& object) {
  TALLA_TRY(const auto chain, ledger_.chain(object.id));
  TALLA_TRY(const auto sealed, ledger_.sealed(object.id));
  if (chain.empty()) return unusable(object.id);
  const auto found = std::ranges::find(sealed, object.opened, &SealedSecret::seq);
  if (sealer_ == nullptr || found == sealed.end()) {
    add(object.id, object.opened, "lost");
    return {};
  }
  return open_batch(*found, chain, object.closed);
}

}  // namespace

Result<std::vector<json::Value>> predecessor_secrets(const HashSuite& hashes, const Ledger& ledger,
                                                     const std::string& origin,
                                                     const Sealer* sealer) {
  Opener opener(hashes, ledger, origin, sealer);
  TALLA_TRY(const auto objects, ledger.open_objects());
  for (const ObjectState& object : objects) {
    if (object.id.starts_with("shoe-")) TALLA_TRY_STATUS(opener.shoe(object));
    if (object.id.starts_with("batch-")) TALLA_TRY_STATUS(opener.batch(object));
  }
  return opener.take();
}

}  // namespace talla::certs
