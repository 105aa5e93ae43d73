/// \file
/// How this folder refuses: a value, or words that say what was wrong and where.
///
/// It stands apart from base/result.hpp because stats uses no other folder; whoever uses both turns
/// one into the other.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace talla::stats {

/// Input or parameters that no test can be run on. `detail` is for people.
struct Error {
  std::string detail;
};

/// A value or an Error; dropping one is a compile error.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

/// A refusal with these words.
[[nodiscard]] inline tl::unexpected<Error> refuse(std::string detail) {
  return tl::unexpected<Error>(Error{std::move(detail)});
}

}  // namespace talla::stats
