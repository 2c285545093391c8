#include "instruments/exploration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "compute/primitives.h"
#include "delaunay/constructions/order.h"
#include "lab/parameters.h"
#include "lab/unit_names.h"
#include "statistics/area_rings.h"
#include "statistics/area_view.h"
#include "statistics/summary.h"

namespace flipscope {

namespace {

using Q = ElementQuantity;

/// For a column of text: replaces categories by their classes.
struct Classify {
    View<const uint32_t> classes;
    View<double> values;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const double value = values[i];
        values[i] = value >= 0 && value < double(classes.count) ? double(classes[uint32_t(value)]) : NAN;
    }
};

struct CopyScalars {
    View<const double> values;
    View<const uint32_t> owners;  // or empty: element i is its own
    View<float> scalars;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t of = owners ? owners[i] : i;
        scalars[i] = of == kNone ? float(NAN) : static_cast<float>(values[of]);
    }
};

/// Assigns numbers and names of vertices to their sites.
struct NumberSites {
    View<const double> values;   // (v)
    View<const uint32_t> sites;  // (v) or kNone
    View<float> numbers;         // (site)
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        if (sites[v] != kNone) numbers[sites[v]] = static_cast<float>(values[v]);
    }
};
struct NameSelected {
    View<const uint8_t> marks;   // (v)
    View<const uint32_t> sites;  // (v) or kNone
    View<const uint32_t> given;  // names by site, or fewer: the others have the site as their name
    View<uint32_t> names;        // (site)
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const uint32_t site = sites[v];
        if (marks[v] == 0 && site != kNone) names[site] = site < given.count ? given[site] : site;
    }
};

/// Moves places from a periodic box to the world.
struct MoveBy {
    View<Point> places;
    Point by;
    FLIPSCOPE_HD void operator()(uint32_t i) const { places[i] = {places[i].x + by.x, places[i].y + by.y}; }
};

/// Discs at the points; on a torus in the world. The area of a disc is proportional to its value.
struct PlaceDiscs {
    MeshView mesh;
    Point corner;                // of a periodic box
    View<const double> values;   // (v) or empty
    double radius, greatest;     // of a disc of the greatest value
    View<const double> colours;  // (v) or empty
    View<const uint32_t> order;  // (v) or empty
    View<const uint8_t> marks;   // (v) not 0: not drawn; or empty
    View<Point> places;
    View<double> radii;
    View<float> scalars;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t v = order ? order[i] : i;
        places[i] = {mesh.positions[v].x + corner.x, mesh.positions[v].y + corner.y};
        const double value = marks && marks[v] ? 0 : values ? values[v] : greatest;
        radii[i] = value > 0 ? radius * sqrt(value / greatest) : 0;  // 0 also for NaN
        scalars[i] = colours ? static_cast<float>(colours[v]) : float(NAN);
    }
};

/// Of the numbers above zero.
SampleSummary summarise_positive(Context& context, View<const double> values) {
    const NumberSample sample{values, {}, std::numeric_limits<double>::denorm_min()};
    return summarise(context, std::span(&sample, 1))[0];
}

struct FillCorners {
    View<uint32_t> corners;
    FLIPSCOPE_HD void operator()(uint32_t i) const { corners[i] = i; }
};

/// The side of each triangle of a cell that is opposite its site. Triangles without area have none.
struct FillSides {
    View<const Point> corners;
    uint32_t corner_count;
    View<uint32_t> ends;  // (t, 2) indices of corners; corner_count: not drawn
    FLIPSCOPE_HD void operator()(uint32_t triangle) const {
        const uint32_t from = 3 * triangle + 1, to = from + 1;
        const bool is_side = corners[from].x != corners[to].x || corners[from].y != corners[to].y;
        ends[2 * size_t(triangle)] = is_side ? from : corner_count;
        ends[2 * size_t(triangle) + 1] = is_side ? to : corner_count;
    }
};

/// Tests for the selection.
struct Chosen {
    MeshView mesh;
    uint32_t inside;            // vertices from here on are ignored
    View<const Point> region;   // (k) or empty
    View<const uint32_t> ids;   // ascending, or empty
    View<const double> values;  // of the tested elements, or empty
    double low, high;
    View<const uint32_t> own_ids = {};  // of edges or triangles, ascending, or empty
    View<const uint32_t> sites = {};    // (v) kNone: the vertex is a copy of a site, and ignored; or empty
    View<const uint8_t> allowed = {};   // (category) 1: selected; or empty: values are numbers
    double stretch = 1;                 // SiteMesh::stretch()

    FLIPSCOPE_HD static bool holds(View<const uint32_t> ids, uint32_t id) {
        const size_t at = lower_bound(ids.data, size_t(0), ids.count, id);
        return at < ids.count && ids[at] == id;
    }
    FLIPSCOPE_HD bool in_range(uint32_t i) const {
        if (own_ids && !holds(own_ids, i)) return false;
        if (allowed) return values[i] >= 0 && values[i] < double(allowed.count) && allowed[uint32_t(values[i])] != 0;
        return !values || (values[i] >= low && values[i] <= high);  // false for NaN
    }
    FLIPSCOPE_HD bool has_vertex(uint32_t v) const {
        if (v >= inside || (sites && sites[v] == kNone)) return false;
        if (ids) return holds(ids, v);
        if (!region) return true;
        // Count the crossings of a ray to the right with the outline.
        const Point p{mesh.positions[v].x, mesh.positions[v].y / stretch};
        bool within = false;
        for (size_t i = 0, j = region.count - 1; i < region.count; j = i++) {
            const Point a = region[i], b = region[j];
            if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) within = !within;
        }
        return within;
    }
};

