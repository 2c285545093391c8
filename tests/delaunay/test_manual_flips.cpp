// Manual edits in the Flip lab: vertices dragged anywhere, edges flipped, at the end and in the middle of a run.
#include <random>

#include "delaunay/constructions/flipping.h"
#include "delaunay/flip_films.h"
#include "delaunay/hands.h"
#include "delaunay/surfaces.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

void check_delaunay(const Lab& lab) {
    REQUIRE(lab.done());
    check_passes(lab);
    CHECK(lab.result().triangulation_hash == built_hash(lab));
    CHECK(broken_references(download_mesh(*lab.scene().mesh)) == 0);
}

/// Valid, though not Delaunay: every triangle upright and Euler's counts, over the whole hull.
void check_valid(const Lab& lab) {
    const CheckReport report = facet<Checkable>(lab).check();
    CHECK(report.broken_references == 0);
    CHECK(report.inverted_triangles == 0);
    CHECK(report.reflex_hull == 0);
    CHECK(report.euler);
}

/// Allowed places of a dragged vertex: inside, far outside, onto edges, along lines of the grid, near its own place,
/// past others.
class Places {
  public:
    Places(const Lab& lab, uint64_t seed) : lab_(lab), random_(seed) {}

    Point next(uint32_t vertex) {
        const HostMesh mesh = download_mesh(*lab_.scene().mesh);
        const Scene scene = lab_.scene();
        const auto vertex_at = [&] { return mesh.positions[random_() % mesh.infinite]; };
        const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random_); };
        const Point own = mesh.positions[vertex];
        const double width = std::max(scene.high.x - scene.low.x, scene.high.y - scene.low.y);
        const Point a = vertex_at(), b = vertex_at();
        switch (random_() % 9) {
            case 0:
                return {scene.low.x + uniform() * (scene.high.x - scene.low.x),
                        scene.low.y + uniform() * (scene.high.y - scene.low.y)};
            case 1:
                return {own.x + 0.01 * (uniform() - 0.5) * width, own.y + 0.01 * (uniform() - 0.5) * width};
            case 2: {  // on an edge, as well as doubles can
                const uint32_t corner = uint32_t(random_() % mesh.triangles.size());
                const uint32_t u = mesh.triangles[corner], v = mesh.triangles[next_corner(corner)];
                if (u == mesh.infinite || v == mesh.infinite) return own;
                const Point p = mesh.positions[u], q = mesh.positions[v];
                return {(p.x + q.x) / 2, (p.y + q.y) / 2};
            }
            case 3:
                return {a.x, b.y};  // of a grid: a corner, taken or beside it
            case 4:
                return {2 * a.x - b.x, 2 * a.y - b.y};  // on the line through two others, beyond
            case 5:
                return {scene.low.x + (uniform() - 0.5) * 4 * width, scene.low.y + (uniform() - 0.5) * 4 * width};
            case 6:
                return {(a.x + b.x) / 2, (a.y + b.y) / 2};
            case 7:
                return {own.x, a.y};
            default:
                return {own.x + (a.x - own.x) * 0.75, own.y + (a.y - own.y) * 0.75};
        }
    }
    uint64_t number() { return random_(); }

  private:
    const Lab& lab_;
    std::mt19937_64 random_;
};

bool is_taken(const Lab& lab, uint32_t vertex, Point place) {
    const HostMesh mesh = download_mesh(*lab.scene().mesh);
    for (uint32_t v = 0; v < mesh.infinite; ++v)
        if (v != vertex && mesh.positions[v] == place) return true;
    return false;
}

bool all_on_a_line(const Lab& lab, uint32_t vertex, Point place) {
    HostMesh mesh = download_mesh(*lab.scene().mesh);
    mesh.positions[vertex] = place;
    for (uint32_t a = 2; a < mesh.infinite; ++a)
        if (orient2d(mesh.positions[0], mesh.positions[1], mesh.positions[a]) != 0) return false;
    return true;
}

using Kind = Edit::Kind;
constexpr Kind kKinds[] = {Kind::kMoveVertex, Kind::kFlipEdge, Kind::kAddVertex, Kind::kRemoveVertex, Kind::kPaint,
                           Kind::kWipe,       Kind::kFreeze,   Kind::kRelease,   Kind::kAdjust};

Edit edit_of(Kind kind) { return Edit{.kind = kind, .id = 0, .place = {0.25, 0.5, 0}, .radius = 2}; }

