#include "labs/voronoi/site_links.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "lab/element_links.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

std::vector<uint32_t> GraphView::row(uint32_t label) const {
    const uint32_t begin = starts.read(label), end = starts.read(label + 1);
    return neighbours.download(end - begin, begin);
}

std::vector<Link> GraphView::links(const std::vector<uint32_t>& labels) const {
    std::vector<Link> found;
    for (const uint32_t label : labels) found.push_back(link(label));
    return found;
}

void explain_site(const GraphView& graph, uint32_t label, Properties& properties, std::vector<Highlight>& highlights) {
    const std::vector<uint32_t> row = graph.row(label);
    add_vertex_links(graph.links(row), {}, "links that end here", "", properties);
    std::vector<Link> links;
    const Point at = graph.places.read(label);
    for (const uint32_t other : row) {
        if (const LinkDrawing::Edges edges = graph.drawing.edges_of(label, other, graph.edge_count); edges.count > 0)
            links.push_back(edge_link(edges.first));
        highlight_link(graph.lattice, at, graph.places.read(other), Role::kPlain, "link to " + graph.name(other),
                       highlights);
    }
    add_cut_links("Links", std::move(links), properties, "to these neighbours, in this order");
    if (const uint32_t pixel = pixel_at(graph.lattice, at); pixel != kNone)
        properties.add_links("Pixel", {pixel_link(graph.lattice, pixel)}, "that it lies on");
}

void explain_link(const GraphView& graph, uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) {
    const auto [a, b] = graph.drawing.link(edge);
    std::vector<uint32_t> of_both;
    const std::vector<uint32_t> around_a = graph.row(a), around_b = graph.row(b);
    std::set_intersection(around_a.begin(), around_a.end(), around_b.begin(), around_b.end(),
                          std::back_inserter(of_both));
    properties.add_links("Ends", {graph.link(a), graph.link(b)});
    add_cut_links("Opposite", graph.links(of_both), properties, "linked to both ends");
    std::vector<Link> pieces;
    const LinkDrawing::Edges edges = graph.drawing.edges_of(a, b, graph.edge_count);
    for (uint32_t piece = edges.first; piece < edges.first + edges.count; ++piece)
        if (piece != edge) pieces.push_back(edge_link(piece));
    add_cut_links("Goes on as", std::move(pieces), properties, "the other side of the border");
    const Point from = graph.places.read(a), to = graph.places.read(b);
    highlight_link(graph.lattice, from, to, Role::kChosen, "link from " + graph.name(a) + " to " + graph.name(b),
                   highlights);
    for (const uint32_t other : of_both) {
        const Point apex = graph.places.read(other);
        for (const Point end : {from, to})
            highlight_link(graph.lattice, end, apex, Role::kPlain, "link to " + graph.name(other), highlights);
    }
}

void highlight_link(const Lattice& lattice, Point from, Point to, Role role, const std::string& name,
                    std::vector<Highlight>& highlights) {
    const LinkPieces pieces = cut_link(lattice, from, to);
    const auto style = role == Role::kPlain ? Highlight::Style::kThin : Highlight::Style::kSolid;
    for (uint32_t k = 0; k < pieces.count; ++k)
        highlights.push_back(Highlight::line({pieces.from[k].x, pieces.from[k].y, 0},
                                             {pieces.to[k].x, pieces.to[k].y, 0}, role, name, style));
}

Link pixel_link(const Lattice& lattice, uint32_t pixel) {
    return {std::to_string(lattice.x_of(pixel)) + ", " + std::to_string(lattice.y_of(pixel)),
            {ElementKind::kPixel, pixel}};
}

Element pick_on_lattice(Context& context, const Linework& mesh, uint32_t site_count, const Lattice& lattice,
                        const Probe& probe) {
    if (mesh.vertex_count > 0) {
        const Element found = pick_element(context, mesh, site_count, probe);
        if (found.id != kNone) return found;
    }
    const double x = std::floor(probe.place.x + 0.5), y = std::floor(probe.place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < lattice.width && y < lattice.height)) return {};
    return {ElementKind::kPixel, lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), probe.part};
}

SegmentsLayer segments_of(const Linework& lines) {
    SegmentsLayer layer{&lines.positions, nullptr, lines.vertex_count, &lines.edges, lines.edge_count};
    layer.states = states_or_none(lines.edge_states);
    return layer;
}

PointsLayer points_of(const Linework& lines, uint32_t count) {
    return {&lines.positions, nullptr, std::min(count, lines.vertex_count), states_or_none(lines.vertex_states)};
}

void add_pixel_legend(std::vector<LegendEntry>& legend) {
    using E = LegendEntry::Element;
    legend.insert(legend.end(),
                  {{E::kPixel, kPixelIsland, Role::kOdd, "island", "No pixel around it has its colour."},
                   {E::kPixel, kPixelProlonged, Role::kProlonged, "prolonged",
                    "Its colour crosses the stencil in a single line."},
                   {E::kPixel, kPixelCorner, Role::kCorner, "corner", "Cells meet here: links are searched for."}});
}

uint32_t pixel_at(const Lattice& lattice, Point place) {
    double x = std::floor(place.x + 0.5), y = std::floor(place.y + 0.5);
    const Point wrapped = lattice.wrapped({x, y});
    x = wrapped.x, y = wrapped.y;
    if (!(x >= 0 && y >= 0 && x < lattice.width && y < lattice.height)) return kNone;
    return lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
}

}  // namespace flipscope
