/// \file
/// TLS settings of both sides: 1.3 only, no tickets, no early data. A client always checks the
/// server's certificate, a server its clients' unless it names no roots for them.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include "http/server.hpp"

namespace talla::http {

enum class Side : std::uint8_t { server, client };

/// Errors: Errc::bad_tls_files with the file and OpenSSL's reason.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_tls_context(
    Side side, const TlsFiles& files);
/// Id and key digest of the certificate the peer showed; empty if it showed none.
[[nodiscard]] Peer peer_of(SSL* connection);
/// Names and addresses of the context's own certificate (subject alternative names), as a URL says
/// them.
[[nodiscard]] std::vector<std::string> names_of(const boost::asio::ssl::context& context);
/// Sets the server name a client asks for (RFC 6066 section 3).
[[nodiscard]] bool name_server(SSL* connection, const std::string& name);

}  // namespace talla::http
