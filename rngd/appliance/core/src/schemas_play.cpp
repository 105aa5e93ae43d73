// Tables, shoes, rounds, bets and draws as answers hold them.
#include "format/bounds.hpp"
#include "games/money.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

constexpr const char* recommits_words =
    "how often the shoe was shuffled again before the card was dealt; left out: never";

Schema positive() {
  return Schema::integer(1, json::integer_max);
}

Schema texts() {
  return Schema::list(Schema::text());
}

Schema face() {
  return Schema::one_of({"open", "covered", "unseen"});
}

/// `need` and what belongs to it.
Schema need(const char* what, const char* words, std::vector<SchemaMember> more = {}) {
  std::vector<SchemaMember> members{required("need", Schema::exactly(what))};
  std::ranges::move(more, std::back_inserter(members));
  return Schema::object(std::move(members)).about(words);
}

Schema choice() {
  const auto places =
      Schema::object({required("places", Schema::list(place_schema())),
                      required("min", Schema::number()), required("max", Schema::number())})
          .about("cards that the choice is about: so many of these places");
  return Schema::named(
      "Choice", Schema::object({required("do", Schema::text().about("the word of the action")),
                                optional("bet", Schema::text().about("id of the bet it is about")),
                                optional("min", Schema::number().about("least amount, units")),
                                optional("max", Schema::number().about("greatest amount, units")),
                                optional("step", Schema::number().about("amounts differ by it")),
                                optional("cards", places)}));
}

}  // namespace

Schema nonce_schema() {
  return Schema::hex(certs::nonce_bytes)
      .refused_as(Errc::nonce_malformed)
      .about(certs::bounds_text(certs::nonce_bytes) +
             " fresh bytes in hex, never given before by this client");
}

Schema nothing_schema() {
  return Schema::object({});
}

Schema key_schema() {
  return Schema::base64().about("P-256 key: base64 of the DER SubjectPublicKeyInfo");
}

Schema place_schema() {
  return Schema::named(
      "Place", Schema::text(1, 64).about("place of a card as the game's rules name it, e.g. "
                                         "punto-1, dealer-2, burn-1"));
}

Schema table_settings_schema() {
  const auto unit = Schema::either({positive(), Schema::text(1, 32)})
                        .about(
                            "amount of one unit in the currency: a whole number, or a fraction "
                            "or decimal as text, e.g. 1/2")
                        .otherwise(1);
  return Schema::named(
      "TableSettings",
      Schema::object(
          {required("currency", Schema::text(1, 8).about("ISO 4217, historic codes too")),
           optional("unit", unit),
           optional("chip", positive().about("smallest chip, units").otherwise(1)),
           required("min", positive().about("minimum of a bet, units")),
           optional("max", positive().about("house maximum of a bet, one of those that the text "
                                            "allows, units")),
           optional("authorised_min", positive().about("of the authorisation: a table below it "
                                                       "is refused")),
           optional("rounding", Schema::text(1, 32).about("of amounts between two units")),
           optional("params", Schema::open_object().about("parameters of the game; the "
                                                          "description of the game has them"))}));
}

Schema specification_schema() {
  return Schema::named(
      "DrawSpecification",
      Schema::either(
          {Schema::object(
               {required("kind", Schema::exactly("wheel")),
                required("pockets", Schema::integer(certs::wheel_pockets).about("of the wheel"))}),
           Schema::object({required("kind", Schema::exactly("dice")),
                           required("count", Schema::integer(certs::dice_counts).about("dice")),
                           required("faces", Schema::integer(certs::die_faces).about("of each"))}),
           Schema::object(
               {required("kind", Schema::exactly("lots")),
                required("bounds", Schema::list(Schema::integer(certs::lot_bounds), 1,
                                                static_cast<std::size_t>(certs::lot_counts.max))
                                       .about("of each lot: it is below"))})})
          .about("what is drawn (certs/FORMAT.md section 8)"));
}

Schema outcome_schema() {
  return Schema::named(
      "Outcome",
      Schema::either(
          {Schema::object({required(
               "pocket", Schema::number().about("index of the pocket, from 0 in the wheel's "
                                                "order; a round's `outcome` has its number"))}),
           Schema::object({required("dice", Schema::list(Schema::number(), 1).about("faces"))}),
           Schema::object({required("lots", Schema::list(Schema::number(), 1).about("from 0"))})}));
}

Schema bet_schema() {
  return Schema::named(
      "Bet",
      Schema::object({required("id", Schema::text(1, 64).about("the client's word for the bet, "
                                                               "once in a round")),
                      required("seat", positive()),
                      required("kind", Schema::text(1, 64).about("bet kind of the catalogue")),
                      required("stake", Schema::integer(1, games::units_max).about("units")),
                      optional("on", Schema::list(Schema::text(), 1).about("position codes")),
                      optional("box", positive().about("of another seat"))}));
}

