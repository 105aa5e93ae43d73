#include "engines/shared/rules_check.hpp"

#include <algorithm>

namespace talla::games {

tl::unexpected<Error> bad_rules(const std::string& what) {
  return fail(Errc::catalogue_malformed, what);
}

tl::unexpected<Error> bad_rules(const GameRules& rules, const std::string& what) {
  return bad_rules("game " + rules.id + ": " + what);
}

Status check_choice(const GameRules& rules, std::string_view id,
                    std::initializer_list<std::string_view> known) {
  const auto* parameter = rules.parameter(id);
  if (parameter == nullptr || parameter->type != ParameterType::choice) {
    return bad_rules(rules, "no choice parameter '" + std::string(id) + "'");
  }
  for (const auto& value : parameter->allowed) {
    if (!value.is_string() ||
        std::find(known.begin(), known.end(), value.string()) == known.end()) {
      return bad_rules(rules,
                       "parameter '" + std::string(id) + "' has a value the engine does not know");
    }
  }
  return {};
}

}  // namespace talla::games
