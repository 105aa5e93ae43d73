/// \file
/// The known answers that the generator asks of its own algorithms at a start, at a reset and on
/// demand, one by one and in their order: SHA-512 and HMAC-SHA-512 of the conditioner, and its
/// DRBG.
///
/// Standards: SP 800-90A 11.3; FIPS 180-4; RFC 4231 case 2.
/// One owner: the generator runs this list, and who shows the tests shows it. Threads: stateless.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

/// One test.
struct StartTest {
  std::string_view algorithm;
  std::string_view mode;  ///< What of it is asked for.
  std::string_view standard;
  Status (*run)();  ///< Errors: self_test_failed, crypto_failed.
};
/// Those of a generator with this DRBG.
[[nodiscard]] std::vector<StartTest> start_tests(DrbgKind drbg);

}  // namespace talla::entropy
