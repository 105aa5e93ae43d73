// What the libraries of the module's target were built to expect and it has not: the guard of stack
// frames (WebAssembly's return addresses are out of reach of memory), and what Boost's numbers do
// where others throw.
#include <boost/throw_exception.hpp>
#include <cstdint>
#include <exception>

extern "C" {
std::uintptr_t __stack_chk_guard = 0;   // NOLINT: the compiler's name
[[noreturn]] void __stack_chk_fail() {  // NOLINT: the compiler's name
  __builtin_trap();
}
}

namespace boost {
void throw_exception(const std::exception& /*thrown*/) {
  __builtin_trap();
}
void throw_exception(const std::exception& /*thrown*/, const boost::source_location& /*place*/) {
  __builtin_trap();
}
}  // namespace boost
