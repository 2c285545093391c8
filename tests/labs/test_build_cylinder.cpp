// The Build lab in a box that is periodic along one axis, a cylinder: the same stepped, finished and on every device;
// the choice of the box; drawings, reports, clicks, saved runs and exports end at its borders.
#include <cmath>
#include <set>

#include "delaunay/flip_films.h"
#include "delaunay/hands.h"
#include "delaunay/torus/torus_insertion.h"
#include "instruments/hashed_run.h"
#include "labs/periodic.h"

using namespace flipscope;

namespace {

Settings in_box(std::string box) { return {"domain=torus", "box=" + std::move(box)}; }

/// How far points reach along the open axis, and how many different ones there are on the two borders, but for
/// rounding.
struct Span {
    double low = INFINITY, high = -INFINITY;
    size_t on_borders = 0;
};
Span span_of(const Lab& lab, bool along_x) {
    const std::vector<Point> positions = values_of<Point>(lab, "positions");
    const auto along = [&](Point p) { return along_x ? p.x : p.y; };
    Span span;
    for (const Point p : positions) span.low = std::min(span.low, along(p)), span.high = std::max(span.high, along(p));
    std::set<std::pair<int64_t, bool>> ends;
    for (const Point p : positions)
        for (const double end : {span.low, span.high})
            if (std::fabs(along(p) - end) < 1e-11)
                ends.insert({std::llround((along_x ? p.y : p.x) * 1e9), end == span.high});
    span.on_borders = ends.size();
    return span;
}

std::vector<Input> inputs_on_cylinder() {
    std::vector<Input> inputs;
    for (const char* text : {"uniform:1", "uniform:2", "uniform:3", "uniform:5", "uniform:300", "line:60", "grid:144",
                             "ring:90", "rings:120", "near-grid:100", "clusters:250"})
        inputs.push_back(generated(text));
    inputs.push_back(make_input("a row", {{0, 0.5}, {0.5, 0.5}, {0.25, 0.5}, {0.75, 0.5}}));
    inputs.push_back(make_input("a column", {{0.5, 0}, {0.5, 0.5}, {0.5, 0.25}, {0.5, 0.75}}));
    inputs.push_back(make_input("a lattice", lattice(8, 8, 0.125, {0, 0})));
    return inputs;
}

}  // namespace

TEST_CASE("build on a cylinder: stepped and finished it is one state on every device, and passes the check") {
    for (const Input& input : inputs_on_cylinder())
        for (const bool along_x : {true, false}) {  // is open
            INFO(input->name, along_x);
            const Settings settings = in_box(along_x ? "0x14" : "14x0");
            const Film film = compare_films("build", input, settings);
            on_every_device([&](Context& context) {
                const auto lab = finished(context, input, "build", settings);
                CHECK(lab->state_hash() == film.hashes.back());
                CHECK(hash_of_states(*lab) == film.marks.back());
                check_passes(*lab);
                const Span span = span_of(*lab, along_x);
                const Result result = lab->result();
                const uint64_t vertices = result.points - result.duplicates;
                CHECK(result.triangles == (span.high - span.low > 1e-11 ? 2 * vertices - span.on_borders : 0));
                CHECK(result.edges == result.triangles + vertices);
                CHECK(result.hull_edges == (result.triangles ? span.on_borders : vertices));
                CHECK(contains(result.headline, along_x ? " in a box of circumference 14 that is periodic along y"
                                                        : " in a box of circumference 14 that is periodic along x"));
                CHECK(number_of(*lab, "circumference") == 14);
                CHECK(number_of(*lab, along_x ? "box_height" : "box_width") == 14);
                CHECK(number_of(*lab, along_x ? "box_width" : "box_height") ==
                      doctest::Approx(span.high - span.low).epsilon(1e-12));
            });
        }
}

