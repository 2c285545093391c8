#include "geometry/point_patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "compute/cancel.h"

// Lines of family j are z · e_j = m - γ_j for whole m, with e_j at 72 j degrees. On the lines m_j and m_k of two
// families, z · e_l = α (m_j - γ_j) + β (m_k - γ_k), where α = sin(k - l) / sin(k - j) and β = sin(l - j) / sin(k - j)
// in units of 72 degrees: 0, ±1, ±τ or ±(τ - 1). With whole multiples of 2^-20 for the γ, the place of z among the
// lines of family l is decided by the sign of a number a + b √5 with whole a and b. It is never on a line itself when
// no γ and no sum of two is whole: b would have to be 0.

namespace flipscope {
namespace {

constexpr int kFamilies = 5;
constexpr int kBits = 20;  // of the fractions of the γ
constexpr int64_t kUnit = int64_t{1} << kBits;
constexpr double kGolden = 1.6180339887498948482;
constexpr std::array<Point, kFamilies> kDirections = {{{1, 0},
                                                       {0.30901699437494742410, 0.95105651629515357212},
                                                       {-0.80901699437494742410, 0.58778525229247312917},
                                                       {-0.80901699437494742410, -0.58778525229247312917},
                                                       {0.30901699437494742410, -0.95105651629515357212}}};
constexpr std::array<double, kFamilies> kSines = {0, 0.95105651629515357212, 0.58778525229247312917,
                                                  -0.58778525229247312917, -0.95105651629515357212};
constexpr Point kEntry = {0.955, 0.296};  // a direction that lies along no edge and no diagonal
constexpr double kFarthest = 1.7;         // of a vertex from 5/2 of its crossing, in edges: at most τ

struct Golden {
    int64_t whole = 0, golden = 0;  // whole + golden τ
};

/// sin(72° a) / sin(72° b), b no multiple of 5.
Golden ratio_of_sines(int a, int b) {
    const auto of = [](int k, int& sign) {  // 0, or 1 for sin 72° and 2 for sin 144°, and the sign
        k = (k % kFamilies + kFamilies) % kFamilies;
        sign = k > 2 ? -1 : 1;
        return k > 2 ? kFamilies - k : k;
    };
    int sign_a = 1, sign_b = 1;
    const int above = of(a, sign_a), below = of(b, sign_b);
    const int64_t sign = sign_a * sign_b;
    if (above == 0) return {};
    if (above == below) return {sign, 0};
    return above == 1 ? Golden{0, sign} : Golden{-sign, sign};
}

__extension__ using Int128 = __int128;

/// The least whole number that is not below v / 2^20; v is no multiple of that.
int64_t ceiling(Golden v) {
    const double near = (static_cast<double>(v.whole) + static_cast<double>(v.golden) * kGolden) * 0x1p-20;
    const double nearest = std::floor(near + 0.5);
    if (std::fabs(near - nearest) > 1e-6) return static_cast<int64_t>(std::ceil(near));
    // Twice v minus the nearest: a + b √5, positive when the whole number is below.
    const auto whole = static_cast<int64_t>(nearest);
    const Int128 a = 2 * Int128{v.whole - whole * kUnit} + v.golden, b = v.golden;
    const bool larger = a * a > 5 * b * b;  // √5 is irrational: never equal, unless both are 0
    const bool above = (larger ? a : b) > 0;
    return above ? whole + 1 : whole;
}

/// The γ, as multiples of 2^-20, whose sum is whole: that makes the rhombs match as Penrose's do.
std::array<int64_t, kFamilies> offsets_of(const Random& random) {
    for (uint64_t attempt = 0;; ++attempt) {
        std::array<int64_t, kFamilies> offsets{};
        const RandomPair first = random.pair(Stream::kPhase, 2 * attempt),
                         second = random.pair(Stream::kPhase, 2 * attempt + 1);
        const double numbers[] = {first.first, first.second, second.first, second.second};
        int64_t sum = 0;
        for (size_t j = 1; j < kFamilies; ++j) sum += offsets[j] = static_cast<int64_t>(numbers[j - 1] * kUnit);
        offsets[0] = (kUnit - sum % kUnit) % kUnit;
        bool regular = true;
        for (size_t j = 0; j < kFamilies; ++j) {
            regular = regular && offsets[j] != 0;
            for (size_t k = 0; k < j; ++k) regular = regular && (offsets[j] + offsets[k]) % kUnit != 0;
        }
        if (regular) return offsets;
    }
}

double distance_of(Point p) { return std::max(std::fabs(p.x), std::fabs(p.y)); }

/// All vertices at most `half` edges from the middle along both axes, in units of edges.
std::vector<Point> vertices_within(double half, const std::array<int64_t, kFamilies>& offsets) {
    const double reach = (half + kFarthest) / 2.5;  // of crossings
    std::array<double, kFamilies> fractions{};
    for (size_t j = 0; j < kFamilies; ++j) fractions[j] = static_cast<double>(offsets[j]) / kUnit;
    std::vector<Point> found;
    CancelPoll poll;
    for (int j = 0; j < kFamilies; ++j) {
        for (int k = j + 1; k < kFamilies; ++k) {
            const Point along_j = kDirections[static_cast<size_t>(j)], along_k = kDirections[static_cast<size_t>(k)];
            const double sine = kSines[static_cast<size_t>(k - j)];
            // z = (m_j - γ_j) per_j + (m_k - γ_k) per_k
            const Point per_j = {along_k.y / sine, -along_k.x / sine}, per_k = {-along_j.y / sine, along_j.x / sine};
            const bool back_j = (kEntry.x * along_k.y - kEntry.y * along_k.x) / sine < 0;
            const bool back_k = (kEntry.y * along_j.x - kEntry.x * along_j.y) / sine < 0;
            std::array<Golden, kFamilies> of_j{}, of_k{};
            for (int l = 0; l < kFamilies; ++l) {
                of_j[static_cast<size_t>(l)] = ratio_of_sines(k - l, k - j);
                of_k[static_cast<size_t>(l)] = ratio_of_sines(l - j, k - j);
            }
            const double widest = reach * (std::fabs(along_j.x) + std::fabs(along_j.y));
            const auto last_j = static_cast<int64_t>(widest) + 1;
            for (int64_t m_j = -last_j; m_j <= last_j + 1; ++m_j) {
                const double a = static_cast<double>(m_j) - fractions[static_cast<size_t>(j)];
                double low = -4 * reach - 4, high = 4 * reach + 4;  // of m_k - γ_k
                const auto clip = [&](double at, double per) {
                    if (std::fabs(per) < 1e-3) {
                        if (std::fabs(at) > reach) high = low - 1;
                        return;
                    }
                    const double one = (-reach - at) / per, other = (reach - at) / per;
                    low = std::max(low, std::min(one, other));
                    high = std::min(high, std::max(one, other));
                };
                clip(a * per_j.x, per_k.x);
                clip(a * per_j.y, per_k.y);
                if (low > high) continue;
                const double fraction_k = fractions[static_cast<size_t>(k)];
                const auto last_k = static_cast<int64_t>(std::floor(high + fraction_k));
                for (auto m_k = static_cast<int64_t>(std::ceil(low + fraction_k)); m_k <= last_k; ++m_k) {
                    poll();
                    const int64_t b_units = m_k * kUnit - offsets[static_cast<size_t>(k)];
                    const int64_t a_units = m_j * kUnit - offsets[static_cast<size_t>(j)];
                    Point vertex{0, 0};
                    for (int l = 0; l < kFamilies; ++l) {
                        const auto at = static_cast<size_t>(l);
                        int64_t steps = 0;
                        if (l == j) {
                            steps = m_j + back_j;
                        } else if (l == k) {
                            steps = m_k + back_k;
                        } else {
                            steps = ceiling({of_j[at].whole * a_units + of_k[at].whole * b_units + offsets[at],
                                             of_j[at].golden * a_units + of_k[at].golden * b_units});
                        }
                        const double length = static_cast<double>(steps) - fractions[at];
                        vertex.x += length * kDirections[at].x;
                        vertex.y += length * kDirections[at].y;
                    }
                    if (distance_of(vertex) <= half) found.push_back(vertex);
                }
            }
        }
    }
    return found;
}

}  // namespace

std::vector<Point> penrose_vertices(uint64_t count, const Random& random) {
    if (count == 0) return {};
    const std::array<int64_t, kFamilies> offsets = offsets_of(random);
    const double edge = std::sqrt(kPenroseDensity / static_cast<double>(count));
    std::vector<Point> points;
    for (double margin = 1; points.size() < count; margin += 1) points = vertices_within(0.5 / edge + margin, offsets);

    std::vector<double> distances;
    distances.reserve(points.size());
    CancelPoll poll;
    for (const Point p : points) {
        poll();
        distances.push_back(distance_of(p));
    }
    const auto last = distances.begin() + static_cast<ptrdiff_t>(count) - 1;
    std::nth_element(distances.begin(), last, distances.end(), [&](double a, double b) {
        poll();
        return a < b;
    });
    const double farthest = *last;
    uint64_t nearer = 0;
    for (const double distance : distances) {
        poll();
        nearer += distance < farthest;
    }
    uint64_t as_far = count - nearer;  // taken of those that are exactly as far
    std::vector<Point> chosen;
    chosen.reserve(count);
    for (const Point p : points) {
        poll();
        const double distance = distance_of(p);
        if (distance > farthest || (distance == farthest && as_far == 0)) continue;
        if (distance == farthest) --as_far;
        chosen.push_back({0.5 + edge * p.x, 0.5 + edge * p.y});
    }
    return chosen;
}

}  // namespace flipscope