struct SelectVertices {
    Chosen chosen;
    View<uint8_t> marks;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        marks[v] = chosen.has_vertex(v) && chosen.in_range(v) ? 0 : Exploration::kNotSelected;
    }
};

/// Edges and triangles are selected if all their vertices are.
struct SelectElements {
    Chosen chosen;
    View<const uint8_t> vertices;  // (v) marks
    View<const uint32_t> corners;  // (n, each)
    uint32_t each;
    View<uint8_t> marks;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const MeshView& mesh = chosen.mesh;
        bool belongs = chosen.in_range(i) &&
                       !(each == 2 ? mesh.is_beyond(mesh.corner_of[2 * size_t(i)]) : mesh.is_beyond_borders(i));
        for (uint32_t k = 0; k < each && belongs; ++k) {
            const uint32_t v = corners[size_t(each) * i + k];
            belongs = v < chosen.inside && vertices[v] == 0;
        }
        marks[i] = belongs ? 0 : Exploration::kNotSelected;
    }
};

struct ListPlaces {
    View<const uint8_t> marks;
    MeshView mesh;
    double stretch;  // SiteMesh::stretch(), or 1
    View<Point> places;
    View<double> heights;              // of a surface in space
    View<double> radii;                // of discs, or empty
    double radius = 0;                 // of all of them, or
    View<const double> radii_of = {};  // (v) their own
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return marks[i] == 0; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        places[rank] = {mesh.positions[i].x, mesh.positions[i].y / stretch};
        if (mesh.heights) heights[rank] = mesh.heights[i];
        if (radii) radii[rank] = radii_of ? radii_of[i] : radius;
    }
};

struct ListDisclinations {
    View<const double> degrees;  // (v) NaN if the incidence is stale
    View<const uint8_t> flags;   // (v)
    MeshView mesh;
    double stretch;  // SiteMesh::stretch(), or 1
    View<Point> places;
    View<double> heights;  // of a surface in space
    View<float> scalars;
    FLIPSCOPE_HD uint32_t code(uint32_t v) const {
        return !(flags[v] & (kOnOutline | kNotMeasured)) && (degrees[v] > 6 || degrees[v] < 6);
    }
    FLIPSCOPE_HD void emit(uint32_t v, uint32_t rank, uint32_t code) const {
        if (!code) return;
        places[rank] = {mesh.positions[v].x, mesh.positions[v].y / stretch};
        if (mesh.heights) heights[rank] = mesh.heights[v];
        scalars[rank] = static_cast<float>(degrees[v]);
    }
};

struct ListCorners {
    View<const uint8_t> marks;
    View<const uint32_t> corners;
    uint32_t each;
    View<uint32_t> listed;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return marks[i] == 0; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        for (uint32_t k = 0; k < each; ++k) listed[size_t(each) * rank + k] = corners[size_t(each) * i + k];
    }
};

/// Rounded to two digits, so that a scale does not change with every step.
double to_two_digits(double value) {
    if (!(value > 0)) return 1;
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::ceil(value / unit) * unit;
}

/// From minimum to maximum, without a few outliers; from 0 if all values are positive and 0 is near.
ColourScale scale_of_attribute(Context& context, const std::string& id, const std::string& unit_name,
                               View<const double> values) {
    const SampleSummary summary = summarise(context, values);
    double low = std::max(summary.least, summary.mean - 3 * summary.deviation),
           high = std::min(summary.greatest, summary.mean + 3 * summary.deviation);
    if (low > 0 && low < 0.25 * high) low = 0;
    if (!(low < high)) {
        low -= 0.5;
        high += 0.5;
    }
    const double unit = std::pow(10, std::floor(std::log10(high - low)) - 1);
    return {ColourScale::Kind::kSequential, id, unit_name, std::floor(low / unit) * unit,
            std::ceil(high / unit) * unit};
}

ColourScale scale_of(Context& context, Q quantity, View<const double> values) {
    const ElementQuantityInfo& info = info_of(quantity);
    using Kind = ColourScale::Kind;
    switch (quantity) {
        case Q::kDegree:
        case Q::kNeighbourDegree:
            return {Kind::kDiverging, info.label, info.unit, 3, 9};
        case Q::kBondOrder4:
        case Q::kBondOrder6:
            return {Kind::kSequential, info.label, info.unit, 0, 1};
        case Q::kBondAngle6:
            return {Kind::kCyclic, info.label, info.unit, -30, 30};
        case Q::kAlpha:
        case Q::kCircumradius: {  // those of slivers at the hull may exceed the others by any factor
            const SampleSummary summary = summarise(context, values);
            const bool spreads = summary.least > 0 && summary.least < summary.greatest;
            return {Kind::kSequential,
                    info.label,
                    info.unit,
                    spreads ? summary.least : 0,
                    to_two_digits(spreads ? std::min(summary.greatest, 1000 * summary.least) : summary.greatest),
                    spreads};
        }
        case Q::kBeta:
            return {Kind::kSequential, info.label, info.unit, 0, 3};
        case Q::kMinimumAngle:
            return {Kind::kAngles, info.label, info.unit, 0, 60};
        default: {
            const SampleSummary summary = summarise(context, values);
            return {Kind::kSequential, info.label, info.unit, 0,
                    to_two_digits(std::min(summary.greatest, summary.mean + 2.5 * summary.deviation))};
        }
    }
}

