/// \file
/// Memory as the system gives it to secrets: locked, hidden from core dumps and from children.
#pragma once

#include <cstddef>

namespace talla {

/// Whole pages, zeroed. Counted as unlocked when the system refuses to lock or to hide them; throws
/// std::bad_alloc when there are none, or when unlocked ones are refused (`demand_locked_secrets`).
[[nodiscard]] void* map_secret(std::size_t bytes);
/// `bytes` is what was asked of map_secret.
void unmap_secret(void* memory, std::size_t bytes) noexcept;
/// Memory that secrets hold, or no longer hold.
void count_used(std::size_t bytes) noexcept;
void count_unused(std::size_t bytes) noexcept;

}  // namespace talla
