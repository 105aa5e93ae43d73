// A sealed shoe and a shuffling machine: its order, encrypted, and what the machine says it saw.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "certs/shoe.hpp"
#include "format/shoe_format.hpp"
#include "recipient.hpp"

namespace talla::certs {

shuffle::SecretCards ShoeForMachine::dealing_order(const ShoeProgress& progress) const {
  TALLA_CHECK(progress.mix != nullptr);
  shuffle::SecretCards cards;
  cards.reserve(shoe_.order_.size());
  for (std::uint32_t position = 0; position < shoe_.cards_count(); ++position)
    cards.push_back(shoe_.order_[(*progress.mix)[position]]);
  return cards;
}

/// u8 number of passes, then the compartment of each card of a new deck in each pass.
Result<SecretBytes> ShoeForMachine::shelf_passes(const shuffle::SecretCards& order,
                                                 const ReleaseRequest& request) const {
  if (request.recommits != 0)
    return fail(Errc::count_refused,
                shoe_.id_ + ": a shelf machine is fed a new deck, not what was shuffled before");
  TALLA_TRY(const auto deck, shuffle::DeckSpec::parse(shoe_.deck_text_));
  TALLA_TRY(const auto places, shuffle::sorting_places(order, deck.cards()));
  const auto passes = shuffle::shelf_passes(request.shelf, shoe_.cards_count());
  if (!passes) return fail(Errc::count_refused, shoe_.id_ + ": " + passes.error().detail);
  TALLA_TRY(const auto compartments, shuffle::shelf_compartments(request.shelf, places));
  SecretBytes out;
  out.reserve(1 + compartments.size());
  out.push_back(static_cast<std::uint8_t>(*passes));
  out.insert(out.end(), compartments.begin(), compartments.end());
  return out;
}

Result<MadeRelease> ShoeForMachine::release(const ShoeProgress& progress,
                                            const ReleaseRequest& request) const {
  if (progress.closed || progress.dealt != 0 || !progress.mix)
    return fail(Errc::wrong_position, shoe_.id_ + " is not mixed, in play, or closed");
  const auto order = dealing_order(progress);
  const Digest report = report_key(*shoe_.hashes_, shoe_.key(), shoe_.id_);
  TALLA_TRY(const Recipient machine, Recipient::create(request.spki));
  const ReleaseContext context{.origin = request.origin,
                               .shoe = shoe_.id_,
                               .recommits = request.recommits,
                               .root = shoe_.root_,
                               .machine = request.machine,
                               .key = shoe_.hashes_->sha256({request.spki}),
                               .form = request.form};
  SecretBytes first(report.begin(), report.end());
  if (request.form == ReleaseForm::order) {
    for (const shuffle::Card card : order) first.push_back(card.code());
  } else if (request.form == ReleaseForm::shelf) {
    TALLA_TRY(const SecretBytes passes, shelf_passes(order, request));
    first.insert(first.end(), passes.begin(), passes.end());
  }
  MadeRelease made;
  made.ciphertext = machine.ephemeral();
  const auto seal = [&](std::uint32_t part, std::span<const std::uint8_t> plain) {
    return machine.seal(release_info(context, machine.ephemeral(), part), plain, made.ciphertext);
  };
  TALLA_TRY_STATUS(seal(0, first));
  for (std::uint32_t i = 0; request.form == ReleaseForm::targets && i < order.size(); ++i) {
    const SecretBytes card(1, order[i].code());
    TALLA_TRY_STATUS(seal(i + 1, card));
  }
  made.body = {.machine = request.machine,
               .key = context.key,
               .ciphertext = shoe_.hashes_->sha256({made.ciphertext}),
               .form = request.form};
  if (request.form == ReleaseForm::shelf) {
    made.body.compartments = request.shelf.compartments;
    made.body.reverses = request.shelf.reverses;
  }
  return made;
}

namespace {

/// The card of a code, among the cards of the deck; nothing for a code that is none of theirs.
std::optional<std::uint8_t> decoded(const SeenCodes& codes, std::uint32_t place,
                                    const SeenCode& seen, std::span<const std::uint8_t> deck) {
  for (const std::uint8_t card : deck) {
    if (codes.of(place, card) == seen) return card;
  }
  return std::nullopt;
}

}  // namespace

ShuffleReportBody ShoeForMachine::judge(const ShoeProgress& progress,
                                        std::span<const std::optional<SeenCode>> seen) const {
  const auto order = dealing_order(progress);
  const SeenCodes codes(*shoe_.hashes_, report_key(*shoe_.hashes_, shoe_.key(), shoe_.id_),
                        shoe_.id_);
  std::array<int, 256> census{};
  for (const shuffle::Card card : order) ++census[card.code()];
  SecretBytes deck;  // each card of it once
  for (std::size_t code = 0; code < census.size(); ++code) {
    if (census[code] != 0) deck.push_back(static_cast<std::uint8_t>(code));
  }
  ShuffleReportBody body;
  for (std::uint32_t place = 0; place < seen.size(); ++place) {
    const auto& one = seen[place];
    const bool inside = place < order.size();
    const auto card = !one ? std::nullopt
                      : inside && codes.of(place, order[place].code()) == *one
                          ? std::optional(order[place].code())
                          : decoded(codes, place, *one, deck);
    if (card) {
      ++body.recognised;
      --census[*card];
    }
    if (!body.position && !(inside && card == order[place].code())) body.position = place;
  }
  if (!body.position && seen.size() < order.size())
    body.position = static_cast<std::uint32_t>(seen.size());
  body.complete = seen.size() == order.size() && body.recognised == order.size() &&
                  std::all_of(census.begin(), census.end(), [](int left) { return left == 0; });
  body.seen = seen_digest(*shoe_.hashes_, seen);
  body.result = body.position ? ShuffleResult::mismatch : ShuffleResult::match;
  return body;
}

bool ShoeForMachine::right_card(const ShoeProgress& progress, std::uint32_t place,
                                const SeenCode& seen) const {
  TALLA_CHECK(place < shoe_.cards_count());
  TALLA_CHECK(progress.mix != nullptr);
  const auto leaf = (*progress.mix)[place];
  const SeenCodes codes(*shoe_.hashes_, report_key(*shoe_.hashes_, shoe_.key(), shoe_.id_),
                        shoe_.id_);
  return codes.of(place, shoe_.order_[leaf].code()) == seen;
}

}  // namespace talla::certs
