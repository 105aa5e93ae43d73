/// \file
/// The head of a request, held to RFC 9112 before anything is made of it: what two readers could
/// understand differently is refused, so that no request hides in another one. Private to http.
///
/// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talla::http {

/// How many bytes of `text` are a head, its empty line included; 0: the end has not come. `from`:
/// so many bytes have been looked at already.
[[nodiscard]] std::size_t head_size(std::string_view text, std::size_t from);

/// What is wrong with a whole head, in words for its sender; empty: nothing. Refused are: line ends
/// other than CR LF, control characters, folded lines (section 5.2), a space before the colon
/// (5.1), a field twice that must stand once, a missing Host (3.2), a target that is no path, a
/// Content-Length that is no plain number or stands beside Transfer-Encoding, and a
/// Transfer-Encoding other than chunked (6.1 to 6.3).
[[nodiscard]] std::string head_fault(std::string_view head);

/// Whether Host (`name`, `name:port`, `[v6]:port`) is one of the names; `*.x` among them stands for
/// one label before x. Case does not matter.
[[nodiscard]] bool is_named(std::string_view host, const std::vector<std::string>& names);

}  // namespace talla::http