/// The layer that shows the mesh's own elements of this kind.
const Layer* layer_of(const SceneView& view, ElementKind kind) {
    if (kind == ElementKind::kEdge) return view.layer("edges");
    if (kind == ElementKind::kTriangle) return view.layer("triangles");
    for (const Layer& layer : view.layers)
        if (layer.id == "points" || std::holds_alternative<DiscsLayer>(layer.shape)) return &layer;
    return nullptr;
}
Layer* layer_of(SceneView& view, ElementKind kind) { return const_cast<Layer*>(layer_of(std::as_const(view), kind)); }

/// Vertices of these sites, ascending.
std::vector<uint32_t> vertices_of_sites(const SiteMesh& mesh, const std::vector<uint32_t>& sites) {
    const std::vector<uint32_t> site_of = mesh.host_sites();
    std::vector<uint32_t> vertices;
    for (uint32_t v = 0; v < site_of.size(); ++v)
        if (std::binary_search(sites.begin(), sites.end(), site_of[v])) vertices.push_back(v);
    return vertices;
}

/// Discs that draw the vertices of the view's mesh.
const DiscsLayer* discs_of(const SceneView& view) {
    const Layer* const layer = layer_of(view, ElementKind::kVertex);
    return layer ? std::get_if<DiscsLayer>(&layer->shape) : nullptr;
}

bool carries_mesh(const SceneView& view) { return view.mesh && view.mesh->triangle_count > 0; }

}  // namespace

uint32_t explored_view(const Scene& scene) {
    for (uint32_t k = 0; k < scene.view_count(); ++k)
        if (carries_mesh(scene.view(k)) || SiteMesh::cells_of(scene.view(k))) return k;
    return kNone;
}

bool offers(const Scene& scene, const Explored& quantity) {
    const uint32_t k = explored_view(scene);
    if (k == kNone) return false;
    const SceneView& view = scene.view(k);
    if (!carries_mesh(view))
        return quantity.element() == ElementKind::kVertex &&
               (quantity.measured() || std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape).inputs);
    if (quantity.element() != ElementKind::kTriangle && !view.has_incidence) return false;
    return layer_of(view, quantity.element()) && !(quantity.planar() && view.in_space);
}

std::string offered_words(const Scene& scene, const Geometry* input, const std::string& lab) {
    const uint32_t k = explored_view(scene);
    if (k == kNone) return "the " + lab + " shows no mesh and no cells of sites in this state";
    std::vector<std::string> ids;
    for (uint32_t q = 0; q < kElementQuantityCount; ++q)
        if (offers(scene, ElementQuantity(q))) ids.emplace_back(info_of(ElementQuantity(q)).id);
    for (const std::string& id : attribute_ids(input))
        if (offers(scene, Explored(id))) ids.push_back(id);
    return "the " + lab + (carries_mesh(scene.view(k)) ? "" : " shows cells, which are those of its sites, and") +
           " has no such number here; it has " + join_words(ids, " and ");
}

void ExplorationChoice::clear_selection() {
    range.reset();
    region.clear();
    ids.clear();
    id_kind = ElementKind::kVertex;
    hides_rest = false;
}

Window window_of(Context& context, const PeriodicBox& box, View<const Point> points) {
    Window window{{0, 0}, box.size, box.size.x > 0, box.size.y > 0};
    if (window.is_torus()) return window;
    const Bounds bounds = box.reach > 0 ? Bounds{{0, 0}, {box.reach, box.reach}} : bounds_of(context, points);
    if (!window.periodic_x) window.low.x = bounds.low.x, window.high.x = bounds.high.x;
    if (!window.periodic_y) window.low.y = bounds.low.y, window.high.y = bounds.high.y;
    return window;
}

MeasuredMesh measured_in(Context& context, const SceneView& view, const std::optional<StudyArea>& within) {
    const TriangleMesh& mesh = *view.mesh;
    uint32_t count = mesh.on_torus() ? mesh.vertex_count : mesh.vertex_count > 0 ? mesh.vertex_count - 1 : 0;
    Window window;
    for (const Layer& layer : view.layers) {
        const auto* points = std::get_if<PointsLayer>(&layer.shape);
        if (points && points->places == &mesh.positions && !mesh.on_torus()) count = std::min(points->count, count);
    }
    if (const auto box = view.periodic(); box && mesh.on_torus())
        window = window_of(context, *box, mesh.positions.view(count));
    if (!window.is_periodic() && within) {
        window = window_of(*within);
    } else if (!window.is_periodic()) {
        const Bounds bounds = bounds_of(context, mesh.positions.view(count));
        window = {bounds.low, bounds.high, false};
    }
    MeasuredMesh made = measured(mesh, count, window);
    made.within_window = within && !window.is_periodic();
    if (made.within_window && within->is_polygon()) made.polygon = std::make_shared<const StudyArea>(*within);
    return made;
}

