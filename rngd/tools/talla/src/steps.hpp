/// \file
/// The steps that several commands take with an appliance, each reported in one line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/body_shoe.hpp"
#include "format/mix.hpp"
#include "session.hpp"

namespace talla::cli {

/// Opens a table with this body, whose calls the session makes from then on; gives its id.
[[nodiscard]] Result<std::string> open_table(const App& app, Session& session,
                                             const json::Value& body);
/// The same at the place that this client's key has for single draws and shoes. A table that an
/// earlier run left there is closed first, once its last call has its result.
[[nodiscard]] Result<std::string> open_own_table(const App& app, Session& session,
                                                 json::Value body);
[[nodiscard]] Status close_table(const App& app, Session& session, const std::string& table);
/// Closes a table whose work was refused, if it is open and can be closed; says so either way.
void close_refused(const App& app, Session& session, const std::string& table);
/// Does `work` at an open table of this client's; where it fails, the table does not stay open. Of
/// an appliance that is not believed nothing more is asked.
template <class Work>
[[nodiscard]] Status at_table(const App& app, Session& session, const std::string& table,
                              Work work) {
  const Status done = work();
  if (!done && !done.error().is(CliErrc::receipt_refused)) close_refused(app, session, table);
  return done;
}
/// An outcome of a DRAW as people call it: "number 24", "dice [3,5]"; `pockets` are the numbers of
/// the wheel in its order, without them a pocket is "pocket index 20".
[[nodiscard]] std::string drawn_words(const json::Value& outcome, const json::Array& pockets);
/// A shoe as this client committed to and mixed it.
struct MixedShoe {
  std::string id;
  certs::ShoeCommitBody commit;  ///< of its newest root
  certs::Mix mix;                ///< recomputed here from root and number
};
/// Mixes the shoe whose commitment is in the last reply, by a call of this client, and computes the
/// mix from what the log says. Errors: the mix is of another root or call.
[[nodiscard]] Result<MixedShoe> mix_shoe(const App& app, Session& session);
/// Mixes what is left of a shoe behind the bets of a round; `dealt`: cards under its newest root.
[[nodiscard]] Status mix_again(const App& app, Session& session, MixedShoe& shoe,
                               std::uint32_t dealt);
/// Seals a shoe and mixes it. `covered`: at a table that this client settles, what nobody turned
/// stays closed at its close; else the rules say it.
[[nodiscard]] Result<MixedShoe> seal_and_mix(const App& app, Session& session,
                                             const std::string& table, bool covered = false);
/// Commits to one secret and draws with it by a call; the outcome is computed here too. `round`:
/// that it is for, `0` none.
[[nodiscard]] Result<json::Value> draw_once(Session& session, const std::string& table,
                                            const std::string& round = "0");
/// Fetches the bundle of the last record of that kind and writes it to `path`; nothing if `path` is
/// empty.
[[nodiscard]] Status save_bundle(const App& app, Session& session, std::uint64_t seq,
                                 const std::string& path);

/// Who signed the checkpoint of a bundle beside the log.
[[nodiscard]] Result<std::vector<std::string>> cosigners_of(const std::string& bundle);

/// Members of a reply by path, e.g. text_at(reply, {"shoe", "id"}); errors name the path.
[[nodiscard]] Result<std::string> text_at(const json::Value& value,
                                          std::initializer_list<std::string_view> path);
[[nodiscard]] Result<std::int64_t> integer_at(const json::Value& value,
                                              std::initializer_list<std::string_view> path);
/// What the description of a game says it needs of that kind ("draw", "shoe"), or nullptr.
[[nodiscard]] const json::Value* equipment_of(const json::Value& game, std::string_view need);
/// Sequence number of the last verified record of that kind in the session's last reply.
[[nodiscard]] Result<std::uint64_t> seq_of(const Session& session, std::string_view kind);

/// Runs a command against an appliance; its error sets the exit code.
template <class Work>
void with_session(App& app, Work work) {
  auto session = Session::open(app);
  if (!session) return app.refuse(session.error());
  const Status done = work(*session);
  if (!done) app.refuse(done.error(), code_of(done.error()));
}

}  // namespace talla::cli
