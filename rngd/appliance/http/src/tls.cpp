#include "tls.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <vector>

#include "base/bytes.hpp"

namespace talla::http {

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::bad_address:
      return "bad_address";
    case Errc::bad_tls_files:
      return "bad_tls_files";
    case Errc::cannot_listen:
      return "cannot_listen";
    case Errc::cannot_connect:
      return "cannot_connect";
    case Errc::bad_reply:
      return "bad_reply";
    case Errc::bad_request:
      return "bad_request";
  }
  return "unknown";
}

namespace ssl = boost::asio::ssl;

namespace {

using Crl = std::unique_ptr<X509_CRL, decltype(&X509_CRL_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

constexpr int is_expired = 1;
constexpr int is_revoked = 2;

int standing_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

/// Called by OpenSSL for each step of a client's chain. A leaf that is over comes in, to be told so
/// and nothing else.
int judge(int good, X509_STORE_CTX* context) {
  if (good == 1) return 1;
  const int error = X509_STORE_CTX_get_error(context);
  if (error == X509_V_ERR_CRL_HAS_EXPIRED || error == X509_V_ERR_CRL_NOT_YET_VALID) {
    X509_STORE_CTX_set_error(context, X509_V_OK);
    return 1;
  }
  const bool expired = error == X509_V_ERR_CERT_HAS_EXPIRED;
  const bool revoked = error == X509_V_ERR_CERT_REVOKED;
  auto* connection =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()));
  if ((!expired && !revoked) || X509_STORE_CTX_get_error_depth(context) != 0 ||
      connection == nullptr)
    return 0;
  auto seen = reinterpret_cast<std::intptr_t>(SSL_get_ex_data(connection, standing_index()));
  seen |= revoked ? is_revoked : is_expired;
  auto* const bits = reinterpret_cast<void*>(seen);  // NOLINT(performance-no-int-to-ptr): no place
  if (SSL_set_ex_data(connection, standing_index(), bits) != 1) return 0;
  X509_STORE_CTX_set_error(context, X509_V_OK);
  return 1;
}

Standing standing_of(SSL* connection) {
  const auto seen = reinterpret_cast<std::intptr_t>(SSL_get_ex_data(connection, standing_index()));
  if ((seen & is_revoked) != 0) return Standing::revoked;
  return seen != 0 ? Standing::expired : Standing::good;
}

/// Every list must be of a trusted root, and every root must have one: else its clients would all
/// be refused.
Status add_revoked(SSL_CTX* native, const TlsFiles& files) {
  const auto refuse = [&files](const std::string& why) {
    return fail(Errc::bad_tls_files, files.revoked + ": " + why);
  };
  X509_STORE* store = SSL_CTX_get_cert_store(native);
  std::vector<X509*> roots;
  STACK_OF(X509_OBJECT)* objects = X509_STORE_get0_objects(store);
  for (int i = 0; i < sk_X509_OBJECT_num(objects); ++i) {
    X509* root = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, i));
    if (root != nullptr) roots.push_back(root);
  }
  const Bio bio(BIO_new_file(files.revoked.c_str(), "r"), &BIO_free);
  if (!bio) return refuse("cannot be read");
  std::vector<bool> listed(roots.size(), false);
  int lists = 0;
  while (true) {
    const Crl crl(PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr), &X509_CRL_free);
    if (!crl) break;
    const auto root = std::find_if(roots.begin(), roots.end(), [&crl](X509* one) {
      EVP_PKEY* key = X509_get0_pubkey(one);
      return key != nullptr &&
             X509_NAME_cmp(X509_get_subject_name(one), X509_CRL_get_issuer(crl.get())) == 0 &&
             X509_CRL_verify(crl.get(), key) == 1;
    });
    if (root == roots.end())
      return refuse("a list that no root of " + files.trusted + " has signed");
    listed[static_cast<std::size_t>(root - roots.begin())] = true;
    if (X509_STORE_add_crl(store, crl.get()) != 1) return refuse("cannot be taken");
    ++lists;
  }
  ERR_clear_error();
  if (lists == 0) return refuse("no list of revoked certificates in PEM");
  if (std::find(listed.begin(), listed.end(), false) != listed.end()) {
    return refuse("a root of " + files.trusted + " has no list in it");
  }
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(native), X509_V_FLAG_CRL_CHECK);
  return {};
}

}  // namespace

