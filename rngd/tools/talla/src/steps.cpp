#include "steps.hpp"

#include <chrono>
#include <thread>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/bundle.hpp"
#include "format/candidates.hpp"
#include "format/cosignature.hpp"
#include "format/domain.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/caller.hpp"

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

namespace {

/// Closes the table of an earlier run that stands at this place, if there is one.
Status close_left_over(const App& app, Session& session, const std::string& place) {
  constexpr int looks = 50;  // a call without its result gets it from the appliance
  for (int look = 0; look < looks; ++look) {
    TALLA_TRY(const json::Value reply, session.get("/v1/tables"));
    const json::Value* tables = reply.find("tables");
    if (tables == nullptr || !tables->is_array()) return {};
    const json::Value* left = nullptr;
    for (const json::Value& table : tables->array()) {
      const json::Value* at = table.find("place");
      if (at != nullptr && *at == json::Value(place)) left = &table;
    }
    if (left == nullptr) return {};
    if (left->find("call") == nullptr) {
      TALLA_TRY(const std::string id, text_at(*left, {"id"}));
      app.say("a table of an earlier run is open: " + id);
      return close_table(app, session, id);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return fail(CliErrc::appliance_refused,
              "a table of an earlier run waits for the result of its call");
}

}  // namespace

Result<std::string> open_own_table(const App& app, Session& session, json::Value body) {
  constexpr std::size_t digest_shown = 40;
  TALLA_TRY(const std::string digest, session.key_digest());
  const std::string place = "cli-" + digest.substr(0, digest_shown);
  TALLA_TRY_STATUS(close_left_over(app, session, place));
  body["place"] = place;
  return open_table(app, session, body);
}

Status close_table(const App& app, Session& session, const std::string& table) {
  TALLA_TRY(const json::Value reply, session.post("/v1/tables/" + table + "/close", json::Value()));
  app.say("table closed: " + table);
  return {};
}

void close_refused(const App& app, Session& session, const std::string& table) {
  const auto view = session.get("/v1/tables/" + table);
  const json::Value* found = view ? view->find("table") : nullptr;
  const json::Value* state = found == nullptr ? nullptr : found->find("state");
  if (state == nullptr || *state == json::Value("closed")) return;
  if (const Status done = close_table(app, session, table); !done)
    app.say("left open: " + table + " (" + done.error().detail + ")");
}

std::string drawn_words(const json::Value& outcome, const json::Array& pockets) {
  if (const json::Value* pocket = outcome.find("pocket");
      pocket != nullptr && pocket->is_integer()) {
    const auto index = static_cast<std::size_t>(pocket->integer());
    if (index >= pockets.size()) return "pocket index " + std::to_string(index);
    return "number " +
           (pockets[index].is_string() ? pockets[index].string() : json::canonical(pockets[index]));
  }
  for (const char* name : {"dice", "lots"}) {
    if (const json::Value* list = outcome.find(name); list != nullptr)
      return std::string(name) + " " + json::canonical(*list);
  }
  return json::canonical(outcome);
}

Result<MixedShoe> seal_and_mix(const App& app, Session& session, const std::string& table,
                               bool covered) {
  json::Value body;
  if (covered) body["disclosure"] = "covered";
  TALLA_TRY(const json::Value sealed, session.post("/v1/tables/" + table + "/shoes", body));
  TALLA_TRY(const std::string id, text_at(sealed, {"shoe", "id"}));
  TALLA_TRY(const std::string root, text_at(sealed, {"shoe", "root"}));
  TALLA_TRY(const std::int64_t cards, integer_at(sealed, {"shoe", "cards"}));
  app.say("shoe sealed: " + id + ", " + std::to_string(cards) + " cards, commitment " +
          root.substr(0, 16) + "...");
  return mix_shoe(app, session);
}

namespace {

/// The newest commitment of a shoe, of the last reply.
Result<certs::Record> commitment(const Session& session, certs::ShoeCommitBody& commit) {
  if (session.record("SHOE_RECOMMIT") != nullptr) {
    TALLA_TRY(auto record, session.parsed("SHOE_RECOMMIT"));
    TALLA_TRY(auto body, certs::ShoeRecommitBody::from_json(record.body));
    commit = std::move(body.commit);
    return record;
  }
  TALLA_TRY(auto record, session.parsed("SHOE_COMMIT"));
  TALLA_TRY(commit, certs::ShoeCommitBody::from_json(record.body));
  return record;
}

}  // namespace

Result<MixedShoe> mix_shoe(const App& app, Session& session) {
  // The receipt of the commitment is verified by now: only then is the call signed.
  MixedShoe shoe;
  TALLA_TRY(const certs::Record record, commitment(session, shoe.commit));
  shoe.id = record.object;
  TALLA_TRY_STATUS(mix_again(app, session, shoe, 0));
  return shoe;
}

Status mix_again(const App& app, Session& session, MixedShoe& shoe, std::uint32_t dealt) {
  TALLA_TRY(const json::Value done, session.mix(shoe.id));
  TALLA_TRY(const auto core, session.called());
  TALLA_TRY(const auto mixed, session.parsed("SHOE_MIX"));
  auto made = certs::check_mixed(shoe.commit, core, mixed, {shoe.mix, dealt});
  if (!made) return fail(CliErrc::receipt_refused, made.error().detail);
  if (const auto roots = certs::candidates_count(shoe.commit); roots > 1)
    app.say("one of " + std::to_string(roots) +
            " sealed orders picked; the others are open, each a shuffle of the whole deck");
  shoe.commit = std::move(made->commit);
  shoe.mix = std::move(made->mix);
  app.say("shoe mixed by this client's call: the " + std::string(dealt == 0 ? "first" : "next") +
          " card dealt is leaf " + std::to_string(shoe.mix[dealt]));
  return {};
}

Result<json::Value> draw_once(Session& session, const std::string& table,
                              const std::string& round) {
  json::Value one;
  one["count"] = 1;
  TALLA_TRY(const json::Value committed, session.post("/v1/tables/" + table + "/batches", one));
  TALLA_TRY(json::Value reply, session.draw(table, round));
  if (session.record("VOID") != nullptr)
    return fail(CliErrc::appliance_refused, "the draw was voided by order");
  return reply;
}

Status save_bundle(const App& app, Session& session, std::uint64_t seq, const std::string& path) {
  if (path.empty()) return {};
  TALLA_TRY(const std::string bundle, session.get_text("/v1/bundles/" + std::to_string(seq)));
  TALLA_TRY_STATUS(write_file(path, bundle));
  app.say("evidence written: " + path + " (" + std::to_string(bundle.size()) + " bytes)");
  TALLA_TRY(const auto names, cosigners_of(bundle));
  // Where nobody cosigns there is nothing to come; the verdict says so.
  if (names.empty() && session.get_text("/v1/checkpoint/cosigned"))
    app.say(
        "no witness has signed for it yet; in a minute with their signatures: talla log bundle " +
        std::to_string(seq) + " --out " + path);
  return {};
}

Result<std::vector<std::string>> cosigners_of(const std::string& bundle) {
  TALLA_TRY(const certs::Bundle parsed, certs::parse_bundle(bundle));
  TALLA_TRY(const certs::SignedNote note, certs::parse_note(parsed.checkpoint));
  std::vector<std::string> names;
  for (std::size_t i = 1; i < note.signatures.size(); ++i) names.push_back(note.signatures[i].name);
  return names;
}

}  // namespace talla::cli
