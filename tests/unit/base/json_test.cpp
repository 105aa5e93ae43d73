// Goal: the canonical writer follows RFC 8785 for our subset and the reader refuses everything
//       else.
// Method: RFC examples, one refused text per rule, and round trips of random values (rapidcheck).
#include "base/json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>

using talla::json::canonical;
using talla::json::parse;
using talla::json::parse_canonical;
using talla::json::Value;

TEST(Json, writes_keys_in_byte_order_without_spaces) {
  Value value;
  value["b"] = 2;
  value["a"] = talla::json::Array{Value(true), Value("x\n\"\\\x01")};
  EXPECT_EQ(canonical(value), R"({"a":[true,"x\n\"\\\u0001"],"b":2})");
}

TEST(Json, rfc_8785_section_323_sorts_by_utf_16_code_units) {
  // The keys of the RFC's example (values replaced by integers), given out of order.
  const auto value = parse(
      "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,"
      "\"\\u00f6\":7}");
  ASSERT_TRUE(value);
  EXPECT_EQ(
      canonical(*value),
      "{\"\\r\":2,\"1\":4,\"\xC2\x80\":6,\"\xC3\xB6\":7,\"\xE2\x82\xAC\":1,\"\xF0\x9F\x98\x80\":5,"
      "\"\xEF\xAC\xB3\":3}");
}

TEST(Json, refuses_what_the_subset_leaves_out) {
  for (const char* text :
       {"", "null", "1.5", "1e3", "-0", "01", "9007199254740992", "-9007199254740992", "[1,]",
        "{\"a\":1,\"a\":2}", "{a:1}", "\"\x01\"", "\"\\ud800\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"",
        "[1] 2", "\"open", "tru", "{\"a\" 1}"}) {
    EXPECT_FALSE(parse(text)) << text;
  }
  EXPECT_FALSE(parse(std::string(40, '[') + std::string(40, ']')));
}

TEST(Json, accepts_the_largest_integers) {
  EXPECT_EQ(parse("9007199254740991")->integer(), talla::json::integer_max);
  EXPECT_EQ(parse("-9007199254740991")->integer(), -talla::json::integer_max);
}

TEST(Json, canonical_reader_refuses_other_spellings) {
  for (const char* text : {" 1", "{\"b\":1,\"a\":2}", "\"\\u0041\"", "\"\\/\"", "{ }"}) {
    EXPECT_TRUE(parse(text)) << text;
    EXPECT_FALSE(parse_canonical(text)) << text;
  }
}

TEST(Json, reader_names_the_path_of_an_unknown_or_missing_member) {
  const auto value = *parse(R"({"stake":5,"colour":"red"})");
  talla::json::Reader reader(value, "bet");
  EXPECT_EQ(*reader.integer("stake", 1, 10), 5);
  EXPECT_EQ(reader.string("kind").error().detail, "bet.kind: is missing");
  EXPECT_EQ(reader.finish().error().detail, "bet.colour: is not known here");
}

namespace {

/// Any value of the subset; strings of records most of the time, now and then what must be escaped.
Value any_value(int depth) {
  const auto text = [] {
    return *rc::gen::oneOf(rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f)),
                           rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
  };
  switch (*rc::gen::inRange(0, depth > 3 ? 3 : 5)) {
    case 0:
      return {*rc::gen::arbitrary<bool>()};
    case 1:
      return {*rc::gen::inRange<std::int64_t>(-talla::json::integer_max, talla::json::integer_max)};
    case 2:
      return {text()};
    case 3: {
      talla::json::Array array;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) array.push_back(any_value(depth + 1));
      return {std::move(array)};
    }
    default: {
      Value object;
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) object[text()] = any_value(depth + 1);
      return object;
    }
  }
}

}  // namespace

TEST(Json, every_value_survives_a_round_trip) {
  EXPECT_TRUE(rc::check([] {
    const Value value = any_value(0);
    const auto back = parse_canonical(canonical(value));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == value);
  }));
}

TEST(Json, canonical_is_exactly_what_the_writer_would_write) {
  EXPECT_TRUE(rc::check([] {
    std::string text = canonical(any_value(0));
    const std::string_view marks = "\"\\{}[],: 019-tfa\x7f\x1f";
    for (int n = *rc::gen::inRange(0, 3); n > 0 && !text.empty(); --n) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const char mark = marks[*rc::gen::inRange<std::size_t>(0, marks.size())];
      switch (*rc::gen::inRange(0, 3)) {
        case 0:
          text[at] = mark;
          break;
        case 1:
          text.insert(at, 1, mark);
          break;
        default:
          text.erase(at, 1);
      }
    }
    const auto any_layout = parse(text);
    const bool wanted = any_layout && canonical(*any_layout) == text;
    const auto found = parse_canonical(text);
    RC_ASSERT(found.has_value() == wanted);
    if (wanted) {
      RC_ASSERT(*found == *any_layout);
    }
  }));
}

TEST(Json, every_byte_at_every_place_of_a_string_is_read_as_one_by_one) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 19; ++place) {
      std::string inside(19, 'x');
      inside[place] = static_cast<char>(byte);
      const auto found = parse_canonical('"' + inside + '"');
      const bool plain = byte >= 0x20 && byte <= 0x7f && byte != '"' && byte != '\\';
      ASSERT_EQ(found.has_value(), plain) << byte << " at " << place;
      ASSERT_EQ(talla::json::is_ascii(Value(inside)), byte >= 0x20 && byte <= 0x7e)
          << byte << " at " << place;
      if (plain) {
        ASSERT_EQ(found->string(), inside);
      }
    }
  }
}
