#include "chain.hpp"

#include <botan/certstor.h>
#include <botan/data_src.h>
#include <botan/der_enc.h>
#include <botan/ecc_key.h>
#include <botan/oids.h>
#include <botan/pubkey.h>
#include <botan/x509cert.h>
#include <botan/x509path.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>

#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

using namespace std::string_view_literals;  // OIDs with a zero byte in them
using Certificates = std::vector<Botan::X509_Certificate>;
constexpr std::size_t signature_strength_bits_min = 110;

/// OBJECT IDENTIFIER of a curve in DER, and the bytes of a coordinate: P-256, P-384, P-521.
struct Curve {
  std::string_view oid;
  std::size_t coordinate;
};
constexpr std::array<Curve, 3> curves{{{"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"sv, 32},
                                       {"\x06\x05\x2b\x81\x04\x00\x22"sv, 48},
                                       {"\x06\x05\x2b\x81\x04\x00\x23"sv, 66}}};
constexpr std::string_view ec_public_key = "1.2.840.10045.2.1";
/// ECDSA with SHA-256, SHA-384, SHA-512.
constexpr std::array<std::string_view, 3> signatures{"1.2.840.10045.4.3.2", "1.2.840.10045.4.3.3",
                                                     "1.2.840.10045.4.3.4"};
/// Extensions that may be critical: key usage, alternative names, basic constraints, extended key
/// usage.
constexpr std::array<std::string_view, 4> known_extensions{"2.5.29.15", "2.5.29.17", "2.5.29.19",
                                                           "2.5.29.37"};
constexpr std::string_view name_constraints = "2.5.29.30";

bool has_known_key(const Botan::X509_Certificate& certificate) {
  const auto& algorithm = certificate.subject_public_key_algo();
  const auto& point = certificate.subject_public_key_bitstring();
  const auto& parameters = algorithm.get_parameters();
  const std::string_view oid(reinterpret_cast<const char*>(parameters.data()), parameters.size());
  const auto* curve = std::ranges::find(curves, oid, &Curve::oid);
  return algorithm.get_oid().to_string() == ec_public_key && curve != curves.end() &&
         point.size() == 1 + 2 * curve->coordinate && point.front() == 4;
}

/// The form that a certificate has (FORMAT.md section 5). What is not known here may change what it
/// means: it is refused where it is critical, and name constraints always. Empty: nothing is wrong.
std::string_view wrong_form(const Botan::X509_Certificate& certificate) {
  if (certificate.x509_version() != 3) return "is of another version than 3";
  if (!has_known_key(certificate)) return "has a key that is none on P-256, P-384 or P-521";
  const auto& signed_by = certificate.signature_algorithm();
  if (std::ranges::find(signatures, signed_by.get_oid().to_string()) == signatures.end() ||
      !signed_by.get_parameters().empty())
    return "is signed by another algorithm than ECDSA with SHA-256, SHA-384 or SHA-512";
  const auto& extensions = certificate.v3_extensions();
  for (const auto& oid : extensions.get_extension_oids()) {
    if (oid.to_string() == name_constraints) return "has name constraints";
    if (extensions.critical_extension_set(oid) &&
        std::ranges::find(known_extensions, oid.to_string()) == known_extensions.end())
      return "has a critical extension that is not known";
  }
  return {};
}

Result<Certificates> read_roots(std::string_view pem) {
  constexpr std::string_view begin_mark = "-----BEGIN CERTIFICATE-----";
  constexpr std::string_view end_mark = "-----END CERTIFICATE-----";
  Certificates roots;
  try {
    for (std::size_t at = pem.find(begin_mark); at != std::string_view::npos;
         at = pem.find(begin_mark, at + 1)) {
      const std::size_t end = pem.find(end_mark, at);
      if (end == std::string_view::npos)
        return fail(VerifyErrc::bad_root_file, "trusted roots: cut short");
      Botan::DataSource_Memory source(std::string(pem.substr(at, end + end_mark.size() - at)) +
                                      "\n");
      roots.emplace_back(source);
    }
  } catch (const std::exception& error) {
    return fail(VerifyErrc::bad_root_file, std::string("trusted roots: ") + error.what());
  }
  if (roots.empty())
    return fail(VerifyErrc::bad_root_file, "trusted roots: no certificate in the file");
  for (const auto& root : roots) {
    if (const auto why = wrong_form(root); !why.empty())
      return fail(VerifyErrc::bad_root_file, "trusted roots: one " + std::string(why));
  }
  return roots;
}

bool is_development(const Botan::X509_Certificate& certificate) {
  const auto units = certificate.subject_info("X520.OrganizationalUnit");
  return std::find(units.begin(), units.end(), "development") != units.end();
}

bool names_uri(const Botan::X509_Certificate& certificate, const std::string& uri) {
  const auto uris = certificate.subject_alt_name().get_attribute("URI");
  return std::find(uris.begin(), uris.end(), uri) != uris.end();
}

bool is_p256(const Botan::Public_Key& key) {
  const auto* ecc = dynamic_cast<const Botan::EC_PublicKey*>(&key);
  return ecc != nullptr && key.algo_name() == "ECDSA" &&
         ecc->domain().get_curve_oid() == Botan::OID::from_string("secp256r1");
}

/// Its key signs texts and nothing else (FORMAT.md section 5): no authority, a key usage with
/// digitalSignature and without keyCertSign and cRLSign, no extended key usage.
bool signs_alone(const Botan::X509_Certificate& certificate) {
  const auto usage = static_cast<unsigned>(certificate.constraints());
  const unsigned others = Botan::KEY_CERT_SIGN | Botan::CRL_SIGN;
  return !certificate.is_CA_cert() && (usage & Botan::DIGITAL_SIGNATURE) != 0 &&
         (usage & others) == 0 && certificate.extended_key_usage().empty();
}

