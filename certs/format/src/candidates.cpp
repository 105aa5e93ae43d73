// Several roots of one shoe: their digest, and what the ones not picked show.
#include "format/candidates.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "format/domain.hpp"
#include "format/shoe_format.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"
#include "shuffle/tape.hpp"

namespace talla::certs {
namespace {

/// Whether these secrets are those of the candidate: a shuffle of the whole deck, its tape used up
/// exactly.
std::string one_wrong(const HashSuite& hashes, std::string_view shoe_id,
                      const shuffle::DeckSpec& deck, const ShoeCandidate& candidate,
                      const ShoeDisclosure& opened) {
  const ShoeKey key(hashes, opened.key, shoe_id);
  if (key.tape_mac(opened.tape) != candidate.tape_mac)
    return "its key and tape are not the committed ones";
  if (hashes.sha256({opened.tape}) != opened.tape_digest) return "its tape digest is another one";
  const auto ordered = deck.cards();
  auto tape = shuffle::Tape::borrowed(opened.tape);
  const auto order =
      shuffle::shuffle_again(tape, shuffle::SecretCards(ordered.begin(), ordered.end()));
  if (!order || tape.consumed().size() != opened.tape.size() ||
      tape.words_used() != opened.words_used || tape.words_rejected() != opened.words_rejected)
    return "its tape is not exactly what the shuffle takes";
  Bytes codes;
  codes.reserve(order->size());
  for (const shuffle::Card card : *order) codes.push_back(card.code());
  if (shoe_tree(hashes, key, shoe_id, codes).root(hashes) != candidate.root)
    return "its shuffle of the deck gives another root";
  return {};
}

}  // namespace

Digest shoe_roots_digest(const HashSuite& hashes, std::span<const ShoeCandidate> candidates) {
  ByteWriter out;
  out.raw(domain::shoe_roots);
  for (const ShoeCandidate& one : candidates) out.raw(one.root);
  return hashes.sha256({out.take()});
}

std::uint32_t candidates_count(const ShoeCommitBody& commit) {
  return commit.candidates.empty() ? 1 : static_cast<std::uint32_t>(commit.candidates.size());
}

std::string candidates_wrong(const HashSuite& hashes, const ShoeCommitBody& commit,
                             std::uint32_t wanted) {
  const auto& candidates = commit.candidates;
  if (candidates_count(commit) != wanted)
    return "has " + std::to_string(candidates_count(commit)) +
           " roots to pick from, its table asks for " + std::to_string(wanted);
  if (candidates.empty()) return {};
  for (auto one = candidates.begin(); one != candidates.end(); ++one)
    if (std::ranges::find(one + 1, candidates.end(), one->root, &ShoeCandidate::root) !=
        candidates.end())
      return "two of its candidates are one root";
  if (commit.root != shoe_roots_digest(hashes, candidates))
    return "its root is not the digest of its candidates' roots";
  return {};
}

std::string opened_wrong(const HashSuite& hashes, std::string_view shoe_id,
                         const ShoeCommitBody& commit, std::optional<std::uint32_t> picked,
                         std::span<const ShoeDisclosure> opened) {
  const auto& candidates = commit.candidates;
  if (opened.size() + (picked ? 1U : 0U) != candidates.size())
    return "opens " + std::to_string(opened.size()) + " of " + std::to_string(candidates.size()) +
           " candidates, not all others";
  const auto deck = shuffle::DeckSpec::parse(commit.deck);
  if (!deck) return "no deck to compare with";
  auto one = opened.begin();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (picked && i == *picked) continue;
    const std::string why = one_wrong(hashes, shoe_id, *deck, candidates[i], *one);
    if (!why.empty()) return "candidate " + std::to_string(i) + ": " + why;
    const bool like_another = std::any_of(opened.begin(), one, [&](const ShoeDisclosure& before) {
      return before.key == one->key || before.tape == one->tape;
    });
    if (like_another) return "candidate " + std::to_string(i) + " has the secrets of another";
    ++one;
  }
  return {};
}

ShoeCommitBody picked_commit(ShoeCommitBody commit, std::uint32_t picked) {
  TALLA_CHECK(picked < commit.candidates.size());
  const ShoeCandidate one = commit.candidates[picked];
  commit.candidates.clear();
  commit.root = one.root;
  commit.tape_mac = one.tape_mac;
  return commit;
}

}  // namespace talla::certs
