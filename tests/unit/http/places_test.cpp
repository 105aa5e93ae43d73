// Goal: nobody keeps the others out: strangers give way to newer ones, clients and addresses stay
//       within their shares, who has most gives one up, and what is counted is so.
// Method: the list of places with occupants that only note what is said to them; attacks in the
//         order of events, and random ones against the bounds.
#include "places.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace talla;  // NOLINT: test file

namespace {

class Guest final : public http::Occupant {
 public:
  void end_soon() override { ended = true; }
  void cut() override { was_cut = true; }
  bool ended = false;
  bool was_cut = false;
};

class PlacesTest : public ::testing::Test {
 protected:
  PlacesTest()
      : shares_{.connections = 6,
                .connections_per_client = 3,
                .connections_per_address = 5,
                .strangers = 4,
                .streams = 4,
                .streams_per_client = 2,
                .streams_per_address = 3} {}

  std::shared_ptr<Guest> stranger(const std::string& address) {
    auto guest = std::make_shared<Guest>();
    places().enter(guest, address);
    all_.push_back(guest);
    return guest;
  }
  /// Known and at rest; null: refused.
  std::shared_ptr<Guest> client(const std::string& name, const std::string& address) {
    auto guest = stranger(address);
    refused_ = places().settle(guest.get(), name);
    if (refused_) {
      leave(guest);
      return nullptr;
    }
    guest->rest();
    return guest;
  }
  void leave(const std::shared_ptr<Guest>& guest) { places().leave(guest.get()); }
  http::Places& places() {
    if (!places_) places_ = std::make_unique<http::Places>(shares_, traffic_);
    return *places_;
  }

