// Says whether this build checks its memory itself: such a build locks none and reserves terabytes.
#pragma once

namespace talla::test {

/// True under the address sanitizer. It answers mlock without locking (compiler-rt,
/// sanitizer_common_interceptors), and its shadow is too large to be searched.
inline constexpr bool address_sanitized =
#if defined(__SANITIZE_ADDRESS__)
    true;
#else
    false;
#endif

}  // namespace talla::test