Schema needs_schema() {
  const auto card =
      Schema::object({required("place", place_schema()), required("face", face()),
                      optional("seats", Schema::list(positive()).about("who may look at it"))});
  return Schema::list(Schema::named(
      "Need",
      Schema::either(
          {need("bets", "bets are open", {required("can_close", Schema::flag())}),
           need("shoe", "a new shoe",
                {required("deck", Schema::text()), required("cards_count", positive()),
                 required("stop_depth", Schema::number()),
                 optional("disclosure", Schema::exactly("covered"))}),
           need("deal", "cards, in this order", {required("cards", Schema::list(card))}),
           need("reveal", "the covered card at this place is turned",
                {required("place", place_schema())}),
           need("draw", "a draw from a batch of the table",
                {required("kind", Schema::one_of({"wheel", "dice", "lots"})),
                 required("count", positive()),
                 optional("pockets", texts().about("numbers of a wheel, by index")),
                 optional("faces", positive().about("of a die, or bound of a lot"))}),
           need("shuffle", "the cards of these places go back into the shoe (recommit)",
                {required("places", Schema::list(place_schema())),
                 required("cards", Schema::number()), required("rule", Schema::text())}),
           need("decide", "a decision of a seat",
                {required("seat", positive()), required("required", Schema::flag()),
                 required("choices", Schema::list(choice()))}),
           need("meter", "what a shared meter holds is read", {required("meter", Schema::text())}),
           need("confirm", "staff confirm the complete hand"),
           need("settled", "nothing: the round is settled")})));
}

Schema table_schema() {
  const auto warning =
      Schema::object({required("en", Schema::text()), required("es", Schema::text())});
  const auto policy = Schema::object(
      {required("required", Schema::list(key_schema()).about("keys that every call must name")),
       required("mix", Schema::one_of({"shoe", "round"})
                           .about("whether the bets of each round ask for a mix of their own")),
       required("candidates", Schema::integer(certs::mix_candidates)
                                  .about("roots that a shoe is sealed with, to pick from")),
       required("max_voids", Schema::number().about("VOIDs of a round or object behind which two "
                                                    "persons order each further call")),
       required("open_within", Schema::number().about("seconds in which contributors open"))});
  const auto contributor =
      Schema::object({required("id", Schema::text()), required("key", key_schema()),
                      required("t", positive().about("of its next number")),
                      required("commit", Schema::digest().about("to that number")),
                      required("ahead", positive().about("commitments that it has left"))})
          .about("what the next core says of it in `others`; ascending by id");
  return Schema::named(
      "Table",
      Schema::object(
          {required("id", Schema::id("table")),
           required("place", Schema::text().about("where it stands; its id: a place of its own")),
           required("opened", positive().about("how often a table was opened there")),
           required("settled_by", Schema::one_of({"appliance", "client"})),
           required("game", Schema::text()),
           required("catalogue", Schema::digest().about("of the catalogue's file")),
           required("parameters", Schema::open_object().about("as TABLE_OPEN has them")),
           required("currency", Schema::text()),
           required("min", Schema::number()),
           required("max", Schema::number().about("0: none")),
           required("state", Schema::one_of({"open", "suspended", "closed"})),
           required("rounds", Schema::number().about("opened so far")),
           required("shoes", Schema::number().about("committed so far")),
           required("variant", Schema::text()),
           required("turn", positive().about("of the next call")),
           required("head", Schema::digest().about("of its newest record: what a call names")),
           required("last", Schema::number().about("seq of that record")),
           optional("call", Schema::number().about("seq of a CALL without its result")),
           optional("open_call", Schema::number().about("the same, while its further contributors "
                                                        "are waited for: GET /v1/calls/{call}")),
           required("policy", policy),
           required("contributors", Schema::list(contributor)),
           optional("again",
                    Schema::object(
                        {required("object", Schema::text().about(
                                                "the round, or outside rounds shoe or batch")),
                         required("order", Schema::open_object().about("as CALL will carry it"))})
                        .about("what two persons have ordered for the next call")),
           required("batches", Schema::list(Schema::id("batch")).about("open ones")),
           optional("meters", Schema::map(Schema::id("meter"))
                                  .about("that it shares with other tables, by the game's word")),
           optional("continues", Schema::id("table").about("the table it goes on with")),
           optional("shoe", Schema::id("shoe").about("the live one")),
           optional("position", Schema::number().about("of the live shoe: what deal expects")),
           optional("mix_due", Schema::flag().about("the live shoe needs a mix before its next "
                                                    "card")),
           optional("round", Schema::id("round").about("the open one")),
           optional("needs", needs_schema()),
           optional("state_digest", Schema::digest().about("what actions expect")),
           optional("warnings", Schema::list(warning).about("bets that it offers and on which no "
                                                            "stake fits, each with the reason")),
           optional("view", Schema::open_object().about("what the asking role may see of the "
                                                        "game's state"))}));
}