TEST_CASE("build on a cylinder: what is exported and drawn covers it once from border to border, and no more") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:1", "uniform:3", "uniform:200@x=7,y=-3", "grid:49", "clusters:100@scale=1e-6"})
        for (const bool along_x : {true, false}) {
            INFO(text, along_x);
            const Input input = generated(text);
            const auto lab = finished(context, input, "build", in_box(along_x ? "0x11" : "11x0"));
            const Point corner{number_of(*lab, "box_x"), number_of(*lab, "box_y")},
                sides{number_of(*lab, "box_width"), number_of(*lab, "box_height")};
            const auto positions = values_of<Point>(*lab, "positions");
            const auto ids = values_of<uint32_t>(*lab, "triangles");
            const auto shifts = values_of<int64_t>(*lab, "shifts");
            CHECK(ids.size() == 3 * lab->result().triangles);
            REQUIRE(shifts.size() == 2 * ids.size());
            for (size_t i = 0; i < shifts.size(); i += 2) CHECK(shifts[i + !along_x] == 0);
            CHECK(area_of_images(*lab, sides) == doctest::Approx(sides.x * sides.y).epsilon(1e-9));
            const TriangleSoup soup = lab->soup();
            CHECK(soup.triangles.size() == lab->result().triangles);
            CHECK(std::equal(positions.begin(), positions.end(), soup.points->begin()));
            for (const Point p : *soup.points) {
                CHECK((along_x ? p.x : p.y) >= (along_x ? corner.x : corner.y) - 1e-9);
                CHECK((along_x ? p.x : p.y) <= (along_x ? corner.x + sides.x : corner.y + sides.y) + 1e-9);
            }

            const Scene scene = lab->scene();
            CHECK(scene.low == corner);
            CHECK(scene.high == Point{corner.x + sides.x, corner.y + sides.y});
            size_t edges = 0, triangles = 0;
            for (const Layer& layer : scene.layers) {
                if (layer.periodic) {
                    CHECK(layer.periodic->low == corner);
                    CHECK(layer.periodic->size == (along_x ? Point{0, sides.y} : Point{sides.x, 0}));
                }
                if (const auto* segments = std::get_if<SegmentsLayer>(&layer.shape)) {
                    if (segments->ends)
                        for (const uint32_t end : segments->ends->download()) edges += end != kNone;
                    else
                        CHECK(segments->few_ends.size() == 4);  // the two borders that are one
                }
                if (const auto* lines = std::get_if<PolylinesLayer>(&layer.shape)) edges += 2 * lines->count;
                if (const auto* faces = std::get_if<TrianglesLayer>(&layer.shape)) {
                    const std::vector<uint32_t> corners = faces->corners->download();
                    size_t shown = 0;
                    for (uint32_t t = 0; t < faces->count; ++t) shown += corners[3 * t] < faces->place_count;
                    triangles +=
                        faces->places == std::get<TrianglesLayer>(scene.layers[0].shape).places ? shown : shown / 16;
                }
            }
            CHECK(edges == 2 * lab->result().edges);
            CHECK(triangles == lab->result().triangles);
        }
}

TEST_CASE("build on a cylinder: an input's own box that is periodic along one axis counts where none is set") {
    Context context(DeviceRequest::kCpu, 2);
    Geometry film;
    film.name = "film.xyz";
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x) film.points.push_back({x + y % 2 * 0.5 - 5, y * 0.9 + 2});
    film.box_low = {-5, 0};
    film.box = {10, 0};
    const auto input = std::make_shared<Geometry>(film);
    auto lab = started(context, input, "build", {"domain=torus"});
    const std::string said = lab->step().message.text();
    CHECK_MESSAGE(contains(said,
                           "The box is periodic along x, with circumference 10, and begins at -5, 2, as film.xyz "
                           "says. Along y it is open, and the points span 8.1."),
                  said);
    lab->finish({});
    check_passes(*lab);
    CHECK(number_of(*lab, "box_x") == -5);
    CHECK(number_of(*lab, "box_y") == 2);
    CHECK(number_of(*lab, "wrapped") == 0);
    CHECK(values_of<Point>(*lab, "positions") == film.points);
    CHECK(lab->result().triangles == 180);
    CHECK(number_of(*finished(context, input, "build", in_box("20x10")), "box_height") == 10);  // a torus

    // Points beyond the seam are wrapped, those along the open axis are not.
    for (size_t i = 0; i < film.points.size(); i += 3) film.points[i].x += 10 * double(i % 4);
    const auto wrapped = finished(context, std::make_shared<Geometry>(film), "build", {"domain=torus"});
    CHECK(number_of(*wrapped, "wrapped") > 0);
    CHECK(wrapped->result().triangulation_hash == lab->result().triangulation_hash);
}

TEST_CASE("build on a cylinder: what cannot be is refused in a sentence") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = generated("uniform:20");
    const auto lab = finished(context, input, "build", in_box("2x0"));
    const uint64_t hash = lab->state_hash();
    const auto refuses = [&](const std::string& box, const Input& points, const char* sentence) {
        set_parameter(*lab, "box=" + box);
        CHECK_THROWS_WITH_AS(lab->reset(context, points), doctest::Contains(sentence), Error);
        CHECK(lab->state_hash() == hash);
    };
    refuses("0.009x0", input,
            "too much for a box that is periodic along x alone with a circumference of 0.009: they can span 100 times "
            "that at most");
    Geometry wide;
    wide.name = "wide";
    wide.box = {0, 1e31};
    refuses("auto", std::make_shared<Geometry>(wide),
            "wide: the circumference of a box that is periodic along one axis cannot be 1e+31");
    refuses("2x0", make_input("p", {{0, 0}, {1e6, 0}}), "is too far from the box of circumference 2");
}

