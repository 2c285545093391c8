#include "instruments/drawn_soup.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "flipscope/predicates.h"
#include "mesh/connect.h"
#include "mesh/validate.h"

namespace flipscope {

namespace {

bool is_finite(const Point3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

}  // namespace

DrawnBounds draw_soup(Context& context, const Geometry& geometry, const std::vector<std::array<uint32_t, 2>>& edges,
                      bool with_states, TriangleMesh& mesh) {
    const auto n = static_cast<uint32_t>(geometry.points.size());
    std::vector<Point> positions = geometry.points;
    std::vector<double> heights = geometry.heights;
    std::vector<uint32_t> names(n);
    DrawnBounds bounds;
    auto& [low, high, low_z, high_z] = bounds;
    bool any = false;
    for (uint32_t v = 0; v < n; ++v) {
        names[v] = v;
        const Point3 p = geometry.at(v);
        if (!is_finite(p)) continue;
        low = any ? Point{std::min(low.x, p.x), std::min(low.y, p.y)} : Point{p.x, p.y};
        high = any ? Point{std::max(high.x, p.x), std::max(high.y, p.y)} : Point{p.x, p.y};
        low_z = any ? std::min(low_z, p.z) : p.z;
        high_z = any ? std::max(high_z, p.z) : p.z;
        any = true;
    }
    for (uint32_t v = 0; v < n; ++v)
        if (!is_finite(geometry.at(v))) {
            positions[v] = low;
            if (!heights.empty()) heights[v] = low_z;
        }
    positions.push_back(low);
    names.push_back(kNone);
    if (!heights.empty()) heights.push_back(low_z);

    const uint32_t infinite = n;
    std::vector<uint32_t> corners;
    corners.reserve(3 * geometry.triangles.size());
    CancelPoll poll;
    for (auto c : geometry.triangles) {
        poll();
        const bool drawable =
            std::all_of(c.begin(), c.end(), [&](uint32_t v) { return v < n && is_finite(geometry.at(v)); });
        if (!drawable)
            c = {infinite, infinite, infinite};
        else if (!geometry.in_space() && orient2d(positions[c[0]], positions[c[1]], positions[c[2]]) < 0)
            std::swap(c[1], c[2]);
        corners.insert(corners.end(), c.begin(), c.end());
    }
    std::vector<uint32_t> ends;
    ends.reserve(2 * edges.size());
    for (const auto& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());

    mesh.positions.upload(context, positions.data(), positions.size());
    mesh.heights.upload(context, heights.data(), heights.size());
    mesh.inputs.upload(context, names.data(), names.size());
    mesh.reset(context, n, corners.size() / 3, ends.size() / 2, with_states);
    mesh.triangles.upload(context, corners.data(), corners.size());
    mesh.edges.upload(context, ends.data(), ends.size());
    mesh.triangle_count = static_cast<uint32_t>(corners.size() / 3);
    mesh.edge_count = static_cast<uint32_t>(ends.size() / 2);
    static_assert(kNone == 0xFFFFFFFF, "no incidence, byte by byte");
    mesh.half_edge_at.fill_bytes(0xFF);
    mesh.corner_of.fill_bytes(0xFF);
    return bounds;
}

void SoupStates::set(const Element& element, State bit) {
    std::vector<State>& words = words_[static_cast<size_t>(element.kind)];
    if (element.id < words.size()) words[element.id] = State(words[element.id] | bit);
}

void SoupStates::upload(Context& context, TriangleMesh& mesh) const {
    const auto& [vertices, edges, triangles] = words_;
    mesh.vertex_states.upload(context, vertices.data(), vertices.size());
    mesh.edge_states.upload(context, edges.data(), edges.size());
    mesh.triangle_states.upload(context, triangles.data(), triangles.size());
}

void join_soup(Context& context, const TriangleMesh& soup, TriangleMesh& joined) {
    const uint32_t n = soup.vertex_count > 0 ? soup.vertex_count - 1 : 0;
    Geometry geometry{"what is shown", soup.positions.download(n)};
    if (!soup.heights.empty()) geometry.heights = soup.heights.download(n);
    std::vector<std::array<uint32_t, 3>> triangles(soup.triangle_count);
    soup.triangles.download(triangles.empty() ? nullptr : triangles[0].data(), 3 * triangles.size());
    std::erase_if(triangles, [&](const auto& c) { return c[0] >= n || c[1] >= n || c[2] >= n; });
    if (triangles.size() < soup.triangle_count)
        throw Error("a triangle has a corner that does not exist or lies nowhere");
    geometry.triangles = std::move(triangles);
    geometry.in_space() ? static_cast<void>(require_surface(geometry)) : require_triangulation(geometry);
    Buffer<uint8_t> pinched("pinched vertices");
    connect(context, geometry, joined, pinched, false);
}

}  // namespace flipscope
