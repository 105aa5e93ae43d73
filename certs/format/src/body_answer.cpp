// What ANSWER holds: each member once, for reader, checker, writers and page.
#include "format/body_answer.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "call_types.hpp"

namespace talla::certs {

template <>
struct Description<AnswerBody> {
  static constexpr Kind kind = Kind::answer;
  static constexpr std::string_view name = "ANSWER";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = AnswerBody;
  static constexpr std::tuple rows = std::tuple_cat(
      std::tuple{
          must<&B::core>("core", NestedType<CallCore>{.listed = false},
                         "that is answered, as in CALL; of another log"),
          must<&B::opening>("opening", digest_type, "leaf hash of the TABLE_OPEN of its table"),
          must<&B::id>("id", contributor_id, "of one of `others` of the core: who answers")},
      inside<&B::answer>(Always{}, Description<CallOpening>::rows));
  static constexpr std::array<Rule<B>, 1> rules{
      {{"id",
        [](const B& body) {
          return std::ranges::find(body.core.others, body.id, &Contributor::id) !=
                 body.core.others.end();
        },
        "is one of `others` of the core"}}};
};

const Contributor& AnswerBody::own() const {
  const auto found = std::ranges::find(core.others, id, &Contributor::id);
  TALLA_CHECK(found != core.others.end());
  return *found;
}
json::Value AnswerBody::to_json() const {
  return object_json(*this);
}
Result<AnswerBody> AnswerBody::from_json(const json::Value& value) {
  return read_described<AnswerBody>(value);
}

template Result<ComposedBody> compose(const AnswerBody& body);
template MemberTable members_of<AnswerBody>();

}  // namespace talla::certs
