// Results of draws, and positions of bets, one by one.
#include "odds/draw_places.hpp"

#include "games/bets.hpp"

namespace talla::games {

namespace {

constexpr std::uint64_t outcomes_max = 1'000'000;

}  // namespace

Result<std::vector<DrawResult>> draw_results(const Draw& draw) {
  std::vector<DrawResult> all;
  if (draw.kind == DrawKind::wheel) {
    for (const std::string& pocket : draw.pockets) all.push_back({draw.kind, {pocket}});
    return all;
  }
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < draw.count && count <= outcomes_max; ++i) count *= draw.faces;
  if (draw.kind != DrawKind::dice || count == 0 || count > outcomes_max)
    return fail(Errc::game_not_available, "the odds of this draw are not worked out");
  for (std::uint64_t number = 0; number < count; ++number) {
    DrawResult result{draw.kind, {}};
    std::uint64_t rest = number;
    for (std::uint32_t i = 0; i < draw.count; ++i, rest /= draw.faces)
      result.values.push_back(std::to_string(rest % draw.faces + 1));
    all.push_back(std::move(result));
  }
  return all;
}

std::vector<std::vector<std::string>> places_of(const BetRule& rule, const Params& params) {
  if (rule.on == OnForm::none || rule.on == OnForm::numbers) return {{}};
  std::vector<std::vector<std::string>> all = positions(rule, params);
  if (rule.on == OnForm::set) return all;
  const std::size_t count = all.size();
  all.clear();
  for (std::size_t i = 1; i <= count; ++i) {
    if (rule.on == OnForm::index) all.push_back({std::to_string(i)});
    for (std::size_t k = i + 1; rule.on == OnForm::pair && k <= count; ++k)
      all.push_back({std::to_string(i), std::to_string(k)});
  }
  return all;
}

}  // namespace talla::games
