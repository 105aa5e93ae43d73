// What the bodies of a batch hold: each member once, for reader, checker, writers and page.
#include "format/body_draw.hpp"

#include <bit>

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
struct Description<IntentBody> {
  static constexpr Kind kind = Kind::intent;
  static constexpr std::string_view name = "INTENT";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&IntentBody::table>("table", id_of("table"), "that of the batch"),
      must<&IntentBody::round>("round", IdType{.of = "round", .or_zero = true},
                               "that it is drawn for; `0`: none"),
      must<&IntentBody::index>("index", integer_in(batch_index), "of the secret: the next one"),
      must<&IntentBody::nonce>("nonce", HexType{nonce_bytes}, "of the client, once in a batch"),
      must<&IntentBody::root>("root", digest_type, "that of the batch"),
      must<&IntentBody::specification>("specification", SpecificationType{}, "what is drawn"),
      must<&IntentBody::bets>("bets", digest_type, "bets digest"),
      must<&IntentBody::digest>("digest", digest_type, "draw digest, section 8"),
      must<&IntentBody::context>("context", context_type,
                                 "the context of the batch, member for member")};
  static constexpr NoRules<IntentBody> rules{};
};

template <>
struct Description<DrawBody> {
  static constexpr Kind kind = Kind::draw;
  static constexpr std::string_view name = "DRAW";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&DrawBody::intent>("intent", count_type, "`seq` of the INTENT"),
      must<&DrawBody::index>("index", integer_in(batch_index), "that of the INTENT"),
      must<&DrawBody::secret>("secret", digest_type, "the batch's secret of that index"),
      must<&DrawBody::path>("path", path_type, "inclusion of the secret in the batch's root"),
      must<&DrawBody::outcome>("outcome", OutcomeType{}, "what was drawn"),
      must<&DrawBody::words_used>("words_used", count_type, "words of the tape that were used"),
      must<&DrawBody::words_rejected>("words_rejected", count_type,
                                      "of them refused by the mapping"),
      must<&DrawBody::tape_digest>("tape_digest", digest_type, "of the words used"),
      must<&DrawBody::context>("context", context_type,
                               "the context of the batch, member for member")};
  static constexpr NoRules<DrawBody> rules{};
};

template <>
struct Description<VoidBody> {
  static constexpr Kind kind = Kind::void_draw;
  static constexpr std::string_view name = "VOID";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr When<VoidBody> by_order{[](const VoidBody& body) { return !body.unrecoverable; },
                                           "with `cause` `order`"};
  static constexpr std::tuple rows{
      must<&VoidBody::intent>("intent", count_type, "`seq` of the INTENT that it ends"),
      must<&VoidBody::unrecoverable>("cause", word("order", "unrecoverable"),
                                     "two persons' order, or a secret that does not unseal"),
      must<&VoidBody::by>("by", texts_type,
                          "client ids; with `cause` `order` at least two persons, each once"),
      must<&VoidBody::outcome>("outcome", OutcomeOrWord{"unrecoverable"},
                               "what it would have been; the text with that `cause`"),
      only<&VoidBody::secret>(by_order, "secret", digest_type, "the batch's secret of that index"),
      only<&VoidBody::path>(by_order, "path", path_type,
                            "inclusion of the secret in the batch's root")};
  static constexpr std::array<Rule<VoidBody>, 1> rules{
      {{"outcome",
        [](const VoidBody& body) { return body.outcome.has_value() != body.unrecoverable; },
        "is the text `unrecoverable` exactly with that `cause`"}}};
};

template <>
struct Description<BatchCloseBody> {
  static constexpr Kind kind = Kind::batch_close;
  static constexpr std::string_view name = "BATCH_CLOSE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&BatchCloseBody::reason>("reason", word("expired", "used", "closed"), "why"),
      must<&BatchCloseBody::first>("first", integer_in({0, batch_secrets.max}),
                                   "index of the first secret without an INTENT, `count` when "
                                   "there is none"),
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
json::Value IntentBody::to_json() const {
  return object_json(*this);
}
Result<IntentBody> IntentBody::from_json(const json::Value& body) {
  return read_described<IntentBody>(body);
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
template Result<ComposedBody> compose(const IntentBody& body);
template Result<ComposedBody> compose(const DrawBody& body);
template Result<ComposedBody> compose(const VoidBody& body);
template Result<ComposedBody> compose(const BatchCloseBody& body);
template MemberTable members_of<BatchCommitBody>();
template MemberTable members_of<IntentBody>();
template MemberTable members_of<DrawBody>();
template MemberTable members_of<VoidBody>();
template MemberTable members_of<BatchCloseBody>();

}  // namespace talla::certs
