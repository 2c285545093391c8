#include "particles/contact_rows.h"

#include "compute/launch.h"
#include "delaunay/torus/torus_rules.h"
#include "voronoi/graph/sort_row.h"

namespace flipscope {

namespace {

constexpr uint32_t kTile = 256;  // rows whose starts one thread writes

/// Assigns each end of an edge an index in the row of the other end, in any order, as rows are sorted later.
struct RankEnds {
    MeshView mesh;
    TorusBox box;
    double longest_squared;  // 0: every edge is a contact
    View<uint32_t> degrees;  // (n) 0 before
    View<uint32_t> ranks;    // (e, 2) kNone: in no row
    FLIPSCOPE_HD void operator()(uint32_t edge) const {
        const uint32_t a = mesh.edges[2 * edge], b = mesh.edges[2 * edge + 1];
        const bool listed = a != b && is_contact(edge);
        ranks[2 * edge] = listed ? atomic_add(degrees[a], 1u) : kNone;
        ranks[2 * edge + 1] = listed ? atomic_add(degrees[b], 1u) : kNone;
    }
    FLIPSCOPE_HD bool is_contact(uint32_t edge) const {
        const uint32_t corner = mesh.corner_of[2 * edge];
        if (box.is_beyond(mesh.shifts[corner])) return false;
        if (longest_squared == 0) return true;
        const Point step = step_of(mesh, box, corner);
        return step.x * step.x + step.y * step.y <= longest_squared;
    }
};

struct SumTile {
    View<const uint32_t> degrees;
    View<uint32_t> tiles;
    FLIPSCOPE_HD void operator()(uint32_t tile) const {
        const auto count = static_cast<uint32_t>(degrees.count);
        const uint32_t first = tile * kTile, end = count - first < kTile ? count : first + kTile;
        uint32_t sum = 0;
        for (uint32_t vertex = first; vertex < end; ++vertex) sum += degrees[vertex];
        tiles[tile] = sum;
    }
};

/// One thread per tile of rows, whose first start is the sum of all earlier tiles.
struct StartRows {
    View<const uint32_t> degrees, tiles;
    View<uint32_t> starts;  // (n + 1)
    FLIPSCOPE_HD void operator()(uint32_t tile) const {
        uint32_t start = 0;
        for (uint32_t before = 0; before < tile; ++before) start += tiles[before];
        const auto count = static_cast<uint32_t>(degrees.count);
        const uint32_t first = tile * kTile, end = count - first < kTile ? count : first + kTile;
        for (uint32_t vertex = first; vertex < end; ++vertex) {
            starts[vertex] = start;
            start += degrees[vertex];
        }
        if (end == count) starts[count] = start;
    }
};

struct PlaceEnds {
    MeshView mesh;
    View<const uint32_t> ranks, starts;
    View<uint32_t> entries;
    FLIPSCOPE_HD void operator()(uint32_t edge) const {
        const uint32_t a = mesh.edges[2 * edge], b = mesh.edges[2 * edge + 1];
        if (ranks[2 * edge] == kNone) return;
        entries[starts[a] + ranks[2 * edge]] = b;
        entries[starts[b] + ranks[2 * edge + 1]] = a;
    }
};

/// Sorts rows, and keeps each neighbour once; the rest of a row stays free.
struct SortRows {
    View<const uint32_t> starts;
    View<uint32_t> entries, degrees;
    FLIPSCOPE_HD void operator()(uint32_t vertex) const {
        uint32_t* const row = entries.data + starts[vertex];
        const uint32_t length = starts[vertex + 1] - starts[vertex];
        sort_row(row, length);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < length; ++k)
            if (k == 0 || row[k] != row[k - 1]) row[kept++] = row[k];
        degrees[vertex] = kept;
    }
};

struct PackRows {
    View<const uint32_t> from_starts, entries, starts;
    View<uint32_t> neighbours;
    FLIPSCOPE_HD void operator()(uint32_t vertex) const {
        const uint32_t from = from_starts[vertex], to = starts[vertex], length = starts[vertex + 1] - to;
        for (uint32_t k = 0; k < length; ++k) neighbours[to + k] = entries[from + k];
    }
};

}  // namespace

Adjacency& ContactRows::make(Context& context, const TorusTriangulation& triangulation, double longest) {
    const TriangleMesh& mesh = triangulation.mesh();
    const uint32_t count = triangulation.count(), tiles = (count + kTile - 1) / kTile;
    rows_.count = count;
    rows_.entry_count = 2 * mesh.edge_count;
    rows_.starts.resize(context, size_t(count) + 1, false);
    rows_.neighbours.resize(context, rows_.entry_count, false);
    if (count == 0) {
        rows_.starts.fill_bytes(0);
        return rows_;
    }
    degrees_.fill(context, count, 0);
    tiles_.resize(context, tiles, false);
    ranks_.resize(context, rows_.entry_count, false);
    starts_.resize(context, size_t(count) + 1, false);
    entries_.resize(context, rows_.entry_count, false);
    const MeshView view = mesh.view();
    const auto start_rows = [&](const Buffer<uint32_t>& starts) {
        launch(context, "delaunay.sum", tiles, SumTile{degrees_.view(), tiles_.view()});
        launch(context, "delaunay.start", tiles, StartRows{degrees_.view(), tiles_.view(), starts.view()});
    };
    launch(context, "delaunay.rank", mesh.edge_count,
           RankEnds{view, triangulation.box(), longest * longest, degrees_.view(), ranks_.view()});
    start_rows(starts_);
    launch(context, "delaunay.place", mesh.edge_count, PlaceEnds{view, ranks_.view(), starts_.view(), entries_.view()});
    launch(context, "delaunay.sort", count, SortRows{starts_.view(), entries_.view(), degrees_.view()});
    start_rows(rows_.starts);
    launch(context, "delaunay.pack", count,
           PackRows{starts_.view(), entries_.view(), rows_.starts.view(), rows_.neighbours.view()});
    return rows_;
}

}  // namespace flipscope
