// The order in which a shoe is dealt, mixed by the number that its table gave.
#include "format/mix.hpp"

#include "format/bounds.hpp"
#include "format/domain.hpp"
#include "format/errc.hpp"
#include "shuffle/permutation.hpp"
#include "shuffle/tape.hpp"

namespace talla::certs {

Result<MixResult> map_mix(const HashSuite& hashes, const MixInputs& inputs) {
  if (!nonce_bytes.holds_count(inputs.nonce.size()))
    return fail(FormatErrc::malformed_mix,
                "mix: the nonce has " + bounds_text(nonce_bytes) + " bytes");
  if (!shoe_cards.holds(inputs.cards))
    return fail(FormatErrc::malformed_mix, "mix: a root has " + bounds_text(shoe_cards) + " cards");
  const Bytes known = ByteWriter()
                          .raw(domain::mix)
                          .field(inputs.origin)
                          .field(inputs.shoe_id)
                          .raw(inputs.root)
                          .u32(inputs.cards)
                          .take();
  auto tape = shuffle::Tape::from_hmac(hashes, hashes.sha256({known}), "mix", {inputs.nonce});
  MixResult result;
  TALLA_TRY(result.mix, shuffle::draw_permutation(tape, inputs.cards));
  result.words_used = tape.words_used();
  result.words_rejected = tape.words_rejected();
  result.tape_digest = tape.consumed_digest(hashes);
  return result;
}

Result<Mix> mix_of(const HashSuite& hashes, const Record& record, const ShoeMixBody& body,
                   std::uint32_t cards) {
  TALLA_TRY(MixResult result, map_mix(hashes, {.origin = record.origin,
                                               .shoe_id = record.object,
                                               .root = body.root,
                                               .cards = cards,
                                               .nonce = body.nonce}));
  if (result.words_used != body.words_used || result.words_rejected != body.words_rejected ||
      result.tape_digest != body.tape_digest)
    return fail(FormatErrc::malformed_mix, "mix: another account of its tape");
  return std::move(result.mix);
}

}  // namespace talla::certs
