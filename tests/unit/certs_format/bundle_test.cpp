// Goal: a bundle and a log key statement have one spelling, and refuse what they do not know.
// Method: a bundle written, read and written again; one member wrong at a time.
#include "format/bundle.hpp"

#include <gtest/gtest.h>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

Bundle sample() {
  Bundle bundle;
  bundle.claim = 7;
  bundle.checkpoint = "text";
  bundle.records = {{"{}", {Digest{}}}};
  bundle.log_key = {format_statement({"casino.example/talla-1", {}, true}), {1, 2}, {{3}}};
  bundle.key_changes = {{bundle.log_key, "note", "{}", {Digest{}}, {}}};
  bundle.catalogue = "[catalogue] # señal\n";
  bundle.state_before = json::Object{{"phase", "bets"}};
  return bundle;
}

TEST(Bundle, is_written_and_read_back_in_one_spelling) {
  const std::string text = format_bundle(sample());
  const auto parsed = parse_bundle(text);
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(format_bundle(*parsed), text);
  EXPECT_EQ(parsed->catalogue, sample().catalogue);
  EXPECT_FALSE(parse_bundle(text + "\n"));
  EXPECT_FALSE(parse_bundle(""));
}

TEST(Bundle, with_a_member_missing_added_or_wrong_is_refused) {
  const json::Value whole = *json::parse(format_bundle(sample()));
  for (const auto& [key, member] : whole.object()) {
    json::Value less = whole;
    less.object().erase(key);
    const bool optional = key == "catalogue" || key == "state_before" || key == "key_changes";
    EXPECT_EQ(parse_bundle(json::canonical(less)).has_value(), optional) << key;
    json::Value other = whole;
    other[key] = true;
    EXPECT_FALSE(parse_bundle(json::canonical(other))) << key;
  }
  json::Value more = whole;
  more["witness"] = "x";
  EXPECT_TRUE(parse_bundle(json::canonical(more)).error().is(FormatErrc::malformed_bundle));
  json::Value none = whole;
  none["key_changes"] = json::Array{};
  EXPECT_FALSE(parse_bundle(json::canonical(none))) << "the first key has no member";
  json::Value empty = whole;
  empty["records"] = json::Array{};
  EXPECT_FALSE(parse_bundle(json::canonical(empty)));
}

TEST(KeyChanges, have_one_spelling_and_refuse_what_they_do_not_know) {
  const LogKeys keys{
      sample().log_key, "note", {sample().key_changes.front(), sample().key_changes.front()}};
  const std::string text = format_log_keys(keys);
  const auto parsed = parse_log_keys(text);
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(format_log_keys(*parsed), text);
  EXPECT_TRUE(parse_log_keys(format_log_keys({keys.log_key, "note", {}})));
  const json::Value whole = *json::parse(text);
  for (const auto& [key, member] : whole.object()) {
    json::Value less = whole;
    less.object().erase(key);
    EXPECT_EQ(parse_log_keys(json::canonical(less)).has_value(), key == "key_changes") << key;
    json::Value other = whole;
    other[key] = true;
    EXPECT_FALSE(parse_log_keys(json::canonical(other))) << key;
  }
  for (const auto& [key, member] : whole.find("key_changes")->array().front().object()) {
    json::Value less = whole;
    less["key_changes"].array().front().object().erase(key);
    EXPECT_FALSE(parse_log_keys(json::canonical(less))) << key;
  }
  json::Value many = whole;
  many["key_changes"] = json::Array(257, whole.find("key_changes")->array().front());
  EXPECT_FALSE(parse_log_keys(json::canonical(many)));
  EXPECT_FALSE(parse_log_keys(format_bundle(sample())));
}

TEST(LogKeyStatement, names_the_key_before_where_there_was_one) {
  Digest before{};
  before.fill(1);
  const std::string text = format_statement({"casino.example/talla-1", {}, true, before});
  EXPECT_EQ(parse_statement(text)->previous, before);
  EXPECT_FALSE(parse_statement(format_statement({"casino.example/talla-1", before, true, before})))
      << "no key follows itself";
  EXPECT_FALSE(parse_statement(format_statement({"casino.example/talla-1", {}, true}))->previous);
}

TEST(LogKeyStatement, has_one_spelling) {
  const std::string text = format_statement({"casino.example/talla-1", {}, true});
  EXPECT_EQ(
      text,
      R"({"development":true,"origin":"casino.example/talla-1","public":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",)"
      R"("type":"talla-log-key","v":2})");
  EXPECT_TRUE(parse_statement(text));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return parse_statement(changed.replace(changed.find(from), from.size(), to)).has_value();
  };
  EXPECT_FALSE(with("\"v\":2", "\"v\":1"));
  EXPECT_FALSE(with("talla-log-key", "talla-key"));
  EXPECT_FALSE(with("casino.example", "casino example"));
  EXPECT_FALSE(with("AAAA=", "AAAB="));
  EXPECT_FALSE(with("true", "1"));
}

}  // namespace
}  // namespace talla::certs
