// What bodies of tables and rounds hold: each member once, for reader, checker, writers and page.
#include "format/body_table.hpp"

#include "format/draw_format.hpp"
#include "games/money.hpp"
#include "shuffle/deck.hpp"
#include "table_types.hpp"

namespace talla::certs {
namespace {

constexpr TextType rounding_word =
    spelled([](std::string_view text) { return games::rounding_from(text).has_value(); },
            "`down`, `up` or `nearest`");

constexpr std::string_view place_words = "lasting name of the table in the house";
constexpr std::string_view opened_words = "how often a table was opened there, with this one";

/// The running counts, last in their bodies.
template <class B>
struct Counts {
  static constexpr std::tuple rows = inside<&B::counts>(Always{}, place_counts_rows);
};

bool range_fits(const TableOpenBody& body) {
  const json::Value* range = body.settled_by_client ? body.parameters.find("range") : nullptr;
  return range == nullptr || specification_from_json(*range).has_value();
}
bool deck_fits(const TableOpenBody& body) {
  const json::Value* deck = body.settled_by_client ? body.parameters.find("deck") : nullptr;
  return deck == nullptr ||
         (deck->is_string() && shuffle::DeckSpec::parse(deck->string()).has_value());
}
bool decides_nothing(const ActionBody& body) {
  return body.bet.empty() && !body.amount && body.cards.empty() && body.to.empty();
}

}  // namespace

template <>
struct Description<CallPolicy> {
  static constexpr std::string_view name = "policy";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CallPolicy;
  static constexpr std::tuple rows{
      must<&B::required>("required", KeysType{}, "keys that every call needs beside the table's"),
      must<&B::mix>("mix", word("shoe", "round"),
                    "when an order is mixed: once for each root, or behind the bets of each round "
                    "too"),
      must<&B::candidates>("candidates", integer_in(mix_candidates), "roots that a mix picks from"),
      must<&B::max_voids>("max_voids", integer_in(voids_allowed),
                          "of a round or object; each further CALL takes two persons"),
      must<&B::open_within>("open_within", integer_in(open_within_seconds),
                            "seconds in which contributors open")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<TableOpenBody> {
  static constexpr Kind kind = Kind::table_open;
  static constexpr std::string_view name = "TABLE_OPEN";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = TableOpenBody;
  static constexpr When<B> continued{[](const B& body) { return !body.continues.empty(); },
                                     "with `continues`"};
  static constexpr std::tuple own_rows{
      must<&B::place>("place", place_text, place_words),
      must<&B::opened>("opened", integer_in(from_one), opened_words),
      may<&B::predecessor>("predecessor", filled_text,
                           "origin of the log before, where the openings before are of that log"),
      must<&B::key>("key", Base64Type{.filled = true},
                    "DER SubjectPublicKeyInfo of the P-256 key that signs its calls"),
      must<&B::chain>("chain", ChainType{}, "certificates of that key, its own first, section 8"),
      must<&B::policy>("policy", NestedType<CallPolicy>{}, "what its calls are held to"),
      must<&B::game>("game", any_text, "of the catalogue; empty only for `client`"),
      must<&B::variant>("variant", any_text, "of the game"),
      must<&B::catalogue>("catalogue", digest_type, "catalogue digest"),
      must<&B::parameters>("parameters", ObjectType{},
                           "for `appliance` every parameter of the game, also those left at their "
                           "default; for `client` perhaps `range` or `deck`, below"),
      must<&B::currency>("currency", any_text, "ISO 4217; empty for a table without money"),
      must<&B::unit>("unit", fraction_text, "worth of one unit in the currency"),
      must<&B::chip>("chip", integer_in(from_one), "stakes are multiples of it, in units"),
      must<&B::rounding>("rounding", rounding_word, "of what is paid"),
      must<&B::min>("min", count_type, "least stake in units; 0: none"),
      must<&B::max>("max", count_type, "largest stake in units; 0: none"),
      must<&B::settled_by_client>("settled_by", word("appliance", "client"), "who settles"),
      may<&B::continues>("continues", id_of("table"),
                         "table of the same catalogue, game, currency, unit, chip and rounding "
                         "that was closed for it"),
      only<&B::carried>(continued, "carried", digest_type,
                        "state digest of what that table's last round left"),
      may<&B::meters>("meters", MetersType{},
                      "the game's word for each meter that the table shares with others")};
  static constexpr std::tuple rows = std::tuple_cat(own_rows, Counts<B>::rows);
  static constexpr std::array<Rule<B>, 9> rules{
      {{"opened", [](const B& body) { return body.opened > 1 || body.counts == PlaceCounts{}; },
        "is above 1 where something is counted"},
       {"opened", [](const B& body) { return body.opened > 1 || body.predecessor.empty(); },
        "is above 1 with `predecessor`"},
       {"predecessor",
        [](const B& body) { return body.predecessor.empty() || body.continues.empty(); },
        "stands without `continues`"},
       {"game", [](const B& body) { return body.settled_by_client || !body.game.empty(); },
        "is not empty when the appliance settles"},
       {"continues",
        [](const B& body) { return !body.settled_by_client || body.continues.empty(); },
        "is for tables that the appliance settles"},
       {"meters", [](const B& body) { return !body.settled_by_client || body.meters.empty(); },
        "are for tables that the appliance settles"},
       {"policy.mix",
        [](const B& body) { return !body.settled_by_client || body.policy.mix == MixRule::shoe; },
        "is `shoe` when the client settles"},
       {"parameters.range", range_fits, "is a draw specification, section 8"},
       {"parameters.deck", deck_fits, "is a deck specification, section 7"}}};
};

template <>
struct Description<TableCloseBody> {
  static constexpr Kind kind = Kind::table_close;
  static constexpr std::string_view name = "TABLE_CLOSE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = TableCloseBody;
  static constexpr std::tuple rows = std::tuple_cat(
      std::tuple{must<&B::place>("place", place_text, "that of TABLE_OPEN"),
                 must<&B::opened>("opened", integer_in(from_one), "that of TABLE_OPEN"),
                 must<&B::rounds>("rounds", count_type, "opened at the table"),
                 must<&B::voided>("reason", word("closed", "voided"),
                                  "`voided`: by two persons; a round that was open then ended "
                                  "without SETTLEMENT")},
      Counts<B>::rows);
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<SeatKey> {
  static constexpr std::string_view name = "keys[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = SeatKey;
  static constexpr std::tuple rows{
      must<&B::seat>("seat", integer_in(seat_numbers), "whose covered cards go to this key"),
      must<&B::spki>("spki", Base64Type{.filled = true},
                     "DER SubjectPublicKeyInfo of a P-256 key")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<RoundOpenBody> {
  static constexpr Kind kind = Kind::round_open;
  static constexpr std::string_view name = "ROUND_OPEN";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = RoundOpenBody;
  static constexpr std::tuple rows{
      must<&B::table>("table", id_of("table"), "whose round it is"),
      must<&B::number>("number", integer_in(from_one), "of the round at the table, without gaps"),
      must<&B::state_before>("state_before", digest_type,
                             "state digest, before the announcement of a last round"),
      may<&B::shoe>("shoe", id_of("shoe"), "that is played from"),
      may<&B::last>("last", SessionEndType{},
                    "the end of the session is announced: this round is the last, so many are left "
                    "with it, or it ends with the shoe"),
      may<&B::keys>("keys", ListType<SeatKey, &SeatKey::seat>{.filled = true}, "section 7")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<RoundEndBody> {
  static constexpr Kind kind = Kind::round_end;
  static constexpr std::string_view name = "ROUND_END";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = RoundEndBody;
  static constexpr std::tuple rows =
      std::tuple_cat(std::tuple{must<&B::state_after>("state_after", digest_type,
                                                      "state digest of what the round leaves"),
                                must<&B::dealt>("dealt", integer_in(index32),
                                                "cards dealt under the newest root of the shoe "
                                                "that is live; 0 without one")},
                     Counts<B>::rows);
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<Bet> {
  static constexpr std::string_view name = "bets[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&Bet::id>("id", filled_text, "of the bet in its round"),
      must<&Bet::seat>("seat", count_type, "whose bet it is"),
      must<&Bet::kind>("kind", filled_text, "the catalogue's word"),
      must<&Bet::stake>("stake", count_type, "units"),
      may<&Bet::on>("on", texts_type, "position codes"),
      may<&Bet::box>("box", count_type, "where it stands, when not at the seat")};
  static constexpr NoRules<Bet> rules{};
};

/// The rows of a body in numbered parts, beside its list.
template <class B>
struct Parts {
  static constexpr Beside<B> numbered{"part", [](const B& body) { return body.part.count != 0; },
                                      "in a numbered part"};
  static constexpr When<B> last{[](const B& body) { return body.part.last(); },
                                "in the last part, or without parts"};
  static constexpr std::tuple rows{
      only<&B::part, &Part::number>(numbered, "part", integer_in({1, part_counts.max}),
                                    "which part, section 2"),
      only<&B::part, &Part::count>(numbered, "parts", integer_in(part_counts),
                                   "how many there are")};
  static constexpr Rule<B> order{"part",
                                 [](const B& body) { return body.part.number <= body.part.count; },
                                 "is at most `parts`"};
};

template <>
struct Description<BetsClosedBody> {
  static constexpr Kind kind = Kind::bets_closed;
  static constexpr std::string_view name = "BETS_CLOSED";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = BetsClosedBody;
  static constexpr std::tuple rows = std::tuple_cat(
      Parts<B>::rows,
      std::tuple{must<&B::bets>("bets", ListType<Bet>{}, "all that counts in this round"),
                 only<&B::digest>(Parts<B>::last, "digest", digest_type, "bets digest"),
                 only<&B::withdrawn>(Parts<B>::last, "withdrawn", texts_type,
                                     "ids of bets taken back in this round")});
  static constexpr std::array<Rule<B>, 2> rules{
      {Parts<B>::order,
       {"bets",
        [](const B& body) { return body.part.count == 0 || body.part.last() == body.bets.empty(); },
        "are empty in the last of several parts, and in no other"}}};
};

template <>
struct Description<ActionBody> {
  static constexpr Kind kind = Kind::action;
  static constexpr std::string_view name = "ACTION";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ActionBody;
  static constexpr std::tuple rows{
      must<&B::seat>("seat", count_type, "that acts"),
      must<&B::action>("do", any_text, "the catalogue's word; empty for a time-out"),
      must<&B::time_out>("cause", word("decision", "time_out"), "why"),
      may<&B::bet>("bet", filled_text, "id of the bet that it is about"),
      may<&B::amount>("amount", count_type, "units"),
      may<&B::cards>("cards", texts_type, "card codes or places"),
      may<&B::to>("to", filled_text, "to whom or where"),
      must<&B::state_before>("state_before", digest_type, "state digest just before it")};
  static constexpr std::array<Rule<B>, 2> rules{
      {{"do", [](const B& body) { return body.action.empty() == body.time_out; },
        "is empty exactly for a time-out"},
       {"cause", [](const B& body) { return !body.time_out || decides_nothing(body); },
        "is `time_out` only without an optional member"}}};
};

template <>
struct Description<MisdealBody> {
  static constexpr Kind kind = Kind::misdeal;
  static constexpr std::string_view name = "MISDEAL";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = MisdealBody;
  static constexpr std::tuple rows{
      must<&B::code>("code", filled_text, "of the catalogue's error table"),
      may<&B::place>("place", filled_text, "where it happened"),
      may<&B::amount>("amount", integer_in(from_one), "chips that were put in by error"),
      must<&B::effect>("effect", filled_text, "that of the code in the error table")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<HandConfirmedBody> {
  static constexpr Kind kind = Kind::hand_confirmed;
  static constexpr std::string_view name = "HAND_CONFIRMED";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = HandConfirmedBody;
  static constexpr std::tuple rows{
      must<&B::state_before>("state_before", digest_type,
                             "state digest; staff have seen the complete hand in this state")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<SettlementResult> {
  static constexpr std::string_view name = "results[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = SettlementResult;
  static constexpr std::tuple rows{
      must<&B::bet>("bet", filled_text, "id of the bet"),
      must<&B::seat>("seat", count_type, "that of the bet"),
      must<&B::kind>("kind", filled_text, "that of the bet"),
      must<&B::stake>("stake", count_type, "units"),
      must<&B::result>("result", one_of("win", "lose", "push", "half", "prison", "freed", "void"),
                       "of the bet by the rules"),
      must<&B::returned>("returned", count_type, "units, with the stake"),
      must<&B::rule>("rule", filled_text, "game number and section"),
      may<&B::remainder>("remainder", filled_text,
                         "`n` or `n/d` in lowest terms: exact amount minus `returned`")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<SettlementBody> {
  static constexpr Kind kind = Kind::settlement;
  static constexpr std::string_view name = "SETTLEMENT";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = SettlementBody;
  static constexpr std::tuple rows = std::tuple_cat(
      Parts<B>::rows,
      std::tuple{must<&B::results>("results", ListType<SettlementResult>{},
                                   "every result that the rules gave in the round, in their order"),
                 only<&B::state_before>(Parts<B>::last, "state_before", digest_type,
                                        "state digest at ROUND_OPEN"),
                 only<&B::state_after>(Parts<B>::last, "state_after", digest_type,
                                       "state digest after the last event before it")});
  static constexpr std::array<Rule<B>, 2> rules{
      {Parts<B>::order,
       {"results",
        [](const B& body) {
          return body.part.count == 0 || body.part.last() == body.results.empty();
        },
        "are empty in the last of several parts, and in no other"}}};
};

json::Value bets_json(const std::vector<Bet>& bets) {
  return ListType<Bet>{}.json(bets);
}

json::Value TableOpenBody::to_json() const {
  return object_json(*this);
}
Result<TableOpenBody> TableOpenBody::from_json(const json::Value& value) {
  return read_described<TableOpenBody>(value);
}
json::Value RoundOpenBody::to_json() const {
  return object_json(*this);
}
Result<RoundOpenBody> RoundOpenBody::from_json(const json::Value& value) {
  return read_described<RoundOpenBody>(value);
}
json::Value BetsClosedBody::to_json() const {
  return object_json(*this);
}
Result<BetsClosedBody> BetsClosedBody::from_json(const json::Value& value) {
  return read_described<BetsClosedBody>(value);
}
json::Value ActionBody::to_json() const {
  return object_json(*this);
}
Result<ActionBody> ActionBody::from_json(const json::Value& value) {
  return read_described<ActionBody>(value);
}
json::Value MisdealBody::to_json() const {
  return object_json(*this);
}
Result<MisdealBody> MisdealBody::from_json(const json::Value& value) {
  return read_described<MisdealBody>(value);
}
json::Value HandConfirmedBody::to_json() const {
  return object_json(*this);
}
Result<HandConfirmedBody> HandConfirmedBody::from_json(const json::Value& value) {
  return read_described<HandConfirmedBody>(value);
}
json::Value SettlementBody::to_json() const {
  return object_json(*this);
}
Result<SettlementBody> SettlementBody::from_json(const json::Value& value) {
  return read_described<SettlementBody>(value);
}
json::Value Bet::to_json() const {
  return object_json(*this);
}
Result<Bet> Bet::from_json(const json::Value& value) {
  return read_described<Bet>(value);
}
json::Value SettlementResult::to_json() const {
  return object_json(*this);
}
Result<SettlementResult> SettlementResult::from_json(const json::Value& value) {
  return read_described<SettlementResult>(value);
}
json::Value TableCloseBody::to_json() const {
  return object_json(*this);
}
Result<TableCloseBody> TableCloseBody::from_json(const json::Value& value) {
  return read_described<TableCloseBody>(value);
}
json::Value RoundEndBody::to_json() const {
  return object_json(*this);
}
Result<RoundEndBody> RoundEndBody::from_json(const json::Value& value) {
  return read_described<RoundEndBody>(value);
}

template Result<ComposedBody> compose(const TableOpenBody& body);
template Result<ComposedBody> compose(const RoundOpenBody& body);
template Result<ComposedBody> compose(const BetsClosedBody& body);
template Result<ComposedBody> compose(const ActionBody& body);
template Result<ComposedBody> compose(const MisdealBody& body);
template Result<ComposedBody> compose(const HandConfirmedBody& body);
template Result<ComposedBody> compose(const SettlementBody& body);
template MemberTable members_of<TableOpenBody>();
template MemberTable members_of<RoundOpenBody>();
template MemberTable members_of<BetsClosedBody>();
template MemberTable members_of<ActionBody>();
template MemberTable members_of<MisdealBody>();
template MemberTable members_of<HandConfirmedBody>();
template MemberTable members_of<SettlementBody>();
template Result<ComposedBody> compose(const TableCloseBody& body);
template Result<ComposedBody> compose(const RoundEndBody& body);
template MemberTable members_of<TableCloseBody>();
template MemberTable members_of<RoundEndBody>();

}  // namespace talla::certs
