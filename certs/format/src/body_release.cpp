// What the bodies of a release hold: each member once, for reader, checker, writers and page.
#include "format/body_release.hpp"

#include "call_types.hpp"
#include "member_types.hpp"

namespace talla::certs {
namespace {

constexpr auto form_words = word("order", "targets", "shelf");
constexpr auto result_words = word("match", "mismatch", "jam", "lid");
/// Absent for the whole order, so the word for that stands in no record.
struct FormType {
  [[nodiscard]] Problem read(const json::Value& value, ReleaseForm& out) const {
    return form_words.read(value, out);
  }
  [[nodiscard]] Problem check(ReleaseForm form) const { return form_words.check(form); }
  [[nodiscard]] json::Value json(ReleaseForm form) const { return form_words.json(form); }
  void write(TextWriter& out, ReleaseForm form) const { form_words.write(out, form); }
  [[nodiscard]] std::string words() const {
    return words_of(std::span(form_words.names).subspan(1));
  }
};

}  // namespace

template <>
struct Description<ShoeReleaseBody> {
  static constexpr Kind kind = Kind::shoe_release;
  static constexpr std::string_view name = "SHOE_RELEASE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeReleaseBody;
  static constexpr When<B> shelf{[](const B& body) { return body.form == ReleaseForm::shelf; },
                                 "with `form` `shelf`"};
  static constexpr std::tuple rows{
      must<&B::machine>("machine", filled_text, "client id of the machine"),
      must<&B::key>("order_known_to", digest_type, "SPKI digest of its key"),
      must<&B::ciphertext>("ciphertext", digest_type,
                           "SHA-256 of all bytes that the machine is ever given"),
      may<&B::form>("form", FormType{}, "without it the whole order"),
      only<&B::compartments>(shelf, "compartments", integer_in(shelf_compartments),
                             "of the machine"),
      may<&B::reverses>("reverses", FlagType{},
                        "true: its compartments give cards back last in, first out")};
  static constexpr std::array<Rule<B>, 1> rules{
      {{"reverses", [](const B& body) { return !body.reverses || body.form == ReleaseForm::shelf; },
        "stands only with `form` `shelf`"}}};
};

template <>
struct Description<ShuffleReportBody> {
  static constexpr Kind kind = Kind::shuffle_report;
  static constexpr std::string_view name = "SHUFFLE_REPORT";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShuffleReportBody;
  static constexpr std::tuple rows{
      must<&B::number>("number", integer_in(from_one), "of the reports of this release, from 1"),
      must<&B::recognised>("recognised", integer_in(machine_places),
                           "places whose card was recognised"),
      must<&B::result>("result", result_words, "what the machine found"),
      may<&B::position>("position", integer_in(machine_places),
                        "first place with another card than the order's"),
      may<&B::complete>("census", word("wrong", "complete"),
                        "`complete`: the recognised cards are exactly those of the root"),
      may<&B::seen>("seen", digest_type, "section 7"),
      may<&B::targets>("targets", integer_in(machine_places),
                       "how many were given; exactly for form `targets`"),
      must<&B::key>("key", Base64Type{.filled = true},
                    "DER SubjectPublicKeyInfo of the machine's P-256 key"),
      must<&B::signature>("signature", signature_type, "of that key, section 7")};
  static constexpr std::array<Rule<B>, 3> rules{
      {{"census", [](const B& body) { return body.complete.has_value() == body.seen.has_value(); },
        "stands with `seen`, and neither without the other"},
       {"result",
        [](const B& body) {
          return body.result != ShuffleResult::match || (body.complete == true && !body.position);
        },
        "is `match` only with `census` `complete` and without `position`"},
       {"result",
        [](const B& body) {
          return body.result != ShuffleResult::mismatch || (body.seen && body.position);
        },
        "is `mismatch` only with `seen` and `position`"}}};
};

std::string_view form_name(ReleaseForm form) {
  return form_words.names.at(static_cast<std::size_t>(form));
}

std::string_view result_name(ShuffleResult result) {
  return result_words.names.at(static_cast<std::size_t>(result));
}

json::Value ShoeReleaseBody::to_json() const {
  return object_json(*this);
}
Result<ShoeReleaseBody> ShoeReleaseBody::from_json(const json::Value& value) {
  return read_described<ShoeReleaseBody>(value);
}
json::Value ShuffleReportBody::to_json() const {
  return object_json(*this);
}
Result<ShuffleReportBody> ShuffleReportBody::from_json(const json::Value& value) {
  return read_described<ShuffleReportBody>(value);
}

template Result<ComposedBody> compose(const ShoeReleaseBody& body);
template Result<ComposedBody> compose(const ShuffleReportBody& body);
template MemberTable members_of<ShoeReleaseBody>();
template MemberTable members_of<ShuffleReportBody>();

}  // namespace talla::certs
