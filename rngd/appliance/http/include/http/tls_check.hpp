/// \file
/// Whether files would do for TLS, without listening or connecting.
///
/// Errors: Errc::bad_tls_files with the file and OpenSSL's reason. Threads: any.
#pragma once

#include "http/server.hpp"

namespace talla::http {

/// What a server would take: chain, key that belongs to it, roots and lists of revoked ones where
/// they are named.
[[nodiscard]] Status check_server_files(const TlsFiles& files);
/// Roots that a client would believe, PEM.
[[nodiscard]] Status check_roots(const std::string& path);

}  // namespace talla::http
