/// \file
/// Owning handles for OpenSSL objects, and its errors as ours. Private to certs.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

template <auto free_function>
struct Freed {
  template <class T>
  void operator()(T* object) const noexcept {
    static_cast<void>(free_function(object));
  }
};
using PkeyHandle = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, Freed<EVP_CIPHER_CTX_free>>;
using BioHandle = std::unique_ptr<BIO, Freed<BIO_free>>;
using CertificateHandle = std::unique_ptr<X509, Freed<X509_free>>;
using RequestHandle = std::unique_ptr<X509_REQ, Freed<X509_REQ_free>>;
using NamesHandle = std::unique_ptr<GENERAL_NAMES, Freed<GENERAL_NAMES_free>>;
using ExtensionHandle = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;

/// `crypto_failed` with the place; empties OpenSSL's error queue, whose texts name no secret.
[[nodiscard]] tl::unexpected<Error> crypto_fail(const char* where);

/// A private key from PKCS#8 PEM. Errors: key_malformed.
[[nodiscard]] Result<PkeyHandle> parse_private_key(const SecretBytes& pem, const std::string& path);
/// read_private_file and parse.
[[nodiscard]] Result<PkeyHandle> load_private_key(const std::string& path);
/// PKCS#8 PEM without passphrase.
[[nodiscard]] Result<SecretBytes> private_key_pem(EVP_PKEY& key);

}  // namespace talla::certs
