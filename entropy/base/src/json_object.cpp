// The members of a JSON object, in the order of their names.
#include <algorithm>

#include "base/check.hpp"
#include "base/json.hpp"

namespace talla::json {

namespace {

/// Up to so many members are looked through one by one: their lengths alone tell most of them
/// apart.
constexpr std::size_t few = 16;

constexpr auto before = [](const Member& member, std::string_view key) {
  return member.first < key;
};

/// The first member whose name is not below `key`.
template <class Members>
auto place_of(Members& members, std::string_view key) {
  return std::lower_bound(members.begin(), members.end(), key, before);
}

template <class Members>
auto member_of(Members& members, std::string_view key) {
  if (members.size() <= few)
    return std::find_if(members.begin(), members.end(),
                        [&](const Member& member) { return member.first == key; });
  const auto place = place_of(members, key);
  return place != members.end() && place->first == key ? place : members.end();
}

}  // namespace

Object::Object(std::initializer_list<Member> members) {
  members_.reserve(members.size());
  for (const Member& member : members) emplace(member.first, member.second);
}

Object::const_iterator Object::find(std::string_view key) const {
  return member_of(members_, key);
}

Object::iterator Object::find(std::string_view key) {
  return member_of(members_, key);
}

const Value& Object::at(std::string_view key) const {
  const auto found = find(key);
  TALLA_CHECK(found != end());
  return found->second;
}

Value& Object::operator[](std::string_view key) {
  const auto place = place_of(members_, key);
  if (place != members_.end() && place->first == key) return place->second;
  return members_.insert(place, Member{std::string(key), Value()})->second;
}

std::pair<Object::iterator, bool> Object::emplace(std::string_view key, Value value) {
  if (members_.empty() || members_.back().first < key) {
    members_.emplace_back(std::string(key), std::move(value));
    return {std::prev(members_.end()), true};
  }
  const auto place = place_of(members_, key);
  if (place->first == key) return {place, false};
  return {members_.insert(place, Member{std::string(key), std::move(value)}), true};
}

std::pair<Object::iterator, bool> Object::insert_or_assign(std::string_view key, Value value) {
  const auto place = place_of(members_, key);
  if (place == members_.end() || place->first != key)
    return {members_.insert(place, Member{std::string(key), std::move(value)}), true};
  place->second = std::move(value);
  return {place, false};
}

std::size_t Object::erase(std::string_view key) {
  const auto found = find(key);
  if (found == members_.end()) return 0;
  members_.erase(found);
  return 1;
}

void Object::merge(Object other) {
  for (Member& member : other.members_) emplace(member.first, std::move(member.second));
}

}  // namespace talla::json