  http::Shares shares_;
  std::shared_ptr<http::Traffic> traffic_ = std::make_shared<http::Traffic>();
  std::unique_ptr<http::Places> places_;
  std::vector<std::shared_ptr<Guest>> all_;
  std::optional<http::Share> refused_;
};

TEST_F(PlacesTest, silent_strangers_keep_nobody_out) {
  std::vector<std::shared_ptr<Guest>> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(stranger("attacker"));
  EXPECT_EQ(traffic_->strangers, 4U);
  EXPECT_EQ(traffic_->strangers_cut, 96U);
  const auto table = stranger("table");
  EXPECT_FALSE(table->was_cut);
  for (int i = 0; i < 100; ++i) silent.push_back(stranger("attacker"));
  EXPECT_FALSE(table->was_cut) << "the address with most strangers gives way";
  EXPECT_FALSE(places().settle(table.get(), "table"));
  EXPECT_EQ(traffic_->connections, 1U);
}

TEST_F(PlacesTest, silent_callers_of_its_own_address_put_out_nobody_who_has_begun_to_speak) {
  const auto table = stranger("shared");
  ASSERT_TRUE(places().speaks(table.get(), true));
  for (int i = 0; i < 100; ++i) stranger("shared");
  EXPECT_FALSE(table->was_cut);
  EXPECT_FALSE(places().settle(table.get(), "table"));
}

TEST_F(PlacesTest, callers_that_all_speak_leave_room_for_one_that_has_not_yet) {
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(places().speaks(stranger("shared").get(), true)) << "attacker " << i;
  const auto table = stranger("shared");
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(places().speaks(stranger("shared").get(), true));
  EXPECT_FALSE(table->was_cut) << "of two kinds the one with more gives way";
  EXPECT_TRUE(places().speaks(table.get(), true));
}

TEST_F(PlacesTest, the_address_with_most_gives_way_before_any_kind_is_looked_at) {
  const auto other = stranger("other");
  const auto silent = stranger("attacker");
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(places().speaks(stranger("attacker").get(), true));
  const auto newest = stranger("third");
  EXPECT_FALSE(other->was_cut);
  EXPECT_FALSE(newest->was_cut);
  EXPECT_FALSE(silent->was_cut) << "two of that address speak";
  EXPECT_EQ(traffic_->strangers_cut, 1U);
}

TEST_F(PlacesTest,
       an_address_begins_so_many_handshakes_and_who_shows_a_certificate_is_not_counted) {
  shares_.handshakes_per_address = 1;
  shares_.strangers = 100;
  for (int i = 0; i < 200; ++i) {
    const auto table = stranger("shared");
    ASSERT_TRUE(places().speaks(table.get(), true)) << i;
    ASSERT_FALSE(places().settle(table.get(), "table"));
    leave(table);
  }
  int begun = 0;
  while (begun < 100 && places().speaks(stranger("shared").get(), true)) ++begun;
  EXPECT_GE(begun, 10);
  EXPECT_LT(begun, 100);
  EXPECT_EQ(traffic_->handshakes_refused, 1U);
  EXPECT_TRUE(places().speaks(stranger("other").get(), true)) << "of each address its own";
  const auto page = stranger("shared");
  EXPECT_TRUE(places().speaks(page.get(), false)) << "no handshake, no cost";
  const auto late = stranger("shared");
  EXPECT_FALSE(places().speaks(late.get(), true));
  EXPECT_TRUE(places().settle(late.get(), "table")) << "it has no place any more";
}

TEST_F(PlacesTest, of_one_address_the_oldest_stranger_gives_way) {
  const auto first = stranger("a");
  const auto second = stranger("a");
  for (int i = 0; i < 3; ++i) stranger("a");
  EXPECT_TRUE(first->was_cut);
  EXPECT_FALSE(second->was_cut);
  EXPECT_TRUE(places().settle(first.get(), "late")) << "who was cut gets no place any more";
}

TEST_F(PlacesTest, a_client_beyond_its_share_loses_its_own_that_rested_longest) {
  const auto one = client("c", "1");
  const auto two = client("c", "1");
  const auto three = client("c", "1");
  one->work();
  const auto four = client("c", "1");
  ASSERT_TRUE(four);
  EXPECT_FALSE(one->was_cut) << "it has a request under way";
  EXPECT_TRUE(two->was_cut);
  EXPECT_FALSE(three->was_cut);
  EXPECT_EQ(traffic_->connections, 3U);
  for (const auto& busy : {three, four}) busy->work();
  EXPECT_FALSE(client("c", "2"));
  EXPECT_EQ(refused_, http::Share::client);
  EXPECT_EQ(traffic_->refused.at(0), 1U);
  EXPECT_TRUE(client("other", "1")) << "the share of one is no matter to another";
}

TEST_F(PlacesTest, who_has_most_gives_one_up_to_who_has_two_fewer) {
  std::vector<std::shared_ptr<Guest>> greedy;
  for (int i = 0; i < 3; ++i) greedy.push_back(client("greedy", "1"));
  for (int i = 0; i < 3; ++i) client("wide", "2");
  for (const auto& one : greedy) one->work();
  EXPECT_TRUE(client("poor", "3")) << "full, but somebody has three";
  EXPECT_TRUE(client("poor", "3"));
  EXPECT_EQ(traffic_->connections, 6U);
  EXPECT_EQ(traffic_->cut.at(2), 2U);
  // Now 2, 2, 2: nobody gains from a swap.
  for (const auto& guest : all_) guest->work();
  EXPECT_FALSE(client("poor", "4"));
  EXPECT_EQ(refused_, http::Share::listener);
  const auto newcomer = client("newcomer", "5");
  ASSERT_TRUE(newcomer) << "none against two";
  newcomer->work();
  EXPECT_FALSE(client("newcomer", "5")) << "one against two: the other one would come back for it";
}

TEST_F(PlacesTest, an_address_has_its_share_whoever_comes_from_it) {
  for (const char* name : {"a", "b", "c", "d", "e"}) client(name, "one");
  EXPECT_FALSE(client("f", "one"));
  EXPECT_EQ(refused_, http::Share::address);
  EXPECT_TRUE(client("f", "two"));
}

TEST_F(PlacesTest, where_nobody_shows_a_certificate_the_longest_at_rest_gives_way) {
  std::vector<std::shared_ptr<Guest>> phones;
  for (int i = 0; i < 5; ++i) phones.push_back(client("", "nat"));
  EXPECT_TRUE(client("", "nat"));
  EXPECT_TRUE(phones.front()->was_cut) << "of its address";
  for (const char* address : {"1", "2", "3", "4", "5"}) EXPECT_TRUE(client("", address)) << address;
  EXPECT_EQ(traffic_->connections, 6U);
  for (const auto& guest : all_) guest->work();
  EXPECT_FALSE(client("", "6")) << "each has one, with a request under way";
}

TEST_F(PlacesTest, streams_have_shares_of_their_own) {
  const auto streams = [this](const std::string& name, const std::string& address) {
    const auto guest = client(name, address);
    EXPECT_TRUE(guest);
    refused_ = places().stream(guest.get());
    if (!refused_) guest->work();
    return guest;
  };
  const auto one = streams("c", "1");
  streams("c", "1");
  EXPECT_FALSE(refused_);
  const auto three = streams("c", "1");
  EXPECT_EQ(refused_, http::Share::client);
  leave(three);
  streams("d", "1");
  EXPECT_FALSE(refused_);
  EXPECT_FALSE(one->was_cut);
  streams("e", "1");
  EXPECT_FALSE(refused_) << "the address is full, but c has two and e none";
  EXPECT_TRUE(one->was_cut);
  streams("f", "1");
  EXPECT_EQ(refused_, http::Share::address) << "each has one";
  streams("g", "2");
  EXPECT_FALSE(refused_);
  EXPECT_EQ(traffic_->streams, 4U);
  const auto last = streams("h", "3");
  EXPECT_EQ(refused_, http::Share::listener);
  EXPECT_FALSE(last->was_cut) << "it is asked no stream, and may ask other things";
  EXPECT_EQ(traffic_->streams_cut.at(1), 1U);
  for (const auto& count : traffic_->streams_refused) EXPECT_EQ(count, 1U);
}

TEST_F(PlacesTest, all_end_and_nothing_is_counted_twice) {
  const auto one = client("c", "1");
  EXPECT_FALSE(places().stream(one.get()));
  const auto two = stranger("2");
  places().end_all();
  EXPECT_TRUE(one->ended && two->ended);
  for (int i = 0; i < 2; ++i) {
    leave(one);
    leave(two);
  }
  EXPECT_EQ(traffic_->connections + traffic_->strangers + traffic_->streams, 0U);
  EXPECT_EQ(traffic_->arrivals, 2U);
}

TEST_F(PlacesTest, random_coming_and_going_keeps_every_bound) {
  std::mt19937 random(1);  // NOLINT: the same in each run
  const auto below = [&random](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  std::vector<std::shared_ptr<Guest>> guests;
  std::map<Guest*, std::pair<std::string, std::string>> who;
  std::map<Guest*, bool> streaming;
  for (int step = 0; step < 20'000; ++step) {
    std::erase_if(guests, [&](const auto& guest) {
      if (!guest->was_cut) return false;
      leave(guest);
      who.erase(guest.get());
      streaming.erase(guest.get());
      return true;
    });
    const unsigned what = below(4);
    if (what <= 1) {
      const std::string name = "c" + std::to_string(below(4));
      const std::string address = std::to_string(below(3));
      auto guest = client(name, address);
      if (guest) {
        guests.push_back(guest);
        who[guest.get()] = {name, address};
        if (below(2) == 0) guest->work();
      }
    } else if (!guests.empty() && what == 2) {
      const auto& guest = guests[below(static_cast<unsigned>(guests.size()))];
      if (!streaming[guest.get()]) {
        guest->work();
        streaming[guest.get()] = !places().stream(guest.get()).has_value();
      }
    } else if (!guests.empty()) {
      const auto at = below(static_cast<unsigned>(guests.size()));
      leave(guests[at]);
      who.erase(guests[at].get());
      streaming.erase(guests[at].get());
      guests.erase(guests.begin() + static_cast<std::ptrdiff_t>(at));
    }
    all_.clear();
    std::map<std::string, unsigned> of_client;
    std::map<std::string, unsigned> of_address;
    std::map<std::string, unsigned> streams_of_client;
    unsigned streams = 0;
    unsigned there = 0;
    for (const auto& guest : guests) {
      if (guest->was_cut) continue;
      ++there;
      ++of_client[who[guest.get()].first];
      ++of_address[who[guest.get()].second];
      if (!streaming[guest.get()]) continue;
      ++streams;
      ++streams_of_client[who[guest.get()].first];
    }
    ASSERT_EQ(traffic_->connections, there);
    ASSERT_EQ(traffic_->streams, streams);
    ASSERT_LE(there, shares_.connections);
    ASSERT_LE(streams, shares_.streams);
    for (const auto& [name, count] : of_client) ASSERT_LE(count, shares_.connections_per_client);
    for (const auto& [name, count] : of_address) ASSERT_LE(count, shares_.connections_per_address);
    for (const auto& [name, count] : streams_of_client)
      ASSERT_LE(count, shares_.streams_per_client);
  }
  EXPECT_GT(traffic_->refused.at(0) + traffic_->refused.at(1) + traffic_->refused.at(2), 100U);
  EXPECT_GT(traffic_->cut.at(0) + traffic_->cut.at(1) + traffic_->cut.at(2), 100U);
}

}  // namespace
