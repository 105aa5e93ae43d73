#include "play_round.hpp"

#include <algorithm>

#include "members.hpp"
#include "verify/covered.hpp"

namespace talla::cli {

namespace {

/// More steps than any round has.
constexpr int steps_max = 2000;

/// Lots are drawn when they are due, bets or no bets.
bool is_lot(const json::Value& draw) {
  const json::Value* kind = draw.find("kind");
  return kind != nullptr && kind->is_string() && kind->string() == "lots";
}

class RoundPlay {
 public:
  RoundPlay(const App& app, Session& session, std::string table, RoundPlan plan)
      : app_(app), session_(session), table_(std::move(table)), plan_(std::move(plan)) {}

  Result<json::Value> play() {
    for (int i = 0; i < steps_max; ++i) {
      TALLA_TRY(needs_, now());
      const Status done = step();
      if (!done && (refused_ || !gives_up(done.error()))) return tl::unexpected(done.error());
      if (settled_ && refused_) return tl::unexpected(*refused_);
      if (settled_) return *settled_;
    }
    return fail(CliErrc::appliance_refused, "the round does not end");
  }

 private:
  /// Whether the round goes on without what the player wanted, so that its table can be closed:
  /// a refused bet or decision is kept for the end.
  bool gives_up(const Error& error) {
    if (round_.empty() || !error.is(CliErrc::appliance_refused)) return false;
    refused_ = error;
    if (!closed_) plan_.bets.clear();
    plan_.decisions.clear();
    app_.say("refused: " + error.detail);
    app_.say(closed_ ? "the round goes on without further decisions, then the table is closed"
                     : "the round is played to its end without bets, then the table is closed");
    return true;
  }

  Result<json::Value> now() {
    TALLA_TRY(const json::Value reply, session_.get("/v1/tables/" + table_));
    const json::Value* table = reply.find("table");
    const json::Value* needs = table == nullptr ? nullptr : table->find("needs");
    if (needs == nullptr || !needs->is_array())
      return fail(CliErrc::appliance_refused, "the table names no needs");
    TALLA_TRY(state_, text_at(*table, {"state_digest"}));
    shoe_.clear();
    if (table->find("shoe") != nullptr) {
      TALLA_TRY(shoe_, text_at(*table, {"shoe"}));
    }
    position_ = 0;
    if (table->find("position") != nullptr) {
      TALLA_TRY(position_, integer_at(*table, {"position"}));
    }
    mix_due_ = says(*table, "mix_due");
    return *needs;
  }

  Status post(const std::string& path, const json::Value& body) {
    TALLA_TRY(last_, session_.post(path, body));
    if (const json::Value* record = session_.record("SETTLEMENT")) settled_ = *record;
    return {};
  }

  /// The one thing that is due: what is forced first, then decisions, then bets.
  Status step() {
    if (need_of(needs_, "shuffle") != nullptr) return shuffle_again();
    if (need_of(needs_, "shoe") != nullptr) return new_shoe();
    if (round_.empty()) return open_round();
    if (closed_ && mix_due_ && need_of(needs_, "deal") != nullptr) return mix_behind_bets();
    if (need_of(needs_, "deal") != nullptr || need_of(needs_, "reveal") != nullptr) return deal();
    if (const json::Value* due = need_of(needs_, "draw");
        due != nullptr && (closed_ || is_lot(*due)))
      return draw();
    if (const json::Value* decide = due_decision(needs_)) return decision(*decide);
    if (need_of(needs_, "confirm") != nullptr) return confirm();
    if (need_of(needs_, "bets") != nullptr && !closed_) return close_bets();
    return fail(CliErrc::appliance_refused, "nothing is due, and the round is not settled");
  }

  Status new_shoe() {
    if (!shoe_.empty()) TALLA_TRY_STATUS(post("/v1/shoes/" + shoe_ + "/close", json::Value()));
    TALLA_TRY(mixed_, seal_and_mix(app_, session_, table_));
    return {};
  }

  /// The cards of the last round go back into the shoe: a new commitment, and its mix.
  Status shuffle_again() {
    TALLA_TRY_STATUS(post("/v1/shoes/" + shoe_ + "/recommit", json::Value()));
    TALLA_TRY(mixed_, mix_shoe(app_, session_));
    return {};
  }

  /// A table that mixes in each round: what is left of the shoe, now that the bets stand.
  Status mix_behind_bets() {
    if (mixed_.id != shoe_)
      return fail(CliErrc::appliance_refused, shoe_ + " is a shoe that was not mixed here");
    return mix_again(app_, session_, mixed_, static_cast<std::uint32_t>(position_));
  }

  Status open_round() {
    TALLA_TRY_STATUS(post("/v1/tables/" + table_ + "/rounds", json::Value()));
    TALLA_TRY(round_, text_at(last_, {"round", "id"}));
    return {};
  }

  /// The hand is complete, and this dealer made no error.
  Status confirm() {
    json::Value body;
    body["expected_state"] = state_;
    return post("/v1/rounds/" + round_ + "/confirm", body);
  }

  Status close_bets() {
    json::Value close;
    close["bets"] = plan_.bets;
    TALLA_TRY_STATUS(post("/v1/rounds/" + round_ + "/close-bets", close));
    closed_ = true;
    TALLA_TRY(const std::uint64_t seq, seq_of(session_, "BETS_CLOSED"));
    app_.say("bets closed: " + std::to_string(plan_.bets.size()) + " (record " +
             std::to_string(seq) + ")");
    return {};
  }

