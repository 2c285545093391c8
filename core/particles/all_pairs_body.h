// The vectors and loops of all_pairs_lanes.cpp, which includes this file once per instruction set: a template would be
// compiled for the instructions known where it is defined. FLIPSCOPE_LANES_TARGET is the attribute that enables them;
// kLanes, kVectors, fma(), fnma() = c - a b and wrapped(), in the surrounding namespace, are what differs.

#define FLIPSCOPE_LANES_INLINE FLIPSCOPE_LANES_TARGET inline __attribute__((always_inline))

template <class Real>
using Vector [[gnu::vector_size(sizeof(Real) * kLanes<Real>)]] = Real;

/// Constants of the metric, and the operations that depend on the precision.
struct Floats {
    using Real = float;
    using Reals = Vector<float>;
    using Coordinates = Vector<uint32_t>;
    FLIPSCOPE_LANES_TARGET explicit Floats(const TorusMetric<float>&) {}
    /// Negated for partners before the particles, so that the partner is the second operand of either difference.
    template <bool kBefore>
    FLIPSCOPE_LANES_INLINE static Coordinates own(Coordinates places) {
        return kBefore ? -places : places;
    }
    template <bool kBefore, int>
    FLIPSCOPE_LANES_INLINE Reals difference(Coordinates own, Coordinates partner) const {
        const Vector<int32_t> d = reinterpret_cast<Vector<int32_t>>(kBefore ? own + partner : own - partner);
        return __builtin_convertvector(d, Reals);
    }
    /// As all_pairs::weight().
    FLIPSCOPE_LANES_INLINE static Reals weight(Reals dx, Reals dy) {
        const Reals none{};
        const Reals x = fma(dx, dx, fma(dy, dy, none + kFloatNothing));
        const Reals y = reinterpret_cast<Reals>(kFloatMagic - (reinterpret_cast<Coordinates>(x) >> 1));
        const Reals y2 = y * y;
        const Reals e = fma(x, y2, none + kFloatA);
        const Reals q = fma(e, e, none + kFloatB);
        const Reals p = fma(fma(e, none + kFloatC, q), q, none + kFloatD);
        return (y2 * y) * p;
    }
};

struct Doubles {
    using Real = double;
    using Reals = Vector<double>;
    using Coordinates = Reals;
    Reals side[2], half[2], minus_half[2];
    FLIPSCOPE_LANES_TARGET explicit Doubles(const TorusMetric<double>& metric)
        : side{Reals{} + metric.side[0], Reals{} + metric.side[1]},
          half{Reals{} + metric.half[0], Reals{} + metric.half[1]},
          minus_half{-half[0], -half[1]} {}
    template <bool>
    FLIPSCOPE_LANES_INLINE static Coordinates own(Coordinates places) {
        return places;
    }
    template <bool kBefore, int kAxis>
    FLIPSCOPE_LANES_INLINE Reals difference(Coordinates own, Coordinates partner) const {
        return wrapped(kBefore ? partner - own : own - partner, side[kAxis], half[kAxis], minus_half[kAxis]);
    }
    FLIPSCOPE_LANES_INLINE static Reals weight(Reals dx, Reals dy) {
        const Reals none{}, one = none + 1.0;
        const Reals x = fma(dx, dx, fma(dy, dy, none + kDoubleNothing));
        const Reals y = reinterpret_cast<Reals>(kDoubleMagic - (reinterpret_cast<Vector<uint64_t>>(x) >> 1));
        const Reals e = fnma(x, y * y, one);
        const Reals z = y * fma(e, fma(e, fma(e, none + 0.3125, none + 0.375), none + 0.5), one);
        const Reals z2 = z * z;
        const Reals f = fnma(x, z2, one);
        return (z2 * z) * fma(f, fma(f, none + 1.875, none + 1.5), one);
    }
};

/// The coordinates of the particles in the lanes from this place on.
template <class V, bool kBefore>
FLIPSCOPE_LANES_INLINE typename V::Coordinates load(const typename TorusMetric<typename V::Real>::Coordinate* place) {
    typename V::Coordinates places;
    __builtin_memcpy(&places, place, sizeof places);
    return V::template own<kBefore>(places);
}

/// to[lane] += scale · sum[lane]
template <class V>
FLIPSCOPE_LANES_INLINE void add_scaled(double scale, typename V::Reals sum, double* to) {
    typename V::Real of_lane[kLanes<typename V::Real>];
    __builtin_memcpy(of_lane, &sum, sizeof sum);
    for (const auto each : of_lane) {
        *to = __builtin_fma(scale, static_cast<double>(each), *to);
        ++to;
    }
}

