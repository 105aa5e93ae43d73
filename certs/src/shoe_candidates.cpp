// A covered shoe sealed in several orders, of which its first mix picks one.
#include <span>
#include <utility>

#include "base/check.hpp"
#include "certs/shoe.hpp"
#include "format/bounds.hpp"
#include "format/candidates.hpp"
#include "format/openings.hpp"
#include "format/shoe_format.hpp"

namespace talla::certs {

Result<SealedShoe> ShoeCandidates::make(const HashSuite& hashes, const std::string& shoe_id,
                                        const shuffle::DeckSpec& deck, const FullEntropyBits& bits,
                                        std::uint32_t count) {
  if (!several_candidates.holds(count))
    return fail(Errc::count_refused,
                shoe_id + ": " + bounds_text(several_candidates) + " roots to pick from");
  std::vector<std::shared_ptr<const SealedShoe>> made;
  for (std::uint32_t i = 0; i < count; ++i) {
    TALLA_TRY(SealedShoe one, SealedShoe::make(hashes, shoe_id, deck, bits));
    made.push_back(std::make_shared<const SealedShoe>(std::move(one)));
  }
  return together(hashes, shoe_id, std::move(made));
}

Result<SealedShoe> ShoeCandidates::restore(const HashSuite& hashes, const std::string& shoe_id,
                                           const shuffle::DeckSpec& deck, const SecretBytes& secret,
                                           const ShoeCommitBody& commit) {
  std::vector<std::shared_ptr<const SealedShoe>> found;
  auto rest = std::span<const std::uint8_t>(secret);
  for (const ShoeCandidate& one : commit.candidates) {
    const std::size_t tape = rest.size() < sealed_head_bytes ? 0 : load_be32(&rest[secret_bytes]);
    if (tape == 0 || rest.size() - sealed_head_bytes < tape) break;
    const auto own = rest.first(sealed_head_bytes + tape);
    rest = rest.subspan(own.size());
    ShoeCommitBody of_one;
    of_one.root = one.root;
    of_one.tape_mac = one.tape_mac;
    TALLA_TRY(SealedShoe shoe, SealedShoe::restore(hashes, shoe_id, deck,
                                                   SecretBytes(own.begin(), own.end()), of_one));
    found.push_back(std::make_shared<const SealedShoe>(std::move(shoe)));
  }
  if (found.size() > 1 && found.size() == commit.candidates.size() && rest.empty()) {
    SealedShoe shoe = together(hashes, shoe_id, std::move(found));
    if (shoe.root_ == commit.root) return shoe;
  }
  return fail(Errc::secret_malformed,
              shoe_id + ": the unsealed secret does not fit its commitment");
}

SealedShoe ShoeCandidates::together(const HashSuite& hashes, const std::string& shoe_id,
                                    std::vector<std::shared_ptr<const SealedShoe>> candidates) {
  SealedShoe shoe(hashes, shoe_id);
  std::size_t size = 0;
  std::vector<ShoeCandidate> roots;
  for (const auto& one : candidates) {
    size += one->secret_.size();
    roots.push_back(of(*one));
  }
  shoe.secret_.reserve(size);
  for (const auto& one : candidates)
    shoe.secret_.insert(shoe.secret_.end(), one->secret_.begin(), one->secret_.end());
  shoe.root_ = shoe_roots_digest(hashes, roots);
  shoe.deck_text_ = candidates.front()->deck_text_;
  shoe.candidates_ = std::move(candidates);
  return shoe;
}

std::shared_ptr<const SealedShoe> ShoeCandidates::picked(const SealedShoe& shoe,
                                                         std::uint32_t candidate) {
  TALLA_CHECK(candidate < shoe.candidates_.size());
  return shoe.candidates_[candidate];
}

ShoeCandidate ShoeCandidates::of(const SealedShoe& shoe) {
  return {shoe.root_, ShoeKey(*shoe.hashes_, shoe.key(), shoe.id_).tape_mac(shoe.tape())};
}

}  // namespace talla::certs
