// The Events lab in words: its passes, counters, parameters and colours, as the window and the command line show them.
#include "labs/events/events_lab.h"

#include "labs/events/source_parameters.h"
#include "labs/vocabulary.h"
#include "labs/voronoi/stencil_inspect.h"

namespace flipscope {

const LabInfo& events_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "events",
            "Events lab",
            "Follows bubbles or moving points, compares the graph of neighbours every few steps, and lists the plastic "
            "events: contacts that are lost and created (the paper's breaking and arising links).",
            "After M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of topological changes in Voronoi "
            "diagrams (2016), section III, with bubbles matched as mutual nearest sites, boundaries recognised by "
            "empty triangles, and changed links grouped into events.",
            {{"advance",
              "The present frame becomes the past one, and the source advances to the next frame to be compared."},
             {"threshold", "Pixels whose value is past the threshold belong to bubbles."},
             {"label", "Pixels that touch, also corner to corner, get the same label: a bubble."},
             {"measure",
              "Each bubble's area and centre of mass, its site, from sums over its connected pixels, also across "
              "periodic "
              "borders."},
             {"colour", "Every pixel gets the colour of its nearest site: the digital Voronoi diagram."},
             {"corners",
              "Pixels where the colour changes three times around them, or twice on an open border, are corners of "
              "cells."},
             {"link",
              "At every corner the five conditions determine which colours around it are neighbours of its own."},
             {"arrange", "Each cell's neighbours are sorted, each listed once, and each also in the other's row."},
             {"delaunay", "The Delaunay triangulation of the sites replaces the lattice's graph."},
             {"match",
              "Past and present sites that are nearest to each other, or have the same name, are the same bubble: "
              "\xCE\xA6."},
             {"trigger",
              "Past rows are translated by \xCE\xA6 and sorted; a bubble whose rows differ is active, and any active "
              "bubble sets the global trigger."},
             {"events",
              "Links between active bubbles that are in one frame only are lost or created contacts; those that are "
              "adjacent make an event."}},
            {{"bubbles", "bubbles of this frame", true},
             {"links", "pairs of neighbours of this frame", true},
             {"matched", "bubbles that have a partner in the past frame", true},
             {"appeared", "bubbles without a past partner, left out of the comparison"},
             {"vanished", "past bubbles without a present partner, left out of the comparison"},
             {"active", "bubbles whose neighbours have changed"},
             {"lost contacts", "links of the past frame only, \xCE\xA6(E_P) \\ E_N (breaking)", false, false,
              "breaking"},
             {"created contacts", "links of the present frame only, E_N \\ \xCE\xA6(E_P) (arising)", false, false,
              "arising"},
             {"T1 events", "events in the interior (bulk)", false, false, "bulk events"},
             {"boundary events", "events on the boundary of the triangulation"},
             {"mixed events", "events of links of both kinds"},
             {"unmatched events",
              "events beside a bubble that appeared or vanished: the others make room, or close the gap"},
             {"unclear events", "events that neither rule explains, such as holes of the lattice's graph"}}};
        made.takes = {InputKind::kPoints, InputKind::kFields, InputKind::kTracks, InputKind::kNothing};
        made.makes_triangles = false;
        made.finds = "event";
        made.notable = "events are found, other than unmatched ones";
        made.decided = decided_in_events;
        for (CounterInfo& counter : made.counters)
            counter.first_choice = counter.name == "lost contacts" || counter.name == "created contacts" ||
                                   counter.name == "T1 events" || counter.name == "boundary events";
        made.example = "";
        return made;
    }();
    return info;
}

