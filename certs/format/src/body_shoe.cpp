// What the bodies of a shoe hold: each member once, for reader, checker, writers and page.
#include "format/body_shoe.hpp"

#include <array>

#include "call_types.hpp"
#include "described_context.hpp"
#include "games/driver.hpp"
#include "shuffle/deck.hpp"

namespace talla::certs {
namespace {

constexpr TextType card_code =
    spelled([](std::string_view text) { return shuffle::Card::parse(text).has_value(); },
            "card code, section 7");
constexpr TextType deck_specification =
    spelled([](std::string_view text) { return shuffle::DeckSpec::parse(text).has_value(); },
            "deck specification, section 7");

constexpr std::string_view mac_words = "of the tape under K; opened by SHOE_CLOSE of a public shoe";
/// What SHOE_COMMIT and SHOE_RECOMMIT both say, beside their roots.
constexpr std::tuple commit_head{
    must<&ShoeCommitBody::table>("table", id_of("table"), "whose shoe it is"),
    must<&ShoeCommitBody::number>("number", integer_in(from_one),
                                  "of the shoe at the table, without gaps"),
    must<&ShoeCommitBody::cards>("cards", integer_in(shoe_cards), "n, the cards in it"),
    must<&ShoeCommitBody::deck>("deck", deck_specification, "of the whole shoe")};
constexpr std::tuple commit_tail{
    must<&ShoeCommitBody::stop_depth>("stop_depth", integer_in(index32),
                                      "cards behind the stop card; 0: no stop card"),
    must<&ShoeCommitBody::burn>("burn", any_text, "code of the burn rule"),
    must<&ShoeCommitBody::covered>("disclosure", word("public", "covered"),
                                   "what SHOE_CLOSE opens"),
    must<&ShoeCommitBody::context>("context", context_type, "what fed the shuffle")};

}  // namespace

template <>
struct Description<ShoeCandidate> {
  static constexpr std::string_view name = "candidates[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeCandidate;
  static constexpr std::tuple rows{
      must<&B::root>("root", digest_type, "of the tree over its leaves"),
      must<&B::tape_mac>("tape_mac", digest_type, "of its tape under its K")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<ShoeCommitBody> {
  static constexpr Kind kind = Kind::shoe_commit;
  static constexpr std::string_view name = "SHOE_COMMIT";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeCommitBody;
  static constexpr When<B> alone{[](const B& body) { return body.candidates.empty(); },
                                 "without `candidates`"};
  static constexpr std::tuple rows = std::tuple_cat(
      commit_head,
      std::tuple{
          must<&B::root>("root", digest_type,
                         "of the tree over its leaves, opened card by card; with `candidates` the "
                         "digest of theirs, section 7"),
          may<&B::candidates>("candidates", ListType<ShoeCandidate>{.filled = true},
                              "roots of which its first mix picks one, the others are opened then"),
          only<&B::tape_mac>(alone, "tape_mac", digest_type, mac_words)},
      commit_tail);
  static constexpr std::array<Rule<B>, 3> rules{
      {{"cards",
        [](const B& body) {
          const auto deck = shuffle::DeckSpec::parse(body.deck);
          return deck.has_value() && deck->cards_count() >= body.cards;
        },
        "are at most those of the deck specification"},
       {"stop_depth", [](const B& body) { return body.stop_depth <= body.cards; },
        "is at most `cards`"},
       {"candidates",
        [](const B& body) {
          return body.candidates.empty() ||
                 (body.covered && several_candidates.holds_count(body.candidates.size()));
        },
        "are 2 to 8, of a covered shoe"}}};
};

template <>
struct Description<OlderCards> {
  static constexpr std::string_view name = "older[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  static constexpr std::tuple rows{
      must<&OlderCards::recommits>("recommits", integer_in(index32),
                                   "SHOE_RECOMMITs before that root"),
      must<&OlderCards::positions>("positions", PositionsType{.filled = true},
                                   "dealt under it, gone back now")};
  static constexpr NoRules<OlderCards> rules{};
};

template <>
struct Description<ShoeRecommitBody> {
  static constexpr Kind kind = Kind::shoe_recommit;
  static constexpr std::string_view name = "SHOE_RECOMMIT";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeRecommitBody;
  static constexpr std::tuple rows = std::tuple_cat(
      inside<&B::commit>(
          Always{},
          std::tuple_cat(
              commit_head,
              std::tuple{
                  must<&ShoeCommitBody::root>("root", digest_type,
                                              "of the tree over its leaves; opened card by card"),
                  must<&ShoeCommitBody::tape_mac>("tape_mac", digest_type, mac_words)},
              commit_tail)),
      std::tuple{
          must<&B::of>("of", digest_type, "the root that it replaces"),
          again<&B::commit, &ShoeCommitBody::cards>("positions", integer_in(shoe_cards),
                                                    "m, equal to `cards`"),
          must<&B::rule>("rule", filled_text, "game number and section that ask for it"),
          must<&B::returned>("returned", PositionsType{}, "of that root, whose cards went back"),
          may<&B::older>("older", ListType<OlderCards, &OlderCards::recommits>{.filled = true},
                         "cards dealt under roots replaced before, that went back now")});
  static constexpr std::array<Rule<B>, 2> rules{
      {{"cards",
        [](const B& body) { return Description<ShoeCommitBody>::rules[0].holds(body.commit); },
        Description<ShoeCommitBody>::rules[0].words},
       {"stop_depth",
        [](const B& body) { return Description<ShoeCommitBody>::rules[1].holds(body.commit); },
        Description<ShoeCommitBody>::rules[1].words}}};
};

template <>
struct Description<ShoeDisclosure> {
  static constexpr std::string_view name = "replaced[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeDisclosure;
  static constexpr std::tuple rows{
      must<&B::key>("key", digest_type, "K"),
      must<&B::tape>("tape", Base64Type{}, "of the shuffle"),
      must<&B::words_used>("words_used", count_type, "words of the tape that were used"),
      must<&B::words_rejected>("words_rejected", count_type, "of them refused by the mapping"),
      must<&B::tape_digest>("tape_digest", digest_type, "of the words used")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<ShoeMixBody> {
  static constexpr Kind kind = Kind::shoe_mix;
  static constexpr std::string_view name = "SHOE_MIX";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeMixBody;
  static constexpr Beside<B> with_pick{
      "picked", [](const B& body) { return body.picked.has_value(); }, "with `picked`"};
  static constexpr std::tuple rows{
      must<&B::call>("call", count_type, "`seq` of the CALL"),
      must<&B::openings>("openings", openings_type, openings_words),
      must<&B::root>("root", digest_type,
                     "that is mixed: that of the core, or of the candidate picked"),
      must<&B::words_used>("words_used", count_type, "words of the tape that were used"),
      must<&B::words_rejected>("words_rejected", count_type, "of them refused by the mapping"),
      must<&B::tape_digest>("tape_digest", digest_type, "of the words used"),
      may<&B::picked>("picked", integer_in(candidate_index),
                      "index of the candidate that the tape picks; of a call for several"),
      only<&B::opened>(with_pick, "opened", ListType<ShoeDisclosure>{.filled = true},
                       "the secrets of all other candidates, in their order")};
  static constexpr std::array<Rule<B>, 1> rules{
      {{"picked", [](const B& body) { return !body.picked || *body.picked <= body.opened.size(); },
        "is an index of as many as are opened, and one"}}};
};

template <>
struct Description<CardOpening> {
  static constexpr std::string_view name = "opening";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CardOpening;
  static constexpr std::tuple rows{
      must<&B::leaf>("leaf", integer_in(index32), "index of the leaf"),
      must<&B::card>("card", card_code, "that it holds"),
      must<&B::salt>("salt", digest_type, "of the leaf"),
      must<&B::path>("path", path_type, "inclusion of the leaf in the root")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<CoveredCopy> {
  static constexpr std::string_view name = "copies[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CoveredCopy;
  static constexpr std::tuple rows{
      must<&B::seat>("seat", integer_in(seat_numbers), "that may look"),
      must<&B::key>("key", digest_type, "SPKI digest of the key it is encrypted to"),
      must<&B::ciphertext>("ciphertext", digest_type, "SHA-256 of the copy; opened by CARD_OPEN")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<CardDealBody> {
  static constexpr Kind kind = Kind::card_deal;
  static constexpr std::string_view name = "CARD_DEAL";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CardDealBody;
  static constexpr When<B> open{[](const B& body) { return body.face == Face::open; },
                                "with `face` `open`"};
  static constexpr When<B> covered{[](const B& body) { return body.face == Face::covered; },
                                   "with `face` `covered`"};
  static constexpr std::tuple rows = std::tuple_cat(
      std::tuple{
          must<&B::position>("position", integer_in(index32), "the next one: 0, 1, 2, ..."),
          must<&B::place>("place", filled_text, "where it lies, a code of the rules or the client"),
          must<&B::face>("face", word("open", "covered", "unseen"), "who sees it now"),
          may<&B::round>("round", id_of("round"), "that it is dealt in")},
      inside<&B::opening>(open, Description<CardOpening>::rows),
      std::tuple{only<&B::copies>(covered, "copies", ListType<CoveredCopy, &CoveredCopy::seat>{},
                                  "one for each entitled seat; empty: nobody may look")});
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<CardOpenBody> {
  static constexpr Kind kind = Kind::card_open;
  static constexpr std::string_view name = "CARD_OPEN";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CardOpenBody;
  static constexpr std::tuple rows = std::tuple_cat(
      std::tuple{must<&B::position>("position", integer_in(index32), "at which it was dealt"),
                 must<&B::place>("place", filled_text, "to which it was dealt")},
      inside<&B::opening>(Always{}, Description<CardOpening>::rows),
      std::tuple{may<&B::recommits>(
          "recommits", integer_in(index32),
          "SHOE_RECOMMITs of the shoe before the CARD_DEAL of this card; there exactly when one "
          "came after it")});
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<ShoeCloseBody> {
  static constexpr Kind kind = Kind::shoe_close;
  static constexpr std::string_view name = "SHOE_CLOSE";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = ShoeCloseBody;
  static constexpr Beside<B> disclosed{
      "key", [](const B& body) { return body.disclosure.has_value(); },
      "of a public shoe, or of a picked root of which no card was dealt"};
  static constexpr std::tuple rows = std::tuple_cat(
      std::tuple{must<&B::dealt>("dealt", integer_in(index32), "cards dealt under the newest root"),
                 must<&B::reason>("reason", word("stop_card", "ended", "closed", "voided"),
                                  "`ended`: nobody knew its order, all cards were dealt, or the "
                                  "rules ask for another; `closed`: before that; `voided`: by two "
                                  "persons, or the machine")},
      inside<&B::disclosure>(disclosed, Description<ShoeDisclosure>::rows),
      std::tuple{may<&B::replaced>("replaced", ListType<ShoeDisclosure>{.filled = true},
                                   "the same of each root that was replaced, oldest first"),
                 may<&B::candidates>("candidates", ListType<ShoeDisclosure>{.filled = true},
                                     "the same of every candidate, in their order, of a shoe whose "
                                     "root was never picked")});
  static constexpr std::array<Rule<B>, 2> rules{
      {{"replaced",
        [](const B& body) { return body.replaced.empty() || body.disclosure.has_value(); },
        "belongs to an opened shoe"},
       {"candidates", [](const B& body) { return body.candidates.empty() || !body.disclosure; },
        "stand without `key`"}}};
};

bool stop_card_ends(const ShoeCommitBody& commit, const ShoeCloseBody& close) {
  auto account = games::ShoeAccount::fresh(commit.cards, commit.stop_depth);
  account.dealt = close.dealt;
  return close.reason == ShoeCloseReason::stop_card && account.stop_due() &&
         close.dealt == account.stop_after;
}

json::Value ShoeCommitBody::to_json() const {
  return object_json(*this);
}
Result<ShoeCommitBody> ShoeCommitBody::from_json(const json::Value& value) {
  return read_described<ShoeCommitBody>(value);
}
json::Value ShoeRecommitBody::to_json() const {
  return object_json(*this);
}
Result<ShoeRecommitBody> ShoeRecommitBody::from_json(const json::Value& value) {
  return read_described<ShoeRecommitBody>(value);
}
json::Value ShoeMixBody::to_json() const {
  return object_json(*this);
}
Result<ShoeMixBody> ShoeMixBody::from_json(const json::Value& value) {
  return read_described<ShoeMixBody>(value);
}
json::Value CardDealBody::to_json() const {
  return object_json(*this);
}
Result<CardDealBody> CardDealBody::from_json(const json::Value& value) {
  return read_described<CardDealBody>(value);
}
json::Value CardOpenBody::to_json() const {
  return object_json(*this);
}
Result<CardOpenBody> CardOpenBody::from_json(const json::Value& value) {
  return read_described<CardOpenBody>(value);
}
json::Value ShoeCloseBody::to_json() const {
  return object_json(*this);
}
Result<ShoeCloseBody> ShoeCloseBody::from_json(const json::Value& value) {
  return read_described<ShoeCloseBody>(value);
}
json::Value CardOpening::to_json() const {
  return object_json(*this);
}
Result<CardOpening> CardOpening::from_json(const json::Value& value) {
  return read_described<CardOpening>(value);
}

template Result<ComposedBody> compose(const ShoeCommitBody& body);
template Result<ComposedBody> compose(const ShoeRecommitBody& body);
template Result<ComposedBody> compose(const ShoeMixBody& body);
template Result<ComposedBody> compose(const CardDealBody& body);
template Result<ComposedBody> compose(const CardOpenBody& body);
template Result<ComposedBody> compose(const ShoeCloseBody& body);
template MemberTable members_of<ShoeCommitBody>();
template MemberTable members_of<ShoeRecommitBody>();
template MemberTable members_of<ShoeMixBody>();
template MemberTable members_of<CardDealBody>();
template MemberTable members_of<CardOpenBody>();
template MemberTable members_of<ShoeCloseBody>();

}  // namespace talla::certs
