/// \file
/// A house of several tables, told as two archives, and what becomes of it where it lies.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_machine.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "lies.hpp"
#include "memory_source.hpp"
#include "story.hpp"
#include "verify/archive.hpp"

namespace talla::certs::test {

inline const DrawSpecification dice = DiceDraw{2, 6};
inline const json::Value round_state = json::Object{{"phase", "open"}};

/// Records of a house, one after the other. The second archive begins at `middle`.
struct House {
  /// `follows`: the log begins with what follow_log adds.
  explicit House(Pki& keys, Tamper tamper = {}, bool follows = false)
      : pki(keys), log(keys, std::move(tamper)) {
    if (follows) return;
    log.add({Kind::power, "", json::Object{{"clean", true}, {"event", "start"}}, {}});
  }
  /// The log follows another one: KEY of its end, and of this place there, as these changed it.
  std::uint64_t follow_log(
      const std::string& place, const std::function<void(KeyBody&)>& told = [](KeyBody&) {}) {
    if (!first_key) {
      KeyBody first;
      first.log_key = pki.log_key();
      const auto end = as_bytes(std::string_view("casino.example/before\n12\nAAAA\n"));
      first.predecessor.assign(end.begin(), end.end());
      first_key = log.add({Kind::key, "", first.to_json(), {}});
    }
    KeyBody left;
    left.purpose = KeyPurpose::place;
    left.origin = "casino.example/before";
    left.place = place;
    left.opened = 4;
    left.counts = {.turns = 90, .voids = 2, .early_closes = 1};
    told(left);
    return log.add({Kind::key, "", left.to_json(), {*first_key}});
  }
  /// A table at the place of that KEY.
  std::string go_on(
      std::uint64_t key, const std::function<void(TableOpenBody&)>& told = [](TableOpenBody&) {}) {
    const auto left = KeyBody::from_json(log.record(key).body);
    return open(left->place, {}, [&](TableOpenBody& table, std::vector<std::uint64_t>& cites) {
      table.predecessor = left->origin;
      table.opened = left->opened + 1;
      table.counts = left->counts;
      cites.push_back(key);
      told(table);
    });
  }
  /// `follows`: the TABLE_CLOSE before at the place.
  std::string open(
      const std::string& place, std::optional<std::uint64_t> follows = {},
      const std::function<void(TableOpenBody&, std::vector<std::uint64_t>&)>& told =
          [](TableOpenBody&, std::vector<std::uint64_t>&) {}) {
    TableOpenBody table;
    table.place = place;
    if (follows) {
      const auto before = TableCloseBody::from_json(log.record(*follows).body);
      table.opened = before->opened + 1;
      table.counts = before->counts;
    }
    table.parameters = json::Object{{"range", specification_json(dice)}};
    table.settled_by_client = true;
    log.name_key(table);
    context.parameters = parameters_digest(log.hashes, table.parameters);
    std::vector<std::uint64_t> cites;
    if (follows) cites.push_back(*follows);
    told(table, cites);
    return object_id("table", log.add({Kind::table_open, "", table.to_json(), cites, {}, follows}));
  }
  std::uint64_t close(const std::string& table, const std::string& place, std::uint64_t opened = 1,
                      std::uint64_t rounds = 0) {
    const TableCloseBody body{place, opened, rounds, false, log.counts(table)};
    return log.add({Kind::table_close, table, body.to_json(), {}});
  }
  std::string open_round(const std::string& table, std::uint64_t number,
                         std::optional<std::uint64_t> ended = {}) {
    RoundOpenBody body;
    body.table = table;
    body.number = number;
    body.state_before = state_digest(log.hashes, round_state);
    std::vector<std::uint64_t> cites{*object_seq("table", table)};
    if (ended) cites.push_back(*ended);
    return object_id("round", log.add({Kind::round_open, "", body.to_json(), cites}));
  }
  std::uint64_t end_round(const std::string& table, const std::string& round) {
    const RoundEndBody body{state_digest(log.hashes, round_state), 0, log.counts(table)};
    return log.add({Kind::round_end, round, body.to_json(), {}});
  }
  /// Two seatings of three tables, of which the second begins in the middle.
  void play() {
    const std::string first = open("Mesa 1");
    const std::string rounds = open("Mesa 3");
    Batch early(log, first, 3, context);
    early.draw(dice);
    const auto end = end_round(rounds, open_round(rounds, 1));
    const std::string shoes = open("Mesa 2");
    Shoe shoe(log, shoes, {"french52x1", 1, 0, context});
    shoe.mix();
    shoe.deal("a", Face::open, {});
    middle = log.next_seq();
    early.void_next(dice);
    shoe.deal("b", Face::open, {});
    const auto round = open_round(rounds, 2, end);
    early.draw(dice);
    early.close();
    closed = close(first, "Mesa 1");
    end_round(rounds, round);
    Batch other(log, rounds, 1, context);
    again = open("Mesa 1", closed);
    other.draw(dice);
    Batch late(log, again, 2, context);
    late.draw(dice);
    shoe.close(ShoeCloseReason::closed);
    Shoe next(log, shoes, {"french52x1", 2, 0, context});
    next.mix();
    late.draw(dice);
    next.close(ShoeCloseReason::closed);
    close(shoes, "Mesa 2");
    table_of_rounds = rounds;
  }
  [[nodiscard]] TwoArchives archives() const {
    LogBuilder::Selection all{log.next_seq() - 1, {}, {}, round_state, 0, {}};
    all.more.resize(log.next_seq());
    std::iota(all.more.begin(), all.more.end(), std::uint64_t{0});
    return archives_of(log.select(all), middle);
  }

  Pki& pki;
  LogBuilder log;
  Context context = story_context({});
  std::optional<std::uint64_t> first_key;
  std::uint64_t middle = 0;
  std::uint64_t closed = 0;  // of the first table
  std::string again;         // the table that follows it
  std::string table_of_rounds;
};

inline Result<ArchiveVerdict> judge(const Pki& pki, const std::vector<std::string_view>& files) {
  ArchiveVerifier verifier(pki.roots_pem(), {});
  ArchiveVerdict last;
  for (const std::string_view file : files) {
    MemorySource source(file);
    TALLA_TRY(last, verifier.verify(source));
  }
  return last;
}

inline void keep(const std::string& name, const TwoArchives& both) {
  keep_lie(name + ".1.archive", both.first);
  keep_lie(name + ".2.archive", both.second);
}

inline bool says(const std::vector<std::string>& lines, std::string_view words) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

/// Whether the second archive alone shows it.
enum class Alone : std::uint8_t { seen, unseen };

inline void refused_by(VerifyErrc errc, const House& house, const std::string& name,
                       Alone alone = Alone::seen) {
  const TwoArchives both = house.archives();
  const auto verdict = judge(house.pki, {both.first, both.second});
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep("archive-" + std::string(errc_name(errc)) + "-" + name, both);
  const auto second = judge(house.pki, {both.second});
  EXPECT_EQ(second.has_value(), alone == Alone::unseen)
      << name << ": " << (second ? "" : second.error().text());
}

}  // namespace talla::certs::test
