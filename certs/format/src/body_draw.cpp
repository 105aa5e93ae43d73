// What the bodies of a batch hold: each member once, for reader, checker, writers and page.
#include "format/body_draw.hpp"

#include <bit>

#include "call_types.hpp"
#include "described_context.hpp"
#include "draw_types.hpp"

namespace talla::certs {

template <>
struct Description<BatchCommitBody> {
  static constexpr Kind kind = Kind::batch_commit;
  static constexpr std::string_view name = "BATCH_COMMIT";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&BatchCommitBody::table>("table", id_of("table"), "whose draws it is for"),
      must<&BatchCommitBody::count>("count", integer_in(batch_secrets), "secrets in it"),
      must<&BatchCommitBody::root>(
          "root", digest_type,
          "of the tree over the secrets; opened by DRAW, VOID and BATCH_CLOSE"),
      must<&BatchCommitBody::expires_us>(
          "expires", count_type, "microseconds; from then on it is closed at the next occasion"),
      must<&BatchCommitBody::context>("context", context_type, "what fed the secrets")};
  static constexpr NoRules<BatchCommitBody> rules{};
};

template <>
struct Description<DrawBody> {
  static constexpr Kind kind = Kind::draw;
  static constexpr std::string_view name = "DRAW";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&DrawBody::call>("call", count_type, "`seq` of the CALL"),
      must<&DrawBody::openings>("openings", openings_type, openings_words),
      must<&DrawBody::index>("index", integer_in(batch_index), "`at` of the core"),
      must<&DrawBody::secret>("secret", digest_type, "the batch's secret of that index"),
      must<&DrawBody::path>("path", path_type, "inclusion of the secret in the batch's root"),
      must<&DrawBody::outcome>("outcome", OutcomeType{}, "what was drawn"),
      must<&DrawBody::words_used>("words_used", count_type, "words of the tape that were used"),
      must<&DrawBody::words_rejected>("words_rejected", count_type,
                                      "of them refused by the mapping"),
      must<&DrawBody::tape_digest>("tape_digest", digest_type, "of the words used")};
  static constexpr NoRules<DrawBody> rules{};
};

