// Everything that OpenSSL draws at random comes from a seed.
#include "chance.hpp"

#include <openssl/rand.h>

#include <utility>

#include "failure.hpp"

namespace talla::sim {
namespace {

/// Of splitmix64 (Steele, Lea, Flood: OOPSLA 2014).
std::uint64_t drawn_state = 0;  // NOLINT(*-non-const-global-variables): OpenSSL's method keeps none

std::uint64_t next_word() {
  drawn_state += 0x9e3779b97f4a7c15U;
  std::uint64_t word = drawn_state;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

int draw_bytes(unsigned char* to, int count) {
  std::uint64_t word = 0;
  for (int i = 0; i < count; ++i) {
    word = i % 8 == 0 ? next_word() : word >> 8U;
    to[i] = static_cast<unsigned char>(word);
  }
  return 1;
}

int drawn_status() {
  return 1;
}

void install() {
  static const RAND_METHOD method{nullptr, draw_bytes, nullptr, nullptr, draw_bytes, drawn_status};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  static const bool done = RAND_set_rand_method(&method) == 1;
#pragma GCC diagnostic pop
  require(done, "OpenSSL takes no other source of random bytes");
}

}  // namespace

void draw_from(std::uint64_t seed) {
  install();
  drawn_state = seed;
}

DrawnFrom::DrawnFrom(std::string_view name) : before_(drawn_state) {
  install();
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char letter : name)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  drawn_state = hash;
}

DrawnFrom::~DrawnFrom() {
  drawn_state = before_;
}

}  // namespace talla::sim
