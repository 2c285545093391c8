// The Events lab in words: its passes, counters, parameters and colours, as the window and the command line show them.
#include "labs/events/events_lab.h"

#include "labs/events/source_parameters.h"
#include "labs/voronoi/stencil_inspect.h"

namespace flipscope {

const LabInfo& events_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "events",
            "Events lab",
            "Watches bubbles or moving points, compares who is linked to whom every few steps, and lists the plastic "
            "events: links that break and arise.",
            "After M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of topological changes in Voronoi "
            "diagrams (2016), section III, with partners found as mutual nearest centres, boundaries told by empty "
            "triangles, and links put together to events.",
            {{"advance", "The present becomes the past, and the source goes on to the next moment to be compared."},
             {"threshold", "Sites of the lattice whose value is past the threshold belong to bubbles."},
             {"label", "Sites that touch, also corner to corner, get the same label: a bubble."},
             {"measure",
              "Each bubble's area and centre of mass, from sums over its sites as it hangs together, also across "
              "periodic borders."},
             {"colour", "Every lattice site takes the colour of its nearest centre: the digital Voronoi diagram."},
             {"corners",
              "Lattice sites where the colour changes three times around them, or twice on an open border, are corners "
              "of cells."},
             {"link", "Every corner tells, by the five conditions, which colours around it are neighbours of its own."},
             {"arrange", "Each cell's neighbours are put in order, each once, and each also in the other's row."},
             {"delaunay", "The centres' own Delaunay triangulation stands in for the lattice's graph."},
             {"match",
              "Past and present centres that are nearest to each other, or have the same name, are the same bubble: "
              "\xCE\xA6."},
             {"trigger",
              "Past rows are translated by \xCE\xA6 and sorted; where they differ from the present ones a bubble is "
              "active, and any sets the global trigger."},
             {"events",
              "Links between active bubbles that are in one moment only break or arise; those of one place make an "
              "event."}},
            {{"bubbles", "centres of this moment", true},
             {"links", "pairs of neighbours of this moment", true},
             {"matched", "centres that were there before", true},
             {"appeared", "centres without a past, left out of the comparison"},
             {"vanished", "past centres without a present, left out of the comparison"},
             {"active", "bubbles whose neighbours have changed"},
             {"breaking", "links that were and are no more, \xCE\xA6(E_P) \\ E_N"},
             {"arising", "links that are and were not, E_N \\ \xCE\xA6(E_P)"},
             {"bulk events", "events inside, as T1s are"},
             {"boundary events", "events on the boundary of the triangulation"},
             {"mixed events", "events of both kinds of links"},
             {"unmatched events", "events beside somebody who appeared or vanished: the others make room, or close up"},
             {"unclear events", "events that neither rule explains, such as holes of the lattice's graph"}}};
        made.takes = {InputKind::kPoints, InputKind::kFields, InputKind::kTracks, InputKind::kNothing};
        made.makes_triangles = false;
        made.finds = "event";
        made.notable = "events are found, other than unmatched ones";
        made.decided = decided_in_events;
        for (CounterInfo& counter : made.counters)
            counter.first_choice = counter.name == "breaking" || counter.name == "arising" ||
                                   counter.name == "bulk events" || counter.name == "boundary events";
        made.example = "";
        return made;
    }();
    return info;
}

void EventsLab::parameters(ParameterVisitor& visitor) {
    EventsParameters& p = wished_;
    visitor.group("Source");
    visit_parameters(visitor, p.source);
    visitor.group("Bubbles");
    visitor.toggle("auto_threshold", "Usual threshold", "A threshold that suits the source's field, not the one below.",
                   p.auto_threshold);
    visitor.number("threshold", "Threshold", "Where bubbles end, in the unit of the field; an image goes from 0 to 1.",
                   p.threshold, -1e9, 1e9);
    visitor.choice(
        "polarity", "Bubbles are", "On which side of the threshold.", p.polarity,
        {{"above", "where the field is above the threshold"}, {"below", "where it is below: the paper's text"}});
    visitor.group("Comparison");
    visitor.integer("interval", "Interval",
                    "Steps of the source, or frames, from one comparison to the next; 0: as suits the source.",
                    p.interval, 0, 1000000);
    visitor.integer("comparisons", "Comparisons", "Until the run ends; recordings may end before.", p.comparisons, 1,
                    1000000);
    visitor.group("Means over time");
    visitor.integer("warmup", "Warm-up",
                    "Steps, or frames, that are left out of means and sums over time: the flow profile, events across "
                    "x, directions of links. They say from when on they count, and the profile whether it is "
                    "stationary.",
                    p.source.warmup, 0, 1000000000);
    visitor.integer("mean_window", "Window of means",
                    "The same are taken over the last so many steps, or frames; 0: over all since the warm-up.",
                    p.source.mean_window, 0, 1000000000);
    visitor.group("Graph");
    visitor.choice("graph", "Graph", "Who is linked to whom.", p.graph,
                   {{"lattice", "cells of the coloured lattice that meet at a corner: the paper's"},
                    {"delaunay", "the Delaunay triangulation of the centres"}});
    visitor.choice("method", "Colouring", "How every lattice site finds its nearest centre.", p.method,
                   {{"exact", "tiles of sites share a short list of centres: equal to the next, and much faster"},
                    {"every-site", "one thread a site looks at all centres: the paper's"},
                    {"jump-flooding", "centres spread by jumps: fast, and wrong at some sites"}});
    visitor.choice("measure", "Centres of mass", "How areas and centres are added up; the result is the same.",
                   p.measure,
                   {{"atomics", "every run of sites adds to its bubble's sums"},
                    {"sorting", "runs sorted by bubble, and differences of cumulative sums: the paper's other way"}});
    visitor.group("Matching");
    visitor.choice("matching", "Same bubble", "How past and present centres find their partners.", p.matching,
                   {{"auto", "by name where the source gives names, else nearest"},
                    {"nearest", "mutual nearest centres, not farther apart than the cap"},
                    {"names", "by the names that tracks give"}});
    visitor.number("cap", "Cap of matching", "Farther apart than so many mean distances nobody is the same bubble.",
                   p.cap, 0, 100);
    visit_stencil_rules(visitor, p.rules);
    visitor.group("Device");
    visitor.integer("block_size", "CUDA block size",
                    "Threads per block on CUDA (32 to 1024, rounded down to a multiple of 32).", p.block_size, 32,
                    1024);
}

