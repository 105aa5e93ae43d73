/// \file
/// The connection that client.toml describes.
#pragma once

#include <memory>

#include "config/client_file.hpp"
#include "http/client.hpp"

namespace talla::client {

[[nodiscard]] Result<std::unique_ptr<http::Client>> connect_to(const rngd::ClientFile& file,
                                                               unsigned timeout_seconds);

}  // namespace talla::client
