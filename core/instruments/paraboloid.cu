#include "instruments/paraboloid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "compute/launch.h"
#include "delaunay/furthest_point.h"
#include "flipscope/predicates.h"
#include "instruments/triangle_words.h"
#include "mesh/collect_failures.h"
#include "mesh/pick.h"

namespace flipscope {

namespace {

constexpr double kGap = 0.75;  // between bowl and shadow, of Lift::length
constexpr uint32_t kRings = 8, kSpokes = 24, kAround = 48;
constexpr int kPieces = 192;  // of an ellipse

struct LiftVertex {
    View<const Point> places;
    Lift lift;
    double floor, beyond;  // heights of the shadow, and of a helper
    uint32_t helper_begin;
    View<double> heights, floor_heights;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        heights[v] = v < helper_begin ? lift.height(places[v]) : beyond;
        floor_heights[v] = floor;
    }
};

struct IsBelow {
    View<const Point> places;
    Point a, b, c;
    FLIPSCOPE_HD bool operator()(uint32_t v) const { return incircle(a, b, c, places[v]) > 0; }
    FLIPSCOPE_HD uint32_t element(uint32_t v) const { return v; }
};

const TriangleMesh* planar_mesh(const Scene& scene) {
    const TriangleMesh* const mesh = scene.mesh;
    const bool planar = mesh && !scene.in_space && mesh->heights.empty() && !mesh->on_torus();
    return planar && mesh->vertex_count > 3 ? mesh : nullptr;
}

/// What is lifted: a mesh's vertices, or an input's points before the first triangle.
struct Liftable {
    const Buffer<Point>* places = nullptr;  // none: nothing
    uint32_t count = 0, drawn = 0;          // with and without helpers
};

Liftable liftable(const Scene& scene) {
    const Layer *const faces = scene.layer("triangles"), *const dots = scene.layer("points");
    const auto* const triangles = faces ? std::get_if<TrianglesLayer>(&faces->shape) : nullptr;
    if (const TriangleMesh* const mesh = planar_mesh(scene))
        return {&mesh->positions, mesh->infinite(),
                std::min(mesh->infinite(), triangles ? triangles->helper_begin : kNone)};
    const auto* const points = dots && !dots->periodic ? std::get_if<PointsLayer>(&dots->shape) : nullptr;
    const bool alone = std::ranges::all_of(scene.layers, [&](const Layer& one) { return &one == dots || one.empty(); });
    if (!points || !alone || points->heights || scene.mesh || scene.in_space) return {};
    return {points->places, points->count, points->count};
}

/// The layer over the same vertices at these heights; nullopt: it cannot be drawn in space.
std::optional<Layer> at_heights(const Layer& layer, const Buffer<Point>& places, const Buffer<double>& heights,
                                uint32_t count) {
    if (layer.periodic) return {};
    Layer lifted = layer;
    const bool fits = std::visit(
        [&](auto& shape) {
            if constexpr (requires { shape.heights; }) {
                if (shape.places != &places) return false;
                shape.heights = &heights;
                if constexpr (requires { shape.arrows; })
                    if (shape.arrows || (!shape.ends && shape.few_ends.empty())) return false;
                if constexpr (requires { shape.place_count; }) shape.place_count = std::min(shape.place_count, count);
                if constexpr (requires { shape.helper_end; }) {
                    shape.count = std::min(shape.count, count);
                    shape.helper_end = 0;
                }
                shape.helper_begin = kNone;
                return true;
            }
            return false;
        },
        lifted.shape);
    return fits ? std::optional(std::move(lifted)) : std::nullopt;
}

bool is_surface(const Layer& layer) { return std::holds_alternative<TrianglesLayer>(layer.shape); }

}  // namespace

void Paraboloid::update(Context& context, const Scene& scene, Choice choice) {
    part_ = kNone;
    upper_.clear();
    const auto [places, count, drawn] = choice.shown ? liftable(scene) : Liftable{};
    if (!places || scene.view_count() == Scene::kMostViews) return;
    const Point half{0.5 * (scene.high.x - scene.low.x), 0.5 * (scene.high.y - scene.low.y)};
    const double longer = std::max(half.x, half.y);
    if (!(longer > 0) || !std::isfinite(longer)) return;
    part_ = static_cast<uint32_t>(scene.view_count());
    const Lift lift{{scene.low.x + half.x, scene.low.y + half.y}, longer};
    const double radius = std::hypot(half.x, half.y);
    const bool same = lift.centre == lift_.centre && lift.length == lift_.length && radius == radius_;
    lift_ = lift;
    radius_ = radius;
    floor_ = -kGap * longer;
    if (!same) draw_bowl(context);
    heights_.resize(context, count, false);
    floor_heights_.resize(context, count, false);
    // A helper would lie so far up that it hid all others; at NaN it is not picked.
    constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
    launch(context, "paraboloid.lift", count,
           LiftVertex{places->view(), lift_, floor_, kNowhere, drawn, heights_.view(), floor_heights_.view()});
    too_many_ = choice.upper_hull && drawn > kMostUpper;
    if (choice.upper_hull && !too_many_) find_upper_hull(context, places->download(drawn), scene.mesh);
    context.synchronize();
}