template <>
struct Description<OpenedBefore> {
  static constexpr std::string_view name = "openings[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = OpenedBefore;
  static constexpr std::tuple rows{
      must<&B::id>("id", contributor_id, "of one of `others` of the core"),
      must<&B::value>("value", digest_type, "the number of that contributor"),
      must<&B::signature>("signature", signature_type, "of its key, section 8")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<VoidBody> {
  static constexpr Kind kind = Kind::void_call;
  static constexpr std::string_view name = "VOID";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = VoidBody;
  static constexpr When<B> ordered{[](const B& body) { return body.cause == VoidCause::order; },
                                   "with `cause` `order`"};
  static constexpr When<B> called{[](const B& body) { return body.cause != VoidCause::lapsed; },
                                  "with another `cause` than `lapsed`"};
  static constexpr When<B> lapsed{[](const B& body) { return body.cause == VoidCause::lapsed; },
                                  "with `cause` `lapsed`"};
  static constexpr When<B> withheld{[](const B& body) { return body.cause == VoidCause::withheld; },
                                    "with `cause` `withheld`"};
  static constexpr When<B> opened{[](const B& body) { return body.secret.has_value(); },
                                  "with `secret`"};
  static constexpr std::tuple rows{
      must<&B::cause>("cause", word("order", "unrecoverable", "lapsed", "withheld"),
                      "two persons' order, a secret that does not unseal, a core that did not "
                      "stand any more when it came, or contributors who did not open in time"),
      only<&B::call>(called, "call", count_type, "`seq` of the CALL that it ends"),
      only<&B::lapsed, &CallBody::core>(lapsed, "core", NestedType<CallCore>{.listed = false},
                                        "what was signed, as in CALL"),
      only<&B::lapsed, &CallBody::signature>(lapsed, "signature", signature_type,
                                             "of the table's key, as in CALL"),
      only<&B::by>(ordered, "by", texts_type, "client ids: at least two persons, each once"),
      only<&B::missing>(withheld, "missing", IdsType{}, "of `others` of the core: who did not"),
      may<&B::openings>("openings", ListType<OpenedBefore, &OpenedBefore::id>{.filled = true},
                        "with `cause` `order`: what had been opened, ids ascending"),
      must<&B::outcome>("outcome", OutcomeOrWord{"unknown"},
                        "what it would have been; the text where no secret is opened, or not every "
                        "number is known"),
      may<&B::secret>("secret", digest_type, "the batch's secret of the core's index"),
      only<&B::path>(opened, "path", path_type, "inclusion of the secret in the batch's root")};
  static constexpr std::array<Rule<B>, 5> rules{
      {{"openings",
        [](const B& body) { return body.openings.empty() || body.cause == VoidCause::order; },
        "are there with `cause` `order` alone"},
       {"outcome", [](const B& body) { return !body.outcome || body.secret; },
        "is the text without `secret`"},
       {"outcome", [](const B& body) { return !body.outcome || body.cause != VoidCause::withheld; },
        "is the text with `cause` `withheld`"},
       {"secret",
        [](const B& body) { return !body.secret || body.cause != VoidCause::unrecoverable; },
        "is not there with `cause` `unrecoverable`"},
       {"secret",
        [](const B& body) {
          return !body.secret || !body.lapsed || body.lapsed->core.use == CallUse::draw;
        },
        "is not there with the core of a mix"}}};
};

template <>
struct Description<BatchCloseBody> {
  static constexpr Kind kind = Kind::batch_close;
  static constexpr std::string_view name = "BATCH_CLOSE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&BatchCloseBody::reason>("reason", word("expired", "used", "closed"), "why"),
      must<&BatchCloseBody::first>("first", integer_in({0, batch_secrets.max}),
                                   "index of the first secret without a CALL, `count` when there "
                                   "is none"),
      must<&BatchCloseBody::secrets>("secrets",
                                     DigestsType{static_cast<std::size_t>(batch_secrets.max)},
                                     "all from `first` on"),
      must<&BatchCloseBody::left>(
          "left", path_type,
          "hashes of the complete subtrees over the leaves 0 to `first` - "
          "1, largest first; with the leaves of `secrets` they give `root`")};
  static constexpr std::array<Rule<BatchCloseBody>, 1> rules{
      {{"left",
        [](const BatchCloseBody& body) {
          return body.left.size() == static_cast<std::size_t>(std::popcount(body.first));
        },
        "has one hash for each set bit of `first`"}}};
};

json::Value BatchCommitBody::to_json() const {
  return object_json(*this);
}
Result<BatchCommitBody> BatchCommitBody::from_json(const json::Value& body) {
  return read_described<BatchCommitBody>(body);
}
json::Value DrawBody::to_json() const {
  return object_json(*this);
}
Result<DrawBody> DrawBody::from_json(const json::Value& body) {
  return read_described<DrawBody>(body);
}
json::Value VoidBody::to_json() const {
  return object_json(*this);
}
Result<VoidBody> VoidBody::from_json(const json::Value& body) {
  return read_described<VoidBody>(body);
}
json::Value BatchCloseBody::to_json() const {
  return object_json(*this);
}
Result<BatchCloseBody> BatchCloseBody::from_json(const json::Value& body) {
  return read_described<BatchCloseBody>(body);
}

template Result<ComposedBody> compose(const BatchCommitBody& body);
template Result<ComposedBody> compose(const DrawBody& body);
template Result<ComposedBody> compose(const VoidBody& body);
template Result<ComposedBody> compose(const BatchCloseBody& body);
template MemberTable members_of<BatchCommitBody>();
template MemberTable members_of<DrawBody>();
template MemberTable members_of<VoidBody>();
template MemberTable members_of<BatchCloseBody>();

}  // namespace talla::certs
