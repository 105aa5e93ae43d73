// The order in which a shoe is dealt, mixed by what a call binds and what was opened behind it.
#include "format/mix.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "call_tape.hpp"
#include "format/bounds.hpp"
#include "format/errc.hpp"
#include "shuffle/permutation.hpp"
#include "shuffle/uniform.hpp"

namespace talla::certs {

namespace {

shuffle::Tape mix_tape(const HashSuite& hashes, const Digest& call,
                       std::span<const CallOpening> openings) {
  return call_tape(hashes, {.key = call, .purpose = "mix", .first = {}}, openings);
}

/// Takes no word where there is nothing to pick.
Result<std::uint32_t> pick_from(shuffle::Tape& tape, std::uint32_t candidates) {
  if (candidates == 1) return 0;
  TALLA_TRY(const std::uint64_t picked, shuffle::draw_index(tape, candidates));
  return static_cast<std::uint32_t>(picked);
}

}  // namespace

Result<MixResult> map_mix(const HashSuite& hashes, const Digest& call,
                          std::span<const CallOpening> openings,
                          const MixSpecification& specification) {
  if (!shoe_cards.holds(specification.places))
    return fail(FormatErrc::malformed_mix, "mix: a root has " + bounds_text(shoe_cards) + " cards");
  if (!mix_candidates.holds(specification.candidates))
    return fail(FormatErrc::malformed_mix,
                "mix: it picks from " + bounds_text(mix_candidates) + " roots");
  auto tape = mix_tape(hashes, call, openings);
  MixResult result;
  TALLA_TRY(result.picked, pick_from(tape, specification.candidates));
  TALLA_TRY(result.mix, shuffle::draw_permutation(tape, specification.places));
  result.words_used = tape.words_used();
  result.words_rejected = tape.words_rejected();
  result.tape_digest = tape.consumed_digest(hashes);
  return result;
}

Result<std::uint32_t> map_pick(const HashSuite& hashes, const CallCore& core,
                               std::span<const CallOpening> openings) {
  auto tape = mix_tape(hashes, call_digest(hashes, core.bytes()), openings);
  return pick_from(tape, core.mix().candidates);
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
            map_mix(hashes, call_digest(hashes, core.bytes()), body.openings, core.mix()));
  const bool picks = core.mix().candidates > 1;
  if (body.picked.has_value() != picks || body.picked.value_or(0) != result.picked)
    return fail(FormatErrc::malformed_mix, "mix: another candidate than its tape picks");
  if (result.words_used != body.words_used || result.words_rejected != body.words_rejected ||
      result.tape_digest != body.tape_digest)
    return fail(FormatErrc::malformed_mix, "mix: another account of its tape");
  return mixed_again(before, core.at, result.mix);
}

}  // namespace talla::certs
