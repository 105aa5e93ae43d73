// The appliance's part of a key ceremony: requests, and the certificates that come back.
#include <ctime>

#include "certificates.hpp"
#include "certs/ceremony.hpp"
#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/signer.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

Result<std::string> request_pem(EVP_PKEY& key, const std::string& name) {
  const RequestHandle request(X509_REQ_new());
  if (!request) return crypto_fail("certificate request");
  X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  const bool done = X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                               reinterpret_cast<const unsigned char*>(name.data()),
                                               static_cast<int>(name.size()), -1, 0) == 1 &&
                    X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) == 1 &&
                    X509_REQ_set_pubkey(request.get(), &key) == 1 &&
                    X509_REQ_sign(request.get(), &key, EVP_sha256()) > 0;
  const BioHandle bio(BIO_new(BIO_s_mem()));
  if (!done || !bio || PEM_write_bio_X509_REQ(bio.get(), request.get()) != 1)
    return crypto_fail("certificate request");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

Status none_exists(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (file_exists(path)) return fail(Errc::key_exists, path + " exists and is never overwritten");
  }
  return {};
}

/// A certificate of this root, for this key, valid now.
struct Checked {
  PkeyHandle key;
  CertificateHandle certificate;
  std::string pem;
};
Result<Checked> check_pair(const std::string& key_path, const std::string& path, X509& root,
                           std::int64_t now_us) {
  Checked out;
  TALLA_TRY(out.key, load_private_key(key_path));
  TALLA_TRY(out.pem, read_file(path));
  TALLA_TRY(out.certificate, parse_certificate(out.pem, path));
  const auto refused = [&path](const std::string& why) {
    return fail(Errc::key_malformed, path + ": " + why);
  };
  if (X509_check_private_key(out.certificate.get(), out.key.get()) != 1)
    return refused("not for the key " + key_path);
  EVP_PKEY* issuer = X509_get0_pubkey(&root);
  if (X509_check_issued(&root, out.certificate.get()) != X509_V_OK || issuer == nullptr ||
      X509_verify(out.certificate.get(), issuer) != 1) {
    return refused("not of this root");
  }
  std::time_t now = now_us / 1'000'000;
  if (X509_cmp_time(X509_get0_notBefore(out.certificate.get()), &now) > 0 ||
      X509_cmp_time(X509_get0_notAfter(out.certificate.get()), &now) < 0) {
    return refused("not valid now");
  }
  return out;
}

}  // namespace

Status make_request(const std::string& key_path, const std::string& request_path,
                    const std::string& name) {
  TALLA_TRY_STATUS(none_exists({key_path, request_path}));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(const std::string request, request_pem(*key, name));
  TALLA_TRY(const SecretBytes pem, private_key_pem(*key));
  TALLA_TRY_STATUS(create_private_file(key_path, pem));
  return create_public_file(request_path, request);
}

Status make_appliance_requests(const ApplianceRequests& options) {
  if (!origin_valid(options.origin))
    return fail(Errc::id_malformed, "log origin '" + options.origin + "'");
  TALLA_TRY_STATUS(create_folder(options.folder));
  const auto in = [&options](const char* name) { return options.folder + "/" + name; };
  TALLA_TRY_STATUS(none_exists({in("server.key"), in("server.csr"), in("log-certificate.key"),
                                in("log-certificate.csr"), in("log.key")}));
  TALLA_TRY_STATUS(make_request(in("server.key"), in("server.csr"), "Talla appliance"));
  TALLA_TRY_STATUS(
      make_request(in("log-certificate.key"), in("log-certificate.csr"), "Talla log statement"));
  if (!options.make_log_key) return {};
  TALLA_TRY(const PkeyHandle key, generate_ed25519());
  TALLA_TRY(const SecretBytes pem, private_key_pem(*key));
  return create_private_file(in("log.key"), pem);
}

Status install_certificates(const InstallOptions& options) {
  const auto in = [&options](const char* name) { return options.folder + "/" + name; };
  TALLA_TRY_STATUS(none_exists(
      {in("root.pem"), in("server.pem"), in("log-certificate.pem"), in("log-key.json")}));
  TALLA_TRY(const std::string root_pem, read_file(options.root_path));
  TALLA_TRY(const CertificateHandle root, parse_certificate(root_pem, options.root_path));
  if (X509_check_ca(root.get()) != 1)
    return fail(Errc::key_malformed, options.root_path + ": is no root");
  TALLA_TRY(const Checked server,
            check_pair(in("server.key"), options.server_path, *root, options.now_us));
  TALLA_TRY(const Checked log,
            check_pair(in("log-certificate.key"), options.log_path, *root, options.now_us));
  if (alternative_names(*log.certificate) !=
      std::vector<std::string>{"talla:log:" + options.origin}) {
    return fail(Errc::id_malformed, options.log_path + ": is not for the log " + options.origin);
  }
  TALLA_TRY(const auto signer,
            open_log_signer(options.log_key.empty() ? in("log.key") : options.log_key));
  TALLA_TRY(const LogKey statement,
            make_log_statement(
                {.origin = options.origin,
                 .public_key = signer->public_key(),
                 .development = names_development(*log.certificate) || names_development(*root)},
                *log.key, *log.certificate));
  TALLA_TRY_STATUS(create_public_file(in("root.pem"), root_pem));
  TALLA_TRY_STATUS(create_public_file(in("server.pem"), server.pem + root_pem));
  TALLA_TRY_STATUS(create_public_file(in("log-certificate.pem"), log.pem));
  return create_public_file(in("log-key.json"), json::canonical(statement.to_json()));
}

}  // namespace talla::certs
