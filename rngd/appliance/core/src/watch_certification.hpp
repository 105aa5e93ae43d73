/// \file
/// Whether certifications cover what this appliance commits to: said at each start, when they
/// change and when one begins or ends to hold. Nothing is refused for it: what is not covered is
/// uncertified, and its evidence shows that.
#pragma once

#include <set>

#include "command.hpp"
#include "configuration.hpp"
#include "duty.hpp"

namespace talla::core {

class CertificationWatch : public Duty {
 public:
  CertificationWatch(Appliance& appliance, const Parts& parts, Configuration& configuration)
      : appliance_(appliance), parts_(parts), configuration_(configuration) {}
  /// Behind CONFIG.
  [[nodiscard]] Status on_start(Transaction& tx) override;
  /// Other certifications than before: a CONFIG names them.
  void on_turn() override;
  void on_pause() override;

  /// What is covered, for the status; nothing where the appliance keeps no certifications.
  [[nodiscard]] std::optional<json::Object> view() const;

 private:
  /// Code of what is not covered; empty: all is. Nothing: there is no one to ask.
  /// `table`: whose rules are asked for too; `shoe`: one of it, with what it asks of mixes.
  [[nodiscard]] std::optional<std::string> state(const Table* table = nullptr,
                                                 const Shoe* shoe = nullptr) const;
  [[nodiscard]] Status say(Transaction& tx, const std::string& state);
  [[nodiscard]] Status say_catalogues(Transaction& tx);
  [[nodiscard]] Status say_tables(Transaction& tx);

  Appliance& appliance_;
  const Parts& parts_;
  Configuration& configuration_;
  std::optional<std::string> said_;
  std::int64_t next_look_ns_ = 0;
  std::set<Digest> catalogues_;  // of those that are not covered, once each
  // Since `said_`: shoes that were asked for, and tables that were named for one.
  std::set<ObjectSeq> shoes_;
  std::set<ObjectSeq> tables_;
};

}  // namespace talla::core
