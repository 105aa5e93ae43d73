/// \file
/// Functions compiled for several instruction sets, the widest one of the machine being taken when
/// the program starts.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TALLA_STATS_COUNTING __attribute__((target_clones("avx2", "popcnt", "default")))
#else
#define TALLA_STATS_COUNTING
#endif
