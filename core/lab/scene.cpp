#include "lab/scene.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace flipscope {

const char* name_of(Role role) {
    static constexpr const char* kNames[] = {"plain",    "new",          "illegal",         "granted",  "deferred",
                                             "flipped",  "stale",        "cycling",         "queued",   "waiting",
                                             "chosen",   "helper",       "missing",         "locked",   "non-manifold",
                                             "blocked",  "lost contact", "created contact", "exact",    "missed",
                                             "spurious", "obstacle",     "corner",          "island",   "prolonged",
                                             "active",   "unmatched",    "failed",          "moved",    "force",
                                             "positive", "zero",         "negative",        "numbered", "category"};
    static_assert(std::size(kNames) == static_cast<size_t>(Role::kCategory) + 1);
    return kNames[static_cast<size_t>(role)];
}

namespace {

/// Those of the first layer that numbers elements of this kind.
NumberedElements elements_of(const std::vector<Layer>& layers, ElementKind kind) {
    for (const Layer& layer : layers) {
        NumberedElements elements = std::visit([](const auto& shape) { return shape.elements(); }, layer.shape);
        elements.box = layer.periodic;
        if (elements.each > 0 && layer.element() == kind) return elements;
    }
    return {};
}

/// Moves the corners to where they are drawn: at the shortest displacement from the first, across any border.
void unfold(std::vector<Point3>& corners, const std::optional<PeriodicBox>& box) {
    const auto shortest = [](double way, double size) {
        return size > 0 ? way - std::floor(way / size + 0.5) * size : way;
    };
    for (size_t k = 1; box && k < corners.size(); ++k) {
        corners[k].x = corners[0].x + shortest(corners[k].x - corners[0].x, box->size.x);
        corners[k].y = corners[0].y + shortest(corners[k].y - corners[0].y, box->size.y);
    }
}

Point3 place_of(const Buffer<Point>& places, const Buffer<double>* heights, uint32_t i) {
    const Point p = places.read(i);
    return {p.x, p.y, heights && !heights->empty() ? heights->read(i) : 0};
}

}  // namespace

double ColourScale::place(double value) const {
    if (logarithmic && low > 0) {
        if (!(value > 0) || !(high > low)) return 0;
        return std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0);
    }
    if (!(high > low) || std::isnan(value)) return 0;
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

double ColourScale::colour_place(double place) const {
    if (steps < 2) return steps == 1 ? 0.5 : place;
    const double step = std::min(std::floor(place * steps), steps - 1.0);
    // The first and the last step have the colours of the ends, which on a wheel are one colour.
    return step / (is_wheel() ? steps : steps - 1);
}

LegendEntry::Element Layer::element() const {
    return std::visit([](const auto& of) { return of.kElement; }, shape);
}

const Buffer<State>* Layer::states() const {
    return std::visit([](const auto& of) { return of.states; }, shape);
}

bool Layer::present() const {
    return std::visit([](const auto& of) { return of.present(); }, shape);
}

bool Layer::empty() const {
    return std::visit([](const auto& of) { return of.empty(); }, shape);
}

bool Layer::has_scale() const {
    const auto* lattice = std::get_if<LatticeLayer>(&shape);
    return lattice ? lattice->field || lattice->numbers : scalars != nullptr;
}

const Layer* SceneView::layer(const std::string& id) const {
    for (const Layer& each : layers)
        if (each.id == id) return &each;
    return nullptr;
}

Layer* SceneView::layer(const std::string& id) {
    return const_cast<Layer*>(static_cast<const SceneView*>(this)->layer(id));
}

void SceneView::add_mesh(const TriangleMesh& of, uint32_t points, uint32_t helper_begin) {
    mesh = &of;
    point_count = points;
    const bool surface = !of.heights.empty();
    const Buffer<double>* heights = surface ? &of.heights : nullptr;
    const uint32_t finite = of.vertex_count > 0 ? of.vertex_count - 1 : 0;
    layers.push_back({"triangles", "Triangles", surface ? "The surface, with a light on it" : "The triangles' insides",
                      true,
                      TrianglesLayer{&of.positions, heights, finite, &of.triangles, of.triangle_count,
                                     states_or_none(of.triangle_states), helper_begin}});
    layers.push_back({"edges", "Edges", surface ? "The wireframe" : "The edges, coloured by what happens to them", true,
                      SegmentsLayer{&of.positions,
                                    heights,
                                    finite,
                                    &of.edges,
                                    of.edge_count,
                                    {},
                                    states_or_none(of.edge_states),
                                    helper_begin}});
    layers.push_back({"points", "Points", "The vertices", true,
                      PointsLayer{&of.positions, heights, std::min(points, finite), states_or_none(of.vertex_states),
                                  helper_begin < finite ? helper_begin : kNone, helper_begin < finite ? finite : 0}});
}

