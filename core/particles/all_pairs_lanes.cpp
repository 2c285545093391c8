#include "particles/all_pairs_lanes.h"

#include <cstddef>

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // false alarms of g++ 12 on values that AVX-512 does not use
#endif
#include <immintrin.h>
#endif

namespace flipscope::all_pairs {

namespace {

constexpr uint32_t kBlocksPerPoll = 256;  // partners between two polls of the cancel flag: some 100 µs

namespace single_lane {

/// Portable, and the reference for the others.
constexpr const char* kName = "portable";
template <class Real>
constexpr uint32_t kLanes = 1;
template <class Real>
constexpr uint32_t kVectors = 1;
template <class Reals>
Reals fma(Reals a, Reals b, Reals c) {
    return Reals{std::fma(a[0], b[0], c[0])};
}
template <class Reals>
Reals fnma(Reals a, Reals b, Reals c) {
    return fma(-a, b, c);
}
template <class Reals>
Reals wrapped(Reals d, Reals side, Reals half, Reals minus_half) {
    return d - (d >= half ? side : Reals{}) + (d < minus_half ? side : Reals{});
}
#define FLIPSCOPE_LANES_TARGET
#include "particles/all_pairs_body.h"
#undef FLIPSCOPE_LANES_TARGET

}  // namespace single_lane

#if defined(__x86_64__)

namespace avx2 {

constexpr const char* kName = "AVX2";
template <class Real>
constexpr uint32_t kLanes = 32 / sizeof(Real);
template <class Real>
constexpr uint32_t kVectors = 2;  // their six registers fit beside the constants
#define FLIPSCOPE_LANES_TARGET __attribute__((target("avx2,fma")))
FLIPSCOPE_LANES_TARGET inline __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
FLIPSCOPE_LANES_TARGET inline __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
FLIPSCOPE_LANES_TARGET inline __m256d fnma(__m256d a, __m256d b, __m256d c) { return _mm256_fnmadd_pd(a, b, c); }
FLIPSCOPE_LANES_TARGET inline __m256d wrapped(__m256d d, __m256d side, __m256d half, __m256d minus_half) {
    const __m256d less = _mm256_and_pd(_mm256_cmp_pd(d, half, _CMP_GE_OQ), side);
    const __m256d more = _mm256_and_pd(_mm256_cmp_pd(d, minus_half, _CMP_LT_OQ), side);
    return _mm256_add_pd(_mm256_sub_pd(d, less), more);
}
#include "particles/all_pairs_body.h"
#undef FLIPSCOPE_LANES_TARGET

}  // namespace avx2

namespace avx512 {

constexpr const char* kName = "AVX-512";
template <class Real>
constexpr uint32_t kLanes = 64 / sizeof(Real);
template <class Real>
constexpr uint32_t kVectors = 16 / sizeof(Real);
#define FLIPSCOPE_LANES_TARGET __attribute__((target("avx512f,avx512dq,avx2,fma")))
FLIPSCOPE_LANES_TARGET inline __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
FLIPSCOPE_LANES_TARGET inline __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
FLIPSCOPE_LANES_TARGET inline __m512d fnma(__m512d a, __m512d b, __m512d c) { return _mm512_fnmadd_pd(a, b, c); }
FLIPSCOPE_LANES_TARGET inline __m512d wrapped(__m512d d, __m512d side, __m512d half, __m512d minus_half) {
    const __mmask8 above = _mm512_cmp_pd_mask(d, half, _CMP_GE_OQ),
                   below = _mm512_cmp_pd_mask(d, minus_half, _CMP_LT_OQ);
    return _mm512_mask_add_pd(_mm512_mask_sub_pd(d, above, d, side), below, d, side);
}
#include "particles/all_pairs_body.h"
#undef FLIPSCOPE_LANES_TARGET

}  // namespace avx512

#endif

struct LanesHere {
    Lanes lanes[3];
    size_t count = 0;
    LanesHere() {
#if defined(__x86_64__)
        const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
            lanes[count++] = avx512::kLanesHere;
        if (has_avx2) lanes[count++] = avx2::kLanesHere;
#endif
        lanes[count++] = single_lane::kLanesHere;
    }
};

}  // namespace

View<const Lanes> lanes_here() {
    static const LanesHere here;
    return {here.lanes, here.count};
}

}  // namespace flipscope::all_pairs
