// Walking: every point is found from every triangle, on edges and outside the hull too, whether or not the
// triangulation is Delaunay yet.
#include "delaunay/constructions/locate.h"

#include <random>

#include "compute/launch.h"
#include "delaunay/runs.h"

using namespace flipscope;

namespace {

struct WalkFrom {
    Walk walk;
    View<const Point> targets;
    View<const uint32_t> starts;
    View<uint32_t> words;
    FLIPSCOPE_HD void operator()(uint32_t i) const { words[i] = walk(targets[i], starts[i]).word; }
};

struct Target {
    Point p;
    uint32_t start;
};

/// Where the targets lie, walked to on the context's device.
std::vector<Location> locate(Context& context, const TriangleMesh& mesh, const StarCentre& star,
                             const std::vector<Target>& targets, uint32_t most_steps = kNone,
                             PredicateMode mode = PredicateMode::kExact) {
    std::vector<Point> points;
    std::vector<uint32_t> starts;
    for (const Target& target : targets) {
        points.push_back(target.p);
        starts.push_back(target.start);
    }
    Buffer<Point> at("targets");
    Buffer<uint32_t> from("starts"), words("places");
    at.upload(context, points.data(), points.size());
    from.upload(context, starts.data(), starts.size());
    words.resize(context, points.size());
    launch(context, "test.walk", uint32_t(points.size()),
           WalkFrom{{mesh.view(), star, mode, most_steps}, at.view(), from.view(), words.view()});
    std::vector<Location> places;
    for (const uint32_t word : words.download()) places.push_back({word});
    return places;
}

/// The side of c's ray through v, from a centre that has coordinates.
int side_of_ray(Point c, Point v, Point p) { return orient2d(c, v, p); }

struct LocatedMesh {
    std::vector<Point> at;
    std::vector<uint32_t> corners;
    uint32_t infinite;
    explicit LocatedMesh(const TriangleMesh& mesh)
        : at(mesh.positions.download()),
          corners(mesh.triangles.download(3 * size_t(mesh.triangle_count))),
          infinite(mesh.infinite()) {}
};

/// Counts answers that are wrong: of finite triangles by their three orientations, of ghosts by the half plane.
size_t count_wrong(const LocatedMesh& mesh, const std::vector<Target>& targets, const std::vector<Location>& places) {
    size_t wrong = 0;
    for (size_t i = 0; i < targets.size(); ++i) {
        const uint32_t t = places[i].triangle();
        const uint32_t* v = &mesh.corners[3 * size_t(t)];
        const Point p = targets[i].p;
        int zeros = 0, zero_at = 0;
        bool holds = true;
        for (int k = 0; k < 3; ++k) {
            if (v[k] == mesh.infinite || v[(k + 1) % 3] == mesh.infinite) continue;
            const bool ghost = v[(k + 2) % 3] == mesh.infinite;
            const int side = orient2d(mesh.at[v[k]], mesh.at[v[(k + 1) % 3]], p);
            holds = holds && (ghost ? side > 0 : side >= 0);  // a point on the hull is the finite triangle's
            if (side == 0) ++zeros, zero_at = k;
        }
        const bool edge = zeros == 1 ? places[i].is_on_edge() && places[i].corner() == 3 * t + uint32_t(zero_at)
                                     : !places[i].is_on_edge();
        wrong += !holds || !edge;
    }
    return wrong;
}

}  // namespace

