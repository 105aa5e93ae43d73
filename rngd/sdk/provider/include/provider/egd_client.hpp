/// \file
/// A client of the appliance's EGD socket: so many bytes in a bounded time, or an error that says
/// what is wrong.
///
/// Each call makes a connection of its own: nothing is kept, nothing is shared, a fork changes
/// nothing.
/// Errors:  appliance_absent (nobody listens), appliance_silent (it listens and gives nothing in
///          time: not operational, or others used up its rate), appliance_broke_off (the connection
///          ended, or spoke nonsense).
/// Threads: any. Secrecy: bytes live in locked memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/secret.hpp"

namespace talla::provider {

enum class ClientErrc : std::uint16_t {
  appliance_absent = 870,
  appliance_silent = 871,
  appliance_broke_off = 872
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(ClientErrc errc);

/// Where the appliance's socket is, and how long a call waits.
struct ClientOptions {
  std::string socket_path = "/run/talla/egd.sock";
  unsigned timeout_ms = 5000;  ///< For the whole call.
};

/// `n_bytes` of at least 1.
[[nodiscard]] Result<SecretBytes> fetch_entropy(const ClientOptions& options, std::size_t n_bytes);

}  // namespace talla::provider
