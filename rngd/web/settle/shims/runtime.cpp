// What the compiler's own library of the module's target was built to expect and Debian has not:
// the guard of its stack frames. WebAssembly's return addresses are out of reach of memory.
#include <cstdint>

extern "C" {
std::uintptr_t __stack_chk_guard = 0;   // NOLINT: the compiler's name
[[noreturn]] void __stack_chk_fail() {  // NOLINT: the compiler's name
  __builtin_trap();
}
}
