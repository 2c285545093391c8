// sanitizers: none
#include <cmath>
#include <set>
#include <string>

#include "geometry/generators.h"
#include "geometry/mesh_facts.h"
#include "geometry/mesh_generators.h"
#include "test_support.h"

using namespace flipscope;

namespace {

Geometry made_mesh(const std::string& text) { return generate(parse_generator(text)); }

bool same(const Geometry& a, const Geometry& b) {
    return a.points == b.points && a.heights == b.heights && a.triangles == b.triangles;
}

std::vector<GeneratorInfo> meshes() {
    std::vector<GeneratorInfo> infos;
    for (const GeneratorInfo& info : generators())
        if (info.makes != GeneratorOutput::kPoints) infos.push_back(info);
    return infos;
}

int64_t euler_of(const std::string& name) {
    return name == "sphere"                                                                 ? 2
           : name == "quad" || name == "triangular" || name == "worst" || name == "terrain" ? 1
                                                                                            : 0;
}

/// Ids in range, different in each triangle, and every vertex used.
void check_sound(const Geometry& mesh) {
    size_t bad = 0;
    for (const auto& t : mesh.triangles)
        bad += std::max({t[0], t[1], t[2]}) >= mesh.points.size() || t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
    REQUIRE(bad == 0);
    const MeshFacts facts = lesson_values(mesh);
    CHECK(facts.vertices == mesh.points.size());
    CHECK(facts.crowded_edges == 0);
}

}  // namespace

TEST_CASE("mesh generators: exactly the vertices asked for, each in a triangle, and the shape's Euler characteristic") {
    CHECK(meshes().size() >= 7);
    for (const GeneratorInfo& info : meshes()) {
        const uint64_t least = info.min_count;
        for (const uint64_t n :
             {least, least + 1, least + 2, least + 3, uint64_t{997}, uint64_t{1000}, uint64_t{20011}}) {
            const Geometry mesh = generate({.name = info.name, .count = n});
            INFO(mesh.name);
            CHECK(mesh.name == info.name + ":" + std::to_string(n));
            CHECK(mesh.points.size() == n);
            CHECK(mesh.in_space() == (info.makes == GeneratorOutput::kSurface));
            if (mesh.in_space()) CHECK(mesh.heights.size() == n);
            check_sound(mesh);
            const MeshFacts facts = lesson_values(mesh);
            CHECK(facts.euler == euler_of(info.name));
            const bool closed = info.name == "sphere" || info.name == "torus-knot" || info.name == "infinity";
            CHECK((facts.boundary_edges == 0) == closed);
            if (closed) CHECK(facts.volume > 0);
            CHECK((facts.repeated_edges > 0) == (info.name == "band"));
        }
    }
}

TEST_CASE("mesh generators: the same spec gives the same mesh, another seed gives another") {
    for (const GeneratorInfo& info : meshes()) {
        INFO(info.name);
        const Geometry once = generate({.name = info.name, .count = 500, .seed = 5});
        CHECK(same(once, generate({.name = info.name, .count = 500, .seed = 5})));
        CHECK_FALSE(same(once, generate({.name = info.name, .count = 500, .seed = 6})));
    }
}

TEST_CASE("mesh generators: those of the plane are triangulations of the convex hull, exactly") {
    for (const char* name : {"quad", "triangular", "worst"})
        for (uint64_t seed = 1; seed <= 3; ++seed)
            for (const uint64_t n : {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 25, 50, 100, 641, 3000, 22500}) {
                const Geometry mesh = generate({.name = name, .count = n, .seed = seed});
                INFO(mesh.name);
                CHECK(triangulates_hull(mesh));
            }
}

TEST_CASE("mesh generators: the quad is the unit square, and three in ten of its edges are illegal") {
    for (const uint64_t n : {2500, 10000, 40003}) {
        const Geometry mesh = generate({.name = "quad", .count = n});
        std::set<std::pair<double, double>> corners;
        bool inside = true;
        for (const Point p : mesh.points) {
            inside = inside && p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1;
            if ((p.x == 0 || p.x == 1) && (p.y == 0 || p.y == 1)) corners.emplace(p.x, p.y);
        }
        CHECK(inside);
        CHECK(corners.size() == 4);
        const double share = lesson_values(mesh).illegal_share;
        CHECK(share > 0.25);
        CHECK(share < 0.4);
    }
    CHECK(lesson_values(made_mesh("quad:10000")).edges == 3 * 100 * 100 - 2 * 100 - 2 * 100 + 1);
}

