// The Voronoi lab in words: its passes, counters and colours, as the window and the command line show them.
#include "compute/text.h"
#include "labs/voronoi/voronoi_lab.h"

namespace flipscope {

const LabInfo& voronoi_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "voronoi",
            "Voronoi lab",
            "Colours the pixels of a lattice by their nearest sites, reads the graph of neighbours off the colours, "
            "compares it with the exact one, and moves sites to the centroids of their cells.",
            "After M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of topological changes in Voronoi "
            "diagrams (2016), sections II and III B, with an exact colouring that culls sites by distance, open "
            "borders whose contacts are all found, and the exact diagram drawn over it.",
            {{"place", "The sites are placed on the lattice."},
             {"obstacles", "The pixels of obstacles are marked; no cell will have them."},
             {"colour",
              "Every pixel gets the colour of its nearest site; jump flooding asks pixels at ever shorter distances, "
              "one "
              "jump per step."},
             {"centroids",
              "Sums over the pixels of every cell: its area, its centroid, and its energy, the squared distances of "
              "its "
              "pixels to its site."},
             {"corners",
              "Pixels where the colour changes three times around them, or twice on an open border, are corners of "
              "cells."},
             {"link",
              "At every corner the five conditions determine which colours around it are neighbours of its own. Exact "
              "cells are added: of sites too near to each other for the lattice, or of all."},
             {"arrange", "Each cell's neighbours are sorted, each listed once, and each also in the other's row."},
             {"compare",
              "The exact Delaunay triangulation of the same sites tells which links are missed and which are "
              "spurious."},
             {"move", "Every site moves to the centroid of its cell."},
             {"edit", "A manual edit: a site or an obstacle was changed."}},
            {{"sites", "sites that have cells, or cluster centres", true},
             {"corners", "pixels where cells meet", true},
             {"links", "pairs of neighbours", true},
             {"islands", "pixels with no neighbour of their colour", true},
             {"prolonged", "pixels whose colour crosses the stencil in a single line", true},
             {"missed",
              "exact links in sight that the lattice's graph does not have, though no obstacle lies in the way", true},
             {"spurious", "links that the exact graph does not have", true},
             {"blocked", "exact links that the lattice's graph cannot have: obstacles lie where the cells would touch",
              true},
             {"wrong colours", "pixels that jump flooding left another colour than that of the nearest site", true},
             {"to move", "sites that are not at the centroid of their cell", true},
             {"empty", "cells without a pixel, whose sites stay", true}},
            {{"energy",
              "Squared distances of all pixels, or points, to their sites, times the density, which is at most 1: "
              "equation 1, or the WCSS. No iteration increases it.",
              "lattice units squared"},
             {"largest move", "The greatest distance of a site to the centroid of its cell.", "lattice units"}}};
        made.takes = {InputKind::kPoints, InputKind::kFields, InputKind::kNothing};
        made.finds = "difference";
        made.finds_changes = false;
        made.notable = "a comparison finds differences";
        made.decided = decided_in_voronoi;
        made.finding_measures = {
            {"dual length", "Of a missed link: the length of the Voronoi edge on the lattice.", "lattice units"},
            {"shortfall", "Of a spurious link: by how much the Voronoi edge would have to grow before the cells touch.",
             "lattice units"}};
        made.makes_triangles = false;
        for (CounterInfo& counter : made.counters)
            counter.first_choice = counter.name == "missed" || counter.name == "spurious";
        made.example = "uniform:300";
        return made;
    }();
    return info;
}

void VoronoiLab::parameters(ParameterVisitor& visitor) { visit_voronoi_parameters(visitor, requested_); }