Result<std::shared_ptr<ssl::context>> make_tls_context(Side side, const TlsFiles& files) {
  auto context = std::make_shared<ssl::context>(side == Side::server ? ssl::context::tls_server
                                                                     : ssl::context::tls_client);
  SSL_CTX* native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_3_VERSION);
  SSL_CTX_set_max_proto_version(native, TLS1_3_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(native, 0);
  SSL_CTX_set_max_early_data(native, 0);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  boost::system::error_code error;
  const auto refuse = [&](const std::string& file) {
    return fail(Errc::bad_tls_files, file + ": " + error.message());
  };
  if (side == Side::server || !files.certificate.empty()) {
    if (context->use_certificate_chain_file(files.certificate, error))
      return refuse(files.certificate);
    if (context->use_private_key_file(files.key, ssl::context::pem, error))
      return refuse(files.key);
  }
  if (side == Side::server && files.trusted.empty()) return context;  // anybody may connect
  if (context->load_verify_file(files.trusted, error)) return refuse(files.trusted);
  if (side == Side::server) {
    if (context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error))
      return refuse(files.trusted);
    STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(files.trusted.c_str());
    if (names != nullptr) SSL_CTX_set_client_CA_list(native, names);
    if (!files.revoked.empty()) TALLA_TRY_STATUS(add_revoked(native, files));
    SSL_CTX_set_verify(native, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, judge);
  } else if (context->set_verify_mode(ssl::verify_peer, error)) {
    return refuse(files.trusted);
  }
  return context;
}

namespace {

std::string uri_of(X509* certificate) {
  std::string uri;
  auto* names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_URI) continue;
    const ASN1_STRING* text =
        name->d.uniformResourceIdentifier;  // NOLINT(*-union-access): `type` says which
    const std::string found(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                            static_cast<std::size_t>(ASN1_STRING_length(text)));
    // Two identities in one certificate, or an embedded zero, name nobody.
    if (!uri.empty() || found.find('\0') != std::string::npos) {
      uri.clear();
      break;
    }
    uri = found;
  }
  GENERAL_NAMES_free(names);
  return uri;
}

std::string public_key_of(X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  if (size <= 0) return {};
  const std::string key(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return key;
}

std::string spki_of(const std::string& public_key) {
  Digest digest{};
  if (public_key.empty()) return {};
  return EVP_Digest(public_key.data(), public_key.size(), digest.data(), nullptr, EVP_sha256(),
                    nullptr) == 1
             ? to_hex(digest)
             : std::string();
}

std::string der_of(X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

/// The certificate, and what came behind it.
std::shared_ptr<const std::vector<std::string>> chain_of(SSL* connection, X509* certificate) {
  auto chain = std::make_shared<std::vector<std::string>>(1, der_of(certificate));
  const STACK_OF(X509)* others = SSL_get_peer_cert_chain(connection);
  for (int i = 0; others != nullptr && i < sk_X509_num(others); ++i) {
    X509* one = sk_X509_value(others, i);
    if (X509_cmp(one, certificate) != 0) chain->push_back(der_of(one));
  }
  return chain;
}

/// A time that cannot be read is long over.
std::int64_t end_of(const X509* certificate) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) != 1) return 0;
  return static_cast<std::int64_t>(::timegm(&parts)) * 1'000'000;
}

}  // namespace

Peer peer_of(SSL* connection) {
  X509* certificate = SSL_get0_peer_certificate(connection);
  if (certificate == nullptr) return {};
  auto key = public_key_of(certificate);
  auto spki = spki_of(key);
  return {.id = uri_of(certificate),
          .spki = std::move(spki),
          .public_key = std::move(key),
          .chain = chain_of(connection, certificate),
          .standing = standing_of(connection),
          .not_after_us = end_of(certificate)};
}

std::vector<std::string> names_of(const ssl::context& context) {
  std::vector<std::string> names;
  auto& native = const_cast<ssl::context&>(context);  // NOLINT: its handle is asked, not changed
  X509* certificate = SSL_CTX_get0_certificate(native.native_handle());
  if (certificate == nullptr) return names;
  auto* all = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; all != nullptr && i < sk_GENERAL_NAME_num(all); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all, i);
    if (name->type == GEN_DNS) {
      const ASN1_STRING* text = name->d.dNSName;  // NOLINT(*-union-access): `type` says which
      names.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                         static_cast<std::size_t>(ASN1_STRING_length(text)));
    } else if (name->type == GEN_IPADD) {
      const ASN1_STRING* bytes = name->d.iPAddress;  // NOLINT(*-union-access): `type` says which
      std::array<char, INET6_ADDRSTRLEN> text{};
      const int family = ASN1_STRING_length(bytes) == 4 ? AF_INET : AF_INET6;
      if (::inet_ntop(family, ASN1_STRING_get0_data(bytes), text.data(), text.size()) != nullptr)
        names.emplace_back(text.data());
    }
  }
  GENERAL_NAMES_free(all);
  return names;
}

bool name_server(SSL* connection, const std::string& name) {
  std::string writable = name;
  return SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                  writable.data()) == 1;
}

}  // namespace talla::http
