// Goal: kind, number and time read from a record's end are those that the whole reader finds,
//       whatever body and note hold.
// Method: random records whose bodies hold the names of the envelope's members; each rule of the
//         end broken once.
#include "record_end.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace talla::certs {
namespace {

json::Value any_record_value(int depth) {
  static const std::vector<std::string> words = {"kind",         "seq",  "time",
                                                 "time_quality", "v",    ",\"kind\":\"DRAW\"",
                                                 "\",\"v\":1}",  "CALL", ",\"seq\":7"};
  switch (*rc::gen::inRange(0, depth > 0 ? 4 : 2)) {
    case 0:
      return *rc::gen::elementOf(words);
    case 1:
      return *rc::gen::inRange(0, 1000);
    case 2: {
      json::Array items;
      for (int left = *rc::gen::inRange(0, 3); left > 0; --left)
        items.push_back(any_record_value(depth - 1));
      return items;
    }
    default: {
      json::Object members;
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left)
        members[*rc::gen::elementOf(words)] = any_record_value(depth - 1);
      return members;
    }
  }
}

RC_GTEST_PROP(RecordEnd, is_what_the_whole_reader_finds, ()) {
  json::Object value{
      {"body", json::Object{{"any", any_record_value(3)}}},
      {"boot", *rc::gen::inRange(0, 9)},
      {"kind", *rc::gen::element<std::string>("DRAW", "CARD_DEAL", "POWER", "LATER_KIND")},
      {"origin", "log.example/a"},
      {"seq", *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000)},
      {"time", *rc::gen::inRange<std::int64_t>(0, 2'000'000'000'000'000)},
      {"time_quality", *rc::gen::element<std::string>("synced", "holdover", "unset")},
      {"v", 2}};
  if (*rc::gen::arbitrary<bool>()) value.emplace("note", "\",\"kind\":\"DRAW\",\"seq\":5");
  if (*rc::gen::arbitrary<bool>()) value.emplace("object", "round-5");
  if (*rc::gen::arbitrary<bool>()) value.emplace("prev", 3);
  if (*rc::gen::arbitrary<bool>()) value.emplace("link", std::string(64, 'a'));
  if (*rc::gen::arbitrary<bool>()) value.emplace("table", "table-5");
  const auto end = read_record_end(json::canonical(json::Value(value)));
  RC_ASSERT(end.has_value());
  RC_ASSERT(end->kind == kind_from_name(value.find("kind")->second.string()));
  RC_ASSERT(static_cast<std::int64_t>(end->seq) == value.find("seq")->second.integer());
  RC_ASSERT(end->time_us == value.find("time")->second.integer());
}

TEST(RecordEnd, is_not_there_where_the_text_ends_otherwise) {
  const std::string good =
      R"({"body":{},"boot":1,"kind":"DRAW","seq":7,"time":9,"time_quality":"synced","v":2})";
  ASSERT_TRUE(read_record_end(good));
  for (
      const char* bad : {
          "",
          R"("v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":7,"time":9,"time_quality":"synced","v":3})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":7,"time":9,"v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":7,"time":9a,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":,"time":9,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":-7,"time":9,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":7,"prev":1,"time":9,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":7,"tabla":"table-1","time":9,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW","time":9,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"seq":7,"time":9,"time_quality":"synced","v":2})",
          R"({"body":{},"boot":1,"kind":"DRAW,"seq":7,"time":9,"time_quality":"synced","v":2} )",
          R"({"body":{},"boot":1,"kind":"DRAW","seq":99999999999999999999,"time":9,"time_quality":"synced","v":2})",
      }) {
    EXPECT_FALSE(read_record_end(bad)) << bad;
  }
}

}  // namespace
}  // namespace talla::certs
