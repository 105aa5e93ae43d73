#include "format/openings.hpp"

#include <algorithm>

#include "fields.hpp"
#include "format/body_shoe.hpp"
#include "format/record.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t digest_bytes = 32;

Result<RootOpening> read_root(const json::Value& value) {
  Fields in(value, "roots[]", FormatErrc::malformed_bundle);
  RootOpening out;
  out.key = in.digest("key");
  out.tape = in.base64("tape");
  return in.finish(std::move(out));
}

}  // namespace

Result<std::vector<RootOpening>> Openings::roots_of(std::span<const std::uint8_t> sealed_text) {
  std::vector<RootOpening> roots;
  while (!sealed_text.empty()) {
    const std::size_t size =
        sealed_text.size() < sealed_head_bytes ? 0 : load_be32(sealed_text.data() + digest_bytes);
    if (sealed_text.size() < sealed_head_bytes || sealed_text.size() - sealed_head_bytes < size)
      return fail(FormatErrc::malformed_bundle, "openings: the sealed secrets are damaged");
    RootOpening one;
    std::copy_n(sealed_text.begin(), digest_bytes, one.key.begin());
    const auto tape = sealed_text.subspan(sealed_head_bytes, size);
    one.tape.assign(tape.begin(), tape.end());
    roots.push_back(std::move(one));
    sealed_text = sealed_text.subspan(sealed_head_bytes + size);
  }
  if (roots.empty()) return fail(FormatErrc::malformed_bundle, "openings: no root");
  return roots;
}

Result<Openings> Openings::parse(std::string_view text) {
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  Fields in(value, "openings", FormatErrc::malformed_bundle);
  Openings out;
  static_cast<void>(in.integer("v", {format_version, format_version}));
  static_cast<void>(in.word("type", {"talla-openings"}));
  out.origin = in.filled_text("origin");
  out.shoe = in.text("shoe");
  const auto seq = object_seq("shoe", out.shoe);
  in.require(seq.has_value(), "shoe", "is no shoe id");
  out.close = in.count("close");
  in.require(!seq || out.close > *seq, "close", "comes before the shoe");
  const json::Array* roots = in.array("roots");
  in.require(roots == nullptr || (!roots->empty() && roots->size() <= recommits_max + 1), "roots",
             "holds 1 to 49 roots");
  for (std::size_t i = 0; roots != nullptr && i < roots->size(); ++i)
    out.roots.push_back(in.nested(read_root((*roots)[i])));
  return in.finish(std::move(out));
}

std::string Openings::text() const {
  json::Array list;
  for (const RootOpening& one : roots) {
    list.emplace_back(json::Object{{"key", to_hex(one.key)}, {"tape", to_base64(one.tape)}});
  }
  return json::canonical(json::Value(json::Object{{"close", close},
                                                  {"origin", origin},
                                                  {"roots", std::move(list)},
                                                  {"shoe", shoe},
                                                  {"type", "talla-openings"},
                                                  {"v", format_version}}));
}

}  // namespace talla::certs
