// The predicates against exact integers of any size, on inputs made to break them. FLIPSCOPE_LONG_TESTS=1 runs ten
// times as many cases; FLIPSCOPE_TEST_SCALE (default 1) is a further factor, below 1 under sanitizers.
#include "flipscope/predicates.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "geometry/predicate_cases.h"

using namespace flipscope;
using namespace flipscope::predicate_cases;

TEST_CASE("predicates: orient2d and incircle equal an exact oracle on adversarial input, and swap their signs") {
    Generator random(20240601);
    const size_t cases = case_count(1000000);
    size_t failures = 0, orient_zeros = 0, incircle_zeros = 0, orient_rounded_wrong = 0, incircle_rounded_wrong = 0;
    std::array<size_t, kFamilies> zeros{};
    for (size_t i = 0; i < cases && failures < 10; ++i) {
        const int which = static_cast<int>(i % kFamilies);
        const Quad q = family(which, random);
        for (const Point p : q)
            if (!coordinate_in_range(p.x) || !coordinate_in_range(p.y)) FAIL("out of range: " << text(q));
        const Exact oracle(q);
        const int turn = oracle.orient(0, 1, 2), side = oracle.incircle();
        orient_zeros += turn == 0;
        incircle_zeros += side == 0;
        zeros[which] += side == 0;
        orient_rounded_wrong += exact::sign_of(orient2d_value(q[0], q[1], q[2])) != turn;
        incircle_rounded_wrong += exact::sign_of(incircle_value(q[0], q[1], q[2], q[3])) != side;
        const auto expect = [&](int got, int want, const char* name) {
            if (got == want) return;
            ++failures;
            FAIL_CHECK(name << " gave " << got << ", exact is " << want << ", family " << which << ": " << text(q));
        };
        expect(orient2d(q[0], q[1], q[2]), turn, "orient2d");
        expect(incircle(q[0], q[1], q[2], q[3]), side, "incircle");
        // the slow path alone must agree where the filter would have spoken
        expect(exact::orient2d_sign(q[0], q[1], q[2]), turn, "the exact orient2d");
        expect(exact::incircle_sign(q[0], q[1], q[2], q[3]), side, "the exact incircle");
        expect(orient2d(q[1], q[0], q[2]), -turn, "orient2d(b, a, c)");
        expect(orient2d(q[1], q[2], q[0]), turn, "orient2d(b, c, a)");
        std::array<int, 4> o;
        const int sign = shuffle(o, random);
        expect(incircle(q[o[0]], q[o[1]], q[o[2]], q[o[3]]), sign * side, "incircle of shuffled points");
        const std::array<uint32_t, 4> id = {
            static_cast<uint32_t>(random() >> 2) << 2, static_cast<uint32_t>(random() >> 2) << 2 | 1,
            static_cast<uint32_t>(random() >> 2) << 2 | 2, static_cast<uint32_t>(random() >> 2) << 2 | 3};
        const int tied = incircle_tied(q[0], q[1], q[2], q[3], id[0], id[1], id[2], id[3]);
        if (side != 0) expect(tied, side, "incircle_tied");
        expect(incircle_tied(q[o[0]], q[o[1]], q[o[2]], q[o[3]], id[o[0]], id[o[1]], id[o[2]], id[o[3]]), sign * tied,
               "incircle_tied of shuffled points");
    }
    CHECK(failures == 0);
    if (cases >= 10000) {  // the input is as bad as meant
        CHECK(orient_zeros > cases / 20);
        CHECK(incircle_zeros > cases / 5);
        CHECK(orient_rounded_wrong > cases / 100);
        CHECK(incircle_rounded_wrong > cases / 20);
    }
    MESSAGE(cases << " cases: exact zeros " << orient_zeros << " and " << incircle_zeros << ", plain doubles wrong "
                  << orient_rounded_wrong << " and " << incircle_rounded_wrong);
}

