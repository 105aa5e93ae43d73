// Types of members that tables, rounds and meters share.
#include "table_types.hpp"

#include "games/money.hpp"
#include "games/session_end.hpp"

namespace talla::certs {

bool fraction_in_lowest_terms(std::string_view text) {
  const auto fraction = games::Fraction::parse_canonical(std::string(text));
  return fraction && fraction->numerator() > 0 && fraction->text() == text;
}

Problem MetersType::read(const json::Value& value, Meters& out) const {
  if (!value.is_object()) return expected(words());
  for (const auto& [name, id] : value.object()) {
    if (!id.is_string()) return expected(words());
    out.emplace(name, id.string());
  }
  return check(out);
}

Problem MetersType::check(const Meters& meters) const {
  for (const auto& [name, id] : meters)
    if (name.empty() || !printable(name) || !object_seq("meter", id)) return expected(words());
  return nullptr;
}

json::Value MetersType::json(const Meters& meters) const {
  json::Object ids;
  for (const auto& [name, id] : meters) ids.emplace(name, id);
  return ids;
}

void MetersType::write(TextWriter& out, const Meters& meters) const {
  out.raw(json::canonical(json(meters)));
}

Problem SessionEndType::read(const json::Value& value, games::LastRound& out) const {
  const auto last = games::session_end_from(value);
  if (!last) return expected(words());
  out = *last;
  return nullptr;
}

Problem SessionEndType::check(const games::LastRound& last) const {
  games::LastRound same;
  return read(json(last), same);
}

json::Value SessionEndType::json(const games::LastRound& last) const {
  return games::session_end_json(last);
}

void SessionEndType::write(TextWriter& out, const games::LastRound& last) const {
  out.raw(json::canonical(json(last)));
}

}  // namespace talla::certs
