// Reports on vertices, edges and triangles: value and error bound separately, flat triangles and ghosts by their names,
// and coordinates with enough digits to distinguish them.
#include <cmath>

#include "compute/text.h"
#include "delaunay/flip_films.h"
#include "flipscope/predicates.h"

using namespace flipscope;

namespace {

const Property* find_fact(const Properties& facts, const std::string& name) {
    for (const Property& fact : facts)
        if (fact.name == name) return &fact;
    return nullptr;
}

std::string value_of(const Properties& facts, const std::string& name) {
    const Property* fact = find_fact(facts, name);
    return fact ? text_of(fact->value) : "(none)";
}

/// An edge's corners: from, to, left, right.
std::array<uint32_t, 4> corners_of(const HostMesh& mesh, uint32_t edge) {
    const uint32_t left = mesh.corner_of[2 * size_t(edge)], right = mesh.corner_of[2 * size_t(edge) + 1];
    return {mesh.triangles[left], mesh.triangles[next_corner(left)], mesh.triangles[previous_corner(left)],
            mesh.triangles[previous_corner(right)]};
}

std::string all_text(const Properties& facts) {
    std::string text;
    for (const Property& fact : facts) text += fact.name + ": " + text_of(fact.value) + " (" + fact.why + ")\n";
    return text;
}

}  // namespace

TEST_CASE("inspector: one determinant has one value, and beside it what rounding may have changed") {
    size_t zeros_that_round = 0, unsure = 0, sure = 0;
    for (const Input& input : {make_input("a grid of 0.1", lattice(9, 9, 0.1, {0, 0})),
                               make_input("far off", lattice(7, 7, 0x1p-13, {1e12, 1})), generated("ring:60"),
                               generated("near-grid:60"), generated("uniform:60")}) {
        Stage stage(one_device(), input, {}, "build");
        stage.lab->finish({});
        const HostMesh mesh = stage.mesh();
        for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
            const auto q = corners_of(mesh, edge);
            if (std::max({q[0], q[1], q[2], q[3]}) == mesh.infinite) continue;
            const Properties facts = facet<Inspectable>(*stage.lab).inspect({ElementKind::kEdge, edge}).properties();
            INFO(input->name, "\n", all_text(facts));
            const Point a = mesh.positions[q[0]], b = mesh.positions[q[1]], c = mesh.positions[q[2]],
                        d = mesh.positions[q[3]];
            const int sign = incircle(a, b, c, d);
            const auto [value, error] = detail::incircle(a, b, c, d);
            const Property* circle = find_fact(facts, "In-circle");
            REQUIRE(circle);
            CHECK(contains(text_of(circle->value), sign > 0 ? "inside" : sign < 0 ? "outside" : "on the circle"));
            CHECK_FALSE(contains(circle->why, "floating point"));
            const Property* determinant = find_fact(facts, "Determinant");
            REQUIRE(determinant);
            if (sign == 0) {
                CHECK(text_of(determinant->value) == "0");
                CHECK(contains(determinant->why, "exactly"));
                if (value != 0) {
                    ++zeros_that_round;
                    CHECK(contains(determinant->why, format_short(value)));
                    CHECK(contains(determinant->why, "off by at most " + format_short(error)));
                }
            } else {
                CHECK(text_of(determinant->value) == format_short(value) + " ± " + format_short(error));
                CHECK(contains(determinant->why, std::fabs(value) > error ? "sure" : "exact arithmetic"));
                (std::fabs(value) > error ? sure : unsure) += 1;
            }
        }
    }
    CHECK(zeros_that_round > 0);
    CHECK(sure > 0);
    CHECK(unsure > 0);
}

TEST_CASE("inspector: a flat triangle is called flat, with no circle, no angle, and an area of 0") {
    // Points inserted on edges leave flat triangles behind until these flip.
    size_t triangles = 0;
    for (const Input& input : {make_input("in the middle of an edge", {{0, 0}, {4, 0}, {0, 4}, {2, 0}, {1, 0}, {2, 2}}),
                               make_input("a grid of 0.1", lattice(12, 12, 0.1, {0, 0})), generated("grid:100")}) {
        Stage stage(one_device(), input, {}, "build");
        while (!stage.lab->done()) {
            stage.lab->step();
            if (stage.lab->next_pass() == kNone || !stage.lab->scene().mesh || !stage.lab->scene().mesh->triangle_count)
                continue;
            const std::string next = stage.lab->info().passes[stage.lab->next_pass()].name;
            if (next != "claim") continue;
            const HostMesh mesh = stage.mesh();
            std::vector<uint32_t> flat;
            for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
                const uint32_t* v = &mesh.triangles[3 * size_t(t)];
                if (std::max({v[0], v[1], v[2]}) == mesh.infinite) continue;
                if (orient2d(mesh.positions[v[0]], mesh.positions[v[1]], mesh.positions[v[2]]) == 0) flat.push_back(t);
            }
            for (const uint32_t t : flat) {
                ++triangles;
                const Properties facts =
                    facet<Inspectable>(*stage.lab).inspect({ElementKind::kTriangle, t}).properties();
                INFO(input->name, "\n", all_text(facts));
                CHECK(value_of(facts, "Orientation") == "flat");
                CHECK(contains(find_fact(facts, "Orientation")->why, "one line"));
                CHECK(value_of(facts, "Area") == "0");
                CHECK(value_of(facts, "Minimum angle") == "0°");
                CHECK(value_of(facts, "Circumcentre") == "none");
                CHECK(value_of(facts, "Circumradius") == "none");
                CHECK_FALSE(contains(all_text(facts), "inf"));
                CHECK_FALSE(contains(all_text(facts), "nan"));
            }
        }
    }
    CHECK(triangles > 3);
}

