// One stake on an empty cloth.
#include "odds/lone_stake.hpp"

#include <optional>

#include "base/check.hpp"

namespace talla::games {

Result<Units> lay_lone_stake(Driver& driver, const std::string& bet,
                             const std::vector<std::string>& on) {
  const Units min = driver.table().min();
  std::optional<Error> refused;
  for (const Units percentage : stake_percentages) {
    if (min * percentage % 100 != 0) continue;
    const Units stake = min * percentage / 100;
    const Status laid = driver.apply(
        PlaceBet{.id = "the.stake", .seat = 1, .box = {}, .kind = bet, .on = on, .stake = stake});
    if (laid) return stake;
    if (!refused) refused = laid.error();
  }
  TALLA_CHECK(refused.has_value());
  return tl::unexpected<Error>(*refused);
}

}  // namespace talla::games
