// The near part of a large mesh is copied, and copied again as the camera comes closer: the picture stays that of the
// whole mesh.
#include <algorithm>
#include <cmath>
#include <random>

#include "app/render_stage.h"
#include "app/view/density.h"
#include "geometry/generators.h"
#include "lab/registry.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

constexpr uint32_t kPoints = 60'000;

/// A Delaunay triangulation in shared memory; some of its elements have states with a look of their own.
struct LargeMesh {
    std::unique_ptr<DrawnStage> stage = stage_or_skip();

    LargeMesh() {
        if (!stage) return;
        Context context(DeviceRequest::kCpu, 2);
        const auto lab = make_lab("build");
        lab->reset(context, std::make_shared<const Geometry>(generate(parse_generator("uniform:60000"))));
        lab->finish({});
        const TriangleMesh& made = *lab->scene().mesh;
        REQUIRE(made.vertex_count == kPoints + 1);
        TriangleMesh& mesh = *stage->mesh;
        mesh.reset(stage->context, kPoints, made.triangle_count, made.edge_count, true);
        const auto copy = [&](auto& to, const auto& from, size_t count) {
            auto values = from.download();
            values.resize(count);
            to.upload(stage->context, values.data(), count);
        };
        copy(mesh.positions, made.positions, kPoints + 1);
        copy(mesh.triangles, made.triangles, 3 * size_t(made.triangle_count));
        copy(mesh.edges, made.edges, 2 * size_t(made.edge_count));
        mesh.triangle_count = made.triangle_count;
        mesh.edge_count = made.edge_count;
        const auto mark = [](Buffer<State>& states, uint32_t count, uint32_t each, State state) {
            for (uint32_t i = each / 2; i < count; i += each) states.write(i, state);
        };
        mark(mesh.edge_states, mesh.edge_count, 7, kStateIllegal);
        mark(mesh.triangle_states, mesh.triangle_count, 5, kStateFlipped);
        mark(mesh.vertex_states, mesh.vertex_count, 11, kStateWaiting);
        show(kNone);
    }
    void show(uint32_t helper_begin) {
        Scene& scene = stage->scene;
        scene.layers.clear();
        scene.add_mesh(*stage->mesh, std::min(kPoints, helper_begin), helper_begin);
        scene.low = {0, 0};
        scene.high = {1, 1};
        using Element = LegendEntry::Element;
        scene.set_legend({{Element::kEdge, kStateIllegal, Role::kIllegal, "illegal", ""},
                          {Element::kTriangle, kStateFlipped, Role::kFlipped, "flipped", ""},
                          {Element::kVertex, kStateWaiting, Role::kWaiting, "waiting", ""}});
    }
};

struct View {
    Point eye;
    double zoom;
};

/// Draws each view with the copies of revision `revision`, then from all elements.
void check_views(DrawnStage& stage, uint64_t revision, const std::vector<View>& views) {
    const DisplayOptions display{
        {{kDensityDisplay, false}}};  // whose cells lie where the eye was when they were counted
    for (const View& view : views) {
        INFO("around ", view.eye.x, " ", view.eye.y, ", zoom ", view.zoom, ", revision ", revision);
        Camera camera = fitted(stage.scene);
        camera.center = view.eye;
        camera.scale *= view.zoom;
        stage.renderer.set_revision(revision);
        stage.draw(camera, 200, 200, 1, display);
        const auto near = stage.pixels;
        stage.draw(camera, 200, 200, 1, display);
        CHECK(near == stage.pixels);
        stage.renderer.set_revision(0);  // nothing is known of the elements
        stage.draw(camera, 200, 200, 1, display);
        CHECK(near == stage.pixels);
        stage.renderer.set_revision(revision);
        stage.draw(camera, 200, 200, 1, display);  // so that the next picture is of what lies still
    }
}

