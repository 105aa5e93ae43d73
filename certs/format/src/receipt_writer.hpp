/// \file
/// A receipt as a member of canonical JSON, for the receipt's own text and for replies. Private to
/// certs_format.
#pragma once

#include "format/proof.hpp"
#include "text_writer.hpp"

namespace talla::certs {

/// Room for the text: what is escaped in it takes a few hundred bytes more.
[[nodiscard]] std::size_t receipt_room(const Receipt& receipt);
void write_receipt(TextWriter& out, const Receipt& receipt);

}  // namespace talla::certs
