// Reads the tests that ran out of JUnit reports.
#include "lab_requirements/tests.hpp"

#include <algorithm>
#include <vector>

namespace talla::lab::requirements {
namespace {

/// What stands between two words behind `at`; `at` moves behind it. npos: there is none.
std::string_view between(std::string_view text, std::size_t& at, std::string_view begin,
                         std::string_view end) {
  const std::size_t from = text.find(begin, at);
  if (from == std::string_view::npos) {
    at = from;
    return {};
  }
  const std::size_t to = text.find(end, from + begin.size());
  at = to == std::string_view::npos ? to : to + end.size();
  return to == std::string_view::npos ? std::string_view()
                                      : text.substr(from + begin.size(), to - from - begin.size());
}

std::string_view attribute(std::string_view tag, std::string_view name) {
  std::size_t at = 0;
  return between(tag, at, " " + std::string(name) + "=\"", "\"");
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = std::min(text.find('/'), text.size());
    out.emplace_back(text.substr(0, end));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

struct RanCase {
  std::string name;
  Outcome outcome = Outcome::not_run;
};

/// The cases of one suite in what the test said: a mark in brackets, then Suite.name.
std::vector<RanCase> cases_said(std::string_view said, const std::string& suite) {
  std::vector<RanCase> out;
  const auto of_mark = [](std::string_view mark) {
    return mark == "       OK "   ? Outcome::passed
           : mark == "  SKIPPED " ? Outcome::not_run
                                  : Outcome::failed;
  };
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    std::string_view line = said.substr(0, end);
    said.remove_prefix(std::min(end + 1, said.size()));
    constexpr std::size_t mark_size = 10;
    if (line.size() < mark_size + 3 || line[0] != '[' || line[mark_size + 1] != ']') continue;
    const std::string_view mark = line.substr(1, mark_size);
    if (mark != " RUN      " && mark != "       OK " && mark != "  FAILED  " &&
        mark != "  SKIPPED ")
      continue;
    line.remove_prefix(mark_size + 3);
    const std::string name(line.substr(0, line.find_first_of(", \r\t")));
    if (!name.starts_with(suite + ".")) continue;
    const auto before = std::ranges::find(out, name, &RanCase::name);
    if (before == out.end()) {
      out.push_back({name, of_mark(mark)});
    } else {
      before->outcome = of_mark(mark);
    }
  }
  return out;
}

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  return outcome == Outcome::passed ? "passed" : outcome == Outcome::failed ? "failed" : "not-run";
}

Status TestsRun::add(std::string_view xml, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::string_view tag = between(xml, at, "<testcase", ">");
    const std::string name(attribute(tag, "name"));
    if (at == std::string_view::npos || name.empty()) continue;
    ++found;
    std::string_view said;
    if (!tag.ends_with('/')) {
      const std::size_t end = std::min(xml.find("</testcase>", at), xml.size());
      said = xml.substr(at, end - at);
      at = end;
    }
    const std::string_view status = attribute(tag, "status");
    const Outcome outcome = status == "run"    ? Outcome::passed
                            : status == "fail" ? Outcome::failed
                                               : Outcome::not_run;
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string inner = name.substr(std::min(dot + 1, name.size()));
    const auto cases = cases_said(said, inner);
    for (const RanCase& one : cases) add_case(one.name, one.outcome);
    const bool all_passed = std::ranges::none_of(
        cases, [](const RanCase& one) { return one.outcome == Outcome::failed; });
    if (cases.empty() || (outcome == Outcome::failed && all_passed))
      add_case(name.starts_with("e2e.") ? name : inner, outcome);
  }
  if (found == 0)
    return fail(BaseErrc::malformed_encoding, what + ": no JUnit report of ctest, or an empty one");
  return {};
}

void TestsRun::add_case(const std::string& name, Outcome outcome) {
  const auto put = [&](const std::string& key) {
    const auto [at, fresh] = tests_.emplace(key, outcome);
    if (fresh || outcome == Outcome::not_run) return;
    if (at->second != Outcome::failed) at->second = outcome;
  };
  if (name.starts_with("e2e.")) return put(name);
  // All/Suite/0.name/3: prefix and numbers of parameters are no part of what a clause names.
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string inner =
      dot == name.size() ? "" : parts_of(std::string_view(name).substr(dot + 1)).front();
  for (const std::string& part : parts_of(std::string_view(name).substr(0, dot))) {
    put(part);
    if (!inner.empty()) put(part + "." + inner);
  }
}

Outcome TestsRun::of(const std::string& test) const {
  const auto found = tests_.find(test);
  return found == tests_.end() ? Outcome::not_run : found->second;
}

}  // namespace talla::lab::requirements
