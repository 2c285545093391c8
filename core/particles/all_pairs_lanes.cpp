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

constexpr const char* kName = "portable";

/// A single lane: portable, and the reference for the others.
template <class R>
struct OneLane {
    using Real = R;
    using Reals = R;
    using Coordinates = typename TorusMetric<R>::Coordinate;
    static constexpr uint32_t kLanes = 1, kVectors = 1;
    TorusMetric<R> metric;
    explicit OneLane(const TorusMetric<R>& t) : metric(t) {}
    static Reals zero() { return 0; }
    static Coordinates broadcast(Coordinates value) { return value; }
    template <bool kBefore>
    static Coordinates own(const Coordinates* place) {
        return *place;
    }
    template <bool kBefore, int kAxis>
    Reals difference(Coordinates own, Coordinates partner) const {
        return kBefore ? metric.template difference<kAxis>(partner, own)
                       : metric.template difference<kAxis>(own, partner);
    }
    static bool lanes_beyond(uint32_t k, uint32_t first) { return first > k; }
    static Reals negate_or(bool negate, Reals negated, Reals otherwise) { return negate ? -negated : otherwise; }
    Reals weight(Reals dx, Reals dy) const { return all_pairs::weight(dx, dy); }
    static Reals fma(Reals a, Reals b, Reals c) { return std::fma(a, b, c); }
    static void add_scaled(double scale, Reals sum, double* to) {
        *to = std::fma(scale, static_cast<double>(sum), *to);
    }
};
using Floats = OneLane<float>;
using Doubles = OneLane<double>;

#define FLIPSCOPE_LANES_TARGET
#include "particles/all_pairs_body.h"
#undef FLIPSCOPE_LANES_TARGET

}  // namespace single_lane

#if defined(__x86_64__)

namespace avx2 {

constexpr const char* kName = "AVX2";
#define FLIPSCOPE_LANES_TARGET __attribute__((target("avx2,fma")))

struct Floats {
    using Real = float;
    using Reals = __m256;
    using Coordinates = __m256i;
    static constexpr uint32_t kLanes = 8, kVectors = 2;  // two: their six registers fit beside the constants
    FLIPSCOPE_LANES_TARGET explicit Floats(const TorusMetric<float>&) {}
    FLIPSCOPE_LANES_TARGET static __m256 zero() { return _mm256_setzero_ps(); }
    FLIPSCOPE_LANES_TARGET static __m256i broadcast(uint32_t value) {
        return _mm256_set1_epi32(static_cast<int32_t>(value));
    }
    template <bool kBefore>
    FLIPSCOPE_LANES_TARGET static __m256i own(const uint32_t* place) {
        const __m256i value = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(place));
        return kBefore ? _mm256_sub_epi32(_mm256_setzero_si256(), value) : value;
    }
    template <bool kBefore, int>
    FLIPSCOPE_LANES_TARGET static __m256 difference(__m256i own, __m256i partner) {
        return _mm256_cvtepi32_ps(kBefore ? _mm256_add_epi32(own, partner) : _mm256_sub_epi32(own, partner));
    }
    FLIPSCOPE_LANES_TARGET static __m256 lanes_beyond(uint32_t k, uint32_t first) {
        const __m256i lanes = _mm256_add_epi32(broadcast(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        return _mm256_castsi256_ps(_mm256_cmpgt_epi32(lanes, broadcast(k)));
    }
    FLIPSCOPE_LANES_TARGET static __m256 negate_or(__m256 negate, __m256 negated, __m256 otherwise) {
        return _mm256_blendv_ps(otherwise, _mm256_xor_ps(negated, _mm256_set1_ps(-0.0f)), negate);
    }
    FLIPSCOPE_LANES_TARGET static __m256 weight(__m256 dx, __m256 dy) {
        const __m256 x = fma(dx, dx, fma(dy, dy, _mm256_set1_ps(kFloatNothing)));
        const __m256 y =
            _mm256_castsi256_ps(_mm256_sub_epi32(broadcast(kFloatMagic), _mm256_srli_epi32(_mm256_castps_si256(x), 1)));
        const __m256 y2 = _mm256_mul_ps(y, y);
        const __m256 e = fma(x, y2, _mm256_set1_ps(kFloatA));
        const __m256 q = fma(e, e, _mm256_set1_ps(kFloatB));
        const __m256 p = fma(fma(e, _mm256_set1_ps(kFloatC), q), q, _mm256_set1_ps(kFloatD));
        return _mm256_mul_ps(_mm256_mul_ps(y2, y), p);
    }
    FLIPSCOPE_LANES_TARGET static __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
    FLIPSCOPE_LANES_TARGET static void add_scaled(double scale, __m256 sum, double* to) {
        const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(sum));
        const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(sum, 1));
        _mm256_storeu_pd(to, _mm256_fmadd_pd(_mm256_set1_pd(scale), low, _mm256_loadu_pd(to)));
        _mm256_storeu_pd(to + 4, _mm256_fmadd_pd(_mm256_set1_pd(scale), high, _mm256_loadu_pd(to + 4)));
    }
};