/// Index of the first view of the plane, which shows the study area; kNone: no view does.
uint32_t Exploration::outlined_view(const Scene& scene) const {
    for (uint32_t k = 0; choice_.area && k < scene.view_count(); ++k) {
        const auto box = scene.view(k).periodic();
        if (!scene.view(k).in_space && !(box && (box->size.x > 0 || box->size.y > 0))) return k;
    }
    return kNone;
}

/// Uploads the border and the triangles over the outside, unless they are there.
void Exploration::outline_area(Context& context, const Scene& scene) {
    const uint32_t k = outlined_view(scene);
    if (k == kNone) return outlined_.reset();
    const SceneView& view = scene.view(k);
    if (outlined_ == choice_.area && outlined_bounds_.contains(view.low) && outlined_bounds_.contains(view.high))
        return;
    outlined_ = choice_.area;
    const StudyArea& area = *outlined_;
    const auto sides_around = [](Point low, Point high) {
        const Point right{high.x, low.y}, left{low.x, high.y};
        return std::vector<AreaSide>{{low, right}, {right, high}, {high, left}, {left, low}};
    };
    std::vector<AreaSide> sides = area.is_polygon() ? sides_of(area) : sides_around(area.low, area.high);
    std::vector<Point> ends;
    for (const AreaSide& side : sides) ends.insert(ends.end(), {side.from, side.to});
    area_corners_.upload(context, ends.data(), ends.size());
    const Point low{std::min(view.low.x, area.low.x), std::min(view.low.y, area.low.y)},
        high{std::max(view.high.x, area.high.x), std::max(view.high.y, area.high.y)};
    const double far = 4 * std::max(high.x - low.x, high.y - low.y);
    outlined_bounds_ = {{low.x - far, low.y - far}, {high.x + far, high.y + far}};
    for (const AreaSide& side : sides_around(outlined_bounds_.low, outlined_bounds_.high)) sides.push_back(side);
    const std::vector<Point> outside = trapezoids_of(std::move(sides));
    std::vector<uint32_t> corners(outside.size());
    std::iota(corners.begin(), corners.end(), 0);
    outside_places_.upload(context, outside.data(), outside.size());
    outside_corners_.upload(context, corners.data(), corners.size());
}

/// Over all that it outlines.
void Exploration::apply_area(Scene& scene) const {
    const uint32_t k = outlined_view(scene);
    if (k == kNone || outlined_ != choice_.area) return;
    SceneView& view = scene.view(k);
    view.low = {std::min(view.low.x, outlined_->low.x), std::min(view.low.y, outlined_->low.y)};
    view.high = {std::max(view.high.x, outlined_->high.x), std::max(view.high.y, outlined_->high.y)};
    if (view.empty()) return;  // the input is drawn instead
    const auto corners = static_cast<uint32_t>(outside_corners_.size());
    Layer outside{kAreaLayer, "Study area", "The border of the area in which points are counted and cells measured",
                  true, TrianglesLayer{&outside_places_, nullptr, corners, &outside_corners_, corners / 3}};
    outside.role = Role::kExact;
    Layer border = outside;
    border.shape = SegmentsLayer{&area_corners_, nullptr, static_cast<uint32_t>(area_corners_.size()), nullptr,
                                 static_cast<uint32_t>(area_corners_.size() / 2)};
    border.legend = {{border.element(), kStateMissing, Role::kExact, "study area", border.sentence}};
    view.layers.push_back(std::move(outside));
    view.layers.push_back(std::move(border));
}

void Exploration::clear() {
    view_ = kNone;
    of_cells_ = false;
    has_colours_ = has_selection_ = false;
    cell_count_ = data_count_ = 0;
    selected_ = 0;
    disclination_count_ = 0;
    structures_.clear();
    for (Buffer<uint8_t>& marks : marks_) marks.release();
}

void Exploration::update(Context& context, const Scene& scene) {
    clear();
    outline_area(context, scene);
    view_ = explored_view(scene);
    if (view_ == kNone || !choice_.any()) return;
    const SceneView& view = scene.view(view_);
    of_cells_ = !carries_mesh(view);
    box_.reset();
    if (of_cells_) {
        if (!sites_) sites_ = std::make_unique<SiteMesh>();
        sites_->build(context, view, choice_.area ? std::optional(*choice_.area) : std::nullopt);
        mesh_ = sites_->measured();
    } else {
        mesh_ = measured_in(context, view, choice_.area ? std::optional(*choice_.area) : std::nullopt);
        box_ = view.periodic();
    }
    if (choice_.colour && offers(scene, *choice_.colour)) {
        colour(context);
        scale_.unit = in_unit(std::move(scale_.unit), length_unit(scene, attributes_.input().get()));
    }
    const bool has_such =
        choice_.range ? offers(scene, choice_.range->quantity) : !of_cells_ || choice_.kind() == ElementKind::kVertex;
    if (choice_.selects() && has_such) {
        has_selection_ = true;
        select(context, view);
        if (of_cells_ && choice_.hides_rest)
            hide_rest_of_cells(context, std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape));
    }
    if (choice_.draws_data() && !mesh_.in_space() && !of_cells_) place_data(context, view);
    if (choice_.marks_disclinations && view.has_incidence) mark_disclinations(context);
    if (choice_.structures.shown && view.has_incidence && !of_cells_ && !mesh_.in_space() && !mesh_.mesh.shifts)
        structures_.update(context, view, {mesh_.mesh, mesh_.vertex_count, mesh_.edge_count, mesh_.triangle_count},
                           choice_.structures);
    context.synchronize();  // before the buffers are drawn
}

