#include "openssl_handles.hpp"

#include <openssl/err.h>

#include "certs/files.hpp"

namespace talla::certs {

tl::unexpected<Error> crypto_fail(const char* where) {
  std::string detail = where;
  if (const unsigned long code = ERR_get_error(); code != 0) {
    if (const char* text = ERR_reason_error_string(code); text != nullptr)
      detail += std::string(": ") + text;
  }
  ERR_clear_error();
  return fail(Errc::crypto_failed, std::move(detail));
}

Result<PkeyHandle> parse_private_key(const SecretBytes& pem, const std::string& path) {
  const SecretScope secret;
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (!bio) return crypto_fail("memory buffer");
  // A passphrase callback that gives none: an encrypted file must not make the daemon ask at a
  // terminal.
  const auto refuse = [](char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) {
    return -1;
  };
  PkeyHandle key(PEM_read_bio_PrivateKey(bio.get(), nullptr, refuse, nullptr));
  ERR_clear_error();
  if (!key)
    return fail(Errc::key_malformed, path + ": no PKCS#8 private key in PEM without passphrase");
  return key;
}

Result<PkeyHandle> load_private_key(const std::string& path) {
  TALLA_TRY(const SecretBytes pem, read_private_file(path));
  return parse_private_key(pem, path);
}

Result<SecretBytes> private_key_pem(EVP_PKEY& key) {
  const BioHandle bio(BIO_new(BIO_s_secmem()));
  if (!bio ||
      PEM_write_bio_PKCS8PrivateKey(bio.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return crypto_fail("write private key");
  }
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  if (size <= 0) return crypto_fail("write private key");
  return SecretBytes(data, data + size);
}

}  // namespace talla::certs
