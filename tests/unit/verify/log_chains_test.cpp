// Goal: archives show forks and gaps of tables, also of those that began in an earlier archive
//   (FORMAT section 13): whoever has the log's key can make none that is valid in every other
//   respect.
// Method: a house of three tables, one of them opened again, as two archives and as the second one
//   alone; then with one record told otherwise, the links behind it those of the lie, or with
//   records that should not be there; all of it signed again. Every file goes to the other verifier
//   too (TALLA_LIES), named by the code that refuses it.
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "house.hpp"
#include "lies.hpp"
#include "memory_source.hpp"

namespace talla::certs::test {
namespace {

TEST(LogChains, of_tables_that_go_on_over_archives_hold) {
  test::Pki pki;
  House house(pki);
  house.play();
  const test::TwoArchives both = house.archives();
  const auto verdict = judge(pki, {both.first, both.second});
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_TRUE(says(verdict->verdict.checked, "every record of 4 tables is there"));
  EXPECT_FALSE(says(verdict->verdict.not_checked, "tables did before record"));
  keep("true_archive-house", both);
}

TEST(LogChains, that_began_before_are_followed_from_there_on_and_it_is_said) {
  test::Pki pki;
  House house(pki);
  house.play();
  const auto verdict = judge(pki, {house.archives().second});
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_TRUE(says(verdict->verdict.checked, "every record of 4 tables is there"));
  EXPECT_TRUE(says(verdict->verdict.not_checked,
                   "what 3 tables did before record " + std::to_string(house.middle)));
}

/// An opening whose close stands in an archive that was not given is one of them.
TEST(LogChains, of_a_place_that_was_closed_before_are_taken_as_they_say) {
  test::Pki pki;
  House house(pki);
  const auto first = house.open("Mesa 1");
  test::Batch(house.log, first, 1, house.context).close();
  const auto closed = house.close(first, "Mesa 1");
  house.middle = house.log.next_seq();
  const auto again = house.open("Mesa 1", closed);
  test::Batch(house.log, again, 1, house.context).draw(dice);
  house.close(again, "Mesa 1", 2);
  const test::TwoArchives both = house.archives();
  EXPECT_TRUE(judge(pki, {both.first, both.second}));
  const auto second = judge(pki, {both.second});
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_TRUE(says(second->verdict.not_checked, "what 1 tables did before record"));
}

TEST(LogChains, are_not_followed_where_records_are_not_read_and_that_is_said) {
  test::Pki pki;
  House house(pki);
  house.play();
  const test::TwoArchives both = house.archives();
  ArchiveVerifier verifier(pki.roots_pem(), {});
  test::MemorySource first(both.first);
  const auto tree = verifier.verify(first, {.contents = false});
  ASSERT_TRUE(tree) << tree.error().text();
  EXPECT_TRUE(says(tree->verdict.not_checked, "the chains of the tables: not all"));
  test::MemorySource second(both.second);
  const auto whole = verifier.verify(second);
  ASSERT_TRUE(whole) << whole.error().text();
  EXPECT_TRUE(says(whole->verdict.not_checked, "what 3 tables did before record"));
}

struct HouseLie {
  const char* what;
  VerifyErrc errc;
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
  Alone alone = Alone::seen;
};
class WrongHouse : public testing::TestWithParam<HouseLie> {};
TEST_P(WrongHouse, is_refused) {
  test::Pki pki;
  const HouseLie& lie = GetParam();
  House house(pki, {lie.kind, lie.occurrence, lie.change});
  house.play();
  refused_by(lie.errc, house, lie.what, lie.alone);
}

void another_turn(Record& record) {
  auto body = CallBody::from_json(record.body);
  ++body->core.turn;
  record.body = body->to_json();
}

INSTANTIATE_TEST_SUITE_P(
    LogChains, WrongHouse,
    testing::Values(
        HouseLie{"a_link", VerifyErrc::link_gap, Kind::draw, 1,
                 [](Record& r) { (*r.link)[31] ^= 1; }},
        // Of a table that began before, nothing else tells which record stood before this one.
        HouseLie{"the_first_link_behind_the_border", VerifyErrc::link_gap, Kind::card_deal, 1,
                 [](Record& r) { (*r.link)[0] ^= 1; }, Alone::unseen},
        HouseLie{"a_record_between_that_is_not_there", VerifyErrc::link_gap, Kind::draw, 1,
                 [](Record& r) { r.prev = *r.prev - 1; }},
        HouseLie{"an_opening_skipped", VerifyErrc::place_gap, Kind::table_open, 3,
                 body<TableOpenBody>([](auto& b) { ++b.opened; })},
        HouseLie{"another_place", VerifyErrc::place_gap, Kind::table_open, 3,
                 body<TableOpenBody>([](auto& b) { b.place = "Mesa 4"; })},
        HouseLie{"a_place_where_a_table_is_open", VerifyErrc::place_gap, Kind::table_open, 3,
                 body<TableOpenBody>([](auto& b) { b.place = "Mesa 2"; })},
        HouseLie{"close_not_cited", VerifyErrc::place_gap, Kind::table_open, 3,
                 [](Record& r) { r.cites.clear(); }},
        HouseLie{"begun_anew", VerifyErrc::place_gap, Kind::table_open, 3,
                 [](Record& r) {
                   auto b = TableOpenBody::from_json(r.body);
                   b->opened = 1;
                   b->counts = {};
                   r.body = b->to_json();
                   r.link = Digest{};
                   r.cites.clear();
                 }},
        HouseLie{"link_of_the_opening", VerifyErrc::link_gap, Kind::table_open, 3,
                 [](Record& r) { r.link = Digest{}; }},
        HouseLie{"turns_forgotten", VerifyErrc::totals_wrong, Kind::table_open, 3,
                 body<TableOpenBody>([](auto& b) { --b.counts.turns; })},
        HouseLie{"closed_at_another_place", VerifyErrc::place_gap, Kind::table_close, 0,
                 body<TableCloseBody>([](auto& b) { b.place = "Mesa 9"; })},
        HouseLie{"closed_with_fewer_voids", VerifyErrc::totals_wrong, Kind::table_close, 0,
                 body<TableCloseBody>([](auto& b) { b.counts.voids = 0; }), Alone::unseen},
        HouseLie{"closed_with_another_round", VerifyErrc::totals_wrong, Kind::table_close, 1,
                 body<TableCloseBody>([](auto& b) { ++b.rounds; }), Alone::unseen},
        HouseLie{"an_early_close_that_is_not_counted", VerifyErrc::totals_wrong, Kind::table_close,
                 1, body<TableCloseBody>([](auto& b) { --b.counts.early_closes; }), Alone::unseen},
        HouseLie{"a_round_with_more_turns", VerifyErrc::totals_wrong, Kind::round_end, 1,
                 body<RoundEndBody>([](auto& b) { ++b.counts.turns; }), Alone::unseen},
        HouseLie{"a_round_skipped", VerifyErrc::number_gap, Kind::round_open, 1,
                 body<RoundOpenBody>([](auto& b) { ++b.number; }), Alone::unseen},
        HouseLie{"a_shoe_skipped", VerifyErrc::number_gap, Kind::shoe_commit, 1,
                 body<ShoeCommitBody>([](auto& b) { ++b.number; }), Alone::unseen},
        HouseLie{"a_round_behind_another_end", VerifyErrc::round_uncited, Kind::round_open, 1,
                 [](Record& r) { r.cites.pop_back(); }, Alone::unseen},
        HouseLie{"a_turn_skipped", VerifyErrc::turn_gap, Kind::call, 3, another_turn},
        HouseLie{"a_turn_skipped_over_the_border", VerifyErrc::turn_gap, Kind::call, 2,
                 another_turn},
        HouseLie{"the_result_of_another_call", VerifyErrc::call_none, Kind::draw, 1,
                 body<DrawBody>([](auto& b) { --b.call; })}),
    [](const auto& named) { return named.param.what; });

/// Two records stand behind the same one: each link is true by itself.
TEST(WrongLogChains, a_fork_is_refused) {
  test::Pki pki;
  const House* told = nullptr;
  House house(pki, {Kind::batch_close, 1, [&](Record& record) {
                      // as if the draw before it had not been
                      const Record* draw = nullptr;
                      for (std::uint64_t seq = 0; seq < told->log.next_seq(); ++seq) {
                        if (told->log.record(seq).kind == Kind::draw) draw = &told->log.record(seq);
                      }
                      const Record& call = told->log.record(*draw->prev);
                      record.prev = call.prev;
                      record.link = call.link;
                    }});
  told = &house;
  const auto table = house.open("Mesa 1");
  test::Batch first(house.log, table, 1, house.context);
  first.draw(dice);
  first.close();
  house.middle = house.log.next_seq();
  test::Batch second(house.log, table, 2, house.context);
  second.draw(dice);
  second.close();
  refused_by(VerifyErrc::link_gap, house, "fork");
}

/// A history of the table that goes on from a record of the archive before, beside the true one.
TEST(WrongLogChains, a_fork_behind_the_border_is_refused) {
  test::Pki pki;
  const House* told = nullptr;
  std::uint64_t newest = 0;  // of the table, before the border
  House house(pki, {Kind::batch_commit, 2, [&](Record& record) {
                      const Record& before = told->log.record(newest);
                      record.prev = newest;
                      record.link =
                          chain_head(told->log.hashes, *before.link,
                                     leaf_hash(told->log.hashes, as_bytes(*write_record(before))));
                    }});
  told = &house;
  const auto table = house.open("Mesa 1");
  test::Batch first(house.log, table, 1, house.context);
  newest = first.draw(dice);
  house.middle = house.log.next_seq();
  test::Batch(house.log, table, 1, house.context).draw(dice);
  test::Batch(house.log, table, 1, house.context).close();
  refused_by(VerifyErrc::link_gap, house, "fork-over-the-border");
}

TEST(WrongLogChains, a_record_behind_the_close_or_of_no_table_is_refused) {
  test::Pki pki;
  {
    House house(pki);
    const auto table = house.open("Mesa 1");
    house.middle = house.log.next_seq();
    house.close(table, "Mesa 1");
    test::Batch(house.log, table, 1, house.context).close();
    refused_by(VerifyErrc::link_gap, house, "behind-the-close");
  }
  // The machine's record is named as if it had opened a table.
  House house(pki, {Kind::batch_commit, 0, [](Record& record) {
                      record.body["table"] = "table-0";
                      record.table = "table-0";
                      record.prev = 0;
                      record.link = Digest{};
                    }});
  const auto table = house.open("Mesa 1");
  house.middle = 1;
  const test::Batch batch(house.log, table, 1, house.context);
  refused_by(VerifyErrc::link_gap, house, "of-no-table", Alone::unseen);
}

TEST(WrongLogChains, two_tables_at_a_place_are_refused) {
  test::Pki pki;
  {
    House house(pki);
    house.open("Mesa 1");
    house.middle = house.log.next_seq();
    house.open("Mesa 1");
    refused_by(VerifyErrc::place_gap, house, "two-at-a-place", Alone::unseen);
  }
  {
    House house(pki);
    const auto first = house.open("Mesa 1");
    house.middle = house.log.next_seq();
    house.open("Mesa 1");
    house.close(first, "Mesa 1");
    refused_by(VerifyErrc::place_gap, house, "two-at-a-place-closed");
  }
  {  // two histories behind one close, one after the other
    House house(pki);
    const auto first = house.open("Mesa 1");
    const auto closed = house.close(first, "Mesa 1");
    house.middle = house.log.next_seq();
    house.close(house.open("Mesa 1", closed), "Mesa 1", 2);
    house.open("Mesa 1", closed);
    refused_by(VerifyErrc::place_gap, house, "opened-twice-behind-a-close");
  }
  House house(pki, {Kind::table_open, 2, [](Record& record) {
                      record.cites.insert(record.cites.begin(), record.cites.front() - 1);
                    }});
  const auto first = house.open("Mesa 1");
  const auto other = house.open("Mesa 2");
  house.middle = house.log.next_seq();
  house.close(other, "Mesa 2");
  house.open("Mesa 1", house.close(first, "Mesa 1"));
  refused_by(VerifyErrc::place_gap, house, "two-closes-cited");
}

TEST(WrongLogChains, two_rounds_or_shoes_at_a_time_are_refused) {
  test::Pki pki;
  {
    House house(pki);
    const auto table = house.open("Mesa 1");
    house.open_round(table, 1);
    house.middle = house.log.next_seq();
    house.open_round(table, 2);
    refused_by(VerifyErrc::two_rounds, house, "two-open", Alone::unseen);
  }
  {
    House house(pki);
    const auto table = house.open("Mesa 1");
    house.middle = house.log.next_seq();
    house.open_round(table, 1);
    house.close(table, "Mesa 1", 1, 1);
    refused_by(VerifyErrc::two_rounds, house, "closed-in-a-round");
  }
  House house(pki);
  const auto table = house.open("Mesa 1");
  house.middle = house.log.next_seq();
  const test::Shoe first(house.log, table, {"french52x1", 1, 0, house.context});
  const test::Shoe second(house.log, table, {"french52x1", 2, 0, house.context});
  refused_by(VerifyErrc::two_live, house, "two-live");
}

TEST(WrongLogChains, whatever_goes_on_while_a_call_is_open_is_refused) {
  test::Pki pki;
  {
    House house(pki);
    const auto table = house.open("Mesa 1");
    test::Batch batch(house.log, table, 2, house.context);
    batch.call(dice);
    house.middle = house.log.next_seq();
    batch.draw(dice);
    refused_by(VerifyErrc::turn_open, house, "two-calls", Alone::unseen);
  }
  {
    House house(pki);
    const auto table = house.open("Mesa 1");
    house.middle = house.log.next_seq();
    test::Batch batch(house.log, table, 2, house.context);
    batch.call(dice);
    house.close(table, "Mesa 1");
    refused_by(VerifyErrc::turn_open, house, "closed-while-open");
  }
  House house(pki, {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { --b.call; })});
  const auto table = house.open("Mesa 1");
  house.middle = house.log.next_seq();
  test::Shoe(house.log, table, {"french52x1", 1, 0, house.context}).mix();
  refused_by(VerifyErrc::mix_early, house, "of-another-call");
}

}  // namespace
}  // namespace talla::certs::test
