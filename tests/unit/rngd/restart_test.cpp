// Goal: a restart at any point leaves the same tables, shoes, rounds and replies, and play goes on
//       from there.
// Method: random command sequences (rapidcheck) against a simulated appliance with crashes between
//         and inside turns.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

/// One client that plays roulette, punto y banca and a plain shoe, and remembers every acknowledged
/// reply.
class PlayerOfRestarts {
 public:
  /// `resume_interval`: records of the log between resume points; 1: one with every group.
  explicit PlayerOfRestarts(std::uint64_t resume_interval)
      : rig_(settings_of(resume_interval)),
        roulette_(rig_.open_table(roulette_table)),
        punto_(rig_.open_table(punto_table)),
        plain_(rig_.open_table(shoe_table)) {}

  static Settings settings_of(std::uint64_t resume_interval) {
    Settings settings;
    settings.resume_interval = resume_interval;
    return settings;
  }

  void step(int what) {
    switch (what) {
      case 0:
        return shoe_of(plain_);
      case 1:
        return shoe_of(punto_);
      case 2:
        return deal_plain();
      case 3:
        return deal_by_rules();
      case 4:
        return open_round(roulette_);
      case 5:
        return open_round(punto_);
      case 6:
        return close_bets(roulette_, "rojo");
      case 7:
        return close_bets(punto_, "banca");
      case 8:
        return spin(false);
      case 9:
        return spin(true);
      case 10:
        return close_shoe();
      default:
        return restart();
    }
  }

  /// Every acknowledged reply is still given, byte for byte; every chain ends in claims that
  /// verify.
  void check() {
    restart();
    for (const auto& [request, body] : acknowledged_) {
      auto again = rig_.ask(request);
      RC_ASSERT(again.body == body);
    }
    const auto size = rig_.log().size();
    for (std::uint64_t seq = 0; seq < size; ++seq) {
      const auto kind = rig_.ledger().record(seq)->kind;
      if (kind == Kind::settlement || kind == Kind::shoe_close || kind == Kind::draw)
        rig_.verify(seq);
    }
    RC_ASSERT(!::testing::Test::HasFailure());
  }

 private:
  std::string views() {
    const auto tables = rig_.get("/v1/tables");
    std::string all = tables.body;
    for (const auto& table : tables.at({"tables"}).array()) {
      if (const auto* shoe = table.find("shoe"))
        all += rig_.get("/v1/shoes/" + shoe->string()).body;
      if (const auto* round = table.find("round"))
        all += rig_.get("/v1/rounds/" + round->string()).body;
    }
    return all;
  }
  void restart() {
    const auto before = views();
    rig_.restart();
    RC_ASSERT(views() == before);
  }
  Got post(const std::string& path, const std::string& body) {
    const auto request = rig_.request("POST", path, body);
    auto got = rig_.ask(request);
    RC_ASSERT(got.status < 500);
    if (got.status < 300) acknowledged_.emplace_back(request, got.body);
    return got;
  }
  std::optional<std::string> member(const std::string& table, const char* name) {
    const auto got = rig_.get("/v1/tables/" + table);
    const auto* found = got.at({"table"}).find(name);
    return found == nullptr ? std::nullopt : std::optional(found->string());
  }
  std::string position(const std::string& shoe) {
    return std::to_string(rig_.get("/v1/shoes/" + shoe).number({"shoe", "position"}));
  }
  void shoe_of(const std::string& table) {
    const auto made = post("/v1/tables/" + table + "/shoes", "{}");
    if (made.status != 201) return;
    post("/v1/shoes/" + made.text({"shoe", "id"}) + "/mix",
         rig_.mix_body(made.text({"shoe", "id"})));
  }
  void deal_plain() {
    const auto shoe = member(plain_, "shoe");
    if (!shoe) return;
    post("/v1/shoes/" + *shoe + "/deal",
         R"({"expected":)" + position(*shoe) + R"(,"until":3,"place":"hand","face":"unseen"})");
  }
  void deal_by_rules() {
    const auto shoe = member(punto_, "shoe");
    if (shoe)
      post("/v1/shoes/" + *shoe + "/deal",
           R"({"expected":)" + position(*shoe) + R"(,"until":"needs"})");
  }
  void open_round(const std::string& table) { post("/v1/tables/" + table + "/rounds", "{}"); }
  void close_bets(const std::string& table, const std::string& kind) {
    const auto round = member(table, "round");
    if (!round) return;
    post("/v1/rounds/" + *round + "/close-bets", R"({"bets":[{"id":"b)" + std::to_string(bets_++) +
                                                     R"(","seat":1,"kind":")" + kind +
                                                     R"(","stake":100}]})");
  }
  /// A draw; with `crash` the appliance dies between CALL and DRAW and the client asks again.
  void spin(bool crash) {
    const auto round = member(roulette_, "round");
    if (!round) return;
    const auto batch = rig_.open_batch(roulette_, 1);
    const auto request = rig_.request("POST", "/v1/draws", rig_.draw_body(batch, 0, *round));
    if (crash) {
      const auto lost = rig_.send(request);
      rig_.service().run_once();
      rig_.restart();
    }
    const auto got = rig_.ask(request);
    if (got.status < 300) acknowledged_.emplace_back(request, got.body);
  }
  void close_shoe() {
    if (const auto shoe = member(plain_, "shoe")) post("/v1/shoes/" + *shoe + "/close", "{}");
  }

  Rig rig_;
  std::string roulette_, punto_, plain_;
  std::vector<std::pair<Request, std::string>> acknowledged_;
  int bets_ = 0;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int steps_most = 8;  // a tenth of the speed
#else
constexpr int steps_most = 40;
#endif

TEST(Restart, at_random_points_gives_the_same_state_and_replies) {
  const auto passed = rc::check("restart", [] {
    const auto steps =
        *rc::gen::resize(steps_most, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12)));
    PlayerOfRestarts player(*rc::gen::element<std::uint64_t>(1, 5, 8192));
    for (const int step : steps) player.step(step);
    player.check();
  });
  EXPECT_TRUE(passed);
}

TEST(Restart, power_record_tells_a_crash_from_a_clean_stop) {
  Rig rig;
  rig.restart();
  const auto start_after = [&](std::uint64_t from) {
    for (std::uint64_t seq = from; seq < rig.log().size(); ++seq) {
      const auto record = certs::parse_record(rig.ledger().record(seq)->bytes);
      if (record->kind == Kind::power) return record->body.find("clean")->boolean();
    }
    return true;
  };
  EXPECT_FALSE(start_after(1));
  rig.service().stop();
  const auto size = rig.log().size();
  rig.restart();
  EXPECT_TRUE(start_after(size));
}

}  // namespace
}  // namespace talla::core::test
