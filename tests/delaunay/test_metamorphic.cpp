// sanitizers: address
// How the triangulations of related sets of points are related, for all constructions: the relation is known even where
// no other program can triangulate the set. FLIPSCOPE_LONG_TESTS=1 FLIPSCOPE_TEST_SCALE=200 tests a million sets.
#include <map>
#include <memory>
#include <set>

#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/strips.h"
#include "delaunay/constructions/subdivision.h"
#include "delaunay/engines.h"
#include "delaunay/runs.h"
#include "judge/adversarial.h"

using namespace flipscope;

namespace {

uint32_t below(std::mt19937_64& random, uint32_t n) {
    return std::uniform_int_distribution<uint32_t>(0, n - 1)(random);
}
double uniform(std::mt19937_64& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

std::vector<Point> drawn_set(uint64_t number, std::mt19937_64& random) {
    if (number % 4 == 0) return adversarial_set(number / 4).points;
    if (number % 4 == 1) return few_coordinates(random)->points;
    // Mostly tens of points, sometimes a thousand.
    const uint32_t count = 3 + below(random, 40) * (below(random, 100) == 0 ? 25 : 1);
    const uint32_t kind = below(random, 7), side = 2 + below(random, 12);
    std::vector<Point> points(count);
    for (Point& p : points) {
        p = {uniform(random), uniform(random)};
        if (kind == 1) p = {std::round(0x1p30 * p.x), std::round(0x1p30 * p.y)};
        if (kind == 2) p = {std::floor(side * p.x), std::floor(side * p.y)};
        if (kind == 3) p = {std::ldexp(p.x, below(random, 50)) + 0x1p60, std::ldexp(p.y, below(random, 50)) - 0x1p60};
        const auto any = [&] { return std::ldexp(uniform(random) - 0.5, int(below(random, 390)) - 195); };
        if (kind == 4) p = {any(), any()};
        if (kind == 5) p.y = below(random, 20) ? 0x1p-40 * std::floor(3 * p.y) : p.y;  // nearly on a line
    }
    if (kind == 6) {
        points = lattice_circle_points(count);
        points.push_back({0, 0});
    }
    for (Point& p : points)
        for (double* v : {&p.x, &p.y})
            if (std::fabs(*v) < kMinCoordinate) *v = 0;
    return points;
}

/// The points of a set that is related to another one, each with the index of the first equal point there.
struct Related {
    std::vector<Point> points;
    std::vector<uint32_t> origins;
};

Related itself(const std::vector<Point>& points) {
    Related related{points, {}};
    std::map<std::pair<double, double>, uint32_t> first;
    for (uint32_t i = 0; i < points.size(); ++i)
        related.origins.push_back(first.emplace(std::pair{points[i].x + 0.0, points[i].y + 0.0}, i).first->second);
    return related;
}

template <class Map>
Related mapped(Related related, const Map& map) {
    for (Point& p : related.points) p = map(p);
    return related;
}

/// By the largest or any smaller power of two that keeps all coordinates in range.
Related scaled(const Related& set, std::mt19937_64& random) {
    double least = kMaxCoordinate, most = kMinCoordinate;
    for (const Point p : set.points)
        for (const double v : {std::fabs(p.x), std::fabs(p.y)})
            if (v > 0) least = std::min(least, v), most = std::max(most, v);
    const int lowest = -200 - std::ilogb(least), highest = 199 - std::ilogb(most);
    const int power = highest > lowest ? lowest + int(below(random, uint32_t(highest - lowest) + 1)) : 0;
    return mapped(set, [&](Point p) { return Point{std::ldexp(p.x, power), std::ldexp(p.y, power)}; });
}

/// By a vector that no coordinate rounds; or nothing where a few attempts find none.
std::optional<Related> shifted(const Related& set, std::mt19937_64& random) {
    double most = kMinCoordinate;
    for (const Point p : set.points) most = std::max({most, std::fabs(p.x), std::fabs(p.y)});
    for (int attempt = 0; attempt < 12; ++attempt) {
        const auto any = [&] {
            const double steps = double(below(random, 1u << (1 + below(random, 20))));
            return std::ldexp(below(random, 2) ? steps : -steps, std::ilogb(most) - int(below(random, 52)));
        };
        const Point by{any(), any()};
        bool exact = by.x != 0 || by.y != 0;
        const auto sum = [&](double a, double b) {
            const double s = a + b, part = s - a;
            exact = exact && a - (s - part) == 0 && b - part == 0 && coordinate_in_range(s);
            return s;
        };
        Related moved = mapped(set, [&](Point p) { return Point{sum(p.x, by.x), sum(p.y, by.y)}; });
        if (exact) return moved;
    }
    return std::nullopt;
}

Related permuted(const Related& set, std::mt19937_64& random) {
    std::vector<uint32_t> order(set.points.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    Related other;
    for (const uint32_t i : order) other.points.push_back(set.points[i]), other.origins.push_back(set.origins[i]);
    return other;
}

/// With copies after the points.
Related duplicated(Related set, std::mt19937_64& random) {
    const auto count = uint32_t(set.points.size());
    for (uint32_t k = 1 + below(random, count); k > 0; --k) {
        const uint32_t i = below(random, count);
        set.points.push_back(set.points[i]);
        set.origins.push_back(set.origins[i]);
    }
    return set;
}

/// Triangles by the origins of their points, sorted; on a line the points along it, from the end of the lower origin.
struct Made {
    Triangles triangles;
    std::vector<uint32_t> path;
    bool operator==(const Made&) const = default;
};

/// All constructions on one device, one set of points after the other.
class Makers {
  public:
    static constexpr const char* kNames[] = {"strips", "build", "subdivide", "serial"};

    explicit Makers(const DeviceUnderTest& device) : context_(device.request, device.threads) {}

    /// `named`: ties fall by the points' origins, not by their indices.
    Made make(uint64_t which, const Related& set, bool named) {
        which %= std::size(kNames);
        INFO(kNames[which]);
        const Input input = make_input("set", set.points);
        if (which == 0) return make(strips_, context_, input, StripsOptions{}, set, named);
        // From a sample and from one triangle.
        const InsertionOptions insertion{.fewest_sampled = set.points.size() % 2 ? 3u : 512u};
        if (which == 1) return make(insertion_, context_, input, insertion, set, named);
        if (which == 2) return make(subdivision_, context_, input, SubdivisionOptions{}, set, named);
        return make(serial_, host_, input, SerialOptions{}, set, named);
    }

  private:
    template <class Engine, class Options>
    Made make(Engine& engine, Context& context, const Input& input, const Options& options, const Related& set,
              bool named) {
        Buffer<uint32_t> names("names"), ranks("ranks");
        engine.set_records_states(false);
        engine.reset(context, input, options);
        if (named) {
            names.upload(context, set.origins.data(), set.origins.size());
            engine.name_points(names.view(), &ranks);
        }
        engine.finish({});
        const TriangleMesh& mesh = engine.mesh();
        std::vector<uint32_t> origins = mesh.inputs.download();
        if (!named)
            for (uint32_t v = 0; v < engine.distinct(); ++v) origins[v] = set.origins[origins[v]];
        Made made;
        for (const uint32_t v : engine.path()) made.path.push_back(origins[v]);
        if (!made.path.empty() && made.path.front() > made.path.back())
            std::reverse(made.path.begin(), made.path.end());
        if (mesh.triangle_count == 0) return made;
        const CheckReport report = check_mesh(context, mesh);
        REQUIRE_MESSAGE(report.passed, report.sentence);
        const std::vector<uint32_t> corners = mesh.triangles.download();
        for (size_t t = 0; t < mesh.triangle_count; ++t) {
            const uint32_t *const c = &corners[3 * t], last = std::max({c[0], c[1], c[2]});
            if (last < engine.distinct()) made.triangles.push_back({origins[c[0]], origins[c[1]], origins[c[2]]});
        }
        made.triangles = sorted_triangles(std::move(made.triangles));
        return made;
    }

    Context context_, host_{DeviceRequest::kCpu, 1};
    Strips strips_;
    Insertion insertion_;
    Subdivision subdivision_;
    SerialInsertion serial_;
};

Made mirrored(Made made) {
    for (auto& t : made.triangles) std::swap(t[1], t[2]);
    made.triangles = sorted_triangles(std::move(made.triangles));
    return made;
}

/// Edges that every Delaunay triangulation has, because their two triangles are not cocircular.
std::set<std::pair<uint32_t, uint32_t>> untied_edges(const std::vector<Point>& at, const Triangles& triangles) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> apexes;
    for (const auto& t : triangles)
        for (int k = 0; k < 3; ++k) apexes[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
    std::set<std::pair<uint32_t, uint32_t>> edges;
    for (const auto& [edge, apex] : apexes) {
        const auto [a, b] = edge;
        const auto across = apexes.find({b, a});
        if (across == apexes.end() || incircle(at[a], at[b], at[apex], at[across->second]) != 0)
            edges.insert({std::min(a, b), std::max(a, b)});
    }
    return edges;
}

/// Triangles whose circle holds none of these points, ties by rank.
Triangles without(const std::vector<Point>& at, Triangles triangles, const std::set<uint32_t>& points) {
    std::erase_if(triangles, [&](const auto& t) {
        return std::any_of(points.begin(), points.end(), [&](uint32_t i) {
            return incircle_tied(at[t[0]], at[t[1]], at[t[2]], at[i], t[0], t[1], t[2], i) > 0;
        });
    });
    return triangles;
}

}  // namespace

TEST_CASE("metamorphic: sets permuted, mirrored, turned, scaled, shifted, with copies and with points removed") {
    std::vector<std::unique_ptr<Makers>> makers;
    for (const DeviceUnderTest& device : devices_under_test()) makers.push_back(std::make_unique<Makers>(device));
    std::map<std::string, uint64_t> tested;
    uint64_t triangles = 0;
    const uint64_t sets = case_count(500);
    for (uint64_t i = 0; i < sets; ++i) {
        CAPTURE(i);
        std::mt19937_64 random(i);
        const Related set = itself(drawn_set(i, random));
        Makers& on = *makers[i % makers.size()];
        const Made made = on.make(3, set, false);
        uint64_t which = i;  // each relation meets each construction
        const auto require = [&](const char* relation, const Related& related, bool named, const Made& expected) {
            INFO(relation);
            const Made other = on.make(which++, related, named);
            REQUIRE(other == expected);
            triangles += other.triangles.size();
            ++tested[relation];
        };
        for (int k = 0; k < 3; ++k) require("itself", set, false, made);
        require("turned", mapped(set, [](Point p) { return Point{-p.y, p.x}; }), false, made);
        require("mirrored", mapped(set, [](Point p) { return Point{p.y, p.x}; }), false, mirrored(made));
        require("scaled", scaled(set, random), false, made);
        if (const auto moved = shifted(set, random)) require("shifted", *moved, false, made);
        require("with copies", duplicated(set, random), false, made);

        // By other numbers ties fall otherwise, but no other edge changes. By the same names nothing does.
        const Related other_order = permuted(set, random);
        require("permuted", other_order, true, made);
        const Made renumbered = on.make(which++, other_order, false);
        REQUIRE(untied_edges(set.points, renumbered.triangles) == untied_edges(set.points, made.triangles));
        REQUIRE(renumbered.triangles.size() == made.triangles.size());

        // What is left keeps the triangles that had no removed corner; its others are those that a removed point
        // forbade.
        std::set<uint32_t> removed;
        for (const uint32_t origin : set.origins)
            if (below(random, 8) == 0) removed.insert(origin);
        Related rest;
        for (size_t k = 0; k < set.points.size(); ++k)
            if (!removed.contains(set.origins[k]))
                rest.points.push_back(set.points[k]), rest.origins.push_back(set.origins[k]);
        INFO("removed");
        const Made left = on.make(which++, rest, true);
        Triangles kept = made.triangles;
        std::erase_if(kept, [&](const auto& t) {
            return std::any_of(t.begin(), t.end(), [&](uint32_t v) { return removed.contains(v); });
        });
        REQUIRE(without(set.points, left.triangles, removed) == kept);
        triangles += left.triangles.size() + renumbered.triangles.size();
        ++tested["removed"];
    }
    std::string counts;
    for (const auto& [relation, count] : tested) counts += ", " + relation + " " + std::to_string(count);
    MESSAGE(sets, " sets", counts, "; ", triangles, " triangles compared");
    CHECK(tested["shifted"] >= sets / 3);
}
