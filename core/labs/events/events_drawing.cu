#include "labs/events/events_drawing.h"

#include <algorithm>
#include <cmath>

#include "compute/primitives.h"

namespace flipscope {

namespace {

/// Maps names to labels, and marks names that appeared in this frame.
struct FindNames {
    View<const uint32_t> names;
    View<uint32_t> labels;
    View<State> states;            // or empty
    View<const uint32_t> to_past;  // or empty
    FLIPSCOPE_HD void operator()(uint32_t q) const {
        labels[names[q]] = q;
        if (states) states[q] = to_past && to_past[q] == kNone ? kAppearedState : 0;
    }
};

/// Names may repeat; all writes are equal.
struct MarkActive {
    View<const uint32_t> active, labels;
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t q = labels[active[i]];
        if (q != kNone) atomic_store(states[q], State(kActiveState));
    }
};

struct DrawLines {
    Lattice lattice;
    View<const EventLine> lines;
    View<const uint32_t> labels;
    View<const Point> sites;
    View<Point> positions;
    View<uint32_t> edges;
    View<State> states;  // or empty

    FLIPSCOPE_HD LinkPieces pieces(uint32_t i) const {
        const EventLine& line = lines[i];
        if (line.names[0] == kNone) return cut_link(lattice, line.places[0], line.places[1]);
        const uint32_t a = labels[line.names[0]], b = labels[line.names[1]];
        if (a == kNone || b == kNone) return cut_link(lattice, line.places[0], line.places[1]);
        return cut_link(lattice, sites[a], sites[b]);
    }
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return pieces(i).count; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        const LinkPieces all = pieces(i);
        for (uint32_t k = 0; k < code; ++k) {
            const uint32_t edge = rank + k;
            positions[2 * edge] = all.from[k];
            positions[2 * edge + 1] = all.to[k];
            edges[2 * edge] = 2 * edge;
            edges[2 * edge + 1] = 2 * edge + 1;
            if (states) states[edge] = lines[i].state;
        }
    }
};

struct LabelsAndObstacles {
    View<const uint32_t> labels;
    View<const uint8_t> obstacles;
    View<uint32_t> shown;
    FLIPSCOPE_HD void operator()(uint32_t pixel) const { shown[pixel] = obstacles[pixel] ? kMaxLink : labels[pixel]; }
};

}  // namespace

void EventsDrawing::reset(Context& context, const Lattice& lattice, bool with_states) {
    lattice_ = lattice;
    with_states_ = with_states;
    site_count_ = 0;
    total_.resize(context, 1);
    shown_labels_.resize(context, 0, false);
    for (Linework* lines : {&mesh_, &over_, &earlier_}) {
        lines->reset(context, 0, 0, with_states);
        lines->positions.resize(context, 0);
    }
}

void EventsDrawing::show_labels(Context& context, const Buffer<uint32_t>& labels, View<const uint8_t> obstacles) {
    shown_labels_.resize(context, labels.size(), false);
    launch(context, "watch.labels", static_cast<uint32_t>(labels.size()),
           LabelsAndObstacles{labels.view(), obstacles, shown_labels_.view()});
}

void EventsDrawing::draw(Context& context, const LinkedFrame& now, const EventLog& log, uint32_t round,
                         View<const uint32_t> to_past, uint32_t next_name, const std::vector<Point>& vanished) {
    site_count_ = now.read_count();
    mesh_.positions.resize(context, site_count_, false);
    if (site_count_) context.copy(mesh_.positions.view().data, now.sites().data, site_count_ * sizeof(Point));
    links_.draw(context, lattice_, {now.starts().view(), now.neighbours().view(now.read_entries()), site_count_},
                site_count_, with_states_, mesh_);
    labels_.fill(context, next_name, 0xFF);
    launch(context, "events.find_names", site_count_,
           FindNames{now.names().view(), labels_.view(), with_states_ ? mesh_.vertex_states.view() : View<State>{},
                     to_past});

    std::vector<EventLine> lines, earlier;
    std::vector<uint32_t> active;
    const uint32_t oldest = round >= kAges ? round - kAges + 1 : 1;
    for (size_t i = log.first_since(oldest); i < log.size(); ++i) {
        const LoggedEvent& event = log.events()[i];
        const uint32_t age = round - event.round;
        for (const LoggedLink& link : log.links_of(event)) {
            const auto state = static_cast<State>((link.lost ? uint32_t(kLostState) : uint32_t(kCreatedState)) << age);
            (age == 0 ? lines : earlier)
                .push_back({{link.names[0], link.names[1]}, {link.after[0], link.after[1]}, state, {}});
            if (age == 0) active.insert(active.end(), link.names, link.names + 2);
        }
    }
    std::reverse(lines.begin(), lines.end());
    std::reverse(earlier.begin(), earlier.end());  // later lines cover earlier ones, so older ones come first
    std::stable_sort(earlier.begin(), earlier.end(), [](const EventLine& a, const EventLine& b) {
        const auto age = [](State state) { return state >> kAges ? state >> kAges : state; };
        return age(a.state) > age(b.state);
    });
    const double arm = 0.2 * std::sqrt(double(lattice_.pixel_count()) / std::max(1u, site_count_));
    for (const Point p : vanished)
        for (const double side : {-1.0, 1.0}) {
            const Point from = lattice_.wrapped({p.x - arm, p.y - side * arm});
            lines.push_back(
                {{kNone, kNone}, {from, lattice_.wrapped({p.x + arm, p.y + side * arm})}, State(kVanishedState), {}});
        }
    draw_lines(context, now, lines, over_);
    draw_lines(context, now, earlier, earlier_);
    if (!with_states_) return;
    active_.upload(context, active.data(), active.size());
    launch(context, "events.mark_active", static_cast<uint32_t>(active.size()),
           MarkActive{active_.view(), labels_.view(), mesh_.vertex_states.view()});
}

void EventsDrawing::draw_lines(Context& context, const LinkedFrame& now, const std::vector<EventLine>& lines,
                               Linework& to) {
    const auto count = static_cast<uint32_t>(lines.size()), most = count * (lattice_.periodic.any() ? 3 : 1);
    lines_.upload(context, lines.data(), lines.size());
    to.reset(context, 2 * most, most, with_states_);
    to.positions.fill(context, to.vertex_count, 0);
    compact(context, "events.draw", count,
            DrawLines{lattice_, lines_.view(), labels_.view(), now.sites(), to.positions.view(), to.edges.view(),
                      with_states_ ? to.edge_states.view() : View<State>{}},
            total_.view());
    to.edge_count = count ? total_.read(0) : 0;
}

}  // namespace flipscope
