#include "engines/bingo/card.hpp"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <limits>

#include "base/check.hpp"

namespace talla::games::bingo {
namespace {

using Called = std::bitset<std::numeric_limits<Ball>::max() + 1>;

Called called(std::span<const Ball> balls) {
  Called out;
  for (const auto ball : balls) out.set(ball);
  return out;
}

bool all_called(std::span<const Ball> numbers, const Called& balls) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](Ball number) { return balls.test(number); });
}

bool holds(std::span<const Ball> numbers, Ball ball) {
  return std::find(numbers.begin(), numbers.end(), ball) != numbers.end();
}

}  // namespace

std::vector<Ball> numbers_of(const std::vector<std::string>& on) {
  std::vector<Ball> out;
  out.reserve(on.size());
  for (const auto& code : on) {
    Ball number = 0;
    const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), number);
    TALLA_CHECK(error == std::errc() && end == code.data() + code.size());
    out.push_back(number);
  }
  return out;
}

std::optional<std::size_t> completed_row(std::span<const Ball> numbers, std::size_t rows,
                                         std::span<const Ball> balls) {
  TALLA_CHECK(rows > 0 && numbers.size() % rows == 0);
  if (balls.empty()) return std::nullopt;
  const auto length = numbers.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto line = numbers.subspan(row * length, length);
    if (!holds(line, balls.back())) continue;
    return all_called(line, called(balls)) ? std::optional<std::size_t>(row) : std::nullopt;
  }
  return std::nullopt;
}

bool completed_card(std::span<const Ball> numbers, std::span<const Ball> balls) {
  return !balls.empty() && balls.size() >= numbers.size() && holds(numbers, balls.back()) &&
         all_called(numbers, called(balls));
}

}  // namespace talla::games::bingo
