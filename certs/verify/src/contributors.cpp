// Follows the further contributors of a table's calls: who is named, and what each opened.
#include "contributors.hpp"

#include <algorithm>

#include "evidence.hpp"
#include "p256.hpp"

namespace talla::certs {
namespace {

/// Ids compare by their bytes, and each stands once; so does each key, the table's among them.
Status check_named_once(const Record& record, const Bytes& table_key,
                        const std::vector<Contributor>& others) {
  std::set<std::string_view> ids;
  std::set<Bytes> keys{table_key};
  for (const Contributor& one : others) {
    if (!ids.insert(one.id).second)
      return refuse(VerifyErrc::duplicate, record, one.id + " is named twice");
    if (!keys.insert(one.key).second)
      return refuse(VerifyErrc::duplicate, record,
                    "the key of " + one.id + " is that of another one, or the table's");
  }
  if (!std::ranges::is_sorted(others, {}, &Contributor::id))
    return refuse(VerifyErrc::others_order, record, "its contributors do not ascend");
  return {};
}

}  // namespace

bool Contributors::counts(const Contributor& one) const {
  const auto known = counted_.find(one.key);
  if (known == counted_.end()) return one.t == 1 || !whole_;
  return known->second.id == one.id && one.t == known->second.t + std::uint64_t{1};
}

Status Contributors::name(const Record& record, const CallCore& core) {
  const auto& others = core.others;
  TALLA_TRY_STATUS(check_named_once(record, table_.key, others));
  for (const Contributor& one : others) {
    const auto known = counted_.find(one.key);
    if (known != counted_.end() && known->second.id != one.id)
      return refuse(VerifyErrc::duplicate, record,
                    "the key of " + one.id + " was that of " + known->second.id);
    if (!counts(one))
      return refuse(VerifyErrc::t_gap, record,
                    one.id + " does not count on with " + std::to_string(one.t));
    counted_[one.key] = {one.id, one.t};
    called_.emplace(one.key, one.id);
  }
  for (const Bytes& key : table_.policy.required) {
    if (std::ranges::find(others, key, &Contributor::key) == others.end())
      return refuse(VerifyErrc::required_missing, record, "leaves out a key that is required");
  }
  return {};
}

void Contributors::lapse(const CallCore& core) {
  for (const Contributor& one : core.others) {
    named_.emplace(one.key, one.id);
    const bool known = whole_ || counted_.contains(one.key);
    if (known && counts(one)) counted_[one.key] = {one.id, one.t};
  }
}

namespace {

/// One number is what was committed to before the call, signed by the key for it.
Status check_number(const HashSuite& hashes, const Digest& opening, const Record& record,
                    const CallCore& core, const Contributor& one, const CallOpening& opened) {
  if (contribution_commit(hashes, opening, one.id, one.t, opened.value) != one.commit)
    return refuse(VerifyErrc::commit_mismatch, record,
                  "the number of " + one.id + " is not the committed one");
  const Digest call = call_digest(hashes, core.bytes());
  const auto key = P256Key::parse(one.key);
  if (!key ||
      !key->has_signed(opening_statement(call, one.id, one.t, opened.value), opened.signature))
    return refuse(VerifyErrc::opening_signature, record,
                  "the number of " + one.id + " is not signed by its key");
  return {};
}

}  // namespace

Status check_openings(const HashSuite& hashes, const Digest& opening, const Record& record,
                      const CallCore& core, std::span<const CallOpening> openings) {
  if (openings.size() != core.others.size())
    return refuse(VerifyErrc::openings_count, record,
                  "has more or fewer openings than its call has contributors");
  for (std::size_t i = 0; i < openings.size(); ++i)
    TALLA_TRY_STATUS(check_number(hashes, opening, record, core, core.others[i], openings[i]));
  return {};
}

Status check_opened_before(const HashSuite& hashes, const Digest& opening, const Record& record,
                           const CallCore& core, std::span<const OpenedBefore> openings) {
  for (const OpenedBefore& opened : openings) {
    const auto one = std::ranges::find(core.others, opened.id, &Contributor::id);
    if (one == core.others.end())
      return refuse(VerifyErrc::openings_count, record,
                    "has an opening of " + opened.id + ", who was not to open anything");
    TALLA_TRY_STATUS(
        check_number(hashes, opening, record, core, *one, {opened.value, opened.signature}));
  }
  return {};
}

Status Contributors::result(const Record& record, const CallCore& core,
                            std::span<const CallOpening> openings, bool rests) {
  TALLA_TRY_STATUS(check_openings(hashes_, opening_, record, core, openings));
  if (!rests) return {};
  Named opened;
  for (const Contributor& one : core.others) opened.emplace(one.key, one.id);
  named_.insert(opened.begin(), opened.end());
  if (joined_)
    std::erase_if(*joined_, [&](const auto& before) { return !opened.contains(before.first); });
  else
    joined_ = std::move(opened);
  return {};
}

Status Contributors::end(const Record& record, const CallCore& core, const VoidBody& body) {
  for (const std::string& id : body.missing) {
    if (std::ranges::find(core.others, id, &Contributor::id) == core.others.end())
      return refuse(VerifyErrc::missing_wrong, record, id + " was not to open anything");
  }
  TALLA_TRY_STATUS(check_opened_before(hashes_, opening_, record, core, body.openings));
  for (const Contributor& one : core.others) named_.emplace(one.key, one.id);
  return {};
}

Contributors::Named Contributors::dropped() const {
  Named out = named_;
  if (!joined_) return out;
  out.insert(called_.begin(), called_.end());
  std::erase_if(out, [&](const auto& named) { return joined_->contains(named.first); });
  return out;
}

std::string contributor_names(const HashSuite& hashes, const Contributors::Named& named) {
  std::set<std::string> texts;
  for (const auto& [key, id] : named)
    texts.insert(id + " (key " + to_hex(hashes.sha256({key})) + ")");
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

}  // namespace talla::certs