bool Exploration::load_attribute(Context& context, const std::string& id) {
    return of_cells_ ? attributes_.write_of_sites(context, *sites_, id, attribute_)
                     : attributes_.write(context, mesh_, box_, id, attribute_);
}

void Exploration::colour(Context& context) {
    const Explored& by = *choice_.colour;
    if (!by.measured() && !load_attribute(context, by.attribute)) return;
    const bool cells = !choice_.draws_data() && !of_cells_ && by.element() == ElementKind::kVertex &&
                       !mesh_.in_space() && mesh_.vertex_count <= kMostCells;
    if (by.measured())
        coloured_.measure_only(context, mesh_, by.quantity, cells);
    else if (cells)
        coloured_.measure_only(context, mesh_, Q::kDegree, cells);  // needed by the cells
    const Buffer<double>& values = by.measured() ? coloured_.values(by.quantity) : attribute_;
    const Attribute* const column = by.measured() ? nullptr : attributes_.find(by.attribute);
    if (column && !column->categories.empty()) {
        classify(context, *column);
    } else {
        scale_ = by.measured() ? scale_of(context, by.quantity, values.view())
                               : scale_of_attribute(context, by.attribute, column->unit, values.view());
        apply_style(context, values.view());
    }
    scale_.shows_missing = column && summarise(context, values.view()).count < mesh_.vertex_count;
    if (of_cells_) return number_cells(context, values.view());
    const auto count = static_cast<uint32_t>(values.size());
    scalars_.resize(context, count, false);
    launch(context, "explore.colours", count, CopyScalars{values.view(), {}, scalars_.view()});
    has_colours_ = true;
    // With an illegal edge these would not be Voronoi cells.
    if (cells && coloured_.illegal_edges() == 0) draw_cells(context, values.view());
}

void Exploration::classify(Context& context, const Attribute& column) {
    CategoryClasses classes = classes_of(column);
    classes_.upload(context, classes.of.data(), classes.of.size());
    launch(context, "explore.classes", static_cast<uint32_t>(attribute_.size()),
           Classify{classes_.view(), attribute_.view()});
    scale_ = {ColourScale::Kind::kCategories, choice_.colour->attribute, "", 0, ColourScale::kOtherClass};
    scale_.classes = std::move(classes.names);
}

/// The user's choice instead of the quantity's own scale.
void Exploration::apply_style(Context& context, View<const double> values) {
    const ColourStyle& style = choice_.style;
    scale_.map = style.map;
    scale_.reversed = style.reversed;
    scale_.steps = style.steps;
    if (style.range) scale_.low = (*style.range)[0], scale_.high = (*style.range)[1];
    if (style.logarithmic) scale_.logarithmic = *style.logarithmic;
    const SampleSummary summary = summarise(context, values);
    if (scale_.logarithmic && !(scale_.low > 0)) {
        const SampleSummary positive = summarise_positive(context, values);
        scale_.low = positive.count > 0 ? positive.least : 1;
        if (!(scale_.low < scale_.high)) scale_.high = 10 * scale_.low;
    }
    scale_.has_below = summary.count > 0 && summary.least < scale_.low;
    scale_.has_above = summary.count > 0 && summary.greatest > scale_.high;
}

/// Together the discs cover a part of the area around the points.
void Exploration::place_data(Context& context, const SceneView& view) {
    constexpr double kCovered = 0.2, kMostOfSide = 0.06;
    const double wide = view.high.x - view.low.x, tall = view.high.y - view.low.y, side = std::max(wide, tall);
    const uint32_t count = mesh_.vertex_count;
    const bool hides = has_selection_ && choice_.hides_rest && choice_.kind() == ElementKind::kVertex;
    View<const double> colours, values;
    if (has_colours_ && choice_.colour->element() == ElementKind::kVertex)
        colours = choice_.colour->measured() ? coloured_.values(choice_.colour->quantity).view() : attribute_.view();
    Buffer<double> sizes("sizes of data points");
    Buffer<uint32_t> order("order of data points");
    double sum = count, greatest = 1;  // of values, in units of the greatest
    data_sizes_.reset();
    if (const Attribute* column = attributes_.find(choice_.size_by); column && column->categories.empty()) {
        if (attributes_.write(context, mesh_, box_, choice_.size_by, sizes)) {
            const SampleSummary positive = summarise_positive(context, sizes.view());
            if (positive.count > 0) {
                greatest = positive.greatest;
                values = sizes.view();
                sum = double(positive.count) * (positive.mean / greatest);
                data_sizes_ = {choice_.size_by, column->unit, greatest, 0, count - summarise(context, values).count};
                if (count <= kMostCells) {  // small discs over large ones
                    const std::vector<double> all = sizes.download();
                    std::vector<uint32_t> descending(count);
                    std::iota(descending.begin(), descending.end(), 0u);
                    std::stable_sort(descending.begin(), descending.end(), [&](uint32_t a, uint32_t b) {
                        return std::isnan(all[b]) ? !std::isnan(all[a]) : all[a] > all[b];  // NaN last
                    });
                    order.upload(context, descending.data(), count);
                }
            }
        }
    }
    const double area = wide > 0 && tall > 0 ? wide * tall : 0.01 * side * side;
    data_radius_ = std::min(std::sqrt(kCovered * area / (std::numbers::pi * std::max(sum, 1.0))), kMostOfSide * side);
    if (!(data_radius_ > 0)) data_radius_ = 0.5;  // of a single point
    if (data_sizes_) data_sizes_->radius = data_radius_;
    data_places_.resize(context, count, false);
    data_radii_.resize(context, count, false);
    data_scalars_.resize(context, count, false);
    launch(context, "explore.discs", count,
           PlaceDiscs{mesh_.mesh, box_ ? box_->low : Point{}, values, data_radius_, greatest, colours, order.view(),
                      hides ? marks_[0].view() : View<const uint8_t>{}, data_places_.view(), data_radii_.view(),
                      data_scalars_.view()});
    data_count_ = count;
}

