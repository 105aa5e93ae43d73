// Holds a submission against all rules.
#include "lab_esv/esv.hpp"

#include "submission.hpp"

namespace talla::lab::esv {

namespace {

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> out;
    for (const auto part :
         {source_rules(), rbg_rules(), seed_rules(), certify_rules(), file_rules()})
      out.insert(out.end(), part.begin(), part.end());
    return out;
  }();
  return all;
}

}  // namespace

std::span<const RuleText> rules() {
  static const std::vector<RuleText> texts = [] {
    std::vector<RuleText> out;
    for (const Rule& rule : all_rules()) out.push_back(rule.text);
    return out;
  }();
  return texts;
}

Result<std::vector<Finding>> examine(std::string_view text, const std::string& folder,
                                     const Facts& facts) {
  TALLA_TRY(const Submission submission, read_submission(text, folder, facts));
  std::vector<Finding> out;
  for (const Rule& rule : all_rules()) {
    Finding& finding = out.emplace_back();
    Ruling ruling(finding);
    rule.judge(submission, ruling);
  }
  return out;
}

}  // namespace talla::lab::esv
