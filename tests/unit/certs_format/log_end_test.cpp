// Goal: the end of a log and the file of proofs are read and written as FORMAT.md section 5 spells
//       them, and nothing else is read.
// Method: one of each, written and read again; every member left out, of another type or out of
//         range; every byte flipped.
#include "format/log_end.hpp"

#include <gtest/gtest.h>

#include "base/json.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

/// A note by form: signatures are the verifier's.
std::string note(const std::string& origin, std::uint64_t size) {
  Checkpoint head{.origin = origin, .size = size, .root = {}};
  head.root.fill(0x31);
  return format_checkpoint(head, {1, 2, 3, 4}, {});
}

LogEndStatement statement() {
  LogEndStatement out{
      .origin = "casino.example/old",
      .checkpoint = note("casino.example/old", 17),
      .keys = {Digest{}, Digest{}},
      .reason = EndReason::compromised,
      .known_us = 1'767'225'600'000'000,
      .made_us = 1'767'225'600'000'001,
      .successor = LogEndStatement::Successor{.origin = "casino.example/new", .key = {}}};
  out.keys[0].fill(0x01);
  out.keys[1].fill(0x02);
  out.successor->key.fill(0x03);
  return out;
}

TEST(LogEnd, statement_is_written_as_format_section_5_spells_it) {
  LogEndStatement plain = statement();
  plain.successor.reset();
  plain.keys.pop_back();
  plain.checkpoint = note("casino.example/old", 1);
  EXPECT_EQ(
      format_end_statement(plain),
      R"({"checkpoint":"casino.example/old\n1\nMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTE=\n\n)"
      "\xE2\x80\x94"
      R"( casino.example/old AQIDBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",)"
      R"("keys":["AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="],"known":1767225600000000,"made":1767225600000001,)"
      R"("origin":"casino.example/old","reason":"compromised","type":"talla-log-end","v":2})");
  for (const LogEndStatement& one : {plain, statement()}) {
    const auto read = parse_end_statement(format_end_statement(one));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, one);
  }
  EXPECT_EQ(as_text(log_end_message("x")), std::string("talla/v2/log-end\0x", 18));
  for (const auto reason : {EndReason::compromised, EndReason::closed, EndReason::replaced})
    EXPECT_EQ(end_reason_from(end_reason_name(reason)), reason);
  EXPECT_FALSE(end_reason_from("lost"));
}

TEST(LogEnd, statement_with_another_member_is_refused) {
  const auto good = *json::parse_canonical(format_end_statement(statement()));
  const std::string key = good.find("keys")->array()[0].string();
  const json::Array many(65, key);
  const json::Object own{{"key", key}, {"origin", "casino.example/old"}};
  const std::vector<std::pair<const char*, json::Value>> wrong{
      {"v", 1},
      {"type", "talla-log-key"},
      {"origin", "casino.example/other"},
      {"origin", "a b"},
      {"checkpoint", note("casino.example/old", 0)},
      {"checkpoint", "casino.example/old\n17\n"},
      {"keys", json::Array{}},
      {"keys", json::Array{key, key}},
      {"keys", many},
      {"keys", json::Array{"AAAA"}},
      {"reason", "lost"},
      {"known", good.find("made")->integer() + 1},
      {"known", -1},
      {"made", "now"},
      {"successor", own},
      {"successor", json::Object{{"origin", "casino.example/new"}}},
      {"more", 1}};
  for (const auto& [name, value] : wrong) {
    json::Value changed = good;
    changed[name] = value;
    const auto read = parse_end_statement(json::canonical(changed));
    ASSERT_FALSE(read) << name << ": " << json::canonical(value);
    EXPECT_TRUE(read.error().is(FormatErrc::malformed_statement)) << read.error().text();
  }
  for (const auto& [name, value] : good.object()) {
    if (name == "successor") continue;
    json::Object without = good.object();
    without.erase(name);
    EXPECT_FALSE(parse_end_statement(json::canonical(json::Value(std::move(without))))) << name;
  }
}

TEST(LogEnd, file_holds_statement_signature_and_chain) {
  const LogEnd end{
      .statement = format_end_statement(statement()), .signature = {1, 2}, .chain = {{3}, {4, 5}}};
  const std::string text = format_log_end(end);
  const auto read = parse_log_end(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->statement, end.statement);
  EXPECT_EQ(read->chain, end.chain);
  LogEnd wrong = end;
  wrong.chain.clear();
  EXPECT_FALSE(parse_log_end(format_log_end(wrong)));
  wrong.chain.assign(9, Bytes{1});
  EXPECT_FALSE(parse_log_end(format_log_end(wrong)));
  wrong = end;
  wrong.statement = "{}";
  EXPECT_FALSE(parse_log_end(format_log_end(wrong)));
  EXPECT_FALSE(parse_log_end(" " + text));
}

TEST(LogEnd, proofs_ascend_and_stay_below_their_head) {
  ConsistencyFile file{
      .head = {.origin = "casino.example/old", .size = 9, .root = {}},
      .proofs = {{.size = 1, .root = {}, .path = {Digest{}}}, {.size = 8, .root = {}, .path = {}}}};
  const std::string text = format_consistency(file);
  const auto read = parse_consistency(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(format_consistency(*read), text);
  EXPECT_EQ(read->head, file.head);
  const auto refused = [](const ConsistencyFile& one) {
    const auto again = parse_consistency(format_consistency(one));
    return !again && again.error().is(FormatErrc::malformed_proof);
  };
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{1}}) {
    ConsistencyFile wrong = file;
    wrong.proofs[1].size = size;
    EXPECT_TRUE(refused(wrong)) << size;
  }
  ConsistencyFile none = file;
  none.proofs.clear();
  EXPECT_TRUE(refused(none));
  ConsistencyFile long_path = file;
  long_path.proofs[0].path.assign(65, Digest{});
  EXPECT_TRUE(refused(long_path));
  ConsistencyFile nameless = file;
  nameless.head.origin.clear();
  EXPECT_TRUE(refused(nameless));
}

}  // namespace
}  // namespace talla::certs
