// What the bodies of meters hold: each member once, for reader, checker, writers and page.
#include "format/body_table.hpp"
#include "table_types.hpp"

namespace talla::certs {

template <>
struct Description<MeterOpenBody> {
  static constexpr Kind kind = Kind::meter_open;
  static constexpr std::string_view name = "METER_OPEN";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = MeterOpenBody;
  static constexpr std::tuple rows{
      must<&B::meter>("meter", filled_text, "the game's word for it"),
      must<&B::catalogue>("catalogue", digest_type, "that of every table that shares it"),
      must<&B::game>("game", filled_text, "that of every table that shares it"),
      must<&B::variant>("variant", any_text, "that of every table that shares it"),
      must<&B::currency>("currency", filled_text, "that of every table that shares it"),
      must<&B::unit>("unit", fraction_text, "that of every table that shares it"),
      must<&B::terms>("terms", ObjectType{},
                      "what the rules of such a table say of stake, contribution, prizes and "
                      "`opening`, the units it begins with"),
      must<&B::value>("value", count_type, "units that it begins with now"),
      may<&B::continues>("continues", id_of("meter"), "meter whose rest it takes over")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<MeterCloseBody> {
  static constexpr Kind kind = Kind::meter_close;
  static constexpr std::string_view name = "METER_CLOSE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = MeterCloseBody;
  static constexpr std::tuple rows{
      must<&B::value>("value", count_type, "units left in it; no open table shares it")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<MeterBody> {
  static constexpr Kind kind = Kind::meter;
  static constexpr std::string_view name = "METER";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = MeterBody;
  static constexpr std::tuple rows{
      must<&B::meter>("meter", filled_text, "the game's word for it"),
      may<&B::round>("round", id_of("round"),
                     "that moved a meter which tables share; without it the meter is the table's"),
      must<&B::before>("before", count_type, "units, the `after` of the same meter's METER before"),
      must<&B::contribution>("contribution", count_type, "units put in"),
      must<&B::award>("award", count_type, "units taken out"),
      must<&B::after>("after", count_type, "units")};
  static constexpr std::array<Rule<B>, 1> rules{
      {{"after",
        [](const B& body) { return body.before + body.contribution - body.award == body.after; },
        "is `before` + `contribution` - `award`"}}};
};

json::Value MeterOpenBody::to_json() const {
  return object_json(*this);
}
Result<MeterOpenBody> MeterOpenBody::from_json(const json::Value& value) {
  return read_described<MeterOpenBody>(value);
}
json::Value MeterCloseBody::to_json() const {
  return object_json(*this);
}
Result<MeterCloseBody> MeterCloseBody::from_json(const json::Value& value) {
  return read_described<MeterCloseBody>(value);
}
json::Value MeterBody::to_json() const {
  return object_json(*this);
}
Result<MeterBody> MeterBody::from_json(const json::Value& value) {
  return read_described<MeterBody>(value);
}

template Result<ComposedBody> compose(const MeterOpenBody& body);
template Result<ComposedBody> compose(const MeterCloseBody& body);
template Result<ComposedBody> compose(const MeterBody& body);
template MemberTable members_of<MeterOpenBody>();
template MemberTable members_of<MeterCloseBody>();
template MemberTable members_of<MeterBody>();

}  // namespace talla::certs
