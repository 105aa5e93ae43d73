// The facts of a round: records of its bundle, in the order of the log, with the names that the
// catalogue gives.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/game_events.hpp"
#include "format/parts.hpp"
#include "format/record.hpp"
#include "games/catalogue.hpp"
#include "games/listing.hpp"
#include "games/session_end.hpp"
#include "games/shown_hands.hpp"
#include "hand_counts.hpp"
#include "report/round_report.hpp"

namespace talla::report {
namespace {

using certs::Kind;
using certs::Record;

struct Source {
  std::vector<Record> records;
  const Record* claim = nullptr;
  const Record* opening = nullptr;  // ROUND_OPEN
  const Record* table = nullptr;    // TABLE_OPEN
  std::shared_ptr<const games::Catalogue> catalogue;
  const games::GameRules* rules = nullptr;
  certs::TableOpenBody open;
  std::string language;

  [[nodiscard]] std::string name(std::string_view category, std::string_view code) const {
    return catalogue->text(language, category, code);
  }
  [[nodiscard]] Result<std::string> money(std::int64_t amount) const {
    return money_text(amount, open.unit, open.currency);
  }
  [[nodiscard]] const Record* find(std::string_view object, Kind kind) const {
    const auto found = std::ranges::find_if(
        records, [&](const Record& one) { return one.kind == kind && one.object == object; });
    return found == records.end() ? nullptr : &*found;
  }
};

tl::unexpected<Error> unfit(const std::string& what) {
  return fail(ReportErrc::no_settlement, what);
}

Status read_records(const certs::Bundle& bundle, Source& out) {
  for (const auto& one : bundle.records) {
    TALLA_TRY(auto record, certs::parse_record(one.record));
    out.records.push_back(std::move(record));
  }
  for (const auto& record : out.records) {
    if (record.seq == bundle.claim) out.claim = &record;
  }
  if (out.claim == nullptr || out.claim->kind != Kind::settlement ||
      !certs::ends_content(out.claim->body)) {
    return unfit(
        "the bundle is not the evidence of a settled round: ask for the bundle of its SETTLEMENT");
  }
  out.opening = out.find(out.claim->object, Kind::round_open);
  const auto round = out.opening == nullptr ? Result<certs::RoundOpenBody>(unfit("no ROUND_OPEN"))
                                            : certs::RoundOpenBody::from_json(out.opening->body);
  if (!round) return unfit("the bundle has no ROUND_OPEN of " + out.claim->object);
  out.table = out.find(round->table, Kind::table_open);
  if (out.table == nullptr) return unfit("the bundle has no TABLE_OPEN of " + round->table);
  TALLA_TRY(out.open, certs::TableOpenBody::from_json(out.table->body));
  return {};
}

Result<Source> source_of(const certs::Bundle& bundle, Language language) {
  Source out;
  out.language = language == Language::es ? "es" : "en";
  TALLA_TRY_STATUS(read_records(bundle, out));
  if (!bundle.catalogue) return unfit("the bundle has no catalogue");
  const certs::OpensslHashes hashes;
  TALLA_TRY(out.catalogue, games::load_catalogue(as_bytes(*bundle.catalogue), hashes));
  TALLA_TRY(out.rules, games::find_game(*out.catalogue, out.open.game));
  return out;
}

/// One event of the round as data; nothing for records that say nothing to a reader.
class EventReader {
 public:
  explicit EventReader(const Source& source) : source_(source) {}

  Result<std::optional<json::Object>> read(const Record& record) {
    switch (record.kind) {
      case Kind::bets_closed:
        return bets_closed(record);
      case Kind::action:
        return action(record);
      case Kind::misdeal:
        return misdeal(record);
      case Kind::hand_confirmed:
        return json::Object{{"what", "hand_confirmed"}};
      case Kind::meter:
        return meter_moved(record);
      case Kind::card_deal:
        return card_dealt(record);
      case Kind::card_open:
        return card_opened(record);
      case Kind::draw:
        return drawn(record);
      case Kind::void_call:
        return json::Object{{"what", "void"}};
      case Kind::shoe_commit:
        return json::Object{{"what", "shoe"}, {"shoe", record.object}};
      case Kind::shoe_mix:
        return json::Object{{"what", "mix"}, {"shoe", record.object}};
      case Kind::shoe_recommit:
        return recommitted(record);
      case Kind::shoe_close:
        return json::Object{{"what", "shoe_closed"}, {"shoe", record.object}};
      default:
        return std::nullopt;
    }
  }

 private:
  using Read = Result<std::optional<json::Object>>;

