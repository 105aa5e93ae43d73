// Goal: which tests ran is read out of ctest's reports as the matrix names them: suites, their
//   cases, end-to-end tests; what failed, was skipped or never ended is not taken for passed.
// Method: reports as ctest writes them, one for each form that a test has.
#include "lab_requirements/tests.hpp"

#include <gtest/gtest.h>

namespace talla::lab::requirements {
namespace {

std::string outcome_in(const std::string& cases, const std::string& test) {
  TestsRun ran;
  const auto added = ran.add("<testsuite>" + cases + "</testsuite>", "tests.xml");
  return added ? std::string(outcome_name(ran.of(test))) : added.error().detail;
}

std::string one_case(const std::string& name, const std::string& status) {
  return "<testcase name=\"" + name + "\" classname=\"x\" time=\"0.1\" status=\"" + status + "\"/>";
}

std::string suite_case(const std::string& status, const std::string& said) {
  return R"(<testcase name="unit_x.Uniform" status=")" + status + "\"><system-out>" + said +
         "</system-out></testcase>";
}

}  // namespace

TEST(TestsRun, a_case_of_its_own_counts_for_itself_and_for_its_suite) {
  const std::string one = one_case("unit_x.Uniform.is_flat", "run");
  EXPECT_EQ(outcome_in(one, "Uniform"), "passed");
  EXPECT_EQ(outcome_in(one, "Uniform.is_flat"), "passed");
  EXPECT_EQ(outcome_in(one, "Uniform.is_round"), "not-run");
  EXPECT_EQ(outcome_in(one, "Uni"), "not-run");
  EXPECT_EQ(outcome_in(one, "unit_x"), "not-run");
  const std::string both = one + one_case("unit_x.Uniform.is_round", "fail");
  EXPECT_EQ(outcome_in(both, "Uniform"), "failed");
  EXPECT_EQ(outcome_in(both, "Uniform.is_flat"), "passed");
}

TEST(TestsRun, end_to_end_tests_and_cases_with_parameters_go_by_their_names) {
  EXPECT_EQ(outcome_in(one_case("e2e.play_test", "run"), "e2e.play_test"), "passed");
  EXPECT_EQ(outcome_in(one_case("e2e.play_test", "notrun"), "e2e.play_test"), "not-run");
  const std::string some = one_case("unit_x.All/Uniform.is_flat/0", "run") +
                           one_case("unit_x.All/Uniform.is_flat/1", "fail");
  EXPECT_EQ(outcome_in(some, "Uniform.is_flat"), "failed");
  EXPECT_EQ(outcome_in(one_case("unit_x.Typed/0.is_flat", "run"), "Typed.is_flat"), "passed");
}

TEST(TestsRun, a_suite_in_one_process_counts_as_its_cases) {
  const std::string said =
      "[ RUN      ] Uniform.a\n[       OK ] Uniform.a (1 ms)\n"
      "[ RUN      ] Uniform.b\n[  FAILED  ] Uniform.b, where x = 1 (1 ms)\n"
      "[ RUN      ] Uniform.c\n[  SKIPPED ] Uniform.c (0 ms)\n[ RUN      ] Uniform.d\n";
  EXPECT_EQ(outcome_in(suite_case("fail", said), "Uniform.a"), "passed");
  EXPECT_EQ(outcome_in(suite_case("fail", said), "Uniform.b"), "failed");
  EXPECT_EQ(outcome_in(suite_case("fail", said), "Uniform.c"), "not-run");
  EXPECT_EQ(outcome_in(suite_case("fail", said), "Uniform.d"), "failed");
  EXPECT_EQ(outcome_in(suite_case("fail", said), "Uniform"), "failed");
  const std::string good = "[ RUN      ] Uniform.a\n[       OK ] Uniform.a (1 ms)\n";
  EXPECT_EQ(outcome_in(suite_case("run", good), "Uniform"), "passed");
  EXPECT_EQ(outcome_in(suite_case("fail", good), "Uniform"), "failed");
}

TEST(TestsRun, what_is_no_report_is_refused_by_its_name) {
  EXPECT_EQ(outcome_in("", "Uniform"), "tests.xml: no JUnit report of ctest, or an empty one");
}

}  // namespace talla::lab::requirements
