// Goal: a record has one spelling; what FORMAT.md section 2 does not list is refused.
// Method: a frozen record byte for byte; each rule of the envelope broken once; fixed-seed
//         mutations of the bytes.
#include "format/record.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

const std::string frozen =
    R"({"body":{"clean":true,"event":"start"},"boot":3,"cites":[1,4],"client":{"id":"urn:talla:table-1","spki":")"
    "0101010101010101010101010101010101010101010101010101010101010101"
    R"("},"key":"A-z_0.9","kind":"POWER","note":"aG9sYQ","origin":"casino.example/talla-1","request":")"
    "0202020202020202020202020202020202020202020202020202020202020202"
    R"(","seq":7,"time":1767225600000000,"time_quality":"synced","v":2})";

Record valid() {
  Record record;
  record.origin = "casino.example/talla-1";
  record.seq = 7;
  record.kind = Kind::power;
  record.time_us = 1'767'225'600'000'000;
  record.time_quality = TimeQuality::synced;
  record.boot = 3;
  Client client{"urn:talla:table-1", {}};
  client.spki.fill(1);
  record.client = client;
  record.key = "A-z_0.9";
  record.request.emplace().fill(2);
  record.cites = {1, 4};
  record.body = json::Object{{"clean", true}, {"event", "start"}};
  record.note = "aG9sYQ";
  return record;
}

Record of_object() {
  Record record = valid();
  record.kind = Kind::round_end;
  record.object = "round-5";
  record.table = "table-2";
  record.prev = 6;
  record.link.emplace().fill(3);
  record.body = json::Object{{"state_after", std::string(64, '0')},
                             {"dealt", 0},
                             {"turns", 4},
                             {"voids", 1},
                             {"early_closes", 0}};
  return record;
}

std::string with(const std::string& from, const std::string& to, std::string text = frozen) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Record, is_written_in_its_frozen_bytes_and_read_back) {
  const auto text = write_record(valid());
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_EQ(*text, frozen);
  const auto record = parse_record(frozen);
  ASSERT_TRUE(record) << record.error().text();
  EXPECT_EQ(*record, valid());
}

Record of_shared_meter() {
  Record record = of_object();
  record.kind = Kind::meter;
  record.object = "meter-1";
  record.meter_prev = 4;
  record.body = json::Object{{"meter", "m"},      {"round", "round-5"}, {"before", 1},
                             {"contribution", 2}, {"award", 0},         {"after", 3}};
  return record;
}

TEST(Record, FORMAT_2_of_a_shared_meter_stands_in_the_chain_of_its_table_and_in_the_meters) {
  const auto text = write_record(of_shared_meter());
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_EQ(*parse_record(*text), of_shared_meter());
  for (const auto& change : std::vector<std::function<void(Record&)>>{
           [](Record& r) { r.meter_prev.reset(); }, [](Record& r) { r.meter_prev = 7; },
           [](Record& r) { r.meter_prev = 0; }, [](Record& r) { r.table.clear(); },
           [](Record& r) { r.link.reset(); }, [](Record& r) { r.prev.reset(); },
           [](Record& r) { r.table = "meter-1"; }}) {
    Record record = of_shared_meter();
    change(record);
    EXPECT_TRUE(write_record(record).error().is(FormatErrc::malformed_record));
  }
}

TEST(Record, FORMAT_2_opens_its_table_without_a_record_before) {
  Record record = valid();
  record.kind = Kind::table_close;
  record.object = record.table = "table-3";
  record.prev = 6;
  record.link.emplace();
  record.body = json::Object{{"place", "Mesa 1"},  {"opened", 1}, {"rounds", 0},      {"turns", 0},
                             {"reason", "closed"}, {"voids", 0},  {"early_closes", 0}};
  EXPECT_TRUE(write_record(record));
  for (const auto& change : std::vector<std::function<void(Record&)>>{
           [](Record& r) { r.table = "table-2"; }, [](Record& r) { r.prev = 2; },
           [](Record& r) { r.meter_prev = 4; }, [](Record& r) { r.link.reset(); }}) {
    Record other = record;
    change(other);
    EXPECT_TRUE(write_record(other).error().is(FormatErrc::malformed_record));
  }
}