struct Doubles {
    using Real = double;
    using Reals = __m256d;
    using Coordinates = __m256d;
    static constexpr uint32_t kLanes = 4, kVectors = 2;
    __m256d side[2], half[2], minus_half[2];
    FLIPSCOPE_LANES_TARGET explicit Doubles(const TorusMetric<double>& metric)
        : side{_mm256_set1_pd(metric.side[0]), _mm256_set1_pd(metric.side[1])},
          half{_mm256_set1_pd(metric.half[0]), _mm256_set1_pd(metric.half[1])},
          minus_half{_mm256_set1_pd(-metric.half[0]), _mm256_set1_pd(-metric.half[1])} {}
    FLIPSCOPE_LANES_TARGET static __m256d zero() { return _mm256_setzero_pd(); }
    FLIPSCOPE_LANES_TARGET static __m256d broadcast(double value) { return _mm256_set1_pd(value); }
    template <bool kBefore>
    FLIPSCOPE_LANES_TARGET static __m256d own(const double* place) {
        return _mm256_loadu_pd(place);
    }
    template <bool kBefore, int kAxis>
    FLIPSCOPE_LANES_TARGET __m256d difference(__m256d own, __m256d partner) const {
        const __m256d d = kBefore ? _mm256_sub_pd(partner, own) : _mm256_sub_pd(own, partner);
        const __m256d less = _mm256_and_pd(_mm256_cmp_pd(d, half[kAxis], _CMP_GE_OQ), side[kAxis]);
        const __m256d more = _mm256_and_pd(_mm256_cmp_pd(d, minus_half[kAxis], _CMP_LT_OQ), side[kAxis]);
        return _mm256_add_pd(_mm256_sub_pd(d, less), more);
    }
    FLIPSCOPE_LANES_TARGET static __m256d lanes_beyond(uint32_t k, uint32_t first) {
        const __m256d lanes = _mm256_add_pd(_mm256_set1_pd(first), _mm256_setr_pd(0, 1, 2, 3));
        return _mm256_cmp_pd(lanes, _mm256_set1_pd(k), _CMP_GT_OQ);
    }
    FLIPSCOPE_LANES_TARGET static __m256d negate_or(__m256d negate, __m256d negated, __m256d otherwise) {
        return _mm256_blendv_pd(otherwise, _mm256_xor_pd(negated, _mm256_set1_pd(-0.0)), negate);
    }
    FLIPSCOPE_LANES_TARGET static __m256d weight(__m256d dx, __m256d dy) {
        const __m256d one = _mm256_set1_pd(1.0);
        const __m256d x = fma(dx, dx, fma(dy, dy, _mm256_set1_pd(kDoubleNothing)));
        const __m256d y = _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(static_cast<int64_t>(kDoubleMagic)),
                                                               _mm256_srli_epi64(_mm256_castpd_si256(x), 1)));
        const __m256d e = _mm256_fnmadd_pd(x, _mm256_mul_pd(y, y), one);
        const __m256d g =
            fma(e, fma(e, fma(e, _mm256_set1_pd(0.3125), _mm256_set1_pd(0.375)), _mm256_set1_pd(0.5)), one);
        const __m256d z = _mm256_mul_pd(y, g), z2 = _mm256_mul_pd(z, z);
        const __m256d f = _mm256_fnmadd_pd(x, z2, one);
        const __m256d h = fma(f, fma(f, _mm256_set1_pd(1.875), _mm256_set1_pd(1.5)), one);
        return _mm256_mul_pd(_mm256_mul_pd(z2, z), h);
    }
    FLIPSCOPE_LANES_TARGET static __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
    FLIPSCOPE_LANES_TARGET static void add_scaled(double scale, __m256d sum, double* to) {
        _mm256_storeu_pd(to, _mm256_fmadd_pd(_mm256_set1_pd(scale), sum, _mm256_loadu_pd(to)));
    }
};

