// Rotation of the log key by two persons.
#include "rotation.hpp"

#include "acts.hpp"
#include "certs/bundle_maker.hpp"
#include "certs/next_log_key.hpp"
#include "people.hpp"

namespace talla::core {
namespace {

/// Ends of groups that are signed before the clock is looked at, and how long one turn may take
/// over them.
constexpr std::uint64_t groups_at_once = 16;
constexpr std::int64_t turn_ns = 20'000'000;

}  // namespace

LogKeyRotation::LogKeyRotation(Appliance& appliance, std::function<void()> await_all)
    : appliance_(appliance),
      await_all_(std::move(await_all)),
      keys_{appliance.effects.log_key, appliance.effects.retired_keys} {}

Status LogKeyRotation::on_start(Transaction& tx) {
  const bool genesis = appliance_.effects.log.size() == 0;
  if (!genesis) return {};
  TALLA_TRY_STATUS(tx.add({certs::Kind::key, {}, {}, log_key_body(appliance_.effects.log_key)}));
  return {};
}

LogKeysNow LogKeyRotation::log_keys() const {
  const std::scoped_lock lock(mutex_);
  return keys_;
}

Result<NextLogKey> LogKeyRotation::next_log_key() const {
  if (!appliance_.effects.next_log_key)
    return fail(Errc::wrong_state, "no next log key is configured (keys.next_log_key)");
  auto next = appliance_.effects.next_log_key();
  if (!next) return fail(Errc::wrong_state, "keys.next_log_key: " + next.error().text());
  const Status follows = certs::log_key_follows(log_keys().present, next->log_key,
                                                appliance_.settings.profile == "production");
  if (!follows)
    return fail(Errc::wrong_state, "keys.next_log_statement: " + follows.error().detail);
  return next;
}

/// Goes on with the ends of committed groups, a document at most.
Status LogKeyRotation::sign_ends(std::uint64_t groups) {
  const auto begin_ns = appliance_.effects.clock.monotonic_ns();
  const std::uint64_t end = std::min(groups, (signed_groups_ / certs::signatures_per_document + 1) *
                                                 certs::signatures_per_document);
  while (signed_groups_ < end && appliance_.effects.clock.monotonic_ns() - begin_ns < turn_ns) {
    const auto to = std::min(end, signed_groups_ + groups_at_once);
    TALLA_TRY(const auto some, appliance_.effects.log.prover().signatures(signed_groups_, to));
    signatures_.insert(signatures_.end(), some.begin(), some.end());
    signed_groups_ = to;
  }
  if (signatures_.size() == certs::signatures_per_document) stage_signatures();
  return {};
}

/// The document that the signatures at hand belong to.
void LogKeyRotation::stage_signatures() {
  const auto page = (signed_groups_ - 1) / certs::signatures_per_document;
  appliance_.effects.log.group().documents.push_back(
      {certs::documents::signatures(page), certs::signatures_text(signatures_)});
  if (signatures_.size() == certs::signatures_per_document) signatures_.clear();
}

/// Whole documents that the ledger has already, of an earlier rotation or before a restart.
void LogKeyRotation::skip_signed(std::uint64_t groups) {
  while (signatures_.empty() && signed_groups_ + certs::signatures_per_document <= groups) {
    const auto known = certs::stored_signatures(appliance_.effects.log.ledger(),
                                                signed_groups_ / certs::signatures_per_document);
    if (!known || known->size() != certs::signatures_per_document) return;
    signed_groups_ += certs::signatures_per_document;
  }
}

/// Ends the group: the KEY, who has signed so far, and the present key's last signature over all of
///                 it.
Status LogKeyRotation::announce(const Act& act, NextLogKey next) {
  auto tx = appliance_.begin();
  TALLA_TRY(const auto seq, tx.add({certs::Kind::key, {}, {act.seq}, log_key_body(next.log_key)}));
  LogKeysNow keys = log_keys();
  keys.retired.push_back({seq, keys.present});
  TALLA_TRY(const auto last, appliance_.effects.log.sign_ahead());
  tx.keep();
  appliance_.effects.log.group().documents.push_back(
      {certs::documents::log_keys(), certs::retired_keys_text(keys.retired)});
  signatures_.push_back(last);
  ++signed_groups_;
  stage_signatures();
  announced_ = Announced{.next = std::move(next), .seq = seq};
  return {};
}

void LogKeyRotation::finish(const Act& act, ActStage stage) {
  auto tx = appliance_.begin();
  if (add_step(tx, act, stage)) tx.keep();
  appliance_.metrics.count("talla_log_key_rotations_total{result=\"" +
                           std::string(stage_name(stage)) + "\"}");
}

bool LogKeyRotation::go_on() {
  const auto* act = running_act(appliance_.world(), ActKind::log_key_rotate);
  if (appliance_.failed() || announced_ || act == nullptr) return false;
  if (log_key_body(log_keys().present) ==
      *act->key) {  // the first word under the new key, also after a crash
    finish(*act, ActStage::done);
    return true;
  }
  skip_signed(appliance_.effects.log.prover().groups());
  if (!sign_ends(appliance_.effects.log.prover().groups())) {
    finish(*act, ActStage::failed);
    return true;
  }
  if (signed_groups_ < appliance_.effects.log.prover().groups()) return true;
  await_all_();  // what is on its way has no signature yet, and the KEY comes behind all of it
  if (appliance_.failed()) return false;
  if (signed_groups_ < appliance_.effects.log.prover().groups()) return true;
  auto next = next_log_key();
  if (!next || log_key_body(next->log_key) != *act->key || !announce(*act, std::move(*next)))
    finish(*act, ActStage::failed);
  return true;
}

bool LogKeyRotation::whole() const {
  return !announced_ || announced_->seq < appliance_.effects.log.size() ||
         announced_->seq + 1 == appliance_.effects.log.next_seq();
}

void LogKeyRotation::on_durable(std::uint64_t group) {
  static_cast<void>(group);
  if (!announced_ || announced_->seq >= appliance_.effects.log.size()) return;
  auto rotation = *std::exchange(announced_, std::nullopt);
  if (!appliance_.effects.log.prover().change_key(std::move(rotation.next.signer))) {
    appliance_.fail();
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    keys_.retired.push_back(
        {rotation.seq, std::exchange(keys_.present, std::move(rotation.next.log_key))});
  }
  if (!appliance_.effects.log.post_anchor())
    appliance_.metrics.count("talla_anchor_failures_total");
}

Result<Reply> LogKeyRotation::log_keys_reply() const {
  const auto size = appliance_.effects.log
                        .size();  // before the keys: they say of every smaller size who signed it
  const LogKeysNow now = log_keys();
  TALLA_TRY(const auto keys,
            certs::make_log_keys(appliance_.effects.log.prover(), appliance_.effects.log.ledger(),
                                 now.present, now.retired, size));
  Reply reply;
  reply.body = certs::format_log_keys(keys);
  return reply;
}

}  // namespace talla::core
