// The order in which a shoe is dealt, mixed by what a call binds and what was opened behind it.
#include "format/mix.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "call_tape.hpp"
#include "format/bounds.hpp"
#include "format/errc.hpp"
#include "shuffle/permutation.hpp"

namespace talla::certs {

Result<MixResult> map_mix(const HashSuite& hashes, const Digest& call,
                          std::span<const CallOpening> openings, std::uint32_t places) {
  if (!shoe_cards.holds(places))
    return fail(FormatErrc::malformed_mix, "mix: a root has " + bounds_text(shoe_cards) + " cards");
  auto tape = call_tape(hashes, {.key = call, .purpose = "mix", .first = {}}, openings);
  MixResult result;
  TALLA_TRY(result.mix, shuffle::draw_permutation(tape, places));
  result.words_used = tape.words_used();
  result.words_rejected = tape.words_rejected();
  result.tape_digest = tape.consumed_digest(hashes);
  return result;
}

Mix mixed_again(const Mix& before, std::uint32_t at, const Mix& order) {
  if (at == 0) return order;
  TALLA_CHECK(before.size() == at + order.size());
  Mix left(before.begin() + at, before.end());
  std::ranges::sort(left);
  Mix mix(before.begin(), before.begin() + at);
  for (const std::uint16_t place : order) mix.push_back(left[place]);
  return mix;
}

Result<Mix> mix_of(const HashSuite& hashes, const CallCore& core, const ShoeMixBody& body,
                   const Mix& before) {
  if (core.at != 0 && before.size() != core.at + std::size_t{core.mix().places})
    return fail(FormatErrc::malformed_mix, "mix: of other places than are left");
  TALLA_TRY(MixResult result,
            map_mix(hashes, call_digest(hashes, core.bytes()), body.openings, core.mix().places));
  if (result.words_used != body.words_used || result.words_rejected != body.words_rejected ||
      result.tape_digest != body.tape_digest)
    return fail(FormatErrc::malformed_mix, "mix: another account of its tape");
  return mixed_again(before, core.at, result.mix);
}

}  // namespace talla::certs
