// Whether files would do for TLS.
#include "http/tls_check.hpp"

#include "tls.hpp"

namespace talla::http {

Status check_server_files(const TlsFiles& files) {
  TALLA_TRY(const auto context, make_tls_context(Side::server, files));
  static_cast<void>(context);
  return {};
}

Status check_roots(const std::string& path) {
  TALLA_TRY(const auto context,
            make_tls_context(Side::client,
                             {.certificate = {}, .key = {}, .trusted = path, .revoked = {}}));
  static_cast<void>(context);
  return {};
}

}  // namespace talla::http
