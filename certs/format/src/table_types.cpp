// Types of members that tables, rounds and meters share.
#include "table_types.hpp"

#include <algorithm>

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

namespace {

/// Base64 texts, none empty; false: something else.
bool read_blobs(const json::Value& value, std::vector<Bytes>& out) {
  if (!value.is_array()) return false;
  out.clear();
  for (const json::Value& one : value.array()) {
    auto bytes = one.is_string() ? from_base64(one.string()) : from_base64("!");
    if (!bytes || bytes->empty()) return false;
    out.push_back(std::move(*bytes));
  }
  return true;
}

json::Value blobs_json(const std::vector<Bytes>& blobs) {
  json::Array out;
  out.reserve(blobs.size());
  for (const Bytes& one : blobs) out.emplace_back(to_base64(one));
  return out;
}

bool none_empty(const std::vector<Bytes>& blobs) {
  return std::none_of(blobs.begin(), blobs.end(), [](const Bytes& one) { return one.empty(); });
}

}  // namespace

Problem KeysType::read(const json::Value& value, Keys& out) const {
  return read_blobs(value, out) ? check(out) : expected(words());
}

Problem KeysType::check(const Keys& keys) const {
  const bool ascend = std::ranges::adjacent_find(keys, std::ranges::greater_equal{}) == keys.end();
  const bool fits = call_others.holds_count(keys.size()) && none_empty(keys) && ascend;
  return fits ? nullptr : expected(words());
}

json::Value KeysType::json(const Keys& keys) const {
  return blobs_json(keys);
}

Problem ChainType::read(const json::Value& value, Chain& out) const {
  return read_blobs(value, out) ? check(out) : expected(words());
}

Problem ChainType::check(const Chain& chain) const {
  const bool fits = chain_certificates.holds_count(chain.size()) && none_empty(chain);
  return fits ? nullptr : expected(words());
}

json::Value ChainType::json(const Chain& chain) const {
  return blobs_json(chain);
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