/// Over the elements of the mesh.
void Exploration::apply_data(SceneView& view) const {
    Layer data{kDataLayer, "Data points", "A disc at each point", true,
               DiscsLayer{&data_places_, data_count_, &data_radii_, data_radius_}};
    if (data_sizes_) data.sentence += ", of an area proportional to " + data_sizes_->name;
    std::get<DiscsLayer>(data.shape).sizes = data_sizes_;
    if (has_colours_ && choice_.colour->element() == ElementKind::kVertex) {
        data.scalars = &data_scalars_;
        data.scale = scale_;
    }
    data.periodic = view.periodic();
    view.layers.push_back(std::move(data));
}

void Exploration::number_cells(Context& context, View<const double> values) {
    numbers_.fill(context, sites_->site_count(), 0xFF);  // NaN
    launch(context, "explore.numbers", mesh_.vertex_count, NumberSites{values, sites_->sites(), numbers_.view()});
    has_colours_ = true;
}

/// Hides the interior of cells that are not selected: only their borders are drawn.
void Exploration::hide_rest_of_cells(Context& context, const LatticeLayer& cells) {
    View<const uint32_t> given;
    if (cells.names && !cells.names->empty()) given = cells.names->view();
    names_.fill(context, sites_->site_count(), 0xFF);
    launch(context, "explore.names", mesh_.vertex_count,
           NameSelected{marks_[0].view(), sites_->sites(), given, names_.view()});
}

void Exploration::put_into_world(Context& context, Buffer<Point>& places, uint32_t count) const {
    if (of_cells_ || !box_ || box_->low == Point{}) return;
    launch(context, "explore.corner", count, MoveBy{places.view(count), box_->low});
}

void Exploration::draw_cells(Context& context, View<const double> values) {
    Buffer<uint32_t> owners("cell owners");
    cell_count_ = coloured_.write_cells(context, cell_corners_, owners);
    put_into_world(context, cell_corners_, 3 * cell_count_);
    cell_triangles_.resize(context, 3 * size_t(cell_count_), false);
    cell_scalars_.resize(context, cell_count_, false);
    launch(context, "explore.cells", 3 * cell_count_, FillCorners{cell_triangles_.view()});
    cell_sides_.resize(context, 2 * size_t(cell_count_), false);
    launch(context, "explore.cell_sides", cell_count_,
           FillSides{cell_corners_.view(), 3 * cell_count_, cell_sides_.view()});
    launch(context, "explore.cell_colours", cell_count_, CopyScalars{values, owners.view(), cell_scalars_.view()});
}

