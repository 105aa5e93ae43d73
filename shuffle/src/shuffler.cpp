#include "shuffle/shuffler.hpp"

#include <algorithm>
#include <string>

namespace talla::shuffle {
namespace {

constexpr std::size_t machine_cards_max = 1024;

Status check_machine(const ShelfMachine& machine, std::size_t cards_count) {
  if (machine.compartments < 2 || machine.compartments > 256)
    return fail(Errc::count_out_of_range, "a shelf machine has 2 to 256 compartments");
  if (cards_count == 0 || cards_count > machine_cards_max)
    return fail(Errc::count_out_of_range, "a machine takes 1 to 1024 cards");
  return {};
}

/// Whether the places are 0 ... n - 1, each once.
Status check_places(std::span<const std::uint32_t> places) {
  std::vector<bool> taken(places.size());
  for (const std::uint32_t place : places) {
    if (place >= places.size() || taken[place])
      return fail(Errc::count_out_of_range, "the places are no permutation");
    taken[place] = true;
  }
  return {};
}

/// The pass sorts by this digit of the place: (place / weight) mod compartments.
std::uint32_t digit_of(std::uint32_t place, std::uint64_t weight, std::uint32_t compartments) {
  return static_cast<std::uint32_t>(place / weight) % compartments;
}

}  // namespace

Result<SecretPlaces> sorting_places(std::span<const Card> order, std::span<const Card> feed) {
  if (order.empty() || order.size() > machine_cards_max)
    return fail(Errc::count_out_of_range, "a machine takes 1 to 1024 cards");
  // For each card its places: next[card] is the first one left, later[place] the next place of the
  // same card.
  constexpr std::uint32_t none = ~std::uint32_t{0};
  SecretPlaces next(256, none);
  SecretPlaces later(order.size(), none);
  for (std::size_t place = order.size(); place-- > 0;) {
    later[place] = next[order[place].code()];
    next[order[place].code()] = static_cast<std::uint32_t>(place);
  }
  SecretPlaces places;
  places.reserve(order.size());
  for (const Card card : feed) {
    const std::uint32_t place = next[card.code()];
    if (place == none)
      return fail(Errc::census_mismatch,
                  "fed card " + std::to_string(places.size()) + " has no place left");
    next[card.code()] = later[place];
    places.push_back(place);
  }
  if (places.size() != order.size())
    return fail(Errc::census_mismatch, "fed card " + std::to_string(places.size()) + " is missing");
  return places;
}

Result<std::uint32_t> shelf_passes(const ShelfMachine& machine, std::uint32_t cards_count) {
  TALLA_TRY_STATUS(check_machine(machine, cards_count));
  std::uint32_t passes = 1;
  for (std::uint64_t reach = machine.compartments; reach < cards_count;
       reach *= machine.compartments)
    ++passes;
  return passes;
}

Result<SecretCompartments> shelf_compartments(const ShelfMachine& machine,
                                              std::span<const std::uint32_t> places) {
  TALLA_TRY(const std::uint32_t passes,
            shelf_passes(machine,
                         static_cast<std::uint32_t>(std::min(places.size(), std::size_t{2048}))));
  TALLA_TRY_STATUS(check_places(places));
  SecretPlaces fed(places.begin(), places.end());  // the place of each card in the order of feeding
  SecretCompartments all;
  all.reserve(passes * places.size());
  std::uint64_t weight = 1;
  for (std::uint32_t pass = 0; pass < passes; ++pass, weight *= machine.compartments) {
    // A compartment that reverses turns what was sorted before: then every other pass sorts
    // downwards.
    const bool down = machine.reverses && (passes - 1 - pass) % 2 == 1;
    SecretCompartments row;
    row.reserve(fed.size());
    for (const std::uint32_t place : fed) {
      const std::uint32_t digit = digit_of(place, weight, machine.compartments);
      row.push_back(static_cast<std::uint8_t>(down ? machine.compartments - 1 - digit : digit));
    }
    TALLA_TRY(const auto out, shelf_empty(machine, row));
    SecretPlaces after;
    after.reserve(fed.size());
    for (const std::uint32_t index : out) after.push_back(fed[index]);
    fed = std::move(after);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

Result<SecretPlaces> shelf_empty(const ShelfMachine& machine,
                                 std::span<const std::uint8_t> compartments) {
  TALLA_TRY_STATUS(check_machine(machine, compartments.size()));
  SecretPlaces out;
  out.reserve(compartments.size());
  for (std::uint32_t one = 0; one < machine.compartments; ++one) {
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    for (std::size_t i = 0; i < compartments.size(); ++i) {
      if (compartments[i] == one) out.push_back(static_cast<std::uint32_t>(i));
    }
    if (machine.reverses) std::reverse(out.begin() + begin, out.end());
  }
  if (out.size() != compartments.size())
    return fail(Errc::count_out_of_range, "a compartment that the machine does not have");
  return out;
}

}  // namespace talla::shuffle
