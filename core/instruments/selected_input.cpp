#include "instruments/selected_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace flipscope {

namespace {

/// A geometry without points: units, directions, the periodic box.
Geometry frame_of(const Geometry* input, std::string name) {
    Geometry made;
    made.name = std::move(name);
    if (!input) return made;
    made.level = input->level;
    made.unit = input->unit;
    made.y_down = input->y_down;
    made.box_low = input->box_low;
    made.box = input->box;
    made.box_lengths = input->box_lengths;
    made.areas = input->areas;
    return made;
}

/// Gives the points of `to` the names, columns and rows of these points of `from`. kNone: not a point of `from`, so the
/// points of `to` are not rows of the input.
void add_columns(const Geometry& from, const std::vector<uint32_t>& points, Geometry& to) {
    if (std::find(points.begin(), points.end(), kNone) == points.end())
        for (const uint32_t i : points) to.rows.push_back(from.rows.empty() ? i : from.rows[i]);
    if (!from.names.empty())
        for (const uint32_t i : points) to.names.push_back(i == kNone ? std::string() : from.names[i]);
    if (!from.attributes) return;
    std::vector<Attribute> attributes;
    for (const Attribute& column : *from.attributes) {
        attributes.push_back({column.name, {}, column.unit, column.categories});
        for (const uint32_t i : points) attributes.back().values.push_back(i == kNone ? NAN : column.values[i]);
    }
    to.attributes = std::make_shared<const std::vector<Attribute>>(std::move(attributes));
}

/// Copies everything that a geometry has for these points, by index.
Geometry rows_of(const Geometry& from, const std::vector<uint32_t>& rows) {
    Geometry to = frame_of(&from, from.name);
    for (const uint32_t i : rows) {
        to.points.push_back(from.points[i]);
        if (from.in_space()) to.heights.push_back(from.heights[i]);
    }
    add_columns(from, rows, to);
    return to;
}

/// Sites of a lattice's cells at their present places, in units of the input, with the attributes of their original
/// points.
Geometry selected_sites(const std::vector<uint32_t>& sites, const SceneView& view, const Geometry* input) {
    Geometry made = frame_of(input, "selection");
    const auto& cells = std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape);
    const std::vector<Point> places = SiteMesh::sites_of(view).download();
    std::vector<uint32_t> inputs;
    std::vector<Point> first_places;
    if (cells.inputs && input) inputs = cells.inputs->download();
    if (cells.first_places) first_places = cells.first_places->download();
    std::vector<uint32_t> points;  // of the input
    for (const uint32_t site : sites) {
        Point place = cells.units.as_given(places.at(site));
        const uint32_t i = site < inputs.size() ? inputs[site] : kNone;
        const bool is_point = input && i < input->points.size();
        if (is_point && i < first_places.size() && first_places[i] == places[site]) {
            // Unmoved, to the last bit. A point that was wrapped into a torus keeps its displayed place.
            const Point given = input->points[i];
            if (std::fabs(given.x - place.x) < 0.5 * cells.width * cells.units.unit.x) place.x = given.x;
            if (std::fabs(given.y - place.y) < 0.5 * cells.height * cells.units.unit.y) place.y = given.y;
        }
        made.points.push_back(place);
        points.push_back(is_point ? i : kNone);
    }
    if (!inputs.empty()) add_columns(*input, points, made);
    return made;
}

}  // namespace

