// Diagrams of events.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "events/detection/triangles.h"
#include "labs/events/event_reports.h"
#include "voronoi/graph/graph_comparison.h"

namespace flipscope {

namespace {

using Shape = Diagram::Shape;

/// A convex cell, with the site across each edge (from corner k to the next).
struct Cell {
    std::vector<Point> corners;
    std::vector<uint32_t> across;
};

/// Keeps the part of `own` on its side of the bisector with `other`.
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

/// Pixels of obstacles, relative to the place of an event.
struct Rectangle {
    Point low, high;
    /// As in look_along(): a place is covered if one of the four pixels around it is an obstacle.
    bool covers(Point p) const {
        return p.x > low.x - 0.5 && p.y > low.y - 0.5 && p.x < high.x + 0.5 && p.y < high.y + 0.5;
    }
};

/// The obstacles within `reach` of a place along both axes, as few rectangles. obstacles: (h, w) or empty.
std::vector<Rectangle> obstacles_around(const Lattice& lattice, const std::vector<uint8_t>& obstacles, Point place,
                                        double reach) {
    std::vector<Rectangle> found;
    if (obstacles.empty()) return found;
    const auto is_obstacle = [&](int64_t x, int64_t y) {
        const int64_t w = lattice.width, h = lattice.height;
        if (lattice.periodic.x) x = (x % w + w) % w;
        if (lattice.periodic.y) y = (y % h + h) % h;
        return x >= 0 && y >= 0 && x < w && y < h &&
               obstacles[lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y))] != 0;
    };
    const auto nearest = [](double at) { return static_cast<int64_t>(std::floor(at + 0.5)); };
    const int64_t left = nearest(place.x - reach), right = nearest(place.x + reach);
    std::vector<size_t> below, here;  // rectangles that end at the row before, and at this row
    for (int64_t y = nearest(place.y - reach); y <= nearest(place.y + reach); ++y) {
        here.clear();
        for (int64_t x = left; x <= right; ++x) {
            if (!is_obstacle(x, y)) continue;
            const int64_t first = x;
            while (x < right && is_obstacle(x + 1, y)) ++x;
            const auto seen = [&](double value, double from) { return std::clamp(value - from, -reach, reach); };
            const Rectangle run{{seen(double(first) - 0.5, place.x), seen(double(y) - 0.5, place.y)},
                                {seen(double(x) + 0.5, place.x), seen(double(y) + 0.5, place.y)}};
            const auto same = std::find_if(below.begin(), below.end(), [&](size_t i) {
                return found[i].low.x == run.low.x && found[i].high.x == run.high.x;
            });
            if (same == below.end()) {
                here.push_back(found.size());
                found.push_back(run);
            } else {
                here.push_back(*same);
                found[*same].high.y = run.high.y;
            }
        }
        std::swap(below, here);
    }
    return found;
}

/// One of the two frames around an event, relative to its place.
struct Still {
    std::vector<uint32_t> names;  // of the corners: the first sites
    std::vector<int64_t> ids;
    std::vector<Point> sites;
    std::vector<Cell> cells;  // of the corners
    std::vector<Rectangle> obstacles;

    uint32_t find(uint32_t name) const {
        const auto at = std::find(names.begin(), names.end(), name);
        return at == names.end() ? kNone : static_cast<uint32_t>(at - names.begin());
    }
};

