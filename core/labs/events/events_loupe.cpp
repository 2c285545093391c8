// The loupe: the cells around an event before and after, the links that changed, the quiet ones among its vertices, and
// the edges of cells that went to zero or came out of it. Cells are those of the exact Voronoi diagram of the vertices
// of the event and of their neighbours, which a reader can check by hand; the log keeps no links but those that
// changed, so the quiet ones are read off these cells.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "events/detection/triangles.h"
#include "labs/events/events_log.h"

namespace flipscope {

namespace {

using Shape = Sketch::Shape;

/// A convex cell, and across which site each of its edges lies (that from corner k to the next).
struct Cell {
    std::vector<Point> corners;
    std::vector<uint32_t> across;
};

/// Keeps the side of `own` of the line halfway between it and `other`.
void cut(Cell& cell, Point own, Point other, uint32_t label) {
    const Point d{other.x - own.x, other.y - own.y}, middle{(own.x + other.x) / 2, (own.y + other.y) / 2};
    if (d == Point{}) return;
    Cell kept;
    const size_t n = cell.corners.size();
    for (size_t k = 0; k < n; ++k) {
        const Point a = cell.corners[k], b = cell.corners[(k + 1) % n];
        const double at_a = (a.x - middle.x) * d.x + (a.y - middle.y) * d.y;
        const double at_b = (b.x - middle.x) * d.x + (b.y - middle.y) * d.y;
        const double t = at_a / (at_a - at_b);
        const Point between{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        if (at_a <= 0) {
            kept.corners.push_back(a);
            kept.across.push_back(cell.across[k]);
        }
        if (at_a <= 0 && at_b > 0) {
            kept.corners.push_back(between);
            kept.across.push_back(label);
        } else if (at_a > 0 && at_b <= 0) {
            kept.corners.push_back(between);
            kept.across.push_back(cell.across[k]);
        }
    }
    cell = std::move(kept);
}

/// One of the two moments around an event, seen from its place.
struct Still {
    std::vector<uint32_t> names;  // of the corners: the first sites
    std::vector<int64_t> ids;
    std::vector<Point> sites;
    std::vector<Cell> cells;  // of the corners

    uint32_t find(uint32_t name) const {
        const auto at = std::find(names.begin(), names.end(), name);
        return at == names.end() ? kNone : static_cast<uint32_t>(at - names.begin());
    }
};

/// Two corners, the lower index first.
using Pair = std::pair<uint32_t, uint32_t>;
Pair pair_of(uint32_t a, uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

void add_link(const Still& still, Pair pair, Role role, std::vector<Shape>& shapes) {
    shapes.push_back({Shape::Kind::kLine, {still.sites[pair.first], still.sites[pair.second]}, role, kNone, ""});
}

/// The edge that two cells share; empty: they share none, or one of no length.
std::vector<Point> shared_edge(const Still& still, Pair pair, double least) {
    const Cell& cell = still.cells[pair.first];
    for (size_t k = 0; k < cell.corners.size(); ++k) {
        const Point a = cell.corners[k], b = cell.corners[(k + 1) % cell.corners.size()];
        if (cell.across[k] == pair.second && std::hypot(b.x - a.x, b.y - a.y) > least) return {a, b};
    }
    return {};
}

/// Equally far from all three; not finite for three in a line.
Point circumcentre(Point a, Point b, Point c) {
    const Point ab{b.x - a.x, b.y - a.y}, ac{c.x - a.x, c.y - a.y};
    const double twice = 2 * cross(ab, ac), bb = ab.x * ab.x + ab.y * ab.y, cc = ac.x * ac.x + ac.y * ac.y;
    return {a.x + (ac.y * bb - ab.y * cc) / twice, a.y + (ab.x * cc - ac.x * bb) / twice};
}

/// Where an edge of no length lies: between the centres of the circles through the link's ends and its apexes, which
/// are one point when the four cells meet.
std::vector<Point> meeting_point(const Still& still, const LoggedLink& link, double reach) {
    const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
    Point sum{};
    int count = 0;
    for (int k = 2; k < 4; ++k) {
        const uint32_t c = link.names[k] == kNone ? kNone : still.find(link.names[k]);
        if (c == kNone) continue;
        const Point centre = circumcentre(still.sites[a], still.sites[b], still.sites[c]);
        sum = {sum.x + centre.x, sum.y + centre.y};
        ++count;
    }
    const Point p{sum.x / count, sum.y / count};
    if (count == 0 || !(std::abs(p.x) < reach) || !(std::abs(p.y) < reach)) return {};
    return {p};
}

/// The other two of its four cells; kNone: it has no such.
Pair apexes_of(const Still& still, const LoggedLink& link) {
    if (link.names[2] == kNone || link.names[3] == kNone) return {kNone, kNone};
    return pair_of(still.find(link.names[2]), still.find(link.names[3]));
}

/// What is drawn of the links at one moment: first the quiet ones, then those that changed, and over them the edges of
/// the cells, or the points where an edge has no length.
void add_links(const Still& still, const LoggedLink* links, uint32_t count, int moment, double reach,
               std::vector<Shape>& shapes) {
    const double least = 1e-6 * reach;
    std::set<Pair> quiet, changed;
    for (uint32_t l = 0; l < count; ++l) {
        const LoggedLink& link = links[l];
        uint32_t at[4];
        for (int k = 0; k < 4; ++k) at[k] = link.names[k] == kNone ? kNone : still.find(link.names[k]);
        if (at[0] != kNone && at[1] != kNone) changed.insert(pair_of(at[0], at[1]));
        if ((link.breaking != 0) != (moment == 0)) continue;
        for (int k = 2; k < 4; ++k)  // its triangles
            for (int end = 0; end < 2; ++end)
                if (at[end] != kNone && at[k] != kNone) quiet.insert(pair_of(at[end], at[k]));
    }
    for (uint32_t own = 0; own < still.names.size(); ++own)
        for (const uint32_t other : still.cells[own].across)
            if (other < still.names.size() && own < other && !shared_edge(still, {own, other}, least).empty())
                quiet.insert({own, other});
    for (const Pair& pair : quiet)
        if (!changed.contains(pair)) add_link(still, pair, Role::kPlain, shapes);
    for (uint32_t l = 0; l < count; ++l) {
        const uint32_t a = still.find(links[l].names[0]), b = still.find(links[l].names[1]);
        if (a == kNone || b == kNone || (links[l].breaking != 0) != (moment == 0)) continue;
        add_link(still, pair_of(a, b), links[l].breaking ? Role::kBreaking : Role::kArising, shapes);
    }
    for (uint32_t l = 0; l < count; ++l) {
        const uint32_t a = still.find(links[l].names[0]), b = still.find(links[l].names[1]);
        if (a == kNone || b == kNone) continue;
        const Pair across = apexes_of(still, links[l]);
        if (std::vector<Point> edge = shared_edge(still, pair_of(a, b), least); !edge.empty())
            shapes.push_back({Shape::Kind::kLine, std::move(edge), Role::kExact, kNone, ""});
        else if (changed.contains(across) && !shared_edge(still, across, least).empty())
            continue;  // it is the end of that edge, which is drawn
        else if (std::vector<Point> point = meeting_point(still, links[l], reach); !point.empty())
            shapes.push_back({Shape::Kind::kPoint, std::move(point), Role::kExact, kNone, ""});
    }
}

}  // namespace

std::vector<Sketch> EventLog::loupe(size_t i) const {
    const LoggedEvent& event = events().at(i);
    const LoggedLink* links = links_of(event);
    Still stills[2];
    double reach = 0;
    const auto seen = [&](Point p) { return lattice_.difference(event.place, p); };
    for (int moment = 0; moment < 2; ++moment) {
        Still& still = stills[moment];
        for (uint32_t l = 0; l < event.links; ++l)
            for (int k = 0; k < 4; ++k) {
                if (!(links[l].there[moment] >> k & 1) || still.find(links[l].names[k]) != kNone) continue;
                still.names.push_back(links[l].names[k]);
                still.ids.push_back(links[l].ids[k]);
                still.sites.push_back(seen(moment == 0 ? links[l].before[k] : links[l].after[k]));
                reach = std::max({reach, std::abs(still.sites.back().x), std::abs(still.sites.back().y)});
            }
        for (uint32_t l = 0; l < event.links; ++l) {
            const Point* around = around_.data() + links[l].first_around + (moment == 0 ? 0 : links[l].past_around);
            const uint32_t count = moment == 0 ? links[l].past_around : links[l].now_around;
            for (uint32_t k = 0; k < count; ++k)
                if (const Point p = seen(around[k]);
                    std::find(still.sites.begin(), still.sites.end(), p) == still.sites.end())
                    still.sites.push_back(p);
        }
    }
    reach = 1.9 * std::max(reach, 1.0);

    std::vector<Sketch> sketches;
    for (int moment = 0; moment < 2; ++moment) {
        Still& still = stills[moment];
        Sketch sketch;
        sketch.title = moment == 0 ? "Before" : "After";
        sketch.low = {event.place.x - reach, event.place.y - reach};
        sketch.high = {event.place.x + reach, event.place.y + reach};
        const double far = reach;  // cells end where the picture does
        for (uint32_t own = 0; own < still.names.size(); ++own) {
            Cell cell{{{-far, -far}, {far, -far}, {far, far}, {-far, far}}, {kNone, kNone, kNone, kNone}};
            for (uint32_t other = 0; other < still.sites.size(); ++other)
                if (other != own) cut(cell, still.sites[own], still.sites[other], other);
            still.cells.push_back(cell);
            if (cell.corners.size() >= 3)
                sketch.shapes.push_back({Shape::Kind::kPolygon, cell.corners, Role::kPlain, still.names[own], ""});
        }
        uint32_t gone = 0, come = 0;
        for (uint32_t l = 0; l < event.links; ++l) (links[l].breaking ? gone : come) += 1;
        add_links(still, links, event.links, moment, reach, sketch.shapes);
        for (uint32_t own = 0; own < still.names.size(); ++own)
            sketch.shapes.push_back(
                {Shape::Kind::kPoint, {still.sites[own]}, Role::kPlain, kNone, std::to_string(still.ids[own])});
        for (Shape& shape : sketch.shapes)
            for (Point& p : shape.corners) p = {p.x + event.place.x, p.y + event.place.y};
        sketch.sentence =
            moment == 0 ? gone ? "The contacts that will be lost, and across each the edge that two cells share: "
                                 "it shrinks to nothing. A diamond marks where an edge will form."
                               : "No contact is lost. A diamond marks where the edge will form."
            : come      ? "The contacts that are created, and across each the edge that the two cells share now. "
                          "A diamond marks where an edge has shrunk to nothing."
                        : "No contact is created. A diamond marks where the edge has shrunk to nothing.";
        sketches.push_back(std::move(sketch));
    }
    return sketches;
}

}  // namespace flipscope
