#include "approval.hpp"

#include <algorithm>

#include "editing.hpp"
#include "people.hpp"
#include "transaction.hpp"

namespace talla::core {

std::optional<Approval> find_approval(const Overlay& world, ActKind kind, const Digest& digest) {
  for (const auto& one : world.approvals()) {
    if (one.kind == kind && one.digest == digest) return one;
  }
  return std::nullopt;
}

void add_approval(Editing& edit, const Act& act, std::uint64_t confirmed) {
  if (!approves(act.kind) || !act.digest) return;
  auto& all = edit.approvals();
  std::erase_if(all, [&](const Approval& one) { return one.kind == act.kind; });
  all.push_back({act.kind, *act.digest, confirmed});
}

void spend_approvals(Editing& edit, const certs::Record& record) {
  const auto spent = [&](const Approval& one) {
    return std::ranges::binary_search(record.cites, one.seq);
  };
  if (std::ranges::any_of(edit.seen().approvals(), spent)) std::erase_if(edit.approvals(), spent);
}

json::Object approval_view(const Approval& approval) {
  return {
      {"act", act_name(approval.kind)}, {"digest", to_hex(approval.digest)}, {"seq", approval.seq}};
}

void keep_approvals(Transaction& tx) {
  json::Array all;
  for (const auto& one : tx.world().approvals()) all.emplace_back(approval_view(one));
  tx.group().documents.push_back(
      {certs::documents::approvals(), json::canonical(json::Value(std::move(all)))});
}

Result<std::vector<std::uint64_t>> approved_change(Transaction& tx, const Settings& settings,
                                                   ActKind kind, const Digest& digest,
                                                   const std::string& what) {
  if (const auto approval = find_approval(tx.world(), kind, digest))
    return std::vector{approval->seq};
  // Without an officer and an inspector there is nobody to ask: an appliance that is just being set
  // up.
  if (settings.profile == "production" && can_approve(tx.world().clients()))
    return fail(Errc::not_approved,
                what + " has changed since the last start, and no two persons have approved " +
                    to_hex(digest) + " (talla act ask " + std::string(act_name(kind)) + ")");
  return std::vector<std::uint64_t>{};
}

Result<std::vector<Approval>> approvals_from(const std::string& text) {
  TALLA_TRY(const auto value, json::parse(text));
  if (!value.is_array()) return fail(Errc::replay_failed, "the list of approvals is damaged");
  std::vector<Approval> all;
  for (const auto& one : value.array()) {
    json::Reader reader(one, "approval");
    TALLA_TRY(const auto name, reader.string("act"));
    TALLA_TRY(const auto hex, reader.string("digest"));
    TALLA_TRY(const auto seq, reader.integer("seq", 0, json::integer_max));
    TALLA_TRY_STATUS(reader.finish());
    const auto kind = act_from(name);
    const auto digest = digest_from_hex(hex);
    if (!kind || !digest) return fail(Errc::replay_failed, "the list of approvals is damaged");
    all.push_back({*kind, *digest, static_cast<std::uint64_t>(seq)});
  }
  return all;
}

}  // namespace talla::core
