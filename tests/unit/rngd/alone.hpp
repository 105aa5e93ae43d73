/// \file
/// Parts of the service without the service: the state of an empty appliance over a real log.
#pragma once

#include <gtest/gtest.h>

#include "appliance.hpp"
#include "catalogues.hpp"
#include "rig.hpp"

namespace talla::core::test {

class Alone : public ::testing::Test {
 protected:
  Alone() { start(); }

  /// A new state over the same log, with the rig's settings of now.
  void start() {
    appliance.reset();
    rig.crash();
    Effects effects = rig.open_log();
    auto catalogues = Catalogues::create(effects.hashes);
    if (!catalogues) std::abort();
    appliance.emplace(rig.settings, std::move(effects), std::move(*catalogues));
  }

  /// What the running group would record, oldest first.
  [[nodiscard]] std::vector<certs::Record> staged() {
    std::vector<certs::Record> out;
    for (const auto& one : rig.log().group().records) {
      if (auto record = certs::parse_record(one.bytes)) out.push_back(std::move(*record));
    }
    return out;
  }
  /// "kind test result" of each.
  [[nodiscard]] std::vector<std::string> told() {
    std::vector<std::string> out;
    for (const auto& record : staged()) {
      std::string line(certs::kind_name(record.kind));
      for (const auto* name : {"test", "what", "result"}) {
        const auto* member = record.body.find(name);
        if (member != nullptr) line += " " + member->string();
      }
      out.push_back(std::move(line));
    }
    return out;
  }
  /// The text that the running group gives the ledger's document; nothing: it leaves it alone.
  [[nodiscard]] std::optional<std::string> document(const certs::DocumentName& name) {
    std::optional<std::string> text;
    for (const auto& one : rig.log().group().documents) {
      if (one.name == name) text = one.text;
    }
    return text;
  }
  /// Writes the running group; its number.
  std::uint64_t write() {
    const auto written = rig.log().write();
    EXPECT_TRUE(written);
    return written ? written->number : 0;
  }
  /// Makes it durable.
  void land(std::uint64_t group) {
    EXPECT_TRUE(rig.log().sync());
    EXPECT_TRUE(rig.log().settle(group));
  }
  [[nodiscard]] double gauge(const std::string& name) const {
    return appliance->metrics.snapshot().gauges.at(name);
  }
  [[nodiscard]] double counter(const std::string& name) const {
    const auto counters = appliance->metrics.snapshot().counters;
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
  }

  Rig rig;
  std::optional<Appliance> appliance;
};

}  // namespace talla::core::test