#include "particles/all_pairs_body.h"
#undef FLIPSCOPE_LANES_TARGET

}  // namespace avx2

namespace avx512 {

constexpr const char* kName = "AVX-512";
#define FLIPSCOPE_LANES_TARGET __attribute__((target("avx512f,avx512dq,avx2,fma")))

struct Floats {
    using Real = float;
    using Reals = __m512;
    using Coordinates = __m512i;
    static constexpr uint32_t kLanes = 16, kVectors = 4;
    FLIPSCOPE_LANES_TARGET explicit Floats(const TorusMetric<float>&) {}
    FLIPSCOPE_LANES_TARGET static __m512 zero() { return _mm512_setzero_ps(); }
    FLIPSCOPE_LANES_TARGET static __m512i broadcast(uint32_t value) {
        return _mm512_set1_epi32(static_cast<int32_t>(value));
    }
    template <bool kBefore>
    FLIPSCOPE_LANES_TARGET static __m512i own(const uint32_t* place) {
        const __m512i value = _mm512_loadu_si512(place);
        return kBefore ? _mm512_sub_epi32(_mm512_setzero_si512(), value) : value;
    }
    template <bool kBefore, int>
    FLIPSCOPE_LANES_TARGET static __m512 difference(__m512i own, __m512i partner) {
        return _mm512_cvtepi32_ps(kBefore ? _mm512_add_epi32(own, partner) : _mm512_sub_epi32(own, partner));
    }
    FLIPSCOPE_LANES_TARGET static __mmask16 lanes_beyond(uint32_t k, uint32_t first) {
        const __m512i lanes =
            _mm512_add_epi32(broadcast(first), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        return _mm512_cmpgt_epi32_mask(lanes, broadcast(k));
    }
    FLIPSCOPE_LANES_TARGET static __m512 negate_or(__mmask16 negate, __m512 negated, __m512 otherwise) {
        return _mm512_mask_xor_ps(otherwise, negate, negated, _mm512_set1_ps(-0.0f));
    }
    FLIPSCOPE_LANES_TARGET static __m512 weight(__m512 dx, __m512 dy) {
        const __m512 x = fma(dx, dx, fma(dy, dy, _mm512_set1_ps(kFloatNothing)));
        const __m512 y =
            _mm512_castsi512_ps(_mm512_sub_epi32(broadcast(kFloatMagic), _mm512_srli_epi32(_mm512_castps_si512(x), 1)));
        const __m512 y2 = _mm512_mul_ps(y, y);
        const __m512 e = fma(x, y2, _mm512_set1_ps(kFloatA));
        const __m512 q = fma(e, e, _mm512_set1_ps(kFloatB));
        const __m512 p = fma(fma(e, _mm512_set1_ps(kFloatC), q), q, _mm512_set1_ps(kFloatD));
        return _mm512_mul_ps(_mm512_mul_ps(y2, y), p);
    }
    FLIPSCOPE_LANES_TARGET static __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
    FLIPSCOPE_LANES_TARGET static void add_scaled(double scale, __m512 sum, double* to) {
        const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(sum));
        const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(sum, 1));
        _mm512_storeu_pd(to, _mm512_fmadd_pd(_mm512_set1_pd(scale), low, _mm512_loadu_pd(to)));
        _mm512_storeu_pd(to + 8, _mm512_fmadd_pd(_mm512_set1_pd(scale), high, _mm512_loadu_pd(to + 8)));
    }
};

