// Sorts a row of neighbours by one thread, in place and without additional memory.
#pragma once

#include <cstdint>

#include "flipscope/view.h"

namespace flipscope {

/// Sifts the value at `root` of the heap values[0 … count) down.
FLIPSCOPE_HD inline void sift(uint32_t* values, uint32_t root, uint32_t count) {
    const uint32_t value = values[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && values[child + 1] > values[child]) ++child;
        if (values[child] <= value) break;
        values[root] = values[child];
    }
    values[root] = value;
}
FLIPSCOPE_HD inline void sort_row(uint32_t* values, uint32_t count) {
    if (count <= 24) {
        for (uint32_t i = 1; i < count; ++i) {
            const uint32_t value = values[i];
            uint32_t k = i;
            for (; k > 0 && values[k - 1] > value; --k) values[k] = values[k - 1];
            values[k] = value;
        }
        return;
    }
    for (uint32_t i = count / 2; i-- > 0;) sift(values, i, count);
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t last = values[i];
        values[i] = values[0];
        values[0] = last;
        sift(values, 0, i);
    }
}

}  // namespace flipscope