/// Ends of an edge, the lower first, and the corners opposite to it.
struct EdgeCorners {
    std::pair<uint32_t, uint32_t> ends, apexes;
};
EdgeCorners corners_at(const HostMesh& mesh, uint32_t edge) {
    const uint32_t left = mesh.corner_of[2 * size_t(edge)], right = mesh.corner_of[2 * size_t(edge) + 1];
    const uint32_t a = mesh.triangles[left], b = mesh.triangles[next_corner(left)];
    const uint32_t c = mesh.triangles[previous_corner(left)], d = mesh.triangles[previous_corner(right)];
    return {std::minmax(a, b), std::minmax(c, d)};
}

}  // namespace

TEST_CASE("manual edits: vertices of a finished triangulation go anywhere, and it is Delaunay again at once") {
    for (const char* text :
         {"uniform:60", "grid:36", "ring:24", "duplicates:40", "uniform:8", "grid:9", "near-grid:25", "clusters:50"})
        for (const DeviceUnderTest& device : devices_under_test()) {
            Stage stage(device, generated(text), {"start=sweep"});
            stage.lab->finish({});
            Places places(*stage.lab, 17);
            const uint32_t vertices = stage.lab->scene().mesh->infinite();
            for (size_t i = 0; i < case_count(60); ++i) {
                const auto vertex = uint32_t(places.number() % vertices);
                const Point place = places.next(vertex);
                INFO(text, ", ", device.name, ", move ", i, ": vertex ", vertex, " to ", place.x, ", ", place.y);
                const bool refusable = is_taken(*stage.lab, vertex, place) || all_on_a_line(*stage.lab, vertex, place);
                CHECK(edits(*stage.lab, move_of(vertex, place)) == !refusable);
                check_delaunay(*stage.lab);
            }
        }
}

TEST_CASE("manual edits: three to seven points, all moves") {
    std::mt19937_64 random(5);
    for (size_t round = 0; round < case_count(250); ++round) {
        const auto below = [&](int n) { return double(random() % n); };
        std::vector<Point> points;
        const int n = 3 + int(round % 5), range = 3 + int(round % 3);
        for (int i = 0; i < n; ++i) points.push_back({below(range), below(range)});
        Stage stage(one_device(), make_input("a few", points), {"start=sweep"});
        stage.lab->finish({});
        if (stage.lab->result().triangles == 0) {
            CHECK_FALSE(edits(*stage.lab, move_of(0, Point{7, 9})));
            continue;
        }
        const uint32_t vertices = stage.lab->scene().mesh->infinite();
        for (int i = 0; i < 12; ++i) {
            const auto vertex = uint32_t(random() % vertices);
            const Point place{below(range + 2) - 1, below(range + 2) - 1};
            INFO("round ", round, ", ", vertices, " vertices, move ", i, ": ", vertex, " to ", place.x, ", ", place.y);
            const bool refusable = is_taken(*stage.lab, vertex, place) || all_on_a_line(*stage.lab, vertex, place);
            CHECK(edits(*stage.lab, move_of(vertex, place)) == !refusable);
            check_delaunay(*stage.lab);
        }
    }
}

TEST_CASE("manual edits: what is not there or out of range is refused") {
    Stage stage(one_device(), generated("uniform:20"));
    stage.lab->finish({});
    Lab& lab = *stage.lab;
    CHECK_FALSE(edits(lab, move_of(20, Point{0, 0})));
    CHECK_FALSE(edits(lab, move_of(kNone, Point{0, 0})));
    CHECK_FALSE(edits(lab, flip_of(kNone)));
    CHECK_FALSE(edits(lab, flip_of(lab.scene().mesh->edge_count)));
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, 1e-300}) {
        CHECK_FALSE(edits(lab, move_of(3, Point{bad, 0})));
        CHECK_FALSE(edits(lab, move_of(3, Point{0, bad})));
    }
    check_delaunay(lab);
    Stage none(one_device(), generated("line:5"));
    CHECK_FALSE(edits(*none.lab, move_of(0, Point{1, 1})));
    CHECK_FALSE(edits(*none.lab, flip_of(0)));
}

TEST_CASE("manual edits: points far off and points very near") {
    Stage stage(one_device(), generated("uniform:30"), {"start=sweep"});
    stage.lab->finish({});
    std::mt19937_64 random(3);
    for (int exponent = -190; exponent <= 190; exponent += 19) {
        const auto vertex = uint32_t(random() % 30);
        INFO(exponent);
        CHECK(edits(*stage.lab,
                    move_of(vertex, Point{std::ldexp(1 + vertex / 64.0, exponent), -std::ldexp(1.25, exponent - 5)})));
        check_delaunay(*stage.lab);
    }
}

