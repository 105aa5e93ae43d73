// What the core of a call holds: each member once, for reader, checker, writers and page.
#include "call_types.hpp"

#include <algorithm>
#include <array>

#include "described_context.hpp"

namespace talla::certs {
namespace {

constexpr std::array<std::string_view, 2> use_words{"mix", "draw"};

Result<MixSpecification> mix_specification_from(const json::Value& value) {
  Fields in(value, "specification", FormatErrc::malformed_specification);
  MixSpecification out;
  out.candidates = static_cast<std::uint32_t>(in.integer("candidates", mix_candidates));
  out.places = static_cast<std::uint32_t>(in.integer("places", shoe_cards));
  return in.finish(std::move(out));
}

json::Value mix_specification_json(const MixSpecification& mix) {
  return json::Object{{"candidates", mix.candidates}, {"places", mix.places}};
}

}  // namespace

std::string_view call_use_word(CallUse use) {
  return use_words[static_cast<std::size_t>(use)];
}

Problem SignatureType::read(const json::Value& value, SignatureP256& out) const {
  const auto bytes = value.is_string() ? from_base64(value.string()) : from_base64("!");
  if (!bytes || bytes->size() != out.size()) return expected(words());
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return nullptr;
}

Problem IdsType::read(const json::Value& value, std::vector<std::string>& out) const {
  if (Problem problem = texts_type.read(value, out)) return problem;
  return check(out);
}

bool contributor_id_fits(std::string_view id) {
  constexpr std::size_t longest = 128;
  return !id.empty() && id.size() <= longest && std::ranges::all_of(id, [](char one) {
    return (one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z') ||
           std::string_view(":./_-").find(one) != std::string_view::npos;
  });
}

Problem IdsType::check(const std::vector<std::string>& ids) const {
  if (!std::ranges::all_of(ids, contributor_id_fits)) return expected(words());
  const bool ascend = std::ranges::adjacent_find(ids, std::ranges::greater_equal{}) == ids.end();
  return !ids.empty() && call_others.holds_count(ids.size()) && ascend ? nullptr
                                                                       : expected(words());
}

Problem CallSpecificationType::read(const json::Value& value, CallSpecification& out) const {
  if (!value.is_object()) return expected(words());
  if (value.find("kind") != nullptr) {
    DrawSpecification draw;
    if (Problem problem = SpecificationType{}.read(value, draw)) return problem;
    out = std::move(draw);
    return nullptr;
  }
  auto mix = mix_specification_from(value);
  if (!mix) return WholeType<CallCore>::from_error(mix.error());
  out = *mix;
  return nullptr;
}

Problem CallSpecificationType::check(const CallSpecification& specification) const {
  if (const auto* draw = std::get_if<DrawSpecification>(&specification))
    return SpecificationType{}.check(*draw);
  const auto& mix = std::get<MixSpecification>(specification);
  const bool fits = mix_candidates.holds(mix.candidates) && shoe_cards.holds(mix.places);
  return fits ? nullptr : expected(words());
}

json::Value CallSpecificationType::json(const CallSpecification& specification) const {
  if (const auto* draw = std::get_if<DrawSpecification>(&specification))
    return specification_json(*draw);
  return mix_specification_json(std::get<MixSpecification>(specification));
}

void CallSpecificationType::write(TextWriter& out, const CallSpecification& specification) const {
  if (const auto* draw = std::get_if<DrawSpecification>(&specification)) {
    SpecificationType{}.write(out, *draw);
    return;
  }
  const auto& mix = std::get<MixSpecification>(specification);
  out.open('{')
      .key("candidates")
      .number(mix.candidates)
      .key("places")
      .number(mix.places)
      .close('}');
}

bool shoe_or_batch(std::string_view id) {
  return object_seq("shoe", id).has_value() || object_seq("batch", id).has_value();
}

bool use_fits(const CallCore& core) {
  return object_seq(core.use == CallUse::mix ? "shoe" : "batch", core.object).has_value();
}

bool index_fits(const CallCore& core) {
  return core.use == CallUse::mix || batch_index.holds(core.at);
}

bool others_fit(const CallCore& core) {
  return call_others.holds_count(core.others.size());
}

template <>
struct Description<CallOrderer> {
  static constexpr std::string_view name = "by[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CallOrderer;
  static constexpr std::tuple rows{
      must<&B::id>("id", filled_text, "of a client: who asked, then who confirmed"),
      must<&B::key>("key", Base64Type{.filled = true},
                    "DER SubjectPublicKeyInfo of that client's P-256 key"),
      must<&B::signature>("signature", signature_type, "of that key, section 8")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<CallOrder> {
  static constexpr std::string_view name = "order";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CallOrder;
  static constexpr std::tuple rows{
      must<&B::head>("head", digest_type, "head (section 2) of the table where they signed"),
      must<&B::by>("by", ListType<CallOrderer>{}, "the two persons")};
  static constexpr std::array<Rule<B>, 1> rules{
      {{"by", [](const B& order) { return order.by.size() == 2; }, "are two"}}};
};

template <>
struct Description<CallBody> {
  static constexpr Kind kind = Kind::call;
  static constexpr std::string_view name = "CALL";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CallBody;
  static constexpr std::tuple rows{
      must<&B::core>("core", NestedType<CallCore>{}, "all that it binds; C, section 8"),
      must<&B::signature>("signature", signature_type, "of the table's key, section 8"),
      may<&B::order>("order", NestedType<CallOrder>{}, "of two persons, section 8")};
  static constexpr NoRules<B> rules{};
};

json::Value CallOrder::to_json() const {
  return object_json(*this);
}
Result<CallOrder> CallOrder::from_json(const json::Value& value) {
  return read_described<CallOrder>(value);
}
json::Value CallCore::to_json() const {
  return object_json(*this);
}
Result<CallCore> CallCore::from_json(const json::Value& value) {
  return read_described<CallCore>(value);
}
std::string CallCore::bytes() const {
  std::string text;
  TextWriter out(text);
  write_object(out, *this);
  return text;
}
json::Value CallBody::to_json() const {
  return object_json(*this);
}
Result<CallBody> CallBody::from_json(const json::Value& body) {
  return read_described<CallBody>(body);
}

template Result<ComposedBody> compose(const CallBody& body);
template MemberTable members_of<CallBody>();

}  // namespace talla::certs
