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
    template <bool kBefore, int>
    FLIPSCOPE_LANES_INLINE Reals difference(Coordinates own, Coordinates partner) const {
        const Vector<int32_t> d = reinterpret_cast<Vector<int32_t>>(kBefore ? partner - own : own - partner);
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

/// The values of the lanes from this place on.
template <class Values, class Value>
FLIPSCOPE_LANES_INLINE Values load(const Value* place) {
    Values values;
    __builtin_memcpy(&values, place, sizeof values);
    return values;
}

/// Each row of a block, stored twice, so that it is contiguous from any of its places.
template <class Value>
struct Ring {
    Value rows[kRows][2 * kRow];
    explicit Ring(const Value* block) {
        for (uint32_t row = 0; row < kRows; ++row)
            for (uint32_t half = 0; half < 2; ++half)
                __builtin_memcpy(rows[row] + half * kRow, block + row * kRow, kRow * sizeof(Value));
    }
    Ring() {  // of the places themselves
        for (uint32_t i = 0; i < kBlock; ++i)
            rows[i / kRow][i % kRow] = rows[i / kRow][kRow + i % kRow] = static_cast<Value>(i);
    }
};

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

/// The particles of a block with the partners of another, or its own, some rows together. As the first block of a task
/// particles meet the rows one after another, each from their own lane upwards; as the second they meet all rows
/// together, downwards.
template <class V, bool kBefore, bool kOwn>
FLIPSCOPE_LANES_INLINE void add_block(const V& v, const Places<typename V::Real>& places, uint32_t block,
                                      uint32_t partners, bool is_first, BlockSum& sum) {
    using Real = typename V::Real;
    using Reals = typename V::Reals;
    using Coordinates = typename V::Coordinates;
    using Coordinate = typename TorusMetric<Real>::Coordinate;
    constexpr uint32_t kWidth = kLanes<Real>, kTogether = kVectors<Real>;
    static const Ring<Real> place;
    const Run& run = places.runs[partners];
    const Ring<Coordinate> x(places.x + size_t(partners) * kBlock), y(places.y + size_t(partners) * kBlock);
    const Reals count = Reals{} + static_cast<Real>(run.count);
    const uint32_t rows = (run.count + kRow - 1) / kRow;
    for (uint32_t i = 0; i < kBlock / kTogether; i += kWidth) {
        const uint32_t lane = i % kRow, row = i / kRow * kTogether, begin = row * kRow + lane;
        if (begin >= places.runs[block].count) continue;
        Coordinates xi[kTogether], yi[kTogether];
        Reals sum_x[kTogether] = {}, sum_y[kTogether] = {};
        for (uint32_t n = 0; n < kTogether; ++n) {
            xi[n] = load<Coordinates>(places.x + size_t(block) * kBlock + begin + n * kRow);
            yi[n] = load<Coordinates>(places.y + size_t(block) * kBlock + begin + n * kRow);
        }
        const uint32_t turns[2] = {is_first ? rows : kRow, is_first ? kRow : rows};
        for (uint32_t outer = 0; outer < turns[0]; ++outer) {
            for (uint32_t inner = 0; inner < turns[1]; ++inner) {
                const uint32_t other = is_first ? outer : inner;
                const uint32_t at = lane + (is_first ? inner : (kRow - outer) % kRow);
                const auto xk = load<Coordinates>(x.rows[other] + at), yk = load<Coordinates>(y.rows[other] + at);
                for (uint32_t n = 0; n < kTogether; ++n) {
                    Reals dx = v.template difference<kBefore, 0>(xi[n], xk),
                          dy = v.template difference<kBefore, 1>(yi[n], yk);
                    if constexpr (kOwn) {
                        const auto before =
                            load<Reals>(place.rows[other] + at) < load<Reals>(place.rows[row + n] + lane);
                        dx = before ? -v.template difference<true, 0>(xi[n], xk) : dx;
                        dy = before ? -v.template difference<true, 1>(yi[n], yk) : dy;
                    }
                    Reals w = V::weight(dx, dy);
                    if (run.count < kBlock) w = load<Reals>(place.rows[other] + at) < count ? w : Reals{};
                    sum_x[n] = fma(w, dx, sum_x[n]);
                    sum_y[n] = fma(w, dy, sum_y[n]);
                }
            }
        }
        const double alpha = kBefore ? -run.alpha : run.alpha;
        for (uint32_t n = 0; n < kTogether; ++n) {
            add_scaled<V>(alpha, sum_x[n], sum.x + begin + n * kRow);
            add_scaled<V>(alpha, sum_y[n], sum.y + begin + n * kRow);
        }
    }
}

template <class V>
FLIPSCOPE_LANES_TARGET bool sum_block(const Places<typename V::Real>& places, uint32_t block, const CancelFlag& flag,
                                      BlockSum& total) {
    const V v(places.metric);
    total = {};
    for (uint32_t part = 0; part < 2 * places.parts; ++part) {
        const bool is_first = part < places.parts;
        BlockSum sum{};
        for (uint32_t diagonal = part % places.parts; diagonal < places.diagonals(); diagonal += places.parts) {
            if (diagonal % kBlocksPerPoll == 0 && flag.is_set()) return false;
            const uint32_t partners = places.after(block, is_first ? diagonal : places.blocks - diagonal);
            if (!places.has_task(is_first ? block : partners, diagonal)) continue;
            if (diagonal > 0 && partners < block)
                add_block<V, true, false>(v, places, block, partners, is_first, sum);
            else if (diagonal > 0)
                add_block<V, false, false>(v, places, block, partners, is_first, sum);
            else if (is_first)
                add_block<V, false, true>(v, places, block, block, true, sum);
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