  static Read bets_closed(const Record& record) {
    if (!certs::ends_content(record.body)) return std::nullopt;
    TALLA_TRY(const auto body, certs::BetsClosedBody::from_json(record.body));
    json::Array withdrawn;
    for (const auto& id : body.withdrawn) withdrawn.emplace_back(id);
    return json::Object{{"what", "bets_closed"}, {"withdrawn", std::move(withdrawn)}};
  }

  Read action(const Record& record) const {
    TALLA_TRY(const auto body, certs::ActionBody::from_json(record.body));
    json::Object out{{"what", body.time_out ? "time_out" : "action"}, {"seat", body.seat}};
    if (!body.time_out) {
      out["do"] = body.action;
      out["name"] = source_.name("action", body.action);
    }
    if (!body.bet.empty()) out["bet"] = body.bet;
    if (!body.to.empty()) out["to"] = body.to;
    if (body.amount) {
      TALLA_TRY(auto money, source_.money(*body.amount));
      out["amount"] = *body.amount;
      out["money"] = std::move(money);
    }
    if (!body.cards.empty()) {
      json::Array cards;
      for (const auto& place : body.cards) cards.emplace_back(source_.name("place", place));
      out["cards"] = std::move(cards);
    }
    return out;
  }

  Read misdeal(const Record& record) const {
    TALLA_TRY(const auto body, certs::MisdealBody::from_json(record.body));
    json::Object out{{"what", "misdeal"},
                     {"code", body.code},
                     {"name", source_.name("error", body.code)},
                     {"effect", body.effect},
                     {"effect_name", effect_name(body.code)}};
    if (!body.place.empty()) out["place"] = source_.name("place", body.place);
    return out;
  }

  /// What the error brings about, in words.
  [[nodiscard]] std::string effect_name(const std::string& code) const {
    const auto game = games::describe(*source_.catalogue, *source_.rules, source_.language);
    for (const auto& error : game.find("errors")->array()) {
      if (*error.find("code") == json::Value(code)) return error.find("effect_text")->string();
    }
    return {};
  }

  /// A meter that tables share, moved by this round.
  Read meter_moved(const Record& record) const {
    TALLA_TRY(const auto body, certs::MeterBody::from_json(record.body));
    if (body.round != source_.claim->object) return std::nullopt;
    json::Object out{{"what", "meter"},
                     {"meter", record.object},
                     {"name", source_.name("bet", body.meter)},
                     {"before", body.before},
                     {"contribution", body.contribution},
                     {"award", body.award},
                     {"after", body.after}};
    TALLA_TRY(out["money_before"], source_.money(body.before));
    TALLA_TRY(out["money_contribution"], source_.money(body.contribution));
    TALLA_TRY(out["money_award"], source_.money(body.award));
    TALLA_TRY(out["money_after"], source_.money(body.after));
    return out;
  }

  Read card_dealt(const Record& record) const {
    TALLA_TRY(const auto body, certs::CardDealBody::from_json(record.body));
    json::Object out{{"what", "card"},
                     {"place", body.place},
                     {"name", source_.name("place", body.place)},
                     {"position", body.position}};
    out["face"] = body.face == certs::Face::open      ? "open"
                  : body.face == certs::Face::covered ? "covered"
                                                      : "unseen";
    if (body.opening) out["card"] = body.opening->card;
    return out;
  }

  Read card_opened(const Record& record) const {
    TALLA_TRY(const auto body, certs::CardOpenBody::from_json(record.body));
    return json::Object{{"what", "opened"},
                        {"place", body.place},
                        {"name", source_.name("place", body.place)},
                        {"position", body.position},
                        {"card", body.opening.card}};
  }

  Read drawn(const Record& record) const {
    TALLA_TRY(const auto body, certs::DrawBody::from_json(record.body));
    json::Object out{{"what", "draw"}, {"outcome", certs::outcome_json(body.outcome)}};
    const auto& wheel = source_.rules->draw;
    if (body.outcome.form == certs::Outcome::Form::pocket && wheel &&
        body.outcome.values.front() < wheel->pockets.size()) {
      out["pocket"] = wheel->pockets[body.outcome.values.front()];
    }
    return out;
  }

  static Read recommitted(const Record& record) {
    const auto* rule = record.body.find("rule");
    return json::Object{
        {"what", "shuffled_again"},
        {"shoe", record.object},
        {"rule", rule != nullptr && rule->is_string() ? rule->string() : std::string()}};
  }

