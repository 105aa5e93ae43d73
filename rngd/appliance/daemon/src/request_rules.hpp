/// \file
/// Which requests are taken at all, whoever sends them: commands say that they are JSON, browsers
/// ask for the appliance's own pages alone.
///
/// A browser has its user's certificate: what another site's page makes it send would be done in
/// that person's name. Such a request tells it by Sec-Fetch-Site (W3C Fetch Metadata) and, where it
/// is no plain reading, by Origin (RFC 6454); programs send neither.
/// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/message.hpp"

namespace talla::rngd {

/// A refusal of the gateway's own.
[[nodiscard]] http::Reply gateway_problem(unsigned status, const std::string& code,
                                          const std::string& detail, const char* retry);
/// 405 with the methods that the resource takes, in Allow (RFC 9110 section 15.5.6).
[[nodiscard]] http::Reply other_methods(const std::string& allowed, const std::string& detail);
/// The refusal (403 cross_site) of what a page of another site asks for; nothing: taken. Somebody
/// who follows a link to a page (`to_page`) is taken from anywhere: nothing is done by it.
[[nodiscard]] std::optional<http::Reply> of_another_site(const http::Request& request,
                                                         bool to_page);
/// The refusal (415) of a command that does not say application/json; nothing: taken.
[[nodiscard]] std::optional<http::Reply> of_another_type(const http::Request& request);

}  // namespace talla::rngd
