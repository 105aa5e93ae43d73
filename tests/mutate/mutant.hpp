/// \file
/// What `tests/mutate/run` puts into the sources that it changes: each place asks whether it is the
/// mutant of this run (TALLA_MUTANT) and is as it was written unless it is.
///
/// With TALLA_MUTANTS_REACHED, a file's path, the numbers of all places that were asked are written
/// there, each when it is asked first: a child that ends by `_exit` or a signal says what it
/// reached, too. Constant evaluation sees no mutant.
/// Threads: places may be asked from any thread.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace talla::mutate {

inline constexpr int places_max = 65'536;

class Places {
 public:
  Places() {
    if (const char* number = std::getenv("TALLA_MUTANT")) chosen_ = std::atoi(number);
    const char* path = std::getenv("TALLA_MUTANTS_REACHED");
    if (path == nullptr) return;
    reached_ = std::make_unique<std::atomic<bool>[]>(places_max);
    file_ = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  [[nodiscard]] bool is_chosen(int number) {
    if (reached_ && !reached_[number].exchange(true, std::memory_order_relaxed)) tell(number);
    return number == chosen_;
  }

 private:
  void tell(int number) const {
    char line[16];
    const int length = std::snprintf(line, sizeof line, "%d\n", number);
    if (::write(file_, line, static_cast<std::size_t>(length)) != length) std::abort();
  }

  int chosen_ = -1;  // none
  int file_ = -1;
  std::unique_ptr<std::atomic<bool>[]> reached_;
};

inline bool is_chosen(int number) {
  static Places& places = *new Places;  // never destroyed: whoever ends last may still ask
  return places.is_chosen(number);
}

/// Whether that place is the mutant of this run.
constexpr bool on(int number) {
  if (std::is_constant_evaluated()) return false;
  return is_chosen(number);
}

// One function an operator: as it is written, or what stands in its place. Operands come as they
// are promoted in an expression, so both see the same types.
template <class A, class B>
constexpr auto less(int number, A a, B b) {
  return on(number) ? a <= b : a < b;
}
template <class A, class B>
constexpr auto less_equal(int number, A a, B b) {
  return on(number) ? a < b : a <= b;
}
template <class A, class B>
constexpr auto greater(int number, A a, B b) {
  return on(number) ? a >= b : a > b;
}
template <class A, class B>
constexpr auto greater_equal(int number, A a, B b) {
  return on(number) ? a > b : a >= b;
}
template <class A, class B>
constexpr auto plus(int number, A a, B b) {
  return on(number) ? a - b : a + b;
}
template <class A, class B>
constexpr auto minus(int number, A a, B b) {
  return on(number) ? a + b : a - b;
}
template <class A, class B>
constexpr auto times(int number, A a, B b) {
  return on(number) ? a + b : a * b;
}
template <class A, class B>
constexpr auto over(int number, A a, B b) {
  return on(number) ? a * b : a / b;
}
template <class A, class B>
constexpr auto modulo(int number, A a, B b) {
  return on(number) ? a / b : a % b;
}
template <class A, class B>
constexpr auto both_bits(int number, A a, B b) {
  return on(number) ? a | b : a & b;
}
template <class A, class B>
constexpr auto any_bit(int number, A a, B b) {
  return on(number) ? a & b : a | b;
}
template <class A, class B>
constexpr auto other_bits(int number, A a, B b) {
  return on(number) ? a | b : a ^ b;
}
template <class A, class B>
constexpr auto shift_left(int number, A a, B b) {
  return on(number) ? a >> b : a << b;
}
template <class A, class B>
constexpr auto shift_right(int number, A a, B b) {
  return on(number) ? a << b : a >> b;
}

}  // namespace talla::mutate
