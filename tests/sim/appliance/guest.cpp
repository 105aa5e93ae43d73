#include "guest.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "chance.hpp"
#include "exceptions.hpp"
#include "failure.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "rig.hpp"

namespace talla::sim {
namespace {

constexpr std::size_t offers_max = 3000;  // bets offered in one round
constexpr std::size_t newcomers_after = 100;
constexpr std::size_t refusals_max = 2000;  // in a row
constexpr std::size_t patience_max = 5;     // turns that it waits, as a power of two

std::string need_of(const json::Value& need) {
  return need.find("need")->string();
}

std::string member_of(const json::Value& view, const char* name) {
  const auto* found = view.find(name);
  return found == nullptr ? std::string() : found->string();
}

certs::Bet api_bet(const games::PlaceBet& bet) {
  certs::Bet out;
  out.id = bet.id;
  out.seat = bet.seat;
  out.kind = bet.kind;
  out.stake = bet.stake;
  out.on = bet.on;
  if (bet.box) out.box = *bet.box;
  return out;
}

/// A round's reply says what its table needs now, that of a deal where the shoe is too; false: it
/// says not all of that.
bool show_round(const json::Value& reply, json::Value& view) {
  const auto* round = reply.find("round");
  if (round == nullptr || round->find("needs") == nullptr ||
      round->find("state")->string() == "ended")
    return false;
  if (const auto* shoe = reply.find("shoe")) {
    if (shoe->find("mix_due") != nullptr || shoe->find("state")->string() == "closed") return false;
    view.object()["position"] = *shoe->find("position");
  }
  for (const char* name : {"needs", "state_digest", "view"})
    if (const auto* now = round->find(name)) view.object()[name] = *now;
  return true;
}

/// Closed bets ask for a mix at this table.
bool mixes_each_round(const json::Value& view) {
  return view.find("policy")->find("mix")->string() == "round";
}

core::Client client_of(std::uint64_t number) {
  const auto id = "talla:table-" + std::to_string(number);
  const DrawnFrom name(id);
  return core::test::table_client(id);
}

}  // namespace

Guest::Guest(std::uint64_t number, const GameId& game, Random& random)
    : game_(game), random_(&random), client_(client_of(number)) {
  const auto rules_of = catalogue(game.catalogue);
  const auto* rules = rules_of->game(game.game);
  require(rules != nullptr, [&] { return "no such game: " + game.text(); });
  for (int tries = 0; !rules_; ++tries) {
    require(tries < 100, [&] { return "no table of " + game.text() + " opens"; });
    auto table =
        games::Table::open(rules_of, random_config(*rules_of, *rules, random, tries % 2 == 0));
    // Amounts that this minimum makes smaller than a chip are refused at the start.
    if (table && games::Driver::start(*table)) rules_.emplace(*std::move(table));
  }
  people_.emplace(*rules_, random);
}

const core::Request* Guest::asks() {
  if (asked_.sleep > 0) {
    --asked_.sleep;
    return nullptr;
  }
  if (!asked_.request) choose();
  return &*asked_.request;
}

void Guest::post(std::string path, json::Object body, Step step) {
  asked_.step = step;
  asked_.request =
      core::Request{"POST", std::move(path), json::canonical(json::Value(std::move(body))), client_,
                    client_.id.substr(6) + "-" + std::to_string(++asked_.keys)};
}

void Guest::get(std::string path, Step step) {
  asked_.step = step;
  asked_.request = core::Request{.method = "GET",
                                 .path = std::move(path),
                                 .body = {},
                                 .client = client_,
                                 .idempotency_key = {}};
}

void Guest::call(const std::string& path, json::Object wish) {
  const certs::OpensslHashes hashes;
  std::vector<certs::Bet> closed;
  if (round_.closed)
    for (const auto& one : round_.bets) closed.push_back(api_bet(one.placed));
  ByteWriter value;
  for (int i = 0; i < 4; ++i) value.u64(random_->word());
  wish["v"] = 2;
  wish["type"] = "talla-call";
  wish["origin"] = core::test::rig_origin;
  wish["table"] = table_;
  for (const char* name : {"turn", "head", "game", "variant", "catalogue"})
    wish[name] = *view_->find(name);
  wish["round"] = round_.id.empty() ? "0" : round_.id;
  wish["bets"] = to_hex(certs::bets_digest(hashes, certs::bets_json(closed)));
  wish["parameters"] = to_hex(certs::parameters_digest(hashes, *view_->find("parameters")));
  wish["value"] = to_hex(value.take());
  wish["others"] = seats_->named(*view_);
  const json::Value core(std::move(wish));
  seats_->signed_core(core);
  post(path, {{"core", core}, {"signature", core::test::sign_core(client_, json::canonical(core))}},
       Step::call);
}

void Guest::choose() {
  require(!visit_.gone, "a guest who is gone asks");
  if (table_.empty()) {
    auto table = games::to_json(rules_->config());
    table.object().erase("game");
    return post("/v1/tables",
                {{"catalogue", game_.catalogue},
                 {"game", game_.game},
                 {"max_voids", 16},
                 {"open_within", 5 + static_cast<std::int64_t>(random_->below(30))},
                 {"mix", random_->once_in(2) ? "round" : "shoe"},
                 {"table", std::move(table)}},
                Step::open_table);
  }
  if (const auto call = seats_->open_call())
    return get("/v1/calls/" + std::to_string(*call), Step::wait);
  if (auto guest = seats_->invitation())
    return post("/v1/tables/" + table_ + "/invitations", *std::move(guest), Step::let_in);
  if (!view_) return get("/v1/tables/" + table_, Step::look);
  const auto* needs = view_->find("needs");
  require(needs != nullptr, [&] { return "a view without needs: " + json::canonical(*view_); });
  if (view_->find("mix_due") != nullptr)
    return asked_.head_seen ? mix() : get("/v1/tables/" + table_, Step::look);
  choose_needs(needs->array());
}

void Guest::choose_needs(const json::Array& needs) {
  std::vector<const json::Value*> decisions, forced;
  std::map<std::string, const json::Value*> first;
  for (const auto& need : needs) {
    first.emplace(need_of(need), &need);
    if (need_of(need) != "decide") continue;
    decisions.push_back(&need);
    if (need.find("required")->boolean()) forced.push_back(&need);
  }
  if (first.contains("shuffle"))
    return post("/v1/shoes/" + member_of(*view_, "shoe") + "/recommit", {}, Step::commit_shoe);
  if (first.contains("shoe")) return new_shoe();
  if (round_.id.empty()) return begin_round();
  if (first.contains("deal") || first.contains("reveal")) return deal(first.contains("reveal"));
  const auto* drawn = first.contains("draw") ? first.at("draw") : nullptr;
  if (drawn != nullptr && (round_.closed || drawn->find("kind")->string() == "lots"))
    return asked_.head_seen ? draw() : get("/v1/tables/" + table_, Step::look);
  if (!forced.empty()) return decide(*random_->pick(forced));
  if (first.contains("confirm"))
    return post("/v1/rounds/" + round_.id + "/confirm",
                {{"expected_state", member_of(*view_, "state_digest")}});
  if (first.contains("bets") && !round_.closed) {
    const std::size_t seldom = 12;
    if (!decisions.empty() && random_->once_in(seldom)) return decide(*random_->pick(decisions));
    return bet();
  }
  require(!decisions.empty(), [&] { return "nobody can go on: " + json::canonical(*view_); });
  decide(*random_->pick(decisions));
}

void Guest::begin_round() {
  if (visit_.leaving) return post("/v1/tables/" + table_ + "/close", {}, Step::close_table);
  round_.bets.clear();
  round_.offers = 0;
  round_.closed = false;
  round_.bets_wanted = 1 + random_->below(3);
  post("/v1/tables/" + table_ + "/rounds", {});
}

void Guest::deal(bool reveal) {
  json::Object body{{"expected", view_->find("position")->integer()}};
  if (reveal || !random_->once_in(4)) {
    body["until"] = "needs";
  } else {
    body["until"] = 1;
  }
  post("/v1/shoes/" + member_of(*view_, "shoe") + "/deal", std::move(body), Step::deal);
}

void Guest::new_shoe() {
  if (const auto shoe = member_of(*view_, "shoe"); !shoe.empty())
    return post("/v1/shoes/" + shoe + "/close", {});
  post("/v1/tables/" + table_ + "/shoes", {}, Step::commit_shoe);
}

void Guest::mix() {
  const json::Value& shoe = objects_.newest.value();
  const auto dealt = view_->find("position")->integer();
  const auto id = shoe.find("id")->string();
  const auto* several = shoe.find("candidates");
  call("/v1/shoes/" + id + "/mix",
       {{"use", "mix"},
        {"object", id},
        {"root", *shoe.find("root")},
        {"at", dealt},
        {"specification", json::Object{{"candidates", several == nullptr ? 1 : several->integer()},
                                       {"places", shoe.find("cards")->integer() - dealt}}}});
}

void Guest::draw() {
  if (objects_.batch.id.empty() || objects_.batch.index >= objects_.batch.count) {
    objects_.batch.count = 1 + static_cast<std::int64_t>(random_->below(4));
    return post("/v1/tables/" + table_ + "/batches", {{"count", objects_.batch.count}});
  }
  call("/v1/draws", {{"use", "draw"},
                     {"object", objects_.batch.id},
                     {"root", objects_.batch.root},
                     {"at", objects_.batch.index},
                     {"specification", core::test::specification_due(*view_)}});
}

/// The view does not know the draft: whether it closes is seen by trying, with more bets each time.
void Guest::bet() {
  require(round_.offers < offers_max,
          [&] { return "bets do not close: " + refused_.last + " " + json::canonical(*view_); });
  if (round_.bets.size() >= round_.bets_wanted || random_->once_in(40)) {
    ++round_.bets_wanted;
    return close_bets();
  }
  if (++round_.offers % newcomers_after ==
      0) {  // other people, at other seats; an act may have made the old draft illegal
    people_.emplace(*rules_, *random_);
    round_.bets.clear();
  }
  const auto* state = view_->find("view");
  const auto owed = state == nullptr ? std::nullopt : owed_stake(rules_->rules(), *state);
  round_.offered = owed && round_.bets.empty() ? people_->owed(*owed) : people_->bet(round_.bets);
  std::vector<certs::Bet> all;
  all.reserve(round_.bets.size() + 1);
  for (const auto& one : round_.bets) all.push_back(api_bet(one.placed));
  all.push_back(api_bet(*round_.offered));
  post("/v1/rounds/" + round_.id + "/bets", {{"bets", certs::bets_json(all)}}, Step::offer_bet);
}

void Guest::close_bets() {
  std::vector<certs::Bet> all;
  all.reserve(round_.bets.size());
  for (const auto& one : round_.bets) all.push_back(api_bet(one.placed));
  post("/v1/rounds/" + round_.id + "/close-bets", {{"bets", certs::bets_json(all)}},
       Step::close_bets);
}

void Guest::decide(const json::Value& need) {
  json::Object body{{"expected_state", member_of(*view_, "state_digest")},
                    {"seat", need.find("seat")->integer()}};
  const auto& choices = need.find("choices")->array();
  if (need.find("required")->boolean() && random_->once_in(10)) {
    body["time_out"] = true;
    return post("/v1/rounds/" + round_.id + "/actions", std::move(body), Step::act);
  }
  const auto& choice = random_->pick(choices);
  body["do"] = choice.find("do")->string();
  if (const auto* on = choice.find("bet")) body["bet"] = on->string();
  if (const auto* cards = choice.find("cards")) {
    auto places = cards->find("places")->array();
    random_->shuffle(places);
    const auto min = static_cast<std::size_t>(cards->find("min")->integer());
    const auto max = static_cast<std::size_t>(cards->find("max")->integer());
    places.resize(min + random_->below(max - min + 1));
    body["cards"] = std::move(places);
  }
  if (const auto* max = choice.find("max")) {
    const auto min = choice.find("min")->integer();
    const auto step = choice.find("step")->integer();
    const auto steps = static_cast<std::size_t>((max->integer() - min) / step);
    const auto taken =
        random_->once_in(2) ? 0 : random_->below(std::min<std::size_t>(steps, 3) + 1);
    body["amount"] = min + step * static_cast<std::int64_t>(random_->once_in(8) ? steps : taken);
  }
  post("/v1/rounds/" + round_.id + "/actions", std::move(body), Step::act);
}

void Guest::answered(const core::Reply& reply) {
  const auto value = json::parse(reply.body);
  require(value.has_value(), [&] { return "a reply is no JSON: " + reply.body; });
  // A service that has failed or is full: the same again, with the same key, until it is done or
  // refused.
  if (reply.status >= 300) refused_.last = reply.body;
  if (reply.status >= 500) {
    require(reply.status == 503,
            [&] { return "a reply of the server's own failure: " + reply.body; });
    asked_.later = std::min(asked_.later + 1, patience_max);
    asked_.sleep = random_->below(std::size_t{1} << asked_.later);
    return;
  }
  asked_.later = 0;
  const auto asked = *std::exchange(asked_.request, std::nullopt);
  if (reply.status >= 300) return refused(reply.status, *value);
  refused_.in_a_row = 0;
  take(*value);
}

void Guest::take_view(const json::Value& table) {
  view_ = table;
  const auto* newest = view_->find("last");  // none: closed and forgotten
  const auto last = newest == nullptr ? visit_.last : newest->integer();
  require(last >= visit_.last, [&] {
    return table_ + " goes back: it has told of record " + std::to_string(visit_.last) + ", now " +
           json::canonical(*view_);
  });
  visit_.last = last;
  asked_.head_seen = true;
  const auto live = member_of(*view_, "round");
  if (!round_.id.empty() && live != round_.id) {
    ++visit_.rounds;
    round_.closed = false;
  }
  if (round_.id != live) round_.offers = 0;
  round_.id = live;
  if (view_->find("state")->string() == "closed") visit_.gone = true;
}

/// Its result, or that it waits for others, or that its core lapsed; how one that waited has ended.
void Guest::take_call(const json::Value& reply) {
  if (const auto* lapsed = reply.find("lapsed")) {
    seats_->called(0);
    if (lapsed->find("code")->string() == "contributor_dropped") seats_->order_is_due();
    if (lapsed->find("outcome") != nullptr) {
      ++objects_.batch.index;
    } else {
      objects_.batch.id.clear();
    }
  } else if (asked_.step == Step::wait) {
    const auto* ended = reply.find("ended");
    if (ended == nullptr) {
      asked_.sleep = random_->below(4);
      return;
    }
    seats_->ended(reply);
    if (reply.find("call")->find("object")->string() == objects_.batch.id) ++objects_.batch.index;
  } else if (reply.find("voided") != nullptr) {
    objects_.batch.id.clear();  // its table was voided by order
  } else if (const auto* call = reply.find("call")) {
    seats_->called(static_cast<std::uint64_t>(call->find("seq")->integer()));
  } else {
    seats_->alone();
    if (reply.find("draw") != nullptr) ++objects_.batch.index;
  }
}

void Guest::take(const json::Value& reply) {
  if (asked_.step == Step::look) return take_view(*reply.find("table"));
  // A draft changes nothing of the table; an action only what its reply shows.
  const bool drafted = asked_.step == Step::offer_bet;
  const bool tells = asked_.step == Step::act || asked_.step == Step::deal ||
                     (asked_.step == Step::close_bets && view_ && !mixes_each_round(*view_));
  const bool known = drafted || (tells && view_ && show_round(reply, *view_));
  asked_.head_seen = asked_.head_seen && drafted;
  if (!known) view_.reset();
  if (asked_.step == Step::call || asked_.step == Step::wait) return take_call(reply);
  if (asked_.step == Step::let_in) return seats_->let_in();
  if (asked_.step == Step::open_table) {
    table_ = reply.find("table")->find("id")->string();
    seats_.emplace(reply, *random_);
  }
  if (asked_.step == Step::close_table) visit_.gone = true;
  if (asked_.step == Step::offer_bet)
    round_.bets.push_back({*round_.offered, round_.offered->stake, false});
  if (asked_.step == Step::close_bets) round_.closed = true;
  if (asked_.step == Step::commit_shoe) objects_.newest = *reply.find("shoe");
  if (const auto* batch = reply.find("batch")) {
    objects_.batch.id = batch->find("id")->string();
    objects_.batch.root = batch->find("root")->string();
    objects_.batch.index = 0;
  }
}

void Guest::refused(int status, const json::Value& problem) {
  ++refused_.in_a_row;
  require(status >= 400 && status < 500 && problem.find("code") != nullptr &&
              refused_.in_a_row < refusals_max,
          [&] {
            return game_.text() + ": refused: " + json::canonical(problem) + " in " +
                   (view_ ? json::canonical(*view_) : std::string("no view"));
          });
  const auto code = problem.find("code")->string();
  // Stakes of nothing and less are offered on purpose; no other body has a wrong form.
  const auto* detail = problem.find("detail");
  const bool wrong_stake =
      detail != nullptr && detail->string().find(".stake: must be from 1 ") != std::string::npos;
  require((code != "malformed_request" || wrong_stake) && code != "key_reused" &&
              code != "call_signature" && code != "forbidden",
          [&] { return game_.text() + ": " + json::canonical(problem); });
  if (asked_.step != Step::offer_bet || status != 422) view_.reset();
  if (code == "void_limit") seats_->order_is_due();
  if (code == "batch_expired" || code == "wrong_index" || code == "not_found")
    objects_.batch.id.clear();
}

}  // namespace talla::sim
