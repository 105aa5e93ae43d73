// Goal: what tests of refusals share: one record changed before it is logged, and the bundles that
//   the second verifier is shown too.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include "format/record.hpp"
#include "scenes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {

/// A record of a story is not what it should be.
struct Lie {
  const char* what;
  VerifyErrc errc;
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
  bool covered = true;
};

/// Rewrites a typed body.
template <class Body>
std::function<void(Record&)> body(const std::function<void(Body&)>& change) {
  return [change](Record& record) {
    auto parsed = Body::from_json(record.body);
    ASSERT_TRUE(parsed);
    change(*parsed);
    record.body = parsed->to_json();
  };
}

/// verify_bundle_test.py shows the same file to the second verifier.
inline void keep_lie(const std::string& file, const std::string& content) {
  if (const char* folder = std::getenv("TALLA_LIES"))  // NOLINT(concurrency-mt-unsafe): one thread
    std::ofstream(std::string(folder) + "/" + file, std::ios::binary) << content;
}

/// The two other verifiers have to refuse it for the same rule.
inline void keep_coded(VerifyErrc errc, const std::string& what, const std::string& content) {
  keep_lie("chain-" + std::string(errc_name(errc)) + "-" + what + ".talla", content);
}

/// The verdict on a bundle that must be good.
inline Verdict judged(const Bundle& bundle, const test::Pki& pki) {
  auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  EXPECT_TRUE(verdict) << (verdict ? "" : verdict.error().text());
  return verdict ? *verdict : Verdict{};
}

}  // namespace talla::certs
