// What the client checks of a call that others contribute to.
#include "base/bytes.hpp"
#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "words.hpp"

namespace talla::client {

using certs::Kind;
using certs::Record;

std::optional<std::uint64_t> Evidence::awaited() const {
  if (records_.empty() || records_.back().kind != Kind::call) return {};
  const Record& call = records_.back();
  const auto made = calls_.find(call.seq);
  const auto caller = callers_.find(call.table);
  const bool waits = made != calls_.end() && !made->second.others.empty() &&
                     caller != callers_.end() && caller->second.open_call() == call.seq;
  return waits ? std::optional(call.seq) : std::nullopt;
}

Result<json::Value> Evidence::finish(const json::Value& receipt, const Fetch& fetch) {
  TALLA_TRY(const Digest leaf, keep(receipt, fetch));
  const Record& record = records_.back();
  const bool draw = record.kind == Kind::draw;
  if (!draw && record.kind != Kind::shoe_mix && record.kind != Kind::void_call)
    return disbelieve("record " + std::to_string(record.seq) + " ends no call");
  TALLA_TRY_STATUS(take_table(record, leaf));
  json::Object said;
  said["seq"] = record.seq;
  if (const json::Value* outcome = record.body.find("outcome")) said["outcome"] = *outcome;
  if (const json::Value* missing = record.body.find("missing")) said["missing"] = *missing;
  json::Value reply;
  reply[draw ? "draw" : record.kind == Kind::shoe_mix ? "mix" : "void"] = std::move(said);
  const json::Value sent;
  TALLA_TRY_STATUS(take(record, {reply, sent, fetch}));
  const auto caller = callers_.find(record.table);
  if (caller != callers_.end() && caller->second.waiting())
    return disbelieve("record " + std::to_string(record.seq) + " is of another call");
  reply["receipts"] = json::Array{receipt};
  return reply;
}

Result<std::vector<certs::Contributor>> contributors_of(const json::Value& picture) {
  std::vector<certs::Contributor> all;
  const json::Value* listed = at(picture, {"table", "contributors"});
  if (listed == nullptr) return all;
  if (!listed->is_array()) return disbelieve("contributors that are no list");
  for (const json::Value& one : listed->array()) {
    json::Reader reader(one, "contributors");
    certs::Contributor& made = all.emplace_back();
    TALLA_TRY(made.id, reader.string("id"));
    TALLA_TRY(const auto key, reader.string("key"));
    TALLA_TRY(made.key, from_base64(key));
    TALLA_TRY(const auto count, reader.integer("t", 1, std::int64_t{UINT32_MAX}));
    made.t = static_cast<std::uint32_t>(count);
    TALLA_TRY(const auto commit, reader.string("commit"));
    TALLA_TRY(made.commit, digest_from_hex(commit));
  }
  return all;
}

Result<std::optional<certs::CallOrder>> order_of(const json::Value& picture,
                                                 std::string_view subject) {
  const json::Value* object = at(picture, {"table", "again", "object"});
  const json::Value* said = at(picture, {"table", "again", "order"});
  if (object == nullptr || said == nullptr || *object != json::Value(std::string(subject)))
    return std::optional<certs::CallOrder>();
  TALLA_TRY(auto order, certs::CallOrder::from_json(*said));
  return std::optional(std::move(order));
}

}  // namespace talla::client
