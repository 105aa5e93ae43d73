/// \file
/// How an operating error travels: as a value, with a stable number and name, and words for people.
///
/// Each module has one `enum class Errc : std::uint16_t`, numbered and stable, and a free function
/// `std::string_view errc_name(Errc)` in its namespace; both turn into one `Error` that crosses
/// modules unchanged.
/// Number ranges: base 1-99, entropy 100-199, shuffle 200-299, games 300-499, certs 500-699 and
///                900-999, rngd 700-899.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace talla {

/// An enum that has a stable name for each of its values.
template <class E>
concept ModuleErrc = std::is_enum_v<E> && requires(E e) {
  { errc_name(e) } -> std::convertible_to<std::string_view>;
};

/// One refused or failed operation. `code` points at static storage and never changes between
/// releases; `detail` says what and where, and never holds a secret.
struct Error {
  std::uint16_t number;  ///< its value in the enum of its module
  std::string_view code;
  std::string detail;

  template <ModuleErrc E>
  Error(E errc, std::string detail_text)
      : number(static_cast<std::uint16_t>(errc)),
        code(errc_name(errc)),
        detail(std::move(detail_text)) {}

  template <ModuleErrc E>
  [[nodiscard]] bool is(E errc) const {
    return number == static_cast<std::uint16_t>(errc);
  }
  /// "code: detail", for people.
  [[nodiscard]] std::string text() const { return std::string(code) + ": " + detail; }
};

/// A value or an Error; dropping one is a compile error.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<
      T, Error>::expected;  // NOLINT(cppcoreguidelines-rvalue-reference-param-not-moved): inherited
  Result(tl::expected<T, Error>&& other)
      : tl::expected<T, Error>(std::move(other)) {}  // NOLINT: chaining
};

/// A result without a value.
using Status = Result<void>;

/// The unexpected side: `return fail(Errc::x, "what and where");`
template <ModuleErrc E>
[[nodiscard]] tl::unexpected<Error> fail(E errc, std::string detail) {
  return tl::unexpected<Error>(Error(errc, std::move(detail)));
}
/// Passes an error on unchanged.
template <class T>
[[nodiscard]] tl::unexpected<Error> pass(Result<T>&& failed) {
  return tl::unexpected<Error>(std::move(failed).error());
}

/// Errors of the base: malformed text or bytes.
enum class BaseErrc : std::uint16_t {
  malformed_json = 1,
  not_canonical = 2,
  malformed_encoding = 3,
  io = 4
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(BaseErrc errc);

}  // namespace talla

#define TALLA_JOIN_INNER(a, b) a##b
#define TALLA_JOIN(a, b) TALLA_JOIN_INNER(a, b)
/// `TALLA_TRY(auto value, call());` returns the error of call() to the caller, or binds its value.
#define TALLA_TRY(declaration, call)                                \
  auto TALLA_JOIN(result_, __LINE__) = (call);                      \
  if (!TALLA_JOIN(result_, __LINE__))                               \
    return ::talla::pass(std::move(TALLA_JOIN(result_, __LINE__))); \
  declaration = std::move(*TALLA_JOIN(result_, __LINE__))
/// The same for a call without a value.
#define TALLA_TRY_STATUS(call)                                                     \
  do {                                                                             \
    if (auto status_ = (call); !status_) return ::talla::pass(std::move(status_)); \
  } while (false)