TEST_CASE("locate: the star's centre answers like a point just inside the first triangle's corner, without ties") {
    const StarCentre star{{0, 0}, {4, 0}, {0, 4}};
    // ε = 2^-30, ε² = 2^-60: exact in doubles, smaller than any lattice angle here.
    const Point near{4 * 0x1p-30, 4 * 0x1p-60};
    for (int x = -6; x <= 6; ++x)
        for (int y = -6; y <= 6; ++y)
            for (int u = -6; u <= 6; ++u)
                for (int w = -6; w <= 6; ++w) {
                    const Point v{double(x), double(y)}, p{double(u), double(w)};
                    if (v == p || p == star.a) continue;
                    const int side = star.side(PredicateMode::kExact, v, p);
                    CHECK(side != 0);
                    CHECK(side == side_of_ray(near, v, p));
                }
    const StarCentre turned{{1, 2}, {-3, 1}, {5, -7}};
    const double e = 0x1p-26;
    const Point beside{1 - 4 * e + 4 * e * e, 2 - e - 9 * e * e};
    for (int x = -5; x <= 7; ++x)
        for (int y = -5; y <= 7; ++y)
            for (int k = -4; k <= 4; ++k) {  // all on lines through the corner
                const Point v{double(x), double(y)}, p{1 + k * (x - 1.0), 2 + k * (y - 2.0)};
                if (v == p || p == turned.a || v == turned.a) continue;
                CHECK(turned.side(PredicateMode::kExact, v, p) == side_of_ray(beside, v, p));
            }
}

TEST_CASE("locate: every kind of place is found from every kind of start, in any triangulation") {
    on_every_device([&](Context& context) {
        for (const char* text : {"uniform:300", "grid:256", "ring:100", "spiral:300", "uniform:3", "near-ring:64"})
            for (const Settings& settings : {Settings{}, Settings{"flips=off"}}) {
                INFO(text, " ", settings.empty() ? "" : settings[0]);
                const auto lab = finished(context, generated(text), "build", settings);
                const TriangleMesh& mesh = *lab->scene().mesh;
                const LocatedMesh host(mesh);
                // The star's centre must be where the lab had it: the first triangle, found again.
                const StarCentre star = [&] {
                    const auto again = started(context, generated(text), "build", settings);
                    again->step();
                    again->step();
                    uint32_t v[3];
                    again->scene().mesh->triangles.download(v, 3);
                    return StarCentre{host.at[v[0]], host.at[v[1]], host.at[v[2]]};
                }();
                std::mt19937_64 random(9);
                const Scene scene = lab->scene();
                const double extent = std::max(scene.high.x - scene.low.x, scene.high.y - scene.low.y);
                std::uniform_real_distribution<double> place(-2, 3);
                std::vector<Target> targets;
                const auto add = [&](Point p) {
                    if (std::find(host.at.begin(), host.at.end(), p) == host.at.end())
                        targets.push_back({p, uint32_t(random() % mesh.triangle_count)});
                };
                for (size_t i = 0; i < case_count(400); ++i)
                    add({scene.low.x + extent * place(random), scene.low.y + extent * place(random)});
                for (size_t i = 0; i < case_count(200); ++i) {  // middles of edges, and places on lines beyond corners
                    const uint32_t t = uint32_t(random() % mesh.triangle_count), k = uint32_t(random() % 3);
                    const uint32_t a = host.corners[3 * t + k], b = host.corners[3 * t + (k + 1) % 3];
                    if (std::max(a, b) >= host.infinite) continue;
                    const Point p = host.at[a], q = host.at[b];
                    add({p.x + (q.x - p.x) / 2, p.y + (q.y - p.y) / 2});
                    add({q.x + (q.x - p.x), q.y + (q.y - p.y)});
                    add({star.a.x + 2 * (q.x - star.a.x), star.a.y + 2 * (q.y - star.a.y)});
                }
                const auto places = locate(context, mesh, star, targets);
                CHECK(count_wrong(host, targets, places) == 0);
                // Outside the hull the answer is one ghost only, wherever the walk began.
                std::vector<Target> again = targets;
                for (Target& target : again) target.start = uint32_t(random() % mesh.triangle_count);
                const auto places_again = locate(context, mesh, star, again);
                size_t differing = 0;
                for (size_t i = 0; i < targets.size(); ++i)
                    differing += !places[i].is_on_edge() && places[i].word != places_again[i].word;
                CHECK(differing == 0);
            }
    });
}
