#include "particles/overlap_audit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compute/text.h"
#include "particles/walls.h"

namespace flipscope {

namespace {

double length_of(Point p) { return std::sqrt(p.x * p.x + p.y * p.y); }

void list_in_walls(const ParticleDynamics& dynamics, const OverlapAudit& found, Point corner, CheckReport& report) {
    if (found.in_walls == 0) return;
    for (const uint32_t i : found.into_wall) {
        const Point in_box = dynamics.triangulation().mesh().positions.read(i);
        const double distance = distance_to_wall(dynamics.box(), in_box), radius = dynamics.diameter(i) / 2;
        add_failure(report,
                    {"in-wall",
                     "particle " + std::to_string(i) + " reaches into a wall by " + format_short(radius - distance) +
                         (dynamics.is_frozen(i) ? "; it is frozen, and stays" : ""),
                     {{ElementKind::kVertex, i}},
                     {i},
                     {{corner.x + in_box.x, corner.y + in_box.y, 0}},
                     distance});
    }
    report.failure_count += found.in_walls - found.into_wall.size();
    report.passed = false;
}

/// Lists overlaps as failures, up to a limit.
void list_overlaps(const ParticleDynamics& dynamics, const OverlapAudit& found, Point corner, CheckReport& report) {
    const std::vector<Point> places = dynamics.triangulation().mesh().positions.download(dynamics.count());
    const auto in_world = [&](Point p) { return Point3{corner.x + p.x, corner.y + p.y, 0}; };
    const std::vector<double> diameters = dynamics.diameters();
    for (const auto& pair : found.overlapping) {
        const auto [a, b] = pair;
        const double distance = length_of(dynamics.box().shortest(places[a], places[b])),
                     sum = (diameters[a] + diameters[b]) / 2;
        const bool no_edge = std::binary_search(found.missed.begin(), found.missed.end(), pair);
        const bool held = dynamics.is_frozen(a) && dynamics.is_frozen(b);
        add_failure(report, {no_edge ? "overlap-without-edge" : "overlap",
                             "particles " + std::to_string(a) + " and " + std::to_string(b) + " overlap by " +
                                 format_short(sum - distance) + ", at a distance of " + format_short(distance) +
                                 (no_edge ? ", and are not joined by an edge" : "") +
                                 (held ? "; both are frozen, and stay" : ""),
                             {{ElementKind::kVertex, a}, {ElementKind::kVertex, b}},
                             {a, b},
                             {in_world(places[a]), in_world(places[b])},
                             distance});
    }
    report.failure_count += found.pairs_overlapping - found.overlapping.size();
    report.passed = false;
}

}  // namespace

CheckReport verify_particles(const ParticleDynamics& dynamics, const OverlapAudit& found, Point corner) {
    CheckReport report;
    if (dynamics.count() == 0) {
        report.sentence = "there are no particles to check";
        return report;
    }
    report = dynamics.triangulation().check();
    report.sentence += "; of all pairs of particles " + count_text(found.pairs_overlapping, "overlaps", "overlap");
    const auto tell_walls = [&] {
        if (!dynamics.box().is_cylinder()) return;
        report.sentence += found.in_walls
                               ? "; " + count_text(found.in_walls, "disc reaches", "discs reach") + " into a wall"
                               : "; all discs lie between the walls";
        list_in_walls(dynamics, found, corner, report);
    };
    if (found.pairs_overlapping == 0) {
        tell_walls();
        return report;
    }
    const uint64_t missed = found.missed_by_edges;
    if (missed == found.pairs_overlapping)
        report.sentence += ", all of them without an edge between them";
    else if (missed > 0)
        // Three particles may overlap so much that one lies between the others, which then have no edge. If any two
        // overlap, so do the nearest two of all, which are always joined by an edge.
        report.sentence += ", " + std::to_string(missed) +
                           " of them without an edge, beside others that overlap along one: later pushes find these";
    else
        report.sentence += ", each along an edge";
    if (!dynamics.model().overlaps && missed < found.pairs_overlapping) {
        report.sentence += "; with overlaps=off that is no failure";
        tell_walls();
        return report;
    }
    tell_walls();
    list_overlaps(dynamics, found, corner, report);
    return report;
}

}  // namespace flipscope
