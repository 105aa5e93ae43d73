/// \file
/// Several roots of one shoe, of which the call of its first mix picks one (FORMAT.md section 7,
/// "Candidates"): what they are, and what the others show once they are opened.
///
/// A covered shoe never shows the cards that nobody turned. With q roots an order of a wrong
/// composition is picked, and so escapes, with probability 1/q; all others are opened.
/// Errors:  sentences; empty: nothing is wrong.
/// Threads: pure functions. Cost: of an opened root of 416 cards some 900 hashes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/body_shoe.hpp"

namespace talla::certs {

/// What the first call of a shoe with candidates names as its root: H(D("shoe-roots") || their
/// roots in their order).
[[nodiscard]] Digest shoe_roots_digest(const HashSuite& hashes,
                                       std::span<const ShoeCandidate> candidates);
/// Roots that the next mix picks from: those not picked yet, or the one there is.
[[nodiscard]] std::uint32_t candidates_count(const ShoeCommitBody& commit);
/// Whether a SHOE_COMMIT is what a table with this `policy.candidates` asks for: one root without
/// candidates, or so many, none twice, and `root` the digest of all.
[[nodiscard]] std::string candidates_wrong(const HashSuite& hashes, const ShoeCommitBody& commit,
                                           std::uint32_t wanted);
/// Whether what was opened of a shoe are all of its candidates but the one picked (all, where none
/// was), each a shuffle of the whole deck that gives its root, none like another.
[[nodiscard]] std::string opened_wrong(const HashSuite& hashes, std::string_view shoe_id,
                                       const ShoeCommitBody& commit,
                                       std::optional<std::uint32_t> picked,
                                       std::span<const ShoeDisclosure> opened);
/// The commitment that is left when that one was picked. Precondition (checked): it is an index.
[[nodiscard]] ShoeCommitBody picked_commit(ShoeCommitBody commit, std::uint32_t picked);

}  // namespace talla::certs
