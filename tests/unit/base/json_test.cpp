// Goal: the canonical writer follows RFC 8785 for our subset and the reader refuses everything else.
// Method: RFC examples, one refused text per rule, and round trips of random values (rapidcheck).
#include "base/json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>

using talla::json::canonical;
using talla::json::parse;
using talla::json::parse_canonical;
using talla::json::Value;

TEST(Json, WritesKeysInByteOrderWithoutSpaces) {
  Value value;
  value["b"] = 2;
  value["a"] = talla::json::Array{Value(true), Value("x\n\"\\\x01")};
  EXPECT_EQ(canonical(value), R"({"a":[true,"x\n\"\\\u0001"],"b":2})");
}

TEST(Json, Rfc8785Section323SortsByUtf16CodeUnits) {
  // The keys of the RFC's example (values replaced by integers), given out of order.
  const auto value = parse(
      "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}");
  ASSERT_TRUE(value);
  EXPECT_EQ(canonical(*value),
            "{\"\\r\":2,\"1\":4,\"\xC2\x80\":6,\"\xC3\xB6\":7,\"\xE2\x82\xAC\":1,\"\xF0\x9F\x98\x80\":5,"
            "\"\xEF\xAC\xB3\":3}");
}

TEST(Json, RefusesWhatTheSubsetLeavesOut) {
  for (const char* text : {"", "null", "1.5", "1e3", "-0", "01", "9007199254740992", "-9007199254740992",
                           "[1,]", "{\"a\":1,\"a\":2}", "{a:1}", "\"\x01\"", "\"\\ud800\"", "\"\xC0\x80\"",
                           "\"\xED\xA0\x80\"", "[1] 2", "\"open", "tru", "{\"a\" 1}"}) {
    EXPECT_FALSE(parse(text)) << text;
  }
  EXPECT_FALSE(parse(std::string(40, '[') + std::string(40, ']')));
}

TEST(Json, AcceptsTheLargestIntegers) {
  EXPECT_EQ(parse("9007199254740991")->integer(), talla::json::integer_max);
  EXPECT_EQ(parse("-9007199254740991")->integer(), -talla::json::integer_max);
}

TEST(Json, CanonicalReaderRefusesOtherSpellings) {
  for (const char* text : {" 1", "{\"b\":1,\"a\":2}", "\"\\u0041\"", "\"\\/\"", "{ }"}) {
    EXPECT_TRUE(parse(text)) << text;
    EXPECT_FALSE(parse_canonical(text)) << text;
  }
}

TEST(Json, ReaderNamesThePathOfAnUnknownOrMissingMember) {
  const auto value = *parse(R"({"stake":5,"colour":"red"})");
  talla::json::Reader reader(value, "bet");
  EXPECT_EQ(*reader.integer("stake", 1, 10), 5);
  EXPECT_EQ(reader.string("kind").error().detail, "bet.kind: is missing");
  EXPECT_EQ(reader.finish().error().detail, "bet.colour: is not known here");
}

TEST(Json, EveryValueSurvivesARoundTrip) {
  const std::function<Value(int)> make = [&](int depth) -> Value {
    switch (*rc::gen::inRange(0, depth > 3 ? 3 : 5)) {
      case 0:
        return Value(*rc::gen::arbitrary<bool>());
      case 1:
        return Value(*rc::gen::inRange<std::int64_t>(-talla::json::integer_max, talla::json::integer_max));
      case 2:
        return Value(*rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
      case 3: {
        talla::json::Array array;
        for (int n = *rc::gen::inRange(0, 4); n > 0; --n) array.push_back(make(depth + 1));
        return Value(std::move(array));
      }
      default: {
        Value object;
        for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
          object[*rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127))] = make(depth + 1);
        }
        return object;
      }
    }
  };
  EXPECT_TRUE(rc::check([&] {
    const Value value = make(0);
    const auto back = parse_canonical(canonical(value));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == value);
  }));
}
