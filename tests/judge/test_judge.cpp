// The verdict on triangulations: each defect on its smallest input, and mutated triangulations against a second opinion
// that tests all pairs in integers.
#include "judge/judge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "flipscope/predicates.h"
#include "flipscope/triangulate.h"
#include "geometry/generators.h"
#include "mesh/validate.h"
#include "oracle.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using oracle::Lattice;
using oracle::Triangle;

/// A triangulation and what is done to it.
struct Case {
    std::vector<Lattice> points;
    std::vector<Triangle> triangles;
};

/// How lattice points become doubles: the signs of all predicates stay the same, exactly.
struct Embedding {
    double step, shift;
    Point operator()(Lattice p) const {
        return {shift + step * static_cast<double>(p.x), shift + step * static_cast<double>(p.y)};
    }
};
constexpr Embedding kEmbeddings[] = {{1, 0}, {0x1p-44, 1}, {0x1p-29, 5e6}, {0x1p100, 0}, {0x1p-150, 0}};

Geometry embedded(const Case& given, const Embedding& embedding) {
    Geometry geometry{"test", {}, {}, given.triangles};
    for (const Lattice p : given.points) geometry.points.push_back(embedding(p));
    return geometry;
}

std::vector<Triangle> triangulated(Context& context, const std::vector<Lattice>& points) {
    std::vector<Point> places;
    for (const Lattice p : points) places.push_back({static_cast<double>(p.x), static_cast<double>(p.y)});
    return triangulate(context, places).triangles;
}

class Mutations {
  public:
    Mutations(Context& context, uint32_t seed) : context_(context), random_(seed) {}

    Case start() {
        Case made;
        const uint32_t count = 3 + below(9);
        const int64_t size = std::array<int64_t, 4>{3, 5, 17, 256}[below(4)];
        for (uint32_t i = 0; i < count; ++i) made.points.push_back(anywhere(size));
        made.triangles = triangulated(context_, made.points);
        return made;
    }

    void mutate(Case& c) {
        const auto n = static_cast<uint32_t>(c.points.size());
        const auto t = static_cast<uint32_t>(c.triangles.size());
        switch (below(15)) {
            case 0:
                if (t) c.triangles.erase(c.triangles.begin() + below(t));
                break;
            case 1:
                flip(c);
                break;
            case 2:
                if (t) std::swap(c.triangles[below(t)][0], c.triangles[below(t)][1]);
                break;
            case 3:
                if (t) {
                    Triangle again = c.triangles[below(t)];
                    std::rotate(again.begin(), again.begin() + below(3), again.end());
                    if (below(2)) std::swap(again[0], again[1]);
                    c.triangles.insert(c.triangles.begin() + below(t + 1), again);
                }
                break;
            case 4:
                c.points[below(n)] = anywhere(256);
                break;
            case 5:
                if (t) c.triangles[below(t)][below(3)] = below(n);
                break;
            case 6:
                c.triangles.push_back({below(n), below(n), below(n)});
                break;
            case 7:
                if (t) c.triangles[below(t)][below(3)] = n + below(2);
                break;
            case 8:
                c.points.push_back(anywhere(below(2) ? 5 : 256));
                break;
            case 9:  // a copy of a point, in some of its triangles
                c.points.push_back(c.points[below(n)]);
                for (Triangle& corners : c.triangles)
                    for (uint32_t& v : corners)
                        if (v <= n && c.points[v] == c.points[n] && below(3) == 0) v = n;
                break;
            case 10:  // all the other way round
                for (Triangle& corners : c.triangles) std::swap(corners[1], corners[2]);
                break;
            case 11: {  // without one point, and no hole
                const uint32_t without = below(n);
                std::vector<Lattice> rest = c.points;
                rest.erase(rest.begin() + without);
                c.triangles = triangulated(context_, rest);
                for (Triangle& corners : c.triangles)
                    for (uint32_t& v : corners) v += v >= without;
                break;
            }
            case 12:  // a star is gone
                if (t) {
                    const uint32_t gone = c.triangles[below(t)][below(3)];
                    std::erase_if(c.triangles, [&](const Triangle& corners) {
                        return std::count(corners.begin(), corners.end(), gone) > 0;
                    });
                }
                break;
            case 13:
                std::shuffle(c.triangles.begin(), c.triangles.end(), random_);
                break;
            default:
                break;  // as it is
        }
    }

    uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

  private:
    Lattice anywhere(int64_t size) {
        return {static_cast<int64_t>(random_() % static_cast<uint64_t>(size)),
                static_cast<int64_t>(random_() % static_cast<uint64_t>(size))};
    }
    void flip(Case& c) {
        for (uint32_t s = 0; s < c.triangles.size(); ++s)
            for (uint32_t t = 0; t < c.triangles.size(); ++t)
                for (int k = 0; k < 3; ++k)
                    for (int m = 0; m < 3; ++m) {
                        Triangle &a = c.triangles[s], &b = c.triangles[t];
                        if (s == t || a[k] != b[(m + 1) % 3] || a[(k + 1) % 3] != b[m] || below(4)) continue;
                        const uint32_t from = a[k], to = a[(k + 1) % 3], left = a[(k + 2) % 3], right = b[(m + 2) % 3];
                        a = {right, left, from};
                        b = {left, right, to};
                        return;
                    }
    }

    Context& context_;
    std::mt19937 random_;
};

/// Ids of what each failure of a code is about, as the second opinion has them.
std::map<std::string, std::set<std::vector<uint32_t>>> defects_of(const Judgement& judgement,
                                                                  const Geometry& geometry) {
    std::map<std::string, std::set<std::vector<uint32_t>>> found;
    const auto first = [&](uint32_t v) {
        return static_cast<uint32_t>(std::find(geometry.points.begin(), geometry.points.end(), geometry.points[v]) -
                                     geometry.points.begin());
    };
    for (const CheckFailure& failure : judgement.report.failures) {
        std::vector<uint32_t> ids;
        const auto edge = [&](size_t i) {
            REQUIRE(failure.elements.at(i).kind == ElementKind::kEdge);
            const VertexPair pair = judgement.edges.at(failure.elements[i].id);
            ids.insert(ids.end(), pair.begin(), pair.end());
        };
        if (failure.code == "missing-area") {
            continue;
        } else if (failure.code == "illegal-edge") {
            edge(0);
            for (uint32_t& v : ids) v = first(v);
            std::sort(ids.begin(), ids.end());
        } else if (failure.code == "edge-with-three-triangles" || failure.code == "folded-edge") {
            edge(0);
        } else if (failure.code == "crossing-edges") {
            edge(0);
            edge(1);
        } else if (failure.code == "vertex-on-edge") {
            ids.push_back(failure.elements.at(0).id);
            edge(1);
        } else if (failure.code == "overlapping-triangles") {
            ids = {failure.elements.at(0).id, failure.elements.at(1).id};
        } else if (failure.code == "missing-hull-edge") {
            ids.assign(failure.vertices.begin(), failure.vertices.end());
        } else {
            ids.push_back(failure.elements.at(0).id);
        }
        CHECK(found[failure.code].insert(ids).second);  // nothing twice
    }
    return found;
}

std::string text_of(const Case& given) {
    std::string text = "points";
    for (const Lattice p : given.points) text += " " + std::to_string(p.x) + "," + std::to_string(p.y);
    text += "; triangles";
    for (const Triangle& c : given.triangles)
        text += " " + std::to_string(c[0]) + "," + std::to_string(c[1]) + "," + std::to_string(c[2]);
    return text;
}

std::string text_of(const std::map<std::string, std::set<std::vector<uint32_t>>>& defects) {
    std::string text;
    for (const auto& [code, all] : defects) {
        text += code + ":";
        for (const auto& ids : all) {
            for (const uint32_t id : ids) text += " " + std::to_string(id);
            text += ";";
        }
        text += "\n";
    }
    return text;
}

