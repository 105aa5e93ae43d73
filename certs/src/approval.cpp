#include "certs/approval.hpp"

#include <openssl/x509_vfy.h>

#include <ctime>

#include "base/json.hpp"
#include "certificates.hpp"
#include "certs/files.hpp"
#include "format/bounds.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

using namespace std::string_view_literals;
constexpr std::string_view approval_domain = "talla/v2/restore-approval\0"sv;

using StoreHandle = std::unique_ptr<X509_STORE, Freed<X509_STORE_free>>;
using StoreContext = std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>>;
struct FreeStack {
  void operator()(STACK_OF(X509) * stack) const noexcept { sk_X509_pop_free(stack, X509_free); }
};
using StackHandle = std::unique_ptr<STACK_OF(X509), FreeStack>;

tl::unexpected<Error> approval_refused(std::string why) {
  return fail(ApprovalErrc::approval_refused, std::move(why));
}

Bytes message_of(std::string_view statement) {
  ByteWriter out;
  out.raw(approval_domain).raw(statement);
  return out.take();
}

json::Value terms_json(const RestoreTerms& terms) {
  json::Value value;
  value["v"] = 1;
  value["type"] = "talla-restore-approval";
  value["successor"] = terms.successor;
  value["origin"] = terms.origin;
  value["size"] = terms.size;
  value["root"] = to_hex(terms.root);
  value["older"] = terms.older;
  value["lost"] = terms.lost;
  return value;
}

/// The one URI of a client certificate.
Result<std::string> id_of(X509& certificate) {
  const NamesHandle names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::string id;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_URI) continue;
    if (!id.empty()) return approval_refused("the certificate names more than one person");
    const ASN1_IA5STRING* uri =
        name->d.uniformResourceIdentifier;  // NOLINT(*-union-access): `type` says which
    id.assign(reinterpret_cast<const char*>(ASN1_STRING_get0_data(uri)),
              static_cast<std::size_t>(ASN1_STRING_length(uri)));
  }
  if (id.empty()) return approval_refused("the certificate names nobody");
  return id;
}

Result<StackHandle> parse_chain(const json::Array& chain) {
  if (!chain_certificates.holds_count(chain.size()))
    return approval_refused(bounds_text(chain_certificates) + " certificates are expected");
  StackHandle stack(sk_X509_new_null());
  for (const json::Value& one : chain) {
    const auto der =
        one.is_string() ? from_base64(one.string()) : Result<Bytes>(approval_refused("chain"));
    if (!der) return approval_refused("chain: no certificate");
    const unsigned char* at = der->data();
    CertificateHandle certificate(d2i_X509(nullptr, &at, static_cast<long>(der->size())));
    if (!certificate || at != der->data() + der->size())
      return approval_refused("chain: no certificate");
    if (sk_X509_push(stack.get(), certificate.get()) == 0) return crypto_fail("chain");
    static_cast<void>(certificate.release());
  }
  return stack;
}

/// RFC 5280 section 6, for a client certificate, at the time it is used.
Status check_chain(STACK_OF(X509) & chain, const ApprovalTrust& trust, std::int64_t now_us) {
  const StoreHandle store(X509_STORE_new());
  if (!store || X509_STORE_load_file(store.get(), trust.roots.c_str()) != 1)
    return approval_refused(trust.roots + ": no root certificates");
  unsigned long flags = X509_V_FLAG_X509_STRICT;
  if (!trust.revoked.empty()) {
    X509_LOOKUP* lookup = X509_STORE_add_lookup(store.get(), X509_LOOKUP_file());
    if (lookup == nullptr ||
        X509_load_crl_file(lookup, trust.revoked.c_str(), X509_FILETYPE_PEM) < 1)
      return approval_refused(trust.revoked + ": no list of revoked certificates");
    flags |= X509_V_FLAG_CRL_CHECK;
  }
  const StoreContext context(X509_STORE_CTX_new());
  if (!context ||
      X509_STORE_CTX_init(context.get(), store.get(), sk_X509_value(&chain, 0), &chain) != 1)
    return crypto_fail("chain");
  X509_VERIFY_PARAM* terms = X509_STORE_CTX_get0_param(context.get());
  static_cast<void>(X509_VERIFY_PARAM_set_flags(terms, flags));
  X509_VERIFY_PARAM_set_time(terms, static_cast<std::time_t>(now_us / 1'000'000));
  static_cast<void>(X509_VERIFY_PARAM_set_purpose(terms, X509_PURPOSE_SSL_CLIENT));
  if (X509_verify_cert(context.get()) == 1) return {};
  const int error = X509_STORE_CTX_get_error(context.get());
  if (error == X509_V_ERR_CRL_HAS_EXPIRED)
    return approval_refused("the list of revoked certificates is past its due date");
  return approval_refused(std::string("certificate: ") + X509_verify_cert_error_string(error));
}

