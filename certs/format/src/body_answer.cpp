// What ANSWER holds: each member once, for reader, checker, writers and page.
#include "format/body_answer.hpp"

#include "call_types.hpp"

namespace talla::certs {

template <>
struct Description<AnswerBody> {
  static constexpr Kind kind = Kind::answer;
  static constexpr std::string_view name = "ANSWER";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = AnswerBody;
  static constexpr std::tuple rows = std::tuple_cat(
      std::tuple{must<&B::origin>("origin", filled_text, "of the log that holds the call"),
                 must<&B::table>("table", id_of("table"), "that called, in that log"),
                 must<&B::opening>("opening", digest_type, "leaf hash of that table's TABLE_OPEN"),
                 must<&B::turn>("turn", integer_in({1, index32.max}), "of that table"),
                 must<&B::call>("call", digest_type, "C of the core that is answered, section 8"),
                 must<&B::id>("id", contributor_id, "the contributor's in that core"),
                 must<&B::key>("key", Base64Type{.filled = true},
                               "DER SubjectPublicKeyInfo of the contributor's key in that core"),
                 must<&B::t>("t", integer_in({1, index32.max}),
                             "which of the key's numbers at that table")},
      inside<&B::answer>(Always{}, Description<CallOpening>::rows));
  static constexpr NoRules<B> rules{};
};

json::Value AnswerBody::to_json() const {
  return object_json(*this);
}
Result<AnswerBody> AnswerBody::from_json(const json::Value& value) {
  return read_described<AnswerBody>(value);
}

template Result<ComposedBody> compose(const AnswerBody& body);
template MemberTable members_of<AnswerBody>();

}  // namespace talla::certs