  const Source& source_;
};

Result<json::Array> bets_of(const Source& source) {
  json::Array out;
  for (const auto& record : source.records) {
    if (record.kind != Kind::bets_closed || record.object != source.claim->object) continue;
    TALLA_TRY(const auto body, certs::BetsClosedBody::from_json(record.body));
    for (const auto& bet : body.bets) {
      TALLA_TRY(auto money, source.money(bet.stake));
      json::Object one{{"bet", bet.id},
                       {"seat", bet.seat},
                       {"kind", bet.kind},
                       {"stake", bet.stake},
                       {"name", source.name("bet", bet.kind)},
                       {"money", std::move(money)}};
      if (bet.box) one["box"] = *bet.box;
      if (!bet.on.empty()) {
        json::Array on;
        for (const auto& position : bet.on) on.emplace_back(position);
        one["on"] = std::move(on);
      }
      out.emplace_back(std::move(one));
    }
  }
  return out;
}

/// A record of this round, between its opening and its settlement.
bool is_within(const Source& source, const Record& record) {
  const bool foreign = record.object.starts_with("round-") && record.object != source.claim->object;
  return record.seq > source.opening->seq && record.seq < source.claim->seq && !foreign;
}

Result<json::Array> events_of(const Source& source) {
  json::Array out;
  EventReader reader(source);
  for (const auto& record : source.records) {
    if (!is_within(source, record)) continue;
    TALLA_TRY(auto event, reader.read(record));
    if (!event) continue;
    (*event)["seq"] = record.seq;
    (*event)["time"] = record.time_us;
    out.emplace_back(std::move(*event));
  }
  return out;
}

/// What the cards on the cloth were to the rules; nothing for records that lay no card.
Result<std::optional<games::Event>> card_event_of(const Record& record) {
  if (record.kind == Kind::card_deal) {
    TALLA_TRY(const auto body, certs::CardDealBody::from_json(record.body));
    TALLA_TRY(auto event, certs::card_event(body));
    return games::Event(std::move(event));
  }
  if (record.kind == Kind::card_open) {
    TALLA_TRY(const auto body, certs::CardOpenBody::from_json(record.body));
    TALLA_TRY(auto event, certs::reveal_event(body));
    return games::Event(std::move(event));
  }
  if (record.kind == Kind::action) {
    TALLA_TRY(const auto body, certs::ActionBody::from_json(record.body));
    TALLA_TRY(auto event, certs::action_event(body));
    return event;
  }
  if (record.kind == Kind::shoe_close) return games::Event(games::ShoeClosed{});
  return std::nullopt;
}

Result<games::Table> rules_table(const Source& source) {
  TALLA_TRY(auto config, certs::table_config(source.open));
  auto table = games::Table::open(source.catalogue, std::move(config));
  if (!table) return unfit("the table of the bundle: " + table.error().text());
  return std::move(*table);
}

/// What the rules count of the hands; nothing where they count none.
json::Array counts_of(const Source& source, const games::Table& table,
                      const certs::Bundle& bundle) {
  if (!bundle.state_before) return {};
  std::vector<const Record*> round;
  for (const auto& record : source.records) {
    if (is_within(source, record)) round.push_back(&record);
  }
  return hand_counts(table, *bundle.state_before, *source.opening, round);
}

/// Poker hands that lay open at the end, by their names.
Result<json::Array> hands_of(const Source& source, const games::Table& table) {
  std::vector<games::Event> events;
  for (const auto& record : source.records) {
    if (!is_within(source, record)) continue;
    TALLA_TRY(auto event, card_event_of(record));
    if (event) events.push_back(*std::move(event));
  }
  json::Array out;
  for (const auto& hand : games::shown_hands(table, events)) {
    auto one = games::to_json(hand);
    one["text"] = games::hand_words(hand, source.language);
    out.push_back(std::move(one));
  }
  return out;
}

/// "+95 ESP", "-100 ESP": what somebody has more or less.
Result<std::string> signed_money(const Source& source, std::int64_t net) {
  TALLA_TRY(const auto money, source.money(net < 0 ? -net : net));
  return (net > 0 ? "+" : net < 0 ? "-" : "") + money;
}

/// What the rules say of a bet in sentences, and the figures of the section that decided it.
json::Array sentences_of(const std::vector<games::RuleLine>& lines, const std::string& kind,
                         const std::string& rule) {
  json::Array out;
  for (const auto& line : lines) {
    const bool of_bet = line.part == "bets" && line.id == kind;
    if (of_bet || (line.part == "figures" && line.rule == rule)) out.emplace_back(line.text);
  }
  return out;
}

struct Sums {
  std::int64_t staked = 0;
  std::int64_t returned = 0;
};

Result<json::Array> totals_of(const Source& source, const std::map<std::int64_t, Sums>& seats) {
  json::Array out;
  for (const auto& [seat, sums] : seats) {
    TALLA_TRY(auto staked, source.money(sums.staked));
    TALLA_TRY(auto returned, source.money(sums.returned));
    TALLA_TRY(auto net, signed_money(source, sums.returned - sums.staked));
    out.emplace_back(json::Object{{"seat", seat},
                                  {"staked", sums.staked},
                                  {"returned", sums.returned},
                                  {"net", sums.returned - sums.staked},
                                  {"money_staked", std::move(staked)},
                                  {"money_returned", std::move(returned)},
                                  {"money_net", std::move(net)}});
  }
  return out;
}

Status add_results(const Source& source, json::Object& facts) {
  json::Array results;
  std::map<std::int64_t, Sums> seats;
  const auto lines = games::rule_lines(*source.catalogue, *source.rules, source.language);
  for (const auto& record : source.records) {
    if (record.kind != Kind::settlement || record.object != source.claim->object) continue;
    TALLA_TRY(const auto body, certs::SettlementBody::from_json(record.body));
    for (const auto& one : body.results) {
      TALLA_TRY(auto stake, source.money(one.stake));
      TALLA_TRY(auto returned, source.money(one.returned));
      auto entry = one.to_json();
      entry["name"] = source.name("bet", one.kind);
      entry["money_stake"] = std::move(stake);
      entry["money_returned"] = std::move(returned);
      // A stake in prison is neither won nor lost yet.
      const auto net = one.result == "prison" ? 0 : one.returned - one.stake;
      entry["net"] = net;
      TALLA_TRY(entry["money_net"], signed_money(source, net));
      entry["sentences"] = sentences_of(lines, one.kind, one.rule);
      results.push_back(std::move(entry));
      auto& sums = seats[one.seat];
      if (one.result != "prison") sums.staked += one.stake;  // a stake in prison is not decided yet
      sums.returned += one.returned;
    }
  }
  TALLA_TRY(auto totals, totals_of(source, seats));
  facts["results"] = std::move(results);
  facts["totals"] = std::move(totals);
  return {};
}

Result<json::Object> table_of(const Source& source) {
  json::Array parameters;
  for (const auto& [id, value] : source.open.parameters.object()) {
    parameters.emplace_back(json::Object{
        {"id", id},
        {"name", source.name("parameter", id)},
        {"value", value},
        {"words",
         games::value_words(*source.catalogue, *source.rules, id, value, source.language)}});
  }
  json::Object table{{"id", source.table->object},
                     {"place", source.open.place},
                     {"game", source.open.game},
                     {"name", source.name("game", source.open.game)},
                     {"number", source.rules->number},
                     {"catalogue", source.catalogue->id},
                     {"law", source.catalogue->legal_name},
                     {"source", source.catalogue->source},
                     {"digest", to_hex(source.catalogue->digest)},
                     {"parameters", std::move(parameters)},
                     {"currency", source.open.currency},
                     {"unit", source.open.unit}};
  if (source.open.min != 0) {
    TALLA_TRY(table["min"], source.money(source.open.min));
  }
  if (source.open.max != 0) {
    TALLA_TRY(table["max"], source.money(source.open.max));
  }
  return table;
}

json::Value said_last(const std::optional<games::LastRound>& last) {
  return last ? games::session_end_json(*last) : json::Value(false);
}

}  // namespace

std::string_view errc_name(ReportErrc /*code*/) {
  return "no_settlement";
}

Result<json::Value> round_facts(const certs::Bundle& bundle, Language language) {
  TALLA_TRY(const auto source, source_of(bundle, language));
  TALLA_TRY(const auto round, certs::RoundOpenBody::from_json(source.opening->body));
  TALLA_TRY(auto table, table_of(source));
  TALLA_TRY(auto bets, bets_of(source));
  TALLA_TRY(auto events, events_of(source));
  TALLA_TRY(const auto rules, rules_table(source));
  TALLA_TRY(auto hands, hands_of(source, rules));
  json::Object facts{
      {"origin", source.claim->origin},
      {"record", source.claim->seq},
      {"table", std::move(table)},
      {"round", json::Object{{"id", source.claim->object},
                             {"number", round.number},
                             {"last", said_last(round.last)},
                             {"opened", source.opening->time_us},
                             {"settled", source.claim->time_us},
                             {"time_quality", time_quality_name(source.claim->time_quality)}}},
      {"bets", std::move(bets)},
      {"events", std::move(events)},
      {"counts", counts_of(source, rules, bundle)},
      {"hands", std::move(hands)}};
  TALLA_TRY_STATUS(add_results(source, facts));
  return json::Value(std::move(facts));
}

}  // namespace talla::report
