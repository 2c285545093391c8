#include "particles/contact_rows.h"

#include "compute/exclusive_sum.h"
#include "compute/launch.h"
#include "delaunay/torus/torus_rules.h"
#include "voronoi/graph/sort_row.h"

namespace flipscope {

namespace {

/// Assigns each end of an edge an index in the row of the other end, in any order, as rows are sorted later.
struct RankEnds {
    MeshView mesh;
    TorusBox box;
    double longest_squared;  // 0: every edge is a contact
    View<uint32_t> degrees;  // (n + 1) 0 before
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
    const uint32_t count = triangulation.count();
    rows_.count = count;
    rows_.entry_count = 2 * mesh.edge_count;
    rows_.starts.fill(context, size_t(count) + 1, 0);
    rows_.neighbours.resize(context, rows_.entry_count, false);
    if (count == 0) return rows_;
    ranks_.resize(context, rows_.entry_count, false);
    starts_.fill(context, size_t(count) + 1, 0);
    entries_.resize(context, rows_.entry_count, false);
    const MeshView view = mesh.view();
    launch(context, "delaunay.rank", mesh.edge_count,
           RankEnds{view, triangulation.box(), longest * longest, starts_.view(), ranks_.view()});
    exclusive_sum(context, "delaunay.start", starts_.view());
    launch(context, "delaunay.place", mesh.edge_count, PlaceEnds{view, ranks_.view(), starts_.view(), entries_.view()});
    launch(context, "delaunay.sort", count, SortRows{starts_.view(), entries_.view(), rows_.starts.view()});
    exclusive_sum(context, "delaunay.start", rows_.starts.view());
    launch(context, "delaunay.pack", count,
           PackRows{starts_.view(), entries_.view(), rows_.starts.view(), rows_.neighbours.view()});
    return rows_;
}

}  // namespace flipscope
