/// \file
/// A watch over the software that finds what a test says, and answers challenges at once.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/software_hook.hpp"

namespace talla::core::test {

class FakeWatch final : public SoftwareHook {
 public:
  [[nodiscard]] std::optional<Digest> manifest() const override { return digest; }
  [[nodiscard]] std::vector<SoftwareCheck> take_checks() override {
    return std::exchange(checks, {});
  }
  [[nodiscard]] json::Object status() const override { return {{"state", "signed"}}; }
  [[nodiscard]] std::string signed_manifest() const override { return "note"; }
  [[nodiscard]] bool challenge(const Client& client, const Bytes& nonce, Answer& respond) override {
    if (full) return false;
    SoftwareCheck check{.files = 3, .findings = found, .client = client};
    check.answer.fill(0x33);
    check.reply = {{"challenge", json::Object{{"nonce", to_hex(nonce)},
                                              {"manifest", to_hex(*digest)},
                                              {"version", "1"},
                                              {"build", "1"},
                                              {"result", found.empty() ? "good" : "mismatch"},
                                              {"answer", to_hex(check.answer)},
                                              {"time", 1},
                                              {"files", json::Array{}},
                                              {"findings", json::Array{}}}}};
    check.cut_short = stopping;
    check.respond = std::move(respond);
    checks.push_back(std::move(check));
    return true;
  }
  /// What the timer's check finds now.
  void tick() { checks.push_back({.files = 3, .findings = found}); }

  std::optional<Digest> digest = Digest{};
  std::vector<SoftwareCheck> checks;
  std::vector<SoftwareCheck::Finding> found;
  bool full = false;
  bool stopping = false;
};

}  // namespace talla::core::test
