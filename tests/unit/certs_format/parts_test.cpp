// Goal: a content longer than one record is split into numbered parts and put together again, and
//   nothing else passes for one (FORMAT.md section 2).
// Method: lists of many lengths there and back; every part left out, doubled, moved or of another
//         count is refused.
#include "format/parts.hpp"

#include <gtest/gtest.h>

#include "format/record.hpp"

namespace talla::certs {
namespace {

BetsClosedBody bets_of(std::size_t count) {
  BetsClosedBody body;
  for (std::size_t i = 0; i < count; ++i) {
    body.bets.push_back({"b" + std::to_string(i), 1, "carton", 100, {"1", "2", "3"}, {}});
  }
  body.digest.fill(7);
  body.withdrawn = {"old"};
  return body;
}

TEST(Parts, FORMAT_2_a_list_that_fits_is_one_record_without_part_and_parts) {
  const auto parts = in_parts(bets_of(500));
  ASSERT_TRUE(parts.has_value());
  ASSERT_EQ(parts->size(), 1U);
  const auto body = parts->front().to_json();
  EXPECT_EQ(body.find("part"), nullptr);
  EXPECT_TRUE(ends_content(body));
  EXPECT_TRUE(check_body(Kind::bets_closed, body).has_value());
}

TEST(Parts, FORMAT_2_long_lists_come_back_whole_from_parts_that_each_fit_a_record) {
  for (const std::size_t count : {700U, 2000U, 4096U}) {
    const auto whole = bets_of(count);
    const auto parts = in_parts(whole);
    ASSERT_TRUE(parts.has_value());
    ASSERT_GT(parts->size(), 1U);
    PartCollector<BetsClosedBody> collector;
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const auto body = parts->at(i).to_json();
      ASSERT_LT(json::canonical(body).size(), record_bytes_max - 15'000);
      ASSERT_TRUE(check_body(Kind::bets_closed, body).has_value());
      ASSERT_EQ(ends_content(body), i + 1 == parts->size());
      auto read = BetsClosedBody::from_json(body);
      ASSERT_TRUE(read.has_value());
      const auto taken = collector.take(std::move(*read));
      ASSERT_TRUE(taken.has_value());
      ASSERT_EQ(taken->has_value(), i + 1 == parts->size());
      if (!*taken) continue;
      EXPECT_EQ(json::canonical((*taken)->to_json()), json::canonical(whole.to_json()));
    }
    EXPECT_TRUE(collector.empty());
  }
}

TEST(Parts, FORMAT_2_a_part_that_is_missing_doubled_or_foreign_is_refused) {
  const auto parts = *in_parts(bets_of(2000));
  ASSERT_GE(parts.size(), 4U);
  const auto refused = [&](const std::vector<BetsClosedBody>& list) {
    PartCollector<BetsClosedBody> collector;
    for (const auto& one : list) {
      if (!collector.take(one)) return true;
    }
    return false;
  };
  auto other = parts.at(1);
  other.part.count += 1;
  EXPECT_FALSE(refused(parts));
  EXPECT_TRUE(refused({parts.at(1)})) << "does not begin with the first";
  EXPECT_TRUE(refused({parts.at(0), parts.at(2)}));
  EXPECT_TRUE(refused({parts.at(0), parts.at(0)}));
  EXPECT_TRUE(refused({parts.at(0), other})) << "of another count";
  EXPECT_TRUE(refused({parts.at(0), bets_of(1)})) << "a whole content in the middle";
}

TEST(Parts, FORMAT_2_a_part_has_a_piece_of_the_list_and_nothing_else_the_last_no_list) {
  const auto parts = *in_parts(bets_of(2000));
  const auto refused = [](const json::Value& body) {
    return !BetsClosedBody::from_json(body).has_value();
  };
  auto first = parts.front().to_json();
  auto last = parts.back().to_json();
  EXPECT_FALSE(refused(first));
  EXPECT_FALSE(refused(last));
  EXPECT_EQ(first.find("digest"), nullptr);
  first["digest"] = std::string(64, '0');
  EXPECT_TRUE(refused(first));
  last["bets"] = parts.front().to_json()["bets"];
  EXPECT_TRUE(refused(last));
  for (const auto& [part, count] :
       std::vector<std::pair<int, int>>{{0, 4}, {5, 4}, {1, 1}, {1, 65}}) {
    auto body = parts.front().to_json();
    body["part"] = part;
    body["parts"] = count;
    EXPECT_TRUE(refused(body)) << part << " of " << count;
  }
  auto half = parts.front().to_json();
  half.object().erase(half.object().find("parts"));
  EXPECT_TRUE(refused(half));
}

TEST(Parts, FORMAT_2_a_settlement_of_many_results_is_split_in_the_same_way) {
  SettlementBody whole;
  for (int i = 0; i < 2000; ++i)
    whole.results.push_back({"b" + std::to_string(i), 1, "carton", 100, "lose", 0, "10 IV", ""});
  whole.state_after.fill(9);
  const auto parts = in_parts(whole);
  ASSERT_TRUE(parts.has_value());
  PartCollector<SettlementBody> collector;
  std::optional<SettlementBody> back;
  for (const auto& part : *parts) {
    auto read = SettlementBody::from_json(part.to_json());
    ASSERT_TRUE(read.has_value());
    auto taken = collector.take(std::move(*read));
    ASSERT_TRUE(taken.has_value());
    back = std::move(*taken);
  }
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(json::canonical(back->to_json()), json::canonical(whole.to_json()));
  EXPECT_FALSE(parts->front().to_json().find("state_after"));
}

}  // namespace
}  // namespace talla::certs
