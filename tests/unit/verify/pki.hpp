/// \file
/// A root, a log certificate and a log key made by Botan from a fixed seed, for evidence in tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "format/call.hpp"
#include "format/checkpoint.hpp"
#include "format/log_end.hpp"
#include "format/log_key.hpp"

namespace talla::certs::test {

/// 2026-01-01T00:00:00Z, when the logs of these tests begin.
inline constexpr std::int64_t epoch_us = 1'767'225'600'000'000;

/// What the log's certificate says that its key is for.
enum class CertificateUse : std::uint8_t { signatures, authority, unsaid, server };

struct PkiOptions {
  std::string seed = "talla";
  std::string origin = "casino.example/talla-1";
  std::string uri = "talla:log:casino.example/talla-1";  ///< of the certificate
  bool development_certificate = true;
  bool development_statement = true;
  std::int64_t not_before_us = epoch_us - 86'400'000'000;
  std::int64_t not_after_us = epoch_us + std::int64_t{365} * 86'400'000'000;
  CertificateUse use = CertificateUse::signatures;
};

class Pki final : public Ed25519Signer {
 public:
  explicit Pki(const PkiOptions& options = {});
  ~Pki() override;
  [[nodiscard]] const std::string& roots_pem() const;
  [[nodiscard]] const LogKey& log_key() const;
  /// The log's next key, whose statement names the present one as the one before: made once.
  [[nodiscard]] const LogKey& next_log_key();
  /// From now on the next one signs, and `log_key` is its statement.
  void change_log_key();
  /// From now on the tables' key is another one, with a certificate of its own.
  void renew_table_key();
  /// Who signs the end of a log: by default a certificate of the root for exactly that.
  struct EndSigner {
    std::string uri{};  ///< empty: talla:log-end:<origin>
    bool development = false;
    std::int64_t not_before_us = epoch_us - 86'400'000'000;
    std::int64_t not_after_us = epoch_us + std::int64_t{365} * 86'400'000'000;
  };
  [[nodiscard]] LogEnd end_log(const LogEndStatement& statement, const EndSigner& by);
  [[nodiscard]] Digest public_key() const override;
  [[nodiscard]] Result<Signature64> sign(ByteView message) override;
  /// The key of the tables of these stories, its certificate of this root, and what it signs.
  [[nodiscard]] const Bytes& table_spki() const;
  [[nodiscard]] const std::vector<Bytes>& table_chain() const;
  [[nodiscard]] SignatureP256 sign_call(std::string_view core);
  /// PKCS#8 PEM: for whoever tells these stories otherwise.
  [[nodiscard]] std::string table_key_pem() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace talla::certs::test