Scene VoronoiLab::scene() const {
    Scene scene;
    const Lattice& lattice = start_.lattice;
    if (!lattice.site_count()) return scene;
    scene.low = {-0.5, -0.5};
    scene.high = {lattice.width - 0.5, lattice.height - 0.5};
    scene.point_count = fixed_vertices();
    const auto on_lattice = [&](const char* id, const char* title, const char* sentence, bool shown) -> LatticeLayer& {
        scene.layers.push_back({id, title, sentence, shown, LatticeLayer{lattice.width, lattice.height}});
        return std::get<LatticeLayer>(scene.layers.back().shape);
    };
    LatticeLayer& cells = on_lattice("cells", "Cells", "The cells in their tints, and the borders between them", true);
    cells.colours = &colouring_.colours();
    cells.names = &tints_;
    // Before anything is made of it, the image itself is what there is to see.
    const bool untouched = state_.made == 0 && state_.moves == 0, unplaced = untouched && state_.sites == 0;
    if (!field_.empty()) {
        const bool image = !start_.image.empty();
        on_lattice("field", image ? "Image" : "Density",
                   image ? "The image, in place of the cells' tints"
                         : "Where sites are drawn to, dark most, in place of the cells' tints",
                   untouched)
            .field = &field_;
        scene.layers.back().scale = {ColourScale::Kind::kImage, image ? "image" : "density, dark most", "", 0, 1};
    }
    LatticeLayer& marks = on_lattice("marks", "Marked pixels", "The pixels that the legend lists", true);
    if (!graph_.site_states().empty()) marks.states = &graph_.site_states();
    const auto states_of = [](const Buffer<State>& states) { return states.empty() ? nullptr : &states; };
    const auto lines_of = [&](const Linework& lines) {
        return SegmentsLayer{&lines.positions, nullptr, lines.vertex_count,          &lines.edges,
                             lines.edge_count, {},      states_of(lines.edge_states)};
    };
    scene.layers.push_back({"links", "Links", "The links between neighbouring cells", true, lines_of(mesh_)});
    if (now_.compare)
        scene.layers.push_back(
            {"overlay", "Overlay", "What else the legend lists, over the links", true, lines_of(exact_mesh_)});
    PointsLayer points{&mesh_.positions, nullptr, std::min(fixed_vertices(), mesh_.vertex_count),
                       states_of(mesh_.vertex_states)};
    if (unplaced) points = {&first_places_, nullptr, static_cast<uint32_t>(first_places_.size())};
    if (unplaced) scene.point_count = points.count;
    scene.layers.push_back({"points", "Points", "The sites of the cells", true, points});
    if (unplaced) scene.layers.back().role = Role::kWaiting;
    using E = LegendEntry::Element;
    const bool obstacles = !colouring_.obstacles().empty();
    std::string why_missed = "In the exact graph, but not in the lattice's.";
    if (obstacles) why_missed = "In the exact graph, but not in the lattice's, though no obstacle lies in the way.";
    if (obstacles && !now_.rules.obstacles_end)
        why_missed += " An edge that ends at obstacles on both sides is found with \"Obstacles are borders\" only.";
    std::vector<LegendEntry> legend = {
        {E::kEdge, 0, Role::kPlain, "link", "Two cells that touch."},
        {E::kEdge, kMissedLink, Role::kMissed, "missed link", why_missed},
        {E::kEdge, kSpuriousLink, Role::kSpurious, "spurious link",
         "In the lattice's graph, but not in the exact one."},
    };
    if (obstacles)
        legend.push_back({E::kEdge, kBlockedLink, Role::kBlocked, "blocked link",
                          "In the exact graph, but obstacles lie where the cells would touch: no " +
                              format_short(kLeastContact) +
                              " lattice units of the Voronoi edge are free. Not counted as missed."});
    legend.push_back({E::kEdge, kExactEdge, Role::kExact, "exact Voronoi edge",
                      "From the Delaunay triangulation of the same sites."});
    if (method() == ColouringMethod::kJumpFlooding)
        legend.push_back({E::kSite, kSiteWrongColour, Role::kSpurious, "wrong colour",
                          "Another site is nearer: jump flooding did not bring its colour here."});
    legend.insert(
        legend.end(),
        {{E::kSite, kSiteIsland, Role::kOdd, "island", "No pixel around it has its colour."},
         {E::kSite, kSiteProlonged, Role::kProlonged, "prolonged", "Its colour crosses the stencil in a single line."},
         {E::kSite, kSiteCorner, Role::kCorner, "corner", "Cells meet here: links are searched for."}});
    if (unplaced) legend.push_back({E::kVertex, 0, Role::kWaiting, "not placed yet", "The first pass places it."});
    if (lloyd_.of_points())
        legend.push_back({E::kVertex, kCentreVertex, Role::kChosen, "cluster centre",
                          "The other points are assigned to clusters around it."});
    scene.set_legend(legend);
    return scene;
}

}  // namespace flipscope
