/// \file
/// A witness as the outer anchor of a simulated appliance: the product's own one with its state
/// file, asked without a network. It is away now and then, dies and comes back, and is offered
/// second histories that the log's own key has signed.
/// Threads: one.
#pragma once

#include <memory>
#include <string>

#include "base/clock.hpp"
#include "certs/anchor.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/witness.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::sim {

class SimWitness final : public certs::OuterAnchor {
 public:
  /// Its state lies in that folder, which outlives it. `log_keys`: folder of log.key.
  SimWitness(std::string folder, const std::string& log_keys);

  [[nodiscard]] std::string_view kind() const override { return "witness"; }
  [[nodiscard]] Result<std::uint64_t> compare(certs::Prover& prover, const Terms& terms) override;
  [[nodiscard]] Status write(const certs::AnchorState& state) override;
  void post(const certs::AnchorState& state) override;
  [[nodiscard]] std::uint64_t written_size() const override { return cosigned_; }
  [[nodiscard]] std::uint64_t failures() const override { return failures_; }

  /// It dies and comes back.
  void restart();
  /// A checkpoint of the same log with another root, signed by its key. Throws Failure when that is
  /// cosigned. False: nothing was cosigned before, and nothing is offered.
  bool offer_second_history();
  /// Nobody reaches it.
  bool away = false;

 private:
  [[nodiscard]] Status push();

  std::string folder_;
  certs::OpensslHashes hashes_;
  certs::BotanEd25519 verifier_;
  std::unique_ptr<certs::Ed25519Signer> log_signer_;
  std::unique_ptr<certs::Ed25519Signer> signer_;
  ManualClock clock_;
  std::unique_ptr<certs::Witness> witness_;
  certs::Prover* prover_ = nullptr;
  std::uint64_t cosigned_ = 0;  // records
  std::uint64_t failures_ = 0;
};

}  // namespace talla::sim
