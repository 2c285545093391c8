// Shared parts of reports on the sites, links and pixels of a lattice's graph: neighbours as links, and highlights,
// which continue across periodic borders. For the labs of cells and of bubbles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compute/buffer.h"
#include "lab/report.h"
#include "labs/voronoi/link_drawing.h"

namespace flipscope {

/// Borrowed for one call.
struct GraphView {
    const Lattice& lattice;
    const Buffer<uint32_t>& starts;             // rows, as Adjacency has them
    const Buffer<uint32_t>& neighbours;         //
    const Buffer<Point>& places;                // of the labels, lattice units
    const LinkDrawing& drawing;                 //
    uint32_t edge_count;                        // drawn edges
    std::function<std::string(uint32_t)> name;  // of a label, without a noun: "5"

    std::vector<uint32_t> row(uint32_t label) const;
    Link link(uint32_t label) const { return {name(label), {ElementKind::kVertex, label}}; }
    std::vector<Link> links(const std::vector<uint32_t>& labels) const;
};

/// Its degree, neighbours, links and the pixel that it lies on.
void explain_site(const GraphView& graph, uint32_t label, Properties& properties, std::vector<Highlight>& highlights);
/// Its ends, the labels linked to both, and its other pieces beyond periodic borders.
void explain_link(const GraphView& graph, uint32_t edge, Properties& properties, std::vector<Highlight>& highlights);

/// The shortest line between two sites, in pieces.
void highlight_link(const Lattice& lattice, Point from, Point to, Role role, const std::string& name,
                    std::vector<Highlight>& highlights);
/// The site, link or pixel at the probe. The sites are the first vertices of the mesh.
Element pick_on_lattice(Context& context, const Linework& mesh, uint32_t site_count, const Lattice& lattice,
                        const Probe& probe);
SegmentsLayer segments_of(const Linework& lines);
/// The first `count` vertices, or all.
PointsLayer points_of(const Linework& lines, uint32_t count);
/// Legend of pixels marked by a graph: islands, prolonged pixels and corners.
void add_pixel_legend(std::vector<LegendEntry>& legend);
/// "12, 30"
Link pixel_link(const Lattice& lattice, uint32_t pixel);
/// The pixel at a place; kNone: outside.
uint32_t pixel_at(const Lattice& lattice, Point place);

}  // namespace flipscope
