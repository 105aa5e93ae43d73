/// \file
/// What a reply looks like on the wire, and what the server itself answers. Private to http.
///
/// Threads: pure.
#pragma once

#include <string>
#include <vector>

#include "http/message.hpp"

namespace talla::http {

/// Status line and headers up to those that tell where the body ends.
[[nodiscard]] std::string head_of(const Reply& reply);

/// A problem document (RFC 9457) of the server itself. `detail`: in words, whatever bytes it
/// quotes. With 429 it says when to come back.
[[nodiscard]] Reply refusal(unsigned status, const std::string& code, const std::string& detail);

/// "localhost or 127.0.0.1".
[[nodiscard]] std::string alternatives(const std::vector<std::string>& names);

}  // namespace talla::http
