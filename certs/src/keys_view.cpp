// What certificates and lists of a key folder say, for people: names, days, serials.
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>

#include "certificates.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"

namespace talla::certs {

namespace {

std::int64_t time_us(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return 0;
  return static_cast<std::int64_t>(::timegm(&parts)) * 1'000'000;
}

std::string subject_text(X509& certificate) {
  const BioHandle bio(BIO_new(BIO_s_mem()));
  if (!bio ||
      X509_NAME_print_ex(bio.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253) < 0)
    return {};
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string serial_hex(X509& certificate) {
  const ASN1_INTEGER* serial = X509_get0_serialNumber(&certificate);
  return to_hex(
      {ASN1_STRING_get0_data(serial), static_cast<std::size_t>(ASN1_STRING_length(serial))});
}

Result<CertificateView> view_of(X509& certificate, const std::string& path) {
  TALLA_TRY(const Digest spki, spki_digest(certificate));
  return CertificateView{.path = path,
                         .subject = subject_text(certificate),
                         .names = alternative_names(certificate),
                         .not_before_us = time_us(X509_get0_notBefore(&certificate)),
                         .not_after_us = time_us(X509_get0_notAfter(&certificate)),
                         .serial = serial_hex(certificate),
                         .spki = spki,
                         .development = names_development(certificate),
                         .authority = X509_check_ca(&certificate) == 1};
}

}  // namespace

Result<CertificateView> view_certificate(const std::string& pem_path) {
  TALLA_TRY(const std::string pem, read_file(pem_path));
  TALLA_TRY(const CertificateHandle certificate, parse_certificate(pem, pem_path));
  return view_of(*certificate, pem_path);
}

Result<std::vector<CertificateView>> view_certificates(const std::string& pem_path) {
  TALLA_TRY(const std::string pem, read_file(pem_path));
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::vector<CertificateView> views;
  while (bio) {
    const CertificateHandle certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (!certificate) break;
    TALLA_TRY(CertificateView view, view_of(*certificate, pem_path));
    views.push_back(std::move(view));
  }
  ERR_clear_error();
  if (views.empty()) return fail(Errc::key_malformed, pem_path + ": no certificate in PEM");
  return views;
}

Result<std::vector<CertificateView>> show_keys(const std::string& folder) {
  std::vector<std::string> paths;
  for (const char* name : {"ca.pem", "server.pem", "log-certificate.pem"})
    paths.push_back(folder + "/" + name);
  std::error_code error;
  std::vector<std::string> clients;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/clients", error)) {
    if (entry.path().extension() == ".pem") clients.push_back(entry.path().string());
  }
  std::sort(clients.begin(), clients.end());
  paths.insert(paths.end(), clients.begin(), clients.end());
  std::vector<CertificateView> views;
  for (const std::string& path : paths) {
    TALLA_TRY(CertificateView view, view_certificate(path));
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace talla::certs