Geometry selected_input(const Exploration& exploration, const Scene& scene, const Geometry* input) {
    Geometry made = frame_of(input, "selection");
    if (!exploration.has_mesh() || !exploration.choice().selects()) return made;
    const SceneView& view = scene.view(exploration.view());
    if (!view.mesh) return selected_sites(exploration.selected_vertices(), view, input);
    const TriangleMesh& mesh = *view.mesh;
    const std::vector<uint32_t> inputs = mesh.inputs.download();
    const std::vector<Point> places = mesh.positions.download();
    const std::vector<double> heights = mesh.heights.download();
    std::vector<uint32_t> vertices = exploration.selected_vertices();
    std::sort(vertices.begin(), vertices.end(),
              [&](uint32_t a, uint32_t b) { return std::pair(inputs.at(a), a) < std::pair(inputs.at(b), b); });

    // On a torus or a cylinder, places of the mesh are relative to the corner of the box, on a fine grid.
    const std::optional<PeriodicBox> box = mesh.on_torus() ? view.periodic() : std::nullopt;
    const bool in_box = box.has_value();
    const auto [corner, sides, reach] = box.value_or(PeriodicBox{});
    const double rounding = (mesh.on_cylinder() ? 0x1p-36 : 0x1p-40) * std::max(sides.x, sides.y);
    std::vector<uint32_t> points;  // of the input
    for (const uint32_t v : vertices) {
        Point place = places[v];
        if (in_box) place = {corner.x + place.x, corner.y + place.y};
        const uint32_t i = inputs[v];
        bool is_point = input && i < input->points.size();
        if (is_point) {
            const Point given = input->points[i];
            const auto same = [&](double at, double asked, double side) {
                if (!in_box) return at == asked;
                if (side == 0) return std::fabs(asked - at) < rounding;
                const double apart = (asked - at) / side;
                return std::fabs(apart - std::floor(apart + 0.5)) * side < rounding;
            };
            is_point = same(place.x, given.x, sides.x) && same(place.y, given.y, sides.y) &&
                       (heights.empty() || (input->in_space() && heights[v] == input->heights[i]));
            // A point that was wrapped into the box keeps its displayed place.
            const auto as_given = [&](double at, double asked, double side) {
                return side == 0 || std::fabs(asked - at) < side / 2 ? asked : at;
            };
            if (is_point) place = {as_given(place.x, given.x, sides.x), as_given(place.y, given.y, sides.y)};
        }
        made.points.push_back(place);
        if (!heights.empty()) made.heights.push_back(heights[v]);
        points.push_back(is_point ? i : kNone);
    }
    if (input) add_columns(*input, points, made);
    if (heights.empty()) return made;

    std::vector<uint32_t> row_of(mesh.vertex_count, kNone);
    for (uint32_t row = 0; row < vertices.size(); ++row) row_of[vertices[row]] = row;
    std::vector<uint8_t> chosen;
    if (exploration.choice().kind() == ElementKind::kTriangle)
        chosen = exploration.marks(ElementKind::kTriangle).download();
    const std::vector<uint32_t> corners = mesh.triangles.download();
    for (size_t t = 0; t < mesh.triangle_count; ++t) {
        std::array<uint32_t, 3> triangle{};
        for (size_t k = 0; k < 3; ++k) triangle[k] = row_of.at(corners[3 * t + k]);
        if (std::find(triangle.begin(), triangle.end(), kNone) != triangle.end()) continue;  // includes ghosts
        if (chosen.empty() || chosen[t] == 0) made.triangles.push_back(triangle);
    }
    return made;
}

bool can_be_input(const Scene& scene) {
    const uint32_t k = explored_view(scene);
    if (k == kNone) return false;
    const SceneView& view = scene.view(k);
    const Layer* const cells = SiteMesh::cells_of(view);
    return view.mesh || (cells && std::get<LatticeLayer>(cells->shape).inputs);
}

size_t leave_out_unused_points(Geometry& geometry) {
    std::vector<uint32_t> row_of(geometry.points.size(), kNone), rows;
    for (const auto& triangle : geometry.triangles)
        for (const uint32_t v : triangle) row_of[v] = 0;
    for (uint32_t v = 0; v < row_of.size(); ++v) {
        if (row_of[v] == kNone) continue;
        row_of[v] = static_cast<uint32_t>(rows.size());
        rows.push_back(v);
    }
    const size_t unused = row_of.size() - rows.size();
    if (unused == 0) return 0;
    Geometry used = rows_of(geometry, rows);
    used.triangles = std::move(geometry.triangles);
    for (auto& triangle : used.triangles)
        for (uint32_t& v : triangle) v = row_of[v];
    geometry = std::move(used);
    return unused;
}

}  // namespace flipscope