// Circles and parabolas up to the corners of the bounds.
void Paraboloid::draw_bowl(Context& context) {
    std::vector<Point> places;
    std::vector<double> heights;
    std::vector<uint32_t> ends;
    for (uint32_t ring = 0; ring <= kRings; ++ring)
        for (uint32_t k = 0; k < kAround; ++k) {
            const double angle = 2 * std::numbers::pi * k / kAround, r = radius_ * ring / kRings;
            places.push_back({lift_.centre.x + r * std::cos(angle), lift_.centre.y + r * std::sin(angle)});
            heights.push_back(r * r / lift_.length);
            const uint32_t here = ring * kAround + k;
            if (ring > 0) ends.insert(ends.end(), {here, ring * kAround + (k + 1) % kAround});
            if (ring > 0 && k % (kAround / kSpokes) == 0) ends.insert(ends.end(), {here - kAround, here});
        }
    bowl_places_.upload(context, places.data(), places.size());
    bowl_heights_.upload(context, heights.data(), heights.size());
    bowl_ends_.upload(context, ends.data(), ends.size());
}

void Paraboloid::apply(Scene& scene) const {
    const auto [places, lifted_count, count] = part_ == scene.view_count() ? liftable(scene) : Liftable{};
    if (!places || lifted_count > heights_.size()) return;
    SceneView view;
    view.title = (scene.title.empty() ? "Lifted" : scene.title + ", lifted") + " to z = x² + y²" +
                 (too_many_ ? ", without the upper hull of so many points" : "");
    if (scene.title.empty()) scene.title = "The plane";
    view.low = {lift_.centre.x - radius_, lift_.centre.y - radius_};
    view.high = {lift_.centre.x + radius_, lift_.centre.y + radius_};
    view.low_z = floor_;
    view.high_z = radius_ * radius_ / lift_.length;
    view.in_space = true;
    view.linked = false;
    view.point_count = scene.point_count;
    const auto add = [&](const Buffer<double>& heights, bool surfaces) {
        const bool shadow = &heights == &floor_heights_;
        for (const Layer& layer : scene.layers) {
            if (is_surface(layer) != surfaces || (shadow && std::holds_alternative<PointsLayer>(layer.shape))) continue;
            auto lifted = at_heights(layer, *places, heights, count);
            if (lifted && shadow) lifted->id = "shadow", lifted->title = "Shadow";
            if (lifted && shadow) lifted->sentence = "The triangulation of the plane, below the paraboloid";
            if (lifted) view.layers.push_back(std::move(*lifted));
        }
    };
    add(floor_heights_, true);  // surfaces first: they hide what was drawn before
    add(heights_, true);
    Layer bowl{"bowl", "Bowl", "Circles and parabolas of the paraboloid z = x² + y²", true,
               SegmentsLayer{&bowl_places_, &bowl_heights_, static_cast<uint32_t>(bowl_places_.size()), &bowl_ends_,
                             static_cast<uint32_t>(bowl_ends_.size() / 2)}};
    bowl.role = Role::kHelper;
    view.layers.push_back(std::move(bowl));
    add(floor_heights_, false);
    add(heights_, false);
    if (!upper_.empty()) {
        const std::string sentence =
            "The furthest-point Delaunay triangulation: the circle of each triangle contains all points";
        Layer upper{
            kUpperHull, "Upper hull", sentence, true,
            SegmentsLayer{places, nullptr, count, &upper_edges_, static_cast<uint32_t>(upper_edges_.size() / 2)}};
        upper.role = Role::kForce;  // a colour that no state of a triangulation has
        upper.legend = {{ElementKind::kEdge, kStateMissing, Role::kForce, "upper hull", sentence}};
        view.layers.push_back(*at_heights(upper, *places, heights_, count));
        scene.layers.push_back(std::move(upper));
        Layer diagram{"furthest-point", "Furthest-point diagram",
                      "The furthest-point Voronoi diagram: in each cell the same point is the furthest", true,
                      SegmentsLayer{&furthest_, nullptr, static_cast<uint32_t>(furthest_.size()), nullptr,
                                    static_cast<uint32_t>(furthest_.size() / 2)}};
        diagram.role = Role::kExact;
        diagram.legend = {
            {ElementKind::kEdge, kStateMissing, Role::kExact, "furthest-point diagram", diagram.sentence}};
        scene.layers.push_back(std::move(diagram));
    }
    scene.beside.push_back(std::move(view));
}