Layer* SceneView::add_few_lines(std::string id, std::string title, std::string sentence, std::vector<uint32_t> ends,
                                Role role) {
    if (ends.empty()) return nullptr;
    SegmentsLayer lines{&mesh->positions, nullptr, mesh->vertex_count > 0 ? mesh->infinite() : 0};
    lines.few_ends = std::move(ends);
    Layer layer{std::move(id), std::move(title), std::move(sentence), true, std::move(lines)};
    layer.role = role;
    return &*layers.insert(layers.end() - 1, std::move(layer));
}

void SceneView::set_legend(const std::vector<LegendEntry>& entries) {
    for (Layer& each : layers) {
        each.legend.clear();
        for (const LegendEntry& entry : entries)
            if (entry.element == each.element()) each.legend.push_back(entry);
    }
}

void SceneView::put_legend_first(const std::vector<LegendEntry>& entries) {
    for (Layer& each : layers) {
        std::vector<LegendEntry> all;
        for (const LegendEntry& entry : entries) {
            // Where a layer's words are numbers, this bit would match some of them.
            const bool taken = std::any_of(each.legend.begin(), each.legend.end(), [&](const LegendEntry& other) {
                return entry.mask == 0 && (other.mask & entry.bit) != 0;
            });
            if (entry.element == each.element() && !taken) all.push_back(entry);
        }
        all.insert(all.end(), each.legend.begin(), each.legend.end());
        each.legend = std::move(all);
    }
}

std::vector<LegendEntry> SceneView::legend() const {
    std::vector<LegendEntry> all;
    for (const Layer& each : layers)
        for (const LegendEntry& entry : each.legend) {
            const auto same = [&](const LegendEntry& other) {
                const bool alike = other.element == entry.element && other.role == entry.role &&
                                   other.name == entry.name && other.number == entry.number;
                return other == entry || (alike && !entry.name.empty() && other.strength == entry.strength);
            };
            if (std::none_of(all.begin(), all.end(), same)) all.push_back(entry);
        }
    return all;
}

LatticeLayer SceneView::lattice() const {
    LatticeLayer all;
    for (const Layer& each : layers) {
        const auto* lattice = std::get_if<LatticeLayer>(&each.shape);
        if (!lattice || !*lattice) continue;
        if (all && (all.width != lattice->width || all.height != lattice->height)) continue;
        all.width = lattice->width;
        all.height = lattice->height;
        if (lattice->colours) all.colours = lattice->colours, all.units = lattice->units;
        if (lattice->names) all.names = lattice->names;
        if (lattice->field) all.field = lattice->field;
        if (lattice->states) all.states = lattice->states;
        if (lattice->site_count > 0) all.site_count = lattice->site_count;
        if (lattice->numbers) all.numbers = lattice->numbers;
        if (lattice->wraps.any()) all.wraps = lattice->wraps;
    }
    return all;
}

bool SceneView::empty() const {
    return std::all_of(layers.begin(), layers.end(), [](const Layer& each) { return each.empty(); });
}

std::optional<PeriodicBox> SceneView::periodic() const {
    for (const Layer& each : layers)
        if (each.periodic) return each.periodic;
    return std::nullopt;
}

uint32_t SceneView::count_of(ElementKind kind) const {
    if (kind == ElementKind::kPixel) {
        const LatticeLayer whole = lattice();
        return whole.width * whole.height;
    }
    const bool in_pieces = mesh && mesh->on_torus() && kind != ElementKind::kVertex;  // layers may hold them in pieces
    if (!in_pieces) return elements_of(layers, kind).count;
    return kind == ElementKind::kEdge ? mesh->edge_count : mesh->triangle_count;
}

const Buffer<State>* SceneView::states_of(ElementKind kind) const {
    return kind == ElementKind::kPixel ? lattice().states : elements_of(layers, kind).states;
}

std::vector<Point3> SceneView::corners_of(const Element& element) const {
    if (element.kind == ElementKind::kPixel) {
        const uint32_t width = std::max(lattice().width, 1u);
        const double x = element.id % width, y = element.id / width;
        return {{x - 0.5, y - 0.5, 0}, {x + 0.5, y - 0.5, 0}, {x + 0.5, y + 0.5, 0}, {x - 0.5, y + 0.5, 0}};
    }
    std::vector<Point3> corners;
    const NumberedElements of = elements_of(layers, element.kind);
    for (uint32_t k = 0; of.places && k < of.each; ++k) {
        const uint32_t at = of.corners ? of.corners->read(of.each * size_t(element.id) + k) : element.id;
        if (at < of.place_count) corners.push_back(place_of(*of.places, of.heights, at));
    }
    unfold(corners, of.box);
    return corners;
}

bool Scene::nothing_to_draw() const {
    return empty() && std::all_of(beside.begin(), beside.end(), [](const SceneView& view) { return view.empty(); });
}

std::vector<const Layer*> Scene::toggles() const {
    std::vector<const Layer*> all;
    for (size_t i = 0; i < view_count(); ++i)
        for (const Layer& each : view(i).layers) {
            const auto same =
                std::find_if(all.begin(), all.end(), [&](const Layer* other) { return other->id == each.id; });
            if (same == all.end())
                all.push_back(&each);
            else if ((*same)->empty())
                *same = &each;
        }
    return all;
}

}  // namespace flipscope
