// How often a round, shoe or batch ended in VOID, and whom its next call has to name.
#include "format/call_subject.hpp"

#include <algorithm>
#include <limits>

#include "format/errc.hpp"

namespace talla::certs {

void CallSubjects::called(const CallCore& core) {
  const auto known = all_.find(call_subject(core));
  if (known != all_.end()) known->second.kept.clear();
}

void CallSubjects::ended(const CallCore& core, const std::vector<std::string>& missing) {
  CallSubject& one = all_[call_subject(core)];
  ++one.voids;
  one.kept.clear();
  for (const Contributor& named : core.others) {
    if (std::ranges::find(missing, named.id) == missing.end())
      one.kept.push_back({named.id, named.key});
  }
}

void CallSubjects::lapsed(const CallCore& core) {
  ++all_[call_subject(core)].voids;
}

void CallSubjects::forget_kept() {
  for (auto& [subject, one] : all_) one.kept.clear();
}

std::uint32_t CallSubjects::voids(const std::string& subject) const {
  const auto known = all_.find(subject);
  return known == all_.end() ? 0U : known->second.voids;
}

const NamedContributor* CallSubjects::dropped(const CallCore& core) const {
  const auto known = all_.find(call_subject(core));
  if (known == all_.end()) return nullptr;
  for (const NamedContributor& one : known->second.kept) {
    const auto same = [&](const Contributor& other) {
      return other.key == one.key && other.id == one.id;
    };
    if (std::ranges::none_of(core.others, same)) return &one;
  }
  return nullptr;
}

json::Value CallSubjects::to_json() const {
  json::Object out;
  for (const auto& [subject, one] : all_) {
    json::Array kept;
    for (const NamedContributor& named : one.kept)
      kept.emplace_back(json::Object{{"id", named.id}, {"key", to_base64(named.key)}});
    out[subject] = json::Object{{"kept", std::move(kept)}, {"voids", one.voids}};
  }
  return out;
}

Result<CallSubjects> CallSubjects::from_json(const json::Value& value) {
  CallSubjects out;
  if (!value.is_object()) return fail(FormatErrc::malformed_body, "calls: an object is expected");
  for (const auto& [subject, said] : value.object()) {
    json::Reader reader(said, "calls");
    CallSubject& one = out.all_[subject];
    TALLA_TRY(const auto voids,
              reader.integer("voids", 0, std::int64_t{std::numeric_limits<std::uint32_t>::max()}));
    one.voids = static_cast<std::uint32_t>(voids);
    TALLA_TRY(const auto* kept, reader.array("kept"));
    TALLA_TRY_STATUS(reader.finish());
    for (const json::Value& item : *kept) {
      json::Reader named(item, "calls");
      NamedContributor& who = one.kept.emplace_back();
      TALLA_TRY(who.id, named.string("id"));
      TALLA_TRY(const auto key, named.string("key"));
      TALLA_TRY(who.key, from_base64(key));
      TALLA_TRY_STATUS(named.finish());
    }
  }
  return out;
}

}  // namespace talla::certs