/// In steps, along which windows lie within windows and are left again.
std::vector<View> ways(Point eye) {
    std::vector<View> views;
    for (double zoom = 1; zoom < 3000; zoom *= 1.9) views.push_back({eye, zoom});
    for (double zoom = 2000; zoom > 1; zoom /= 5.3) views.push_back({eye, zoom});
    for (int step = 0; step < 12; ++step) views.push_back({{eye.x + 0.02 * step, eye.y - 0.013 * step}, 20});
    return views;
}

/// About as far as what is seen is wide, closer and away again.
std::vector<View> wandering(Point eye, int steps) {
    std::vector<View> views;
    std::mt19937 random(5);
    const auto number = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
    double zoom = 20;
    for (int step = 0; step < steps; ++step) {
        zoom = std::clamp(zoom * std::exp2(number(-1, 1)), 6.0, 200.0);
        eye.x = std::clamp(eye.x + number(-1.2, 1.2) / zoom, 0.0, 1.0);
        eye.y = std::clamp(eye.y + number(-1.2, 1.2) / zoom, 0.0, 1.0);
        views.push_back({eye, zoom});
    }
    return views;
}

}  // namespace

TEST_CASE("renderer: what is near is drawn as all of a mesh would be, from wherever it is seen") {
    LargeMesh large;
    if (!large.stage) return;
    check_views(*large.stage, 7, ways({0.31, 0.52}));
    check_views(*large.stage, 7, ways({0.001, 0.4}));  // across the hull
    check_views(*large.stage, 7, wandering({0.6, 0.6}, static_cast<int>(case_count(80))));
    // Towards the rim of the first window, and over it.
    const double half = 100 / (20 * fitted(large.stage->scene).scale);  // of the picture
    for (const double way : {-half, half})
        check_views(*large.stage, way < 0 ? 5 : 6,
                    {{{0.5, 0.5}, 2},
                     {{0.5, 0.5}, 20},
                     {{0.5 + 6.4 * way, 0.5 + 6.4 * way}, 20},
                     {{0.5 + 7.9 * way, 0.5 + 7.9 * way}, 20}});
    // Edges change, and so do their copies.
    TriangleMesh& mesh = *large.stage->mesh;
    for (uint32_t e = 0; e < mesh.edge_count; e += 3) mesh.edge_states.write(e, kStateIllegal);
    check_views(*large.stage, 8, {{{0.31, 0.52}, 30}, {{0.31, 0.52}, 300}});
}

TEST_CASE("renderer: what is near is drawn in the colours of its own numbers") {
    LargeMesh large;
    if (!large.stage) return;
    DrawnStage& stage = *large.stage;
    const TriangleMesh& mesh = *stage.mesh;
    std::vector<float> values(mesh.edge_count);  // more edges than triangles or vertices
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 2654435761u) % 1000);
    values[1234] = std::nanf("");
    auto numbers = stage.drawn(values);
    std::reverse(values.begin(), values.end());
    auto others = stage.drawn(values);
    for (const char* id : {"triangles", "edges", "points"}) {
        INFO(id);
        large.show(kNone);
        Layer& layer = *stage.scene.layer(id);
        layer.scale.high = 1000;
        layer.scalars = &numbers;
        check_views(stage, 7, {{{0.31, 0.52}, 8}, {{0.31, 0.52}, 40}, {{0.31, 0.52}, 200}, {{0.32, 0.51}, 100}});
        const auto before = stage.pixels;
        layer.scalars = &others;  // of the same elements
        check_views(stage, 7, {{{0.32, 0.51}, 100}});
        CHECK(before != stage.pixels);
    }
    stage.scene.layers.clear();
    numbers = {};
    others = {};
}

