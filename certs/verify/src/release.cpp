#include "verify/release.hpp"

#include <algorithm>
#include <exception>

#include "format/covered_format.hpp"
#include "recipient_key.hpp"

namespace talla::certs {
namespace {

tl::unexpected<Error> refused() {
  return fail(VerifyErrc::wrong_opening,
              "the release does not open for this shoe, machine and key");
}

Result<SecretBytes> open_part(std::string_view private_key_pem, const ReleaseContext& context,
                              ByteView head, std::uint32_t part, ByteView sealed) {
  TALLA_TRY(const RecipientKey key, RecipientKey::load(private_key_pem));
  if (key.digest() != context.key || head.size() <= ephemeral_bytes || head.front() != 4)
    return refused();
  try {
    const ByteView point = head.first(ephemeral_bytes);
    const auto text = key.open(point, release_info(context, point, part), sealed);
    return SecretBytes(text.begin(), text.end());
  } catch (const std::exception&) {
    return refused();
  }
}

}  // namespace

Result<ReleaseHead> open_release_head(std::string_view private_key_pem,
                                      const ReleaseContext& context, ByteView head) {
  if (head.size() <= ephemeral_bytes) return refused();
  TALLA_TRY(const SecretBytes plain,
            open_part(private_key_pem, context, head, 0, head.subspan(ephemeral_bytes)));
  if (plain.size() < report_key_bytes) return refused();
  ReleaseHead out;
  const auto rest = plain.begin() + report_key_bytes;
  std::copy(plain.begin(), rest, out.report_key.begin());
  if (context.form == ReleaseForm::order) out.cards.assign(rest, plain.end());
  if (context.form == ReleaseForm::targets && rest != plain.end()) return refused();
  if (context.form != ReleaseForm::shelf) return out;
  if (rest == plain.end() || *rest == 0) return refused();
  out.passes = *rest;
  out.compartments.assign(rest + 1, plain.end());
  if (out.compartments.size() % out.passes != 0) return refused();
  return out;
}

Result<std::uint8_t> open_release_target(std::string_view private_key_pem,
                                         const ReleaseContext& context, ByteView head,
                                         std::uint32_t position, ByteView target) {
  TALLA_TRY(const SecretBytes plain,
            open_part(private_key_pem, context, head, position + 1, target));
  if (plain.size() != 1) return refused();
  return plain.front();
}

}  // namespace talla::certs