TEST_CASE("build on a cylinder: a click finds what lies there, never what is beyond, and a border is told of") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = generated("uniform:100@scale=10");
    const auto lab = finished(context, input, "build", in_box("10x0"));
    const auto& inspector = facet<Inspectable>(*lab);
    const Scene scene = lab->scene();
    const TriangleMesh& mesh = *scene.mesh;
    const MeshView view = mesh.view();
    const auto picked = [&](Point p, double radius) { return inspector.pick({p, radius, {}, 0}); };
    for (int i = 0; i <= 40; ++i)
        for (int k = 0; k <= 40; ++k) {
            const Point p{10 * i / 40.0, scene.low.y + (scene.high.y - scene.low.y) * k / 40.0};
            const Element found = picked(p, 1e-9);
            if (found.kind == ElementKind::kTriangle && found.id != kNone)
                CHECK_FALSE(view.is_beyond_borders(found.id));
            if (k > 0 && k < 40) CHECK(found.id != kNone);
        }
    CHECK(picked({5, scene.high.y + 1}, 0.1).id == kNone);
    size_t top = 0;
    for (size_t i = 0; i < input->points.size(); ++i)
        if (input->points[i].y > input->points[top].y) top = i;
    const uint32_t vertex = vertex_of(*lab, static_cast<uint32_t>(top));
    const Element above = picked({input->points[top].x, scene.high.y + 0.01}, 0.1);
    CHECK(above.kind == ElementKind::kVertex);
    CHECK(above.id == vertex);
    const Report told = inspector.inspect({ElementKind::kVertex, vertex});
    REQUIRE(told.find("Voronoi cell"));
    CHECK(told.find("Voronoi cell")->value == Value("unbounded"));
    REQUIRE(told.find("Degree"));
    CHECK(contains(told.find("Degree")->why, "on the border"));

    size_t beyond = 0, on_border = 0;
    for (uint32_t edge = 0; edge < mesh.edge_count; ++edge) {
        const Report report = inspector.inspect({ElementKind::kEdge, edge});
        const bool leads_beyond = view.is_beyond(mesh.corner_of.read(2 * edge));
        CHECK((report.find("Beyond the borders") != nullptr) == leads_beyond);
        beyond += leads_beyond;
        if (leads_beyond) continue;
        on_border += report.find("On the border") != nullptr;
        REQUIRE(report.find("Legal"));
        CHECK(report.find("Legal")->value == Value(true));
        for (const Highlight& one : report.highlights)
            for (const Point3& place : one.places)
                if (one.kind != Highlight::Kind::kCircle) CHECK(std::fabs(place.y - 5) < 40);
    }
    CHECK(beyond == mesh.edge_count - lab->result().edges);
    CHECK(on_border == 2);  // one point on each border: an edge to its own image
    double area = 0;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        const Report report = inspector.inspect({ElementKind::kTriangle, t});
        CHECK((report.find("Beyond the borders") != nullptr) == view.is_beyond_borders(t));
        if (const Property* part = report.find("Area")) area += part->value.number();
    }
    CHECK(area == doctest::Approx(10 * (scene.high.y - scene.low.y)));
    CHECK(facet<Checkable>(*lab).check().sentence.find(
              "Delaunay on the cylinder: 100 vertices, 198 triangles, which cover it once between its straight "
              "borders, and 298 edges, each legal, exactly") == 0);
}

TEST_CASE("build on a cylinder: edits make it longer and shorter, and every position has one hash") {
    const Input input = generated("uniform:90");
    std::vector<uint64_t> first;
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, input, "build", in_box("2x0"));
        Lab& lab = timeline.lab();
        HashedRun run(timeline);
        for (int i = 0; i < 30; ++i) REQUIRE(run.step());
        while (timeline.result(timeline.position() - 1).ended < Level::kRound) REQUIRE(run.step());
        const uint64_t before = lab.state_hash();
        const double height = number_of(lab, "box_height");
        run.edit(move_of(vertex_of(lab, 3), Point{1.9, 3.25}));  // beyond the border
        CHECK(number_of(lab, "box_height") > 2 * height);
        CHECK(number_of(lab, "box_x") == 0);
        CHECK(timeline.undo());
        CHECK(lab.state_hash() == before);
        CHECK(number_of(lab, "box_height") == height);
        CHECK(timeline.redo());
        while (run.step()) continue;
        check_passes(lab);
        CHECK(lab.scene().high.y == doctest::Approx(3.25));
        CHECK_FALSE(edits(lab, move_of(3, Point{1, 1000})));  // too long
        CHECK(std::count(run.hashes.begin(), run.hashes.end(), 0) == 0);
        run.check_everywhere(case_count(20));
        if (first.empty()) first = run.hashes;
        CHECK(run.hashes == first);
    });
}