void Exploration::select(Context& context, const SceneView& view) {
    Buffer<Point> region("selected region");
    Buffer<uint32_t> ids("selected ids"), total("selected");
    Chosen chosen{mesh_.mesh, mesh_.vertex_count, {}, {}, {}, 0, 0};
    if (of_cells_) chosen.sites = sites_->sites();
    if (of_cells_) chosen.stretch = sites_->stretch();
    if (!choice_.ids.empty()) {
        std::vector<uint32_t> own = choice_.ids;
        if (of_cells_) own = vertices_of_sites(*sites_, own);
        if (own.empty()) chosen.inside = 0;  // none of these sites has a vertex
        ids.upload(context, own.data(), own.size());
        if (choice_.id_kind == ElementKind::kVertex) chosen.ids = ids.view();
    } else if (choice_.region.size() > 2) {
        std::vector<Point> outline = choice_.region;
        if (box_ && !of_cells_)  // relative to the corner of the box, as in the mesh
            for (Point& p : outline) p = {p.x - box_->low.x, p.y - box_->low.y};
        region.upload(context, outline.data(), outline.size());
        chosen.region = region.view();
    }
    const ElementKind kind = choice_.kind();
    View<const double> values;
    if (choice_.range) {
        const Explored& by = choice_.range->quantity;
        chosen.low = choice_.range->low;
        chosen.high = choice_.range->high;
        if (by.measured()) {
            ranged_.measure_only(context, mesh_, by.quantity);
            if (!ranged_.values(by.quantity).empty()) values = ranged_.values(by.quantity).view();
        } else if (const Attribute* column = attributes_.find(by.attribute);
                   column && column->categories.empty() == choice_.range->values.empty() &&
                   load_attribute(context, by.attribute)) {
            values = attribute_.view();
            std::vector<uint8_t> allowed;
            for (const std::string& category : column->categories)
                allowed.push_back(std::count(choice_.range->values.begin(), choice_.range->values.end(), category) > 0);
            allowed_.upload(context, allowed.data(), allowed.size());
            if (!allowed.empty()) chosen.allowed = allowed_.view();
        } else {
            chosen.inside = 0;  // without the attribute, nothing is in its range
        }
    }
    const uint32_t counts[3] = {mesh_.vertex_count, mesh_.edge_count, mesh_.triangle_count};
    for (uint32_t k = 0; k < 3; ++k) marks_[k].resize(context, counts[k], false);
    const auto of = [&](ElementKind of_kind) {
        Chosen own = chosen;
        if (kind == of_kind)
            own.values = values;
        else
            own.allowed = {};
        if (kind == of_kind && kind == choice_.id_kind && kind != ElementKind::kVertex && !choice_.range)
            own.own_ids = ids.view();
        return own;
    };
    launch(context, "explore.vertices", counts[0], SelectVertices{of(ElementKind::kVertex), marks_[0].view()});
    launch(context, "explore.edges", counts[1],
           SelectElements{of(ElementKind::kEdge), marks_[0].view(), mesh_.mesh.edges, 2, marks_[1].view()});
    launch(context, "explore.triangles", counts[2],
           SelectElements{of(ElementKind::kTriangle), marks_[0].view(), mesh_.mesh.triangles, 3, marks_[2].view()});
    total.resize(context, 1);
    const auto k = static_cast<uint32_t>(kind);
    if (kind == ElementKind::kVertex) {
        selected_places_.resize(context, counts[0], false);
        selected_heights_.resize(context, mesh_.in_space() ? counts[0] : 0, false);
        ListPlaces list{marks_[0].view(),         mesh_.mesh, chosen.stretch, selected_places_.view(),
                        selected_heights_.view(), {}};
        if (const DiscsLayer* const discs = of_cells_ ? nullptr : discs_of(view)) {
            selected_radii_.resize(context, counts[0], false);
            list.radii = selected_radii_.view();
            list.radius = discs->radius;
            if (discs->radii) list.radii_of = discs->radii->view();
        }
        compact(context, "explore.list", counts[0], list, total.view());
    } else {
        const uint32_t each = kind == ElementKind::kEdge ? 2 : 3;
        selected_corners_.resize(context, size_t(each) * counts[k], false);
        compact(context, "explore.list", counts[k],
                ListCorners{marks_[k].view(), each == 2 ? mesh_.mesh.edges : mesh_.mesh.triangles, each,
                            selected_corners_.view()},
                total.view());
    }
    selected_ = total.read(0);
    if (kind == ElementKind::kVertex) {
        put_into_world(context, selected_places_, static_cast<uint32_t>(selected_));
    } else if (box_ && !of_cells_) {
        selected_places_.resize(context, mesh_.vertex_count, false);
        context.copy(selected_places_.view().data, mesh_.mesh.positions.data, mesh_.vertex_count * sizeof(Point));
        put_into_world(context, selected_places_, mesh_.vertex_count);
    }
}

void Exploration::mark_disclinations(Context& context) {
    degrees_.measure_only(context, mesh_, Q::kDegree);
    const uint32_t count = mesh_.vertex_count;
    Buffer<uint32_t> total("disclinations");
    total.resize(context, 1);
    disclination_places_.resize(context, count, false);
    disclination_heights_.resize(context, mesh_.in_space() ? count : 0, false);
    disclination_degrees_.resize(context, count, false);
    compact(context, "explore.disclinations", count,
            ListDisclinations{degrees_.values(Q::kDegree).view(), degrees_.flags().view(), mesh_.mesh,
                              of_cells_ ? sites_->stretch() : 1, disclination_places_.view(),
                              disclination_heights_.view(), disclination_degrees_.view()},
            total.view());
    disclination_count_ = total.read(0);
    put_into_world(context, disclination_places_, disclination_count_);
}

