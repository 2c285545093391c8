// Disjoint sets of indices that many threads join at once without locks, for kernels: union-find in which the lowest
// index of a set becomes its root, in any order of threads, because a parent is always lower than its child and only
// roots are linked. After R. J. Anderson and H. Woll, Wait-free parallel algorithms for the union-find problem (1991).
#pragma once

#include "compute/atomics.h"
#include "compute/view.h"

namespace flipscope {

template <class Index>
struct Forest {
    View<Index> parents;  // (n) at first each its own

    /// Shortens the way to the root, also while other threads follow or join it: roots do not change by that.
    FLIPSCOPE_HD Index root(Index i) const {
        for (Index parent = atomic_load(parents[i]); parent != i;) {
            const Index above = atomic_load(parents[parent]);
            if (above != parent) atomic_store(parents[i], above);
            i = parent;
            parent = above;
        }
        return i;
    }
    FLIPSCOPE_HD void join(Index i, Index j) const {
        for (Index a = root(i), b = root(j); a != b;) {
            const Index high = a > b ? a : b, low = a > b ? b : a;
            if (atomic_exchange_if(parents[high], high, low) == high) return;
            a = root(high);
            b = low;
        }
    }
};

}  // namespace flipscope