void EventsLab::parameters(ParameterVisitor& visitor) {
    EventsParameters& p = requested_;
    visitor.group("Source");
    visit_source_parameters(visitor, p.source);
    visitor.group("Bubbles");
    visitor.toggle("auto_threshold", "Usual threshold", "A threshold that suits the source's field, not the one below.",
                   p.auto_threshold);
    visitor.number("threshold", "Threshold", "Where bubbles end, in the unit of the field; an image goes from 0 to 1.",
                   p.threshold, -1e9, 1e9);
    visitor.choice(
        "polarity", "Bubbles are", "On which side of the threshold bubbles lie.", p.polarity,
        {{"above", "where the field is above the threshold"}, {"below", "where it is below: the paper's text"}});
    visitor.group("Comparison");
    visitor.integer("interval", "Interval",
                    "Steps of the source, or frames, from one comparison to the next; 0: as suits the source.",
                    p.interval, 0, 1000000);
    visitor.integer("comparisons", "Comparisons", "How many there are; a recording may end before.", p.comparisons, 1,
                    1000000);
    visitor.group("Means over time");
    visitor.integer("warmup", "Warm-up",
                    "Steps, or frames, that are left out of means and sums over time: the flow profile, events across "
                    "x, directions of links. Each of these says when it begins to count, and the profile whether it "
                    "is stationary.",
                    p.source.warmup, 0, 1000000000);
    visitor.integer("mean_window", "Window of means",
                    "The number of last steps, or frames, that the same are computed over; 0: all since the warm-up.",
                    p.source.mean_window, 0, 1000000000);
    visitor.group("Graph");
    visitor.choice("graph", "Graph", "Which graph gives the links.", p.graph,
                   {{"lattice", "cells of the coloured lattice that meet at a corner: the paper's"},
                    {"delaunay", "the Delaunay triangulation of the sites"}});
    visit_colouring_method(visitor, p.method);
    visitor.choice("measure", "Centres of mass", "How areas and centres of mass are summed up; the result is the same.",
                   p.measure,
                   {{"atomics", "every run of pixels adds to its bubble's sums"},
                    {"sorting", "runs sorted by bubble, and differences of cumulative sums: the paper's other way"}});
    visitor.group("Matching");
    visitor.choice("matching", "Same bubble", "How bubbles of the last frame and of this one are matched.", p.matching,
                   {{"auto", "by name where the source gives names, else nearest"},
                    {"nearest", "mutual nearest sites, not farther apart than the cap"},
                    {"names", "by the names that tracks give"}});
    visitor.number("cap", "Cap of matching", "Sites farther apart than this are not matched, in mean distances.", p.cap,
                   0, 100);
    visit_stencil_rules(visitor, p.rules);
    visit_block_size(visitor, p.block_size);
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
    // Names belong to the labels of the frame only once it is matched.
    if (at_rest() || state_.last == kMatch || state_.last == kTrigger) cells.names = &present().names();
    // Before anything is made of it, the field itself is what there is to see.
    const bool untouched = state_.last == kNone;
    LatticeLayer& field = on_lattice("field", "Field", "The numbers on the lattice, in place of the cells' tints",
                                     untouched && chain_.has_field());
    scene.layers.back().scale = {ColourScale::Kind::kImage, "field", "", field_low_, field_high_};
    if (chain_.has_field()) field.field = source_->field();
    LatticeLayer& marks = on_lattice("marks", "Marked pixels", "The pixels that the legend lists", true);
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
        {"overlay", "Overlay", "What else the legend lists, over the links", true, lines_of(drawing_.over())});
    PointsLayer centres{&drawing_.mesh().positions, nullptr,
                        std::min(drawing_.centre_count(), drawing_.mesh().vertex_count),
                        states_of(drawing_.mesh().vertex_states)};
    if (untouched) centres = {&first_centres_, nullptr, static_cast<uint32_t>(first_centres_.size())};
    if (untouched) scene.point_count = centres.count;
    scene.layers.push_back({"points", "Points", "The sites of the cells", true, centres});
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend = {{E::kEdge, 0, Role::kPlain, "link", "Two cells that touch."}};
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kBreakingState << age), Role::kBreaking, age ? "" : "lost contact",
                          "A link that is gone (breaking); paler with every comparison since.", kStrength[age]});
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kArisingState << age), Role::kArising, age ? "" : "created contact",
                          "A link that is new (arising); paler with every comparison since.", kStrength[age]});
    legend.push_back({E::kEdge, kVanishedState, Role::kUnmatched, "vanished",
                      "A bubble of the past frame without a partner in the present one."});
    legend.push_back({E::kVertex, kActiveState, Role::kActive, "active", "Its neighbours have changed."});
    legend.push_back(
        {E::kVertex, kAppearedState, Role::kUnmatched, "appeared", "A bubble without a partner in the past frame."});
    if (has_marks)
        legend.insert(legend.end(),
                      {{E::kSite, kSiteIsland, Role::kOdd, "island", "No pixel around it has its colour."},
                       {E::kSite, kSiteProlonged, Role::kProlonged, "prolonged",
                        "Its colour crosses the stencil in a single line."},
                       {E::kSite, kSiteCorner, Role::kCorner, "corner", "Cells meet here: links are searched for."}});
    scene.set_legend(legend);
    return scene;
}

}  // namespace flipscope