Status check_approval_signature(X509& certificate, std::string_view statement,
                                const Bytes& signature) {
  EVP_PKEY* key = X509_get0_pubkey(&certificate);
  const Bytes message = message_of(statement);
  const DigestContext context(EVP_MD_CTX_new());
  const bool good = key != nullptr && EVP_PKEY_get_base_id(key) == EVP_PKEY_EC && context &&
                    EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
                    EVP_DigestVerify(context.get(), signature.data(), signature.size(),
                                     message.data(), message.size()) == 1;
  if (!good) return approval_refused("it is not signed by the key of its certificate");
  return {};
}

/// The terms, the person and the time; nothing else.
Result<std::int64_t> check_statement(std::string_view statement, const RestoreTerms& terms,
                                     const std::string& id, std::int64_t now_us) {
  TALLA_TRY(const json::Value value, json::parse_canonical(statement));
  const json::Value* person = value.find("person");
  const json::Value* time = value.find("time");
  if (person == nullptr || time == nullptr || !time->is_integer())
    return approval_refused("no person or time");
  json::Value wanted = terms_json(terms);
  wanted["person"] = id;
  wanted["time"] = time->integer();
  if (!(wanted == value))
    return approval_refused("it is for another backup, another log, or on other terms");
  const std::int64_t age = now_us - time->integer();
  if (age > approval_lifetime_us || age < -approval_lifetime_us)
    return approval_refused("it is older than a day");
  return time->integer();
}

}  // namespace

std::string_view errc_name(ApprovalErrc errc) {
  return errc == ApprovalErrc::approval_refused ? "approval_refused" : "unknown";
}

Result<std::string> make_approval(const RestoreTerms& terms, const std::string& certificate_path,
                                  const std::string& key_path, std::int64_t now_us) {
  TALLA_TRY(const std::string pem, read_file(certificate_path));
  TALLA_TRY(const CertificateHandle certificate, parse_certificate(pem, certificate_path));
  TALLA_TRY(const PkeyHandle key, load_private_key(key_path));
  TALLA_TRY(const std::string id, id_of(*certificate));
  json::Value statement = terms_json(terms);
  statement["person"] = id;
  statement["time"] = now_us;
  const std::string text = json::canonical(statement);
  TALLA_TRY(const Bytes signature, sign_ecdsa(*key, message_of(text)));
  TALLA_TRY_STATUS(check_approval_signature(*certificate, text, signature));
  TALLA_TRY(const Bytes der, certificate_der(*certificate));
  json::Value out;
  out["statement"] = text;
  out["signature"] = to_base64(signature);
  out["chain"] = json::Array{to_base64(der)};
  return json::canonical(out);
}

Result<Approver> check_approval(std::string_view text, const RestoreTerms& terms,
                                const ApprovalTrust& trust, std::int64_t now_us) {
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  json::Reader in(value, "approval");
  TALLA_TRY(const std::string statement, in.string("statement"));
  TALLA_TRY(const std::string signature_text, in.string("signature"));
  TALLA_TRY(const json::Array* chain_text, in.array("chain"));
  TALLA_TRY_STATUS(in.finish());
  TALLA_TRY(const Bytes signature, from_base64(signature_text));
  TALLA_TRY(const StackHandle chain, parse_chain(*chain_text));
  X509& certificate = *sk_X509_value(chain.get(), 0);
  TALLA_TRY_STATUS(check_chain(*chain, trust, now_us));
  TALLA_TRY_STATUS(check_approval_signature(certificate, statement, signature));
  Approver person;
  TALLA_TRY(person.id, id_of(certificate));
  TALLA_TRY(person.spki, spki_digest(certificate));
  TALLA_TRY(person.time_us, check_statement(statement, terms, person.id, now_us));
  return person;
}

}  // namespace talla::certs
