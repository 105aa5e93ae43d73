// A witness as the outer anchor of a simulated appliance.
#include "witness_side.hpp"

#include <array>
#include <filesystem>

#include "certs/keys.hpp"
#include "certs/prover.hpp"
#include "certs/signer.hpp"
#include "failure.hpp"
#include "format/checkpoint.hpp"
#include "format/submission.hpp"
#include "rig.hpp"

namespace talla::sim {
namespace {

constexpr const char* witness_name = "witness.test/simulated";
constexpr int requests_most = 3;

template <class T>
T held(Result<T> made, const char* what) {
  require(made.has_value(), [&] { return std::string(what) + ": " + made.error().text(); });
  return std::move(*made);
}

}  // namespace

SimWitness::SimWitness(std::string folder, const std::string& log_keys)
    : folder_(std::move(folder)),
      log_signer_(held(certs::load_log_signer(log_keys + "/log.key"), "the log's key")) {
  std::array<std::uint8_t, 32> key{};
  key.fill(7);
  signer_ = held(certs::make_log_signer(key), "the witness's key");
  std::filesystem::create_directory(folder_);
  const auto own = certs::make_verifier_key(hashes_, witness_name, certs::KeyType::witness,
                                            signer_->public_key());
  require(certs::Witness::create_state(hashes_, folder_ + "/state", own).has_value(),
          "no state for a witness");
  restart();
}

void SimWitness::restart() {
  witness_.reset();
  const std::string origin = core::test::rig_origin;
  const auto log_key =
      certs::make_verifier_key(hashes_, origin, certs::KeyType::log, log_signer_->public_key());
  witness_ = held(certs::Witness::open({.hashes = hashes_,
                                        .verifier = verifier_,
                                        .signer = *signer_,
                                        .clock = clock_,
                                        .say = {}},
                                       {.name = witness_name,
                                        .state_path = folder_ + "/state",
                                        .conflicts_folder = folder_,
                                        .logs = {{.origin = origin, .keys = {log_key}}}}),
                  "the witness");
}

Status SimWitness::push() {
  if (away) {
    ++failures_;
    return fail(certs::Errc::anchor_unreachable, "the witness is away");
  }
  const auto size = prover_->size();
  TALLA_TRY(const auto note, prover_->checkpoint(size));
  auto old_size = cosigned_;
  for (int i = 0; i < requests_most; ++i) {
    if (old_size > size) return fail(certs::Errc::ledger_shorter, "the witness has seen more");
    certs::Submission submission{.old_size = old_size, .proof = {}, .note = note};
    if (old_size > 0) {
      TALLA_TRY(submission.proof, prover_->consistency(old_size, size));
    }
    const auto reply = witness_->add_checkpoint(certs::format_submission(submission));
    if (reply.status == 200) {
      cosigned_ = size;
      return {};
    }
    if (reply.status == 422) return fail(certs::Errc::ledger_different, reply.body);
    require(reply.status == 409, [&] { return "a witness says " + reply.body; });
    old_size = std::stoull(reply.body);
  }
  return fail(certs::Errc::anchor_unreachable, "its size changes with every request");
}

Result<std::uint64_t> SimWitness::compare(certs::Prover& prover, const Terms& /*terms*/) {
  prover_ = &prover;
  if (prover.size() == 0) return 0;
  TALLA_TRY_STATUS(push());
  return 0;
}

Status SimWitness::write(const certs::AnchorState& state) {
  return state.size == 0 ? Status() : push();
}

void SimWitness::post(const certs::AnchorState& state) {
  static_cast<void>(write(state));
}

bool SimWitness::offer_second_history() {
  if (cosigned_ == 0) return false;
  const auto root = held(prover_->root(cosigned_), "a root");
  Digest other = root;
  other.back() ^= 1U;
  certs::Checkpoint lie{.origin = core::test::rig_origin, .size = cosigned_ + 1, .root = other};
  if (cosigned_ % 2 == 0) lie.size = cosigned_;  // or the size that it knows, with another root
  const auto note = held(certs::sign_checkpoint(hashes_, lie, *log_signer_), "a lie");
  const auto reply = witness_->add_checkpoint(
      certs::format_submission({.old_size = cosigned_, .proof = {}, .note = note}));
  require(reply.status != 200, "a witness has cosigned a second history");
  return true;
}

}  // namespace talla::sim