TEST_CASE("predicates: the wide exact path alone equals the oracle") {
    Generator random(7);
    const size_t cases = case_count(100000);
    size_t failures = 0;
    for (size_t i = 0; i < cases && failures < 10; ++i) {
        const Quad q = family(static_cast<int>(i % kFamilies), random);
        const double v[8] = {q[0].x, q[0].y, q[1].x, q[1].y, q[2].x, q[2].y, q[3].x, q[3].y};
        const double w[6] = {v[0], v[1], v[2], v[3], v[4], v[5]};
        const double largest8 = exact::magnitude(v, 8), largest6 = exact::magnitude(w, 6);
        if (largest6 == 0) continue;
        const Exact oracle(q);
        const int side = exact::incircle_wide(v, largest8), turn = exact::orient2d_wide(w, largest6);
        if (side == oracle.incircle() && turn == oracle.orient(0, 1, 2)) continue;
        ++failures;
        FAIL_CHECK("wide signs " << turn << ", " << side << ", exact " << oracle.orient(0, 1, 2) << ", "
                                 << oracle.incircle() << ": " << text(q));
    }
    CHECK(failures == 0);
}

TEST_CASE("predicates: a settled tie is the sign of the determinant with liftings raised by tiny numbers") {
    // Integer coordinates below 2^41: a cofactor is below 2^85, so with eps = 2^-100 the power eps^k outweighs all
    // later terms.
    Generator random(11);
    const std::vector<Point> ring = integer_ring(7);
    const Rational eps = Rational(1) / (Integer(1) << 100).convert_to<boost::multiprecision::cpp_int>();
    const size_t cases = case_count(20000);
    size_t failures = 0, ties = 0, flat = 0;
    for (size_t i = 0; i < cases && failures < 10; ++i) {
        Quad q;
        switch (i % 4) {
            case 0:
                for (Point& p : q) p = ring[random() % ring.size()];
                break;
            case 1:
                for (Point& p : q) p = {static_cast<double>(random() % 4), static_cast<double>(random() % 4)};
                break;
            case 2: {
                const double x = static_cast<double>(random() >> 24), y = static_cast<double>(random() >> 24);
                const double z = static_cast<double>(random() >> 24), w = static_cast<double>(random() >> 24);
                q = {{{x, y}, {z, y}, {z, w}, {x, w}}};
                break;
            }
            default:  // collinear, with duplicates
                for (Point& p : q) p.x = p.y = static_cast<double>(random() % 4);
                if (random() & 1) q[random() % 4].x += 1;
        }
        std::array<uint32_t, 4> id;
        do {
            for (uint32_t& k : id) k = static_cast<uint32_t>(random() % (random() & 1 ? 8 : 0x100000000ull));
        } while (id[0] == id[1] || id[0] == id[2] || id[0] == id[3] || id[1] == id[2] || id[1] == id[3] ||
                 id[2] == id[3]);

        std::array<int, 4> by_rank = {0, 1, 2, 3};
        std::sort(by_rank.begin(), by_rank.end(),
                  [&](int k, int l) { return perturbation_rank(id[k]) > perturbation_rank(id[l]); });
        std::array<Rational, 4> x, y, lift;
        Rational shift = 1;
        for (const int k : by_rank) {
            shift *= eps;
            x[k] = Rational(q[k].x);
            y[k] = Rational(q[k].y);
            lift[k] = x[k] * x[k] + y[k] * y[k] + shift;
        }
        Rational determinant = 0;  // of rows (x, y, lift, 1), over all permutations
        std::array<int, 4> o = {0, 1, 2, 3};
        do {
            int inversions = 0;
            for (int k = 0; k < 4; ++k)
                for (int l = k + 1; l < 4; ++l) inversions += o[k] > o[l];
            const Rational term = x[o[0]] * y[o[1]] * lift[o[2]];
            if (inversions % 2) {
                determinant -= term;
            } else {
                determinant += term;
            }
        } while (std::next_permutation(o.begin(), o.end()));
        const int want = determinant.sign();
        const int got = incircle_tied(q[0], q[1], q[2], q[3], id[0], id[1], id[2], id[3]);
        ties += incircle(q[0], q[1], q[2], q[3]) == 0;
        flat += want == 0;
        if (got == want) continue;
        ++failures;
        FAIL_CHECK("incircle_tied gave " << got << ", raised liftings give " << want << ": " << text(q) << id[0] << " "
                                         << id[1] << " " << id[2] << " " << id[3]);
    }
    CHECK(failures == 0);
    if (cases >= 1000) {
        CHECK(ties > cases / 2);
        CHECK(flat > 0);  // four collinear points stay 0
    }
    CHECK(incircle_tied({0, 0}, {1, 0}, {1, 1}, {0, 1}, 0, 1, 2, 2) == 0);  // one input twice
}

