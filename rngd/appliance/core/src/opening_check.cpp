// Whether an opening is the number that was committed to, signed for its call.
#include "opening_check.hpp"

#include <algorithm>

#include "certs/call_key.hpp"

namespace talla::core {

Result<certs::CallOpening> opening_in(const json::Value& body) {
  const Asked asked(body);
  certs::CallOpening opened;
  opened.value = asked.digest("value");
  TALLA_TRY(const auto signature, from_base64(asked.text("signature")));
  if (signature.size() != opened.signature.size())
    return fail(Errc::malformed_request, "signature: 64 bytes, r || s, in base64");
  std::ranges::copy(signature, opened.signature.begin());
  return opened;
}

Status check_opening(const HashSuite& hashes, const PostedCall& call, const certs::Contributor& one,
                     const certs::CallOpening& opened) {
  if (certs::contribution_commit(hashes, call.opening, one.id, one.t, opened.value) != one.commit)
    return fail(Errc::commit_mismatch, "value: not the one that was committed to");
  if (!certs::call_signature_holds(
          one.key, certs::opening_statement(call.digest, one.id, one.t, opened.value),
          opened.signature))
    return fail(Errc::opening_signature,
                "signature: not of this contributor's key over this opening");
  return {};
}

std::shared_ptr<const OpeningVerdict> judge_opening(const HashSuite& hashes, const CallBoard& board,
                                                    const Admitted& asked) {
  const auto seq = parse_number(asked.route.argument("call"), json::integer_max);
  const auto posted = seq ? board.find(*seq) : std::nullopt;
  if (!posted) return nullptr;
  const auto& id = asked.body.find("id")->string();
  if (posted->openings && posted->openings->contains(id)) return nullptr;
  const auto& others = posted->call->core.others;
  const auto named = std::ranges::find(others, id, &certs::Contributor::id);
  const auto opened = opening_in(asked.body);
  if (named == others.end() || !opened) return nullptr;
  return std::make_shared<const OpeningVerdict>(
      OpeningVerdict{check_opening(hashes, *posted->call, *named, *opened)});
}

}  // namespace talla::core