void Exploration::apply(Scene& scene) const {
    apply_area(scene);
    if (view_ == kNone || view_ >= scene.view_count()) return;
    SceneView& view = scene.view(view_);
    if (!choice_.any()) return;
    if (of_cells_) {
        const Layer* const cells = SiteMesh::cells_of(std::as_const(view));
        if (!cells || std::get<LatticeLayer>(cells->shape).site_count != sites_->site_count()) return;
        apply_to_cells(view);
    } else if (!view.mesh || view.mesh->vertex_count < mesh_.vertex_count) {
        return;
    }
    const std::optional<PeriodicBox> box = view.periodic();
    if (has_colours_ && !of_cells_) {
        Layer* const layer = layer_of(view, choice_.colour->element());
        // Dots would be invisible on their cells; discs are not.
        if (layer && (cell_count_ == 0 || std::holds_alternative<DiscsLayer>(layer->shape))) {
            layer->scalars = &scalars_;
            layer->scale = scale_;
        }
        if (cell_count_ > 0) {
            Layer cells{
                kCellsLayer, "Voronoi cells", "The Voronoi cells, coloured by " + choice_.colour->name(), true,
                TrianglesLayer{&cell_corners_, nullptr, 3 * cell_count_, &cell_triangles_, cell_count_, nullptr}};
            cells.scalars = &cell_scalars_;
            cells.scale = scale_;
            cells.periodic = box;
            // Over the interior of triangles, below everything else.
            const auto after = std::find_if(view.layers.begin(), view.layers.end(), [](const Layer& other) {
                return !std::holds_alternative<TrianglesLayer>(other.shape);
            });
            Layer sides{kCellsLayer, cells.title, cells.sentence, true,
                        SegmentsLayer{&cell_corners_, nullptr, 3 * cell_count_, &cell_sides_, cell_count_}};
            sides.role = Role::kExact;
            sides.periodic = box;
            view.layers.insert(after, std::move(cells));
            // Over the edges: an edge's id is its index in the first layer of segments with ends.
            const auto edges = std::find_if(view.layers.begin(), view.layers.end(), [](const Layer& other) {
                const auto* const segments = std::get_if<SegmentsLayer>(&other.shape);
                return segments && segments->ends;
            });
            if (edges != view.layers.end()) view.layers.insert(edges + 1, std::move(sides));
        }
    }
    if (data_count_ > 0) apply_data(view);
    if (choice_.marks_disclinations) {
        Layer disclinations{kDisclinationsLayer, "Disclinations",
                            "Vertices inside the outline that do not have six edges", true,
                            PointsLayer{&disclination_places_, mesh_.in_space() ? &disclination_heights_ : nullptr,
                                        disclination_count_}};
        disclinations.scalars = &disclination_degrees_;
        disclinations.scale = {ColourScale::Kind::kDiverging, "disclinations: degree", "", 5, 7};
        disclinations.role = Role::kChosen;
        disclinations.periodic = box;
        view.layers.push_back(std::move(disclinations));
    }
    structures_.apply(view);
    if (!has_selection_) return;
    Layer selection{kSelectionLayer, "Selection", "Elements selected by value or by region", true, PointsLayer{}};
    const auto count = static_cast<uint32_t>(selected_);
    const TriangleMesh& mesh = of_cells_ ? sites_->mesh() : *view.mesh;
    const Buffer<double>* heights = mesh.heights.empty() ? nullptr : &mesh.heights;
    const Buffer<Point>* const places = box_ && !of_cells_ ? &selected_places_ : &mesh.positions;
    const char* name = "selected";
    switch (choice_.kind()) {
        case ElementKind::kVertex:
            if (!of_cells_ && discs_of(view))
                selection.shape = DiscsLayer{&selected_places_, count, &selected_radii_};
            else
                selection.shape =
                    PointsLayer{&selected_places_, mesh_.in_space() ? &selected_heights_ : nullptr, count};
            break;
        case ElementKind::kEdge: {
            SegmentsLayer edges{places, heights, mesh.infinite(), &selected_corners_, count};
            if (mesh.on_torus()) edges.place_count = mesh.vertex_count;
            selection.shape = std::move(edges);
            break;
        }
        default:
            selection.shape = TrianglesLayer{
                places, heights, mesh.on_torus() ? mesh.vertex_count : mesh.infinite(), &selected_corners_,
                count,  nullptr};
    }
    selection.role = Role::kChosen;
    selection.legend = {{selection.element(), kStateMissing, Role::kChosen, name, selection.sentence}};
    selection.periodic = box;
    if (choice_.hides_rest)
        for (Layer& layer : view.layers)
            if ((of_cells_ && !std::holds_alternative<LatticeLayer>(layer.shape)) ||
                &layer == layer_of(view, ElementKind::kVertex) || &layer == layer_of(view, ElementKind::kEdge) ||
                &layer == layer_of(view, ElementKind::kTriangle))
                layer.shown = false;
    // Triangles of a surface hide earlier layers: edges and points come after these.
    const bool covers = mesh_.in_space() && choice_.kind() == ElementKind::kTriangle;
    const auto after = std::find_if(view.layers.begin(), view.layers.end(), [&](const Layer& other) {
        return covers && !std::holds_alternative<TrianglesLayer>(other.shape);
    });
    view.layers.insert(after, std::move(selection));
}

void Exploration::apply_to_cells(SceneView& view) const {
    Layer& layer = *SiteMesh::cells_of(view);
    auto& cells = std::get<LatticeLayer>(layer.shape);
    if (has_colours_) {
        cells.numbers = &numbers_;
        layer.scale = scale_;
    }
    if (has_selection_ && choice_.hides_rest) cells.names = &names_;
}

std::vector<uint32_t> Exploration::selected_vertices() const {
    std::vector<uint32_t> found;
    if (view_ == kNone || !has_selection_) return found;
    const auto k = static_cast<uint32_t>(choice_.kind());
    const std::vector<uint8_t> marks = marks_[k].download();
    if (k == 0) {
        for (uint32_t v = 0; v < marks.size(); ++v)
            if (marks[v] == 0) found.push_back(v);
    } else {
        found = selected_corners_.download((k == 1 ? 2 : 3) * selected_);
    }
    if (of_cells_) {
        const std::vector<uint32_t> site_of = sites_->host_sites();
        for (uint32_t& v : found) v = site_of[v];
    }
    sort_distinct_or_cancel(found);
    return found;
}

}  // namespace flipscope
