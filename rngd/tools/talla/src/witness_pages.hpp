/// \file
/// What a witness answers over HTTP: C2SP tlog-witness, and /metrics and /livez for its operator.
#pragma once

#include "certs/witness.hpp"
#include "http/message.hpp"

namespace talla::cli {

/// Threads: any.
[[nodiscard]] http::Reply witness_page(certs::Witness& witness, const http::Request& request);

}  // namespace talla::cli
