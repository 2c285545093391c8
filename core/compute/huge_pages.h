// Large pages for large memory of the host, where page faults and misses of the translation buffer otherwise cost as
// much as a pass over it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace flipscope {

inline constexpr size_t kHugePage = size_t(2) << 20;

/// Asks for large pages where whole ones lie in this memory, which has not been touched yet. It is a hint.
inline void advise_huge_pages(void* memory, size_t bytes) {
    char* const begin = static_cast<char*>(memory);
    const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
    if (bytes >= before + kHugePage) madvise(begin + before, (bytes - before) / kHugePage * kHugePage, MADV_HUGEPAGE);
}

}  // namespace flipscope
