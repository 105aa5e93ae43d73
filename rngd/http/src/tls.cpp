#include "tls.hpp"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

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
  }
  return "unknown";
}

namespace ssl = boost::asio::ssl;

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
  if (context->use_certificate_chain_file(files.certificate, error)) return refuse(files.certificate);
  if (context->use_private_key_file(files.key, ssl::context::pem, error)) return refuse(files.key);
  if (context->load_verify_file(files.trusted, error)) return refuse(files.trusted);
  if (side == Side::server) {
    context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
    STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(files.trusted.c_str());
    if (names != nullptr) SSL_CTX_set_client_CA_list(native, names);
  } else {
    context->set_verify_mode(ssl::verify_peer, error);
  }
  if (error) return refuse(files.trusted);
  return context;
}

namespace {

std::string uri_of(X509* certificate) {
  std::string uri;
  auto* names =
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_URI) continue;
    const ASN1_STRING* text = name->d.uniformResourceIdentifier;
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
  return EVP_Digest(public_key.data(), public_key.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1
             ? to_hex(digest)
             : std::string();
}

}  // namespace

Peer peer_of(SSL* connection) {
  X509* certificate = SSL_get0_peer_certificate(connection);
  if (certificate == nullptr) return {};
  auto key = public_key_of(certificate);
  auto spki = spki_of(key);
  return {.id = uri_of(certificate), .spki = std::move(spki), .public_key = std::move(key)};
}

bool name_server(SSL* connection, const std::string& name) {
  std::string writable = name;
  return SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, writable.data()) == 1;
}

}  // namespace talla::http