Schema shoe_schema() {
  return Schema::named(
      "Shoe", Schema::object(
                  {required("id", Schema::id("shoe")), required("table", Schema::id("table")),
                   required("number", positive().about("of the table")),
                   required("state", Schema::one_of({"committed", "mixed", "in_play", "last_round",
                                                     "closed", "voided"})),
                   required("cards", positive()), required("deck", Schema::text()),
                   required("root", Schema::digest().about("that a mix must name")),
                   required("stop_depth", Schema::number()),
                   required("position", Schema::number().about("what deal expects")),
                   required("stop_card_out", Schema::flag()),
                   optional("recommits", positive().about("how often it was shuffled again")),
                   optional("mixed", Schema::number().about("seq of the newest root's SHOE_MIX")),
                   optional("mix_due", Schema::flag().about("before the next card")),
                   optional("candidates", positive().about("roots that its first mix picks from")),
                   optional("must_close", Schema::flag().about("a call ended before its root was "
                                                               "picked: no other stands")),
                   optional("release", release_schema())}));
}

Schema dealt_card_schema() {
  return Schema::named(
      "DealtCard",
      Schema::object({required("position", Schema::number()), required("place", place_schema()),
                      required("face", face()),
                      optional("card", Schema::text().about("of an open card, e.g. 7H")),
                      optional("seats", Schema::list(positive()).about("covered: who may look")),
                      optional("recommits", positive().about(recommits_words)),
                      optional("returned", Schema::flag().about("it went back into the shoe"))}));
}

Schema revealed_card_schema() {
  return Schema::named(
      "RevealedCard",
      Schema::object({required("position", Schema::number()), required("place", place_schema()),
                      required("card", Schema::text().about("e.g. 7H")),
                      optional("recommits", positive().about(recommits_words))}));
}

Schema result_schema() {
  return Schema::named(
      "Result",
      Schema::object(
          {required("bet", Schema::text()),
           required("seat", Schema::number().about("0: the house's own, e.g. its fee")),
           required("kind", Schema::text()), required("stake", Schema::number()),
           required("result",
                    Schema::one_of({"win", "lose", "push", "half", "prison", "freed", "void"})),
           required("returned", Schema::number().about("units, the stake included")),
           required("rule", Schema::text().about("game number and section of the official text")),
           optional("remainder", Schema::text().about("exact amount minus returned"))}));
}

Schema round_schema() {
  return Schema::named(
      "Round",
      Schema::object(
          {required("id", Schema::id("round")), required("table", Schema::id("table")),
           required("number", positive().about("of the table")),
           required("state", Schema::one_of({"betting", "playing", "ended"})),
           required("results", Schema::list(result_schema())),
           required("cards", Schema::list(dealt_card_schema())),
           required("bets", Schema::list(bet_schema())), required("withdrawn", texts()),
           optional("outcome", texts().about("of its draw: numbers and faces as the game has "
                                             "them")),
           optional("settlement", Schema::number().about("seq of its SETTLEMENT: claim of its "
                                                         "bundle")),
           optional("needs", needs_schema()),
           optional("state_digest", Schema::digest().about("what actions expect")),
           optional("view", Schema::open_object().about("what the asking role may see of the "
                                                        "game's state"))}));
}

Schema batch_schema() {
  return Schema::named(
      "Batch",
      Schema::object({required("id", Schema::id("batch")), required("table", Schema::id("table")),
                      required("root", Schema::digest()), required("count", positive()),
                      required("index", Schema::number().about("the next one")),
                      required("expires", Schema::number().about("microseconds since 1970, UTC")),
                      required("state", Schema::one_of({"open", "closed"}))}));
}

Schema meter_schema() {
  return Schema::named(
      "Meter",
      Schema::object(
          {required("id", Schema::id("meter")),
           required("meter", Schema::text().about("the game's word for it")),
           required("catalogue", Schema::digest()), required("game", Schema::text()),
           required("currency", Schema::text()), required("unit", Schema::text()),
           required("terms", Schema::open_object().about("contribution, prizes, stake, opening "
                                                         "amount: the same at every table that "
                                                         "shares it")),
           required("value", Schema::number().about("units it holds now")),
           required("tables", Schema::list(Schema::id("table"))
                                  .about("open tables that share it, those this client may see")),
           required("state", Schema::one_of({"open", "closed"})),
           optional("continues", Schema::id("meter"))}));
}

}  // namespace talla::core
