#include "pki.hpp"

#include <botan/ecdsa.h>
#include <botan/ed25519.h>
#include <botan/hmac_drbg.h>
#include <botan/mac.h>
#include <botan/pkcs8.h>
#include <botan/pubkey.h>
#include <botan/x509_ca.h>
#include <botan/x509self.h>

#include <chrono>

namespace talla::certs::test {
namespace {
Botan::X509_Time time_of(std::int64_t us) {
  return Botan::X509_Time(
      std::chrono::time_point<std::chrono::system_clock>(std::chrono::microseconds(us)));
}
}  // namespace

struct Pki::State {
  explicit State(PkiOptions given)
      : options(std::move(given)),
        rng(Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-256)")),
        later(Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-256)")) {
    seeded(rng, options.seed);
    seeded(later, options.seed + ", later");
    const Botan::EC_Group group("secp256r1");
    root_key = std::make_unique<Botan::ECDSA_PrivateKey>(rng, group);
    Botan::X509_Cert_Options root_options("Talla test root/ES/Talla/" + unit(options));
    root_options.CA_key(1);
    root_options.start = time_of(options.not_before_us);
    root_options.end = time_of(options.not_after_us);
    const auto root = Botan::X509::create_self_signed_cert(root_options, *root_key, "SHA-256", rng);
    roots_pem = root.PEM_encode();
    root_certificate = std::make_unique<Botan::X509_Certificate>(root);

    log_certificate_key = std::make_unique<Botan::ECDSA_PrivateKey>(rng, group);
    Botan::X509_Cert_Options log_options("Talla test log/ES/Talla/" + unit(options));
    log_options.uri = options.uri;
    if (options.use == CertificateUse::authority) log_options.CA_key(0);
    if (options.use != CertificateUse::authority && options.use != CertificateUse::unsaid)
      log_options.add_constraints(Botan::Key_Constraints(Botan::DIGITAL_SIGNATURE));
    if (options.use == CertificateUse::server) log_options.add_ex_constraint("PKIX.ServerAuth");
    const auto request =
        Botan::X509::create_cert_req(log_options, *log_certificate_key, "SHA-256", rng);
    authority = std::make_unique<Botan::X509_CA>(root, *root_key, "SHA-256", rng);
    const auto certificate = authority->sign_request(request, rng, time_of(options.not_before_us),
                                                     time_of(options.not_after_us));

    log_private = std::make_unique<Botan::Ed25519_PrivateKey>(rng);
    log_statement = {options.origin, public_of(*log_private), options.development_statement};
    log_key = stated(log_statement, rng);
    log_key.chain = {certificate.BER_encode()};
    make_table_key(rng);
  }
  [[nodiscard]] static Digest public_of(const Botan::Ed25519_PrivateKey& key) {
    const auto& raw = key.get_public_key();
    Digest out{};
    std::copy(raw.begin(), raw.end(), out.begin());
    return out;
  }
  [[nodiscard]] LogKey stated(const LogKeyStatement& statement, Botan::RandomNumberGenerator& by) {
    LogKey out{.statement = format_statement(statement), .signature = {}, .chain = log_key.chain};
    Botan::PK_Signer signer(*log_certificate_key, by, "EMSA1(SHA-256)", Botan::DER_SEQUENCE);
    out.signature = signer.sign_message(log_key_message(out.statement), by);
    return out;
  }
  void make_table_key(Botan::RandomNumberGenerator& by) {
    table_key = std::make_unique<Botan::ECDSA_PrivateKey>(by, Botan::EC_Group("secp256r1"));
    const auto spki = table_key->subject_public_key();
    table_spki.assign(spki.begin(), spki.end());
    Botan::X509_Cert_Options table_options("Talla test table/ES/Talla/" + unit(options));
    table_options.uri = "urn:talla:table-1";
    table_options.add_constraints(Botan::Key_Constraints(Botan::DIGITAL_SIGNATURE));
    table_options.add_ex_constraint("PKIX.ClientAuth");
    const auto asked = Botan::X509::create_cert_req(table_options, *table_key, "SHA-256", by);
    table_chain = {
        authority
            ->sign_request(asked, by, time_of(options.not_before_us), time_of(options.not_after_us))
            .BER_encode()};
  }
  static std::string unit(const PkiOptions& options) {
    return options.development_certificate ? "development" : "production";
  }

