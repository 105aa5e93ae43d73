// The order in which a shoe is dealt, mixed by what a call binds and what was opened behind it.
#include "format/mix.hpp"

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

Result<Mix> mix_of(const HashSuite& hashes, const CallCore& core, const ShoeMixBody& body) {
  TALLA_TRY(MixResult result,
            map_mix(hashes, call_digest(hashes, core.bytes()), body.openings, core.mix().places));
  if (result.words_used != body.words_used || result.words_rejected != body.words_rejected ||
      result.tape_digest != body.tape_digest)
    return fail(FormatErrc::malformed_mix, "mix: another account of its tape");
  return std::move(result.mix);
}

}  // namespace talla::certs