TEST_CASE("renderer: edges whose ends lie far outside of what is near are drawn through it") {
    LargeMesh large;
    if (!large.stage) return;
    DrawnStage& stage = *large.stage;
    TriangleMesh& mesh = *large.stage->mesh;
    const std::vector<Point> corners{{0, 0}, {1, 1}};  // the first edge becomes a diagonal of all
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t nearest = 0;
        const auto off = [&](uint32_t v) {
            const Point p = mesh.positions.read(v);
            return std::hypot(p.x - corners[k].x, p.y - corners[k].y);
        };
        for (uint32_t v = 1; v < kPoints; ++v)
            if (off(v) < off(nearest)) nearest = v;
        mesh.edges.write(k, nearest);
    }
    mesh.edge_states.write(0, kStateIllegal);
    check_views(stage, 9, {{{0.5, 0.5}, 10}, {{0.5, 0.5}, 60}, {{0.5, 0.5}, 500}});
}

TEST_CASE("renderer: helpers keep their look where what is near is drawn") {
    LargeMesh large;
    if (!large.stage) return;
    large.show(kPoints - 5000);
    check_views(*large.stage, 7, ways({0.31, 0.52}));
    large.show(kPoints);  // there are none, but there could be: the outline is no fan
    check_views(*large.stage, 8, {{{0.31, 0.52}, 30}, {{0.999, 0.4}, 60}});
}

TEST_CASE("renderer: what has a look of its own lies over a density where its vertices are") {
    LargeMesh large;
    if (!large.stage) return;
    DrawnStage& stage = *large.stage;
    TriangleMesh& mesh = *large.stage->mesh;
    mesh.clear_states();
    const Camera camera = fitted(stage.scene, 800);
    stage.renderer.set_revision(3);
    stage.draw(camera, 800, 800);
    const auto plain = stage.pixels;
    std::vector<std::pair<uint32_t, Point>> marked;  // middles of finite edges
    for (uint32_t e = 0; e < mesh.edge_count; e += 8000) {
        const uint32_t a = mesh.edges.read(2 * size_t(e)), b = mesh.edges.read(2 * size_t(e) + 1);
        if (a >= kPoints || b >= kPoints) continue;
        mesh.edge_states.write(e, kStateIllegal);
        const Point p = mesh.positions.read(a), q = mesh.positions.read(b);
        marked.push_back({e, {0.5 * (p.x + q.x), 0.5 * (p.y + q.y)}});
    }
    REQUIRE(marked.size() > 15);
    stage.renderer.set_revision(4);
    stage.draw(camera, 800, 800);
    size_t changed = 0, beside_one = 0;
    for (int y = 0; y < 800; ++y)
        for (int x = 0; x < 800; ++x) {
            const size_t i = 4 * (size_t(y) * 800 + size_t(x));
            if (std::equal(&plain[i], &plain[i] + 3, &stage.pixels[i])) continue;
            ++changed;
            const auto is_near = [&](const auto& one) {
                const Point at = stage.seen(camera, one.second);
                return std::hypot(at.x - x, at.y - y) < 12;
            };
            beside_one += std::any_of(marked.begin(), marked.end(), is_near);
        }
    CHECK(changed == beside_one);
    for (const auto& [e, middle] : marked) {
        INFO("edge ", e);
        const Point at = stage.seen(camera, middle);
        const size_t i = 4 * (size_t(at.y) * 800 + size_t(at.x));
        CHECK_FALSE(std::equal(&plain[i], &plain[i] + 3, &stage.pixels[i]));
    }
}

