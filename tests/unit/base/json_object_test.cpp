// Goal: a json::Object behaves as a map of its names, whatever is added and removed in whatever
//   order; the reader of an object tells every member that nobody asked for.
// Method: random acts (rapidcheck) against std::map; objects of more members than the reader has
//         bits.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "base/json.hpp"

using talla::json::Object;
using talla::json::Reader;
using talla::json::Value;

namespace {

void same(const Object& object, const std::map<std::string, int>& model) {
  RC_ASSERT(object.size() == model.size());
  RC_ASSERT(object.empty() == model.empty());
  auto expected = model.begin();
  for (const auto& [name, value] : object) {
    RC_ASSERT(name == expected->first);
    RC_ASSERT(value.integer() == expected->second);
    ++expected;
  }
}

}  // namespace

TEST(JsonObject, is_a_map_of_its_names) {
  EXPECT_TRUE(rc::check([] {
    Object object;
    std::map<std::string, int> model;
    for (int acts = *rc::gen::inRange(0, 60); acts > 0; --acts) {
      const auto name = *rc::gen::container<std::string>(rc::gen::inRange<char>('a', 'd'));
      switch (*rc::gen::inRange(0, 5)) {
        case 0: {
          const auto [place, fresh] = object.emplace(name, acts);
          RC_ASSERT(fresh == model.emplace(name, acts).second);
          RC_ASSERT(place->first == name);
          RC_ASSERT(place->second.integer() == model.at(name));
          break;
        }
        case 1:
          RC_ASSERT(object.insert_or_assign(name, acts).second ==
                    model.insert_or_assign(name, acts).second);
          break;
        case 2:
          object[name] = acts;
          model[name] = acts;
          break;
        case 3:
          RC_ASSERT(object.erase(name) == model.erase(name));
          break;
        default:
          RC_ASSERT(object.contains(name) == model.contains(name));
          if (model.contains(name)) {
            RC_ASSERT(object.at(name).integer() == model.at(name));
          }
      }
      same(object, model);
    }
  }));
}

TEST(JsonObject, the_first_of_two_equal_names_stays) {
  const Object object{{"b", 1}, {"a", 2}, {"b", 3}};
  EXPECT_EQ(object.size(), 2U);
  EXPECT_EQ(object.at("b").integer(), 1);
  EXPECT_EQ(object.begin()->first, "a");
  Object taken{{"c", 4}, {"b", 5}};
  taken.merge(object);
  EXPECT_EQ(taken, (Object{{"a", 2}, {"b", 5}, {"c", 4}}));
}

TEST(JsonObject, the_reader_finds_the_one_member_of_a_hundred_that_was_not_read) {
  Value value;
  for (int i = 100; i < 200; ++i) value["m" + std::to_string(i)] = i;
  for (int left_out = 100; left_out < 200; ++left_out) {
    Reader reader(value, "all");
    for (int i = 199; i >= 100; --i) {
      if (i != left_out) {
        ASSERT_EQ(*reader.integer("m" + std::to_string(i), 0, 999), i);
      }
    }
    const auto done = reader.finish();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().detail, "all.m" + std::to_string(left_out) + ": is not known here");
    ASSERT_TRUE(reader.optional("m" + std::to_string(left_out)));
    EXPECT_TRUE(reader.finish());
  }
}
