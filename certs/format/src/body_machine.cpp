// What the bodies of the machine hold: each member once, for reader, checker, writers and page.
#include "format/body_machine.hpp"

#include <algorithm>
#include <array>

#include "call_types.hpp"
#include "described_context.hpp"
#include "table_types.hpp"

namespace talla::certs {
namespace {

bool limits_of_one_kind(const ConfigBody& body) {
  if (body.rollback_limits.empty()) return true;
  constexpr std::array<std::string_view, 4> protections{"local", "tpm", "hsm", "witness"};
  return std::ranges::any_of(protections, [&](std::string_view protection) {
    return body.rollback_limits == rollback_limits(protection);
  });
}

}  // namespace

template <>
struct Description<PowerBody> {
  static constexpr Kind kind = Kind::power;
  static constexpr std::string_view name = "POWER";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = PowerBody;
  static constexpr When<B> start{[](const B& body) { return !body.stop; }, "with `event` `start`"};
  static constexpr std::tuple rows{
      must<&B::stop>("event", word("start", "stop"), "of the appliance"),
      only<&B::clean>(start, "clean", FlagType{}, "the stop before was logged")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<SoftwareBody> {
  static constexpr Kind kind = Kind::software;
  static constexpr std::string_view name = "SOFTWARE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = SoftwareBody;
  static constexpr std::tuple rows{
      must<&B::version>("version", filled_text, "of the program"),
      must<&B::digest>("digest", digest_type, "SHA-256 of the program file"),
      may<&B::manifest>("manifest", digest_type,
                        "digest of the signed manifest of section 12 that the start was checked "
                        "against")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<ConfigBody> {
  static constexpr Kind kind = Kind::config;
  static constexpr std::string_view name = "CONFIG";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ConfigBody;
  static constexpr std::tuple rows{
      must<&B::digest>("digest", digest_type, "SHA-256 of the configuration file"),
      must<&B::production>("profile", word("development", "production"), "of the start"),
      may<&B::rollback_limits>("rollback_limits", texts_type,
                               "what the rollback protection of this start does not stop, above"),
      may<&B::settings>("settings", digest_type,
                        "digest of the settings that a certification covers (section 14)"),
      may<&B::certifications>("certifications", path_type,
                              "digests of the certifications that the appliance has from here on "
                              "(section 14)")};
  static constexpr std::array<Rule<B>, 1> rules{
      {{"rollback_limits", limits_of_one_kind,
        "are all those of one kind of protection, in its order"}}};
};

template <>
struct Description<OpenedRoot> {
  static constexpr std::string_view name = "root";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = OpenedRoot;
  static constexpr std::tuple rows{must<&B::key>("key", digest_type, "K"),
                                   must<&B::tape>("tape", Base64Type{}, "of the shuffle")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<KeyBody> {
  static constexpr Kind kind = Kind::key;
  static constexpr std::string_view name = "KEY";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = KeyBody;
  static constexpr When<B> log{[](const B& body) { return body.purpose == KeyPurpose::log; },
                               "with `purpose` `log`"};
  static constexpr When<B> client{[](const B& body) { return body.purpose == KeyPurpose::client; },
                                  "with `purpose` `client`"};
  static constexpr When<B> before{[](const B& body) {
                                    return body.purpose == KeyPurpose::predecessor ||
                                           body.purpose == KeyPurpose::place;
                                  },
                                  "with `purpose` `predecessor` or `place`"};
  static constexpr When<B> secret{
      [](const B& body) { return body.purpose == KeyPurpose::predecessor; },
      "with `purpose` `predecessor`"};
  static constexpr When<B> placed{[](const B& body) { return body.purpose == KeyPurpose::place; },
                                  "with `purpose` `place`"};
  static constexpr std::tuple own_rows{
      must<&B::purpose>("purpose", word("log", "client", "predecessor", "place"),
                        "the log's own key; a client's; a secret of the log before; a place of "
                        "the log before"),
      only<&B::log_key>(log, "log_key", WholeType<LogKey>{"object, section 5"},
                        "key of the log from here on"),
      may<&B::predecessor>("predecessor", Base64Type{.filled = true},
                           "with `purpose` `log`: the bytes of the last checkpoint of the origin "
                           "before; the first KEY only"),
      only<&B::id>(client, "id", filled_text, "of the client"),
      only<&B::spki>(client, "spki", digest_type, "SPKI digest of its key"),
      only<&B::roles>(client, "roles", texts_type, "of the client"),
      only<&B::revoke>(client, "action", word("enrol", "revoke"),
                       "new keys or roles of a client are `revoke`, then `enrol`"),
      only<&B::origin>(before, "origin", filled_text, "of the log before"),
      only<&B::object>(secret, "object", filled_text, "object id there"),
      only<&B::commit>(secret, "commit", count_type,
                       "`seq` there of the record that committed to the secret"),
      only<&B::result>(secret, "result", word("opened", "kept", "lost"),
                       "`kept`: of a covered shoe, stays sealed; `lost`: its key is gone"),
      may<&B::root>("root", NestedType<OpenedRoot>{}, "with `opened`: of a shoe"),
      may<&B::close>("close", WholeType<BatchCloseBody>{"object, the body of a BATCH_CLOSE"},
                     "with `opened`: every unused secret of a batch"),
      may<&B::draw>("draw", WholeType<DrawBody>{"object, the body of a DRAW"},
                    "with `opened`: of a CALL that was open"),
      only<&B::place>(placed, "place", place_text, "lasting name of a table in the house"),
      only<&B::opened>(placed, "opened", integer_in(from_one), "how often one was opened there")};
  static constexpr std::tuple rows =
      std::tuple_cat(own_rows, inside<&B::counts>(placed, place_counts_rows));
  static constexpr std::array<Rule<B>, 2> rules{
      {{"predecessor",
        [](const B& body) { return body.predecessor.empty() || body.purpose == KeyPurpose::log; },
        "stands only with `purpose` `log`"},
       {"result",
        [](const B& body) {
          const bool opened =
              body.purpose == KeyPurpose::predecessor && body.result == SecretFate::opened;
          return int{body.root.has_value()} + int{body.close.has_value()} +
                     int{body.draw.has_value()} ==
                 int{opened};
        },
        "is `opened` with one of `root`, `close` and `draw`, which stand nowhere else"}}};
};

template <>
struct Description<SelftestBody> {
  static constexpr Kind kind = Kind::selftest;
  static constexpr std::string_view name = "SELFTEST";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = SelftestBody;
  static constexpr std::tuple rows{must<&B::test>("test", filled_text, "which, below"),
                                   must<&B::failed>("result", word("pass", "fail"), "of the test"),
                                   must<&B::count>("count", count_type, "of what was looked at")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<HealthBody> {
  static constexpr Kind kind = Kind::health;
  static constexpr std::string_view name = "HEALTH";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = HealthBody;
  static constexpr std::tuple rows{
      must<&B::source>("source", filled_text, "model, or a monitor"),
      must<&B::test>("test", filled_text, "which, below"),
      must<&B::level>("level", integer_in({1, 2}), "of the alarm"),
      must<&B::dropped>("dropped", count_type, "samples wiped"),
      must<&B::last_good_us>("last_good_us", count_type, "microseconds, begin of the window"),
      must<&B::alarm_us>("alarm_us", count_type, "microseconds, end of the window"),
      must<&B::overlapping>("overlapping", texts_type,
                            "object ids whose commitment used samples of the window")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<ReseedBody> {
  static constexpr Kind kind = Kind::reseed;
  static constexpr std::string_view name = "RESEED";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ReseedBody;
  static constexpr std::tuple rows{
      must<&B::counter>("counter", count_type, "of the generator"),
      must<&B::cause>("cause", word("startup", "request", "timer"), "why"),
      must<&B::assessed_millibits>("assessed_millibits", count_type,
                                   "assessed min-entropy that went in, 1/1000 bit")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<AccessOrder> {
  static constexpr std::string_view name = "order";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = AccessOrder;
  static constexpr std::tuple rows{
      must<&B::head>("head", digest_type,
                     "head (section 2) of the table, that both sign; without a table below"),
      must<&B::key>("key", Base64Type{.filled = true},
                    "DER SubjectPublicKeyInfo of the client's P-256 key"),
      must<&B::signature>("signature", signature_type, "of that key, section 8")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<AccessBody> {
  static constexpr Kind kind = Kind::access;
  static constexpr std::string_view name = "ACCESS";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = AccessBody;
  static constexpr std::tuple rows{
      must<&B::what>("what", filled_text, "which act, below"),
      must<&B::refused>("result", word("allowed", "refused"), "of the act"),
      may<&B::object>("object", filled_text, "that it is about"),
      may<&B::by>("by", texts_type, "client ids of all persons so far"),
      may<&B::digest>("digest", digest_type, "of what is asked for"),
      may<&B::key>("key", WholeType<KeyBody>{"object, the body of a KEY"},
                   "the KEY that is asked for"),
      may<&B::order>("order", NestedType<AccessOrder>{},
                     "with an act that is signed: what its client signs")};
  static constexpr NoRules<B> rules{};
};

json::Value PowerBody::to_json() const {
  return object_json(*this);
}
Result<PowerBody> PowerBody::from_json(const json::Value& value) {
  return read_described<PowerBody>(value);
}
json::Value SoftwareBody::to_json() const {
  return object_json(*this);
}
Result<SoftwareBody> SoftwareBody::from_json(const json::Value& value) {
  return read_described<SoftwareBody>(value);
}
json::Value ConfigBody::to_json() const {
  return object_json(*this);
}
Result<ConfigBody> ConfigBody::from_json(const json::Value& value) {
  return read_described<ConfigBody>(value);
}
json::Value KeyBody::to_json() const {
  return object_json(*this);
}
Result<KeyBody> KeyBody::from_json(const json::Value& value) {
  return read_described<KeyBody>(value);
}
json::Value SelftestBody::to_json() const {
  return object_json(*this);
}
Result<SelftestBody> SelftestBody::from_json(const json::Value& value) {
  return read_described<SelftestBody>(value);
}
json::Value HealthBody::to_json() const {
  return object_json(*this);
}
Result<HealthBody> HealthBody::from_json(const json::Value& value) {
  return read_described<HealthBody>(value);
}
json::Value ReseedBody::to_json() const {
  return object_json(*this);
}
Result<ReseedBody> ReseedBody::from_json(const json::Value& value) {
  return read_described<ReseedBody>(value);
}
json::Value AccessBody::to_json() const {
  return object_json(*this);
}
Result<AccessBody> AccessBody::from_json(const json::Value& value) {
  return read_described<AccessBody>(value);
}

template Result<ComposedBody> compose(const PowerBody& body);
template Result<ComposedBody> compose(const SoftwareBody& body);
template Result<ComposedBody> compose(const ConfigBody& body);
template Result<ComposedBody> compose(const KeyBody& body);
template Result<ComposedBody> compose(const SelftestBody& body);
template Result<ComposedBody> compose(const HealthBody& body);
template Result<ComposedBody> compose(const ReseedBody& body);
template Result<ComposedBody> compose(const AccessBody& body);
template MemberTable members_of<PowerBody>();
template MemberTable members_of<SoftwareBody>();
template MemberTable members_of<ConfigBody>();
template MemberTable members_of<KeyBody>();
template MemberTable members_of<SelftestBody>();
template MemberTable members_of<HealthBody>();
template MemberTable members_of<ReseedBody>();
template MemberTable members_of<AccessBody>();

}  // namespace talla::certs
