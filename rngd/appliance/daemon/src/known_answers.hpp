/// \file
/// Every known answer of a start, asked of this program without starting it, for who examines it.
///
/// The lists are those that the generator runs (`entropy/start_tests.hpp`,
/// `certs/known_answers.hpp`); each test is run, also behind one that failed. Threads: reads the
/// loader's maps.
#pragma once

#include "base/json.hpp"

namespace talla::rngd {

struct KnownAnswers {
  bool passed = false;  ///< All of them.
  /// `tests` (algorithm, mode, standard, result, `module`: SHA-256 of libcrypto's file), `failures`
  /// (algorithm, why), `modules` (every file whose code is mapped: path, sha256), `program`.
  json::Value told;
};
/// Errors: of `software::mapped_code` and `make_manifest`.
[[nodiscard]] Result<KnownAnswers> ask_known_answers();

}  // namespace talla::rngd