TEST(Record, of_an_object_names_its_opening_and_the_record_before) {
  ASSERT_TRUE(write_record(of_object()));
  EXPECT_EQ(*parse_record(*write_record(of_object())), of_object());
  for (const auto& change : std::vector<std::function<void(Record&)>>{
           [](Record& r) { r.prev.reset(); }, [](Record& r) { r.prev = 7; },
           [](Record& r) { r.prev = 4; }, [](Record& r) { r.object = "shoe-5"; },
           [](Record& r) { r.object = "round-05"; }, [](Record& r) { r.object = ""; },
           [](Record& r) { r.object = "round-"; }, [](Record& r) { r.table.clear(); },
           [](Record& r) { r.table = "table-7"; }, [](Record& r) { r.link.reset(); },
           [](Record& r) { r.meter_prev = 5; }}) {
    Record record = of_object();
    change(record);
    EXPECT_TRUE(write_record(record).error().is(FormatErrc::malformed_record));
  }
}

TEST(Record, each_rule_of_the_envelope_is_kept) {
  for (const auto& change : std::vector<std::function<void(Record&)>>{
           [](Record& r) { r.origin = ""; }, [](Record& r) { r.origin = "a b"; },
           [](Record& r) { r.origin = "a+b"; }, [](Record& r) { r.seq = std::uint64_t{1} << 53; },
           [](Record& r) { r.time_us = -1; }, [](Record& r) { r.boot = 0; },
           [](Record& r) { r.client->id = ""; }, [](Record& r) { r.client->id = "se\xC3\xB1or"; },
           [](Record& r) { r.key = std::string(65, 'a'); }, [](Record& r) { r.key = "a b"; },
           [](Record& r) {
             r.cites = {4, 1};
           },
           [](Record& r) {
             r.cites = {1, 1};
           },
           [](Record& r) { r.cites = {7}; }, [](Record& r) { r.note = "a+/"; },
           [](Record& r) { r.prev = 3; }, [](Record& r) { r.object = "table-1"; },
           [](Record& r) { r.table = "table-1"; }, [](Record& r) { r.meter_prev = 3; },
           [](Record& r) { r.link.emplace(); }}) {
    Record record = valid();
    change(record);
    EXPECT_TRUE(write_record(record).error().is(FormatErrc::malformed_record));
  }
  Record body = valid();
  body.body = json::Object{{"event", "start"}};
  EXPECT_TRUE(write_record(body).error().is(FormatErrc::malformed_body));
  Record unknown = valid();
  unknown.kind = Kind::unknown;
  EXPECT_TRUE(write_record(unknown).error().is(FormatErrc::unknown_kind));
}

TEST(Record, other_spellings_of_the_same_content_are_refused) {
  EXPECT_TRUE(parse_record(with("\"v\":2", "\"v\":1")).error().is(FormatErrc::unknown_version));
  EXPECT_FALSE(parse_record(with(",\"boot\"", ", \"boot\"")));
  EXPECT_FALSE(parse_record(with("\"boot\":3", "\"boot\":3.0")));
  EXPECT_FALSE(parse_record(with("\"boot\":3", "\"boot\":03")));
  EXPECT_FALSE(parse_record(with("\"boot\":3", "\"boot\":3,\"boot\":3")));
  EXPECT_FALSE(parse_record(with("\"boot\":3", "\"boot\":null")));
  EXPECT_FALSE(parse_record(with("\"boot\":3", "\"boot\":3,\"boots\":3")));
  EXPECT_FALSE(parse_record(with("POWER", "\\u0050OWER")));
  EXPECT_FALSE(parse_record(with("0101", "010A")));
  EXPECT_FALSE(parse_record(with("\"key\":\"A-z_0.9\"", "\"key\":\"\"")));
  EXPECT_FALSE(parse_record(with("synced", "exact")));
  EXPECT_FALSE(parse_record(frozen + "\n"));
  EXPECT_FALSE(parse_record(""));
  EXPECT_TRUE(parse_record(std::string(60'001, ' ')).error().is(FormatErrc::record_too_long));
}

TEST(Record, of_unknown_kind_is_read_and_its_body_left_alone) {
  const auto record = parse_record(with("POWER", "WEATHER"));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, Kind::unknown);
  EXPECT_EQ(record->unknown_kind, "WEATHER");
  EXPECT_FALSE(
      parse_record(with("{\"clean\":true,\"event\":\"start\"}", "[]", with("POWER", "WEATHER"))));
}

TEST(Record, long_contents_are_refused_by_the_writer) {
  Record record = valid();
  record.kind = Kind::selftest;
  record.body = json::Object{{"count", 1}, {"result", "pass"}, {"test", std::string(60'000, 'x')}};
  EXPECT_TRUE(write_record(record).error().is(FormatErrc::record_too_long));
}

RC_GTEST_PROP(Record, what_is_read_is_written_back_byte_for_byte, ()) {
  std::string text = frozen;
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = *rc::gen::arbitrary<char>();
  const auto record = parse_record(text);
  if (record && record->kind != Kind::unknown) RC_ASSERT(*write_record(*record) == text);
}

}  // namespace
}  // namespace talla::certs