void compare_with_oracle(Context& context, const Case& given, const Embedding& embedding) {
    INFO(text_of(given));
    const oracle::Opinion expected = oracle::judge(given.points, given.triangles);
    const Geometry geometry = embedded(given, embedding);
    const Judgement judgement = judge(context, geometry);
    INFO(judgement.report.sentence);
    CHECK(judgement.searched_all);
    CHECK(judgement.triangulation == expected.triangulation);
    CHECK(error_of([&] { require_triangulation(geometry); }, "").empty() == expected.triangulation);
    CHECK(judgement.complete == expected.complete);
    CHECK(judgement.delaunay == expected.delaunay);
    CHECK(judgement.report.passed == (expected.triangulation && expected.complete && expected.delaunay));
    CHECK(judgement.report.failure_count == judgement.report.failures.size());
    CHECK(text_of(defects_of(judgement, geometry)) == text_of(expected.defects));
    const auto as_set = [](const std::vector<VertexPair>& pairs) {
        return std::set<oracle::Pair>(pairs.begin(), pairs.end());
    };
    for (const CheckFailure& failure : judgement.report.failures)
        if (failure.code == "circle-not-empty") {  // "point 13 lies inside the circle of triangle 5"
            INFO(failure.sentence);
            const auto corner = [&](int k) { return geometry.points[geometry.triangles[failure.elements[0].id][k]]; };
            const Point inside = geometry.points.at(std::stoul(failure.sentence.substr(6)));
            CHECK(incircle(corner(0), corner(1), corner(2), inside) * orient2d(corner(0), corner(1), corner(2)) > 0);
        }
    CHECK(as_set(judgement.differences.missed) == expected.missed);
    CHECK(as_set(judgement.differences.spurious) == expected.spurious);
    CHECK(as_set(judgement.differences.ties) == expected.ties);
    double area = 0;
    for (const Hole& hole : judgement.holes) {
        const double in_steps = hole.area / embedding.step / embedding.step;
        area += in_steps;
        CHECK(hole.area > 0);
        // The place in it is made of rounded numbers, which say nothing about slivers.
        if (in_steps > 0.5 && embedding.shift == 0)
            CHECK(oracle::is_uncovered(given.points, given.triangles, hole.inside.x / embedding.step,
                                       hole.inside.y / embedding.step));
    }
    CHECK(area == doctest::Approx(expected.missing_area).epsilon(1e-9));
    CHECK((judgement.holes.empty() == (expected.missing_area < 1e-9)));
}

std::map<std::string, size_t> counts_of(const Judgement& judgement) {
    std::map<std::string, size_t> counts;
    for (const CheckFailure& failure : judgement.report.failures) ++counts[failure.code];
    return counts;
}
using Counts = std::map<std::string, size_t>;

}  // namespace