/// Whether it may issue: an authority whose key usage names keyCertSign.
bool may_issue(const Botan::X509_Certificate& certificate) {
  const auto usage = static_cast<unsigned>(certificate.constraints());
  return certificate.is_CA_cert() && (usage & Botan::KEY_CERT_SIGN) != 0;
}

/// SHA-256 of its SubjectPublicKeyInfo, of which Botan keeps the inside alone.
Digest spki_of(const Botan::X509_Certificate& certificate) {
  std::vector<std::uint8_t> info;
  Botan::DER_Encoder(info)
      .start_cons(Botan::SEQUENCE)
      .raw_bytes(certificate.subject_public_key_bits())
      .end_cons();
  return BotanHashes().sha256({info});
}

/// The path must be exactly the chain as given, then one trusted root.
Status check_path(const Certificates& chain, const Certificates& roots, std::int64_t time_us) {
  Botan::Certificate_Store_In_Memory store;
  for (const auto& root : roots) store.add_certificate(root);
  const Botan::Path_Validation_Restrictions restrictions(
      false, signature_strength_bits_min, false,
      std::set<std::string>{"SHA-256", "SHA-384", "SHA-512"});
  const std::chrono::time_point<std::chrono::system_clock> at{std::chrono::microseconds(time_us)};
  const auto result =
      Botan::x509_path_validate(chain, restrictions, std::vector<Botan::Certificate_Store*>{&store},
                                "", Botan::Usage_Type::UNSPECIFIED, at);
  if (!result.successful_validation()) {
    return fail(VerifyErrc::untrusted_chain, "certificates: " + result.result_string());
  }
  const auto& path = result.cert_path();
  bool as_given = path.size() == chain.size() + 1;
  for (std::size_t i = 0; as_given && i < chain.size(); ++i) as_given = *path[i] == chain[i];
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (!may_issue(*path[i]))
      return fail(VerifyErrc::untrusted_chain,
                  "certificates: an issuer on the path is no certificate authority");
  }
  if (!as_given)
    return fail(VerifyErrc::untrusted_chain,
                "certificates: the chain is not in order, or has others");
  return {};
}

}  // namespace

Result<Signer> verify_signer(const SignedText& text, std::string_view roots_pem,
                             std::int64_t time_us) {
  TALLA_TRY(const Certificates roots, read_roots(roots_pem));
  const auto at_fault = [&](SignerFault fault) {
    if (text.fault != nullptr) *text.fault = fault;
  };
  const auto wrong = [&](SignerFault fault, const char* why) {
    at_fault(fault);
    return fail(VerifyErrc::wrong_statement, text.what + ": " + why);
  };
  at_fault(SignerFault::chain);
  try {
    Certificates chain;
    for (const Bytes& der : text.chain) {
      chain.emplace_back(der);
      // One encoding per certificate: no bytes behind it.
      if (chain.back().BER_encode() != der) {
        return fail(VerifyErrc::untrusted_chain, "certificates: not exactly one DER certificate");
      }
      if (const auto why = wrong_form(chain.back()); !why.empty())
        return fail(VerifyErrc::certificate_form, "certificates: one " + std::string(why));
    }
    TALLA_TRY_STATUS(check_path(chain, roots, time_us));
    const Botan::X509_Certificate& signer = chain.front();
    if (!names_uri(signer, text.uri))
      return wrong(SignerFault::name,
                   "the certificate names another log, or is for something else");
    if (!signs_alone(signer))
      return wrong(SignerFault::usage, "the certificate's key is not for signatures alone");
    const auto key = signer.load_subject_public_key();
    if (!is_p256(*key)) return wrong(SignerFault::usage, "the certificate's key is not P-256");
    const auto form = text.form == SignatureForm::der ? Botan::DER_SEQUENCE : Botan::IEEE_1363;
    Botan::PK_Verifier verifier(*key, "EMSA1(SHA-256)", form);
    if (!verifier.verify_message(text.message, text.signature))
      return wrong(SignerFault::signature, "the statement's signature is wrong");
    return Signer{.development = is_development(signer),
                  .any_development = std::any_of(chain.begin(), chain.end(), is_development) ||
                                     std::any_of(roots.begin(), roots.end(), is_development),
                  .spki = spki_of(signer)};
  } catch (const std::exception& error) {
    return fail(VerifyErrc::untrusted_chain, std::string("certificates: ") + error.what());
  }
}

Result<bool> share_a_root(std::string_view one_pem, std::string_view other_pem) {
  if (one_pem.empty() || other_pem.empty()) return false;
  TALLA_TRY(const Certificates one, read_roots(one_pem));
  TALLA_TRY(const Certificates other, read_roots(other_pem));
  return std::any_of(one.begin(), one.end(), [&](const auto& root) {
    return std::find(other.begin(), other.end(), root) != other.end();
  });
}

Result<TrustedKey> verify_log_key(const LogKey& log_key, std::string_view roots_pem,
                                  std::int64_t time_us) {
  TrustedKey trusted;
  TALLA_TRY(trusted.statement, parse_statement(log_key.statement));
  const SignedText text{.chain = log_key.chain,
                        .signature = log_key.signature,
                        .message = log_key_message(log_key.statement),
                        .uri = "talla:log:" + trusted.statement.origin,
                        .what = "log key"};
  TALLA_TRY(const Signer signer, verify_signer(text, roots_pem, time_us));
  if (signer.development != trusted.statement.development)
    return fail(VerifyErrc::wrong_statement, "log key: development mark and certificate disagree");
  trusted.development = signer.any_development;
  return trusted;
}

}  // namespace talla::certs
