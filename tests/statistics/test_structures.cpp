// sanitizers: thread
// Structures of triangulations against brute force over all pairs and points, in integers, on sets full of ties.
#include "statistics/structures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "compute/random.h"
#include "delaunay/constructions/strips.h"
#include "test_support.h"

using namespace flipscope;

namespace {

__extension__ typedef __int128 Integer;
using Pair = std::pair<uint32_t, uint32_t>;  // indices in the input, the lower one first
using Pairs = std::set<Pair>;

struct Place {
    int64_t x, y;
    friend bool operator==(Place a, Place b) { return a.x == b.x && a.y == b.y; }
};
Integer dot(Place a, Place b, Place c, Place d) {  // (b - a)·(d - c)
    return Integer(b.x - a.x) * (d.x - c.x) + Integer(b.y - a.y) * (d.y - c.y);
}
Integer cross(Place a, Place b, Place c) { return Integer(b.x - a.x) * (c.y - a.y) - Integer(b.y - a.y) * (c.x - a.x); }
Integer squared(Place a, Place b) { return dot(a, b, a, b); }

/// Exact β = eighths / 8.
struct Brute {
    std::vector<Place> places;      // of the distinct points
    std::vector<uint32_t> indices;  // the first of equal ones, ascending

    explicit Brute(const std::vector<Place>& all) {
        for (uint32_t i = 0; i < all.size(); ++i)
            if (std::find(all.begin(), all.begin() + i, all[i]) == all.begin() + i) {
                places.push_back(all[i]);
                indices.push_back(i);
            }
    }
    Pair pair(size_t i, size_t j) const { return std::minmax(indices[i], indices[j]); }
    template <class Test>
    Pairs pairs(const Test& has) const {
        Pairs found;
        for (size_t i = 0; i < places.size(); ++i)
            for (size_t j = i + 1; j < places.size(); ++j)
                if (has(i, j)) found.insert(pair(i, j));
        return found;
    }
    template <class Test>
    bool none(size_t i, size_t j, const Test& excludes) const {
        for (size_t k = 0; k < places.size(); ++k)
            if (k != i && k != j && excludes(places[i], places[j], places[k])) return false;
        return true;
    }
    bool in_skeleton(size_t i, size_t j, int64_t eighths) const {
        return none(i, j, [&](Place p, Place q, Place r) {
            if (eighths >= 8)
                return 8 * squared(p, r) < eighths * dot(p, r, p, q) && 8 * squared(q, r) < eighths * dot(q, r, q, p);
            const Integer c = cross(p, q, r);
            return dot(r, p, r, q) < 0 && 64 * c * c < eighths * eighths * squared(p, r) * squared(q, r);
        });
    }
    Pairs relative() const {
        return pairs([&](size_t i, size_t j) {
            return none(
                i, j, [](Place p, Place q, Place r) { return std::max(squared(p, r), squared(q, r)) < squared(p, q); });
        });
    }
    Pairs hull() const {
        return pairs([&](size_t i, size_t j) {
            bool left = false, right = false, between = false;
            for (const Place r : places) {
                const Integer c = cross(places[i], places[j], r);
                left |= c > 0;
                right |= c < 0;
                between |= c == 0 && dot(r, places[i], r, places[j]) < 0;
            }
            return !(left && right) && !between;
        });
    }
    /// By index: its nearest neighbour.
    std::map<uint32_t, uint32_t> nearest() const {
        std::map<uint32_t, uint32_t> found;
        for (size_t i = 0; i < places.size(); ++i) {
            size_t best = i == 0 ? 1 : 0;
            for (size_t j = 0; j < places.size(); ++j)
                if (j != i && squared(places[i], places[j]) < squared(places[i], places[best])) best = j;
            found[indices[i]] = indices[best];
        }
        return found;
    }
    Pairs tree() const {
        std::vector<std::tuple<Integer, uint32_t, uint32_t, size_t, size_t>> all;
        for (size_t i = 0; i < places.size(); ++i)
            for (size_t j = i + 1; j < places.size(); ++j)
                all.emplace_back(squared(places[i], places[j]), indices[i], indices[j], i, j);
        std::sort(all.begin(), all.end());
        std::vector<size_t> tree_of(places.size());
        std::iota(tree_of.begin(), tree_of.end(), 0);
        Pairs found;
        for (const auto& [length, low, high, i, j] : all) {
            const size_t a = tree_of[i], b = tree_of[j];
            if (a == b) continue;
            found.insert({low, high});
            std::replace(tree_of.begin(), tree_of.end(), a, b);
        }
        return found;
    }
};

/// What the kernels found, by pairs of input indices.
struct Found {
    std::map<Pair, uint32_t> words;
    std::map<Pair, double> alpha, beta;
    std::map<uint32_t, uint32_t> nearest;
    std::vector<double> triangle_alpha;
    std::vector<uint32_t> raw;

