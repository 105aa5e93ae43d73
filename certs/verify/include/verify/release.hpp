/// \file
/// A shoe's order released to a machine, the machine's side: decrypts what it was given with its
/// own key (Botan).
///
/// Errors:  VerifyErrc::wrong_opening (does not decrypt for this shoe, machine and key, or is not
///          what the form says), wrong_statement (the key is no P-256 private key). Threads: pure
///          functions. Secrecy: the order is secret.
#pragma once

#include <vector>

#include "base/secret.hpp"
#include "format/release_format.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// What part 0 holds.
struct ReleaseHead {
  Digest report_key{};
  SecretBytes cards;         ///< form order: card bytes, from the first dealt to the last
  SecretBytes compartments;  ///< form shelf: p x n compartments of a new deck's cards, pass by pass
  std::uint32_t passes = 0;  ///< form shelf
};
/// `head`: ephemeral key || part 0. `context.key` must be the key's digest.
[[nodiscard]] Result<ReleaseHead> open_release_head(std::string_view private_key_pem,
                                                    const ReleaseContext& context, ByteView head);
/// Form targets: the card byte of one dealt position; `head` names the ephemeral key.
[[nodiscard]] Result<std::uint8_t> open_release_target(std::string_view private_key_pem,
                                                       const ReleaseContext& context, ByteView head,
                                                       std::uint32_t position, ByteView target);

}  // namespace talla::certs
