#include "shuffle/errors.hpp"

namespace talla::shuffle {

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::tape_exhausted:
      return "tape_exhausted";
    case Errc::generator_fault:
      return "generator_fault";
    case Errc::bound_out_of_range:
      return "bound_out_of_range";
    case Errc::outcome_space_too_large:
      return "outcome_space_too_large";
    case Errc::malformed_card:
      return "malformed_card";
    case Errc::malformed_deck:
      return "malformed_deck";
    case Errc::census_mismatch:
      return "census_mismatch";
    case Errc::count_out_of_range:
      return "count_out_of_range";
  }
  return "unknown_shuffle_error";
}

}  // namespace talla::shuffle
