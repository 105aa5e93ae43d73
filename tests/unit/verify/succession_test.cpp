// Goal: a place goes on from the counts that the log before left it with (FORMAT section 6), and
//   archives show whoever says otherwise.
// Method: house.hpp, whose log follows another one; what lies goes to the other verifier too.
#include <gtest/gtest.h>

#include "format/body_machine.hpp"
#include "house.hpp"

namespace talla::certs::test {
namespace {

TEST(Succession, PROTOCOL_5b_places_of_the_log_before_go_on) {
  test::Pki pki;
  House house(pki, {}, true);
  const auto key = house.follow_log("Mesa 1");
  house.follow_log("Mesa 2");  // not opened again
  const auto first = house.go_on(key);
  test::Batch(house.log, first, 1, house.context).draw(dice);
  const auto closed = house.close(first, "Mesa 1", 5);
  house.middle = house.log.next_seq();
  const auto again = house.open("Mesa 1", closed);
  test::Batch(house.log, again, 1, house.context).draw(dice);
  house.close(again, "Mesa 1", 6);
  house.open("Mesa 3");
  const test::TwoArchives both = house.archives();
  const auto verdict = judge(pki, {both.first, both.second});
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_TRUE(judge(pki, {both.second}));
  keep("true_archive-succession", both);
}

TEST(WrongSuccession, a_place_of_the_log_before_is_not_begun_anew) {
  test::Pki pki;
  {
    House house(pki, {}, true);
    house.follow_log("Mesa 1");
    house.middle = house.log.next_seq();
    house.open("Mesa 1");
    refused_by(VerifyErrc::place_gap, house, "place-before-forgotten", Alone::unseen);
  }
  {
    House house(pki, {}, true);
    const auto key = house.follow_log("Mesa 1");
    const auto first = house.go_on(key);
    house.middle = house.log.next_seq();
    house.close(first, "Mesa 1", 5);
    house.go_on(key);
    refused_by(VerifyErrc::predecessor_wrong, house, "place-before-twice");
  }
  House house(pki, {}, true);
  const auto key = house.follow_log("Mesa 1");
  house.middle = house.log.next_seq();
  house.go_on(key, [](TableOpenBody& table) { --table.counts.voids; });
  refused_by(VerifyErrc::totals_wrong, house, "voids-before-forgotten", Alone::unseen);
}

TEST(WrongSuccession, what_the_log_before_left_is_said_once_and_of_the_log_that_ended) {
  test::Pki pki;
  {
    House house(pki, {}, true);
    house.follow_log("Mesa 1");
    house.middle = house.log.next_seq();
    house.follow_log("Mesa 1", [](KeyBody& key) { key.counts = {}; });
    refused_by(VerifyErrc::predecessor_wrong, house, "said-twice", Alone::unseen);
  }
  {
    House house(pki, {}, true);
    house.follow_log("Mesa 2");
    house.open("Mesa 1");
    house.middle = house.log.next_seq();
    house.follow_log("Mesa 1");
    refused_by(VerifyErrc::predecessor_wrong, house, "said-behind-an-opening", Alone::unseen);
  }
  {
    House house(pki, {}, true);
    house.follow_log("Mesa 2");
    house.middle = house.log.next_seq();
    house.follow_log("Mesa 1", [](KeyBody& key) { key.origin = "casino.example/other"; });
    refused_by(VerifyErrc::predecessor_wrong, house, "of-another-log", Alone::unseen);
  }
  {
    House house(pki, {}, true);
    house.follow_log("Mesa 2");
    house.middle = house.log.next_seq();
    house.go_on(house.follow_log("Mesa 1"),
                [](TableOpenBody& table) { table.predecessor = "casino.example/other"; });
    refused_by(VerifyErrc::predecessor_wrong, house, "another-log-is-named");
  }
  {  // the log had begun before it said that it follows another one
    House house(pki);
    house.middle = house.log.next_seq();
    house.follow_log("Mesa 1");
    refused_by(VerifyErrc::predecessor_wrong, house, "named-later");
  }
  House house(pki, {Kind::key, 2, [](Record& record) { record.cites.clear(); }}, true);
  house.follow_log("Mesa 2");
  house.middle = house.log.next_seq();
  house.follow_log("Mesa 1");
  refused_by(VerifyErrc::predecessor_wrong, house, "first-key-not-cited");
}

}  // namespace
}  // namespace talla::certs::test