TEST_CASE("manual edits: in the middle of a run, any number of moves and flips, and it still ends Delaunay") {
    for (const char* text : {"uniform:60", "grid:36", "ring:20", "duplicates:30"})
        for (const Settings& settings :
             {Settings{"start=sweep"}, Settings{"start=insertion", "conflict=lowest"},
              Settings{"start=scrambled", "criterion=angles"}, Settings{"start=sweep", "conflict=first"}})
            for (uint64_t seed = 0; seed < case_count(4); ++seed) {
                Stage stage(one_device(), generated(text), settings);
                Lab& lab = *stage.lab;
                Places places(lab, seed);
                INFO(text, ", ", settings.back(), ", seed ", seed);
                const uint32_t vertices = lab.scene().mesh->infinite();
                for (int i = 0; i < 12; ++i) {
                    for (uint64_t passes = 3 * (places.number() % 3); passes > 0 && !lab.done(); --passes) lab.step();
                    while (!lab.done() && lab.next_pass() != Flipping::kClaim) lab.step();
                    const bool was_done = lab.done();
                    const auto vertex = uint32_t(places.number() % vertices);
                    if (places.number() % 3) {
                        const Point place = places.next(vertex);
                        const bool refusable = is_taken(lab, vertex, place) || all_on_a_line(lab, vertex, place);
                        CHECK(edits(lab, move_of(vertex, place)) == !refusable);
                        CHECK(lab.done() == was_done);
                    } else if (edits(lab, flip_of(uint32_t(places.number() % lab.scene().mesh->edge_count)))) {
                        CHECK_FALSE(lab.done());
                        CHECK(lab.next_pass() == Flipping::kClaim);
                    }
                    check_valid(lab);
                }
                run_to_end(lab, seed % 2);
                check_valid(lab);
                if (settings.back() != "criterion=angles") check_delaunay(lab);
            }
}

TEST_CASE("manual edits: a moved point's copies move along") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = make_input("copies", {{0, 0}, {4, 0}, {0, 4}, {1, 1}, {1, 1}, {4, 0}, {-0.0, 0}});
    const auto lab = finished(context, input, "flip");
    const std::vector<Point> at = lab->scene().mesh->positions.download();
    const auto inner = uint32_t(std::find(at.begin(), at.end(), Point{1, 1}) - at.begin());
    facet<Editable>(*lab).edit(move_of(inner, Point{2, 0.5}));
    const std::vector<Point> now = *lab->soup().points;
    CHECK(now[3] == Point{2, 0.5});
    CHECK(now[4] == Point{2, 0.5});
    CHECK(now[5] == Point{4, 0});
    CHECK(lab->result().triangulation_hash == built_hash(*lab));
}

TEST_CASE("manual edits: a legal edge is flipped, claim is next, and stepping flips it back") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* text : {"uniform:80", "grid:36", "terrain:150", "sphere:150", "torus-knot:400"}) {
            Stage stage(device, generated(text));
            Lab& lab = *stage.lab;
            lab.finish({});
            const Triangles before = triangles_of(lab);
            std::mt19937_64 random(11);
            size_t flipped = 0;
            for (size_t i = 0; i < case_count(40); ++i) {
                const auto edge = uint32_t(random() % lab.scene().mesh->edge_count);
                INFO(device.name, ", ", text, ", edge ", edge);
                const HostMesh mesh = stage.mesh();
                const uint32_t corner = mesh.corner_of[2 * edge], twin = mesh.corner_of[2 * edge + 1];
                const uint32_t q[4] = {mesh.triangles[corner], mesh.triangles[twin],
                                       mesh.triangles[previous_corner(corner)], mesh.triangles[previous_corner(twin)]};
                const bool outer = *std::max_element(q, q + 4) == mesh.infinite;
                const bool convex =
                    !outer && (!mesh.heights.empty() ||
                               (orient2d(mesh.positions[q[2]], mesh.positions[q[0]], mesh.positions[q[3]]) > 0 &&
                                orient2d(mesh.positions[q[3]], mesh.positions[q[1]], mesh.positions[q[2]]) > 0));
                const bool done = edits(lab, flip_of(edge));
                if (mesh.heights.empty()) CHECK(done == convex);
                if (outer) CHECK_FALSE(done);
                CHECK(broken_references(stage.mesh()) == 0);
                if (!done) continue;
                ++flipped;
                CHECK_FALSE(lab.done());
                CHECK(lab.next_pass() == Flipping::kClaim);
                CHECK(bool(stage.mesh().edge_states[edge] & kStateFlipped));
                run_to_end(lab, i % 2);
                check_passes(lab);
                if (mesh.heights.empty()) CHECK(triangles_of(lab) == before);
            }
            if (case_count(40) >= 20) CHECK(6 * flipped > case_count(40));  // of fewer, by chance none
        }
}

