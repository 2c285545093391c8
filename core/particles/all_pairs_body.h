// The loops of all_pairs_lanes.cpp, which includes this file once per instruction set: a template would be compiled for
// the instructions known where it is defined. FLIPSCOPE_LANES_TARGET is the attribute that enables them; Floats and
// Doubles, in the surrounding namespace, are their vectors.

/// One vector of terms.
template <class V, bool kBefore>
FLIPSCOPE_LANES_TARGET inline __attribute__((always_inline)) void add_pairs(
    const V& v, typename V::Coordinates xi, typename V::Coordinates yi, typename V::Coordinates xk,
    typename V::Coordinates yk, typename V::Reals& sum_x, typename V::Reals& sum_y) {
    const typename V::Reals dx = v.template difference<kBefore, 0>(xi, xk),
                            dy = v.template difference<kBefore, 1>(yi, yk);
    const typename V::Reals w = v.weight(dx, dy);
    sum_x = V::fma(w, dx, sum_x);
    sum_y = V::fma(w, dy, sum_y);
}

/// One run of partners with all particles of a block, kVectors vectors at a time.
template <class V, bool kBefore>
FLIPSCOPE_LANES_TARGET inline __attribute__((always_inline)) void add_run(const V& v,
                                                                          const Places<typename V::Real>& places,
                                                                          uint32_t block, uint32_t partners,
                                                                          BlockSum& sum) {
    using Reals = typename V::Reals;
    using Coordinates = typename V::Coordinates;
    constexpr uint32_t kVectors = V::kVectors;
    const Run& run = places.runs[partners];
    const auto* const x = places.x + size_t(partners) * kBlock;
    const auto* const y = places.y + size_t(partners) * kBlock;
    for (uint32_t lane = 0; lane < kBlock; lane += kVectors * V::kLanes) {
        Coordinates xi[kVectors], yi[kVectors];
        Reals sum_x[kVectors], sum_y[kVectors];
        for (uint32_t n = 0; n < kVectors; ++n) {
            xi[n] = v.template own<kBefore>(places.x + size_t(block) * kBlock + lane + n * V::kLanes);
            yi[n] = v.template own<kBefore>(places.y + size_t(block) * kBlock + lane + n * V::kLanes);
            sum_x[n] = sum_y[n] = V::zero();
        }
        for (uint32_t k = 0; k < run.count; ++k) {
            const Coordinates xk = V::broadcast(x[k]), yk = V::broadcast(y[k]);
            for (uint32_t n = 0; n < kVectors; ++n) add_pairs<V, kBefore>(v, xi[n], yi[n], xk, yk, sum_x[n], sum_y[n]);
        }
        const double alpha = kBefore ? -run.alpha : run.alpha;
        for (uint32_t n = 0; n < kVectors; ++n) {
            V::add_scaled(alpha, sum_x[n], sum.x + lane + n * V::kLanes);
            V::add_scaled(alpha, sum_y[n], sum.y + lane + n * V::kLanes);
        }
    }
}

/// The block with itself: partners precede some lanes and follow others.
template <class V>
FLIPSCOPE_LANES_TARGET inline __attribute__((always_inline)) void add_own_run(const V& v,
                                                                              const Places<typename V::Real>& places,
                                                                              uint32_t block, BlockSum& sum) {
    const Run& run = places.runs[block];
    const auto* const x = places.x + size_t(block) * kBlock;
    const auto* const y = places.y + size_t(block) * kBlock;
    for (uint32_t lane = 0; lane < run.count; lane += V::kLanes) {
        typename V::Reals sum_x = V::zero(), sum_y = V::zero();
        const auto xi = v.template own<false>(x + lane), yi = v.template own<false>(y + lane);
        const auto opposite_xi = v.template own<true>(x + lane), opposite_yi = v.template own<true>(y + lane);
        for (uint32_t k = 0; k < run.count; ++k) {
            const auto xk = V::broadcast(x[k]), yk = V::broadcast(y[k]);
            const auto before = V::lanes_beyond(k, lane);
            const auto dx = V::negate_or(before, v.template difference<true, 0>(opposite_xi, xk),
                                         v.template difference<false, 0>(xi, xk));
            const auto dy = V::negate_or(before, v.template difference<true, 1>(opposite_yi, yk),
                                         v.template difference<false, 1>(yi, yk));
            const auto w = v.weight(dx, dy);
            sum_x = V::fma(w, dx, sum_x);
            sum_y = V::fma(w, dy, sum_y);
        }
        V::add_scaled(run.alpha, sum_x, sum.x + lane);
        V::add_scaled(run.alpha, sum_y, sum.y + lane);
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
