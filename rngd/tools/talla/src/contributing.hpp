/// \file
/// Takes part in the calls of an appliance's tables, for `talla contribute`: follows each table,
/// hands in commitments ahead, and opens its number behind the calls that hold (certs::Joiner).
///
/// With an appliance of its own it opens nothing that does not stand in that one's log first.
///
/// What it believes: a CALL and what ends it by their receipts; by the links of the chain also
/// every record of the table before them. What it keeps, it keeps before it sends: one private file
/// a table, without which nothing can be opened and with a copy of which nothing may be.
/// Errors:  those of the session. A table whose records do not hold, or whose file is lost or old,
///          is left with a word; the others go on.
/// Threads: one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "own_log.hpp"
#include "session.hpp"
#include "verify/joiner.hpp"

namespace talla::cli {

struct ContributeOptions {
  std::string state;                ///< folder of the files
  std::string record;               ///< client.toml of the own appliance; empty: there is none
  std::vector<std::string> tables;  ///< empty: every open table of the appliance
};

class Contributing {
 public:
  /// As whom the appliance knows this client, and with its key. Errors: usage (no key on P-256).
  [[nodiscard]] static Result<Contributing> open(const App& app, Session& session,
                                                 ContributeOptions options);
  /// One look at every table: what is new is followed, answered and said.
  [[nodiscard]] Status look();
  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  /// A table that is followed.
  struct Following {
    certs::Joiner joiner;
    std::uint32_t handed_in = 0;  ///< commitments up to this count are at the appliance
    certs::Joined told = certs::Joined::none;
    std::optional<std::uint64_t> answered{};  ///< the newest CALL behind which it opened
    std::optional<std::uint64_t> gap_at{};    ///< newest record when commitments met a gap
  };
  Contributing(const App& app, Session& session, ContributeOptions options)
      : app_(&app), session_(&session), options_(std::move(options)) {}
  [[nodiscard]] Result<std::vector<std::string>> open_tables();
  [[nodiscard]] Result<Following*> following(const std::string& table);
  [[nodiscard]] Status follow(const std::string& table, Following& following);
  [[nodiscard]] Status take(Following& following, const std::string& bytes);
  [[nodiscard]] Status hand_in(const std::string& table, Following& following);
  [[nodiscard]] Status answer(const std::string& table, Following& following);
  /// What is to be opened stands in the own log. Errors: it does not.
  [[nodiscard]] Status record(const std::string& table, Following& following);
  [[nodiscard]] Status keep(const std::string& table, const certs::Joiner& joiner) const;
  /// The file of this table is not there, or not the newest.
  [[nodiscard]] Status lost() const;
  void tell(const std::string& table, Following& following) const;
  [[nodiscard]] std::string file_of(const std::string& table) const;

  const App* app_;
  Session* session_;
  ContributeOptions options_;
  std::optional<OwnLog> own_;
  bool own_away_ = false;  // it was said that the own appliance records nothing
  std::string id_;
  std::shared_ptr<const certs::CallKey> key_;
  std::map<std::string, Following> tables_;
  std::set<std::string> left_;                  // closed, or what they say does not hold
  std::map<std::string, std::string> refused_;  // what was said of each table last
};

}  // namespace talla::cli