void Paraboloid::find_upper_hull(Context& context, const std::vector<Point>& points, const TriangleMesh* mesh) {
    const auto count = static_cast<uint32_t>(points.size());
    std::vector<uint32_t> inputs(count);
    std::iota(inputs.begin(), inputs.end(), 0u);
    if (mesh && mesh->inputs.size() >= count) inputs = mesh->inputs.download(count);
    const auto found = furthest_point_delaunay(points, inputs, kMostUpperCorners);
    too_many_ = !found;
    if (!found) return;
    upper_ = *found;
    // The diagram is the dual: an edge of two triangles joins their centres; from that of a hull edge's triangle a ray
    // leads away from this edge.
    std::map<std::pair<uint32_t, uint32_t>, Point> centres;  // by an edge that was met once
    std::vector<uint32_t> ends;
    std::vector<Point> lines;
    for (const auto& corners : upper_) {
        const auto circle = circumcircle(points[corners[0]], points[corners[1]], points[corners[2]]);
        for (uint32_t k = 0; circle && k < 3; ++k) {
            const uint32_t a = corners[k], b = corners[(k + 1) % 3];
            if (const auto other = centres.find({b, a}); other != centres.end()) {
                lines.insert(lines.end(), {other->second, circle->centre});
                centres.erase(other);
            } else {
                centres[{a, b}] = circle->centre;
                ends.insert(ends.end(), {a, b});
            }
        }
    }
    for (const auto& [edge, centre] : centres) {
        const Point a = points[edge.first], b = points[edge.second];
        const double length = std::hypot(b.x - a.x, b.y - a.y), reach = 8 * radius_;
        lines.insert(lines.end(),
                     {centre, {centre.x - (b.y - a.y) / length * reach, centre.y + (b.x - a.x) / length * reach}});
    }
    upper_edges_.upload(context, ends.data(), ends.size());
    furthest_.upload(context, lines.data(), lines.size());
}

Element Paraboloid::pick(Context& context, const Scene& scene, Probe probe) const {
    const TriangleMesh* const mesh = planar_mesh(scene);
    if (!mesh || mesh->infinite() > heights_.size()) return {ElementKind::kVertex, kNone};
    MeshView lifted = mesh->view();
    lifted.heights = heights_.view();
    probe.part = 0;
    return pick_in_space(context, lifted, mesh->triangle_count, mesh->edge_count,
                         std::min(scene.point_count, liftable(scene).drawn), probe);
}

Highlight Paraboloid::lifted(Highlight mark) const {
    mark.part = part_;
    if (mark.kind != Highlight::Kind::kCircle) {
        for (Point3& place : mark.places) place = lift_({place.x, place.y});
        return mark;
    }
    // Of a large circle only the arc that passes through the bowl.
    const Point middle{mark.places[0].x, mark.places[0].y};
    const double toward = std::atan2(lift_.centre.y - middle.y, lift_.centre.x - middle.x);
    const double reach = 1.5 * radius_;
    const double half = mark.radius > reach ? std::min(std::numbers::pi, 2 * reach / mark.radius) : std::numbers::pi;
    Highlight arc = Highlight::line({}, {}, mark.role, mark.name, Highlight::Style::kThin);
    arc.part = part_;
    arc.places.clear();
    for (int i = 0; i <= kPieces; ++i) {
        const double angle = toward + half * (2.0 * i / kPieces - 1);
        arc.places.push_back(
            lift_({middle.x + mark.radius * std::cos(angle), middle.y + mark.radius * std::sin(angle)}));
    }
    return arc;
}

std::vector<Highlight> Paraboloid::lifted(Context& context, const Scene& scene, const Element& element,
                                          const std::vector<Highlight>& marks) const {
    std::vector<Highlight> all;
    const TriangleMesh* const mesh = part_ == kNone ? nullptr : planar_mesh(scene);
    if (!mesh || element.part != 0) return all;
    for (const Highlight& mark : marks)
        if (mark.part == 0) all.push_back(lifted(mark));
    if (element.kind != ElementKind::kTriangle || element.id >= mesh->triangle_count) return all;
    const std::vector<uint32_t> corners = mesh->triangles.download(3, 3 * size_t(element.id));
    const uint32_t drawn = liftable(scene).drawn, count = std::min(scene.point_count, drawn);
    if (std::ranges::any_of(corners, [&](uint32_t v) { return v >= drawn; })) return all;
    const auto at = [&](uint32_t v) { return mesh->positions.read(v); };
    const IsBelow below{mesh->positions.view(), at(corners[0]), at(corners[1]), at(corners[2])};
    for (const uint32_t v : collect_ids(context, "paraboloid.below", count, below, kMostBelow)) {
        Highlight mark = Highlight::point(lift_(at(v)), Role::kIllegal, "below the plane");
        mark.part = part_;
        all.push_back(mark);
        mark.places[0].z = 0;
        mark.part = 0;
        all.push_back(std::move(mark));
    }
    return all;
}

}  // namespace flipscope
