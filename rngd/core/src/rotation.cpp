// Rotation of the log key by two persons: announced in the log under the present key, then the next one signs.
#include "acts.hpp"
#include "certs/bundle_maker.hpp"
#include "certs/next_log_key.hpp"
#include "core.hpp"
#include "people.hpp"

namespace talla::core {
namespace {

/// Ends of groups that are signed before the clock is looked at, and how long one turn may take over them.
constexpr std::uint64_t groups_at_once = 16;
constexpr std::int64_t turn_ns = 20'000'000;

}  // namespace

Service::Core::LogKeysNow Service::Core::log_keys() const {
  const std::scoped_lock lock(log_keys_mutex_);
  return log_keys_;
}

Result<NextLogKey> Service::Core::next_log_key() const {
  if (!effects_.next_log_key)
    return fail(Errc::wrong_state, "no next log key is configured (keys.next_log_key)");
  auto next = effects_.next_log_key();
  if (!next) return fail(Errc::wrong_state, "keys.next_log_key: " + next.error().text());
  const Status follows =
      certs::log_key_follows(log_keys().present, next->log_key, settings_.profile == "production");
  if (!follows) return fail(Errc::wrong_state, "keys.next_log_statement: " + follows.error().detail);
  return next;
}

/// Goes on with the ends of committed groups, a document at most.
Status Service::Core::sign_ends(std::uint64_t groups) {
  const auto begin_ns = effects_.clock.monotonic_ns();
  const std::uint64_t end = std::min(
      groups, (signed_groups_ / certs::signatures_per_document + 1) * certs::signatures_per_document);
  while (signed_groups_ < end && effects_.clock.monotonic_ns() - begin_ns < turn_ns) {
    const auto to = std::min(end, signed_groups_ + groups_at_once);
    TALLA_TRY(const auto some, effects_.log.prover().signatures(signed_groups_, to));
    signatures_.insert(signatures_.end(), some.begin(), some.end());
    signed_groups_ = to;
  }
  if (signatures_.size() == certs::signatures_per_document) stage_signatures();
  return {};
}

/// The document that the signatures at hand belong to.
void Service::Core::stage_signatures() {
  const auto page = (signed_groups_ - 1) / certs::signatures_per_document;
  effects_.log.group().drafts.push_back(
      {certs::signatures_document(page), certs::signatures_text(signatures_)});
  if (signatures_.size() == certs::signatures_per_document) signatures_.clear();
}

/// Whole documents that the ledger has already, of an earlier rotation or before a restart.
void Service::Core::skip_signed(std::uint64_t groups) {
  while (signatures_.empty() && signed_groups_ + certs::signatures_per_document <= groups) {
    const auto known =
        certs::stored_signatures(effects_.log.ledger(), signed_groups_ / certs::signatures_per_document);
    if (!known || known->size() != certs::signatures_per_document) return;
    signed_groups_ += certs::signatures_per_document;
  }
}

/// Ends the group: the KEY, who has signed so far, and the present key's last signature over all of it.
Status Service::Core::announce(const Act& act, NextLogKey next) {
  Transaction tx(tx_effects(), world_, {});
  TALLA_TRY(const auto seq, tx.add({certs::Kind::key, {}, {act.seq}, log_key_body(next.log_key)}));
  LogKeysNow keys = log_keys();
  keys.retired.push_back({seq, keys.present});
  TALLA_TRY(const auto last, effects_.log.sign_ahead());
  tx.keep();
  effects_.log.group().drafts.push_back({certs::log_keys_document, certs::retired_keys_text(keys.retired)});
  signatures_.push_back(last);
  ++signed_groups_;
  stage_signatures();
  rotation_ = Rotation{.next = std::move(next), .announced = seq};
  return {};
}

void Service::Core::end_rotation(const Act& act, ActStage stage) {
  Transaction tx(tx_effects(), world_, {});
  if (add_step(tx, act, stage)) tx.keep();
  count("talla_log_key_rotations_total{result=\"" + std::string(stage_name(stage)) + "\"}");
}

bool Service::Core::prepare_rotation() {
  const auto* act = running(ActKind::log_key_rotate);
  if (failed_ || rotation_ || act == nullptr) return false;
  if (log_key_body(log_keys().present) ==
      *act->key) {  // the first word under the new key, also after a crash
    end_rotation(*act, ActStage::done);
    return true;
  }
  skip_signed(effects_.log.prover().groups());
  if (!sign_ends(effects_.log.prover().groups())) {
    end_rotation(*act, ActStage::failed);
    return true;
  }
  if (signed_groups_ < effects_.log.prover().groups()) return true;
  await_all();  // what is on its way has no signature yet, and the KEY comes behind all of it
  if (failed_) return false;
  if (signed_groups_ < effects_.log.prover().groups()) return true;
  auto next = next_log_key();
  if (!next || log_key_body(next->log_key) != *act->key || !announce(*act, std::move(*next)))
    end_rotation(*act, ActStage::failed);
  return true;
}

bool Service::Core::rotation_whole() const {
  return !rotation_ || rotation_->announced < effects_.log.size() ||
         rotation_->announced + 1 == effects_.log.next_seq();
}

void Service::Core::finish_rotation() {
  if (!rotation_ || rotation_->announced >= effects_.log.size()) return;
  auto rotation = *std::exchange(rotation_, std::nullopt);
  if (!effects_.log.prover().change_key(std::move(rotation.next.signer))) {
    failed_ = true;
    return;
  }
  {
    const std::scoped_lock lock(log_keys_mutex_);
    log_keys_.retired.push_back(
        {rotation.announced, std::exchange(log_keys_.present, std::move(rotation.next.log_key))});
  }
  if (!effects_.log.post_anchor()) count("talla_anchor_failures_total");
}

Result<Reply> Service::Core::log_keys_reply() {
  const auto size = effects_.log.size();  // before the keys: they say of every smaller size who signed it
  const LogKeysNow now = log_keys();
  TALLA_TRY(const auto keys, certs::make_log_keys(effects_.log.prover(), effects_.log.ledger(), now.present,
                                                  now.retired, size));
  Reply reply;
  reply.body = certs::format_log_keys(keys);
  return reply;
}

}  // namespace talla::core