/// Two corners, the lower index first.
using Pair = std::pair<uint32_t, uint32_t>;
Pair pair_of(uint32_t a, uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

void add_link(const Still& still, Pair pair, Role role, Diagram& diagram) {
    diagram.add_line(still.sites[pair.first], still.sites[pair.second], role);
}

/// The edge shared by two cells; empty: none, or one of length 0.
std::vector<Point> shared_edge(const Still& still, Pair pair, double least) {
    const Cell& cell = still.cells[pair.first];
    for (size_t k = 0; k < cell.corners.size(); ++k) {
        const Point a = cell.corners[k], b = cell.corners[(k + 1) % cell.corners.size()];
        if (cell.across[k] == pair.second && std::hypot(b.x - a.x, b.y - a.y) > least) return {a, b};
    }
    return {};
}

/// The parts of a cell edge that obstacles leave free.
struct FreeEdge {
    std::vector<std::array<Point, 2>> pieces;
    bool blocked = false;  // too little for a contact by the rule of links: see FreePart
};
FreeEdge free_of(const Still& still, const std::vector<Point>& edge) {
    constexpr double kPart = 0.125;  // lattice units
    FreeEdge free;
    if (edge.empty()) return free;
    const Point from = edge[0], d{edge[1].x - from.x, edge[1].y - from.y};
    const double length = std::hypot(d.x, d.y);
    const auto parts = static_cast<uint32_t>(std::ceil(std::min(length / kPart, 1e5))) + 1;
    const auto at = [&](uint32_t part) { return Point{from.x + d.x * part / parts, from.y + d.y * part / parts}; };
    bool covered = false, open = false;
    double longest = 0;
    for (uint32_t part = 0; part < parts; ++part) {
        const Point a = at(part), b = at(part + 1), middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
        const bool hidden = std::any_of(still.obstacles.begin(), still.obstacles.end(),
                                        [&](const Rectangle& each) { return each.covers(middle); });
        covered = covered || hidden;
        if (hidden)
            open = false;
        else if (open)
            free.pieces.back()[1] = b;
        else
            free.pieces.push_back({a, b}), open = true;
        if (open) longest = std::max(longest, std::hypot(b.x - free.pieces.back()[0].x, b.y - free.pieces.back()[0].y));
    }
    free.blocked = covered && longest < kLeastContact;
    return free;
}

/// Equidistant from all three; not finite for collinear points.
Point circumcentre(Point a, Point b, Point c) {
    const Point ab{b.x - a.x, b.y - a.y}, ac{c.x - a.x, c.y - a.y};
    const double twice = 2 * cross(ab, ac), bb = ab.x * ab.x + ab.y * ab.y, cc = ac.x * ac.x + ac.y * ac.y;
    return {a.x + (ac.y * bb - ab.y * cc) / twice, a.y + (ab.x * cc - ac.x * bb) / twice};
}

/// The place of an edge of length 0: between the centres of the circles through the link's ends and one apex, which
/// coincide when the four cells meet.
std::vector<Point> meeting_point(const Still& still, const LoggedLink& link, double reach) {
    const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
    Point sum{};
    int count = 0;
    for (int k = 2; k < 4; ++k) {
        const uint32_t c = link.names[k] == kNone ? kNone : still.find(link.names[k]);
        if (c == kNone) continue;
        const Point middle = circumcentre(still.sites[a], still.sites[b], still.sites[c]);
        sum = {sum.x + middle.x, sum.y + middle.y};
        ++count;
    }
    const Point p{sum.x / count, sum.y / count};
    if (count == 0 || !(std::abs(p.x) < reach) || !(std::abs(p.y) < reach)) return {};
    return {p};
}

/// The other two of its four cells; kNone: missing.
Pair apexes_of(const Still& still, const LoggedLink& link) {
    if (link.names[2] == kNone || link.names[3] == kNone) return {kNone, kNone};
    return pair_of(still.find(link.names[2]), still.find(link.names[3]));
}

/// Draws the links of one frame: first the unchanged ones, then the changed ones, and over them the edges of the cells,
/// or points for edges of length 0.
void add_links(const Still& still, std::span<const LoggedLink> links, int frame, double reach, Diagram& diagram) {
    const double least = 1e-6 * reach;
    std::set<Pair> quiet, changed;
    for (const LoggedLink& link : links) {
        uint32_t at[4];
        for (int k = 0; k < 4; ++k) at[k] = link.names[k] == kNone ? kNone : still.find(link.names[k]);
        if (at[0] != kNone && at[1] != kNone) changed.insert(pair_of(at[0], at[1]));
        if ((link.lost != 0) != (frame == 0)) continue;
        for (int k = 2; k < 4; ++k)  // the sides of its triangles
            for (int end = 0; end < 2; ++end)
                if (at[end] != kNone && at[k] != kNone) quiet.insert(pair_of(at[end], at[k]));
    }
    for (uint32_t own = 0; own < still.names.size(); ++own)
        for (const uint32_t other : still.cells[own].across)
            if (other < still.names.size() && own < other)
                if (const auto edge = shared_edge(still, {own, other}, least);
                    !edge.empty() && !free_of(still, edge).blocked)
                    quiet.insert({own, other});
    for (const Pair& pair : quiet)
        if (!changed.contains(pair)) add_link(still, pair, Role::kPlain, diagram);
    for (const LoggedLink& link : links) {
        const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
        if (a == kNone || b == kNone || (link.lost != 0) != (frame == 0)) continue;
        add_link(still, pair_of(a, b), link.lost ? Role::kLostContact : Role::kCreatedContact, diagram);
    }
    for (const LoggedLink& link : links) {
        const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
        if (a == kNone || b == kNone) continue;
        const Pair across = apexes_of(still, link);
        const bool linked = (link.lost != 0) == (frame == 0);
        if (const std::vector<Point> edge = shared_edge(still, pair_of(a, b), least); !edge.empty()) {
            const FreeEdge free = free_of(still, edge);
            if (free.blocked && !linked) continue;  // an obstacle separates them
            for (const auto& [from, to] : free.pieces) diagram.add_line(from, to, Role::kExact);
        } else if (changed.contains(across) && !shared_edge(still, across, least).empty()) {
            continue;  // the point is the end of that edge, which is drawn
        } else if (const std::vector<Point> point = meeting_point(still, link, reach); !point.empty()) {
            diagram.add_point(point.front(), Role::kExact);
        }
    }
}

/// The bubbles of a birth, a death and the like among their neighbours, in one frame.
std::vector<Diagram> diagrams_of_cells(const EventLog& log, const LoggedEvent& event) {
    static constexpr const char* kSentences[] = {"The bubble that was born, among its neighbours.",
                                                 "The bubble that died, among its neighbours.",
                                                 "The parts of the bubble that broke up, among their neighbours.",
                                                 "The bubbles that coalesced, among their neighbours.",
                                                 "The point that is missing next, among its neighbours.",
                                                 "The point that is back, among its neighbours."};
    std::vector<Point> sites;
    double reach = 1;
    const auto add = [&](Point place) {
        const Point p = log.lattice().difference(event.place, place);
        if (std::find(sites.begin(), sites.end(), p) != sites.end()) return;
        sites.push_back(p);
        reach = std::max({reach, std::abs(p.x), std::abs(p.y)});
    };
    for (const DrawnCell& cell : log.drawn_of(event)) add(cell.site);
    for (const Point place : log.around(event)) add(place);
    reach *= 1.2;
    Diagram diagram;
    diagram.title = event.is_after ? "After" : "Before";
    diagram.sentence = kSentences[event.change];
    diagram.show_around(event.place, reach);
    const auto at_place = [&](Point p) { return Point{p.x + event.place.x, p.y + event.place.y}; };
    for (const DrawnCell& drawn : log.drawn_of(event)) {
        const Point own = log.lattice().difference(event.place, drawn.site);
        Cell cell{{{-reach, -reach}, {reach, -reach}, {reach, reach}, {-reach, reach}}, {kNone, kNone, kNone, kNone}};
        for (const Point other : sites)
            if (!(other == own)) cut(cell, own, other, kNone);
        for (Point& corner : cell.corners) corner = at_place(corner);
        if (cell.corners.size() >= 3) diagram.add_polygon(cell.corners, Role::kPlain, drawn.name);
    }
    for (const Point p : sites) diagram.add_point(at_place(p), Role::kPlain);
    for (const DrawnCell& drawn : log.drawn_of(event))
        diagram.add_point(at_place(log.lattice().difference(event.place, drawn.site)), Role::kUnmatched,
                          std::to_string(drawn.id));
    return {std::move(diagram)};
}

}  // namespace