TEST_CASE("manual edits: an outline that is not the hull stays, and what would spoil it is refused") {
    auto mesh = std::make_shared<Geometry>(*generated("quad:200"));
    std::vector<std::array<uint32_t, 3>> kept;
    for (size_t t = 0; t < mesh->triangles.size(); ++t)
        if (t % 17 && (t < 90 || t > 110)) kept.push_back(mesh->triangles[t]);
    mesh->triangles = kept;
    for (const bool at_end : {true, false}) {
        Stage stage(one_device(), mesh);
        Lab& lab = *stage.lab;
        if (at_end) lab.finish({});
        Places places(lab, 4);
        const uint32_t vertices = lab.scene().mesh->infinite();
        const auto borders = [&] {
            std::map<Edge, int> count;
            for (const auto& t : lab.soup().triangles)
                for (int k = 0; k < 3; ++k) ++count[std::minmax(t[k], t[(k + 1) % 3])];
            std::set<Edge> once;
            for (const auto& [edge, times] : count)
                if (times == 1) once.insert(edge);
            return once;
        };
        const std::set<Edge> before = borders();
        size_t moved = 0;
        for (size_t i = 0; i < std::max<size_t>(case_count(300), 20); ++i) {
            const auto vertex = uint32_t(places.number() % vertices);
            const Point place = places.next(vertex);
            if (!edits(lab, move_of(vertex, place))) continue;
            ++moved;
            const CheckReport report = facet<Checkable>(lab).check();
            CHECK(report.inverted_triangles == 0);
            CHECK(report.broken_references == 0);
            if (at_end) CHECK_MESSAGE(report.passed, report.sentence);
            CHECK(borders() == before);
        }
        CHECK(moved > 0);
        lab.finish({});
        CHECK(facet<Checkable>(lab).check().passed);
        CHECK(borders() == before);
    }
}

TEST_CASE("manual edits: a surface is pulled at, and ends legal with its topology") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const Settings& settings : {Settings{}, Settings{"dihedral=3.1"}, Settings{"conflict=first"}})
            for (const char* text : {"sphere:200", "terrain:150", "band:100"}) {
                Stage stage(device, generated(text), settings);
                Lab& lab = *stage.lab;
                std::mt19937_64 random(9);
                const auto uniform = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
                const Surface before(lab.soup());
                for (int i = 0; i < 30; ++i) {
                    INFO(device.name, ", ", text, ", edit ", i);
                    if (i == 6) lab.finish({});
                    while (!lab.done() && lab.next_pass() != Flipping::kClaim) lab.step();
                    const uint32_t vertices = lab.scene().mesh->infinite();
                    const auto vertex = uint32_t(random() % vertices);
                    const Point at = lab.scene().mesh->positions.read(vertex);
                    const double z = lab.scene().mesh->heights.read(vertex), by = i % 5 == 0 ? 3.0 : 0.2;
                    if (i % 3)
                        CHECK(edits(lab, move_of(vertex, Point3{at.x + by * uniform(), at.y + by * uniform(),
                                                                z + by * uniform()})));
                    else
                        edits(lab, flip_of(uint32_t(random() % lab.scene().mesh->edge_count)));
                    CHECK(broken_references(stage.mesh()) == 0);
                    const Surface now(lab.soup());
                    CHECK(now.borders() == before.borders());
                    CHECK(now.edges.size() == before.edges.size());
                    if (lab.done()) check_passes(lab);
                    if (i > 6 && !lab.done()) lab.step();
                }
                size_t steps = 0;
                std::string said;
                for (; !lab.done() && steps < 20'000; ++steps) said += lab.step().message.text();
                REQUIRE(lab.done());
                if (!contains(said, "The flips cycle")) check_passes(lab);
            }
}

TEST_CASE("manual edits: a vertex of a surface onto another, out of the way and back") {
    for (const char* text : {"sphere:60", "terrain:60"}) {
        Stage stage(one_device(), generated(text));
        Lab& lab = *stage.lab;
        lab.finish({});
        const Point home = lab.scene().mesh->positions.read(7), other = lab.scene().mesh->positions.read(12);
        const double z = lab.scene().mesh->heights.read(7), other_z = lab.scene().mesh->heights.read(12);
        for (const Point3 place :
             {Point3{other.x, other.y, other_z}, Point3{1e6, -1e6, 1e6}, Point3{home.x, home.y, z}}) {
            edits(lab, move_of(7, place));
            lab.finish({});
            CHECK(lab.done());
            CHECK(broken_references(stage.mesh()) == 0);
            check_passes(lab);
        }
    }
}