    Pairs with(uint32_t bit) const {
        Pairs pairs;
        for (const auto& [pair, word] : words)
            if (word & bit) pairs.insert(pair);
        return pairs;
    }
};

class Finder {
  public:
    /// False: all points lie on one line.
    bool triangulate(Context& context, const std::vector<Point>& points) {
        auto input = std::make_shared<Geometry>();
        input->points = points;
        strips_.set_records_states(false);
        strips_.reset(context, input, {});
        strips_.finish({});
        return strips_.mesh().triangle_count > 0;
    }
    Found find(Context& context, double beta) {
        const TriangleMesh& mesh = strips_.mesh();
        const StructureMesh seen = structure_mesh(mesh, mesh.infinite());
        CHECK(count_illegal(context, seen) == 0);
        structures_.find(context, seen, true);
        structures_.find_skeleton(context, seen, beta);
        Buffer<double> alpha("alpha"), triangle_alpha("triangle alpha"), betas("beta");
        alpha.resize(context, mesh.edge_count);
        betas.resize(context, mesh.edge_count);
        triangle_alpha.resize(context, mesh.triangle_count);
        write_alpha(context, seen, alpha, triangle_alpha);
        write_beta(context, seen, betas);
        Found found;
        found.raw = structures_.words().download();
        found.triangle_alpha = triangle_alpha.download();
        const std::vector<double> a = alpha.download(), b = betas.download();
        const std::vector<uint32_t> ends = mesh.edges.download(2 * mesh.edge_count), inputs = mesh.inputs.download();
        for (uint32_t e = 0; e < mesh.edge_count; ++e) {
            const uint32_t word = found.raw[e];
            CHECK(std::isnan(a[e]) == !(word & kFiniteEdge));
            if (!(word & kFiniteEdge)) continue;
            const uint32_t from = inputs[ends[2 * e]], to = inputs[ends[2 * e + 1]];
            const Pair pair = std::minmax(from, to);
            found.words[pair] = word;
            found.alpha[pair] = a[e];
            found.beta[pair] = b[e];
            if (word & kNearestOfFrom) CHECK(found.nearest.emplace(from, to).second);
            if (word & kNearestOfTo) CHECK(found.nearest.emplace(to, from).second);
        }
        return found;
    }

  private:
    Strips strips_;
    EdgeStructures structures_;
};

bool agree(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b)); }

void check(const Brute& brute, const Found& found, int64_t eighths) {
    CHECK(found.with(kInRelative) == brute.relative());
    CHECK(found.with(kOnHull) == brute.hull());
    CHECK(found.with(kInTree) == brute.tree());
    CHECK(found.nearest == brute.nearest());
    const auto skeleton = [&](int64_t by) {
        return brute.pairs([&](size_t i, size_t j) {
            // Edges of the triangulation, or for β > 1 any pair.
            return (by > 8 || found.words.count(brute.pair(i, j))) && brute.in_skeleton(i, j, by);
        });
    };
    CHECK(found.with(kInGabriel) == skeleton(8));
    CHECK(found.with(kInSkeleton) == skeleton(eighths));
    const Pairs strict = brute.pairs([&](size_t i, size_t j) {
        return brute.none(i, j, [](Place p, Place q, Place r) { return dot(r, p, r, q) <= 0; });
    });
    const Pairs gabriel = found.with(kInGabriel);
    CHECK(std::includes(gabriel.begin(), gabriel.end(), strict.begin(), strict.end()));
    for (size_t i = 0; i < brute.places.size(); ++i)
        for (size_t j = i + 1; j < brute.places.size(); ++j) {
            const auto edge = found.words.find(brute.pair(i, j));
            if (edge == found.words.end()) continue;
            const Place p = brute.places[i], q = brute.places[j];
            double least_beta = kMostBeta, alpha = INFINITY;
            for (size_t k = 0; k < brute.places.size(); ++k) {
                if (k == i || k == j) continue;
                const Place r = brute.places[k];
                const double pr = double(squared(p, r)), qr = double(squared(q, r)), c = double(cross(p, q, r));
                if (dot(r, p, r, q) < 0)
                    least_beta = std::min(least_beta, std::fabs(c) / std::sqrt(pr * qr));
                else if (dot(p, r, p, q) > 0 && dot(q, r, q, p) > 0)
                    least_beta = std::min(
                        least_beta, std::max(1., std::max(pr / double(dot(p, r, p, q)), qr / double(dot(q, r, q, p)))));
                if (c != 0 && found.words.count(brute.pair(i, k)) && found.words.count(brute.pair(j, k))) {
                    const double radius =
                        std::sqrt(pr) * std::sqrt(qr) * std::sqrt(double(squared(p, q))) / (2 * std::fabs(c));
                    bool empty = true;
                    for (const Place s : brute.places) {
                        const Integer ax = p.x - s.x, ay = p.y - s.y, bx = q.x - s.x, by = q.y - s.y, cx = r.x - s.x,
                                      cy = r.y - s.y;
                        const Integer determinant = (ax * ax + ay * ay) * (bx * cy - cx * by) +
                                                    (bx * bx + by * by) * (cx * ay - ax * cy) +
                                                    (cx * cx + cy * cy) * (ax * by - bx * ay);
                        empty &= (c > 0 ? determinant : -determinant) <= 0;
                    }
                    if (empty) alpha = std::min(alpha, radius);
                }
            }
            if (edge->second & kInGabriel) alpha = std::sqrt(double(squared(p, q))) / 2;
            INFO("beta ", found.beta.at(edge->first), " expected ", least_beta);
            CHECK(agree(found.beta.at(edge->first), least_beta));
            CHECK(agree(found.alpha.at(edge->first), alpha));
        }
}