TEST_CASE("judge: of mutated triangulations all that is wrong is found, and nothing is invented") {
    Context context(DeviceRequest::kCpu, 1);
    const size_t cases = case_count(10'000);
    std::map<std::string, size_t> seen;
    size_t sound = 0;
    for (uint32_t i = 0; i < cases; ++i) {
        Mutations mutations(context, i);
        Case made = mutations.start();
        for (uint32_t k = 0; k < i % 4; ++k) mutations.mutate(made);
        compare_with_oracle(context, made, kEmbeddings[mutations.below(5)]);
        const oracle::Opinion opinion = oracle::judge(made.points, made.triangles);
        for (const auto& [code, all] : opinion.defects) ++seen[code];
        sound += opinion.triangulation && opinion.complete && opinion.delaunay;
    }
    if (cases < 1000) return;
    CHECK(sound > cases / 10);
    for (const DefectCode& known : defect_codes()) {
        if (known.code == std::string("missing-area") || known.code == std::string("no-triangulation")) continue;
        INFO(known.code);
        CHECK(seen[known.code] > cases / 200);
    }
}

TEST_CASE("judge: each defect is named on its smallest input") {
    Context context(DeviceRequest::kCpu, 1);
    const auto of = [&](std::vector<Point> points, std::vector<Triangle> triangles) {
        return judge(context, {"test", std::move(points), {}, std::move(triangles)});
    };
    const std::vector<Point> kite{{0, 0}, {4, -1}, {8, 0}, {4, 1}};
    SUBCASE("a Delaunay triangulation") {
        const Judgement found = of(kite, {{0, 1, 3}, {1, 2, 3}});
        CHECK(found.report.passed);
        CHECK(found.report.sentence == "test is a Delaunay triangulation of all 4 points: 2 triangles");
        CHECK(found.differences.missed.empty());
        CHECK(found.differences.spurious.empty());
        CHECK(found.exact_edges == 5);
        CHECK(found.edge_count == 5);
        CHECK(of(kite, {{0, 1, 3}, {1, 2, 3}, {0, 1, 3}}).edge_count == 5);  // with a triangle twice
    }
    SUBCASE("an illegal edge, and by how much") {
        const Judgement found = of(kite, {{0, 1, 2}, {0, 2, 3}});
        CHECK(counts_of(found) == Counts{{"illegal-edge", 1}});
        CHECK(found.triangulation);
        CHECK(found.complete);
        CHECK_FALSE(found.delaunay);
        const double angle = 2 * std::atan2(4, 1) * 180 / 3.14159265358979323846;
        CHECK(found.report.failures[0].value == doctest::Approx(2 * angle - 180));
        CHECK(found.differences.missed == std::vector<VertexPair>{{1, 3}});
        CHECK(found.differences.spurious == std::vector<VertexPair>{{0, 2}});
        CHECK(found.differences.ties.empty());
    }
    SUBCASE("an illegal edge by less than a sum of angles in doubles can tell") {
        for (const double step : {0x1p-40, 0x1p-60, 0x1p-190}) {
            const Judgement found = of({{0, 0}, {1, 0}, {1, 1}, {step, 1}}, {{0, 1, 2}, {0, 2, 3}});
            REQUIRE(counts_of(found) == Counts{{"illegal-edge", 1}});
            CHECK(found.report.failures[0].value == doctest::Approx(step * 180 / 3.14159265358979323846).epsilon(1e-6));
            CHECK_FALSE(contains(found.report.failures[0].sentence, "by 0"));
        }
    }
    SUBCASE("an inverted triangle") {
        const Judgement found = of(kite, {{0, 1, 3}, {1, 3, 2}});
        CHECK(counts_of(found) == Counts{{"inverted-triangle", 1}});
        CHECK(found.report.failures[0].vertices == std::vector<int64_t>{1, 3, 2});
        CHECK(contains(found.report.sentence, "of all 4 points (2 triangles): 1 inverted triangle"));
    }
    SUBCASE("copies of points are counted") {
        CHECK(contains(of({{0, 0}, {1, 0}, {0, 1}, {1, 0}}, {{0, 1, 2}}).report.sentence,
                       "; 1 point lies at the place of another"));
    }
    SUBCASE("a tie is legal either way") {
        const std::vector<Point> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        const Judgement one = of(square, {{0, 1, 2}, {0, 2, 3}}), other = of(square, {{0, 1, 3}, {1, 2, 3}});
        CHECK(one.report.passed);
        CHECK(other.report.passed);
        CHECK(one.differences.missed.size() + other.differences.missed.size() == 1);
        CHECK(one.differences.ties.size() + other.differences.ties.size() == 2);
    }
    SUBCASE("a hole, with its outline and area") {
        const std::vector<Point> star{{0, 0}, {6, 0}, {0, 6}, {1, 1}, {2, 1}, {1, 2}};
        const Judgement found = of(star, {{0, 1, 4}, {0, 4, 3}, {1, 5, 4}, {1, 2, 5}, {2, 0, 3}, {2, 3, 5}});
        REQUIRE(found.holes.size() == 1);
        CHECK(found.holes[0].vertices == std::vector<uint32_t>{3, 4, 5});
        CHECK(found.holes[0].area == 0.5);
        CHECK(contains(found.report.failures[0].sentence, "; points along its outline: 3, 4, 5"));
        CHECK(found.triangulation);
        CHECK_FALSE(found.complete);
    }
    SUBCASE("triangles that overlap") {
        const Judgement found = of({{0, 0}, {4, 0}, {2, 3}, {0, 2}, {2, -1}, {4, 2}}, {{0, 1, 2}, {3, 4, 5}});
        CHECK_FALSE(found.triangulation);
        CHECK(contains(found.report.sentence,
                       "of all 6 points (2 triangles): 1 pair of overlapping triangles, 6 pairs of crossing edges, "));
    }
    SUBCASE("no triangles at all") {
        const Judgement found = of(kite, {});
        CHECK(found.triangulation);
        CHECK_FALSE(found.complete);
        CHECK(counts_of(found) == Counts{{"missing-area", 1}, {"missing-hull-edge", 4}, {"unused-point", 4}});
    }
    SUBCASE("points on one line have no triangle, and that is right") {
        for (const std::vector<Point>& line :
             {std::vector<Point>{}, {{1, 1}}, {{1, 1}, {1, 1}}, {{0, 0}, {1, 1}, {2, 2}, {1, 1}}}) {
            const Judgement found = of(line, {});
            CHECK(found.report.passed);
            CHECK(found.in_one_line);
        }
        CHECK(counts_of(of({{0, 0}, {1, 1}, {2, 2}}, {{0, 1, 2}})) == Counts{{"flat-triangle", 1}});
    }
}

TEST_CASE("judge: what cannot be judged is refused with a sentence") {
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_AS(judge(context, {"t", {{0, 0}, {1, 0}, {0, std::nan("")}}, {}, {{0, 1, 2}}}), Error);
    CHECK_THROWS_AS(judge(context, {"t", {{0, 0}, {1, 0}, {0, 1}}, {0, 0, 1}, {{0, 1, 2}}}), Error);
}

TEST_CASE("judge: the exact triangulation of every kind of points passes") {
    for (const char* name : {"uniform:2000", "grid:2000", "ring:500", "near-ring:300", "clusters:2000", "line:50"}) {
        INFO(name);
        for (const int threads : {1, 3}) {
            Context context(DeviceRequest::kCpu, threads);
            Geometry geometry = generate(parse_generator(name));
            geometry.triangles = triangulate(context, geometry.points).triangles;
            const Judgement whole = judge(context, geometry);
            CHECK(whole.report.passed);
            CHECK(whole.differences.missed.empty());
            CHECK(whole.differences.spurious.empty());
            CHECK(whole.exact == geometry.triangles);
        }
    }
}

TEST_CASE("judge: of tens of thousands of holes each is found, and islands in them are left out") {
    Context context(DeviceRequest::kCpu, 2);
    Geometry ladder{"two lines", {}, {}, {}};  // every triangle is as wide as all of it
    for (int i = 0; i < 5000; ++i) {
        ladder.points.push_back({0, i + 0.3 * (i % 7) / 7});
        ladder.points.push_back({1, i + 0.5 + 0.3 * (i % 11) / 11});
    }
    for (Geometry whole : {generate(parse_generator("uniform:30000")), ladder}) {
        whole.triangles = triangulate(context, whole.points).triangles;
        const auto area_of = [&](const Triangle& c) {
            const Point p = whole.points[c[0]], q = whole.points[c[1]], r = whole.points[c[2]];
            return ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / 2;
        };
        for (const double share : {0.05, 0.5, 0.9}) {
            CAPTURE(share);
            std::mt19937 random(11);
            Geometry torn = whole;
            torn.triangles.clear();
            std::vector<Triangle> removed;
            for (const Triangle& triangle : whole.triangles)
                (random() < share * 4294967296.0 ? removed : torn.triangles).push_back(triangle);
            // Two removed triangles with a common edge are one hole.
            std::vector<uint32_t> parent(removed.size());
            std::iota(parent.begin(), parent.end(), 0u);
            const auto root_of = [&](uint32_t i) {
                while (parent[i] != i) i = parent[i] = parent[parent[i]];
                return i;
            };
            std::map<std::pair<uint32_t, uint32_t>, uint32_t> first_at;
            size_t expected = removed.size();
            double area = 0, found_area = 0;
            for (uint32_t i = 0; i < removed.size(); ++i) {
                area += area_of(removed[i]);
                for (uint32_t k = 0; k < 3; ++k) {
                    const uint32_t a = removed[i][k], b = removed[i][(k + 1) % 3];
                    const auto [at, is_new] = first_at.try_emplace(std::minmax(a, b), i);
                    if (is_new || root_of(at->second) == root_of(i)) continue;
                    parent[root_of(i)] = root_of(at->second);
                    --expected;
                }
            }
            const Judgement found = judge(context, torn);
            CHECK(found.searched_all);
            CHECK(found.triangulation);
            CHECK(found.delaunay);
            CHECK_FALSE(found.complete);
            CHECK(found.holes.size() == expected);
            for (const Hole& hole : found.holes) found_area += hole.area;
            CHECK(found_area == doctest::Approx(area).epsilon(1e-9));
        }
    }
}

TEST_CASE("judge: the triangular lattice is Delaunay as it is generated, without a tie") {
    Context context(DeviceRequest::kCpu, 1);
    for (const char* name : {"triangular:4", "triangular:5", "triangular:7", "triangular:11", "triangular:12",
                             "triangular:97", "triangular:400", "triangular:5003", "triangular:997@seed=9"}) {
        INFO(name);
        const Judgement found = judge(context, generate(parse_generator(name)));
        CHECK(found.report.passed);
        CHECK(found.differences.missed.empty());
        CHECK(found.differences.spurious.empty());
    }
}
