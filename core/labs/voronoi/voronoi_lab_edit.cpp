// The Voronoi lab by hand: sites are added, moved and removed, obstacles painted and wiped away. Each edit is one step;
// what was known of the diagram is then made again, at once or pass by pass.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "compute/error.h"
#include "labs/voronoi/voronoi_lab.h"

namespace flipscope {

namespace {

constexpr uint32_t kMostSites = 1u << 26;

bool is_stroke(const Edit& edit) { return edit.kind == Edit::Kind::kPaint || edit.kind == Edit::Kind::kWipe; }

/// The places of a stroke, in order.
std::vector<Point> path_of(const Edit& edit) {
    std::vector<Point> path{{edit.place.x, edit.place.y}};
    for (const Point3& place : edit.path) path.push_back({place.x, place.y});
    return path;
}

/// How far the box around these places lies beside the lattice; 0 or less: it does not.
double distance_beside(const Lattice& lattice, const std::vector<Point>& places) {
    if (lattice.periodic) return 0;
    const auto by_x = [](Point a, Point b) { return a.x < b.x; };
    const auto by_y = [](Point a, Point b) { return a.y < b.y; };
    const auto [left, right] = std::minmax_element(places.begin(), places.end(), by_x);
    const auto [low, high] = std::minmax_element(places.begin(), places.end(), by_y);
    return std::max(
        {-0.5 - right->x, -0.5 - high->y, left->x - (lattice.width - 0.5), low->y - (lattice.height - 0.5)});
}

}  // namespace

StepResult VoronoiLab::edit(const Edit& edit) {
    refuse(edit);  // before anything changes
    StepResult result = begin_step(kHand), ignored = begin_step(kPlace);
    if (edit.goes_on) {
        if (!stroke_) throw std::logic_error("the Voronoi lab: there is no stroke or drag to go on with");
        state_ = stroke_->moment;
        areas_before_ = stroke_->areas_before;
    } else {
        stroke_.reset();
        if (state_.next == kPlace) place(ignored);
        if (state_.next == kObstacles) show_obstacles(ignored);
        if (is_stroke(edit) || edit.kind == Edit::Kind::kMoveVertex) stroke_ = BeforeStroke{state_, areas_before_};
    }
    change(edit);
    blank();
    state_.jumps = 0;
    state_.move_follows = 0;
    state_.to_go = static_cast<uint32_t>(now_.lloyd);  // the iteration may go on from here
    state_.next = kColour;
    if (now_.after_edit == int(AfterEdit::kAtOnce)) {
        do {
            const StepResult made = run(state_.next);
            for (size_t k = 0; k < kCounters; ++k)
                if (made.counters[k] != kNotCounted) result.counters[k] = made.counters[k];
            if (!made.measures.empty()) result.measures = made.measures;
            result.notable |= made.notable;
        } while (!done() && state_.next != kMove);
    }
    result.counters[kSites] = state_.sites;
    result.next = state_.next;
    result.round = state_.round;
    result.ended = done() ? Level::kEnd : Level::kRound;
    return result;
}

/// Throws Error with a sentence for what cannot be done.
void VoronoiLab::refuse(const Edit& edit) const {
    using Kind = Edit::Kind;
    if (edit.kind == Kind::kFlipEdge)
        throw Error("Links follow from the cells and cannot be flipped; move a site, and they change.");
    const Lattice& lattice = start_.lattice;
    const uint32_t sites = state_.next == kPlace ? static_cast<uint32_t>(start_.sites.size()) : state_.sites;
    if (edit.kind == Kind::kMoveVertex || edit.kind == Kind::kRemoveVertex) {
        const char* what = edit.kind == Kind::kMoveVertex ? "move" : "remove";
        if (edit.id >= sites && edit.id - sites < lloyd_.point_count())
            throw Error("This is one of the points that are assigned to clusters, and stays; " + std::string(what) +
                        " a cluster centre.");
        if (edit.id >= sites) throw Error("There is no site " + std::to_string(edit.id) + " to " + what + ".");
    }
    if (edit.kind == Kind::kRemoveVertex) return;
    const std::vector<Point> path = path_of(edit);
    const auto is_finite = [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); };
    if (!std::all_of(path.begin(), path.end(), is_finite) || !(edit.radius >= 0))
        throw Error("Nothing can be done here: the coordinates are no numbers.");
    if (edit.goes_on) return;  // a stroke may leave the lattice, and come back
    const double beside = distance_beside(lattice, path);
    const std::string size =
        "x from 0 to " + std::to_string(lattice.width - 1) + ", y from 0 to " + std::to_string(lattice.height - 1);
    if (edit.kind == Kind::kAddVertex && beside > 0) throw Error("A new site must lie on the lattice: " + size + ".");
    if (edit.kind == Kind::kAddVertex && sites >= kMostSites)
        throw Error("There are " + std::to_string(sites) + " sites already, and no room for another.");
    if (is_stroke(edit) && beside > edit.radius) throw Error("The brush does not touch the lattice: " + size + ".");
    if (edit.kind == Kind::kWipe && without_obstacles()) throw Error("There are no obstacles to wipe away.");
}

bool VoronoiLab::without_obstacles() const {
    return colouring_.obstacles().empty() && (start_.obstacles.empty() || state_.next > kObstacles);
}

void VoronoiLab::change(const Edit& edit) {
    using Kind = Edit::Kind;
    const Point place{edit.end().x, edit.end().y};  // of a drag, where it ends is all that counts
    if (is_stroke(edit)) {
        Buffer<uint8_t>& obstacles = colouring_.obstacles();
        if (obstacles.empty()) {
            obstacles.resize(*context_, start_.lattice.site_count(), false);
            obstacles.fill_bytes(0);
        }
        const double most = double(start_.lattice.width) + start_.lattice.height;
        paint_obstacles(*context_, start_.lattice, obstacles, path_of(edit), std::min(edit.radius, most),
                        edit.kind == Kind::kPaint);
        return;
    }
    std::vector<Point> sites = host_sites();
    std::vector<uint32_t> names = names_;
    if (edit.kind == Kind::kMoveVertex) {
        sites[edit.id] = within(place);
    } else if (edit.kind == Kind::kAddVertex) {
        sites.push_back(within(place));
        names.push_back(state_.next_name++);
    } else {
        sites.erase(sites.begin() + edit.id);
        names.erase(names.begin() + edit.id);
    }
    set_sites(sites, names);
}

/// The place of the lattice that is meant: a site dragged past an open border stays at it.
Point VoronoiLab::within(Point place) const {
    const Lattice& lattice = start_.lattice;
    if (!lattice.periodic)
        return {std::clamp(place.x, -0.5, lattice.width - 0.5), std::clamp(place.y, -0.5, lattice.height - 0.5)};
    const auto wrap = [](double v, double period) { return v - std::floor(v / period) * period; };
    return lattice.wrapped({wrap(place.x, lattice.width), wrap(place.y, lattice.height)});
}

}  // namespace flipscope