TEST_CASE("renderer: in a hurry some of many marked elements stand for all, until there is time for the others") {
    LargeMesh large;
    if (!large.stage) return;
    DrawnStage& stage = *large.stage;
    TriangleMesh& mesh = *stage.mesh;
    const Camera camera = fitted(stage.scene, 400);
    const auto picture = [&](uint64_t revision, bool fine) {
        stage.renderer.set_revision(revision);
        stage.draw(camera, 400, 400, 1, {}, fine);
        return stage.pixels;
    };
    const auto changed = [](const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
        size_t count = 0;
        for (size_t i = 0; i < a.size(); i += 4) count += !std::equal(&a[i], &a[i] + 3, &b[i]);
        return count;
    };
    mesh.clear_states();
    const auto plain = picture(1, true);
    for (const bool many : {true, false}) {
        INFO("many ", many);
        std::vector<State> states(mesh.edge_count, 0);
        for (uint32_t e = 0; e < states.size(); e += many ? 2 : 8) states[e] = kStateIllegal;
        mesh.edge_states.upload(stage.context, states.data(), states.size());
        const uint64_t revision = many ? 2 : 3;
        const auto hurried = picture(revision, false), fine = picture(revision, true);
        CHECK(changed(hurried, plain) > 50'000);
        CHECK((hurried == fine) == !many);
        CHECK(picture(revision, false) == fine);  // what is there is shown
        CHECK(picture(revision + 10, true) == fine);
        stage.scene.layer("edges")->legend = {
            {LegendEntry::Element::kEdge, kStateQueued, Role::kFailed, "failed", ""},
            {LegendEntry::Element::kEdge, kStateIllegal, Role::kIllegal, "illegal", ""}};
        for (const uint32_t e : {500u, 501u, 502u, 503u, 504u}) {  // of which a sample would have two at most
            states[e] |= kStateQueued;
            mesh.edge_states.upload(stage.context, states.data(), states.size());
            const auto with = picture(revision + 20 + e, false);
            states[e] &= static_cast<State>(~kStateQueued);
            mesh.edge_states.upload(stage.context, states.data(), states.size());
            CHECK(with != picture(revision + 40 + e, false));
        }
    }
}

TEST_CASE("renderer: elements much larger than most are drawn below the mean that stands for the others") {
    const auto on = stage_or_skip();
    if (!on) return;
    DrawnStage& stage = *on;
    Geometry geometry = generate(parse_generator("uniform:40000"));
    for (Point& p : geometry.points) p = {0.3 * p.x, 0.3 * p.y};
    for (const Point& p : {Point{1, 0}, Point{1, 1}, Point{0, 1}}) geometry.points.push_back(p);
    const auto lab = make_lab("build");
    lab->reset(stage.context, std::make_shared<const Geometry>(geometry));
    lab->finish({});
    stage.scene = lab->scene();
    const TriangleMesh& mesh = *stage.scene.mesh;
    std::vector<float> values(mesh.triangle_count, 0);  // 1: those that reach out of the crowd
    for (size_t t = 0; t < values.size(); ++t) {
        for (size_t k = 0; k < 3; ++k)
            if (const uint32_t v = mesh.triangles.read(3 * t + k); v < mesh.infinite()) {
                const Point p = mesh.positions.read(v);
                if (p.x > 0.3 || p.y > 0.3) values[t] = 1;
            }
    }
    Buffer<float> numbers = stage.drawn(values);
    Layer& layer = *stage.scene.layer("triangles");
    layer.scalars = &numbers;
    layer.scale.high = 1;
    const DisplayOptions display{{{"edges", false}, {"links", false}, {"points", false}}};
    const Color high = palette(false).scale({ColourScale::Kind::kSequential}, 1),
                low = palette(false).scale({ColourScale::Kind::kSequential}, 0);
    for (const double zoom : {0.3, 1.0, 1.5, 0.3}) {
        Camera camera = fitted(stage.scene);
        camera.scale *= zoom;
        REQUIRE(plan_density(stage.scene, display, camera.scale, 1).means.at(0) == 1);
        for (int frame = 0; frame < 2; ++frame) {
            stage.renderer.set_revision(1);
            stage.draw(camera, 200, 200, 1, display);
            for (const Point place : {Point{0.15, 0.15}, Point{0.7, 0.7}, Point{0.6, 0.1}, Point{0.45, 0.6}}) {
                INFO("zoom ", zoom, " at ", place.x, " ", place.y);
                CHECK(distance(stage.at(camera, place), place.x < 0.3 ? low : high) < 0.04);
            }
            if (zoom <= 1) CHECK(distance(stage.at(camera, {-0.05, 0.5}), palette(false).canvas) < 0.02);
        }
    }
    lab->reset(stage.context, std::make_shared<const Geometry>());
    stage.scene = {};
    numbers = {};
}
