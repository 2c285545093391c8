#include "particles/contact_rows.h"

#include "compute/launch.h"
#include "delaunay/torus/torus_rules.h"
#include "voronoi/graph/sort_row.h"

namespace flipscope {

namespace {

constexpr uint32_t kTile = 256;  // rows whose starts one thread writes

/// Any of the edges that leave a vertex, since its row is put in order in the end.
struct FindLeaving {
    MeshView mesh;
    View<uint32_t> leaving;
    FLIPSCOPE_HD void operator()(uint32_t half) const {
        atomic_store(leaving[mesh.edges[half]], mesh.half_slots[half]);
    }
};

/// The edges around a vertex, one after the other.
struct Around {
    MeshView mesh;
    TorusBox box;
    View<const uint32_t> leaving;
    double longest_squared;  // 0: any

    template <class Visit>
    FLIPSCOPE_HD void each(uint32_t vertex, const Visit& visit) const {
        const uint32_t first = leaving[vertex];
        uint32_t slot = first;
        do {
            const uint32_t other = mesh.to(slot);
            if (other != vertex && is_contact(slot)) visit(other);
            slot = mesh.across(previous_slot(slot));
        } while (slot != first);
    }
    FLIPSCOPE_HD bool is_contact(uint32_t slot) const {
        if (longest_squared == 0) return true;
        const Point step = step_of(mesh, box, slot);
        return step.x * step.x + step.y * step.y <= longest_squared;
    }
};

struct CountAround {
    Around around;
    View<uint32_t> degrees, tiles;
    struct Count {
        uint32_t& sum;
        FLIPSCOPE_HD void operator()(uint32_t) const { ++sum; }
    };
    FLIPSCOPE_HD void operator()(uint32_t vertex) const {
        uint32_t sum = 0;
        around.each(vertex, Count{sum});
        degrees[vertex] = sum;
        atomic_add(tiles[vertex / kTile], sum);
    }
};

/// A thread has a tile of rows, whose first start is the sum of all tiles before.
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

/// Rows in order, each neighbour once; what they are shorter by stays free.
struct FillRows {
    Around around;
    View<const uint32_t> starts;
    View<uint32_t> entries, degrees, tiles;
    struct Put {
        uint32_t*& to;
        FLIPSCOPE_HD void operator()(uint32_t other) const { *to++ = other; }
    };
    FLIPSCOPE_HD void operator()(uint32_t vertex) const {
        uint32_t *const row = entries.data + starts[vertex], *end = row;
        around.each(vertex, Put{end});
        const auto length = static_cast<uint32_t>(end - row);
        sort_row(row, length);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < length; ++k)
            if (k == 0 || row[k] != row[k - 1]) row[kept++] = row[k];
        degrees[vertex] = kept;
        atomic_add(tiles[vertex / kTile], kept);
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
    leaving_.resize(context, count, false);
    degrees_.resize(context, count, false);
    tiles_.resize(context, 2 * size_t(tiles), false);
    starts_.resize(context, size_t(count) + 1, false);
    entries_.resize(context, rows_.entry_count, false);
    tiles_.fill_bytes(0);
    const View<uint32_t> all{tiles_.view().data, tiles}, distinct{tiles_.view().data + tiles, tiles};
    const Around around{mesh.view(), triangulation.box(), leaving_.view(), longest * longest};
    launch(context, "edges.leave", 2 * mesh.edge_count, FindLeaving{mesh.view(), leaving_.view()});
    launch(context, "edges.count", count, CountAround{around, degrees_.view(), all});
    launch(context, "edges.start", tiles, StartRows{degrees_.view(), all, starts_.view()});
    launch(context, "edges.fill", count, FillRows{around, starts_.view(), entries_.view(), degrees_.view(), distinct});
    launch(context, "edges.start", tiles, StartRows{degrees_.view(), distinct, rows_.starts.view()});
    launch(context, "edges.pack", count,
           PackRows{starts_.view(), entries_.view(), rows_.starts.view(), rows_.neighbours.view()});
    return rows_;
}

}  // namespace flipscope
