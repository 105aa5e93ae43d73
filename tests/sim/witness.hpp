/// \file
/// Second runs of what a session did, each of which must give the same bytes: restored from JSON
/// before every event, replayed from the events' JSON, resumed from what the last round carried,
/// and run again with the hidden cards permuted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "source.hpp"
#include "subject.hpp"

namespace talla::sim {

/// Follows a table; its state goes through its own JSON before an event when it is asked to.
class Shadow {
 public:
  Shadow(const games::Table& table, const Maker& maker);
  /// Throws Failure when the events give another shoe or other settlements than `subject` has; with
  /// `through_json` (state and event are read back from their JSON first) another state as well.
  void follow(const std::vector<games::Event>& events,
              const std::vector<games::Settlement>& settlements, const Subject& subject,
              bool through_json);

 private:
  const games::Table* table_;
  const Maker* maker_;
  std::unique_ptr<Subject> subject_;
  std::optional<json::Value> state_;  ///< of subject_, where it is known
};

/// Goes on from what a round carried, until the next round has begun: then nothing but `carried`
/// may have counted.
class Heir {
 public:
  Heir(const Subject& subject, const Maker& maker);
  /// False when it has done its work. Throws Failure.
  [[nodiscard]] bool follow(const std::vector<games::Event>& events, const Subject& subject);

 private:
  std::unique_ptr<Subject> subject_;
};

/// Everybody who may ask: all seats where cards are private, some where all lie open.
[[nodiscard]] std::vector<games::Viewer> viewers(const games::Table& table);
/// The views that must not tell a hidden card: those of all viewers.
[[nodiscard]] std::vector<json::Value> views_of(const Subject& subject);
/// Throws Failure when a view names a card that nobody has seen.
void check_view(const Subject& subject, const Source& source, const games::Viewer& viewer);

/// What a round did up to a moment, and how the table stood then.
struct Passage {
  json::Value start;  ///< state
  std::optional<games::ShoeAccount> shoe;
  /// An event of people, or (nothing) one forced need served.
  std::vector<std::optional<games::Event>> steps;
  Script script;
  std::string state;
  std::vector<json::Value> views;
};
/// Runs it again, hidden cards permuted. Throws Failure when state or a view differs.
void rerun_permuted(const Passage& passage, const games::Table& table, const Maker& maker,
                    Random& random);

/// All events of a session from their JSON; the last state and the settlements must be these.
/// Throws Failure.
void replay_all(const games::Table& table, const Maker& maker,
                const std::vector<std::string>& events,
                const std::vector<games::Settlement>& settlements, const Subject& subject);

}  // namespace talla::sim