std::vector<Point> points_of(const std::vector<Place>& places, double scale, double shift) {
    std::vector<Point> points;
    for (const Place p : places) points.push_back({(double(p.x) + shift) * scale, (double(p.y) - shift) * scale});
    return points;
}

}  // namespace

TEST_CASE("structures: as brute force in integers on small sets full of ties") {
    const size_t cases = case_count(10'000);
    on_every_device([&](Context& context) {
        Finder finder;
        for (size_t at = 0; at < cases; ++at) {
            const auto random = [&, k = uint32_t(0)](int64_t below) mutable {
                return int64_t(random_pair(at, k++).first * double(below));
            };
            auto next = random;
            const int64_t side = 2 + next(7), count = 3 + next(14);
            std::vector<Place> places;
            for (int64_t i = 0; i < count; ++i) {
                const int64_t x = next(side);
                places.push_back({x, next(side)});
            }
            const int64_t shift = at % 3 == 0 ? int64_t(1) << 40 : 0;
            const double scale = at % 5 == 0 ? 0x1p-150 : at % 5 == 1 ? 0x1p140 : 1;
            constexpr int64_t kEighths[] = {1, 3, 6, 7, 8, 9, 10, 12, 16, 20, 100, 4000};
            const int64_t eighths = kEighths[at % std::size(kEighths)];
            INFO("case ", at);
            if (!finder.triangulate(context, points_of(places, scale, double(shift)))) continue;
            Found found = finder.find(context, double(eighths) / 8);
            for (auto& [pair, alpha] : found.alpha) alpha /= scale;
            check(Brute(places), found, eighths);
        }
    });
}

TEST_CASE("structures: as brute force on larger sets, in clusters and far apart") {
    const size_t cases = case_count(40);
    on_every_device([&](Context& context) {
        Finder finder;
        for (size_t at = 0; at < cases; ++at) {
            std::vector<Place> places;
            for (uint32_t i = 0; i < 90; ++i) {
                const RandomPair pair = random_pair(1000 + at, i);
                const int64_t size = at % 2 == 0 || i % 30 == 0 ? 1 << 24 : 1 << (4 + i % 9);
                const int64_t corner = at % 2 == 0 ? 0 : int64_t(i % 3) << 26;
                places.push_back({corner + int64_t(pair.first * double(size)), int64_t(pair.second * double(size))});
            }
            INFO("case ", at);
            const int64_t eighths = int64_t(2) << at % 10;
            REQUIRE(finder.triangulate(context, points_of(places, 1, 0)));
            check(Brute(places), finder.find(context, double(eighths) / 8), eighths);
        }
    });
}

TEST_CASE("structures: the same bits on every device") {
    std::vector<Point> points;
    for (uint32_t i = 0; i < 30'000; ++i) {
        const RandomPair pair = random_pair(7, i);
        points.push_back(i % 3 ? Point{pair.first, pair.second} : Point{i % 200 / 256., double(i / 200) / 256});
    }
    std::vector<uint32_t> words;
    on_every_device([&](Context& context) {
        Finder finder;
        REQUIRE(finder.triangulate(context, points));
        const Found found = finder.find(context, 1.5);
        if (words.empty()) words = found.raw;
        CHECK(found.raw == words);
        CHECK(found.with(kInTree).size() + 1 == found.nearest.size());
        for (const auto& [pair, word] : found.words) {
            if (word & (kNearestOfFrom | kNearestOfTo)) CHECK((word & kInTree) != 0);
            if (word & kInTree) CHECK((word & kInRelative) != 0);
            if (word & kInRelative) CHECK((word & kInSkeleton) != 0);
            if (word & kInSkeleton) CHECK((word & kInGabriel) != 0);
        }
    });
}