  Status decision(const json::Value& decide) {
    TALLA_TRY(const std::int64_t seat, integer_at(decide, {"seat"}));
    const auto found = std::ranges::find(plan_.decisions, seat, &Decision::seat);
    json::Value body;
    if (found != plan_.decisions.end()) {
      body = found->action;
      app_.say("seat " + std::to_string(seat) + ": " + word_in(found->action, "do"));
      plan_.decisions.erase(found);
    } else {
      body["time_out"] = true;
      app_.say("seat " + std::to_string(seat) + ": timed out");
    }
    body["seat"] = seat;
    body["expected_state"] = state_;
    return post("/v1/rounds/" + round_ + "/actions", body);
  }

  Status draw() {
    const json::Value need = *need_of(needs_, "draw");
    TALLA_TRY(last_, draw_once(session_, table_, round_));
    const json::Value* pockets = need.find("pockets");
    const bool wheel = pockets != nullptr && pockets->is_array();
    if (const json::Value* drawn = session_.record("DRAW"))
      app_.say("drawn: " + drawn_words(member_in(member_in(*drawn, "body"), "outcome"),
                                       wheel ? pockets->array() : json::Array{}));
    if (const json::Value* record = session_.record("SETTLEMENT")) settled_ = *record;
    return {};
  }

  Status deal() {
    json::Value body;
    body["expected"] = position_;
    body["until"] = "needs";
    TALLA_TRY_STATUS(post("/v1/shoes/" + shoe_ + "/deal", body));
    say_cards("dealt: ", "cards");
    say_cards("turned: ", "revealed");
    return look_at_covered();
  }

  void say_cards(const std::string& what, std::string_view member) const {
    std::string line;
    const json::Value* cards = last_.find(member);
    if (cards == nullptr || !cards->is_array()) return;
    for (const json::Value& card : cards->array()) {
      const auto place = text_at(card, {"place"});
      const auto code = text_at(card, {"card"});
      if (place) line += (line.empty() ? "" : ", ") + *place + " " + (code ? *code : "face down");
    }
    if (!line.empty()) app_.say(what + line);
  }

  /// Opens the copies that are for this client's own key and compares each with the commitment.
  Status look_at_covered() {
    const json::Value dealt = last_;
    const json::Value* first = session_.record("CARD_DEAL");
    if (first == nullptr) return {};
    TALLA_TRY(const std::string origin, text_at(*first, {"origin"}));
    for (const json::Value& card : list_in(dealt, "cards")) {
      if (card.find("seats") != nullptr) TALLA_TRY_STATUS(look_at(dealt, origin, card));
    }
    return {};
  }

  Status look_at(const json::Value& dealt, const std::string& origin, const json::Value& card) {
    TALLA_TRY(const std::int64_t position, integer_at(card, {"position"}));
    TALLA_TRY(const std::string key, read_file(session_.key_file()));
    TALLA_TRY(const Digest digest, certs::seat_key_digest(key));
    const auto path = "/v1/shoes/" + shoe_ + "/cards/" + std::to_string(position);
    auto reply = session_.get(path);
    if (!reply) return {};  // it is for another key
    TALLA_TRY(const std::string root, text_at(dealt, {"shoe", "root"}));
    if (mixed_.id != shoe_ || to_hex(mixed_.commit.root) != root)
      return fail(CliErrc::appliance_refused, "the card is of a root that was not mixed here");
    TALLA_TRY(const Digest committed, digest_from_hex(root));
    std::int64_t recommits = 0;
    if (const json::Value* again = card.find("recommits"); again != nullptr && again->is_integer())
      recommits = again->integer();
    for (const json::Value& copy : list_in(member_in(*reply, "card"), "copies")) {
      TALLA_TRY(const std::int64_t seat, integer_at(copy, {"seat"}));
      TALLA_TRY(const std::string text, text_at(copy, {"ciphertext"}));
      TALLA_TRY(const Bytes ciphertext, from_base64(text));
      const auto at = static_cast<std::uint32_t>(position);
      TALLA_TRY(const auto opening,
                certs::decrypt_opening(key,
                                       {.origin = origin,
                                        .shoe = shoe_,
                                        .position = at,
                                        .seat = static_cast<std::uint32_t>(seat),
                                        .key = digest,
                                        .recommits = static_cast<std::uint32_t>(recommits)},
                                       ciphertext));
      TALLA_TRY_STATUS(certs::check_covered_opening(
          {.shoe = shoe_, .mix = mixed_.mix, .position = at, .root = committed}, opening));
      app_.say("seat " + std::to_string(seat) + " sees " + opening.card + " at " +
               word_in(card, "place") + " (decrypted, and the committed card)");
    }
    return {};
  }

  const App& app_;
  Session& session_;
  std::string table_;
  RoundPlan plan_;
  json::Value needs_;
  json::Value last_;
  std::string state_;
  std::string shoe_;
  MixedShoe mixed_;  // the newest root that this client mixed
  std::string round_;
  std::int64_t position_ = 0;
  bool mix_due_ = false;
  bool closed_ = false;
  std::optional<json::Value> settled_;
  std::optional<Error> refused_;  // the first thing that was
};

}  // namespace

const json::Value* need_of(const json::Value& needs, std::string_view name) {
  if (!needs.is_array()) return nullptr;
  for (const json::Value& need : needs.array()) {
    if (word_in(need, "need") == name) return &need;
  }
  return nullptr;
}

const json::Value* due_decision(const json::Value& needs) {
  if (!needs.is_array()) return nullptr;
  for (const json::Value& need : needs.array()) {
    if (word_in(need, "need") == "decide" && says(need, "required")) return &need;
  }
  return nullptr;
}

Result<json::Value> play_round(const App& app, Session& session, const std::string& table,
                               RoundPlan plan) {
  return RoundPlay(app, session, table, std::move(plan)).play();
}

}  // namespace talla::cli
