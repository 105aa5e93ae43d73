// The types of members that are no templates: how each reads its value and what it says.
#include "member_types.hpp"

namespace talla::certs {

Problem TextType::judge(std::string_view text) const {
  if (filled && text.empty()) return expected(words());
  return fits == nullptr || fits(text) ? nullptr : expected(words());
}

Problem TextType::read(const json::Value& value, std::string& out) const {
  if (!value.is_string()) return expected(words());
  out = value.string();
  return judge(out);
}

std::string TextType::words() const {
  std::string text(said);
  if (fits == nullptr) text += filled ? ", not empty" : ", may be empty";
  return text;
}

Problem IdType::judge(std::string_view id) const {
  if (or_zero && id == "0") return nullptr;
  return object_seq(of, id) ? nullptr : expected(words());
}

Problem IdType::read(const json::Value& value, std::string& out) const {
  if (!value.is_string()) return expected(words());
  out = value.string();
  return judge(out);
}

std::string IdType::words() const {
  return "id of a " + std::string(of) + (or_zero ? ", or `0`" : "");
}

std::string IntegerType::words() const {
  return "integer, " + bounds_text(bounds);
}

Problem FlagType::read(const json::Value& value, bool& out) const {
  if (!value.is_bool()) return expected(words());
  out = value.boolean();
  return nullptr;
}

std::string words_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += "`" + std::string(words[i]) + "`";
  }
  return text;
}

Problem DigestType::read(const json::Value& value, Digest& out) const {
  const auto bytes = value.is_string() ? digest_from_hex(value.string()) : digest_from_hex("");
  if (!bytes) return expected(words());
  out = *bytes;
  return nullptr;
}

Problem Base64Type::read(const json::Value& value, Bytes& out) const {
  auto bytes = value.is_string() ? from_base64(value.string()) : from_base64("!");
  if (!bytes) return expected(words());
  out = std::move(*bytes);
  return check(out);
}

Problem DigestsType::read(const json::Value& value, std::vector<Digest>& out) const {
  if (!value.is_array() || value.array().size() > most) return expected(words());
  out.clear();
  out.reserve(value.array().size());
  for (const json::Value& one : value.array())
    if (Problem problem = digest_type.read(one, out.emplace_back()))
      return refused_at("[]", std::move(problem));
  return nullptr;
}

Problem TextsType::read(const json::Value& value, std::vector<std::string>& out) const {
  if (!value.is_array()) return expected(words());
  out.clear();
  out.reserve(value.array().size());
  for (const json::Value& one : value.array())
    if (Problem problem = filled_text.read(one, out.emplace_back()))
      return refused_at("[]", std::move(problem));
  return nullptr;
}

Problem TextsType::check(const std::vector<std::string>& texts) const {
  for (const std::string& text : texts)
    if (Problem problem = filled_text.check(text)) return refused_at("[]", std::move(problem));
  return nullptr;
}

void TextsType::write(TextWriter& out, const std::vector<std::string>& texts) const {
  out.open('[');
  for (const std::string& text : texts) out.text(text);
  out.close(']');
}

Problem PositionsType::read(const json::Value& value, std::vector<std::uint32_t>& out) const {
  if (!value.is_array()) return expected(words());
  out.clear();
  for (const json::Value& one : value.array()) {
    if (!one.is_integer() || !shoe_positions.holds(one.integer())) return expected(words());
    out.push_back(static_cast<std::uint32_t>(one.integer()));
  }
  return check(out);
}

Problem PositionsType::check(const std::vector<std::uint32_t>& positions) const {
  std::int64_t least = shoe_positions.min;
  for (const std::uint32_t position : positions) {
    if (!Between{least, shoe_positions.max}.holds(position)) return expected(words());
    least = std::int64_t{position} + 1;
  }
  return filled && positions.empty() ? expected(words()) : nullptr;
}

json::Value PositionsType::json(const std::vector<std::uint32_t>& positions) const {
  return json::Array(positions.begin(), positions.end());
}

void PositionsType::write(TextWriter& out, const std::vector<std::uint32_t>& positions) const {
  out.open('[');
  for (const std::uint32_t position : positions) out.number(position);
  out.close(']');
}

std::string PositionsType::words() const {
  return std::string("array of positions, ascending") + (filled ? ", not empty" : "");
}

Problem ObjectType::read(const json::Value& value, json::Value& out) const {
  if (!value.is_object()) return expected(words());
  out = value;
  return nullptr;
}

}  // namespace talla::certs