TEST_CASE("mesh generators: surfaces are worth mending, yet no triangle is empty and none is folded onto another") {
    for (const GeneratorInfo& info : meshes()) {
        if (info.makes != GeneratorOutput::kSurface) continue;
        for (const uint64_t n : {3000, 10000, 50021}) {
            const Geometry mesh = generate({.name = info.name, .count = n, .seed = n});
            INFO(mesh.name);
            const MeshFacts facts = lesson_values(mesh);
            CHECK(facts.illegal_share > 0.2);
            CHECK(facts.illegal_share < 0.5);
            CHECK(facts.smallest > 0.02);
            CHECK(facts.steepest < 1.5);
        }
    }
}

TEST_CASE("mesh generators: closed surfaces enclose what they should") {
    CHECK(lesson_values(made_mesh("sphere:20000")).volume == doctest::Approx(4.18879).epsilon(0.01));
    // Pappus: the tube's section times the length of its axis
    CHECK(lesson_values(made_mesh("torus-knot:50000")).volume ==
          doctest::Approx(31.8986 * 0.16 * 3.14159265).epsilon(0.02));
    double farthest = 0;
    const Geometry sphere = made_mesh("sphere:5000");
    for (size_t i = 0; i < sphere.points.size(); ++i)
        farthest = std::max(farthest, std::fabs(dot(sphere.at(i), sphere.at(i)) - 1));
    CHECK(farthest < 1e-12);
}

TEST_CASE("mesh generators: no two triangles of a tube or a sphere meet but at their vertices and edges") {
    // Two triangles that cross have an edge of one through the other. Few vertices: every pair is tried.
    for (const char* text : {"sphere:200", "infinity:600", "torus-knot:600", "band:200"}) {
        const Geometry mesh = made_mesh(text);
        INFO(text);
        const auto at = [&](uint32_t v) { return mesh.at(v); };
        const auto volume = [](Point3 a, Point3 b, Point3 c, Point3 d) { return dot(d - a, cross(b - a, c - a)); };
        size_t crossings = 0;
        for (const auto& s : mesh.triangles)
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t from = s[k], to = s[(k + 1) % 3];
                const Point3 p = at(from), q = at(to);
                for (const auto& t : mesh.triangles) {
                    if (std::count(t.begin(), t.end(), from) || std::count(t.begin(), t.end(), to)) continue;
                    const Point3 a = at(t[0]), b = at(t[1]), c = at(t[2]);
                    if ((volume(a, b, c, p) > 0) == (volume(a, b, c, q) > 0)) continue;
                    const bool u = volume(p, q, a, b) > 0, v = volume(p, q, b, c) > 0, w = volume(p, q, c, a) > 0;
                    crossings += u == v && v == w;
                }
            }
        CHECK(crossings == 0);
    }
}

TEST_CASE("mesh generators: scale and offset move the whole, and a mirrored surface still faces outwards") {
    const Geometry plain = made_mesh("sphere:500"), moved = made_mesh("sphere:500@scale=2,x=10,y=-3");
    CHECK(moved.triangles == plain.triangles);
    for (size_t i = 0; i < plain.points.size(); ++i) {
        CHECK(moved.points[i] == Point{plain.points[i].x * 2 + 10, plain.points[i].y * 2 - 3});
        CHECK(moved.heights[i] == plain.heights[i] * 2);
    }
    CHECK(lesson_values(made_mesh("torus-knot:1000@scale=-3")).volume > 0);
    CHECK(triangulates_hull(made_mesh("quad:1000@scale=-4")));
    CHECK(triangulates_hull(made_mesh("worst:100@scale=0.5,x=1048576,y=-7")));
}

TEST_CASE("mesh generators: too few vertices are answered with a sentence, and any mesh can be written down") {
    for (const GeneratorInfo& info : meshes()) {
        for (const uint64_t n : {uint64_t{0}, info.min_count - 1})
            CHECK(error_of([&] { generate({.name = info.name, .count = n}); }) ==
                  "generator \"" + info.name + "\" needs at least " + std::to_string(info.min_count) +
                      " vertices, asked for " + std::to_string(n));
        const GeneratorSpec spec{.name = info.name, .count = 400, .seed = 3, .scale = 0.5, .offset = {1, 2}};
        CHECK(same(generate(parse_generator(generator_text(spec))), generate(spec)));
    }
    CHECK_THROWS_WITH_AS(parse_generator("torus_knot:1000"), doctest::Contains("did you mean \"torus-knot\"?"), Error);
}