TEST_CASE("manual edits: every lab takes the kinds of edits that it makes, and refuses the others with a sentence") {
    const std::map<std::string, std::set<Kind>> makes{
        {"build", {Kind::kMoveVertex, Kind::kAddVertex, Kind::kRemoveVertex}},
        {"serial", {Kind::kMoveVertex, Kind::kAddVertex, Kind::kRemoveVertex}},
        {"strips", {Kind::kMoveVertex, Kind::kAddVertex, Kind::kRemoveVertex}},
        {"subdivide", {Kind::kMoveVertex, Kind::kAddVertex, Kind::kRemoveVertex}},
        {"flip", {Kind::kMoveVertex, Kind::kFlipEdge}},
        {"voronoi", {Kind::kMoveVertex, Kind::kAddVertex, Kind::kRemoveVertex, Kind::kPaint, Kind::kWipe}},
        {"microscope", {Kind::kAdjust}},
        {"particles",
         {Kind::kMoveVertex, Kind::kAddVertex, Kind::kRemoveVertex, Kind::kFreeze, Kind::kRelease, Kind::kAdjust}}};
    Context context(DeviceRequest::kCpu, 1);
    for (const auto& entry : registry()) {
        const std::string id = entry.info().id;
        const auto known = makes.find(id);
        for (const Kind kind : kKinds) {
            INFO(id, ", kind ", int(kind));
            Timeline timeline(lab_with(id));
            const bool taken = known != makes.end() && known->second.contains(kind);
            CHECK(supports_edit(timeline.lab(), kind) == taken);
            CHECK(entry.info().supports(kind) == taken);
            if (taken) continue;
            timeline.reset(context, generated("uniform:40"));
            for (int steps = 0; steps < 4; ++steps) {  // at rest, and in the middle of an iteration
                const uint64_t position = timeline.position(), state = timeline.lab().state_hash();
                const std::string sentence = error_of([&] { timeline.edit(edit_of(kind)); });
                CHECK(contains(sentence, timeline.lab().info().title));
                CHECK(timeline.position() == position);
                CHECK(timeline.known() == position);
                CHECK(timeline.lab().state_hash() == state);
                timeline.step();
            }
        }
    }
}

TEST_CASE("manual edits: a clicked edge ends flipped, before every pass") {
    const uint32_t stride = case_count(100) < 100 ? 5 : 1;
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* text : {"uniform:80", "grid:49", "terrain:120"})
            for (const size_t before : {0, 1, 2, 3, 4, 5}) {
                size_t flipped = 0;
                for (uint32_t edge = 0; edge < 120; edge += stride) {
                    Context context(device.request, device.threads);
                    StartedTimeline timeline(context, generated(text), "flip", {"start=scrambled"});
                    Lab& lab = timeline.lab();
                    for (size_t i = 0; i < before; ++i) timeline.step();
                    const HostMesh seen = download_mesh(*lab.scene().mesh);
                    if (edge >= seen.edge_count()) break;
                    const bool repair_waits = lab.next_pass() == Flipping::kRepair;
                    // An edge clicked after the flip, before the repair, is reported by its own ends.
                    const Edge ends = std::minmax(seen.edges[2 * edge], seen.edges[2 * edge + 1]);
                    INFO(device.name, ", ", text, ", after ", before, " passes, edge ", edge);
                    try {
                        timeline.edit(flip_of(edge));
                    } catch (const Error&) {
                        continue;
                    }
                    ++flipped;
                    const HostMesh mesh = download_mesh(*lab.scene().mesh);
                    const EdgeCorners now = corners_at(mesh, edge);
                    CHECK(now.ends != ends);
                    if (!repair_waits) CHECK(now.ends == corners_at(seen, edge).apexes);
                    CHECK(broken_references(mesh) == 0);
                    CHECK(bool(mesh.edge_states[edge] & kStateFlipped));
                    CHECK(count_edges_in_state(lab, kStateGranted | kStateDeferred) ==
                          0);  // of claims that are no more
                    CHECK(lab.next_pass() == Flipping::kClaim);
                    if (edge / stride % 16) continue;
                    timeline.run_to_end();
                    check_passes(lab);
                    if (mesh.heights.empty()) CHECK(lab.result().triangulation_hash == built_hash(lab));
                }
                CHECK(flipped > 120 / stride / 8);
            }
}