TEST_CASE("inspector: an edge is called legal exactly when the check takes it for legal") {
    for (const char* text : {"quad:60", "uniform:60", "grid:49"}) {
        Stage stage(one_device(), generated(text), {"start=sweep"});
        const CheckReport report = facet<Checkable>(*stage.lab).check();
        REQUIRE(report.illegal_edges > 0);
        uint64_t illegal = 0;
        const uint32_t count = stage.lab->scene().mesh->edge_count;
        for (uint32_t edge = 0; edge < count; ++edge)
            illegal += contains(
                value_of(facet<Inspectable>(*stage.lab).inspect({ElementKind::kEdge, edge}).properties(), "Legal"),
                "no");
        CHECK(illegal == report.illegal_edges + report.reflex_hull + report.tied_edges);
    }
}

TEST_CASE("inspector: triangles far from the origin have places of their own") {
    for (const Point offset : {Point{0, 0}, Point{5402320, -1e6}, Point{1e9, 1e9}, Point{-3, 1e12}}) {
        std::vector<Point> points = generated("jittered-grid:64")->points;
        for (Point& p : points) p = {p.x * 8 + offset.x, p.y * 8 + offset.y};
        Stage stage(one_device(), make_input("moved", points), {}, "build");
        stage.lab->finish({});
        const HostMesh mesh = stage.mesh();
        std::map<std::string, Point> seen;
        size_t same = 0, far = 0;
        for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
            const Properties facts = facet<Inspectable>(*stage.lab).inspect({ElementKind::kTriangle, t}).properties();
            if (!find_fact(facts, "Circumcentre")) continue;
            const std::string text = value_of(facts, "Circumcentre");
            const size_t comma = text.find(", ");
            REQUIRE(comma != text.npos);
            const Point told{std::stod(text.substr(0, comma)), std::stod(text.substr(comma + 2))};
            const double radius = std::stod(value_of(facts, "Circumradius"));
            // As far from the corners as it says, to a millionth of that, or as far as doubles reach.
            for (uint32_t k = 0; k < 3; ++k) {
                const Point p = mesh.positions[mesh.triangles[3 * size_t(t) + k]];
                const double ulp = std::fabs(offset.x) + std::fabs(offset.y) > 1e11 ? 1e-3 : 0;
                far += std::fabs(std::hypot(told.x - p.x, told.y - p.y) - radius) > 1e-4 * radius + ulp;
            }
            const auto [at, is_new] = seen.emplace(text, told);
            same += !is_new;
            CHECK(text.size() < 60);
        }
        INFO(offset.x, ", ", offset.y);
        CHECK(far == 0);
        if (std::fabs(offset.y) < 1e12) CHECK(same == 0);
    }
}

TEST_CASE("inspector: what ends at infinity is called a ghost, and nothing else is") {
    Stage stage(one_device(), generated("uniform:30"), {}, "build");
    stage.lab->finish({});
    const HostMesh mesh = stage.mesh();
    uint64_t ghost_edges = 0, hull = 0;
    for (uint32_t edge = 0; edge < mesh.edge_count(); ++edge) {
        const auto q = corners_of(mesh, edge);
        const Properties facts = facet<Inspectable>(*stage.lab).inspect({ElementKind::kEdge, edge}).properties();
        const bool ghost = std::max(q[0], q[1]) == mesh.infinite;
        CHECK((value_of(facts, "Ghost") == "yes") == ghost);
        ghost_edges += ghost;
        const bool on_hull = !ghost && std::max(q[2], q[3]) == mesh.infinite;
        CHECK((value_of(facts, "On the hull") == "yes") == on_hull);
        hull += on_hull;
        CHECK(contains(value_of(facts, "Legal"), "yes"));
    }
    CHECK(ghost_edges == stage.lab->result().hull_edges);
    CHECK(hull == ghost_edges);
}
