// The loupe: the cells around an event before and after, the links that changed, and the edges of cells that went to
// zero or came out of it. Cells are those of the exact Voronoi diagram of the vertices of the event and of their
// neighbours, which is what the eye can check by hand.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "events/events_log.h"
#include "events/triangles.h"

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

void add_link(const Still& still, const LoggedLink& link, Role role, std::vector<Shape>& shapes) {
    const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
    if (a == kNone || b == kNone) return;
    shapes.push_back({Shape::Kind::kLine, {still.sites[a], still.sites[b]}, role, kNone, ""});
}

/// The edge that the cells of the link's ends share.
void add_cell_edge(const Still& still, const LoggedLink& link, std::vector<Shape>& shapes) {
    const uint32_t a = still.find(link.names[0]), b = still.find(link.names[1]);
    if (a == kNone || b == kNone) return;
    const Cell& cell = still.cells[a];
    for (size_t k = 0; k < cell.corners.size(); ++k)
        if (cell.across[k] == b)
            shapes.push_back({Shape::Kind::kLine,
                              {cell.corners[k], cell.corners[(k + 1) % cell.corners.size()]},
                              Role::kExact,
                              kNone,
                              ""});
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
        for (uint32_t l = 0; l < event.links; ++l) {
            const LoggedLink& link = links[l];
            const bool here = (link.breaking != 0) == (moment == 0);
            (link.breaking ? gone : come) += 1;
            if (!here) continue;
            for (int k = 2; k < 4; ++k)  // its triangles
                for (int end = 0; end < 2; ++end) {
                    const uint32_t a = still.find(link.names[end]), b = still.find(link.names[k]);
                    if (link.names[k] != kNone && a != kNone && b != kNone)
                        sketch.shapes.push_back(
                            {Shape::Kind::kLine, {still.sites[a], still.sites[b]}, Role::kPlain, kNone, ""});
                }
            add_cell_edge(still, link, sketch.shapes);
            add_link(still, link, link.breaking ? Role::kBreaking : Role::kArising, sketch.shapes);
        }
        for (uint32_t own = 0; own < still.names.size(); ++own)
            sketch.shapes.push_back(
                {Shape::Kind::kPoint, {still.sites[own]}, Role::kPlain, kNone, std::to_string(still.ids[own])});
        for (Shape& shape : sketch.shapes)
            for (Point& p : shape.corners) p = {p.x + event.place.x, p.y + event.place.y};
        sketch.sentence = moment == 0 ? gone ? "The links that are about to break, and across each the edge where two "
                                               "cells touch: it shrinks to nothing."
                                             : "No link breaks."
                          : come ? "The links that have come, and across each the edge that the two cells share now."
                                 : "No link has come.";
        sketches.push_back(std::move(sketch));
    }
    return sketches;
}

}  // namespace flipscope
