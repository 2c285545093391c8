#include "geometry/incircle_lanes.h"

#include "flipscope/predicates.h"

namespace flipscope {

namespace {

/// The compiler makes vectors of the loop, as wide as the target has them. Contraction is off, so every target rounds
/// as detail::incircle() does.
inline __attribute__((always_inline)) void decide(IncircleLanes& lanes) {
    for (uint32_t j = 0; j < IncircleLanes::kLanes; ++j) {
        const detail::Determinant d =
            detail::incircle(lanes.corners[0][j], lanes.corners[1][j], lanes.corners[2][j], lanes.corners[3][j]);
        lanes.sign[j] = (d.value > d.error ? 1 : 0) - (d.value < -d.error ? 1 : 0);
    }
}

void decide_anywhere(IncircleLanes& lanes) { decide(lanes); }

using Decide = void (*)(IncircleLanes&);

#if defined(__x86_64__)
__attribute__((target("avx2"))) void decide_on_avx2(IncircleLanes& lanes) { decide(lanes); }
__attribute__((target("avx512f,avx512dq,prefer-vector-width=512"))) void decide_on_avx512(IncircleLanes& lanes) {
    decide(lanes);
}

Decide best_here() {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return &decide_on_avx512;
    return __builtin_cpu_supports("avx2") ? &decide_on_avx2 : &decide_anywhere;
}
#else
Decide best_here() { return &decide_anywhere; }
#endif

}  // namespace

void decide_incircle(IncircleLanes& lanes) {
    static const Decide here = best_here();
    here(lanes);
}

}  // namespace flipscope
