#include "format/release_format.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "format/covered_format.hpp"
#include "format/domain.hpp"

namespace talla::certs {
namespace {
constexpr std::size_t targets_head_bytes = ephemeral_bytes + report_key_bytes + covered_tag_bytes;
constexpr std::size_t target_bytes = 1 + covered_tag_bytes;
}  // namespace

ByteView release_head(ReleaseForm form, ByteView whole) {
  if (form != ReleaseForm::targets) return whole;
  TALLA_CHECK(whole.size() >= targets_head_bytes);
  return whole.first(targets_head_bytes);
}

ByteView release_target(ByteView whole, std::uint32_t position) {
  TALLA_CHECK(whole.size() >= targets_head_bytes + (std::size_t{position} + 1) * target_bytes);
  return whole.subspan(targets_head_bytes + std::size_t{position} * target_bytes, target_bytes);
}

Bytes release_info(const ReleaseContext& context, ByteView ephemeral, std::uint32_t part) {
  ByteWriter writer;
  writer.raw(domain::shoe_release).field(context.origin).field(context.shoe).u32(context.recommits);
  writer.raw(context.root).field(context.machine).raw(context.key).field(form_name(context.form));
  writer.raw(ephemeral).u32(part);
  return writer.take();
}

Digest report_key(const HashSuite& hashes, std::span<const std::uint8_t, 32> shoe_key,
                  std::string_view shoe_id) {
  const Bytes text = ByteWriter().raw(domain::shuffle_report).field(shoe_id).take();
  return hashes.hmac_key(shoe_key)->mac({text});
}

SeenCodes::SeenCodes(const HashSuite& hashes, const Digest& report_key, std::string_view shoe_id)
    : key_(hashes.hmac_key(report_key)),
      prefix_(ByteWriter().raw(domain::shuffle_seen).field(shoe_id).take()) {}

SeenCode SeenCodes::of(std::uint32_t place, std::uint8_t card) const {
  const Bytes text = ByteWriter().u32(place).u8(card).take();
  const Digest mac = key_->mac({prefix_, text});
  SeenCode code{};
  std::copy_n(mac.begin(), code.size(), code.begin());
  return code;
}

Bytes report_statement(const ReportTerms& terms, const ShuffleReportBody& body) {
  json::Value report = body.to_json();
  report.object().erase("key");
  report.object().erase("signature");
  const json::Object said{{"head", to_hex(terms.head)},
                          {"object", std::string(terms.shoe)},
                          {"origin", std::string(terms.origin)},
                          {"report", std::move(report)},
                          {"table", std::string(terms.table)}};
  return ByteWriter().raw(domain::report).raw(json::canonical(json::Value(said))).take();
}

Digest seen_digest(const HashSuite& hashes, std::span<const std::optional<SeenCode>> codes) {
  ByteWriter writer;
  writer.raw(domain::shuffle_seen_list);
  for (const auto& code : codes) writer.field(code ? ByteView(*code) : ByteView());
  const Bytes text = writer.take();
  return hashes.sha256({text});
}

}  // namespace talla::certs
