// Small things that states, events and needs share when they are printed and restored.
#include "engines/shared/state_json.hpp"

namespace talla::games {

tl::unexpected<Error> bad_state(const std::string& why) {
  return fail(Errc::state_malformed, why);
}

json::Array texts_json(std::span<const std::string> texts) {
  return {texts.begin(), texts.end()};
}

json::Array cards_json(std::span<const shuffle::Card> cards) {
  json::Array out;
  for (const auto card : cards) out.emplace_back(card.text());
  return out;
}

}  // namespace talla::games