std::vector<Diagram> diagrams_of(const EventLog& log, size_t i, const std::vector<uint8_t>& obstacles) {
    const LoggedEvent& event = log.events().at(i);
    if (!event.is_plastic()) return diagrams_of_cells(log, event);
    const std::span<const LoggedLink> links = log.links_of(event);
    Still stills[2];
    double reach = 0;
    const auto seen = [&](Point p) { return log.lattice().difference(event.place, p); };
    for (int frame = 0; frame < 2; ++frame) {
        Still& still = stills[frame];
        for (const LoggedLink& link : links)
            for (int k = 0; k < 4; ++k) {
                if (!(link.there[frame] >> k & 1) || still.find(link.names[k]) != kNone) continue;
                still.names.push_back(link.names[k]);
                still.ids.push_back(link.ids[k]);
                still.sites.push_back(seen(frame == 0 ? link.before[k] : link.after[k]));
                reach = std::max({reach, std::abs(still.sites.back().x), std::abs(still.sites.back().y)});
            }
        for (const LoggedLink& link : links)
            for (const Point place : log.around(link, frame == 1))
                if (const Point p = seen(place);
                    std::find(still.sites.begin(), still.sites.end(), p) == still.sites.end())
                    still.sites.push_back(p);
    }
    reach = 1.9 * std::max(reach, 1.0);

    std::vector<Diagram> diagrams;
    for (int frame = 0; frame < 2; ++frame) {
        Still& still = stills[frame];
        Diagram diagram;
        diagram.title = frame == 0 ? "Before" : "After";
        diagram.show_around(event.place, reach);
        const double far = reach;  // cells end at the border of the picture
        still.obstacles = obstacles_around(log.lattice(), obstacles, event.place, reach);
        for (uint32_t own = 0; own < still.names.size(); ++own) {
            Cell cell{{{-far, -far}, {far, -far}, {far, far}, {-far, far}}, {kNone, kNone, kNone, kNone}};
            for (uint32_t other = 0; other < still.sites.size(); ++other)
                if (other != own) cut(cell, still.sites[own], still.sites[other], other);
            still.cells.push_back(cell);
            if (cell.corners.size() >= 3) diagram.add_polygon(cell.corners, Role::kPlain, still.names[own]);
        }
        for (const auto& [low, high] : still.obstacles)
            diagram.add_polygon({low, {high.x, low.y}, high, {low.x, high.y}}, Role::kObstacle);
        uint32_t gone = 0, come = 0;
        for (const LoggedLink& link : links) (link.lost ? gone : come) += 1;
        add_links(still, links, frame, reach, diagram);
        for (uint32_t own = 0; own < still.names.size(); ++own)
            diagram.add_point(still.sites[own], Role::kPlain, std::to_string(still.ids[own]));
        for (Shape& shape : diagram.shapes)
            for (Point& p : shape.corners) p = {p.x + event.place.x, p.y + event.place.y};
        diagram.sentence = frame == 0 ? gone
                                            ? "The contacts that will be lost, and across each the edge that two cells "
                                              "share: it shrinks to nothing. A diamond marks where an edge will form."
                                            : "No contact is lost. A diamond marks where the edge will form."
                           : come ? "The contacts that are created, and across each the edge that the two cells share "
                                    "now. A diamond marks where an edge has shrunk to nothing."
                                  : "No contact is created. A diamond marks where the edge has shrunk to nothing.";
        if (!still.obstacles.empty())
            diagram.sentence += " Of edges, what obstacles leave free is drawn; behind one, cells do not touch.";
        diagrams.push_back(std::move(diagram));
    }
    return diagrams;
}

}  // namespace flipscope