Scene EventsLab::scene() const {
    Scene scene;
    if (!source_) return scene;
    const Lattice& lattice = chain_.lattice();
    scene.low = {-0.5, -0.5};
    scene.high = {lattice.width - 0.5, lattice.height - 0.5};
    scene.point_count = drawing_.centre_count();
    const auto on_lattice = [&](const char* id, const char* title, const char* sentence, bool shown) -> LatticeLayer& {
        scene.layers.push_back({id, title, sentence, shown, LatticeLayer{lattice.width, lattice.height}});
        return std::get<LatticeLayer>(scene.layers.back().shape);
    };
    LatticeLayer& cells = on_lattice("cells", "Cells", "The cells in their tints, and the borders between them", true);
    if (!shows_labels())
        cells.colours = &chain_.colouring().colours();
    else
        cells.colours = drawing_.labels().empty() ? &chain_.components().labels() : &drawing_.labels();
    // Names belong to the labels of the moment only once it is matched.
    if (at_rest() || state_.last == kMatch || state_.last == kTrigger) cells.names = &present().names();
    // Before anything is made of it, the field itself is what there is to see.
    const bool untouched = state_.last == kNone;
    LatticeLayer& field = on_lattice("field", "Field", "The numbers on the lattice, in place of the cells' tints",
                                     untouched && chain_.has_field());
    scene.layers.back().scale = {ColourScale::Kind::kImage, "field", "", field_low_, field_high_};
    if (chain_.has_field()) field.field = source_->field();
    LatticeLayer& marks = on_lattice("marks", "Marked sites", "The sites that the legend speaks of", true);
    const Buffer<State>& states = chain_.lattice_graph().site_states();
    const bool has_marks = chain_.on_lattice() && !states.empty();
    if (has_marks) marks.states = &states;
    const auto states_of = [](const Buffer<State>& words) { return words.empty() ? nullptr : &words; };
    const auto lines_of = [&](const Linework& lines) {
        return SegmentsLayer{&lines.positions, nullptr, lines.vertex_count,          &lines.edges,
                             lines.edge_count, {},      states_of(lines.edge_states)};
    };
    scene.layers.push_back({"links", "Links", "The links between neighbouring cells", true, lines_of(drawing_.mesh())});
    scene.layers.push_back(
        {"overlay", "Overlay", "What the legend lists besides, over the links", true, lines_of(drawing_.over())});
    PointsLayer centres{&drawing_.mesh().positions, nullptr,
                        std::min(drawing_.centre_count(), drawing_.mesh().vertex_count),
                        states_of(drawing_.mesh().vertex_states)};
    if (untouched) centres = {&first_centres_, nullptr, static_cast<uint32_t>(first_centres_.size())};
    if (untouched) scene.point_count = centres.count;
    scene.layers.push_back({"points", "Points", "The centres of the cells", true, centres});
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend = {{E::kEdge, 0, Role::kPlain, "link", "Two cells that touch."}};
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kBreakingState << age), Role::kBreaking, age ? "" : "breaking",
                          "A link that was, and is no more; paler with every comparison since.", kStrength[age]});
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kArisingState << age), Role::kArising, age ? "" : "arising",
                          "A link that has come; paler with every comparison since.", kStrength[age]});
    legend.push_back({E::kEdge, kVanishedState, Role::kUnmatched, "vanished",
                      "Somebody was here before the last comparison, and has no partner now."});
    legend.push_back({E::kVertex, kActiveState, Role::kActive, "active", "Its neighbours have changed."});
    legend.push_back({E::kVertex, kAppearedState, Role::kUnmatched, "appeared", "It has no past."});
    if (has_marks)
        legend.insert(legend.end(),
                      {{E::kSite, kSiteIsland, Role::kOdd, "island", "No site around it has its colour."},
                       {E::kSite, kSiteProlonged, Role::kProlonged, "prolonged",
                        "Its colour crosses the stencil in a single line."},
                       {E::kSite, kSiteCorner, Role::kCorner, "corner", "Cells meet here: links are looked for."}});
    scene.set_legend(legend);
    return scene;
}

}  // namespace flipscope
