#include "steps.hpp"

#include "verify/botan_hashes.hpp"

namespace talla::cli {

namespace {

Result<const json::Value*> value_at(const json::Value& value,
                                    std::initializer_list<std::string_view> path) {
  const json::Value* at = &value;
  std::string name;
  for (const std::string_view key : path) {
    name += (name.empty() ? "" : ".") + std::string(key);
    at = at->find(key);
    if (at == nullptr) return fail(CliErrc::appliance_refused, "the reply has no " + name);
  }
  return at;
}

}  // namespace

Result<std::string> text_at(const json::Value& value,
                            std::initializer_list<std::string_view> path) {
  TALLA_TRY(const json::Value* found, value_at(value, path));
  if (!found->is_string())
    return fail(CliErrc::appliance_refused,
                "the reply has something else where a text is expected");
  return found->string();
}

Result<std::int64_t> integer_at(const json::Value& value,
                                std::initializer_list<std::string_view> path) {
  TALLA_TRY(const json::Value* found, value_at(value, path));
  if (!found->is_integer())
    return fail(CliErrc::appliance_refused,
                "the reply has something else where an integer is expected");
  return found->integer();
}

const json::Value* equipment_of(const json::Value& game, std::string_view need) {
  const json::Value* all = game.find("equipment");
  if (all == nullptr || !all->is_array()) return nullptr;
  for (const json::Value& one : all->array()) {
    const json::Value* name = one.find("need");
    if (name != nullptr && name->is_string() && name->string() == need) return &one;
  }
  return nullptr;
}

Result<std::uint64_t> seq_of(const Session& session, std::string_view kind) {
  const json::Value* record = session.record(kind);
  if (record == nullptr)
    return fail(CliErrc::appliance_refused, "the reply holds no receipt of a " + std::string(kind));
  TALLA_TRY(const std::int64_t seq, integer_at(*record, {"seq"}));
  return static_cast<std::uint64_t>(seq);
}

Result<std::string> open_table(const App& app, Session& session, const json::Value& body) {
  TALLA_TRY(const json::Value reply, session.post("/v1/tables", body));
  TALLA_TRY(std::string table, text_at(reply, {"table", "id"}));
  TALLA_TRY(const std::uint64_t seq, seq_of(session, "TABLE_OPEN"));
  app.say("table opened: " + table + " (record " + std::to_string(seq) + ")");
  return table;
}

Status close_table(const App& app, Session& session, const std::string& table) {
  TALLA_TRY(const json::Value reply, session.post("/v1/tables/" + table + "/close", json::Value()));
  app.say("table closed: " + table);
  return {};
}

Result<MixedShoe> seal_and_mix(const App& app, Session& session, const std::string& table) {
  TALLA_TRY(const json::Value sealed,
            session.post("/v1/tables/" + table + "/shoes", json::Value()));
  MixedShoe shoe;
  TALLA_TRY(shoe.id, text_at(sealed, {"shoe", "id"}));
  TALLA_TRY(shoe.root, text_at(sealed, {"shoe", "root"}));
  TALLA_TRY(const std::int64_t cards, integer_at(sealed, {"shoe", "cards"}));
  app.say("shoe sealed: " + shoe.id + ", " + std::to_string(cards) + " cards, commitment " +
          shoe.root.substr(0, 16) + "...");
  TALLA_TRY(shoe.mix, mix_shoe(app, session, shoe.id, shoe.root));
  return shoe;
}

Result<certs::Mix> mix_shoe(const App& app, Session& session, const std::string& shoe,
                            const std::string& root) {
  // The receipt of the commitment is verified by now: only then does the number leave.
  const std::string nonce = Session::nonce();
  json::Value sent;
  sent["nonce"] = nonce;
  sent["root"] = root;
  TALLA_TRY(const json::Value done, session.post("/v1/shoes/" + shoe + "/mix", sent));
  TALLA_TRY(const std::int64_t cards, integer_at(done, {"shoe", "cards"}));
  const json::Value* said = session.record("SHOE_MIX");
  if (said == nullptr)
    return fail(CliErrc::appliance_refused, "the reply holds no receipt of a SHOE_MIX");
  TALLA_TRY(const auto record, certs::parse_record(json::canonical(*said)));
  TALLA_TRY(const auto body, certs::ShoeMixBody::from_json(record.body));
  if (record.object != shoe || to_hex(body.root) != root || to_hex(body.nonce) != nonce)
    return fail(CliErrc::appliance_refused,
                "the shoe was mixed with another number, or under another root, than was sent");
  const certs::BotanHashes hashes;
  TALLA_TRY(certs::Mix mix, certs::mix_of(hashes, record, body, static_cast<std::uint32_t>(cards)));
  app.say("shoe mixed with this client's number: the first card dealt is leaf " +
          std::to_string(mix.front()));
  return mix;
}

Result<json::Value> draw_once(Session& session, const std::string& table,
                              const std::string& round) {
  json::Value one;
  one["count"] = 1;
  TALLA_TRY(const json::Value committed, session.post("/v1/tables/" + table + "/batches", one));
  json::Value draw;
  TALLA_TRY(draw["batch"], text_at(committed, {"batch", "id"}));
  TALLA_TRY(draw["root"], text_at(committed, {"batch", "root"}));
  TALLA_TRY(draw["index"], integer_at(committed, {"batch", "index"}));
  draw["table"] = table;
  draw["nonce"] = Session::nonce();
  if (!round.empty()) draw["round"] = round;
  return session.post("/v1/draws", draw);
}

Status save_bundle(const App& app, Session& session, std::uint64_t seq, const std::string& path) {
  if (path.empty()) return {};
  TALLA_TRY(const std::string bundle, session.get_text("/v1/bundles/" + std::to_string(seq)));
  TALLA_TRY_STATUS(write_file(path, bundle));
  app.say("evidence written: " + path + " (" + std::to_string(bundle.size()) + " bytes)");
  return {};
}

}  // namespace talla::cli
