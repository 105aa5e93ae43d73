/// \file
/// The body of a reply that rests on records: its head with the member `receipts` (FORMAT.md
/// section 4).
///
/// Errors:  FormatErrc::malformed_receipt. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "format/bundle.hpp"
#include "format/proof.hpp"

namespace talla::certs {

/// `head` is a canonical JSON object without `receipts`; so is the result, with it. The members of
/// the head are taken over as they stand: only where one ends and the next begins is looked at.
[[nodiscard]] Result<std::string> reply_text(std::string_view head,
                                             std::span<const Receipt> receipts);

}  // namespace talla::certs