  static void seeded(Botan::HMAC_DRBG& one, std::string seed) {
    seed.resize(64, '.');
    one.initialize_with(as_bytes(seed).data(), seed.size());
  }

  PkiOptions options;
  Botan::HMAC_DRBG rng;
  Botan::HMAC_DRBG later;  // of keys that come behind these
  std::unique_ptr<Botan::ECDSA_PrivateKey> root_key;
  std::unique_ptr<Botan::X509_Certificate> root_certificate;
  std::string roots_pem;
  std::unique_ptr<Botan::X509_CA> authority;
  std::unique_ptr<Botan::ECDSA_PrivateKey> log_certificate_key;
  std::unique_ptr<Botan::Ed25519_PrivateKey> log_private;
  LogKeyStatement log_statement;
  LogKey log_key;
  std::unique_ptr<Botan::Ed25519_PrivateKey> next_private;
  LogKeyStatement next_statement;
  LogKey next_key;
  std::unique_ptr<Botan::ECDSA_PrivateKey> table_key;
  Bytes table_spki;
  std::vector<Bytes> table_chain;
};

Pki::Pki(const PkiOptions& options) : state_(std::make_unique<State>(options)) {}
Pki::~Pki() = default;
const std::string& Pki::roots_pem() const {
  return state_->roots_pem;
}
const LogKey& Pki::log_key() const {
  return state_->log_key;
}
const LogKey& Pki::next_log_key() {
  State& state = *state_;
  if (state.next_private) return state.next_key;
  state.next_private = std::make_unique<Botan::Ed25519_PrivateKey>(state.later);
  state.next_statement = state.log_statement;
  state.next_statement.public_key = State::public_of(*state.next_private);
  state.next_statement.previous = state.log_statement.public_key;
  state.next_key = state.stated(state.next_statement, state.later);
  return state.next_key;
}
void Pki::change_log_key() {
  static_cast<void>(next_log_key());
  state_->log_private = std::move(state_->next_private);
  state_->log_statement = state_->next_statement;
  state_->log_key = state_->next_key;
}
void Pki::renew_table_key() {
  state_->make_table_key(state_->later);
}
Digest Pki::public_key() const {
  return state_->log_statement.public_key;
}

LogEnd Pki::end_log(const LogEndStatement& statement, const EndSigner& by) {
  auto& rng = state_->rng;
  const Botan::ECDSA_PrivateKey key(rng, Botan::EC_Group("secp256r1"));
  Botan::X509_Cert_Options options(std::string("Talla test end/ES/Talla/") +
                                   (by.development ? "development" : "production"));
  options.add_constraints(Botan::Key_Constraints(Botan::DIGITAL_SIGNATURE));
  options.uri = by.uri.empty() ? "talla:log-end:" + statement.origin : by.uri;
  const auto request = Botan::X509::create_cert_req(options, key, "SHA-256", rng);
  const Botan::X509_CA authority(*state_->root_certificate, *state_->root_key, "SHA-256", rng);
  const auto certificate =
      authority.sign_request(request, rng, time_of(by.not_before_us), time_of(by.not_after_us));
  LogEnd end{.statement = format_end_statement(statement),
             .signature = {},
             .chain = {certificate.BER_encode()}};
  Botan::PK_Signer signer(key, rng, "EMSA1(SHA-256)", Botan::DER_SEQUENCE);
  end.signature = signer.sign_message(log_end_message(end.statement), rng);
  return end;
}

const Bytes& Pki::table_spki() const {
  return state_->table_spki;
}
const std::vector<Bytes>& Pki::table_chain() const {
  return state_->table_chain;
}
std::string Pki::table_key_pem() const {
  return Botan::PKCS8::PEM_encode(*state_->table_key);
}
SignatureP256 Pki::sign_call(std::string_view core) {
  Botan::PK_Signer signer(*state_->table_key, state_->rng, "EMSA1(SHA-256)", Botan::IEEE_1363);
  const auto bytes = signer.sign_message(call_statement(core), state_->rng);
  SignatureP256 signature{};
  std::copy(bytes.begin(), bytes.end(), signature.begin());
  return signature;
}

Result<Signature64> Pki::sign(ByteView message) {
  Botan::PK_Signer signer(*state_->log_private, state_->rng, "Pure");
  const auto bytes = signer.sign_message(message.data(), message.size(), state_->rng);
  Signature64 signature{};
  std::copy(bytes.begin(), bytes.end(), signature.begin());
  return signature;
}

}  // namespace talla::certs::test
