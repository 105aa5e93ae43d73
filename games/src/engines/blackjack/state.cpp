#include "engines/blackjack/state.hpp"

#include <algorithm>

namespace talla::games::blackjack {
namespace {

constexpr std::string_view digits = "0123456789";

/// What stands behind the last point, or "".
std::string_view suffix_of(std::string_view id) {
  const auto point = id.rfind('.');
  return point == std::string_view::npos ? std::string_view() : id.substr(point + 1);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace

std::size_t State::turn() const {
  const auto found =
      std::find_if(hands.begin(), hands.end(), [](const Hand& hand) { return !hand.done; });
  return static_cast<std::size_t>(found - hands.begin());
}

std::size_t State::hands_of(Box box) const {
  return static_cast<std::size_t>(
      std::count_if(hands.begin(), hands.end(), [&](const Hand& hand) { return hand.box == box; }));
}

int stage_of(const Bet& bet) {
  const bool digit = bet.on.size() == 1 && bet.on.front().size() == 1 && is_number(bet.on.front());
  return digit ? bet.on.front().front() - '0' : 1;
}

std::string_view origin_of(std::string_view id) {
  const auto suffix = suffix_of(id);
  return is_number(suffix) ? id.substr(0, id.size() - suffix.size() - 1) : id;
}

bool is_derived_id(std::string_view id, std::string_view insurance) {
  const auto suffix = suffix_of(id);
  return is_number(suffix) || (!suffix.empty() && suffix == insurance);
}

}  // namespace talla::games::blackjack
