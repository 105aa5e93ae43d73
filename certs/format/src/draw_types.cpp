// Draw specifications and outcomes as members of bodies.
#include "draw_types.hpp"

#include <algorithm>

namespace talla::certs {
namespace {

void write_values(TextWriter& out, std::string_view name,
                  const std::vector<std::uint32_t>& values) {
  out.key(name).open('[');
  for (const std::uint32_t value : values) out.number(value);
  out.close(']');
}

Problem specification_problem(const Error& error) {
  Problem problem = refused(error.detail);
  problem->errc = FormatErrc::malformed_specification;
  return problem;
}

}  // namespace

Problem SpecificationType::read(const json::Value& value, DrawSpecification& out) const {
  if (!value.is_object()) return expected(words());
  auto read = specification_from_json(value);
  if (!read) return specification_problem(read.error());
  out = std::move(*read);
  return nullptr;
}

Problem SpecificationType::check(const DrawSpecification& specification) const {
  auto fits = check_specification(specification);
  return fits ? nullptr : specification_problem(fits.error());
}

void SpecificationType::write(TextWriter& out, const DrawSpecification& specification) const {
  out.open('{');
  if (const auto* wheel = std::get_if<WheelDraw>(&specification)) {
    out.key("kind").text("wheel").key("pockets").number(wheel->pockets);
  } else if (const auto* dice = std::get_if<DiceDraw>(&specification)) {
    out.key("count").number(dice->count).key("faces").number(dice->faces).key("kind").text("dice");
  } else {
    write_values(out, "bounds", std::get<LotsDraw>(specification).bounds);
    out.key("kind").text("lots");
  }
  out.close('}');
}

Problem OutcomeType::read(const json::Value& value, Outcome& out) const {
  if (!value.is_object()) return expected(words());
  auto read = outcome_from_json(value);
  if (!read) return refused(read.error().detail);
  out = std::move(*read);
  return nullptr;
}

Problem OutcomeType::check(const Outcome& outcome) const {
  const auto& values = outcome.values;
  const bool single = outcome.form == Outcome::Form::pocket;
  if (single ? values.size() != 1 : !lot_counts.holds_count(values.size()))
    return expected(words());
  const bool dice_fit = std::all_of(values.begin(), values.end(), [](std::uint32_t value) {
    return Between{1, die_faces.max}.holds(value);
  });
  return outcome.form != Outcome::Form::dice || dice_fit ? nullptr : expected(words());
}

void OutcomeType::write(TextWriter& out, const Outcome& outcome) const {
  out.open('{');
  switch (outcome.form) {
    case Outcome::Form::pocket:
      out.key("pocket").number(outcome.values.front());
      break;
    case Outcome::Form::dice:
      write_values(out, "dice", outcome.values);
      break;
    case Outcome::Form::lots:
      write_values(out, "lots", outcome.values);
      break;
  }
  out.close('}');
}

Problem OutcomeOrWord::read(const json::Value& value, std::optional<Outcome>& out) const {
  if (value.is_object()) return OutcomeType{}.read(value, out.emplace());
  out.reset();
  return value.is_string() && value.string() == word ? nullptr : expected(words());
}

Problem OutcomeOrWord::check(const std::optional<Outcome>& outcome) const {
  return outcome ? OutcomeType{}.check(*outcome) : nullptr;
}

json::Value OutcomeOrWord::json(const std::optional<Outcome>& outcome) const {
  return outcome ? outcome_json(*outcome) : json::Value(word);
}

void OutcomeOrWord::write(TextWriter& out, const std::optional<Outcome>& outcome) const {
  if (outcome) {
    OutcomeType{}.write(out, *outcome);
  } else {
    out.text(word);
  }
}

std::string OutcomeOrWord::words() const {
  return OutcomeType{}.words() + ", or the text `" + std::string(word) + "`";
}

}  // namespace talla::certs
