#include "labs/voronoi/link_drawing.h"

#include <algorithm>

#include "compute/primitives.h"

namespace flipscope {

namespace {

/// Makes one edge, or up to three pieces, from an entry of the adjacency that leads to a higher label.
struct DrawLink {
    Lattice lattice;
    AdjacencyView graph;
    View<Point> positions;
    View<uint32_t> edges, ends;
    uint32_t fixed;  // vertices before the places where links are cut

    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        const uint32_t a = graph.last_row(graph.count, i), b = graph.neighbours[i];
        return b <= a ? 0 : cut_link(lattice, positions[a], positions[b]).count;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code == 0) return;
        const uint32_t a = graph.last_row(graph.count, i), b = graph.neighbours[i];
        const LinkPieces pieces = cut_link(lattice, positions[a], positions[b]);
        for (uint32_t k = 0; k < code; ++k) {
            const uint32_t edge = rank + k, extra = fixed + 2 * edge;
            ends[2 * edge] = a;
            ends[2 * edge + 1] = b;
            // A site within half a pixel of the upper borders is drawn beyond them; its links come from below.
            const bool from_site = k == 0 && pieces.from[k] == positions[a];
            const bool to_site = k + 1 == code && pieces.to[k] == positions[b];
            edges[2 * edge] = from_site ? a : extra;
            edges[2 * edge + 1] = to_site ? b : extra + 1;
            if (!from_site) positions[extra] = pieces.from[k];
            if (!to_site) positions[extra + 1] = pieces.to[k];
        }
    }
};

struct MarkLinks {
    View<const uint64_t> marked;  // ascending pairs
    View<const uint32_t> ends;
    View<State> states;
    State bit;
    FLIPSCOPE_HD void operator()(uint32_t edge) const {
        const uint64_t pair = uint64_t(ends[2 * edge]) << 32 | ends[2 * edge + 1];
        const size_t place = lower_bound(marked.data, size_t(0), marked.count, pair);
        if (place < marked.count && marked[place] == pair) states[edge] |= bit;
    }
};

void make_room(Context& context, uint32_t fixed, uint32_t extra, uint32_t edges, bool with_states, Linework& mesh) {
    mesh.reset(context, fixed + extra, edges, with_states);
    mesh.positions.resize(context, mesh.vertex_count);
    if (extra) context.fill(mesh.positions.view().data + fixed, 0, size_t(extra) * sizeof(Point));
}

}  // namespace

void LinkDrawing::draw(Context& context, const Lattice& lattice, const AdjacencyView& graph, uint32_t fixed,
                       bool with_states, Linework& mesh) {
    const auto entries = static_cast<uint32_t>(graph.neighbours.count),
               most = entries / 2 * (lattice.periodic.any() ? 3 : 1);
    make_room(context, fixed, lattice.periodic.any() ? 2 * most : 0, most, with_states, mesh);
    ends_.resize(context, 2 * size_t(most), false);
    total_.resize(context, 1);
    const DrawLink kernel{lattice, graph, mesh.positions.view(), mesh.edges.view(), ends_.view(), fixed};
    compact(context, "arrange.draw", entries, kernel, total_.view());
    mesh.edge_count = total_.read(0);
}

void LinkDrawing::clear(Context& context, uint32_t fixed, bool with_states, Linework& mesh) {
    make_room(context, fixed, 0, 0, with_states, mesh);
}

void LinkDrawing::mark(Context& context, const std::vector<std::array<uint32_t, 2>>& links, State bit, Linework& mesh) {
    if (!mesh.records_states() || links.empty()) return;
    std::vector<uint64_t> pairs;
    for (const auto& [a, b] : links) pairs.push_back(uint64_t(a) << 32 | b);
    marked_.upload(context, pairs.data(), pairs.size());
    launch(context, "compare.mark", mesh.edge_count,
           MarkLinks{marked_.view(), ends_.view(), mesh.edge_states.view(), bit});
}

// Edges are in the order of their links, by ascending labels.
LinkDrawing::Edges LinkDrawing::edges_of(uint32_t a, uint32_t b, uint32_t edge_count) const {
    const std::array<uint32_t, 2> wanted{std::min(a, b), std::max(a, b)};
    uint32_t low = 0, high = edge_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (link(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    Edges found{low, 0};
    while (low + found.count < edge_count && link(low + found.count) == wanted) ++found.count;
    return found;
}

}  // namespace flipscope
