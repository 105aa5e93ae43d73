// Values of options: each type, its bounds, and what is refused.
#include <cstdlib>
#include <limits>

#include "given.hpp"

namespace talla::commandline {
namespace {

/// The code of a program whose one option `--value` is bound to `value`, given `words`.
template <typename T>
Given read_value(T& value, const std::vector<std::string>& words) {
  Program program("test");
  program.add_option("--value", value, "a value");
  return given(program, words);
}

template <typename T>
void expect_bounds(const std::string& low, const std::string& high, const std::string& above) {
  T value{};
  EXPECT_EQ(read_value(value, {"--value", low}).code, std::nullopt);
  EXPECT_EQ(value, std::numeric_limits<T>::min());
  EXPECT_EQ(read_value(value, {"--value=" + high}).code, std::nullopt);
  EXPECT_EQ(value, std::numeric_limits<T>::max());
  EXPECT_GT(read_value(value, {"--value", above}).code, 2);
  EXPECT_GT(read_value(value, {"--value", "seven"}).code, 2);
  EXPECT_GT(read_value(value, {"--value", "7x"}).code, 2);
  EXPECT_GT(read_value(value, {"--value", "1.5"}).code, 2);
}

TEST(Values, integers_of_each_width) {
  expect_bounds<std::int32_t>("-2147483648", "2147483647", "2147483648");
  expect_bounds<std::uint32_t>("0", "4294967295", "4294967296");
  expect_bounds<std::int64_t>("-9223372036854775808", "9223372036854775807", "none");
  expect_bounds<std::uint64_t>("0", "18446744073709551615", "none");
}

TEST(Values, unsigned_is_not_negative) {
  std::uint32_t value = 5;
  EXPECT_GT(read_value(value, {"--value", "-1"}).code, 2);
}

TEST(Values, text_and_numbers_with_a_point) {
  std::string text = "before";
  EXPECT_EQ(read_value(text, {}).code, std::nullopt);
  EXPECT_EQ(text, "before");
  EXPECT_EQ(read_value(text, {"--value", "two words"}).code, std::nullopt);
  EXPECT_EQ(text, "two words");
  double number = 0;
  EXPECT_EQ(read_value(number, {"--value", "1e-3"}).code, std::nullopt);
  EXPECT_DOUBLE_EQ(number, 0.001);
  EXPECT_GT(read_value(number, {"--value", "much"}).code, 2);
}

TEST(Values, lists_take_one_or_more) {
  std::vector<std::string> words;
  EXPECT_EQ(read_value(words, {"--value", "a", "b", "--value", "c"}).code, std::nullopt);
  EXPECT_EQ(words, (std::vector<std::string>{"a", "b", "c"}));
  std::vector<std::int64_t> numbers;
  EXPECT_EQ(read_value(numbers, {"--value", "1", "-2"}).code, std::nullopt);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, -2}));
  std::vector<double> points;
  EXPECT_EQ(read_value(points, {"--value", "0.5", "2"}).code, std::nullopt);
  EXPECT_EQ(points, (std::vector<double>{0.5, 2}));
  EXPECT_GT(read_value(points, {"--value", "0.5", "x"}).code, 2);
}

TEST(Values, an_option_without_its_value) {
  std::string text;
  const Given done = read_value(text, {"--value"});
  EXPECT_GT(done.code, 2);
  EXPECT_NE(done.err.find("--value"), std::string::npos);
}

TEST(Values, flags_and_arguments_by_place) {
  Program program("test");
  bool set = false;
  bool other = false;
  std::string file;
  program.add_flag("--set,-s", set, "a flag");
  program.add_flag("--other", other, "another");
  program.add_option("FILE", file, "a file")->required();
  EXPECT_EQ(given(program, {"-s", "name"}).code, std::nullopt);
  EXPECT_TRUE(set);
  EXPECT_FALSE(other);
  EXPECT_EQ(file, "name");
  EXPECT_GT(given(program, {"name", "too-much"}).code, 2);
}

TEST(Checks, range_includes_its_ends) {
  for (const auto& [word, good] : std::vector<std::pair<std::string, bool>>{
           {"2", true}, {"8", true}, {"1", false}, {"9", false}, {"-2", false}, {"x", false}}) {
    int whole = 0;
    std::uint64_t wide = 0;
    double point = 0;
    Program program("test");
    program.add_option("--whole", whole, "")->range(2, 8);
    program.add_option("--wide", wide, "")->range(std::uint64_t{2}, std::uint64_t{8});
    program.add_option("--point", point, "")->range(2.0, 8.0);
    EXPECT_EQ(!given(program, {"--whole", word}).code, good) << word;
    EXPECT_EQ(!given(program, {"--wide", word}).code, good) << word;
    EXPECT_EQ(!given(program, {"--point", word}).code, good) << word;
  }
}

TEST(Checks, at_least_says_where_it_begins) {
  std::int64_t value = 0;
  Program program("test");
  program.add_option("--value", value, "")->at_least(1);
  EXPECT_EQ(given(program, {"--value", "1"}).code, std::nullopt);
  const Given done = given(program, {"--value", "0"});
  EXPECT_GT(done.code, 2);
  EXPECT_NE(done.err.find("must be 1 or more"), std::string::npos) << done.err;
}

TEST(Checks, one_of_names_the_others) {
  std::string value;
  Program program("test");
  program.add_option("--language", value, "")->one_of({"es", "en"});
  EXPECT_EQ(given(program, {"--language", "es"}).code, std::nullopt);
  const Given done = given(program, {"--language", "fr"});
  EXPECT_GT(done.code, 2);
  EXPECT_NE(done.err.find("fr not in {es,en}"), std::string::npos) << done.err;
}

TEST(Checks, expected_counts_values) {
  std::vector<double> values;
  Program program("test");
  program.add_option("--values", values, "")->expected(2, 3);
  EXPECT_GT(given(program, {"--values", "1"}).code, 2);
  EXPECT_EQ(given(program, {"--values", "1", "2"}).code, std::nullopt);
  EXPECT_EQ(given(program, {"--values", "1", "2", "3"}).code, std::nullopt);
  EXPECT_GT(given(program, {"--values", "1", "2", "3", "4"}).code, 2);
}

TEST(Checks, environment_counts_where_the_option_is_absent) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  ASSERT_EQ(setenv("TALLA_TEST_FOLDER", "from-environment", 1), 0);
  for (const bool told : {false, true}) {
    std::string folder;
    Program program("test");
    program.add_option("--folder", folder, "")->envname("TALLA_TEST_FOLDER");
    const std::vector<std::string> words{"--folder", "told"};
    EXPECT_EQ(given(program, told ? words : std::vector<std::string>{}).code, std::nullopt);
    EXPECT_EQ(folder, told ? "told" : "from-environment");
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  ASSERT_EQ(unsetenv("TALLA_TEST_FOLDER"), 0);
}

}  // namespace
}  // namespace talla::commandline