TEST_CASE("predicates: no two indices share a rank, and neither of two neighbours is favoured") {
    // A map that is not one to one would repeat itself: a random one hundreds of times among so many.
    std::vector<uint32_t> ranks;
    size_t later_wins = 0;
    for (uint32_t k = 0; k < 1'000'000; ++k) {
        ranks.push_back(perturbation_rank(k));
        ranks.push_back(perturbation_rank(~k));
        later_wins += perturbation_rank(k + 1) > perturbation_rank(k);
    }
    std::sort(ranks.begin(), ranks.end());
    CHECK(std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end());
    CHECK(later_wins > 450'000);
    CHECK(later_wins < 550'000);
}

TEST_CASE("predicates: on whole numbers determinants in doubles are exact, circumcentres are not") {
    Generator random(11);
    size_t determinants = 0, circumcentres = 0, tests = 0;
    while (tests < 20000) {
        Point p[4];
        for (Point& each : p) each = {double(random() % 40), double(random() % 40)};
        if (orient2d(p[0], p[1], p[2]) <= 0) continue;
        ++tests;
        const int sign = incircle(p[0], p[1], p[2], p[3]);
        determinants += incircle_double(p[0], p[1], p[2], p[3]) != sign;
        circumcentres += circumcentre_double(p[0], p[1], p[2], p[3]) != sign;
    }
    CHECK(determinants == 0);
    CHECK(circumcentres > 0);
}

TEST_CASE("predicates: the modes choose the precision, and naive zeros stay zero") {
    const Point a = {0, 0}, b = {1, 0}, c = {1, 1}, d = {0, 1};
    for (const PredicateMode mode : {PredicateMode::kExact, PredicateMode::kDouble, PredicateMode::kFloat,
                                     PredicateMode::kDoubleCircumcentre, PredicateMode::kFloatCircumcentre}) {
        CAPTURE(name_of(mode));
        CHECK(orient(mode, a, b, c) == 1);
        CHECK(orient(mode, b, a, c) == -1);
        CHECK(orient(mode, a, a, c) == 0);
        CHECK(in_circle(mode, a, b, c, {0.5, 0.5}, 0, 1, 2, 3) == 1);
        CHECK(in_circle(mode, a, b, c, {3, 3}, 0, 1, 2, 3) == -1);
        CHECK((in_circle(mode, a, b, c, d, 0, 1, 2, 3) == 0) == (mode != PredicateMode::kExact));
        // A circle around a centre does not turn, and floats do not see 10^-10.
        CHECK((in_circle(mode, c, b, a, {0.5, 0.5}, 0, 1, 2, 3) == 1) == uses_circumcentre(mode));
        CHECK((orient(mode, {0, 0}, {1, 1}, {2, 2 + 1e-10}) == 0) == in_single_precision(mode));
    }
    CHECK(incircle(a, b, c, d) == 0);
    CHECK(circumcentre_double(a, b, {2, 0}, d) == 0);      // collinear: no centre, not a number
    CHECK(circumcentre_double(c, b, a, {0.5, 0.5}) == 1);  // whichever way the circle's points turn
    CHECK(incircle_double(c, b, a, {0.5, 0.5}) == -1);
    // 10^-10 off the line: doubles see it, floats do not; 10^-20: only the exact sign does
    CHECK(orient2d_double({0, 0}, {1, 1}, {2, 2 + 1e-10}) == 1);
    CHECK(orient2d_float({0, 0}, {1, 1}, {2, 2 + 1e-10}) == 0);
    CHECK(orient2d_double({0, 1e-20}, {1, 1}, {2, 2}) == 0);
    CHECK(orient2d({0, 1e-20}, {1, 1}, {2, 2}) == 1);
    CHECK(orient2d_value(a, b, c) == 1);
    CHECK(incircle_value(a, b, c, {0.5, 0.5}) == 0.5);
}

TEST_CASE("predicates: the filter's error bound holds where products fall below the smallest normal double") {
    // Liftings of 2^-504 times minors of 2^-556, and the same with liftings of 1: the signs must come out exact at
    // every mixture.
    Generator random(17);
    const size_t cases = case_count(100000);
    size_t failures = 0;
    for (size_t i = 0; i < cases && failures < 10; ++i) {
        Quad q;
        for (Point& p : q) {
            p = {kMinCoordinate * (1 + 0x1p-52 * static_cast<double>(random() % 4)),
                 kMinCoordinate * (1 + 0x1p-52 * static_cast<double>(random() % 4))};
            if (i % 3 == 0 && random() % 3 == 0) p.x = of_exponent(random, -200, -195);
            if (i % 5 == 0 && random() % 4 == 0) p.y = of_exponent(random, -200, -150);
        }
        const Exact oracle(q);
        if (incircle(q[0], q[1], q[2], q[3]) == oracle.incircle() &&
            orient2d(q[0], q[1], q[2]) == oracle.orient(0, 1, 2)) {
            continue;
        }
        ++failures;
        FAIL_CHECK("wrong sign: " << text(q));
    }
    CHECK(failures == 0);
}

TEST_CASE("predicates: the range of coordinates is what it says, and anything outside it is harmless") {
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const double sign : {1.0, -1.0}) {
        CHECK(coordinate_in_range(sign * 0.0));
        CHECK(coordinate_in_range(sign));
        CHECK(coordinate_in_range(sign * kMinCoordinate));
        CHECK(coordinate_in_range(sign * kMaxCoordinate));
        CHECK_FALSE(coordinate_in_range(sign * std::nextafter(kMinCoordinate, 0)));
        CHECK_FALSE(coordinate_in_range(sign * std::nextafter(kMaxCoordinate, infinity)));
        CHECK_FALSE(coordinate_in_range(sign * infinity));
    }
    CHECK_FALSE(coordinate_in_range(nan));
    CHECK_FALSE(coordinate_in_range(5e-324));

    const double values[] = {0.0,   1.0,    -1.0,           nan,    infinity, -infinity, 5e-324, 1e-308,
                             1e308, -1e308, kMinCoordinate, 1e-100, 0x1p-251};
    Generator random(23);
    const auto any = [&] { return values[random() % std::size(values)]; };
    for (int i = 0; i < 20000; ++i) {
        const Quad q = {{{any(), any()}, {any(), any()}, {any(), any()}, {any(), any()}}};
        const int turn = orient2d(q[0], q[1], q[2]), side = incircle_tied(q[0], q[1], q[2], q[3], 0, 1, 2, 3);
        const bool signs = turn >= -1 && turn <= 1 && side >= -1 && side <= 1;
        if (!signs) FAIL("not a sign: " << text(q));
        const double area = exact::orient2d_rounded(q[0], q[1], q[2]);
        const double lift = exact::incircle_rounded(q[0], q[1], q[2], q[3]);
        if (exact::sign_of(area) != exact::orient2d_sign(q[0], q[1], q[2])) FAIL_CHECK("rounded area of " << text(q));
        if (exact::sign_of(lift) != exact::incircle_sign(q[0], q[1], q[2], q[3]))
            FAIL_CHECK("rounded determinant of " << text(q));
    }
}