struct Doubles {
    using Real = double;
    using Reals = __m512d;
    using Coordinates = __m512d;
    static constexpr uint32_t kLanes = 8, kVectors = 2;
    __m512d side[2], half[2], minus_half[2];
    FLIPSCOPE_LANES_TARGET explicit Doubles(const TorusMetric<double>& metric)
        : side{_mm512_set1_pd(metric.side[0]), _mm512_set1_pd(metric.side[1])},
          half{_mm512_set1_pd(metric.half[0]), _mm512_set1_pd(metric.half[1])},
          minus_half{_mm512_set1_pd(-metric.half[0]), _mm512_set1_pd(-metric.half[1])} {}
    FLIPSCOPE_LANES_TARGET static __m512d zero() { return _mm512_setzero_pd(); }
    FLIPSCOPE_LANES_TARGET static __m512d broadcast(double value) { return _mm512_set1_pd(value); }
    template <bool kBefore>
    FLIPSCOPE_LANES_TARGET static __m512d own(const double* place) {
        return _mm512_loadu_pd(place);
    }
    template <bool kBefore, int kAxis>
    FLIPSCOPE_LANES_TARGET __m512d difference(__m512d own, __m512d partner) const {
        const __m512d d = kBefore ? _mm512_sub_pd(partner, own) : _mm512_sub_pd(own, partner);
        const __mmask8 above = _mm512_cmp_pd_mask(d, half[kAxis], _CMP_GE_OQ);
        const __mmask8 below = _mm512_cmp_pd_mask(d, minus_half[kAxis], _CMP_LT_OQ);
        return _mm512_mask_add_pd(_mm512_mask_sub_pd(d, above, d, side[kAxis]), below, d, side[kAxis]);
    }
    FLIPSCOPE_LANES_TARGET static __mmask8 lanes_beyond(uint32_t k, uint32_t first) {
        const __m512d lanes = _mm512_add_pd(_mm512_set1_pd(first), _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7));
        return _mm512_cmp_pd_mask(lanes, _mm512_set1_pd(k), _CMP_GT_OQ);
    }
    FLIPSCOPE_LANES_TARGET static __m512d negate_or(__mmask8 negate, __m512d negated, __m512d otherwise) {
        return _mm512_mask_xor_pd(otherwise, negate, negated, _mm512_set1_pd(-0.0));
    }
    FLIPSCOPE_LANES_TARGET static __m512d weight(__m512d dx, __m512d dy) {
        const __m512d one = _mm512_set1_pd(1.0);
        const __m512d x = fma(dx, dx, fma(dy, dy, _mm512_set1_pd(kDoubleNothing)));
        const __m512d y = _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_set1_epi64(static_cast<int64_t>(kDoubleMagic)),
                                                               _mm512_srli_epi64(_mm512_castpd_si512(x), 1)));
        const __m512d e = _mm512_fnmadd_pd(x, _mm512_mul_pd(y, y), one);
        const __m512d g =
            fma(e, fma(e, fma(e, _mm512_set1_pd(0.3125), _mm512_set1_pd(0.375)), _mm512_set1_pd(0.5)), one);
        const __m512d z = _mm512_mul_pd(y, g), z2 = _mm512_mul_pd(z, z);
        const __m512d f = _mm512_fnmadd_pd(x, z2, one);
        const __m512d h = fma(f, fma(f, _mm512_set1_pd(1.875), _mm512_set1_pd(1.5)), one);
        return _mm512_mul_pd(_mm512_mul_pd(z2, z), h);
    }
    FLIPSCOPE_LANES_TARGET static __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
    FLIPSCOPE_LANES_TARGET static void add_scaled(double scale, __m512d sum, double* to) {
        _mm512_storeu_pd(to, _mm512_fmadd_pd(_mm512_set1_pd(scale), sum, _mm512_loadu_pd(to)));
    }
};

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
