// A graph on a lattice as linework: one edge per link, or one per piece of a link that crosses a periodic border.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/linework.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The pieces of a segment between two places: one on an open lattice; along periodic axes each lies within [-½, w - ½]
/// or [-½, h - ½], so that the pieces end at the border of the picture.
struct LinkPieces {
    uint32_t count = 0;  // 1 … 3
    Point from[3], to[3];
    FLIPSCOPE_HD void add(Point a, Point b) {
        from[count] = a;
        to[count++] = b;
    }
};
/// The segment from place a of the lattice along d, at most one period along periodic axes, to b, its wrapped end.
FLIPSCOPE_HD inline LinkPieces cut_way(const Lattice& lattice, Point a, Point d, Point b) {
    LinkPieces pieces;
    const auto [around_x, around_y] = lattice.periodic;
    if (!around_x && !around_y) {
        pieces.add(a, b);
        return pieces;
    }
    const double w = lattice.width, h = lattice.height, left = -0.5, right = w - 0.5, low = -0.5, high = h - 0.5;
    a = {around_x && a.x >= right ? a.x - w : a.x, around_y && a.y >= high ? a.y - h : a.y};
    b = {around_x && b.x >= right ? b.x - w : b.x, around_y && b.y >= high ? b.y - h : b.y};
    const double over_x = !around_x ? 0 : a.x + d.x < left ? -w : a.x + d.x >= right ? w : 0;
    const double over_y = !around_y ? 0 : a.y + d.y < low ? -h : a.y + d.y >= high ? h : 0;
    // The parameters 0 … 1 at which the segment meets the borders; 2: not met.
    const double at_x = over_x == 0 ? 2 : ((over_x > 0 ? right : left) - a.x) / d.x;
    const double at_y = over_y == 0 ? 2 : ((over_y > 0 ? high : low) - a.y) / d.y;
    Point begin = a, shift{0, 0};
    for (uint32_t k = 0; k < 2; ++k) {
        const double at = (k == 0) == (at_x < at_y) ? at_x : at_y;
        if (at == 2 || (k == 1 && at_x == at_y)) break;
        Point cut{a.x + at * d.x + shift.x, a.y + at * d.y + shift.y};
        if (at == at_x) cut.x = over_x > 0 ? right : left;  // exactly on the border, without rounding errors
        if (at == at_y) cut.y = over_y > 0 ? high : low;
        pieces.add(begin, cut);
        begin = cut;
        if (at == at_x) begin.x -= over_x, shift.x -= over_x;
        if (at == at_y) begin.y -= over_y, shift.y -= over_y;
    }
    pieces.add(begin, b);
    return pieces;
}
/// The shortest segment between two places of the box.
FLIPSCOPE_HD inline LinkPieces cut_link(const Lattice& lattice, Point a, Point b) {
    return cut_way(lattice, a, lattice.difference(a, b), b);
}

class LinkDrawing {
  public:
    /// Makes the edges of the graph, with exact counts, over the first vertices. Vertices up to `fixed` keep their
    /// places; those after them become places where links are cut. Waits for one count.
    void draw(Context& context, const Lattice& lattice, const AdjacencyView& graph, uint32_t fixed, bool with_states,
              Linework& mesh);
    /// Removes all edges.
    void clear(Context& context, uint32_t fixed, bool with_states, Linework& mesh);
    /// Sets `bit` in the state of the edges of these links, a < b, ascending.
    void mark(Context& context, const std::vector<std::array<uint32_t, 2>>& links, State bit, Linework& mesh);
    /// The labels of the link that an edge of the mesh draws, in full or as a piece.
    std::array<uint32_t, 2> link(uint32_t edge) const { return {ends_.read(2 * edge), ends_.read(2 * edge + 1)}; }
    struct Edges {
        uint32_t first, count;
    };
    /// The consecutive edges that draw the link between two labels, among `edge_count` of the mesh; count 0: none.
    Edges edges_of(uint32_t a, uint32_t b, uint32_t edge_count) const;

  private:
    Buffer<uint32_t> ends_{"links of edges"};  // (e, 2)
    Buffer<uint64_t> marked_{"marked links"};
    Buffer<uint32_t> total_{"edge count"};
};

}  // namespace flipscope
