// The part of element measures that is done on the host: cells in a study area of polygons.
#include <algorithm>
#include <array>

#include "statistics/area_rings.h"
#include "statistics/element_measures.h"

namespace flipscope {

std::optional<VertexRows> rows_of(Context& context, const MeasuredMesh& mesh) {
    const std::vector<uint32_t> corners = download(context, mesh.mesh.triangles),
                                half_edges = download(context, mesh.mesh.half_edge_at),
                                places = download(context, mesh.mesh.corner_of);
    const uint32_t n = mesh.vertex_count;
    std::vector<uint32_t> number(mesh.triangle_count, kNone);
    std::vector<std::array<uint32_t, 3>> triangles, neighbours;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        if (corners[3 * t] >= n || corners[3 * t + 1] >= n || corners[3 * t + 2] >= n) continue;
        number[t] = static_cast<uint32_t>(triangles.size());
        triangles.push_back({corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]});
    }
    if (triangles.empty()) return std::nullopt;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        if (number[t] == kNone) continue;
        std::array<uint32_t, 3>& row = neighbours.emplace_back();
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t slot = 3 * t + (k + 1) % 3, across = places[half_edges[slot] ^ 1u];
            if (corners[across] != corners[next_corner(slot)] || corners[next_corner(across)] != corners[slot])
                return std::nullopt;
            row[k] = number[across / 3];
        }
    }
    return vertex_rows(context, n, triangles, neighbours);
}

namespace {

/// Also downloads the points; none, and no cells: the mesh has no rows.
CellRings cut_cells_of(Context& context, const MeasuredMesh& mesh, std::vector<Point>& points) {
    const std::optional<VertexRows> rows = rows_of(context, mesh);
    if (!rows) return {};
    points = download(context, View<const Point>{mesh.mesh.positions.data, mesh.vertex_count});
    return cut_cells_in(context, points, *rows, *mesh.polygon);
}

}  // namespace

/// The cells that the border of the polygon meets. All edges must be legal.
void ElementMeasures::clip_to_polygon(Context& context) {
    const uint32_t n = mesh_.vertex_count;
    std::vector<Point> points;
    const CellRings cells = cut_cells_of(context, mesh_, points);
    if (points.empty()) return;
    const std::vector<CellMeasure> measures = measure_cells(context, points, cells);
    Buffer<double>&areas = values_[uint32_t(ElementQuantity::kCellArea)],
    &lengths = values_[uint32_t(ElementQuantity::kCellPerimeter)];
    std::vector<double> area = areas.download(), length = lengths.download();
    std::vector<uint8_t> flags = flags_.download();
    for (uint32_t v = 0; v < n; ++v) {
        if (flags[v] & kNotMeasured) continue;
        flags[v] = static_cast<uint8_t>((flags[v] & ~kCellCut) | (cells.is_cut[v] ? kCellCut : 0));
        if (!cells.is_cut[v]) continue;
        area[v] = measures[v].area;
        length[v] = measures[v].perimeter;
    }
    areas.upload(context, area.data(), n);
    lengths.upload(context, length.data(), n);
    flags_.upload(context, flags.data(), n);
}

std::vector<Point> trapezoids_of(std::vector<AreaSide> sides) {
    std::vector<double> heights;
    for (AreaSide& side : sides) {
        if (side.to.y < side.from.y) std::swap(side.from, side.to);
        heights.insert(heights.end(), {side.from.y, side.to.y});
    }
    std::erase_if(sides, [](const AreaSide& side) { return side.from.y == side.to.y; });
    std::sort(sides.begin(), sides.end(), [](const AreaSide& a, const AreaSide& b) { return a.from.y < b.from.y; });
    std::sort(heights.begin(), heights.end());
    heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
    const auto x_at = [&](uint32_t side, double y) {
        const auto& [from, to] = sides[side];
        return y == to.y ? to.x : from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x);
    };
    struct Trapezoid {
        uint32_t left, right;  // sides
        double low;
    };
    std::vector<Trapezoid> open, still_open;
    std::vector<uint32_t> active;
    std::vector<Point> made;
    uint32_t next = 0;
    for (size_t k = 0; k < heights.size(); ++k) {
        const double low = heights[k], high = heights[std::min(k + 1, heights.size() - 1)];
        std::erase_if(active, [&](uint32_t side) { return sides[side].to.y <= low; });
        while (next < sides.size() && sides[next].from.y <= low) active.push_back(next++);
        const auto twice_x = [&](uint32_t side) { return x_at(side, low) + x_at(side, high); };
        std::sort(active.begin(), active.end(), [&](uint32_t a, uint32_t b) { return twice_x(a) < twice_x(b); });
        still_open.clear();
        for (size_t i = 0; i + 1 < active.size(); i += 2) still_open.push_back({active[i], active[i + 1], low});
        for (const Trapezoid& one : open) {
            const auto same = std::find_if(still_open.begin(), still_open.end(), [&](const Trapezoid& other) {
                return one.left == other.left && one.right == other.right;
            });
            if (same != still_open.end()) {
                same->low = one.low;
                continue;
            }
            const Point left_low{x_at(one.left, one.low), one.low}, left_high{x_at(one.left, low), low},
                right_low{x_at(one.right, one.low), one.low}, right_high{x_at(one.right, low), low};
            made.insert(made.end(), {right_low, left_high, left_low, left_high, right_low, right_high});
        }
        std::swap(open, still_open);
    }
    return made;
}

uint32_t add_cut_cells(Context& context, const MeasuredMesh& mesh, Buffer<Point>& corners, Buffer<uint32_t>& owners) {
    std::vector<Point> points;
    const CellRings cells = cut_cells_of(context, mesh, points);
    std::vector<Point> all = corners.download(9 * size_t(mesh.triangle_count));
    std::vector<uint32_t> of = owners.download(3 * size_t(mesh.triangle_count));
    for (uint32_t v = 0; v + 1 < cells.part_starts.size(); ++v) {
        std::vector<AreaSide> sides;
        for (uint32_t r = cells.ring_starts[cells.part_starts[v]]; r < cells.ring_starts[cells.part_starts[v + 1]];
             ++r) {
            const uint32_t first = cells.corner_starts[r], last = cells.corner_starts[r + 1];
            for (uint32_t k = first; k < last; ++k)
                sides.push_back({cells.corners[k], cells.corners[k + 1 < last ? k + 1 : first]});
        }
        const std::vector<Point> made = trapezoids_of(std::move(sides));
        all.insert(all.end(), made.begin(), made.end());
        of.insert(of.end(), made.size() / 3, v);
    }
    corners.upload(context, all.data(), all.size());
    owners.upload(context, of.data(), of.size());
    return static_cast<uint32_t>(of.size());
}

}  // namespace flipscope
