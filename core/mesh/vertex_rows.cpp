#include "flipscope/voronoi.h"

#include "compute/for_ranges.h"

namespace flipscope {

namespace {

VertexRows rows_of_path(uint32_t n, std::span<const uint32_t> path) {
    VertexRows rows{
        std::vector<uint32_t>(n, kNone), std::vector<uint32_t>(n + size_t(1), 0), {}, std::vector<uint8_t>(n, 0)};
    const size_t length = path.size();
    for (size_t i = 0; i < length; ++i) rows.starts[path[i] + size_t(1)] = (i > 0) + (i + 1 < length);
    for (size_t i = 0; i < n; ++i) rows.starts[i + 1] += rows.starts[i];
    rows.neighbours.resize(rows.starts[n]);
    for (size_t i = 0; i < length; ++i) {
        uint32_t at = rows.starts[path[i]];
        rows.on_outline[path[i]] = 1;
        if (i > 0) rows.neighbours[at++] = path[i - 1];
        if (i + 1 < length) rows.neighbours[at] = path[i + 1];
    }
    return rows;
}

}  // namespace

VertexRows vertex_rows(Context& context, uint32_t n, TriangleSpan triangles, TriangleSpan neighbours,
                       std::span<const uint32_t> path) {
    if (triangles.empty()) return rows_of_path(n, path);
    const CancelScope scope(context.cancel_flag());
    CancelPoll poll;
    VertexRows rows;
    resize_or_cancel(rows.triangle_of, n, kNone);
    resize_or_cancel(rows.on_outline, n, uint8_t(0));
    resize_or_cancel(rows.starts, n + size_t(1), 0u);
    for (size_t t = triangles.size(); t-- > 0;) {
        poll();
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t corner = triangles[t][k];
            rows.triangle_of[corner] = static_cast<uint32_t>(t);
            ++rows.starts[corner + size_t(1)];
            // Each vertex of the outline begins one of its edges.
            if (neighbours[t][k] == kNone) rows.on_outline[triangles[t][(k + 1) % 3]] = 1;
        }
    }
    for (size_t i = 0; i < n; ++i) rows.starts[i + 1] += rows.starts[i] + rows.on_outline[i];
    resize_or_cancel(rows.neighbours, rows.starts[n], 0u);
    for_ranges(context, n, [&](uint32_t begin, uint32_t end) {
        for (uint32_t v = begin; v < end; ++v) {
            uint32_t at = rows.starts[v], last = kNone;
            visit_star(v, rows, triangles, neighbours, [&](uint32_t t) {
                const uint32_t k = triangles[t][0] == v ? 0 : triangles[t][1] == v ? 1 : 2;
                rows.neighbours[at++] = triangles[t][(k + 1) % 3];
                last = triangles[t][(k + 2) % 3];
            });
            if (rows.on_outline[v]) rows.neighbours[at] = last;
        }
    });
    return rows;
}

}  // namespace flipscope