/// One run of partners with all particles of a block, kVectors vectors at a time.
template <class V, bool kBefore>
FLIPSCOPE_LANES_INLINE void add_run(const V& v, const Places<typename V::Real>& places, uint32_t block,
                                    uint32_t partners, BlockSum& sum) {
    using Reals = typename V::Reals;
    using Coordinates = typename V::Coordinates;
    constexpr uint32_t kWidth = kLanes<typename V::Real>, kTogether = kVectors<typename V::Real>;
    const Run& run = places.runs[partners];
    const auto* const x = places.x + size_t(partners) * kBlock;
    const auto* const y = places.y + size_t(partners) * kBlock;
    for (uint32_t lane = 0; lane < kBlock; lane += kTogether * kWidth) {
        Coordinates xi[kTogether], yi[kTogether];
        Reals sum_x[kTogether] = {}, sum_y[kTogether] = {};
        for (uint32_t n = 0; n < kTogether; ++n) {
            xi[n] = load<V, kBefore>(places.x + size_t(block) * kBlock + lane + n * kWidth);
            yi[n] = load<V, kBefore>(places.y + size_t(block) * kBlock + lane + n * kWidth);
        }
        for (uint32_t k = 0; k < run.count; ++k) {
            // minus: a sum with 0.0 would differ for -0.0, and not compile to a mere broadcast
            const Coordinates xk = x[k] - Coordinates{}, yk = y[k] - Coordinates{};
            for (uint32_t n = 0; n < kTogether; ++n) {
                const Reals dx = v.template difference<kBefore, 0>(xi[n], xk),
                            dy = v.template difference<kBefore, 1>(yi[n], yk);
                const Reals w = V::weight(dx, dy);
                sum_x[n] = fma(w, dx, sum_x[n]);
                sum_y[n] = fma(w, dy, sum_y[n]);
            }
        }
        const double alpha = kBefore ? -run.alpha : run.alpha;
        for (uint32_t n = 0; n < kTogether; ++n) {
            add_scaled<V>(alpha, sum_x[n], sum.x + lane + n * kWidth);
            add_scaled<V>(alpha, sum_y[n], sum.y + lane + n * kWidth);
        }
    }
}

/// The block with itself: partners precede some lanes and follow others.
template <class V>
FLIPSCOPE_LANES_INLINE void add_own_run(const V& v, const Places<typename V::Real>& places, uint32_t block,
                                        BlockSum& sum) {
    using Reals = typename V::Reals;
    constexpr uint32_t kWidth = kLanes<typename V::Real>;
    using Masks = decltype(Reals{} < Reals{});
    Masks lanes;
    for (uint32_t n = 0; n < kWidth; ++n) lanes[n] = n;
    const Run& run = places.runs[block];
    const auto* const x = places.x + size_t(block) * kBlock;
    const auto* const y = places.y + size_t(block) * kBlock;
    for (uint32_t lane = 0; lane < run.count; lane += kWidth) {
        Reals sum_x{}, sum_y{};
        const auto xi = load<V, false>(x + lane), yi = load<V, false>(y + lane);
        const auto opposite_xi = load<V, true>(x + lane), opposite_yi = load<V, true>(y + lane);
        for (uint32_t k = 0; k < run.count; ++k) {
            const auto xk = x[k] - decltype(xi){}, yk = y[k] - decltype(yi){};
            const Masks before = lanes > Masks{} + (static_cast<int32_t>(k) - static_cast<int32_t>(lane));
            const Reals dx =
                before ? -v.template difference<true, 0>(opposite_xi, xk) : v.template difference<false, 0>(xi, xk);
            const Reals dy =
                before ? -v.template difference<true, 1>(opposite_yi, yk) : v.template difference<false, 1>(yi, yk);
            const Reals w = V::weight(dx, dy);
            sum_x = fma(w, dx, sum_x);
            sum_y = fma(w, dy, sum_y);
        }
        add_scaled<V>(run.alpha, sum_x, sum.x + lane);
        add_scaled<V>(run.alpha, sum_y, sum.y + lane);
    }
}

template <class V>
FLIPSCOPE_LANES_TARGET bool sum_block(const Places<typename V::Real>& places, uint32_t block, const CancelFlag& flag,
                                      BlockSum& total) {
    const V v(places.metric);
    total = {};
    for (uint32_t segment = 0; segment < places.segments; ++segment) {
        BlockSum sum{};
        for (uint32_t partners = places.begin(segment); partners < places.begin(segment + 1); ++partners) {
            if (partners % kBlocksPerPoll == 0 && flag.is_set()) return false;
            if (partners < block)
                add_run<V, true>(v, places, block, partners, sum);
            else if (partners > block)
                add_run<V, false>(v, places, block, partners, sum);
            else
                add_own_run<V>(v, places, block, sum);
        }
        for (uint32_t lane = 0; lane < kBlock; ++lane) {
            total.x[lane] += sum.x[lane];
            total.y[lane] += sum.y[lane];
        }
    }
    return true;
}

constexpr Lanes kLanesHere{kName, &sum_block<Floats>, &sum_block<Doubles>};

#undef FLIPSCOPE_LANES_INLINE
